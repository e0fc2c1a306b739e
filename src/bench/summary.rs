//! Statistics that compare configurations: the fastest configuration on each board, and the differences in time.
//!
//! A [`Group`] contains comparable results: the results of one query on the boards of one puzzle type. If the same
//! configurations were run on several puzzle types, there is also a group for all these types. A configuration consists
//! of the program version and all settings except the seed.
//!
//! * The *penalised* time of a run is its time, or twice the time limit if the run did not finish in time. To compute
//!   PAR2, the penalised times are averaged over the seeds of each board, and then over the boards.
//! * The time of a configuration *on a board* is the median over its seeds. For an even number of seeds, the median is
//!   the lower of the two middle values.
//! * The *virtual best* solver uses the fastest configuration on each board.

use gordian_encodings::Value;

use super::record::{Ending, RunRecord};
use super::settings::Settings;
use crate::puzzle::Query;

mod anytime;
mod borda;
mod groups;
mod growth;
mod labels;
#[cfg(test)]
mod tests;

pub use anytime::primal_gap;
use groups::family;
pub use groups::groups;
pub use growth::{Growth, Law};
use labels::labels;

/// The time to compare: wall-clock or processor time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Measure {
    /// The wall-clock time from the start of the process to its end.
    #[default]
    Wall,
    /// The processor time. Other processes on the machine affect the processor time less than the wall-clock time.
    Cpu,
}

impl Measure {
    /// Returns the name of the measure: wall or processor time.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Wall => "wall",
            Self::Cpu => "cpu",
        }
    }

    /// Returns the time of a run in milliseconds, or `None` if the run did not finish in time.
    #[must_use]
    pub fn answered(self, record: &RunRecord) -> Option<f64> {
        record.answered().then(|| record.ms.get(self.name()).copied().unwrap_or_default())
    }

    /// Returns the time of a run in milliseconds, or twice the limit if the run did not finish in time.
    #[must_use]
    pub fn penalised(self, record: &RunRecord) -> f64 {
        self.answered(record).unwrap_or(2.0 * self.limit(record))
    }

    /// Returns the time limit of a run in milliseconds. A run without a limit of the processor time has the same limit for
    /// both times.
    #[must_use]
    pub fn limit(self, record: &RunRecord) -> f64 {
        let cpu_timeout = record.settings.cpu_timeout.filter(|_| self == Self::Cpu);
        cpu_timeout.unwrap_or(record.settings.timeout) * 1e3
    }
}

/// A configuration to compare: the program version, and all settings except the seed.
#[derive(Debug, Clone, PartialEq)]
pub struct Configuration {
    /// The settings of the configuration, with seed 0.
    pub settings: Settings,
    /// The version of the program.
    pub version: String,
    /// A label that distinguishes the configuration from all others in its group.
    pub label: String,
}

/// A board in a group of results.
#[derive(Debug, Clone, PartialEq)]
pub struct BenchedBoard {
    /// The name of the board in the first of its records.
    pub name: String,
    /// The digest of the board, as in [`RunRecord::content`].
    pub content: String,
    /// The puzzle type of the board, as in [`RunRecord::puzzle`].
    pub puzzle: String,
    /// The number of cells of the board, as in [`RunRecord::cells`].
    pub cells: Option<u64>,
}

/// A group of comparable results.
#[derive(Debug)]
pub struct Group<'a> {
    /// The puzzle type, or `None` if the group combines several types.
    pub puzzle: Option<String>,
    /// The query of all runs.
    pub query: String,
    /// The configurations that were compared.
    pub configurations: Vec<Configuration>,
    /// The boards of the group.
    pub boards: Vec<BenchedBoard>,
    /// The records of the runs, indexed by configuration, board and seed.
    pub runs: Vec<Vec<Vec<&'a RunRecord>>>,
    /// The times that are compared: wall-clock or processor times.
    pub measure: Measure,
    /// The best objective value that any run has found on each board, or `None` if no run has found a solution.
    best_values: Vec<Option<Value>>,
    /// The statistics of each configuration.
    figures: Vec<Figures>,
}

