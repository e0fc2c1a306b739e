//! `gordian fzn`: solves a FlatZinc instance with the command-line interface that `MiniZinc` expects.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use gordian_encodings::Value;
use gordian_flatzinc::restart::RestartSequence;

mod print;

use print::{Ending, Printed, Progress};

use super::config::{LimitArgs, bytes, encodings, from_one, whole};
use super::exit::ExitStatus;
use super::input;
use super::report::{Failure, unbounded};
use super::suggested::{self, Suggested};
use super::watch::{Limited, SoFar, Watch};
use crate::backend;
use crate::flatzinc::{self, Flat, RestartError, Restarted};
use crate::format::{Source, Syntax};
use crate::puzzle::{Puzzle, Query};
use crate::query::{self, Outcome, QueryError, Silent, Status};
use crate::read;
use crate::rules::Solution;
use crate::search::{Config, STRATEGIES, SolveError, strategy};

/// Solve a FlatZinc instance with the options, output and exit codes of MiniZinc's solvers.
///
/// Once `gordian minizinc install` has set up the solver, `minizinc --solver gordian` runs this command. Exit code 0:
/// an outcome was printed; 2: the file can't be read or is not supported.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gordian fzn model.fzn
  gordian fzn -a -s -t 10000 model.fzn")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(super) struct Fzn {
    /// The instance: a file in FlatZinc, or FlatZinc JSON if its name ends in .json, or `-` for standard input
    file: String,
    /// Print every solution; with an objective, every improvement
    #[arg(short, long = "all-solutions")]
    all: bool,
    /// Print each improvement of the objective
    #[arg(short, long)]
    intermediate: bool,
    /// Without an objective, stop after this many solutions
    #[arg(short, long, value_name = "NUMBER", value_parser = whole::<usize>)]
    num_solutions: Option<usize>,
    /// With an objective, print this many optimal solutions (also `-n-o`)
    #[arg(long, value_name = "NUMBER", value_parser = whole::<usize>)]
    num_optimal: Option<usize>,
    /// With an objective, print all optimal solutions (also `-a-o`)
    #[arg(long)]
    all_optimal: bool,
    /// Ignore the search annotations of the model
    #[arg(short, long)]
    free_search: bool,
    /// Print statistics
    #[arg(short, long)]
    statistics: bool,
    /// Report the progress on standard error
    #[arg(short, long)]
    verbose: bool,
    /// Solve with this many threads
    #[arg(short, long, value_name = "NUMBER", default_value = "1", value_parser = from_one)]
    parallel: std::num::NonZero<u32>,
    /// Random seed of the solver
    #[arg(short, long, value_name = "NUMBER", default_value_t = 0, value_parser = seed, allow_negative_numbers = true)]
    random_seed: u32,
    /// Stop after this number of milliseconds; 0 for no limit
    #[arg(short, long, value_name = "MILLISECONDS", default_value_t = 0, value_parser = whole::<u64>)]
    time_limit: u64,
    /// Stop when this process or a program that it runs uses this much memory, as in `500M` or `2G`
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    memory: Option<u64>,
    /// The encoding for a constraint, with the names that `gordian list encodings` prints [repeatable]
    #[arg(long, value_name = "CONSTRAINT=ENCODING", value_parser = Suggested(suggested::encodings),
          hide_possible_values = true)]
    encode: Vec<String>,
    /// The optimisation strategy, as in `gordian list`
    #[arg(long, value_name = "NAME", default_value = STRATEGIES[0].name, value_parser = Suggested(suggested::strategies),
          hide_possible_values = true)]
    strategy: String,
    /// The SAT solver, as in `gordian list`
    #[arg(long, value_name = "NAME", alias = "solver", default_value = &*backend::SOLVERS[0].name,
          value_parser = Suggested(suggested::solvers), hide_possible_values = true)]
    sat_solver: String,
    /// The restart sequence for `on_restart`, instead of the sequence that the model chooses
    #[arg(long, value_name = "SEQUENCE")]
    restart: Option<Restart>,
    /// The number of conflicts that scales the restart sequence
    #[arg(long, value_name = "NUMBER", default_value_t = 250, value_parser = whole::<u64>)]
    restart_scale: u64,
    /// The base of the geometric restart sequence
    #[arg(long, value_name = "NUMBER", default_value_t = 1.5)]
    restart_base: f64,
}

/// The names of restart sequences.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Restart {
    None,
    Constant,
    Linear,
    Luby,
    Geometric,
}

