//! `gordian solve`: answers to a board.

use std::io::{IsTerminal, stderr};

use clap::Args;

use super::means::Means;
use super::outcome::Printer;
use super::report::Failure;
use super::{Ending, input};
use crate::ask::{self, Times, Wanted, ask, timed};
use crate::puzzle::Kind;

/// Find an answer to a board, all of them, the best one, or their number.
///
/// Without a question: one answer, or the best where the kind of puzzle asks for it, or the proof that there is none.
///
/// Exit code 0: answered; 1: no answer exists; 2: the board can't be read; 3: stopped by a limit (what was found so far
/// is printed).
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gordian solve board.txt
  gordian solve 'https://puzz.link/p?nurikabe/3/3/1g1i1g1'
  gordian solve board.txt --unique
  gordian solve rooks.txt --objective fewest --timeout 10
  gordian solve - --puzzle rooks --count < rooks.txt")]
pub(super) struct Solve {
    #[command(flatten)]
    board: input::Board,
    #[command(flatten)]
    question: Question,
    /// `break`: of the answers that a symmetry of the board turns into one another, only one each, with their number
    #[arg(long, value_name = "HOW", value_enum, conflicts_with = "unique")]
    symmetry: Option<SymmetryUse>,
    #[command(flatten)]
    means: Means,
    /// Print JSON, an object a line
    #[arg(long)]
    json: bool,
    /// Print sizes, conflicts and times to standard error
    #[arg(long)]
    stats: bool,
}

/// What is asked of the board.
#[derive(Debug, Args)]
struct Question {
    /// Every answer, each as soon as it is found
    #[arg(long, group = "question")]
    all: bool,
    /// At most this many answers
    #[arg(long, value_name = "NUMBER", group = "question")]
    limit: Option<usize>,
    /// The number of answers
    #[arg(long, group = "question")]
    count: bool,
    /// Whether there is exactly one answer; if not, two of them and where they differ
    #[arg(long, group = "question")]
    unique: bool,
    /// The best answer by this objective of the kind, as in `gordian list`; `none` for any answer
    #[arg(long, value_name = "NAME", group = "question")]
    objective: Option<String>,
}

/// What to do about symmetries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum SymmetryUse {
    /// Break them.
    Break,
    /// Leave them.
    Keep,
}

impl Question {
    /// What it means for a board of this kind.
    fn wanted(&self, kind: &'static Kind) -> Result<Wanted, Failure> {
        Ok(match (self.all, self.limit, self.count, self.unique) {
            (true, ..) => Wanted::Answers { most: usize::MAX },
            (_, Some(most), ..) => Wanted::Answers { most },
            (_, _, true, _) => Wanted::Count,
            (.., true) => Wanted::Unique,
            _ => input::objective(kind, self.objective.as_deref())?.map_or(Wanted::One, Wanted::Best),
        })
    }
}

impl Solve {
    pub(super) fn run(&self) -> Result<Ending, Failure> {
        let means = self.means.chosen()?;
        let mut times = Times::default();
        let puzzle = timed(&mut times.parse, || self.board.read())?;
        let question = ask::Question {
            wanted: self.question.wanted(puzzle.kind())?,
            break_symmetry: self.symmetry == Some(SymmetryUse::Break),
        };
        let mut printer = Printer {
            source: self.board.name(),
            json: self.json,
            interactive: stderr().is_terminal(),
            out: &mut anstream::stdout(),
            err: &mut anstream::stderr(),
        };
        let mut outcome = ask(&*puzzle, question, &means, &mut printer)?;
        outcome.times.parse = times.parse;
        printer.outcome(&*puzzle, &outcome)?;
        if self.stats {
            printer.statistics(&outcome)?;
        }
        Ok(outcome.status.ending())
    }
}