/// The statistics of a configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct Figures {
    /// The number of boards on which the configuration was run.
    pub boards: usize,
    /// The number of runs of the configuration.
    pub runs: usize,
    /// The number of runs that finished in time.
    pub answered: usize,
    /// The numbers of runs that exceeded the time limit, exceeded the memory limit, and failed with an error, in this
    /// order.
    pub endings: [usize; 3],
    /// The mean penalised time over the boards in milliseconds (PAR2).
    pub par2: f64,
    /// The median time over the boards in milliseconds, or `None` if the configuration finished on fewer than half of
    /// them.
    pub median: Option<f64>,
    /// The sum of the mean run times on all boards, in milliseconds. For a run that did not finish, the time limit is
    /// used.
    pub total: f64,
    /// The number of boards on which the configuration is the fastest.
    pub best_on: usize,
    /// The median numbers of variables, clauses, conflicts and bytes of memory over all runs.
    pub sizes: [Option<u64>; 4],
    /// The growth of the time with the board size, if a function could be fitted.
    pub growth: Option<Growth>,
    /// The score of the MiniZinc Challenge, as [`Group::borda`] computes it.
    pub borda: Option<f64>,
    /// The mean primal integral in milliseconds, as [`Group::primal_integral`] computes it.
    pub primal_integral: Option<f64>,
}

/// Returns the median. For an even number of values, the median is the lower of the two middle values.
fn median<T: PartialOrd>(mut values: Vec<T>) -> Option<T> {
    values.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    let middle = values.len().checked_sub(1)? / 2;
    Some(values.swap_remove(middle))
}

fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (count, sum) = values.into_iter().fold((0.0, 0.0), |(count, sum), value| (count + 1.0, sum + value));
    if count > 0.0 { sum / count } else { 0.0 }
}

