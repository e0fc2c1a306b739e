//! Helper functions for error messages.

use std::fmt::Display;

/// Returns a count with its noun, such as `1 row` or `2 rows`.
pub(crate) fn counted<N: Copy + Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    if count == N::from(1) { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Omits the middle of a message of more than 1000 characters. Messages can be long because they quote numbers from
/// solutions.
pub(crate) fn shortened(message: &str) -> String {
    const LONGEST: usize = 1000;
    const KEPT: usize = 100;
    let length = message.chars().count();
    if length <= LONGEST {
        return message.to_owned();
    }
    let start: String = message.chars().take(KEPT).collect();
    let end: String = message.chars().skip(length - KEPT).collect();
    format!("{start} ... {end}")
}
