//! The output of a FlatZinc solver: solutions, final status, and statistics.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use gordian_encodings::{Fallback, Value};
use gordian_flatzinc::instance::VarDomain;
use gordian_flatzinc::output;

use crate::cli::exit::ExitStatus;
use crate::cli::watch::{SoFar, Watch};
use crate::flatzinc::Flat;
use crate::process;
use crate::puzzle::{ObjectiveRow, Puzzle, Query};
use crate::query::{Improvement, Observer, Outcome, Status};
use crate::rules::Solution;
use crate::search::Gap;

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// The search is complete: there is no further solution, or no better solution.
    Complete,
    /// The requested number of solutions was found.
    Enough,
    /// A limit stopped the search.
    Stopped,
    /// The objective is unbounded: any solution can be improved.
    Unbounded,
}

impl Ending {
    pub(super) fn of(query: Query, outcome: &Outcome) -> Self {
        match (query, outcome.status) {
            (_, Status::Stopped) => Self::Stopped,
            (Query::Satisfy, Status::Solved) => Self::Enough,
            (Query::Enumerate { limit: Some(limit) }, Status::Solved)
                if outcome.count == Some(limit.into()) =>
            {
                Self::Enough
            }
            _ => Self::Complete,
        }
    }
}

/// The output so far.
pub(super) struct Printed<'w> {
    state: Arc<Mutex<State>>,
    watch: &'w Watch,
    start: Instant,
}

#[derive(Debug, Default)]
struct State {
    /// The best solution so far, which is printed at the end.
    best: Option<String>,
    /// The number of solutions that have been printed.
    solutions: usize,
    /// True if statistics are printed.
    statistics: bool,
}

/// The text for a search that a limit stopped before it found a solution.
pub(super) const UNKNOWN: &str = "=====UNKNOWN=====\n";

impl<'w> Printed<'w> {
    /// Creates an output without solutions. `watch` prints it if a limit ends the process.
    pub(super) fn new(statistics: bool, start: Instant, watch: &'w Watch) -> Self {
        let state = Arc::new(Mutex::new(State { statistics, ..State::default() }));
        let kept = Arc::clone(&state);
        watch.keep(move || {
            let text = locked(&kept).ending(Ending::Stopped, &[], &[], start);
            SoFar { status: ExitStatus::Answered, ..SoFar::out(text) }
        });
        Self { state, watch, start }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        locked(&self.state)
    }

    /// Returns the time since the start of the program.
    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Returns whether a solution was printed or will be printed at the end.
    pub(super) fn has_solution(&self) -> bool {
        let state = self.state();
        state.solutions > 0 || state.best.is_some()
    }

    /// Prints a solution immediately.
    pub(super) fn solution(&self, text: &str) -> io::Result<()> {
        // If a limit ends the process now, the solution has not been counted yet, so it is printed as the best one.
        self.state().best = Some(text.to_owned());
        let state = Arc::clone(&self.state);
        self.watch.once_printed(move || {
            let mut state = locked(&state);
            state.best = None;
            state.solutions += 1;
        });
        let mut out = self.watch.plain();
        out.write_all(text.as_bytes())?;
        out.flush()
    }

    /// Stores a solution, which is better than all earlier solutions, to be printed at the end.
    pub(super) fn keep(&self, text: String) {
        self.state().best = Some(text);
    }

    /// Prints the stored solution, the final status, an unsatisfiable core of assumptions, and statistics.
    pub(super) fn end(
        &self,
        ending: Ending,
        core: &[String],
        statistics: &[(&str, String)],
    ) -> io::Result<()> {
        let mut out = self.watch.plain();
        self.watch.result(|| {
            out.write_all(self.state().ending(ending, core, statistics, self.start).as_bytes())?;
            out.flush()
        })
    }
}

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    /// Returns the rest of the output.
    fn ending(
        &mut self,
        ending: Ending,
        core: &[String],
        statistics: &[(&str, String)],
        start: Instant,
    ) -> String {
        let mut text = String::new();
        if let Some(best) = self.best.take() {
            text += &best;
            self.solutions += 1;
        }
        match (ending, self.solutions) {
            (Ending::Complete, 0) => {
                if !core.is_empty() {
                    text.extend(["%%%mzn-core: [", &core.join(", "), "]\n"]);
                }
                text += "=====UNSATISFIABLE=====\n";
            }
            (Ending::Complete, _) => text += "==========\n",
            (Ending::Stopped, 0) => text += UNKNOWN,
            (Ending::Unbounded, _) => text += "=====UNBOUNDED=====\n",
            (Ending::Stopped | Ending::Enough, _) => {}
        }
        if self.statistics {
            let solutions = ("nSolutions", self.solutions.to_string());
            let time = ("time", seconds(start.elapsed()));
            let memory = process::peak().map(|bytes| ("peakMem", format!("{:.2}", bytes as f64 / 1e6)));
            for (key, value) in [solutions].iter().chain(statistics).chain([&time]).chain(&memory) {
                text.extend(["%%%mzn-stat: ", key, "=", value, "\n"]);
            }
            text += "%%%mzn-stat-end\n";
        }
        text
    }
}

