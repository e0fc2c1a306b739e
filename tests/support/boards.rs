//! Random boards as texts, for the tests of the library and of the program.

use proptest::prelude::*;

/// Formats tokens in row-major order as a board in the native format.
pub(crate) fn text(puzzle_type: &str, columns: usize, tokens: &[String]) -> String {
    let rows: Vec<String> = tokens.chunks(columns).map(|row| row.join(" ")).collect();
    format!("{puzzle_type}\n{}\n", rows.join("\n"))
}

/// Generates boards from 1x1 to 4x4. Each board consists of the number of rows, the number of columns, and the tokens
/// in row-major order.
pub(crate) fn rows(
    token: impl Strategy<Value = String> + Clone + 'static,
) -> impl Strategy<Value = (usize, usize, Vec<String>)> {
    (1..=4_usize, 1..=4_usize).prop_flat_map(move |(rows, columns)| {
        let tokens = proptest::collection::vec(token.clone(), rows * columns);
        (Just(rows), Just(columns), tokens)
    })
}

/// Generates a token of a Nurikabe board: no clue, a number, or rarely an unknown clue.
pub(crate) fn nurikabe_token() -> impl Strategy<Value = String> + Clone + 'static {
    prop_oneof![
        14 => Just(".".to_owned()),
        1 => Just("?".to_owned()),
        3 => (1..6_u32).prop_map(|size| size.to_string()),
    ]
}

/// Generates a token of a rooks board: an empty square, or rarely a block or a clue.
pub(crate) fn rooks_token() -> impl Strategy<Value = String> + Clone + 'static {
    prop_oneof![
        12 => Just(".".to_owned()),
        2 => Just("#".to_owned()),
        1 => (0..5_u32).prop_map(|clue| clue.to_string()),
    ]
}

/// Generates boards on which each number occurs in exactly two cells. Each board consists of the number of columns, and
/// the tokens in row-major order. `rows`, `columns` and `numbers` are upper limits.
pub(crate) fn pairs(
    rows: usize,
    columns: usize,
    numbers: usize,
) -> impl Strategy<Value = (usize, Vec<String>)> {
    (1..=rows, 1..=columns, 0..=numbers).prop_flat_map(|(rows, columns, numbers)| {
        Just((0..rows * columns).collect::<Vec<_>>()).prop_shuffle().prop_map(move |cells| {
            let mut tokens = vec![".".to_owned(); rows * columns];
            for (number, pair) in (1..).zip(cells.chunks_exact(2).take(numbers)) {
                for &cell in pair {
                    tokens[cell] = format!("{number}");
                }
            }
            (columns, tokens)
        })
    })
}
