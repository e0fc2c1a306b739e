//! Ends a command when it reaches a limit, and prints what it has found so far.
//!
//! A limit ends a command in one of two ways:
//!
//! * The command polls. Searches and the steps before them call [`tick`](gordian_encodings::tick) or check the
//!   [`Limits`] themselves. This is the usual way, and the result then contains everything that is known.
//! * A thread watches the clock and the memory. If the command has not ended [`GRACE`] after a limit, the thread prints
//!   the result that the command has last stored with [`Watch::keep`], and ends the process. So limits hold even while
//!   a library reads a file, or while the memory of a large formula is freed.
//!
//! The command and the thread must not print at the same time. Therefore, commands print only to [`Watch::out`] and
//! [`Watch::plain`], which pass on whole messages.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use gordian_encodings::{Cancelled, cancellable};

use super::config::{LimitArgs, stop_on_interrupt};
use super::exit::ExitStatus;
use super::json::{Json, to_line};
use super::report::Failure;
use crate::backend::{Limits, POLL_INTERVAL};
use crate::process::{self, cleanup};

/// The time after a limit at which the process ends even if the command does not end by itself.
const GRACE: Duration = Duration::from_millis(100);
/// The interval at which the thread checks the clock.
const CLOCK: Duration = Duration::from_millis(5);
/// The interval at which the thread measures the memory. In this time, a process can fill a few megabytes.
const MEMORY: Duration = Duration::from_millis(4);
/// The process ends at once if its memory exceeds the limit by more than this fraction of the limit.
const TOLERANCE: u64 = 25;

/// A command with limits.
pub(super) trait Limited {
    /// Returns the limits on the command line.
    fn limits(&self) -> LimitArgs;

    /// Returns the result if a limit is reached before anything is found.
    fn nothing(&self) -> SoFar;

    /// Runs the command.
    ///
    /// The outermost poll unwinds the whole command, so limits need not be handled where nothing has been found yet.
    fn run(&self, watch: &Watch) -> Result<ExitStatus, Failure>;
}

/// What a command prints if a limit ends it now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SoFar {
    /// The text for standard output.
    pub(super) out: String,
    /// The text for standard error.
    pub(super) err: String,
    /// The exit status.
    pub(super) status: ExitStatus,
}

impl SoFar {
    /// Returns a result on standard output.
    pub(super) fn out(text: impl Into<String>) -> Self {
        Self { out: text.into(), err: String::new(), status: ExitStatus::Stopped }
    }

    /// Returns a message on standard error.
    pub(super) fn err(message: impl Into<String>) -> Self {
        Self { out: String::new(), err: message.into(), status: ExitStatus::Stopped }
    }

    /// Returns a line of text or, with `--json`, an object with the name of the board and the status `stopped`.
    pub(super) fn of_board(source: &str, json: bool, text: &str) -> Self {
        Self::out(if json {
            to_line(&Json { source, status: "stopped", ..Json::default() })
        } else {
            format!("{text}\n")
        })
    }
}

/// Returns the result so far. The thread calls the function when it ends the process.
type Kept = Box<dyn FnMut() -> SoFar + Send>;

/// What the command has printed.
enum Progress {
    /// The result is not yet known.
    Searching(Kept),
    /// The command is printing the result.
    Printing,
    /// The command has printed the result.
    Printed,
    /// The command has ended, but may still be freeing memory.
    Ended(ExitStatus),
}

struct State {
    progress: Progress,
    /// A function to call when the next message has been passed on.
    then: Option<Box<dyn FnOnce() + Send>>,
    limits: Limits,
}

/// The limits of a running command, and its result so far.
#[derive(Clone)]
pub(super) struct Watch {
    state: Arc<Mutex<State>>,
}

/// Runs a command with its limits.
pub(super) fn run(command: &impl Limited) -> Result<ExitStatus, Failure> {
    let nothing = command.nothing();
    let watch = Watch::start(&command.limits(), move || nothing.clone());
    polling(command, &watch)
}

/// Runs a command until it ends or polls after a limit.
fn polling(command: &impl Limited, watch: &Watch) -> Result<ExitStatus, Failure> {
    let watched = watch.clone();
    let expired = move || {
        let limits = watched.limits();
        limits.expired() || limits.exceeds_memory()
    };
    let result = cancellable(POLL_INTERVAL, expired, || command.run(watch));
    let mut state = watch.state();
    let status = match result {
        Err(Cancelled) | Ok(Err(Failure::Stopped)) => state.stop(),
        Ok(Ok(status)) => status,
        Ok(Err(failure)) => {
            // The thread must not end the process while the failure is reported.
            state.progress = Progress::Printing;
            return Err(failure);
        }
    };
    state.progress = Progress::Ended(status);
    Ok(status)
}

impl Watch {
    /// Starts the clock, and the thread that ends the process.
    fn start(limits: &LimitArgs, nothing: impl FnMut() -> SoFar + Send + 'static) -> Self {
        let watch = Self::new(limits.starting_now(stop_on_interrupt()), nothing);
        let watched = watch.clone();
        // Without the thread, a command ends only when it polls.
        let _ = thread::Builder::new().spawn(move || watched.end_late());
        watch
    }

