//! Answers the requests of the page.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use gordian_counting::Progress;
use num_bigint::BigUint;
use serde::Deserialize;

use super::event::{Drawing, Event, Problem, SHEET};
use crate::drawing;
use crate::format::Source;
use crate::puzzle::{self, Play, Puzzle, PuzzleType, Query, sheet};
use crate::query::{self, Improvement, Observer, Outcome, QueryError, Silent, Status};
use crate::read::{self, Board, ReadOptions};
use crate::search::Config;

/// A request of the page. Several open pages may share a server, so `page` identifies the page that sends the request.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase", deny_unknown_fields)]
enum Request {
    /// List the puzzle types.
    Types,
    /// Draw the samples of all puzzle types.
    Pictures,
    /// Solve a board, decide whether its solution is unique, and find the forced values.
    Solve { page: Option<String>, board: BoardText },
    /// Count the solutions of a board.
    Count { page: Option<String>, board: BoardText },
    /// Count the solutions of a board, and draw the share of solutions with each value as a heat map.
    Heat { page: Option<String>, board: BoardText },
    /// Explain the solution of a board step by step.
    Explain { page: Option<String>, board: BoardText },
    /// Explain why the value of a cell is forced or, without a cell, why a board has no solution. The cell is given by
    /// its index in row-major order.
    Why { page: Option<String>, board: BoardText, cell: Option<usize> },
    /// Explain the easiest next step from the user's marks.
    Hint { page: Option<String>, board: BoardText, marks: Vec<Vec<Option<i64>>> },
    /// Find superfluous clues or, for a board with several solutions, clues that would each make the solution unique.
    Clues { page: Option<String>, board: BoardText },
    /// Generate a board with exactly one solution.
    Make { page: Option<String>, board: NewBoard },
    /// Check the user's marks.
    Check { board: BoardText, marks: Vec<Vec<Option<i64>>> },
    /// Stop the search of a page. The search still sends the results found so far.
    Stop { page: Option<String> },
}

/// A board as text in any format.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BoardText {
    text: String,
    /// The puzzle type, or `None` to detect it from the text.
    puzzle: Option<String>,
    /// The rule sheet of the board, if it is not one of the program.
    sheet: Option<String>,
}

/// The properties of a board to generate.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewBoard {
    pub(super) puzzle: String,
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) seed: u64,
    /// The name of a [symmetry](crate::make::Symmetry).
    pub(super) symmetry: String,
    /// The text of a [pattern](crate::make::Pattern), or `None` for clues in any cells.
    pub(super) pattern: Option<String>,
    /// The name of an [effort](Effort), or `None` for any effort.
    pub(super) effort: Option<String>,
}

/// The reason why an answer ends early.
pub(super) enum Stop {
    /// The page has closed the connection.
    Closed,
    Problem(Problem),
}

impl From<io::Error> for Stop {
    fn from(_: io::Error) -> Self {
        Self::Closed
    }
}

impl From<QueryError> for Stop {
    fn from(error: QueryError) -> Self {
        match error {
            QueryError::Observer(_) => Self::Closed,
            error => Self::Problem(Problem::new(error.to_string())),
        }
    }
}

/// The maximum number of bytes of a sheet. Its puzzle type lives as long as the program.
const LONGEST_SHEET: usize = 1 << 16;

/// Returns the puzzle type that a user's own sheet states.
fn own_type(text: &str) -> Result<&'static PuzzleType, Problem> {
    if text.len() > LONGEST_SHEET {
        return Err(Problem::new(format!("the sheet has more than {LONGEST_SHEET} bytes")));
    }
    sheet::of_text(&Source::new(SHEET, text)).map_err(|error| Problem::from(&error))
}

/// The pages that have a running search. Each page has at most one search.
#[derive(Debug, Default)]
pub struct Pages {
    searches: Mutex<HashMap<Option<String>, Arc<AtomicBool>>>,
}

impl Pages {
    /// Answers a request. Calls `send` with each line of the answer, without line breaks. Reports an error in the
    /// request as an event of the answer. If `send` fails, the answer ends.
    pub fn answer(&self, request: &str, config: &Config, send: &mut dyn FnMut(&str) -> io::Result<()>) {
        let start = Instant::now();
        // The time limit applies to the request as a whole.
        let config = Config {
            timeout: None,
            deadline: config.limits().deadline,
            cancel: Some(config.cancel.clone().unwrap_or_default()),
            ..config.clone()
        };
        let limits = config.limits();
        let mut answer = Answer { send, config, stopped: false };
        let result = match serde_json::from_str(request) {
            // Queries poll the limits themselves. Everything else, such as the plain formulation of a board, ends here.
            Ok(request) => limits.within(|| self.request(request, &mut answer)).unwrap_or_else(|| {
                answer.stopped = true;
                Ok(())
            }),
            Err(error) => Err(Stop::Problem(Problem::new(format!("not a request of the page: {error}")))),
        };
        if let Err(Stop::Problem(problem)) = result
            && answer.send(&Event::Error(problem)).is_err()
        {
            return;
        }
        let milliseconds = start.elapsed().as_secs_f64() * 1000.0;
        // If the page has closed the connection, sending fails. The error is ignored, because the answer ends here.
        let _ = answer.send(&Event::End { stopped: answer.stopped, milliseconds });
    }