/// Returns a solution as text, with the separator line that ends it.
pub(super) fn text(flat: &Flat, solution: &Solution) -> String {
    let values = solution.witness().unwrap_or_default();
    let mut text = Vec::new();
    // Writing to memory never fails.
    let _ = output::write_solution(&mut text, flat.instance(), |variable| {
        values.get(variable.0 as usize).copied().unwrap_or_default()
    });
    String::from_utf8_lossy(&text).into_owned()
}

/// Prints the solutions of a search as they are found.
pub(super) struct Progress<'a> {
    pub(super) printed: &'a Printed<'a>,
    pub(super) flat: &'a Flat,
    /// True if each improvement of the objective is printed.
    pub(super) intermediate: bool,
    /// True if the best solution is printed at the end.
    pub(super) keep: bool,
    /// True if the progress is reported on standard error.
    pub(super) verbose: bool,
    /// The last improvement that was printed.
    pub(super) last: Option<Solution>,
}

impl Observer for Progress<'_> {
    fn fallback(&mut self, fallback: Fallback) {
        if self.verbose {
            eprintln!("% {fallback}");
        }
    }

    fn gap(&mut self, _: &dyn Puzzle, row: &'static ObjectiveRow, gap: Gap) -> io::Result<()> {
        if self.verbose {
            let best = gap.best.map_or_else(|| "none".to_owned(), |best| best.to_string());
            eprintln!("% {}: {best}, bound {}", row.name, gap.bound);
        }
        Ok(())
    }

    fn wants_better(&self) -> bool {
        self.intermediate || self.keep
    }

    fn better(&mut self, Improvement { solution, .. }: Improvement<'_>) -> io::Result<()> {
        let text = text(self.flat, solution);
        if self.intermediate {
            self.last = Some(solution.clone());
            return self.printed.solution(&text);
        }
        self.printed.keep(text);
        Ok(())
    }

    fn solution(&mut self, _: &dyn Puzzle, solution: &Solution, _: usize, _: Option<u128>) -> io::Result<()> {
        // The last improvement is itself optimal, so the enumeration finds it again. It is not printed twice.
        if self.last.as_ref() == Some(solution) {
            return Ok(());
        }
        self.printed.solution(&text(self.flat, solution))
    }
}

/// Returns the statistics of a search that started at time `began`. `initialisation` is the time it took to read the
/// instance.
pub(super) fn statistics(
    flat: &Flat,
    outcome: &Outcome,
    initialisation: Duration,
    began: Instant,
) -> Vec<(&'static str, String)> {
    let mut statistics = Vec::new();
    if let Some((_, value, bound)) = outcome.objective {
        statistics.push(("objective", value.to_string()));
        if ![Value::MIN, Value::MAX].contains(&bound) {
            statistics.push(("objectiveBound", bound.to_string()));
        }
    }
    let counts = &outcome.statistics;
    for (key, count) in [
        ("failures", counts.conflicts),
        ("nodes", counts.decisions),
        ("propagations", counts.propagations),
        ("restarts", counts.restarts),
        // The solver learns one clause from each conflict.
        ("nogoods", counts.conflicts),
    ] {
        statistics.extend(count.map(|count| (key, count.to_string())));
    }
    let variables = &flat.instance().variables;
    let booleans = variables.iter().filter(|variable| variable.domain == VarDomain::Bool).count();
    let total = outcome.sizes.total();
    statistics.extend([
        ("boolVariables", booleans.to_string()),
        ("intVariables", (variables.len() - booleans).to_string()),
        ("variables", total.variables.to_string()),
        ("clauses", total.clauses.to_string()),
        ("literals", total.literals.to_string()),
        ("initTime", seconds(initialisation)),
        ("encodeTime", seconds(outcome.times.model + outcome.times.encode)),
        ("solveTime", seconds(began.elapsed())),
    ]);
    let encodings = outcome
        .encodings
        .iter()
        .map(|(constraint, encoding, count)| format!("{constraint}={encoding}:{count}"));
    statistics.push(("encodings", format!("{:?}", encodings.collect::<Vec<_>>().join(" "))));
    statistics
}

fn seconds(time: Duration) -> String {
    format!("{:.6}", time.as_secs_f64())
}
