//! Addresses of puzzles on puzz.link and similar sites: `https://puzz.link/p?nurikabe/10/10/BODY`.
//!
//! The puzzle type, the number of columns, the number of rows and the clues follow the `?`, separated by slashes. The
//! host is ignored, the scheme is optional, and so is everything before the puzzle type, as in `nurikabe/10/10/BODY`. The clues have the format of the program pzpr, in which each puzzle type
//! combines some schemes; each scheme has a module. The parser skips lines that start with `%`, and blanks around
//! the address. It also decodes percent escapes, but only of characters that occur in addresses. Any other `%` is the
//! prefix of a number that is at least 8192; to avoid ambiguity, this prefix can be written as `%25`.

use crate::rules::Grid;

mod address;
pub(crate) mod arrow_number16;
pub(crate) mod bank;
pub(crate) mod black_cells;
mod body;
pub(crate) mod castle;
mod clues;
pub(crate) mod compass;
pub(crate) mod digits;
pub(crate) mod dot;
pub(crate) mod four_cell;
pub(crate) mod kakuro;
pub(crate) mod lengths;
pub(crate) mod makaro;
pub(crate) mod marks;
pub(crate) mod number16;
pub(crate) mod number36;
pub(crate) mod one_cell;
pub(crate) mod pots;
pub(crate) mod reflect;
pub(crate) mod signs;
pub(crate) mod steps;
pub(crate) mod tapa;
pub(crate) mod tile_sums;

pub(crate) use address::MOST_SQUARES;
pub use address::{Address, read};
pub(crate) use address::{has_host, puzzle_type, type_without_host};
pub(crate) use body::BodyReader;
pub use clues::{AddressClue, Scheme, encode_four_cell, encode_number16};

/// The address of a board, and the options that the address can't express.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenAddress {
    /// The address as text.
    pub address: String,
    /// The options that the address can't express, as `name=value`. They must be given again when the address is
    /// read.
    pub left_out: Vec<String>,
}

/// The reason why a board has no address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoAddress {
    /// The puzzle type has no addresses.
    #[error("no addresses on puzz.link are known for boards of `{0}`")]
    PuzzleType(&'static str),
    /// The scheme of the address can't express a value.
    #[error("an address on puzz.link can't express {0}")]
    Value(String),
    /// A clue is too large.
    #[error("a clue is too large for an address on puzz.link: the largest is 1126351")]
    Overflow,
    /// The board exceeds the maximum size of an address.
    #[error("the board is too large for an address on puzz.link: the maximum is {MOST_SQUARES} squares")]
    TooLarge,
}

/// Writes the address of a board, which [`read`] can read back. `name` is the puzzle type's name in addresses.
///
/// # Errors
/// Returns an error if the board is too large, or if a clue is too large for its encoding.
pub fn write(
    name: &str,
    scheme: Scheme,
    clues: &Grid<Option<AddressClue>>,
) -> Result<WrittenAddress, NoAddress> {
    if clues.len() > MOST_SQUARES {
        return Err(NoAddress::TooLarge);
    }
    let rows: Vec<Vec<Option<AddressClue>>> = clues.by_row().map(<[_]>::to_vec).collect();
    let body = scheme.encode(&rows).ok_or(NoAddress::Overflow)?;
    Ok(written(name, clues.rows(), clues.columns(), &body))
}

/// Returns the address with the given body.
pub(crate) fn written(name: &str, rows: usize, columns: usize, body: &str) -> WrittenAddress {
    let name = name.replace('_', "-");
    let address = format!("https://puzz.link/p?{name}/{columns}/{rows}/{body}");
    WrittenAddress { address, left_out: Vec::new() }
}

#[cfg(test)]
mod tests;
