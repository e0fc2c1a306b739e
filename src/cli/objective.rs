//! The command-line option `--objective`.

use super::report::Failure;
use crate::nearest::did_you_mean;
use crate::puzzle::{ObjectiveRow, PuzzleType};

/// The value of `--objective` that selects no objective.
pub(super) const NO_OBJECTIVE: &str = "none";

/// Returns the objective with the given name. If no name is given, returns the default objective of the puzzle type, if
/// any.
pub(super) fn objective(
    puzzle_type: &'static PuzzleType,
    name: Option<&str>,
) -> Result<Option<&'static ObjectiveRow>, Failure> {
    let Some(name) = name else {
        return Ok(puzzle_type.objectives.first().filter(|_| puzzle_type.optimises));
    };
    if name == NO_OBJECTIVE {
        return Ok(None);
    }
    let found = puzzle_type.objectives.iter().find(|row| row.name == name);
    found.map(Some).ok_or_else(|| {
        let names: Vec<_> = puzzle_type.objectives.iter().map(|row| row.name).chain([NO_OBJECTIVE]).collect();
        let (near, names) = (did_you_mean(name, &names), names.join(", "));
        Failure::Usage(format!("--objective {name}: `{}` has the objectives {names}{near}", puzzle_type.name))
    })
}