/// Parses a random seed. `MiniZinc` allows any integer as a seed.
fn seed(text: &str) -> Result<u32, String> {
    let seed = text.parse::<i64>().ok().and_then(|seed| u32::try_from(seed.rem_euclid(1 << 32)).ok());
    seed.ok_or_else(|| "expected a whole number, as in `10`".to_owned())
}

/// Converts the arguments of the process to a form that clap accepts. If the program is called `fzn-gordian`, inserts
/// the command `fzn`. Replaces the options `-n-o` and `-a-o` of `fzn`, because clap accepts only one letter after a
/// single dash.
pub(super) fn arguments(given: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = given.into_iter().collect();
    let program = arguments.first().and_then(|program| Path::new(program).file_stem());
    if program.is_some_and(|name| name == "fzn-gordian") {
        arguments.insert(1, "fzn".into());
    }
    if arguments.get(1).is_some_and(|command| command == "fzn") {
        for argument in &mut arguments {
            match argument.to_str() {
                Some("-n-o") => *argument = "--num-optimal".into(),
                Some("-a-o") => *argument = "--all-optimal".into(),
                _ => {}
            }
        }
    }
    arguments
}

impl Limited for Fzn {
    fn limits(&self) -> LimitArgs {
        let timeout = (self.time_limit > 0).then(|| Duration::from_millis(self.time_limit));
        LimitArgs { timeout, memory: self.memory }
    }

    fn nothing(&self) -> SoFar {
        SoFar { status: ExitStatus::Answered, ..SoFar::out(print::UNKNOWN) }
    }

    fn run(&self, watch: &Watch) -> Result<ExitStatus, Failure> {
        let limits = watch.limits();
        let config = Config {
            encodings: encodings(&self.encode)?,
            strategy: strategy(&self.strategy).map_err(|error| Failure::Usage(error.to_string()))?,
            seed: self.random_seed,
            cancel: limits.cancel,
            deadline: limits.deadline,
            memory: limits.memory,
            solver: backend::find(&self.sat_solver)?,
            threads: self.parallel.get() as usize,
            ..Config::default()
        };
        let printed = Printed::new(self.statistics, Instant::now(), watch);
        let source = input::source(&self.file)?;
        let flat = self.read(&source)?;
        Ok(watch.ended(self.solve(&flat, &config, &printed)?))
    }
}

impl Fzn {
    fn read(&self, source: &Source) -> Result<Flat, Failure> {
        let json = self.file.to_ascii_lowercase().ends_with(".json");
        let syntax = if json { Syntax::FlatZincJson } else { Syntax::FlatZinc };
        if let Some(error) = read::formula(source) {
            return Err(error.into());
        }
        let instance = Arc::new(flatzinc::read(source, syntax)?);
        let flat = Flat::new(instance).map_err(|error| flatzinc::input_error(source, &error))?;
        Ok(if self.free_search { flat } else { flat.annotated() })
    }

    /// Returns the query for an instance, and the number of optimal solutions to print.
    fn query(&self, flat: &Flat) -> (Query, Option<usize>) {
        if let Some(row) = flat.puzzle_type().objectives.first() {
            let optimal = if self.all_optimal { None } else { Some(self.num_optimal.unwrap_or(1)) };
            return (Query::Optimise(row), optimal.filter(|&number| number > 0));
        }
        let query = match (self.all, self.num_solutions) {
            (true, _) | (_, Some(0)) => Query::Enumerate { limit: None },
            (false, None | Some(1)) => Query::Satisfy,
            (false, limit) => Query::Enumerate { limit },
        };
        (query, Some(1))
    }

    /// Returns the restart sequence. The command line takes precedence over the annotations of the model.
    fn sequence(&self, flat: &Flat) -> RestartSequence {
        let (base, scale) = (self.restart_base, self.restart_scale);
        match self.restart {
            Some(Restart::None) => RestartSequence::None,
            Some(Restart::Constant) => RestartSequence::Constant(scale),
            Some(Restart::Linear) => RestartSequence::Linear(scale),
            Some(Restart::Geometric) => RestartSequence::Geometric { base, scale },
            Some(Restart::Luby) => RestartSequence::Luby(scale),
            None => {
                let annotated = RestartSequence::annotated(&flat.instance().search);
                annotated.unwrap_or(RestartSequence::Luby(scale))
            }
        }
    }

