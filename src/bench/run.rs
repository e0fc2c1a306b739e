//! Plans and executes runs of the program. Each run is a separate process, and several runs can be active at the same
//! time.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use super::flatzinc_solver::{self, FlatZincSolver};
use super::instance::{BenchInstance, digest};
use super::record::{Ending, Key, RunRecord, SolutionTime, machine, milliseconds};
use super::settings::{Settings, is_flatzinc_solver};
use crate::process::{self, Finished, ProcessLimits, Termination};

/// The version of the program, which is part of every record.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The environment variable that passes the process identifier of the benchmark to its runs. A run ends when the
/// process of the benchmark ends.
pub const PARENT: &str = "GORDIAN_BENCH_PARENT";

/// A planned run of the program.
#[derive(Debug, Clone)]
pub struct Run<'a> {
    /// The instance to solve.
    pub instance: &'a BenchInstance,
    /// The settings of the run.
    pub settings: Settings,
}

impl Run<'_> {
    /// Returns the key that identifies the run.
    #[must_use]
    pub fn key(&self) -> Key {
        Key::new(&self.instance.content, &self.settings, VERSION)
    }
}

/// Plans a run for each instance and each combination of settings that the instance supports, in the order of the
/// instances. If `only_default` is true, only the default query of each instance is run.
///
/// Also returns the number of combinations that were omitted because the puzzle type has no such objective, or because
/// another FlatZinc solver can't answer the query.
#[must_use]
pub fn plan<'a>(
    instances: &'a [BenchInstance],
    settings: &[Settings],
    only_default: bool,
) -> (Vec<Run<'a>>, usize) {
    let (mut runs, mut left_out) = (Vec::new(), 0);
    let mut seen = HashSet::new();
    for instance in instances {
        for settings in settings {
            let query = settings.query.named_for(instance.puzzle_type);
            let is_default = query.as_ref() == Some(&instance.default_query());
            if only_default && !is_default {
                continue;
            }
            let other = is_flatzinc_solver(&settings.solver);
            let Some(query) = query.filter(|_| !other || (is_default && instance.is_flatzinc())) else {
                left_out += 1;
                continue;
            };
            let run = Run { instance, settings: Settings { query, ..settings.clone() } };
            if seen.insert(run.key()) {
                runs.push(run);
            }
        }
    }
    (runs, left_out)
}

/// A shard: one part of a benchmark that is divided into several parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// The number of the shard, counted from 1.
    pub number: usize,
    /// The number of shards.
    pub of: usize,
}

