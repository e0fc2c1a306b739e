//! Solves any number of boards, sequentially or in parallel.

use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::boards::NamedBoard;
use super::exit::ExitStatus;
use super::found::Found;
use super::look::{Look, Pictures, Shown};
use super::ordered::{Ordered, Stream};
use super::outcome::{Printer, ProgressReports};
use super::report::Failure;
use crate::format::counted;
use crate::query::Status;
use crate::search::Config;

/// The result of solving one board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Came {
    /// The query ended with the given status.
    Of(Status),
    /// The file is not a board.
    NotABoard,
    /// Solving the board failed with the given exit status.
    Failed(ExitStatus),
}

/// The options for solving several boards.
pub(super) struct Many<'a> {
    /// The number of boards solved in parallel.
    pub(super) jobs: NonZeroUsize,
    /// The config for the query on each board.
    pub(super) config: &'a Config,
    /// True if the outcomes are printed as JSON.
    pub(super) json: bool,
    /// True if every change of the bounds on the objective is reported, even if standard error is not a terminal.
    pub(super) progress: bool,
    /// The options that control how boards are shown.
    pub(super) look: Look,
    /// Where to write pictures: to a directory if there are several boards.
    pub(super) pictures: Option<Pictures<'a>>,
}

/// The number of boards with each result, the files that are not boards, and the slowest board.
#[derive(Debug, Default)]
struct Tally {
    solved: usize,
    none: usize,
    stopped: usize,
    bad: usize,
    bugs: usize,
    not_boards: Vec<String>,
    slowest: Option<(Duration, String)>,
}