    fn request(&self, request: Request, answer: &mut Answer<'_>) -> Result<(), Stop> {
        match request {
            Request::Types => answer.types(),
            Request::Pictures => answer.pictures(),
            Request::Solve { page, board } => {
                let _search = self.start(page, answer);
                answer.solve(&board)
            }
            Request::Count { page, board } => {
                let _search = self.start(page, answer);
                answer.count(&board)
            }
            Request::Heat { page, board } => {
                let _search = self.start(page, answer);
                answer.heat(&board)
            }
            Request::Explain { page, board } => {
                let _search = self.start(page, answer);
                answer.explain(&board)
            }
            Request::Why { page, board, cell } => {
                let _search = self.start(page, answer);
                answer.why(&board, cell)
            }
            Request::Hint { page, board, marks } => {
                let _search = self.start(page, answer);
                answer.hint(&board, &marks)
            }
            Request::Clues { page, board } => {
                let _search = self.start(page, answer);
                answer.clues(&board)
            }
            Request::Make { page, board } => {
                let _search = self.start(page, answer);
                answer.make(&board)
            }
            Request::Check { board, marks } => answer.check(&board, &marks),
            Request::Stop { page } => {
                if let Some(search) = self.searches().get(&page) {
                    search.store(true, Ordering::Relaxed);
                }
                Ok(())
            }
        }
    }

    fn searches(&self) -> MutexGuard<'_, HashMap<Option<String>, Arc<AtomicBool>>> {
        self.searches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a search of a page. Stops the page's last search if it is still running.
    fn start(&self, page: Option<String>, answer: &mut Answer<'_>) -> Search<'_> {
        let cancel = Arc::clone(answer.config.cancel.get_or_insert_default());
        if let Some(last) = self.searches().insert(page.clone(), Arc::clone(&cancel)) {
            last.store(true, Ordering::Relaxed);
        }
        Search { pages: self, page, cancel }
    }
}

/// A running search of a page. Dropping it removes the page from the pages that have a running search.
struct Search<'a> {
    pages: &'a Pages,
    page: Option<String>,
    cancel: Arc<AtomicBool>,
}

impl Drop for Search<'_> {
    fn drop(&mut self) {
        let mut searches = self.pages.searches();
        // If the page has already started another search, that search must not be removed.
        if searches.get(&self.page).is_some_and(|cancel| Arc::ptr_eq(cancel, &self.cancel)) {
            searches.remove(&self.page);
        }
    }
}

/// An answer to a request.
pub(super) struct Answer<'a> {
    send: &'a mut dyn FnMut(&str) -> io::Result<()>,
    pub(super) config: Config,
    /// True if a search was stopped.
    pub(super) stopped: bool,
}

