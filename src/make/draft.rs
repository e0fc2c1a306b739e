//! The search for a draft whose board has exactly one solution.

use gordian_counting::Random;

use super::{MakeError, Maker};
use crate::backend::Verdict;
use crate::puzzle::{Puzzle, Query};
use crate::rules::{Field, Grid, Solution, Violation};

/// A board together with one of its solutions.
pub(super) trait Draft: Clone {
    /// Returns a random draft with the given numbers of rows and columns, or `None` if the random choices do not lead
    /// to a draft. `number` is the number of earlier drafts.
    fn start(
        maker: &Maker<'_>,
        size: (usize, usize),
        number: usize,
        random: &mut Random,
    ) -> Result<Option<Self>, MakeError>;

    /// Returns the first line of the board in the native text format, which starts with the name of the puzzle type.
    fn header(&self, name: &str) -> String {
        name.to_owned()
    }

    /// Returns the lines of the board in the native text format, without the first line.
    fn body(&self) -> String;

    /// Returns the solution.
    fn solution(&self) -> Solution;

    /// Returns the draft with a random change at `cell`, or `None` if that change is not possible.
    fn changed(&self, maker: &Maker<'_>, cell: usize, random: &mut Random)
    -> Result<Option<Self>, MakeError>;

    /// Simplifies a draft whose board has one solution, for example by removing superfluous clues. The board still has
    /// one solution. The returned flag is true if a limit was reached. In this case, superfluous clues may remain.
    fn finished(self, maker: &Maker<'_>, random: &mut Random) -> Result<(Self, bool), MakeError>;
}

/// The cells in which the solutions of a board differ.
pub(super) enum Found {
    /// All cells in which the solutions differ. The list is empty if the board has only one solution.
    Cells(Vec<usize>),
    /// There are too many such cells.
    TooMany,
    /// A limit of the generator or the conflict limit was reached.
    Stopped,
}

/// The result of a step of the generator, such as [`search`].
pub(super) enum Search<T> {
    /// The result that the step searches for, such as a draft whose board has exactly one solution.
    Found(T),
    /// The draft is discarded because the search got stuck.
    Failed,
    /// The draft is discarded because a check exceeded the conflict limit.
    Exceeded,
    /// A limit of the generator was reached.
    Stopped,
}

/// The search abandons a draft after this many changes without an improvement. The value is not critical: nurikabe and
/// rooks boards with 10x10 cells take the same time with 50 changes.
const PATIENCE: usize = 200;

/// Changes a draft until its board has exactly one solution. Calls `improved` for the first draft and for each better
/// draft. The arguments are the draft, and the number of cells in which the solutions of its board differ.
pub(super) fn search<D: Draft>(
    maker: &Maker<'_>,
    mut draft: D,
    random: &mut Random,
    improved: &mut dyn FnMut(&D, usize),
) -> Result<Search<D>, MakeError> {
    let Found::Cells(mut cells) = differing_cells(maker, &*maker.board(&draft)?, usize::MAX)? else {
        return Ok(maker.limit_reached());
    };
    improved(&draft, cells.len());
    let mut failures = 0;
    let mut exceeded = false;
    while !cells.is_empty() {
        if failures == PATIENCE {
            return Ok(if exceeded { Search::Exceeded } else { Search::Failed });
        }
        failures += 1;
        let cell = cells[random.index(cells.len())];
        let Some(next) = draft.changed(maker, cell, random)? else {
            if maker.stopped() {
                return Ok(Search::Stopped);
            }
            continue;
        };
        match differing_cells(maker, &*maker.board(&next)?, cells.len())? {
            Found::Stopped if maker.stopped() => return Ok(Search::Stopped),
            Found::Stopped => exceeded = true,
            Found::TooMany => {}
            Found::Cells(found) => {
                let better = found.len() < cells.len();
                (draft, cells) = (next, found);
                if better {
                    failures = 0;
                    improved(&draft, cells.len());
                }
            }
        }
    }
    Ok(Search::Found(draft))
}

/// Returns whether the board has exactly one solution, or `None` if a limit was reached.
pub(super) fn is_unique(maker: &Maker<'_>, draft: &impl Draft) -> Result<Option<bool>, MakeError> {
    Ok(match differing_cells(maker, &*maker.board(draft)?, 0)? {
        Found::Cells(_) => Some(true),
        Found::TooMany => Some(false),
        Found::Stopped => None,
    })
}

/// Finds the cells in which the solutions of a board differ, unless there are more than `most`. The board must have a
/// solution.
///
/// Each solver call requires a new value for at least one of the literals that had the same value in all solutions so
/// far. The solver tries the new values first, so that each solution has many of them.
pub(super) fn differing_cells(
    maker: &Maker<'_>,
    board: &dyn Puzzle,
    most: usize,
) -> Result<Found, MakeError> {
    let Some(formulation) = maker.limits.within(|| board.formulate(&Query::Enumerate { limit: None })) else {
        return Ok(Found::Stopped);
    };
    let mut session = maker.config.session(&formulation.model, maker.limits.clone())?;
    match session.satisfy(&[])? {
        Verdict::Satisfiable => {}
        Verdict::Stopped => return Ok(Found::Stopped),
        Verdict::Unsatisfiable => return Err(MakeError::Wrong(Violation::new("the board has no solution"))),
    }
    let first = session.assignment();
    let mut agreeing: Vec<_> = formulation.model.projection().to_vec();
    for lit in &mut agreeing {
        if !first.lit(*lit) {
            *lit = !*lit;
        }
    }
    let first = (formulation.decode)(&first);
    let mut differs = Vec::new();
    loop {
        let another: Vec<_> = agreeing.iter().map(|&lit| !lit).collect();
        session.add_clause(&another);
        session.prefer(another);
        match session.satisfy(&[])? {
            Verdict::Unsatisfiable => return Ok(Found::Cells(cells_of(&differs))),
            Verdict::Stopped => return Ok(Found::Stopped),
            Verdict::Satisfiable => {}
        }
        if most == 0 {
            return Ok(Found::TooMany);
        }
        let other = session.assignment();
        agreeing.retain(|&lit| other.lit(lit));
        mark_differences(&first, &(formulation.decode)(&other), &mut differs);
        if differs.iter().filter(|&&differs| differs).count() > most {
            return Ok(Found::TooMany);
        }
    }
}

fn cells_of(differs: &[bool]) -> Vec<usize> {
    (0..differs.len()).filter(|&cell| differs[cell]).collect()
}

/// Marks the cells in which the grids of two solutions differ, and the indices at which their lists differ.
fn mark_differences(first: &Solution, other: &Solution, differs: &mut Vec<bool>) {
    for (name, field) in first.fields() {
        let (one, other) = match (field, other.get(name)) {
            (Field::Grid(one), Some(Field::Grid(other))) => (one.cells(), other.cells()),
            (Field::Numbers(one), Some(Field::Numbers(other))) => (&one[..], &other[..]),
            _ => continue,
        };
        differs.resize(one.len().max(differs.len()), false);
        for cell in 0..one.len() {
            differs[cell] |= one[cell] != other[cell];
        }
    }
}

/// Formats the rows of a grid of tokens.
pub(super) fn rows<T>(grid: &Grid<T>, token: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for row in 0..grid.rows() {
        let tokens: Vec<String> = (0..grid.columns()).map(|column| token(grid.index(row, column))).collect();
        text += &tokens.join(" ");
        text.push('\n');
    }
    text
}
