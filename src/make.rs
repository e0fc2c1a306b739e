//! Generates boards that have exactly one solution.
//!
//! The generator starts with a *draft*: a random solution, and a board with this solution. While the board has several
//! solutions, the generator finds the cells that differ between them, and changes the draft at one of these cells. It
//! keeps the change unless the number of these cells increases. The search for differing cells stops as soon as it has
//! found more cells than on the previous board. Finally, the generator removes superfluous clues.
//!
//! The approach is counterexample-guided: a second solution shows where the board must change. The same seed generates
//! the same board, unless a limit stops the search.
//!
//! ```
//! use gordian::make::{MakeOptions, Outcome, make};
//! use gordian::puzzle;
//! use gordian::search::Config;
//!
//! let rooks = puzzle::find("rooks").expect("a puzzle type");
//! let config = Config::default();
//! let (options, limits) = (MakeOptions::default(), config.limits());
//! let Outcome::Made(made) = make(rooks, (5, 5), 1, &options, &config, &limits, &mut |_| ())? else {
//!     panic!("there is no limit")
//! };
//! assert!(made.board.check(&made.solution).is_ok());
//! # Ok::<(), gordian::make::MakeError>(())
//! ```

use gordian_counting::Random;
use gordian_explain::Effort;

use crate::backend::{BackendError, Limits};
use crate::explain::Difficulty;
use crate::format::{InputError, Source};
use crate::nearest::some_of;
use crate::puzzle::{self, Options, Puzzle, PuzzleType};
use crate::read::{self, ReadOptions};
use crate::rules::sheet::EvalError;
use crate::rules::{Solution, Violation};
use crate::search::Config;

mod draft;
mod numberlink;
mod numcross;
mod pattern;
mod rating;
mod rooks;
mod sheet;
mod symmetry;

use draft::{Draft, Search};
pub use pattern::Pattern;
use rating::{Hardness, Rating};
pub use symmetry::Symmetry;

/// The options of [`make`].
#[derive(Debug, Clone, Default)]
pub struct MakeOptions {
    /// The symmetry of the arrangement of blocks, if the generator supports [symmetric](Generator::symmetric) boards.
    pub symmetry: Symmetry,
    /// The cells that may have clues, if the generator supports [patterns](Generator::patterned). Its size is that of the
    /// board. `None` for all cells.
    pub pattern: Option<Pattern>,
    /// The effort that an explanation of the solution must require, or `None` for any effort.
    pub difficulty: Option<Effort>,
    /// The number of superfluous clues that the board keeps, or `None` for the [default](Generator::spare) of the
    /// puzzle type; with a pattern, the board keeps all clues by default.
    pub spare: Option<Spare>,
    /// The options of the puzzle type.
    pub puzzle: Options,
}

/// The number of superfluous clues that a board keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spare {
    /// This many clues.
    Number(usize),
    /// All clues.
    All,
}

/// A board with exactly one solution.
#[derive(Debug)]
pub struct Made {
    /// The board.
    pub board: Box<dyn Puzzle>,
    /// The board in the native text format.
    pub text: String,
    /// Its only solution.
    pub solution: Solution,
    /// The difficulty of the board. `None` if the options do not require a difficulty, or if a limit was reached before
    /// the difficulty was known.
    pub difficulty: Option<Difficulty>,
    /// True if a limit was reached. Superfluous clues may then remain, or the difficulty may be unknown.
    pub stopped: bool,
}

/// The result of [`make`].
#[derive(Debug)]
pub enum Outcome {
    /// The board.
    Made(Box<Made>),
    /// A limit was reached before a board was found.
    Stopped {
        /// The best board so far.
        best: Option<BestBoard>,
        /// The conflict limit, if the generator gave up and some drafts were discarded because a check exceeded this
        /// limit. `None` if another limit was reached.
        conflicts: Option<u64>,
    },
}

/// A board that [`make`] has examined before a limit stopped it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BestBoard {
    /// The board in the native text format.
    pub text: String,
    /// The number of cells in which the solutions of the board are known to differ. The number is 0 if the board has one
    /// solution, but not the requested difficulty.
    pub differing: usize,
    /// The effort that explaining a board with one solution requires. `None` if the board has several solutions, or if
    /// the effort is only known to be greater than unit propagation.
    pub effort: Option<Effort>,
}

/// The progress of [`make`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MakeProgress {
    /// There is a new or improved draft, whose solutions differ in this number of cells.
    Draft(usize),
    /// A board with one solution was discarded because explaining it requires this effort. `None` stands for more effort
    /// than unit propagation.
    Discarded(Option<Effort>),
}