impl Shard {
    /// Returns the runs of the shard. With n shards, a shard consists of every n-th run.
    #[must_use]
    pub fn of(self, runs: Vec<Run<'_>>) -> Vec<Run<'_>> {
        runs.into_iter().skip(self.number - 1).step_by(self.of).collect()
    }
}

/// The decision whether to continue or to stop a benchmark.
pub type Go = std::ops::ControlFlow<()>;

/// Executes the runs, and passes the record of each finished run to the function `take`. A job starts its next run
/// only after `take` has returned. If the benchmark is killed, each job therefore loses at most one run. If `stop` is set
/// or `take` returns [`ControlFlow::Break`](std::ops::ControlFlow::Break), kills the active runs without recording them.
///
/// # Errors
/// Returns an error if the program can't be started.
pub fn execute(
    runs: &[Run<'_>],
    program: &Path,
    jobs: usize,
    stop: &AtomicBool,
    take: impl FnMut(RunRecord) -> Go + Send,
) -> io::Result<()> {
    let machine = &machine();
    let next = &AtomicUsize::new(0);
    // `None` after `take` has returned `Break` or a run could not be started: no further record is taken.
    let taking = Mutex::new((Some(take), Ok(())));
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, runs.len().max(1)) {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed)
                    && let Some(run) = runs.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let done = run_one(run, program, machine, stop);
                    // If `take` has panicked, the panic continues when all jobs have ended.
                    let Ok(mut taking) = taking.lock() else { break };
                    let (take, result) = &mut *taking;
                    let go = match (done, &mut *take) {
                        (Ok(Some(record)), Some(take)) => take(record),
                        (Err(error), Some(_)) => {
                            *result = Err(error);
                            Go::Break(())
                        }
                        _ => Go::Continue(()),
                    };
                    if go.is_break() {
                        *take = None;
                        stop.store(true, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    taking.into_inner().unwrap_or_else(PoisonError::into_inner).1
}

/// Returns how long a run may exceed its time limit before it is killed.
fn grace(timeout: Duration) -> Duration {
    Duration::from_millis(500) + timeout / 10
}

/// The maximum size of the output of a run, in bytes.
const OUTPUT: u64 = 1 << 28;

/// Executes a run. Returns `None` if the benchmark was stopped.
fn run_one(run: &Run<'_>, program: &Path, machine: &str, stop: &AtomicBool) -> io::Result<Option<RunRecord>> {
    let timeout = Duration::from_secs_f64(run.settings.timeout);
    let limits = ProcessLimits {
        cancelled: Some(stop),
        deadline: Instant::now().checked_add(timeout + grace(timeout)),
        cpu: run.settings.cpu_timeout.map(Duration::from_secs_f64),
        // A limit is always set, because memory use is measured only if there is a limit.
        memory: Some(run.settings.memory.unwrap_or(u64::MAX)),
        output: OUTPUT,
    };
    let (command, _copy) = if let Some(solver) = FlatZincSolver::find(&run.settings.solver) {
        solver.map_err(io::Error::other)?.prepare(run.instance, timeout, run.settings.seed)?
    } else {
        let mut command = Command::new(program);
        command.args(run.settings.command(&run.instance.name));
        command.env(PARENT, std::process::id().to_string());
        (command, None)
    };
    let finished = process::run(command, None, &limits)?;
    Ok((finished.termination != Termination::Cancelled).then(|| record(run, &finished, machine)))
}

/// The status of the lines that a run prints while it searches, as in `docs/json.md`.
const SEARCHING: &str = "searching";

/// Returns the last line that describes the outcome, and the solutions in the order in which they were reported. If the run
/// was killed before it printed its outcome, the returned object has only the last objective value and bounds.
fn reported(finished: &Finished) -> (Json, Vec<SolutionTime>) {
    let (mut outcome, mut solutions) = (Json::Null, Vec::<SolutionTime>::new());
    let mut bytes = 0;
    for line in finished.output.split_inclusive(|&byte| byte == b'\n') {
        bytes += line.len() as u64;
        let Ok(line) = serde_json::from_slice::<Json>(line) else { continue };
        if line["status"] != SEARCHING {
            outcome = line;
            continue;
        }
        let objective = line.get("objective").filter(|objective| !objective.is_null());
        if let Some(objective) =
            objective.filter(|&new| solutions.last().map(|last| &last.objective) != Some(new))
        {
            let (wall, cpu) = finished.time_of(bytes);
            let [wall, cpu] = [wall, cpu].map(milliseconds);
            solutions.push(SolutionTime { objective: objective.clone(), wall, cpu });
        }
        outcome = serde_json::json!({ "bounds": line["bounds"] });
        if let Some(objective) = objective {
            outcome["objective"] = objective.clone();
        }
    }
    (outcome, solutions)
}

/// Creates the record of a finished run.
fn record(run: &Run<'_>, finished: &Finished, machine: &str) -> RunRecord {
    let other = is_flatzinc_solver(&run.settings.solver);
    let found = if other {
        flatzinc_solver::reported(finished, run.instance, run.settings.timeout)
    } else {
        Ok(reported(finished))
    };
    let (found, wrong_output) = match found {
        Ok(found) => (found, None),
        Err(error) => (Default::default(), Some(error)),
    };
    let (reported, solutions) = found;
    let (stats, process) = (&reported["stats"], &reported["stats"]["process"]);
    let number = |key: &str| stats[key].as_u64();
    let status = reported["status"].as_str().map(str::to_owned);
    let mut ms: BTreeMap<String, f64> = serde_json::from_value(stats["ms"].clone()).unwrap_or_default();
    ms.insert("wall".into(), milliseconds(finished.wall));
    // The benchmark measures the processor time a few milliseconds before the run ends, so the time that the run
    // itself reports is more precise.
    let seen = milliseconds(finished.usage.cpu);
    ms.insert("cpu".into(), process["cpu"].as_f64().map_or(seen, |reported| reported.max(seen)));
    let (ending, error) = match wrong_output {
        Some(error) => (Ending::Failed, Some(error)),
        None => ending(run, finished, status.as_deref()),
    };
    let late = run.settings.cpu_timeout.is_some_and(|limit| ms["cpu"] > limit * 1e3);
    let ending = if late && ending == Ending::Answered { Ending::Time } else { ending };
    RunRecord {
        instance: run.instance.name.clone(),
        content: run.instance.content.clone(),
        puzzle: run.instance.puzzle_type.name.to_owned(),
        cells: run.instance.cells,
        settings: run.settings.clone(),
        version: VERSION.to_owned(),
        ending,
        error,
        status,
        objective: reported.get("objective").cloned(),
        solutions,
        bounds: serde_json::from_value(reported["bounds"].clone()).ok(),
        count: reported.get("count").cloned(),
        unique: reported["unique"].as_bool(),
        backbone: backbone(&reported),
        variables: number("variables"),
        clauses: number("clauses"),
        literals: number("literals"),
        conflicts: number("conflicts"),
        decisions: number("decisions"),
        propagations: number("propagations"),
        encodings: serde_json::from_value(stats["encodings"].clone()).unwrap_or_default(),
        ms,
        memory: Some(finished.usage.peak.max(process["memory"].as_u64().unwrap_or(0)))
            .filter(|&bytes| bytes > 0),
        machine: machine.to_owned(),
    }
}

/// Returns the digest of the backbone, or `None` if the backbone is not completely known.
fn backbone(reported: &Json) -> Option<String> {
    let known = reported.get("remaining").filter(|_| reported["status"] == "solved")?;
    Some(digest(&known.to_string()))
}

fn ending(run: &Run<'_>, finished: &Finished, status: Option<&str>) -> (Ending, Option<String>) {
    /// Any other exit code means that `gordian solve` has crashed.
    const CODES: std::ops::RangeInclusive<i32> = 0..=3;
    const BAD_INPUT: i32 = 2;
    let exit = match finished.termination {
        Termination::Timeout | Termination::Cancelled => return (Ending::Time, None),
        Termination::MemoryLimit => return (Ending::Memory, None),
        Termination::OutputLimit => {
            let error = format!("stopped: its output exceeded {} MiB", OUTPUT >> 20);
            return (Ending::Failed, Some(error));
        }
        Termination::Exited(exit) => exit,
    };
    let code = exit.code().filter(|code| CODES.contains(code) && *code != BAD_INPUT);
    // Other FlatZinc solvers have other exit codes.
    let code = code.filter(|&code| code == 0 || !is_flatzinc_solver(&run.settings.solver));
    match (code, status) {
        (Some(_), Some("stopped")) => (Ending::Time, None),
        (Some(_), Some(_)) if finished.wall.as_secs_f64() > run.settings.timeout => (Ending::Time, None),
        (Some(_), Some(_)) => (Ending::Answered, None),
        _ => {
            let last = finished.errors.trim();
            (Ending::Failed, Some(format!("{exit}: {last}").chars().take(2000).collect()))
        }
    }
}

#[cfg(test)]
mod tests;
