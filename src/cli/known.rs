//! Words that are known: shells complete them, and what is wrong gets its error elsewhere.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};
use gordian_encodings::MEANINGS;

use super::input::NO_OBJECTIVE;
use crate::backend::SOLVERS;
use crate::backend::external::PROGRAMS;
use crate::export::FORMATS;
use crate::puzzle::PUZZLES;
use crate::search::STRATEGIES;

/// Takes any word; the known ones are offered.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known(pub(super) fn() -> Vec<String>);

impl TypedValueParser for Known {
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

/// Kinds of puzzles.
pub(super) fn kinds() -> Vec<String> {
    PUZZLES.iter().map(|kind| kind.name.to_owned()).collect()
}

/// Options of any kind, `name=value`.
pub(super) fn options() -> Vec<String> {
    let rows = PUZZLES.iter().flat_map(|kind| kind.options);
    rows.flat_map(|row| row.values.iter().map(|value| format!("{}={value}", row.name))).collect()
}

/// Objectives of any kind.
pub(super) fn objectives() -> Vec<String> {
    let rows = PUZZLES.iter().flat_map(|kind| kind.objectives);
    rows.map(|row| row.name).chain([NO_OBJECTIVE]).map(str::to_owned).collect()
}

/// Solvers.
pub(super) fn solvers() -> Vec<String> {
    let names = SOLVERS.iter().map(|solver| solver.name);
    names.chain(PROGRAMS.iter().map(|program| program.name)).map(str::to_owned).collect()
}

/// Choices of an encoding, `meaning=encoding`.
pub(super) fn encodings() -> Vec<String> {
    let mut choices = Vec::new();
    for meaning in MEANINGS {
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