/// The reason why no board can be generated.
#[derive(Debug, thiserror::Error)]
pub enum MakeError {
    /// The puzzle type has no generator. The second value is the reason, if it is stated by a rule sheet.
    #[error("`{0}` has no generator{1}; expected one of {list}", list = puzzle_types())]
    PuzzleType(String, String),
    /// The options do not fit the puzzle type or the size.
    #[error("{0}")]
    Options(String),
    /// An option of the puzzle type is invalid.
    #[error(transparent)]
    PuzzleOptions(InputError),
    /// No draft led to a board.
    #[error("no board was found after {0} drafts; try another size, seed or difficulty")]
    NotFound(usize),
    /// The rules of a sheet can't be stated on a board.
    #[error("{0}; try a smaller size")]
    Rules(String),
    /// The solver failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The solution of the draft violates the rules.
    #[error("this is a bug in gordian: the solution of a generated board breaks the rules: {0}")]
    Wrong(Violation),
}

impl From<EvalError> for MakeError {
    fn from(error: EvalError) -> Self {
        Self::Rules(error.to_string())
    }
}

impl MakeError {
    /// Creates the error for a puzzle type without a generator.
    #[must_use]
    pub fn puzzle_type(puzzle_type: &PuzzleType) -> Self {
        let reason = puzzle_type.sheet.as_ref().and_then(|sheet| sheet::Roles::of(sheet).err());
        let reason = reason.map_or_else(String::new, |reason| format!(" for its rule sheet: {reason}"));
        Self::PuzzleType(puzzle_type.name.to_owned(), reason)
    }
}

/// The largest number of rows or columns.
pub const MOST_ROWS: usize = 100;

/// The generator gives up after this many drafts. The limit is needed because some sizes, such as 1x1, have no boards.
/// For 1x1, 10,000 drafts take a fraction of a second. Other sizes need far fewer drafts.
const DRAFTS: usize = 10_000;

/// The default conflict limit for one check. A board whose check exceeds the limit is discarded. The limit keeps one
/// hard draft of a large board from taking minutes. With 15x15 cells, nurikabe boards for 3 of 8 seeds take 19 to 27 s if
/// the limit is 10,000, and at most 2 s with this one.
pub const CONFLICTS: u64 = 2_000;

/// A generator of boards of one puzzle type.
#[derive(Debug, Clone)]
pub struct Generator {
    /// The puzzle type.
    pub puzzle_type: &'static PuzzleType,
    /// True if the generator supports symmetric boards.
    pub symmetric: bool,
    /// True if the cells that may have clues can be chosen.
    pub patterned: bool,
    /// The number of superfluous clues that a board keeps by default, or `None` if boards of this type have no
    /// superfluous clues.
    pub spare: Option<Spare>,
    /// The default numbers of rows and columns of the command line. Boards of this size take a few seconds at most.
    pub size: (usize, usize),
    run: Run,
}

