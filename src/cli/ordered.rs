//! Prints the output for boards that are solved in parallel, keeping the order in which the boards were given.
//!
//! The output for the current board is written immediately. The output for later boards is buffered until all earlier
//! boards are finished.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use indicatif::ProgressBar;

/// The maximum number of bytes to buffer for a board. A board with more output waits until all earlier boards are
/// finished.
const MOST_WAITING: usize = 16 << 20;

/// The maximum number of bytes to collect before output is passed on.
const MOST_BUFFERED: usize = 1 << 20;

/// One of the two output streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stream {
    /// Standard output, for results.
    Out,
    /// Standard error, for all output other than results.
    Err,
}

/// The output for all boards.
pub(super) struct Ordered<'a> {
    state: Mutex<OutputState<'a>>,
    changed: Condvar,
    bar: &'a ProgressBar,
}

struct OutputState<'a> {
    turn: usize,
    waiting: BTreeMap<usize, Waiting>,
    out: Box<dyn Write + Send + 'a>,
    err: Box<dyn Write + Send + 'a>,
    /// The heading of the current board, if it has not been printed yet.
    heading: Option<String>,
    /// True if anything has been written to standard output.
    begun: bool,
    /// The first error that occurred when writing to standard output. After this error, no results are written.
    broken: Option<io::Error>,
}

/// The buffered output for a later board.
#[derive(Default)]
struct Waiting {
    heading: Option<String>,
    pieces: Vec<(Stream, Vec<u8>)>,
    size: usize,
    done: bool,
}

impl<'a> Ordered<'a> {
    /// Creates an empty output. `bar` is hidden while output is written.
    pub(super) fn new(
        out: impl Write + Send + 'a,
        err: impl Write + Send + 'a,
        bar: &'a ProgressBar,
    ) -> Self {
        let state = OutputState {
            turn: 0,
            waiting: BTreeMap::new(),
            out: Box::new(out),
            err: Box::new(err),
            heading: None,
            begun: false,
            broken: None,
        };
        Self { state: Mutex::new(state), changed: Condvar::new(), bar }
    }

    fn state(&self) -> MutexGuard<'_, OutputState<'a>> {
        // A poisoned lock is ignored, because a panic can't leave the state inconsistent.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts the output for a board. The heading is printed before the first result of the board.
    pub(super) fn begin(&self, board: usize, heading: Option<String>) {
        let mut state = self.state();
        if state.turn == board {
            state.heading = heading;
        } else {
            state.waiting.entry(board).or_default().heading = heading;
        }
    }

    /// Returns a writer for the output of a board. It passes on the output when it is flushed.
    pub(super) fn channel(&self, board: usize, stream: Stream) -> impl Write {
        io::BufWriter::with_capacity(MOST_BUFFERED, Channel { ordered: self, board, stream })
    }

    /// Ends the output for a board, and writes the buffered output of the next boards.
    pub(super) fn end(&self, board: usize) {
        let mut state = self.state();
        state.waiting.entry(board).or_default().done = true;
        self.bar.suspend(|| {
            while let Some(Waiting { heading, pieces, done, .. }) = state.next_waiting() {
                state.heading = heading.or(state.heading.take());
                for (stream, bytes) in pieces {
                    // The error is ignored here, because `print` stores it and the next write returns it.
                    let _ = state.print(stream, &bytes);
                }
                if !done {
                    break;
                }
                state.turn += 1;
                state.heading = None;
            }
        });
        self.changed.notify_all();
    }

    fn write(&self, board: usize, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        let mut state = self.state();
        loop {
            if let Some(error) = &state.broken {
                return Err(copy(error));
            }
            if state.turn == board {
                return self.bar.suspend(|| state.print(stream, bytes));
            }
            let waiting = state.waiting.entry(board).or_default();
            if waiting.size < MOST_WAITING {
                waiting.size += bytes.len();
                match waiting.pieces.last_mut() {
                    Some((last, piece)) if *last == stream => piece.extend_from_slice(bytes),
                    _ => waiting.pieces.push((stream, bytes.to_owned())),
                }
                return Ok(());
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Returns whether writing to standard output has failed.
    pub(super) fn is_broken(&self) -> bool {
        self.state().broken.is_some()
    }

    /// Ends all output. If all writes to standard output have succeeded, calls `last`, which prints a summary to
    /// standard error.
    pub(super) fn finish(self, last: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = state.broken.take() {
            return Err(error);
        }
        state.out.flush()?;
        // Errors when writing to standard error are always ignored.
        let _ = last(&mut state.err);
        Ok(())
    }
}

impl OutputState<'_> {
    /// Removes and returns the buffered output for the current board.
    fn next_waiting(&mut self) -> Option<Waiting> {
        self.waiting.remove(&self.turn)
    }

    fn print(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        match stream {
            // Errors when writing to standard error are ignored.
            Stream::Err => {
                let _ = self.err.write_all(bytes);
                Ok(())
            }
            Stream::Out => {
                let written = self.print_result(bytes);
                if let Err(error) = &written {
                    self.broken = Some(copy(error));
                }
                written
            }
        }
    }

    fn print_result(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some(heading) = self.heading.take() {
            let gap = if self.begun { "\n" } else { "" };
            writeln!(self.out, "{gap}==> {heading} <==")?;
        }
        self.begun = true;
        self.out.write_all(bytes)?;
        self.out.flush()
    }
}

/// Copies an error, because `io::Error` does not implement `Clone`.
fn copy(error: &io::Error) -> io::Error {
    error.raw_os_error().map_or_else(|| error.kind().into(), io::Error::from_raw_os_error)
}

struct Channel<'a, 'b> {
    ordered: &'a Ordered<'b>,
    board: usize,
    stream: Stream,
}

impl Write for Channel<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.ordered.write(self.board, self.stream, bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