impl<'a> Group<'a> {
    fn new(puzzle: Option<String>, query: String, records: &[&'a RunRecord], measure: Measure) -> Self {
        let mut configurations: Vec<Configuration> = Vec::new();
        let mut boards: Vec<BenchedBoard> = Vec::new();
        let mut runs: Vec<Vec<Vec<&RunRecord>>> = Vec::new();
        for &record in records {
            let mut settings = record.settings.without_seed();
            if query == family(&query) && matches!(settings.query, Query::Optimise(_)) {
                // In a group of several puzzle types or models, the objectives differ, so their names are not part of the
                // configuration.
                settings.query = Query::Optimise(None);
            }
            let same = |c: &Configuration| c.settings == settings && c.version == record.version;
            let configuration = configurations.iter().position(same).unwrap_or_else(|| {
                let version = record.version.clone();
                configurations.push(Configuration { settings, version, label: String::new() });
                runs.push(Vec::new());
                configurations.len() - 1
            });
            let same =
                |board: &BenchedBoard| board.content == record.content && board.puzzle == record.puzzle;
            let board = boards.iter().position(same).unwrap_or_else(|| {
                boards.push(BenchedBoard {
                    name: record.instance.clone(),
                    content: record.content.clone(),
                    puzzle: record.puzzle.clone(),
                    cells: record.cells,
                });
                boards.len() - 1
            });
            let of_boards = &mut runs[configuration];
            of_boards.resize(of_boards.len().max(board + 1), Vec::new());
            of_boards[board].push(record);
        }
        for of_boards in &mut runs {
            of_boards.resize(boards.len(), Vec::new());
        }
        let labels = labels(&configurations);
        for (configuration, label) in configurations.iter_mut().zip(labels) {
            configuration.label = label;
        }
        let mut group = Self {
            puzzle,
            query,
            configurations,
            boards,
            runs,
            measure,
            best_values: Vec::new(),
            figures: Vec::new(),
        };
        group.best_values = (0..group.boards.len()).map(|board| group.best_value(board)).collect();
        group.figures = (0..group.configurations.len()).map(|c| group.figures_of(c)).collect();
        group
    }

    /// Returns the heading of the group in reports.
    #[must_use]
    pub fn title(&self) -> String {
        format!("{}, {}", self.puzzle.as_deref().unwrap_or("all puzzles"), self.query)
    }

    /// Returns the median penalised time of a configuration on a board, or `None` if it was not run on the board.
    #[must_use]
    pub fn penalised(&self, configuration: usize, board: usize) -> Option<f64> {
        median(self.runs[configuration][board].iter().map(|record| self.measure.penalised(record)).collect())
    }

    /// Returns the median time of a configuration on a board, or `None` if the median run did not finish in time.
    #[must_use]
    pub fn answered(&self, configuration: usize, board: usize) -> Option<f64> {
        let runs = &self.runs[configuration][board];
        let times = runs.iter().map(|record| self.measure.answered(record).unwrap_or(f64::INFINITY));
        median(times.collect()).filter(|time| time.is_finite())
    }

    /// Returns the fastest configuration on a board and its time, or `None` if no configuration finished in time.
    #[must_use]
    pub fn fastest(&self, board: usize) -> Option<(usize, f64)> {
        let times = (0..self.configurations.len()).filter_map(|c| Some((c, self.answered(c, board)?)));
        times.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Returns the longest time limit of all runs, in milliseconds.
    #[must_use]
    pub fn limit(&self) -> f64 {
        let records = self.runs.iter().flatten().flatten();
        records.map(|record| self.measure.limit(record)).fold(0.0, f64::max)
    }

    /// Returns the statistics of a configuration.
    #[must_use]
    pub fn figures(&self, configuration: usize) -> &Figures {
        &self.figures[configuration]
    }

    fn figures_of(&self, configuration: usize) -> Figures {
        let of_boards = &self.runs[configuration];
        let records: Vec<&RunRecord> = of_boards.iter().flatten().copied().collect();
        let tried: Vec<usize> =
            (0..self.boards.len()).filter(|&board| !of_boards[board].is_empty()).collect();
        let count = |ending: Ending| records.iter().filter(|record| record.ending == ending).count();
        let reported =
            |value: fn(&RunRecord) -> Option<u64>| median(records.iter().filter_map(|r| value(r)).collect());
        let times: Vec<f64> =
            tried.iter().map(|&board| self.answered(configuration, board).unwrap_or(f64::INFINITY)).collect();
        let points: Vec<(f64, f64)> = tried
            .iter()
            .filter_map(|&board| {
                Some((self.boards[board].cells? as f64, self.answered(configuration, board)?))
            })
            .collect();
        let of_board = |board: usize, time: fn(Measure, &RunRecord) -> f64| {
            mean(of_boards[board].iter().map(|record| time(self.measure, record)))
        };
        Figures {
            boards: tried.len(),
            runs: records.len(),
            answered: count(Ending::Answered),
            endings: [Ending::Time, Ending::Memory, Ending::Failed].map(count),
            par2: mean(tried.iter().map(|&board| of_board(board, Measure::penalised))),
            median: median(times).filter(|time| time.is_finite()),
            total: tried
                .iter()
                .map(|&board| of_board(board, |measure, r| measure.answered(r).unwrap_or(measure.limit(r))))
                .sum(),
            best_on: tried
                .iter()
                .filter(|&&board| self.fastest(board).is_some_and(|(fastest, _)| fastest == configuration))
                .count(),
            sizes: [
                reported(|record| record.variables),
                reported(|record| record.clauses),
                reported(|record| record.conflicts),
                reported(|record| record.memory),
            ],
            growth: Growth::fit(&points),
            borda: self.borda(configuration),
            primal_integral: self.primal_integral(configuration),
        }
    }

    /// Returns the number of boards that at least one configuration solved, and the mean penalised time of the
    /// virtual best solver.
    #[must_use]
    pub fn virtual_best(&self) -> (usize, f64) {
        let best: Vec<Option<f64>> =
            (0..self.boards.len()).map(|board| self.fastest(board).map(|(_, time)| time)).collect();
        let penalised = |(board, time): (usize, &Option<f64>)| {
            let times = (0..self.configurations.len()).filter_map(|c| self.penalised(c, board));
            time.unwrap_or_else(|| times.fold(f64::INFINITY, f64::min))
        };
        (best.iter().flatten().count(), mean(best.iter().enumerate().map(penalised)))
    }

    /// Returns the configurations, sorted by the number of boards on which they were run (highest first), and then by
    /// PAR2.
    #[must_use]
    pub fn ranking(&self) -> Vec<(usize, &Figures)> {
        let mut ranking: Vec<_> = (0..self.configurations.len()).map(|c| (c, self.figures(c))).collect();
        ranking.sort_by(|(_, a), (_, b)| b.boards.cmp(&a.boards).then(a.par2.total_cmp(&b.par2)));
        ranking
    }

    /// Returns the configuration with the default encodings, strategy and solver. Returns `None` if there is no such
    /// configuration, or more than one.
    #[must_use]
    pub fn auto(&self) -> Option<usize> {
        let open = |c: &&Configuration| c.settings.encode.is_empty() && c.settings.strategy.is_none();
        let default = |c: &&Configuration| c.settings.solver == crate::backend::SOLVERS[0].name;
        let mut candidates = self.configurations.iter().filter(open).filter(default);
        let auto = candidates.next().filter(|_| candidates.next().is_none())?;
        self.configurations.iter().position(|c| c == auto)
    }
}
