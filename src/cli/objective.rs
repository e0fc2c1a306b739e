//! `--objective`: what makes a solution the best one.

use super::report::Failure;
use crate::nearest::did_you_mean;
use crate::puzzle::{ObjectiveRow, PuzzleType};

/// The value of `--objective` for any solution.
pub(super) const NO_OBJECTIVE: &str = "none";

/// The objective with this name; without a name, the one that the puzzle type optimises by default.
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