    fn new(limits: Limits, nothing: impl FnMut() -> SoFar + Send + 'static) -> Self {
        let progress = Progress::Searching(Box::new(nothing));
        Self { state: Arc::new(Mutex::new(State { progress, then: None, limits })) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A poisoned lock is ignored, because no code panics while the state is inconsistent.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the limits of the command.
    pub(super) fn limits(&self) -> Limits {
        self.state().limits.clone()
    }

    /// Removes the deadline. Afterwards, the time limit applies to each board separately.
    pub(super) fn time_each_board(&self) {
        self.state().limits.deadline = None;
    }

    /// Sets what is printed if a limit ends the command from now on.
    pub(super) fn keep(&self, so_far: impl FnMut() -> SoFar + Send + 'static) {
        self.state().progress = Progress::Searching(Box::new(so_far));
    }

    /// Calls `then` when the next message has been printed. If a limit ends the process, either both have happened or
    /// neither.
    pub(super) fn once_printed(&self, then: impl FnOnce() + Send + 'static) {
        self.state().then = Some(Box::new(then));
    }

    /// Returns a writer to standard output, which removes colours if standard output is not a terminal. Each message
    /// must end with a call of `flush`.
    pub(super) fn out(&self) -> Messages<'_> {
        self.messages(Box::new(anstream::stdout()))
    }

    /// Works like [`Watch::out`], but for text without colours.
    pub(super) fn plain(&self) -> Messages<'_> {
        self.messages(Box::new(io::stdout()))
    }

    fn messages<'w>(&'w self, out: Box<dyn Write + Send + 'w>) -> Messages<'w> {
        Messages { watch: self, out, buffer: Vec::new() }
    }

    /// Prints the result of the command. While `print` runs, limits do not end the process. Afterwards, nothing else is
    /// printed if a limit ends it.
    pub(super) fn result<R>(&self, print: impl FnOnce() -> R) -> R {
        self.state().progress = Progress::Printing;
        let printed = print();
        self.state().progress = Progress::Printed;
        printed
    }

    /// Records that everything has been written. The process may then end before the command has freed its memory.
    pub(super) fn ended(&self, status: ExitStatus) -> ExitStatus {
        self.state().progress = Progress::Ended(status);
        status
    }

    /// Ends the process if the command does not end soon after a limit.
    fn end_late(&self) {
        let mut since = None;
        loop {
            let mut state = self.state();
            let Limits { deadline, memory, .. } = state.limits;
            let held = memory.and_then(|_| process::resident()).unwrap_or(0);
            let is_over = state.limits.expired() || memory.is_some_and(|most| held > most);
            let now = Instant::now();
            let reached = since.filter(|_| is_over).or_else(|| deadline.filter(|&deadline| deadline <= now));
            since = is_over.then(|| reached.unwrap_or(now));
            let is_late = since.is_some_and(|since| now.duration_since(since) >= GRACE)
                || memory.is_some_and(|most| held > most + most / TOLERANCE);
            match state.progress {
                Progress::Ended(status) => end_process(status),
                Progress::Searching(_) | Progress::Printed if is_late => end_process(state.stop()),
                Progress::Searching(_) | Progress::Printed | Progress::Printing => {}
            }
            drop(state);
            thread::sleep(if memory.is_some() { MEMORY } else { CLOCK });
        }
    }
}

/// Ends the process without freeing its memory. The caller holds the lock of the state, so nothing else is printed.
fn end_process(status: ExitStatus) -> ! {
    cleanup::clean_up();
    std::process::exit(status as i32)
}

impl State {
    /// Prints the result so far, unless a result has been printed. Returns the exit status.
    fn stop(&mut self) -> ExitStatus {
        match std::mem::replace(&mut self.progress, Progress::Printed) {
            Progress::Searching(mut kept) => {
                let SoFar { out, err, status } = kept();
                // If standard output is closed, nobody reads the result.
                let mut stdout = anstream::stdout();
                let _ = stdout.write_all(out.as_bytes()).and_then(|()| stdout.flush());
                eprint!("{err}");
                status
            }
            Progress::Printing | Progress::Printed => {
                eprintln!("gordian: stopped by a limit after the result was printed");
                ExitStatus::Stopped
            }
            Progress::Ended(status) => status,
        }
    }
}

/// A writer to standard output. It passes on only whole messages, so the process never ends in the middle of one.
pub(super) struct Messages<'w> {
    watch: &'w Watch,
    out: Box<dyn Write + Send + 'w>,
    buffer: Vec<u8>,
}

/// The size at which a message is passed on up to its last line break. Only formulas and lists of values are longer.
const LONGEST: usize = 1 << 22;

impl Messages<'_> {
    fn pass_on(&mut self, length: usize) -> io::Result<()> {
        let mut state = self.watch.state();
        let bytes = self.buffer.get(..length).unwrap_or_default();
        let written = self.out.write_all(bytes).and_then(|()| self.out.flush());
        self.buffer.drain(..length);
        if self.buffer.is_empty()
            && let Some(then) = state.then.take()
        {
            then();
        }
        written
    }
}

impl Write for Messages<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= LONGEST
            && let Some(end) = self.buffer.iter().rposition(|&byte| byte == b'\n')
        {
            self.pass_on(end + 1)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pass_on(self.buffer.len())
    }
}

impl Drop for Messages<'_> {
    /// Passes on the last message, unless the command is being unwound because of a limit or a bug.
    fn drop(&mut self) {
        if !thread::panicking() && !self.buffer.is_empty() {
            // A writer whose errors matter is flushed before it is dropped.
            let _ = self.flush();
        }
    }
}

#[cfg(test)]
mod tests;
