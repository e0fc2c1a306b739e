use super::*;

/// Checks a solution that is drawn on its board. Rows are separated by `/`. The characters are `.` for an empty
/// square, `R` for a rook, `#` for a block, a digit for a clue, and `r` for a rook on a block.
fn check(board: &str) -> Result<(), String> {
    let rows: Vec<&str> = board.split('/').collect();
    let cells = || rows.iter().flat_map(|row| row.chars());
    let square = |token: char| match token {
        '.' | 'R' => Square::Empty,
        '#' | 'r' => Square::Block,
        clue => Square::Clue(clue as u8 - b'0'),
    };
    let (height, width) = (rows.len(), rows[0].len());
    let board = Rooks { squares: Grid::new(height, width, cells().map(square).collect()) };
    let rooks = cells().map(|token| i128::from(token.eq_ignore_ascii_case(&'r'))).collect();
    let solution = Solution::from_grid(Grid::new(height, width, rooks));
    board.check(&solution).map_err(|violation| violation.to_string())
}

#[test]
fn each_rule_is_checked() {
    for right in ["R", "#", "R#R", "R../.R./..R", ".R/R.", "2R/R.", "R#/.R"] {
        assert_eq!(check(right), Ok(()), "{right}");
    }
    let refused = |board| check(board).unwrap_err();
    assert_eq!(refused("R.R"), "two rooks attack each other at r1c1 r1c3");
    assert_eq!(refused("R/./R"), "two rooks attack each other at r1c1 r3c1");
    assert_eq!(refused("R#."), "an empty square that no rook attacks at r1c3");
    assert_eq!(refused("r"), "a rook on a block at r1c1");
    assert_eq!(refused("1R/R."), "2 rooks beside the clue 1 at r1c1");
    assert_eq!(refused("2R"), "1 rook beside the clue 2 at r1c1");
}

#[test]
fn a_square_holds_one_rook_at_most() {
    let board = Rooks { squares: Grid::new(1, 1, vec![Square::Empty]) };
    for number in [-1, 2] {
        let solution = Solution::from_grid(Grid::new(1, 1, vec![number]));
        assert!(board.check(&solution).is_err(), "{number}");
    }
    assert!(board.check(&Solution::from_grid(Grid::new(1, 2, vec![1, 0]))).is_err(), "another size");
}
