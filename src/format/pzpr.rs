//! Addresses of puzzles on puzz.link and its relatives: `https://puzz.link/p?nurikabe/10/10/BODY`.
//!
//! After the `?` come the puzzle type, the number of columns, the number of rows and the clues, separated by slashes. The
//! host is ignored, and the scheme may be missing. Clues are written as by the program pzpr;
//! [`Address::number16`] and [`Address::four_cell`] read two of its encodings. The reader skips lines that start with `%`,
//! and blanks around the address. It undoes percent escapes of characters that the encodings use. A `%` before other
//! digits is the encodings' own mark for numbers from 8192 on: write it `%25` to be safe.

use crate::rules::Grid;

mod address;
mod clues;

use address::MOST_SQUARES;
pub(crate) use address::is_address;
pub use address::{Address, read};
pub use clues::{AddressClue, Scheme, encode_four_cell, encode_number16};

/// The address of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenAddress {
    /// The address.
    pub address: String,
    /// Options of the board that the address does not contain, as `name=value`. Its reader needs them too.
    pub left_out: Vec<String>,
}

/// Why a board has no address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoAddress {
    /// Boards of this puzzle type have none.
    #[error("no addresses on puzz.link are known for boards of `{0}`")]
    PuzzleType(&'static str),
    /// A clue is too large.
    #[error("a clue is too large for an address on puzz.link: the largest is 1126351")]
    Overflow,
    /// The board is too large to be read back.
    #[error("the board has more than the {MOST_SQUARES} squares of an address on puzz.link")]
    TooLarge,
}

/// Writes the address of a board of the puzzle type that addresses call `name`. [`read`] reads it back.
///
/// # Errors
/// Returns an error if the board is too large, or a clue is too large for the scheme.
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
    let address = format!("https://puzz.link/p?{name}/{}/{}/{body}", clues.columns(), clues.rows());
    Ok(WrittenAddress { address, left_out: Vec::new() })
}

#[cfg(test)]
mod tests;
