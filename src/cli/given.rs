//! The option `--given`, which adds facts about the solution to a board.

use clap::Args;

use super::report::{Failure, unbounded};
use crate::format::{InputError, Source, Spanned};
use crate::puzzle::{Given, Puzzle};

/// The given values.
#[derive(Debug, Args)]
pub(super) struct GivenArgs {
    /// Require a value in addition to the board: a fact such as `r3c4=sea`, a value as printed by `gordian backbone`,
    /// such as `r3c4=2`, or a value of an output variable, such as `x=2`. The cell `r3c4` may also be written `3,4` or,
    /// as in spreadsheets, `d3` [repeatable]
    #[arg(long, value_name = "FACT")]
    given: Vec<String>,
}

impl GivenArgs {
    /// Adds the given values to a board.
    pub(super) fn add_to(&self, puzzle: Box<dyn Puzzle>) -> Result<Box<dyn Puzzle>, Failure> {
        if self.given.is_empty() {
            return Ok(puzzle);
        }
        if let names @ [_, ..] = &puzzle.unbounded()[..] {
            return Err(Failure::Usage(format!("--given: {}", unbounded(names))));
        }
        let given = Given::new(puzzle, &self.given).map_err(|error| {
            let source = Source::word("--given", error.text.clone());
            InputError::at(&source, &Spanned::new(error.text, source.all()), error.expected)
        })?;
        Ok(Box::new(given))
    }
}