impl Many<'_> {
    /// Solves all boards, and returns the exit status of the program. If solving a board fails for any reason, the
    /// remaining boards are still solved.
    pub(super) fn run(
        &self,
        boards: Vec<NamedBoard>,
        out: impl Write + Send,
        err: impl Write + Send,
        solution: impl Fn(NamedBoard, &Config, &mut Printer<'_>) -> Result<Option<Status>, Failure> + Sync,
    ) -> Result<ExitStatus, Failure> {
        let start = Instant::now();
        let count = boards.len();
        let bar = if count > 1 { progress_bar(count) } else { ProgressBar::hidden() };
        let ordered = Ordered::new(out, err, &bar);
        let tally = Mutex::new(Tally::default());
        let waiting = Mutex::new(boards.into_iter().enumerate());
        let work = || {
            while !self.is_stopped() && !ordered.is_broken() {
                // Each thread holds the lock only while it takes the next board from the list.
                let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((number, board)) = next else { break };
                let (name, began) = (board.name.clone(), Instant::now());
                ordered.begin(number, (count > 1 && !self.json).then(|| name.clone()));
                let came = self.one(number, count, board, &ordered, &solution);
                ordered.end(number);
                let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
                tally.add(came, name, began.elapsed());
                bar.set_message(tally.in_short());
                bar.inc(1);
            }
        };
        if self.jobs.get() == 1 || count == 1 {
            work();
        } else {
            self.on_threads(count, &work)?;
        }
        bar.finish_and_clear();
        let left = waiting.into_inner().unwrap_or_else(PoisonError::into_inner).len();
        let tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
        let summary = count > 1 || !tally.not_boards.is_empty();
        ordered.finish(|err| if summary { tally.print(start.elapsed(), left, err) } else { Ok(()) })?;
        Ok(tally.ending(left))
    }

    /// Runs `work` on `jobs` threads in parallel.
    fn on_threads(&self, count: usize, work: &(impl Fn() + Sync)) -> Result<(), Failure> {
        /// The stack size of each thread in bytes, which is the usual size for a main thread.
        const STACK: usize = 8 << 20;
        thread::scope(|scope| {
            for _ in 0..self.jobs.get().min(count) {
                let thread = thread::Builder::new().stack_size(STACK);
                if let Err(error) = thread.spawn_scoped(scope, work) {
                    return Err(Failure::Usage(format!("--jobs {}: {error}", self.jobs)));
                }
            }
            Ok(())
        })
    }

    fn is_stopped(&self) -> bool {
        self.config.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    fn one(
        &self,
        number: usize,
        count: usize,
        board: NamedBoard,
        ordered: &Ordered<'_>,
        solution: &impl Fn(NamedBoard, &Config, &mut Printer<'_>) -> Result<Option<Status>, Failure>,
    ) -> Came {
        let name = board.name.clone();
        let mut out = ordered.channel(number, Stream::Out);
        let mut err = io::LineWriter::new(ordered.channel(number, Stream::Err));
        let mut printer = Printer {
            source: &name,
            json: self.json,
            among_others: count > 1,
            progress: if self.progress {
                ProgressReports::Always
            } else if count == 1 && !self.json && io::stderr().is_terminal() {
                ProgressReports::for_person()
            } else {
                ProgressReports::Never
            },
            shown: Shown::of(self.look, self.pictures, &name, (count > 1).then_some(number)),
            found: Found::default(),
            out: &mut out,
            err: &mut err,
        };
        // The time limit of a single board starts with the command.
        let config = Config { deadline: self.config.limits().deadline, timeout: None, ..self.config.clone() };
        // A panic can be caught safely, because the board is not used again, and the printer is used only to report the
        // panic.
        let answered = catch_unwind(AssertUnwindSafe(|| {
            let solved = config.limits().within(|| solution(board, &config, &mut printer));
            match solved {
                None | Some(Err(Failure::Stopped)) => {
                    printer.stopped()?;
                    Ok(Some(Status::Stopped))
                }
                Some(result) => result,
            }
        }));
        let came = match answered {
            Ok(Ok(Some(status))) => Came::Of(status),
            Ok(Ok(None)) => Came::NotABoard,
            // A failed write to standard output affects all boards, so only `Ordered::finish` reports it.
            Ok(Err(Failure::Output(_))) => Came::Failed(ExitStatus::BadInput),
            Ok(Err(failure)) => Came::Failed(printer.failure(&failure)),
            Err(_) => Came::Failed(printer.failure(&Failure::Panic)),
        };
        // Errors are ignored here, because `Ordered::finish` reports them.
        let _ = out.flush().and_then(|()| err.flush());
        came
    }
}

/// Returns a progress bar, which is hidden if standard error is not a terminal.
fn progress_bar(count: usize) -> ProgressBar {
    const EACH: Duration = Duration::from_millis(200);
    let bar = ProgressBar::new(count as u64);
    if let Ok(style) = ProgressStyle::with_template("{elapsed_precise} {wide_bar} {pos}/{len} boards{msg}") {
        bar.set_style(style.progress_chars("=> "));
    }
    if !bar.is_hidden() {
        bar.enable_steady_tick(EACH);
    }
    bar
}

/// Formats a time in milliseconds, or in seconds if it is at least one second.
fn rounded(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 1.0 => format!("{:.0} ms", seconds * 1e3),
        seconds => format!("{seconds:.1} s"),
    }
}

impl Tally {
    fn add(&mut self, came: Came, name: String, time: Duration) {
        let is_board = came != Came::NotABoard;
        match came {
            Came::Of(Status::Solved | Status::Optimal) => self.solved += 1,
            Came::Of(Status::None) => self.none += 1,
            Came::Of(Status::Stopped) | Came::Failed(ExitStatus::Stopped) => self.stopped += 1,
            Came::Failed(ExitStatus::Bug) => self.bugs += 1,
            Came::Failed(_) => self.bad += 1,
            Came::NotABoard => self.not_boards.push(name.clone()),
        }
        if is_board && self.slowest.as_ref().is_none_or(|(slowest, _)| *slowest < time) {
            self.slowest = Some((time, name));
        }
    }

    fn counts(&self) -> [(usize, &'static str); 5] {
        [
            (self.solved, "solved"),
            (self.none, "without a solution"),
            (self.stopped, "stopped"),
            (self.bad, "bad"),
            (self.bugs, "failed by bugs in gordian"),
        ]
    }

    /// Returns the message of the progress bar: how many boards have been stopped or have failed so far.
    fn in_short(&self) -> String {
        let wrong = self.counts().into_iter().skip(2).filter(|(count, _)| *count > 0);
        wrong.map(|(count, what)| format!(", {count} {what}")).collect::<Vec<_>>().concat()
    }

    /// Prints a summary. `left` is the number of boards that were not solved.
    fn print(&self, time: Duration, left: usize, err: &mut dyn Write) -> io::Result<()> {
        let boards: usize = self.counts().iter().map(|(count, _)| count).sum();
        let mut parts: Vec<_> = self.counts().into_iter().filter(|(count, _)| *count > 0).collect();
        if left > 0 {
            parts.push((left, "not started"));
        }
        let parts: Vec<_> = parts.into_iter().map(|(count, what)| format!("{count} {what}")).collect();
        if parts.is_empty() {
            writeln!(err, "gordian: no board found")?;
        } else {
            let boards = counted(boards + left, "board");
            writeln!(err, "{boards} in {}: {}", rounded(time), parts.join(", "))?;
        }
        if let Some((slowest, name)) = self.slowest.as_ref().filter(|_| boards > 1) {
            writeln!(err, "slowest: {name}, {}", rounded(*slowest))?;
        }
        if let Some(first) = self.not_boards.iter().min() {
            let more = match self.not_boards.len() - 1 {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            writeln!(err, "skipped (not boards): {first}{more}")?;
        }
        Ok(())
    }

    /// Returns the most severe of the exit statuses of all boards.
    fn ending(&self, left: usize) -> ExitStatus {
        let answered = self.solved + self.none + self.stopped + self.bad + self.bugs + left > 0;
        if self.bugs > 0 {
            ExitStatus::Bug
        } else if self.bad > 0 || !answered {
            ExitStatus::BadInput
        } else if self.stopped + left > 0 {
            ExitStatus::Stopped
        } else if self.none > 0 {
            ExitStatus::NoSolution
        } else {
            ExitStatus::Answered
        }
    }
}

#[cfg(test)]
mod tests;
