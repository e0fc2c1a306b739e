//! Argument values that shells complete. They are only suggestions: wrong values are reported elsewhere, with better
//! messages than clap's.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};
use gordian_encodings::registry::choosable;

use super::objective::NO_OBJECTIVE;
use crate::backend::SOLVERS;
use crate::backend::external::PROGRAMS;
use crate::export::FORMATS;
use crate::make::generators;
use crate::puzzle::{self, PUZZLES};
use crate::search::STRATEGIES;

/// A parser that accepts any word, and offers words for shell completion.
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

/// Returns the names of the puzzle types.
pub(super) fn puzzle_types() -> Vec<String> {
    puzzle::listed().map(|entry| entry.name().to_owned()).collect()
}

/// Returns the puzzle types that `gordian make` supports.
pub(super) fn made_types() -> Vec<String> {
    generators().map(|generator| generator.puzzle_type.name.to_owned()).collect()
}

/// Returns the options of all puzzle types as `name=value`.
pub(super) fn options() -> Vec<String> {
    let rows = PUZZLES.iter().flat_map(|puzzle| puzzle.options);
    rows.flat_map(|row| row.values.iter().map(|value| format!("{}={value}", row.name))).collect()
}

/// Returns the objectives of all puzzle types.
pub(super) fn objectives() -> Vec<String> {
    let rows = PUZZLES.iter().flat_map(|puzzle| puzzle.objectives);
    rows.map(|row| row.name).chain([NO_OBJECTIVE]).map(str::to_owned).collect()
}

/// Returns the names of the solvers.
pub(super) fn solvers() -> Vec<String> {
    let names = SOLVERS.iter().map(|solver| &*solver.name);
    names.chain(PROGRAMS.iter().map(|program| program.name)).map(str::to_owned).collect()
}

/// Returns the choices of encodings as `constraint=encoding`.
pub(super) fn encodings() -> Vec<String> {
    let mut choices = Vec::new();
    for constraint in choosable() {
        for encoding in (constraint.encodings)() {
            choices.push(format!("{}={}", constraint.name, encoding.name));
        }
    }
    choices
}

/// Returns the names of the strategies.
pub(super) fn strategies() -> Vec<String> {
    STRATEGIES.iter().map(|strategy| strategy.name.to_owned()).collect()
}

/// Returns the names of the formula formats.
pub(super) fn formats() -> Vec<String> {
    FORMATS.iter().map(|format| format.name.to_owned()).collect()
}
