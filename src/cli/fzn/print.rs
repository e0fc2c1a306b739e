//! The output of a FlatZinc solver: solutions, final status, and statistics.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use gordian_encodings::{Fallback, Value};
use gordian_flatzinc::instance::VarDomain;
use gordian_flatzinc::output;

use crate::flatzinc::Flat;
use crate::process::{self, cleanup};
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

/// The output so far, shared by the search and by the thread that ends the process.
#[derive(Debug, Clone)]
pub(super) struct Printed {
    state: Arc<Mutex<State>>,
    statistics: bool,
    start: Instant,
}

#[derive(Debug, Default)]
struct State {
    /// The best solution so far, which is printed at the end.
    best: Option<String>,
    /// The number of printed solutions.
    solutions: usize,
    /// True if the final status has been printed.
    ended: bool,
}

impl Printed {
    pub(super) fn new(statistics: bool, start: Instant) -> Self {
        Self { state: Arc::default(), statistics, start }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
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
        self.state().solution(text)
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
        let mut state = self.state();
        if std::mem::replace(&mut state.ended, true) {
            return Ok(());
        }
        if let Some(best) = state.best.take() {
            state.solution(&best)?;
        }
        let mut out = io::stdout().lock();
        match (ending, state.solutions) {
            (Ending::Complete, 0) => {
                if !core.is_empty() {
                    writeln!(out, "%%%mzn-core: [{}]", core.join(", "))?;
                }
                writeln!(out, "=====UNSATISFIABLE=====")?;
            }
            (Ending::Complete, _) => writeln!(out, "==========")?,
            (Ending::Stopped, 0) => writeln!(out, "=====UNKNOWN=====")?,
            (Ending::Unbounded, _) => writeln!(out, "=====UNBOUNDED=====")?,
            (Ending::Stopped | Ending::Enough, _) => {}
        }
        if self.statistics {
            let solutions = ("nSolutions", state.solutions.to_string());
            let time = ("time", seconds(self.elapsed()));
            let memory = process::peak().map(|bytes| ("peakMem", format!("{:.2}", bytes as f64 / 1e6)));
            for (key, value) in [solutions].iter().chain(statistics).chain([&time]).chain(&memory) {
                writeln!(out, "%%%mzn-stat: {key}={value}")?;
            }
            writeln!(out, "%%%mzn-stat-end")?;
        }
        out.flush()
    }

    /// Starts a thread that ends the process if the search does not end soon after `cancel` is set or `deadline` has
    /// passed. The thread is needed because `MiniZinc` kills a solver one second after asking it to stop.
    pub(super) fn end_late(&self, cancel: Option<Arc<AtomicBool>>, deadline: Option<Instant>) {
        const POLL: Duration = Duration::from_millis(20);
        const PATIENCE: Duration = Duration::from_millis(500);
        let printed = self.clone();
        let is_over = move || {
            deadline.is_some_and(|deadline| Instant::now() >= deadline)
                || cancel.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
        };
        // If the thread can't be started, a search that does not stop in time prints its best solution when it ends.
        let _ = thread::Builder::new().spawn(move || {
            while !is_over() {
                thread::sleep(POLL);
            }
            thread::sleep(PATIENCE);
            let ended = printed.state().ended;
            // If standard output is closed, no final status can be printed.
            let _ = printed.end(Ending::Stopped, &[], &[]);
            if !ended {
                cleanup::clean_up();
                std::process::exit(0);
            }
        });
    }
}

impl State {
    fn solution(&mut self, text: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        write!(out, "{text}")?;
        out.flush()?;
        self.solutions += 1;
        self.best = None;
        Ok(())
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
    pub(super) printed: &'a Printed,
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