impl Answer<'_> {
    pub(super) fn send(&mut self, event: &Event<'_>) -> io::Result<()> {
        (self.send)(&serde_json::to_string(event)?)
    }

    /// Reads a board and sends its drawing.
    fn board(&mut self, board: &BoardText) -> Result<Box<dyn Puzzle>, Stop> {
        let Board { puzzle, candidates } = read_board(board)?;
        let (header, clues) = puzzle.editor().map(|editor| (editor.header, editor.clues.into())).unzip();
        let PuzzleType { name, rules, sheet, .. } = puzzle.puzzle_type();
        self.send(&Event::Board {
            puzzle: name,
            candidates: candidates.iter().map(|puzzle_type| puzzle_type.name).collect(),
            header,
            clues,
            native: puzzle.native(),
            layers: puzzle.play().map_or_else(Vec::new, Play::layers).into_iter().map(Into::into).collect(),
            rules,
            sheet: sheet.as_ref().map(|sheet| &*sheet.text),
            address: puzzle.address().ok().map(|written| written.address),
            drawing: Drawing::new("the board", &puzzle.draw(None)),
        })?;
        Ok(puzzle)
    }

    fn solve(&mut self, board: &BoardText) -> Result<(), Stop> {
        let puzzle = &*self.board(board)?;
        let config = self.config.clone();
        let query = puzzle.puzzle_type().default_query();
        let found = query::run(puzzle, query, &config, &mut Improvements(self))?;
        if self.ends(&found)? {
            return Ok(());
        }
        if let Some(solution) = &found.solution {
            let optimal = found.status == Status::Optimal;
            let objective = found.objective.map(|(row, value, _)| (row.name, value.to_string(), optimal));
            self.send(&Event::solution(puzzle, solution, objective))?;
        }
        let unique = query::run(puzzle, Query::Unique, &config, &mut Silent)?;
        if self.ends(&unique)? {
            return Ok(());
        }
        match (unique.unique, &unique.solution, &unique.other) {
            (Some(true), ..) => return Ok(self.send(&Event::Unique)?),
            (_, Some(one), Some(other)) => {
                let scenes = puzzle.draw(Some(one)).differing(puzzle.draw(Some(other)));
                let drawings = scenes.map(|scene| Drawing::new("one of two solutions", &scene));
                self.send(&Event::Several { drawings })?;
            }
            _ => {}
        }
        let forced = query::run(puzzle, Query::Backbone, &config, &mut Silent)?;
        let stopped = forced.status == Status::Stopped;
        if forced.solution.is_some() {
            let drawing = Drawing::new("the forced values", &drawing::backbone(puzzle, &forced));
            self.send(&Event::Forced { complete: !stopped, drawing })?;
        }
        self.stopped = stopped;
        Ok(())
    }

    /// Returns whether an outcome ends the answer: no solution exists, or the search stopped before it found a
    /// solution.
    fn ends(&mut self, outcome: &Outcome) -> Result<bool, Stop> {
        self.stopped = outcome.status == Status::Stopped;
        if outcome.status == Status::None {
            self.send(&Event::None)?;
        }
        Ok(outcome.status == Status::None || (self.stopped && outcome.solution.is_none()))
    }

    fn count(&mut self, board: &BoardText) -> Result<(), Stop> {
        let puzzle = read_board(board)?.puzzle;
        let outcome = self.counted(&*puzzle, Query::Count)?;
        self.send_count(&outcome)
    }

    /// Runs a counting query, and sends lower bounds while it runs. If the page terminates the program, it can still
    /// show the last bound.
    fn counted(&mut self, puzzle: &dyn Puzzle, query: Query) -> Result<Outcome, Stop> {
        let config = self.config.clone();
        let mut bounds = Bounds { answer: self, last: Instant::now(), sent: Ok(()) };
        let outcome = query::run(puzzle, query, &config, &mut bounds);
        bounds.sent?;
        Ok(outcome?)
    }

    fn send_count(&mut self, outcome: &Outcome) -> Result<(), Stop> {
        self.stopped = outcome.status == Status::Stopped;
        let count = outcome.count.clone().unwrap_or_default().to_string();
        Ok(self.send(&Event::Count { count, exact: !self.stopped })?)
    }

    fn heat(&mut self, board: &BoardText) -> Result<(), Stop> {
        let puzzle = read_board(board)?.puzzle;
        let outcome = self.counted(&*puzzle, Query::CountValues)?;
        self.send_count(&outcome)?;
        if outcome.values.is_none() {
            return Ok(());
        }
        let maps = drawing::heat_maps(&*puzzle, &outcome).into_iter();
        let maps = maps.map(|(scene, caption)| (Drawing::new(&caption, &scene), caption)).collect();
        Ok(self.send(&Event::Heat { maps })?)
    }
}

/// Returns the puzzle type with the given name.
pub(super) fn puzzle_type(name: &str) -> Result<&'static PuzzleType, Stop> {
    puzzle::find(name).ok_or_else(|| Stop::Problem(Problem::new(format!("unknown puzzle type `{name}`"))))
}

/// Reads a board.
pub(super) fn read_board(board: &BoardText) -> Result<Board, Stop> {
    let puzzle_type = match &board.sheet {
        Some(text) => Some(own_type(text).map_err(Stop::Problem)?),
        None => board.puzzle.as_deref().map(puzzle_type).transpose()?,
    };
    let options = ReadOptions { puzzle_type, ..ReadOptions::default() };
    let read = read::board(&Source::new("board", &*board.text), &options);
    read.map_err(|error| Stop::Problem(Problem::from(&error.into())))
}

/// Sends each better solution of an optimisation to the page.
struct Improvements<'a, 'b>(&'a mut Answer<'b>);

impl Observer for Improvements<'_, '_> {
    fn wants_better(&self) -> bool {
        true
    }

    fn better(&mut self, improvement: Improvement<'_>) -> io::Result<()> {
        let Improvement { puzzle, objective, solution, value } = improvement;
        let objective = Some((objective.name, value.to_string(), false));
        self.0.send(&Event::solution(puzzle, solution, objective))
    }
}

/// The minimum time between two events with a lower bound on the number of solutions. A person can't read bounds that
/// change more often, and each event makes the page redraw.
const BETWEEN: Duration = Duration::from_millis(200);

/// Sends lower bounds on the number of solutions to the page.
struct Bounds<'a, 'b> {
    answer: &'a mut Answer<'b>,
    last: Instant,
    /// The first error that occurred while sending.
    sent: io::Result<()>,
}

impl Observer for Bounds<'_, '_> {
    fn counting(&mut self, progress: &Progress) {
        if self.sent.is_ok() && self.last.elapsed() >= BETWEEN && progress.at_least > BigUint::ZERO {
            self.last = Instant::now();
            self.sent =
                self.answer.send(&Event::Count { count: progress.at_least.to_string(), exact: false });
        }
    }
}