type Run = fn(&Maker<'_>, (usize, usize), Random, &mut dyn FnMut(MakeProgress)) -> Result<Outcome, MakeError>;

/// The generators of puzzle types that are written in Rust.
static WRITTEN: [Generator; 4] = [
    Generator {
        symmetric: true,
        ..Generator::written::<rooks::RooksDraft>(&puzzle::rooks::PUZZLE, Some(Spare::Number(0)))
    },
    Generator::written::<numberlink::NumberlinkDraft>(&puzzle::numberlink::PUZZLE, None),
    Generator::written::<numberlink::NumberlinkDraft>(&puzzle::numberlink::AMAZE, None),
    // On average, a board of this size takes less than a second of processor time. A board of 7x7 cells takes 20
    // seconds, and a board of 8x8 cells takes more than a minute.
    Generator {
        size: (6, 6),
        ..Generator::written::<numcross::NumcrossDraft>(&puzzle::numcross::PUZZLE, None)
    },
];

/// Iterates over the generators of all puzzle types that have one, in the order of [`puzzle::all`].
pub fn generators() -> impl Iterator<Item = Generator> {
    puzzle::all().filter_map(Generator::of)
}

impl Generator {
    const fn written<D: Draft>(puzzle_type: &'static PuzzleType, spare: Option<Spare>) -> Self {
        Self { puzzle_type, symmetric: false, patterned: false, spare, size: (10, 10), run: Self::run::<D> }
    }

    fn run<D: Draft>(
        maker: &Maker<'_>,
        size: (usize, usize),
        random: Random,
        progress: &mut dyn FnMut(MakeProgress),
    ) -> Result<Outcome, MakeError> {
        maker.run::<D>(size, random, progress)
    }

    /// Returns the generator for a puzzle type, if there is one. A puzzle type that is stated by a rule sheet has one if
    /// the generator can choose all its data.
    #[must_use]
    pub fn of(puzzle_type: &'static PuzzleType) -> Option<Self> {
        let Some(sheet) = &puzzle_type.sheet else {
            return WRITTEN.iter().find(|generator| generator.puzzle_type.name == puzzle_type.name).cloned();
        };
        let roles = sheet::Roles::of(sheet).ok()?;
        Some(Self {
            puzzle_type,
            symmetric: roles.is_symmetric(sheet),
            patterned: roles.is_patterned(sheet),
            spare: roles.spare(),
            size: roles.size(sheet),
            run: Self::run::<sheet::SheetDraft>,
        })
    }
}

fn puzzle_types() -> String {
    some_of(&generators().map(|generator| generator.puzzle_type.name).collect::<Vec<_>>())
}

/// Generates a board of the given size (rows and columns) with exactly one solution.
///
/// The solver and the encodings come from `config`. The generator stops when any of `limits` except the conflict limit
/// is reached. The conflict limit applies to each check of a board, and a board whose check exceeds it is discarded.
/// The generator calls `progress` for each new or improved draft and for each discarded board.
///
/// # Errors
/// Returns an error if the puzzle type has no generator, if an option is invalid, if no board is found, or if the
/// solver fails.
pub fn make(
    puzzle_type: &'static PuzzleType,
    (rows, columns): (usize, usize),
    seed: u64,
    options: &MakeOptions,
    config: &Config,
    limits: &Limits,
    progress: &mut dyn FnMut(MakeProgress),
) -> Result<Outcome, MakeError> {
    if ![rows, columns].iter().all(|side| (1..=MOST_ROWS).contains(side)) {
        let message = format!("expected 1 to {MOST_ROWS} rows and columns, found {rows}x{columns}");
        return Err(MakeError::Options(message));
    }
    let generator = Generator::of(puzzle_type).ok_or_else(|| MakeError::puzzle_type(puzzle_type))?;
    if options.symmetry != Symmetry::None && !generator.symmetric {
        return Err(MakeError::Options(format!("`{}` boards can't be made symmetric", puzzle_type.name)));
    }
    if options.pattern.is_some() && !generator.patterned {
        let message = format!("the cells with clues of `{}` boards can't be chosen", puzzle_type.name);
        return Err(MakeError::Options(message));
    }
    if let Some(pattern) = options.pattern.as_ref().filter(|pattern| pattern.size() != (rows, columns)) {
        let (high, wide) = pattern.size();
        let message = format!("expected a pattern of {rows}x{columns} cells, found {high}x{wide}");
        return Err(MakeError::Options(message));
    }
    if options.symmetry == Symmetry::Quarter && rows != columns {
        let message =
            format!("a board with {rows}x{columns} cells can't have the symmetry of a quarter turn");
        return Err(MakeError::Options(message));
    }
    if options.spare.is_some() && generator.spare.is_none() {
        return Err(MakeError::Options(format!(
            "`{}` boards have no superfluous clues to keep",
            puzzle_type.name
        )));
    }
    let limits = &Limits { conflicts: limits.conflicts.or(Some(CONFLICTS)), ..limits.clone() };
    let usual = if options.pattern.is_some() { Some(Spare::All) } else { generator.spare };
    let maker = Maker { puzzle_type, options, spare: options.spare.or(usual), config, limits };
    (generator.run)(&maker, (rows, columns), Random::new(seed), progress)
}

/// The inputs of the generator.
struct Maker<'a> {
    puzzle_type: &'static PuzzleType,
    options: &'a MakeOptions,
    spare: Option<Spare>,
    config: &'a Config,
    limits: &'a Limits,
}

