//! The puzzle types of the users' own rule sheets.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::event::{Problem, SHEET};
use crate::format::Source;
use crate::puzzle::{PuzzleType, sheet};

/// The puzzle types of the users' own sheets. The description of a puzzle type lives as long as the program, so the
/// sizes and the number of different sheets are limited.
#[derive(Debug, Default)]
pub(super) struct OwnSheets(Mutex<HashMap<String, &'static PuzzleType>>);

impl OwnSheets {
    /// The maximum number of bytes of a sheet.
    const LONGEST: usize = 1 << 16;
    /// The maximum number of different sheets.
    const MOST: usize = 5000;

    /// Returns the puzzle type that a sheet states.
    pub(super) fn puzzle_type(&self, text: &str) -> Result<&'static PuzzleType, Problem> {
        if text.len() > Self::LONGEST {
            return Err(Problem::new(format!("the sheet has more than {} bytes", Self::LONGEST)));
        }
        let mut sheets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = sheets.get(text) {
            return Ok(known);
        }
        if sheets.len() >= Self::MOST {
            return Err(Problem::new(format!(
                "{} sheets have been tried; start gordian web again",
                Self::MOST
            )));
        }
        let source = Source::new(SHEET, text);
        let puzzle_type = sheet::of_text(&source).map_err(|error| Problem::from(&error))?;
        let puzzle_type: &'static PuzzleType = Box::leak(Box::new(puzzle_type));
        sheets.insert(text.to_owned(), puzzle_type);
        Ok(puzzle_type)
    }
}
