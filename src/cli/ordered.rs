//! Output of boards that are answered at the same time, in the order in which the boards were given.
//!
//! One board at a time has its turn: what is written for it goes out at once. What is written for later boards waits.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use indicatif::ProgressBar;

/// How much may wait of one board's output, in bytes, before the board itself has to wait for its turn.
const MOST_WAITING: usize = 16 << 20;

/// Where a piece of output goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stream {
    /// Results: standard output.
    Out,
    /// All else: standard error.
    Err,
}

/// The outputs of all boards.
pub(super) struct Ordered<'a> {
    state: Mutex<State<'a>>,
    changed: Condvar,
    bar: &'a ProgressBar,
}

struct State<'a> {
    turn: usize,
    waiting: BTreeMap<usize, Waiting>,
    out: Box<dyn Write + Send + 'a>,
    err: Box<dyn Write + Send + 'a>,
    /// The heading of the board that has its turn, until it is printed.
    heading: Option<String>,
    /// Whether anything was printed to standard output.
    begun: bool,
    /// Why standard output can't be written any more.
    broken: Option<io::Error>,
}

/// The output of a board whose turn it is not.
#[derive(Default)]
struct Waiting {
    heading: Option<String>,
    pieces: Vec<(Stream, Vec<u8>)>,
    size: usize,
    done: bool,
}

impl<'a> Ordered<'a> {
    /// Nothing is written yet. The bar is out of the way while something is printed.
    pub(super) fn new(
        out: impl Write + Send + 'a,
        err: impl Write + Send + 'a,
        bar: &'a ProgressBar,
    ) -> Self {
        let state = State {
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

    fn state(&self) -> MutexGuard<'_, State<'a>> {
        // A panic of a board leaves nothing half done here.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins the output of a board. The heading is printed before its first result, if there is any.
    pub(super) fn begin(&self, board: usize, heading: Option<String>) {
        let mut state = self.state();
        if state.turn == board {
            state.heading = heading;
        } else {
            state.waiting.entry(board).or_default().heading = heading;
        }
    }

    /// Where the output of a board is written.
    pub(super) fn channel(&self, board: usize, stream: Stream) -> impl Write {
        io::LineWriter::new(Channel { ordered: self, board, stream })
    }

    /// Ends the output of a board.
    pub(super) fn end(&self, board: usize) {
        let mut state = self.state();
        state.waiting.entry(board).or_default().done = true;
        self.bar.suspend(|| {
            while let Some(Waiting { heading, pieces, done, .. }) = state.next_waiting() {
                state.heading = heading.or(state.heading.take());
                for (stream, bytes) in pieces {
                    // An error is kept for whoever writes next.
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

    /// Whether standard output can't be written any more.
    pub(super) fn is_broken(&self) -> bool {
        self.state().broken.is_some()
    }

    /// Ends all output, with a last word to standard error unless standard output can't be written any more.
    pub(super) fn finish(self, last: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = state.broken.take() {
            return Err(error);
        }
        state.out.flush()?;
        // As with all that goes there.
        let _ = last(&mut state.err);
        Ok(())
    }
}

impl State<'_> {
    /// What waits of the board that has its turn.
    fn next_waiting(&mut self) -> Option<Waiting> {
        self.waiting.remove(&self.turn)
    }

    fn print(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        match stream {
            // That a report can't be written is no failure.
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

/// Errors can't be cloned.
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
