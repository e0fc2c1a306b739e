//! Values of arguments that shells complete. A wrong value is refused where it is used, with a better error than clap's.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};
use gordian_encodings::registry::choosable;

use super::objective::NO_OBJECTIVE;
use crate::backend::SOLVERS;
use crate::backend::external::PROGRAMS;
use crate::export::FORMATS;
use crate::puzzle::PUZZLES;
use crate::search::STRATEGIES;

/// Accepts any word, and suggests these to shell completion.
#[derive(Debug, Clone, Copy)]
pub(super) struct Suggested(pub(super) fn() -> Vec<String>);

impl TypedValueParser for Suggested {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Self::Value, Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let mut words = (self.0)();
        words.sort_unstable();
        words.dedup();
        Some(Box::new(words.into_iter().map(PossibleValue::new)))
    }
}

/// Puzzle types.
pub(super) fn puzzle_types() -> Vec<String> {
    PUZZLES.iter().map(|puzzle| puzzle.name.to_owned()).collect()
}

/// Options of all puzzle types, `name=value`.
pub(super) fn options() -> Vec<String> {
    let rows = PUZZLES.iter().flat_map(|puzzle| puzzle.options);
    rows.flat_map(|row| row.values.iter().map(|value| format!("{}={value}", row.name))).collect()
}

/// Objectives of all puzzle types.
pub(super) fn objectives() -> Vec<String> {
    let rows = PUZZLES.iter().flat_map(|puzzle| puzzle.objectives);
    rows.map(|row| row.name).chain([NO_OBJECTIVE]).map(str::to_owned).collect()
}

/// Solvers.
pub(super) fn solvers() -> Vec<String> {
    let names = SOLVERS.iter().map(|solver| &*solver.name);
    names.chain(PROGRAMS.iter().map(|program| program.name)).map(str::to_owned).collect()
}

/// Choices of an encoding, `constraint=encoding`.
pub(super) fn encodings() -> Vec<String> {
    let mut choices = Vec::new();
    for meaning in choosable() {
        for encoding in (meaning.encodings)() {
            choices.push(format!("{}={}", meaning.name, encoding.name));
        }
    }
    choices
}

/// Strategies.
pub(super) fn strategies() -> Vec<String> {
    STRATEGIES.iter().map(|strategy| strategy.name.to_owned()).collect()
}

/// Formats of formulas.
pub(super) fn formats() -> Vec<String> {
    FORMATS.iter().map(|format| format.name.to_owned()).collect()
}
