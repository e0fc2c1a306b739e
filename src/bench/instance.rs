//! The instances of a benchmark: boards and constraint models.

use gordian_encodings::Sense;

use crate::flatzinc;
use crate::format::Syntax;
use crate::puzzle::{NamedQuery, Puzzle, PuzzleType, Query};

/// An instance of a benchmark: a board or a constraint model.
#[derive(Debug, Clone)]
pub struct BenchInstance {
    /// The path or address of the board, which is passed to each run.
    pub name: String,
    /// The puzzle type of the board.
    pub puzzle_type: &'static PuzzleType,
    /// The [`digest`] of the board's text. It identifies the board even if the name changes.
    pub content: String,
    /// The number of cells, if the board is a rectangle.
    pub cells: Option<u64>,
}

impl BenchInstance {
    /// Creates an instance from a board and the text that it was read from.
    #[must_use]
    pub fn new(name: String, puzzle: &dyn Puzzle, text: &str) -> Self {
        Self { name, puzzle_type: puzzle.puzzle_type(), content: digest(text), cells: cells(puzzle) }
    }

    /// Returns the query that is run if none is chosen: to optimise a model with an objective, and to satisfy all
    /// other instances.
    #[must_use]
    pub fn default_query(&self) -> NamedQuery {
        let optimise = Query::Optimise(None).named_for(self.puzzle_type);
        optimise.filter(|_| self.is_model()).unwrap_or(Query::Satisfy)
    }

    fn is_model(&self) -> bool {
        self.puzzle_type.name == flatzinc::NAME
    }

    /// Returns whether the instance is a constraint model in FlatZinc.
    #[must_use]
    pub fn is_flatzinc(&self) -> bool {
        self.is_model() && Syntax::of_name(&self.name) == Some(Syntax::FlatZinc)
    }

    /// Returns the direction of the objective, if the instance is a constraint model with an objective.
    #[must_use]
    pub fn objective(&self) -> Option<Sense> {
        self.puzzle_type.objectives.first().filter(|_| self.is_model()).map(|row| row.sense)
    }
}

/// Returns the number of cells if the board is drawn as a rectangle of tokens.
fn cells(puzzle: &dyn Puzzle) -> Option<u64> {
    let drawn = puzzle.draw(None).text(false);
    let mut rows = drawn.lines().map(|line| line.split_whitespace().count());
    let first = rows.next()?;
    let equal = rows.clone().count() > 0 && rows.all(|row| row == first);
    equal.then(|| (first * drawn.lines().count()) as u64)
}

/// Returns the 128-bit FNV-1a hash (Fowler, Noll, Vo) of a text as 32 hexadecimal digits.
///
/// The hash is not cryptographic: an attacker could construct different boards with the same hash.
#[must_use]
pub fn digest(text: &str) -> String {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let hash = text.bytes().fold(BASIS, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME));
    format!("{hash:032x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_fnv() {
        // The test vectors are from draft-eastlake-fnv.
        assert_eq!(digest(""), "6c62272e07bb014262b821756295c58d");
        assert_eq!(digest("a"), "d228cb696f1a8caf78912b704e4a8964");
        assert_eq!(digest("foobar"), "343e1662793c64bf6f0d3597ba446f18");
    }
}
