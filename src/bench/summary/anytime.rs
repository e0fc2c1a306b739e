//! Anytime performance: how fast the solutions of a run approach the best known value of the objective.
//!
//! Timo Berthold, "Measuring the impact of primal heuristics", Operations Research Letters 41(6), 2013. The optimum of
//! the paper is the best value that any run in the group has found.

use gordian_encodings::{Sense, Value};

use super::super::agreement::integer;
use super::super::record::RunRecord;
use super::{Group, Measure};
use crate::flatzinc;
use crate::puzzle::{PUZZLES, Query};

/// Returns the direction of the objective, or `None` if the run does not optimise or if this version has no such
/// objective.
pub(super) fn sense(record: &RunRecord) -> Option<Sense> {
    let Query::Optimise(Some(name)) = &record.settings.query else { return None };
    let models = [&flatzinc::MINIMISE, &flatzinc::MAXIMISE];
    let types = PUZZLES.iter().copied().chain(models).filter(|puzzle| puzzle.name == record.puzzle);
    let mut rows = types.flat_map(|puzzle| puzzle.objectives);
    rows.find(|row| row.name == name).map(|row| row.sense)
}

/// Returns the times and the values of the solutions of a run, in milliseconds. If the run reported no times, the only
/// solution is the last one, at the end of the run.
pub(super) fn solutions(record: &RunRecord, measure: Measure) -> Vec<(f64, Value)> {
    let reported = record.solutions.iter();
    let timed: Vec<(f64, Value)> = reported
        .filter_map(|solution| {
            let time = match measure {
                Measure::Wall => solution.wall,
                Measure::Cpu => solution.cpu,
            };
            Some((time, integer(&solution.objective)?))
        })
        .collect();
    if !timed.is_empty() {
        return timed;
    }
    let last = record.objective.as_ref().and_then(integer);
    let end = record.ms.get(measure.name()).copied().unwrap_or_default();
    last.map(|value| (end, value)).into_iter().collect()
}

/// Returns the primal gap of a solution: `|best - value| / max(|best|, |value|)`, 0 if both values are 0, and 1 if they
/// have opposite signs.
#[must_use]
pub fn primal_gap(value: Value, best: Value) -> f64 {
    if value == best {
        return 0.0;
    }
    if value.signum() * best.signum() < 0 {
        return 1.0;
    }
    best.abs_diff(value) as f64 / best.unsigned_abs().max(value.unsigned_abs()) as f64
}

impl Group<'_> {
    /// Returns the best value that any run has found on a board, or `None` if no run has found a solution.
    pub(super) fn best_value(&self, board: usize) -> Option<Value> {
        let runs = self.runs.iter().flat_map(|of_boards| &of_boards[board]);
        let values = runs.filter_map(|record| {
            let sense = sense(record)?;
            let values = solutions(record, self.measure).into_iter().map(|(_, value)| value);
            Some((sense, values.reduce(|a, b| if sense.is_better(b, a) { b } else { a })?))
        });
        values
            .reduce(|(sense, a), (_, b)| (sense, if sense.is_better(b, a) { b } else { a }))
            .map(|(_, best)| best)
    }

    /// Returns the mean primal gap of a configuration as a step function of time. Each pair contains a time in
    /// milliseconds, up to the longest time limit, and the gap from this time on. Before its first solution, a run has
    /// the gap 1.
    ///
    /// The mean is taken over the seeds of each board, and then over the boards on which some run has found a solution.
    /// Returns `None` if the configuration was not run on any of these boards.
    #[must_use]
    pub fn gaps(&self, configuration: usize) -> Option<Vec<(f64, f64)>> {
        let limit = self.limit();
        let of_boards = self.runs[configuration].iter().enumerate().filter(|(_, runs)| !runs.is_empty());
        let known: Vec<_> =
            of_boards.filter_map(|(board, runs)| Some((self.best_values[board]?, runs))).collect();
        let mut changes: Vec<(f64, f64)> = Vec::new();
        for &(best, runs) in &known {
            let weight = 1.0 / (known.len() * runs.len()) as f64;
            for record in runs {
                let Some(sense) = sense(record) else { continue };
                let mut gap = 1.0;
                let mut last = None;
                for (time, value) in solutions(record, self.measure) {
                    if last.is_none_or(|last| sense.is_better(value, last)) && time < limit {
                        let new = primal_gap(value, best);
                        changes.push((time, weight * (new - gap)));
                        (gap, last) = (new, Some(value));
                    }
                }
            }
        }
        changes.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut gap = 1.0;
        let steps = changes.into_iter().map(|(time, change)| {
            gap += change;
            (time, f64::max(gap, 0.0))
        });
        (!known.is_empty()).then(|| [(0.0, 1.0)].into_iter().chain(steps).collect())
    }

    /// Returns the mean primal integral of a configuration in milliseconds: the integral of [`Group::gaps`] from 0 to
    /// the longest time limit.
    #[must_use]
    pub fn primal_integral(&self, configuration: usize) -> Option<f64> {
        let steps = self.gaps(configuration)?;
        let ends = steps.iter().skip(1).map(|&(time, _)| time).chain([self.limit()]);
        Some(steps.iter().zip(ends).map(|(&(start, gap), end)| gap * (end - start)).sum())
    }

    /// Returns the number of boards on which some run has found a solution of an optimisation problem.
    #[must_use]
    pub fn boards_with_value(&self) -> usize {
        self.best_values.iter().flatten().count()
    }
}
