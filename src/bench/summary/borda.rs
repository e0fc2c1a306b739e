//! The scores of the MiniZinc Challenge, which are based on the Borda count.
//!
//! [The rules of 2025](https://www.minizinc.org/challenge/2025/rules/), section "Complete Scoring Procedure".

use gordian_encodings::{Sense, Value};

use super::super::agreement::integer;
use super::super::record::{RunRecord, SolutionTime};
use super::anytime::sense;
use super::{Group, Measure, mean};
use crate::puzzle::Query;

/// What the rules compare of a run.
#[derive(Debug, Clone, Copy)]
struct ChallengeResult {
    /// True if the run has found a solution or proven that there is none.
    solved: bool,
    /// True if the run has proven that its solution is optimal.
    optimal: bool,
    /// The direction of the objective, and the value of the last solution before the time limit.
    quality: Option<(Sense, Value)>,
    /// The time used, at most the time limit, in whole seconds.
    seconds: f64,
}

impl ChallengeResult {
    fn new(record: &RunRecord, measure: Measure) -> Self {
        let used = record.ms.get(measure.name()).copied().unwrap_or_default();
        let last = if record.solutions.is_empty() {
            record.objective.as_ref()
        } else {
            let [wall, cpu] = [Measure::Wall, Measure::Cpu].map(|measure| measure.limit(record));
            let in_time = |solution: &&SolutionTime| solution.wall <= wall && solution.cpu <= cpu;
            record.solutions.iter().rfind(in_time).map(|solution| &solution.objective)
        };
        let quality = sense(record).zip(last.and_then(integer));
        Self {
            solved: record.answered() || quality.is_some(),
            optimal: record.answered() && record.status.as_deref() == Some("optimal"),
            quality,
            seconds: (used.min(measure.limit(record)) / 1e3).floor(),
        }
    }

    fn is_better_than(&self, other: &Self) -> bool {
        let better_value = match (self.quality, other.quality) {
            (Some((sense, value)), Some((_, other))) => sense.is_better(value, other),
            _ => false,
        };
        (self.solved && !other.solved) || (self.optimal && !other.optimal) || better_value
    }

    /// Returns the points, from 0 to 1, that the run scores against the run of another configuration.
    fn points_against(&self, other: &Self) -> f64 {
        if !self.solved || other.is_better_than(self) {
            0.0
        } else if self.is_better_than(other) {
            1.0
        } else if self.seconds + other.seconds > 0.0 {
            other.seconds / (self.seconds + other.seconds)
        } else {
            0.5
        }
    }
}

impl Group<'_> {
    /// Returns the score of a configuration in the MiniZinc Challenge: the sum, over the boards and over the other
    /// configurations that were run on the board, of the points against the other configuration. With several seeds,
    /// the points are averaged over all pairs of runs.
    ///
    /// Returns `None` if there is no other configuration, or if the query is neither `satisfy` nor `optimise`.
    #[must_use]
    pub fn borda(&self, configuration: usize) -> Option<f64> {
        let query = &self.configurations[configuration].settings.query;
        if self.configurations.len() < 2 || !matches!(query, Query::Satisfy | Query::Optimise(_)) {
            return None;
        }
        let result = |record: &&RunRecord| ChallengeResult::new(record, self.measure);
        let on_board = |board: usize| -> f64 {
            let own: Vec<_> = self.runs[configuration][board].iter().map(result).collect();
            let others = self.runs.iter().enumerate().filter(|&(other, _)| other != configuration);
            let others = others.map(|(_, of_boards)| &of_boards[board]).filter(|runs| !runs.is_empty());
            others
                .map(|runs| {
                    let other: Vec<_> = runs.iter().map(result).collect();
                    mean(own.iter().flat_map(|own| other.iter().map(|other| own.points_against(other))))
                })
                .sum()
        };
        Some((0..self.boards.len()).map(on_board).sum())
    }
}