impl Maker<'_> {
    /// Returns whether the generator has reached a limit.
    fn stopped(&self) -> bool {
        self.limits.expired() || self.limits.exceeds_memory()
    }

    /// Returns the result of a step that was stopped by a limit. If no other limit has been reached, it was the
    /// conflict limit.
    fn limit_reached<T>(&self) -> Search<T> {
        if self.stopped() { Search::Stopped } else { Search::Exceeded }
    }

    /// Reads the board of a draft.
    fn board(&self, draft: &impl Draft) -> Result<Box<dyn Puzzle>, MakeError> {
        let options = ReadOptions {
            puzzle_type: Some(self.puzzle_type),
            options: self.options.puzzle.clone(),
            ..ReadOptions::default()
        };
        let source = Source::new("the generated board", self.text(draft));
        let board = read::board(&source, &options).map_err(|error| MakeError::PuzzleOptions(error.into()))?;
        Ok(board.puzzle)
    }

    fn text(&self, draft: &impl Draft) -> String {
        format!("{}\n{}", draft.header(self.puzzle_type.name), draft.body())
    }

    fn run<D: Draft>(
        &self,
        size: (usize, usize),
        mut random: Random,
        progress: &mut dyn FnMut(MakeProgress),
    ) -> Result<Outcome, MakeError> {
        let mut best: Option<BestBoard> = None;
        let mut hardest = Hardness::default();
        let mut conflicts = None;
        for number in 0..DRAFTS {
            if self.stopped() {
                return Ok(Outcome::Stopped { best, conflicts: None });
            }
            let Some(draft) = D::start(self, size, number, &mut random)? else { continue };
            let mut improved = |draft: &D, differing: usize| {
                // A discarded board with one solution has no differing cells, so it is better than any draft.
                if differing > 0 && best.as_ref().is_none_or(|best| differing < best.differing) {
                    best = Some(BestBoard { text: self.text(draft), differing, effort: None });
                }
                progress(MakeProgress::Draft(differing));
            };
            let draft = match draft::search(self, draft, &mut random, &mut improved)? {
                Search::Found(draft) => draft,
                Search::Failed => continue,
                Search::Exceeded => {
                    conflicts = self.limits.conflicts;
                    continue;
                }
                Search::Stopped => return Ok(Outcome::Stopped { best, conflicts: None }),
            };
            let (draft, stopped) = draft.finished(self, &mut random)?;
            let rating = match self.finish(&draft, stopped)? {
                // If its difficulty is not known, a discarded board of a known difficulty is better.
                Checked::Made(made) => match best {
                    Some(best) if made.stopped && best.differing == 0 && made.difficulty.is_none() => {
                        return Ok(Outcome::Stopped { best: Some(best), conflicts: None });
                    }
                    _ => return Ok(Outcome::Made(made)),
                },
                Checked::Exceeded => {
                    conflicts = self.limits.conflicts;
                    continue;
                }
                Checked::Other(rating) => rating,
            };
            progress(MakeProgress::Discarded(rating.effort()));
            let is_harder = |best: &BestBoard| best.differing > 0 || rating.hardness() > hardest;
            if best.as_ref().is_none_or(is_harder) {
                best = Some(BestBoard { text: self.text(&draft), differing: 0, effort: rating.effort() });
                hardest = rating.hardness();
            }
        }
        if conflicts.is_some() {
            return Ok(Outcome::Stopped { best, conflicts });
        }
        Err(MakeError::NotFound(DRAFTS))
    }

    /// Checks the solution and the difficulty of the board. If a limit of the generator is reached before the difficulty
    /// is known, the returned board has no difficulty.
    fn finish(&self, draft: &impl Draft, mut stopped: bool) -> Result<Checked, MakeError> {
        let board = self.board(draft)?;
        let solution = draft.solution();
        board.check(&solution).map_err(MakeError::Wrong)?;
        let mut difficulty = None;
        if let Some(effort) = self.options.difficulty {
            match self.rating(&*board, effort)? {
                Search::Found(Rating::Difficulty(found)) if found.effort == effort => {
                    difficulty = Some(found);
                }
                Search::Found(other) => return Ok(Checked::Other(other)),
                Search::Failed | Search::Exceeded => return Ok(Checked::Exceeded),
                Search::Stopped => stopped = true,
            }
        }
        // The first line of the text contains the puzzle type and its options.
        let header = board.editor().and_then(|editor| editor.header.lines().next().map(str::to_owned));
        let text = header.map_or_else(|| self.text(draft), |header| format!("{header}\n{}", draft.body()));
        Ok(Checked::Made(Box::new(Made { board, text, solution, difficulty, stopped })))
    }
}

/// The result of [`Maker::finish`].
enum Checked {
    /// A board with the requested difficulty.
    Made(Box<Made>),
    /// The board has another difficulty.
    Other(Rating),
    /// The explanation exceeded the conflict limit.
    Exceeded,
}
