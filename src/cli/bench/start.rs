//! Executes the runs of a benchmark.

use std::collections::{HashMap, HashSet};
use std::io::{IsTerminal, stderr};
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::super::boards::boards;
use super::super::config::{bytes, from_one, seconds, stop_on_interrupt};
use super::super::exit::ExitStatus;
use super::super::input::{ReadArguments, ambiguity};
use super::super::report::Failure;
use crate::backend::{self, Limits};
use crate::bench::agreement;
use crate::bench::flatzinc_solver::FlatZincSolver;
use crate::bench::instance::BenchInstance;
use crate::bench::record::{Ending, Key, RunRecord};
use crate::bench::results::{Results, ResultsError};
use crate::bench::run::{PARENT, Run, Shard, execute, plan};
use crate::bench::settings::{ALL, FLATZINC, SettingsMatrix, encodings, solvers};
use crate::format::counted;
use crate::process::signals;
use crate::puzzle::{NamedQuery, Query};
use crate::search;

/// The arguments of `gordian bench` without a subcommand.
#[derive(Debug, Args)]
pub(super) struct Start {
    /// Boards and constraint models: files, puzz.link addresses, or directories, which are searched recursively
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<String>,
    /// Encodings to compare for a constraint; `all` selects every encoding and `auto` [repeatable]
    #[arg(long, value_name = "CONSTRAINT=ENCODING,...", value_parser = encodings)]
    encode: Vec<(String, Vec<String>)>,
    /// Solvers to compare, as in `gordian list`; for models also `flatzinc:COMMAND {fzn}` or `NAME=flatzinc:COMMAND {fzn}`,
    /// another FlatZinc solver [repeatable]
    #[arg(long, value_name = "NAME,...", default_value = &*backend::SOLVERS[0].name)]
    solver: Vec<String>,
    /// Queries: satisfy, optimise, optimise:OBJECTIVE, unique, count, count-values, enumerate, enumerate:LIMIT, backbone [default:
    /// optimise for models with an objective, satisfy for all others]
    #[arg(long, value_name = "QUERY,...", value_delimiter = ',')]
    query: Vec<NamedQuery>,
    /// Optimisation strategies to compare, for the query `optimise`; `all` selects every strategy [repeatable]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    strategy: Vec<String>,
    /// Time limit of a run, as in `10`, `0.5` or `10s`
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    timeout: Duration,
    /// Limit of the processor time of a run; use a larger --timeout with it
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    cpu_timeout: Option<Duration>,
    /// Memory limit of a run, as in `500M` or `2G`
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    memory: Option<u64>,
    /// Number of parallel runs; they slow each other down
    #[arg(long, value_name = "NUMBER", default_value = "1", value_parser = from_one)]
    jobs: NonZero<u32>,
    /// Number of seeds for each combination: 0, 1, 2 and so on; a solver without seeds repeats the same run
    #[arg(long, value_name = "NUMBER", default_value = "1", value_parser = from_one)]
    seeds: NonZero<u32>,
    /// Execute only the I-th of N parts of the benchmark
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<Shard>,
    /// A name for this build of gordian in the results, to compare builds
    #[arg(long, value_name = "NAME")]
    label: Option<String>,
    #[command(flatten)]
    reading: ReadArguments,
    /// Continue after results that contradict each other
    #[arg(long)]
    keep_going: bool,
    /// The result file; new results are appended
    #[arg(short, long, value_name = "FILE", required = true)]
    output: Option<PathBuf>,
    /// Additional arguments for every run
    #[arg(last = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,
}

fn shard(words: &str) -> Result<Shard, String> {
    let parts = words.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    let shard = parts.map(|(number, of)| Shard { number, of });
    shard.filter(|shard| (1..=shard.of).contains(&shard.number)).ok_or("expected I/N, as in `2/8`".to_owned())
}