    /// If the model uses `on_restart`, searches with restarts. Otherwise, returns `false`.
    fn restarts(
        &self,
        flat: &Flat,
        query: Query,
        config: &Config,
        printed: &Printed<'_>,
    ) -> Result<bool, Failure> {
        let (initialisation, began) = (printed.elapsed(), Instant::now());
        let every = self.all || self.intermediate;
        let improved = |solution: &Solution| {
            let text = print::text(flat, solution);
            if every {
                return printed.solution(&text);
            }
            printed.keep(text);
            Ok(())
        };
        let restarted = flat.restart(self.sequence(flat), config, improved);
        let Some(Restarted { outcome, runs }) = restarted.map_err(|error| match error {
            RestartError::Query(error) => error.into(),
            RestartError::Translate(error) => Failure::Usage(error.to_string()),
        })?
        else {
            return Ok(false);
        };
        if matches!(query, Query::Enumerate { .. }) {
            eprintln!(
                "gordian: a model with `on_restart` and without an objective is solved for one solution only"
            );
        }
        let mut statistics = print::statistics(flat, &outcome, initialisation, began);
        statistics.push(("runs", runs.to_string()));
        let ending =
            if outcome.status == Status::Solved { Ending::Enough } else { Ending::of(query, &outcome) };
        printed.end(ending, &[], &statistics)?;
        Ok(true)
    }

    fn solve(&self, flat: &Flat, config: &Config, printed: &Printed<'_>) -> Result<ExitStatus, Failure> {
        let (query, optimal) = self.query(flat);
        if self.restarts(flat, query, config, printed)? {
            return Ok(ExitStatus::Answered);
        }
        let intermediate = self.all || self.intermediate;
        let keep = !intermediate && optimal == Some(1);
        let mut progress = Progress { printed, flat, intermediate, keep, verbose: self.verbose, last: None };
        let (initialisation, began) = (printed.elapsed(), Instant::now());
        let is_unbounded = flat.problem.is_objective_unbounded();
        let mut outcome = if is_unbounded {
            any_solution(flat, config, &progress)?
        } else {
            match query::run(flat, query, config, &mut progress) {
                Err(QueryError::Search(SolveError::Objective(_))) => {
                    eprintln!("gordian: the objective has too many values; add bounds to the model");
                    any_solution(flat, config, &progress)?
                }
                result => result?,
            }
        };
        if let (Query::Satisfy, Some(solution)) = (query, &outcome.solution) {
            printed.solution(&print::text(flat, solution))?;
        }
        let statistics = print::statistics(flat, &outcome, initialisation, began);
        let found = outcome.objective.take().filter(|_| outcome.status == Status::Optimal);
        if let (Some((_, value, _)), true) = (found, optimal != Some(1)) {
            outcome = all_optimal(flat, value, optimal, config, &mut progress)?;
        }
        if outcome.status == Status::Stopped && !is_unbounded && !flat.unbounded().is_empty() {
            eprintln!("gordian: {}", unbounded(&flat.unbounded()));
        }
        let core = if outcome.status == Status::None { flat.core(config)? } else { Vec::new() };
        let is_unbounded = is_unbounded && printed.has_solution();
        let ending = if is_unbounded { Ending::Unbounded } else { Ending::of(query, &outcome) };
        printed.end(ending, &core, &statistics)?;
        Ok(ExitStatus::Answered)
    }
}

/// If no solution is known, finds one and stores it to be printed at the end. The status is then [`Status::Stopped`],
/// because the solution is not proven optimal.
fn any_solution(flat: &Flat, config: &Config, progress: &Progress<'_>) -> Result<Outcome, Failure> {
    if progress.printed.has_solution() {
        return Ok(Outcome::default());
    }
    let mut outcome = query::run(flat, Query::Satisfy, config, &mut Silent)?;
    if let Some(solution) = &outcome.solution {
        progress.printed.keep(print::text(flat, solution));
        outcome.status = Status::Stopped;
    }
    Ok(outcome)
}

/// Prints optimal solutions, which have the objective value `value`. If `number` is given, prints at most that many.
fn all_optimal(
    flat: &Flat,
    value: Value,
    number: Option<usize>,
    config: &Config,
    progress: &mut Progress<'_>,
) -> Result<Outcome, Failure> {
    // The last improvement is optimal, so the enumeration finds it again. `progress` does not print it a second time.
    let fixed = flat.with_objective(value).map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(query::run(&fixed, Query::Enumerate { limit: number }, config, progress)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_with_a_single_dash_are_accepted() {
        let words =
            |line: &str| arguments(line.split(' ').map(OsString::from)).join(std::ffi::OsStr::new(" "));
        assert_eq!(words("gordian fzn -n-o 3 -a-o a.fzn"), "gordian fzn --num-optimal 3 --all-optimal a.fzn");
        assert_eq!(words("/bin/fzn-gordian -a a.fzn"), "/bin/fzn-gordian fzn -a a.fzn");
        assert_eq!(words("gordian solve -a-o"), "gordian solve -a-o");
    }
}
