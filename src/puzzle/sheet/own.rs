//! The puzzle types of the users' own rule sheets. They are in no table: who reads a board passes the puzzle type on.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use super::{input_error, puzzle_type};
use crate::format::{InputError, Source};
use crate::puzzle::PuzzleType;
use crate::rules::sheet::Sheet;

/// The puzzle type of each text that has been read as a sheet.
static USED: LazyLock<Mutex<HashMap<String, &'static PuzzleType>>> = LazyLock::new(Mutex::default);

/// The maximum number of different sheets in one run of a program.
const MOST: usize = 5000;

/// Returns the puzzle type that a sheet states. Its description lives as long as the program, so the same text has the
/// same puzzle type, and the number of different texts is limited.
///
/// # Errors
/// Returns an error if the text is not a sheet, or if 5,000 others have been used.
pub fn of_text(source: &Source) -> Result<&'static PuzzleType, InputError> {
    let mut used = USED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = used.get(source.text()) {
        return Ok(known);
    }
    let stated = Sheet::parse(source.text()).and_then(|sheet| puzzle_type(sheet, ""));
    let stated = stated.map_err(|error| input_error(source, &error))?;
    if used.len() >= MOST {
        let expected = format!("at most {MOST} different sheets in one run");
        return Err(InputError::new(source, source.start(), expected, "one more"));
    }
    let stated: &'static PuzzleType = Box::leak(Box::new(stated));
    used.insert(source.text().to_owned(), stated);
    Ok(stated)
}