impl Start {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let output = self.output.as_ref().expect("the command line asks for it");
        let (instances, bad) = self.instances()?;
        let (runs, left_out) = plan(&instances, &self.comparison()?.settings(), self.query.is_empty());
        if left_out > 0 {
            let reason = if self.solver.iter().any(|words| words.contains(FLATZINC)) {
                "the puzzle type has no such objective, or the solver is a `flatzinc:` solver, which runs only `.fzn` models \
                 with their default query"
            } else {
                "the puzzle type has no such objective"
            };
            eprintln!("gordian: {} skipped: {reason}", counted(left_out, "run"));
        }
        let runs = self.shard.map_or(runs.clone(), |shard| shard.of(runs));
        let (results, before) = Results::open(output)?;
        // Failed runs are repeated.
        let has_result = |record: &&RunRecord| record.ending != Ending::Failed;
        let keys: HashSet<Key> = before.iter().filter(has_result).map(RunRecord::key).collect();
        let missing: Vec<Run<'_>> = runs.iter().filter(|run| !keys.contains(&run.key())).cloned().collect();
        if missing.len() < runs.len() {
            let have = runs.len() - missing.len();
            eprintln!("gordian: {} already has {have} of {} runs", output.display(), runs.len());
        }
        let program = std::env::current_exe().map_err(Failure::file("this program"))?;
        let mut bench =
            Bench { start: self, results, output, program: program.clone(), known: HashMap::new(), wrong: 0 };
        for record in before {
            if bench.compare(record)?.is_break() {
                return Ok(ExitStatus::NoSolution);
            }
        }
        let stop = stop_on_interrupt().unwrap_or_else(|| Arc::new(AtomicBool::new(false)));
        let mut progress = Progress::new(missing.len() as u64);
        let mut failure = None;
        let mut failed = 0_usize;
        let done = execute(&missing, &program, self.jobs.get() as usize, &stop, |record| {
            failed += usize::from(record.error.is_some());
            if let (Some(error), true) = (&record.error, failed <= MOST_REPORTED) {
                progress.say(&format!("gordian: {}: {error}", record.instance));
            }
            let taken = bench.results.append(&record).map_err(Failure::from);
            progress.one_more();
            taken.and_then(|()| bench.compare(record)).unwrap_or_else(|error| {
                failure = Some(error);
                ControlFlow::Break(())
            })
        });
        progress.end();
        done.map_err(Failure::file(&program))?;
        if let Some(failure) = failure {
            return Err(failure);
        }
        if failed > 0 {
            eprintln!(
                "gordian: {} failed; the key `error` in the results contains the reason, and the same command repeats them",
                counted(failed, "run")
            );
        }
        // A contradiction sets the flag, too.
        let interrupted = stop.load(Ordering::Relaxed) && (self.keep_going || bench.wrong == 0);
        if interrupted {
            eprintln!("gordian: interrupted; run the same command again to continue");
        }
        Ok(if bench.wrong > 0 {
            ExitStatus::NoSolution
        } else if bad > 0 || failed > 0 {
            ExitStatus::BadInput
        } else if interrupted {
            ExitStatus::Stopped
        } else {
            ExitStatus::Answered
        })
    }

    /// Returns the distinct boards, and the number of boards that can't be read. Boards that can't be read are
    /// reported on standard error.
    fn instances(&self) -> Result<(Vec<BenchInstance>, usize), Failure> {
        let mut instances: Vec<BenchInstance> = Vec::new();
        let (mut others, mut bad) = (Vec::new(), 0_usize);
        let mut warned = false;
        let options = self.reading.options()?;
        for board in boards(&self.paths) {
            let name = board.name.clone();
            if name == "-" {
                return Err(Failure::Usage("`bench` can't read boards from standard input".into()));
            }
            let board = match board.read(&options, &self.reading.data, &Limits::default()) {
                Ok(Some(board)) => board,
                Ok(None) => {
                    others.push(name);
                    continue;
                }
                Err(failure) => {
                    failure.report(Some(&name), &mut anstream::stderr());
                    bad += 1;
                    continue;
                }
            };
            let warning = ambiguity(&name, &board, &options);
            if let Some(warning) = warning.filter(|_| !std::mem::replace(&mut warned, true)) {
                eprintln!("gordian: {warning}");
            }
            // An argument that is not the name of an existing file is read as an address.
            let text = std::fs::read(&name).unwrap_or_else(|_| name.clone().into_bytes());
            let instance = BenchInstance::new(name, &*board.puzzle, &String::from_utf8_lossy(&text));
            match instances.iter().find(|known| known.content == instance.content) {
                Some(first) => {
                    eprintln!(
                        "gordian: {} skipped: it has the same content as {}",
                        instance.name, first.name
                    );
                }
                None => instances.push(instance),
            }
        }
        if let Some(other) = others.first() {
            eprintln!(
                "gordian: skipped {}, such as {other}: neither boards nor models",
                counted(others.len(), "file")
            );
        }
        if bad > 0 {
            eprintln!("gordian: {} skipped; running the others", counted(bad, "bad instance"));
        }
        if instances.is_empty() {
            return Err(Failure::Usage(format!("no boards or models in {}", self.paths.join(", "))));
        }
        Ok((instances, bad))
    }

    /// Returns the strategies to compare, where `None` is the default strategy.
    fn strategies(&self) -> Result<Vec<Option<String>>, Failure> {
        let mut chosen = Vec::new();
        for name in &self.strategy {
            if name == ALL {
                chosen.extend(search::STRATEGIES.iter().map(|strategy| strategy.name));
            } else {
                let found = search::strategy(name).map_err(|error| Failure::Usage(error.to_string()))?;
                chosen.push(found.name);
            }
        }
        let default = search::STRATEGIES[0].name;
        if chosen.is_empty() {
            chosen.push(default);
        }
        Ok(chosen.into_iter().map(|name| Some(name.to_owned()).filter(|name| name != default)).collect())
    }

    fn comparison(&self) -> Result<SettingsMatrix, Failure> {
        let mut names: Vec<String> = Vec::new();
        for name in self.solver.iter().flat_map(|words| solvers(words)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        for name in &names {
            // A missing solver is reported here, once, instead of in every run.
            let seeds = if let Some(solver) = FlatZincSolver::find(name) {
                solver?.takes_seed()
            } else {
                let solver = backend::find(name)?;
                solver.make()?;
                solver.seeds
            };
            if self.seeds.get() > 1 && !seeds {
                eprintln!(
                    "gordian: {name} does not support seeds, so its runs with different seeds are identical; the command of \
                     another program gets the seed as `{{seed}}`"
                );
            }
        }
        let mut arguments = self.reading.words();
        arguments.extend(self.arguments.iter().cloned());
        Ok(SettingsMatrix {
            // Without a choice, one of these is the default query of each instance.
            queries: if self.query.is_empty() {
                vec![Query::Satisfy, Query::Optimise(None)]
            } else {
                self.query.clone()
            },
            solvers: names,
            encode: self.encode.clone(),
            strategies: self.strategies()?,
            seeds: self.seeds.get(),
            timeout: self.timeout.as_secs_f64(),
            cpu_timeout: self.cpu_timeout.map(|limit| limit.as_secs_f64()),
            memory: self.memory,
            arguments,
            label: self.label.clone(),
        })
    }
}

