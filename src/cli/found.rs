//! The result of a query so far, which is printed if a limit ends the process.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use num_bigint::BigUint;

use super::json::{Json, to_line};
use super::look::{Look, Shown};
use super::outcome::{Printer, ProgressReports};
use super::watch::{SoFar, Watch};
use crate::puzzle::{ObjectiveRow, Puzzle};
use crate::query::{Improvement, Outcome};
use crate::rules::{Field, Solution};
use crate::search::{Gap, trivial_bound};

/// The outcome of a query if a limit ends it now. Clones share the outcome.
#[derive(Clone, Default)]
pub(super) struct Found(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    watch: Option<Watch>,
    /// The board, or `None` until it has been read.
    puzzle: Option<Arc<dyn Puzzle>>,
    outcome: Outcome,
}

impl Found {
    /// Creates the outcome of a query. `counts` is true if the query counts solutions.
    pub(super) fn new(counts: bool) -> Self {
        let found = Self::default();
        found.state().outcome.count = counts.then(BigUint::default);
        found
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A poisoned lock is ignored, because no code panics while the state is inconsistent.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores the board.
    pub(super) fn board(&self, puzzle: &Arc<dyn Puzzle>) {
        self.state().puzzle = Some(Arc::clone(puzzle));
    }

    /// From now on, `watch` prints the outcome if a limit ends the process.
    pub(super) fn keep(&self, watch: &Watch, source: &str, json: bool, look: Look) {
        let (found, source) = (self.clone(), source.to_owned());
        watch.keep(move || found.so_far(&source, json, look));
        self.state().watch = Some(watch.clone());
    }

    /// Stores the number of solutions as soon as the next message has been printed, which contains the last solution.
    pub(super) fn printing(&self, number: usize) {
        let watch = self.state().watch.clone();
        match watch {
            Some(watch) => {
                let found = self.clone();
                watch.once_printed(move || found.count(number));
            }
            None => self.count(number),
        }
    }

    /// Stores the number of solutions found.
    pub(super) fn count(&self, count: impl Into<BigUint>) {
        self.state().outcome.count = Some(count.into());
    }

    /// Returns the number of solutions found.
    pub(super) fn counted(&self) -> BigUint {
        self.state().outcome.count.clone().unwrap_or_default()
    }

    /// Stores a solution.
    pub(super) fn solution(&self, solution: &Solution) {
        self.state().outcome.solution = Some(solution.clone());
    }

    /// Stores a better solution.
    pub(super) fn better(&self, improvement: Improvement<'_>) {
        let Improvement { objective: row, solution, value, .. } = improvement;
        let outcome = &mut self.state().outcome;
        let bound = outcome.objective.map_or_else(|| trivial_bound(row.sense), |(.., bound)| bound);
        outcome.solution = Some(solution.clone());
        outcome.objective = Some((row, value, bound));
    }

    /// Stores the bound on the objective, if a solution is known.
    pub(super) fn gap(&self, row: &'static ObjectiveRow, gap: Gap) {
        if let Some((of, _, bound)) = &mut self.state().outcome.objective
            && *of == row
        {
            *bound = gap.bound;
        }
    }

    /// Returns the output if a limit ends the query now. `source` is the name of the board.
    pub(super) fn so_far(&self, source: &str, json: bool, look: Look) -> SoFar {
        let state = self.state();
        let Some(puzzle) = &state.puzzle else {
            let count = state.outcome.count.clone();
            return SoFar::out(match (json, count) {
                (true, count) => {
                    let count = count.map(Field::from);
                    to_line(&Json { source, status: "stopped", count, ..Json::default() })
                }
                (false, Some(count)) => format!("at least {count}\n"),
                (false, None) => "stopped before a solution was found\n".to_owned(),
            });
        };
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut printer = Printer {
            source,
            json,
            among_others: false,
            progress: ProgressReports::Never,
            shown: Shown::of(look, None, source, None),
            found: Self::default(),
            out: &mut out,
            err: &mut err,
        };
        // Writing to memory never fails.
        let _ = printer.outcome(&**puzzle, &state.outcome);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        SoFar { err: text(&err), ..SoFar::out(text(&out)) }
    }
}
