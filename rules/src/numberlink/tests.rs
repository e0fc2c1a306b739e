//! Tests each rule of Numberlink and Amaze.

use super::*;

const ANY: Variant = Variant::Numberlink { all_cells: false, touch: true };

/// Creates a grid from rows of digits, with 0 for an empty cell.
fn grid(rows: &str) -> Grid<i128> {
    let rows: Vec<&str> = rows.split(' ').collect();
    let cells = rows.iter().flat_map(|row| row.bytes()).map(|digit| i128::from(digit - b'0'));
    Grid::new(rows.len(), rows[0].len(), cells.collect())
}

fn board(rows: &str, variant: Variant) -> Result<Numberlink, Invalid> {
    Numberlink::new(&grid(rows).map(|&number| Some(number).filter(|&number| number > 0)), variant)
}

fn check(given: &str, variant: Variant, solution: &str) -> Result<(), String> {
    let board = board(given, variant).unwrap();
    board.check(&Solution::from_grid(grid(solution))).map_err(|violation| violation.to_string())
}

#[test]
fn a_path_may_lie_beside_itself_where_it_may() {
    let apart = Variant::Numberlink { all_cells: false, touch: false };
    for (variant, right) in [(ANY, true), (apart, false), (Variant::Amaze, false)] {
        assert_eq!(check("100 000 100", variant, "111 011 110").is_ok(), right, "{variant:?}");
        assert_eq!(check("100 000 100", variant, "100 100 100"), Ok(()), "{variant:?}");
    }
}

#[test]
fn each_rule_is_checked() {
    let refused = |given, variant, solution| check(given, variant, solution).unwrap_err();
    let all = Variant::Numberlink { all_cells: true, touch: true };
    assert_eq!(check("11 00", all, "11 00").unwrap_err(), "an empty cell at r2c1");
    assert_eq!(check("10 10", all, "11 11"), Ok(()));
    assert_eq!(refused("11 00", ANY, "10 10"), "0 at an end of 1 at r1c2");
    assert_eq!(refused("11 00", ANY, "11 02"), "the number 2, which is not on the board at r2c2");
    let parted = refused("101", ANY, "101");
    assert_eq!(parted, "no path connects the ends of 1 through all of its cells at r1c1 r1c3");
    let parted = refused("101", Variant::Amaze, "101");
    assert_eq!(parted, "0 neighbours of the same number instead of 1 at r1c1");
    let ring = refused("2000000 2000000 0003300 0000000", Variant::Amaze, "2022220 2020020 0023320 0022220");
    assert_eq!(ring, "a separate cycle of 2 at r1c3");
}

#[test]
fn lines_follow_from_numbers_and_are_checked() {
    let board = board("100 000 100", ANY).unwrap();
    let numbers = grid("111 011 110");
    let lines = board.lines(&numbers);
    let with = |lines: Grid<i128>| Solution::from_grid(numbers.clone()).with(LINES, Field::Grid(lines));
    assert_eq!(board.check(&with(lines.clone())), Ok(()));
    for cell in 0..9 {
        for sides in (-1..17).filter(|&sides| sides != lines[cell]) {
            let mut changed = lines.clone();
            changed.cells_mut()[cell] = sides;
            assert!(board.check(&with(changed)).is_err(), "{sides} in cell {cell}");
        }
    }
}

#[test]
fn each_number_stands_twice() {
    let refused = |rows| board(rows, ANY).unwrap_err();
    assert_eq!((refused("100").index, refused("100").found.as_str()), (Some(0), "a single cell"));
    assert_eq!((refused("111").index, refused("111").found.as_str()), (Some(2), "a third cell"));
    let zero = Grid::new(1, 2, vec![Some(0), Some(0)]);
    assert_eq!(Numberlink::new(&zero, ANY).unwrap_err().index, Some(0));
}