/// The maximum number of failed runs reported on standard error. The results contain the errors of all runs.
const MOST_REPORTED: usize = 3;

/// The state of a running benchmark.
struct Bench<'a> {
    start: &'a Start,
    results: Results,
    output: &'a PathBuf,
    program: PathBuf,
    /// The results so far, grouped by the content of the board.
    known: HashMap<String, Vec<RunRecord>>,
    /// The number of contradictions so far.
    wrong: usize,
}

impl Bench<'_> {
    /// Compares `record` with the earlier results for the same board. If the results contradict each other, reports
    /// the contradiction.
    fn compare(&mut self, record: RunRecord) -> Result<ControlFlow<()>, Failure> {
        let of_board = self.known.entry(record.content.clone()).or_default();
        let found =
            of_board.iter().find_map(|known| Some((known, agreement::contradiction(known, &record)?)));
        if let Some((known, reason)) = found {
            self.wrong += 1;
            let mut directory = self.output.clone().into_os_string();
            directory.push(format!(".wrong-{}", self.wrong));
            let directory = PathBuf::from(directory);
            let script = agreement::write_reproducers(&directory, &self.program, &reason, &[known, &record])
                .map_err(Failure::file(&directory))?;
            eprintln!(
                "gordian: contradictory results for {}: {reason}; to reproduce them, run {}",
                record.instance,
                script.display()
            );
            if !self.start.keep_going {
                return Ok(ControlFlow::Break(()));
            }
        }
        of_board.push(record);
        Ok(ControlFlow::Continue(()))
    }
}

/// Reports the progress of a benchmark. On a terminal, the report is a bar; otherwise, it is one line per minute.
struct Progress {
    bar: ProgressBar,
    start: Instant,
    last_report: Instant,
}

/// The time between two lines that report the progress of a benchmark.
const NOW_AND_THEN: Duration = Duration::from_secs(60);

impl Progress {
    fn new(runs: u64) -> Self {
        let terminal = stderr().is_terminal();
        let target = if terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(runs), target);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos} of {len} runs, {eta} left") {
            bar.set_style(style);
        }
        if terminal {
            bar.enable_steady_tick(Duration::from_secs(1));
        }
        Self { bar, start: Instant::now(), last_report: Instant::now() }
    }

    fn one_more(&mut self) {
        self.bar.inc(1);
        if self.bar.is_hidden() && self.last_report.elapsed() >= NOW_AND_THEN {
            self.last_report = Instant::now();
            let (done, of) = (self.bar.position(), self.bar.length().unwrap_or(0));
            let left = self.start.elapsed().mul_f64((of - done) as f64 / done.max(1) as f64);
            eprintln!("{done} of {of} runs, {} left", HumanDuration(left));
        }
    }

    fn say(&self, line: &str) {
        self.bar.suspend(|| eprintln!("{line}"));
    }

    fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// If a benchmark started this process, makes this process end when the benchmark ends, even if the benchmark is
/// killed.
pub(in crate::cli) fn end_with_parent() {
    let parent = std::env::var(PARENT).ok().and_then(|parent| parent.parse().ok());
    if parent.is_some_and(|parent| !signals::end_with_parent(parent)) {
        std::process::exit(i32::from(ExitStatus::Stopped as u8));
    }
}

impl From<ResultsError> for Failure {
    fn from(error: ResultsError) -> Self {
        Self::Usage(error.to_string())
    }
}
