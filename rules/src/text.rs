//! Pieces of messages.

/// Cuts a message in the middle if it has more than 1000 characters: a number of a solution may be long.
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
