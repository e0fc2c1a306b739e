//! Puzzle types: the table of all, and what each of them provides.
//!
//! A puzzle type is one file in `puzzle/` and one row in [`PUZZLES`]. The file holds the data of a board and its readers
//! for each syntax ([`Reader`]), the constraint model with the way back from an assignment to a solution ([`Puzzle::formulate`]), the
//! rules in plain Rust ([`Puzzle::check`], in a module `rules` that imports nothing of the encodings), and how it is
//! drawn.
//!
//! Over 400 lines: the table and what a row is belong together.

use std::fmt::Debug;

use gordian_encodings::{Assignment, IntVar, Lit, Model, Name, Sense, TRUE, Value};

use crate::format::pzpr::{Address, NoAddress, WrittenAddress};
use crate::format::text::TextDocument;
use crate::format::{InputError, Record, Source, Syntax};
use crate::render::Scene;
use crate::rules::{Content, Place, Rules, Solution};

pub mod age;
pub mod cards;
pub mod labyrinth;
pub mod nines;
pub mod numberlink;
pub mod numcross;
mod numeral;
pub mod nurikabe;
mod options;
mod paths;
pub mod powers;
mod query;
pub mod rooks;
pub mod smallest;
pub mod triangle;

pub use options::Options;
pub use query::{NamedQuery, Query, StageOutcome, Stages, UnknownQuery};

/// All puzzle types, in the order lists show them.
pub static PUZZLES: &[&PuzzleType] = &[
    &nurikabe::PUZZLE,
    &labyrinth::PUZZLE,
    &powers::PUZZLE,
    &cards::PUZZLE,
    &smallest::PUZZLE,
    &triangle::MAGIC,
    &triangle::MAX,
    &nines::PUZZLE,
    &age::PUZZLE,
    &numberlink::AMAZE,
    &numberlink::PUZZLE,
    &numcross::PUZZLE,
    &rooks::PUZZLE,
];

/// A puzzle type.
#[derive(Debug)]
pub struct PuzzleType {
    /// The word on the command line, on the first line of a text and in JSON.
    pub name: &'static str,
    /// Other words for it.
    pub aliases: &'static [&'static str],
    /// The rules in a few sentences.
    pub rules: &'static str,
    /// What may be chosen about a board beyond its data.
    pub options: &'static [OptionRow],
    /// What can make one solution better than another.
    pub objectives: &'static [ObjectiveRow],
    /// Whether the first objective is asked for when none is named.
    pub optimises: bool,
    /// The fields of its solutions in JSON.
    pub fields: &'static [FieldRow],
    /// The formats it is read from.
    pub readers: &'static [Reader],
}

/// A field of a puzzle's solutions in JSON.
#[derive(Debug)]
pub struct FieldRow {
    /// Its name.
    pub name: &'static str,
    /// How its numbers are arranged.
    pub shape: Shape,
    /// What it holds.
    pub summary: &'static str,
    /// Whether solutions do not have it, only the values that `gordian backbone` finds.
    pub backbone_only: bool,
}

impl FieldRow {
    /// A field of solutions.
    #[must_use]
    pub const fn new(name: &'static str, shape: Shape, summary: &'static str) -> Self {
        Self { name, shape, summary, backbone_only: false }
    }

    /// A field, or a value in a field, that only `gordian backbone` has.
    #[must_use]
    pub const fn in_backbone(name: &'static str, shape: Shape, summary: &'static str) -> Self {
        Self { name, shape, summary, backbone_only: true }
    }
}

/// How the numbers of a field are arranged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One number.
    Number,
    /// A list of numbers.
    List,
    /// A list of rows, which are lists of numbers.
    Rows,
}

/// An objective of a kind, chosen with `--objective NAME`.
#[derive(Debug, PartialEq, Eq)]
pub struct ObjectiveRow {
    /// Its name.
    pub name: &'static str,
    /// Which way it goes.
    pub sense: Sense,
    /// What is counted.
    pub summary: &'static str,
}

/// An option of a kind: `name=value` on the first line of a text or after `--option`.
#[derive(Debug)]
pub struct OptionRow {
    /// Its name.
    pub name: &'static str,
    /// The values it can have, the default first.
    pub values: &'static [&'static str],
    /// What it does.
    pub summary: &'static str,
}

/// The result of reading a puzzle.
pub type Read = Result<Box<dyn Puzzle>, InputError>;

/// How a kind is read from one format.
#[derive(Debug)]
pub enum Reader {
    /// The native text.
    Text {
        /// A small board.
        sample: &'static str,
        /// Reads the board.
        read: fn(&TextDocument, &Options) -> Read,
    },
    /// Named values.
    Record {
        /// How they are written.
        syntax: Syntax,
        /// The names of all required values, by which the puzzle type is recognised.
        names: &'static [&'static str],
        /// A small board.
        sample: &'static str,
        /// Reads the data.
        read: fn(&Record, &Options) -> Read,
    },
    /// A puzz.link address.
    Address {
        /// The names that addresses have for the puzzle type.
        names: &'static [&'static str],
        /// A small board.
        sample: &'static str,
        /// Reads the board.
        read: fn(&Address, &Options) -> Read,
    },
}

/// A board: an instance of a kind.
pub trait Puzzle: Rules + Debug + Send + Sync {
    /// Its kind.
    fn puzzle_type(&self) -> &'static PuzzleType;

    /// Returns the constraint model of the puzzle for a query, with the way back to a solution.
    fn formulate(&self, query: &Query) -> Formulation;

    /// Returns the formulations to solve one after the other; [`Puzzle::formulate`] alone unless a puzzle says otherwise.
    ///
    /// * [`Query::Satisfy`], [`Query::Optimise`]: the first formulation that has a solution has a wanted one.
    /// * [`Query::Enumerate`], [`Query::Count`]: each solution is in exactly one formulation.
    /// * [`Query::Unique`], [`Query::Backbone`]: each solution is in some formulation. After two are known, solutions may
    ///   come again.
    ///
    /// Small solutions can be looked for in small formulations first. Where the solutions are unbounded, so are the stages,
    /// and [`Puzzle::formulate`] is a formulation that has a (best) solution if the puzzle has any.
    fn stages<'a>(&'a self, query: &'a Query) -> Stages<'a> {
        let mut is_first = true;
        Box::new(move |_| std::mem::take(&mut is_first).then(|| self.formulate(query)))
    }

    /// The symmetries of the board, if the kind knows of any that boards can have.
    fn symmetry(&self) -> Option<Box<dyn Symmetry>> {
        None
    }

    /// The address of the board on puzz.link, for kinds that have a reader of addresses.
    ///
    /// # Errors
    /// If boards of its kind have none, or this one can't be written as one.
    fn address(&self) -> Result<WrittenAddress, NoAddress> {
        Err(NoAddress::PuzzleType(self.puzzle_type().name))
    }

    /// What there is to see of the board, with a solution on it if there is one. [`Puzzle::read_solution`] reads the
    /// [text](Scene::text) of it back.
    fn draw(&self, solution: Option<&Solution>) -> Scene;

    /// Reads a solution from rows of tokens as the text of [`Puzzle::draw`] has them.
    ///
    /// # Errors
    /// If the rows are not those of a solution to this board.
    fn read_solution(&self, rows: &Source) -> Result<Solution, InputError>;
}

/// Symmetries of a board: ways to turn each of its solutions into another one.
pub trait Symmetry: Debug + Sync {
    /// What was found, in words; nothing if the board has no symmetry.
    fn names(&self) -> Vec<String>;

    /// Requires of a model of the board that its solutions come first among those they can be turned into.
    fn break_in(&self, model: &mut Model);

    /// Begins to look which solutions can be turned into one another.
    fn census(&self) -> Box<dyn Census + '_>;
}

/// Counts solutions that can be turned into one another once.
pub trait Census {
    /// Takes a solution, unless one came before that can be turned into it.
    fn keep(&mut self, solution: &Solution) -> Option<Kept>;
}

/// A solution that is the first of its orbit to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// How many solutions it can be turned into, itself included; `None` if more than 2^128.
    pub orbit: Option<u128>,
}

/// A board as a constraint model.
pub struct Formulation {
    /// What must hold.
    pub model: Model,
    /// The solution that an assignment of the model's variables stands for.
    pub decode: Box<dyn Fn(&Assignment) -> Solution + Send + Sync>,
    /// The parts of the solution that can be told alone, such as its cells.
    pub parts: Vec<Part>,
}

/// A part of a solution, with the values that it can have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The name of the solution's field that it is in; or another name, for what the solution says in other words.
    pub field: &'static str,
    /// Its place there: the number of the cell, from zero.
    pub index: usize,
    /// Each value with the literals that all hold where the part has it; in each solution, those of one value only. A
    /// value may stand more than once, if it can come about in several ways.
    pub values: Vec<(Content, Vec<Lit>)>,
}

impl Part {
    /// The part that is 1 where the literal holds, else 0.
    #[must_use]
    pub fn yes_or_no(field: &'static str, index: usize, lit: Lit) -> Self {
        Self { field, index, values: vec![(Content::Number(1), vec![lit]), (Content::Number(0), vec![!lit])] }
    }

    /// The part that is the value of an integer.
    pub fn integer(field: &'static str, index: usize, x: IntVar, model: &mut Model) -> Self {
        let values: Vec<Value> = model.domain(x).values().collect();
        let mut last = None;
        let values = values.into_iter().map(|value| {
            let above = last.replace(value).map(|last| !model.at_most(x, last));
            let lits = above.into_iter().chain([model.at_most(x, value)]);
            (Content::Number(value), lits.filter(|&lit| lit != TRUE).collect())
        });
        Self { field, index, values: values.collect() }
    }
}

impl Debug for Formulation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Formulation").field("model", &self.model).finish_non_exhaustive()
    }
}

/// The name of a cell's literal or integer in exported formulas: `sea(2,5)`.
fn cell_name(what: &'static str, place: Place) -> Name {
    (what, place.row + 1, place.column + 1).into()
}

/// The puzzle type with this name or alias.
#[must_use]
pub fn find(name: &str) -> Option<&'static PuzzleType> {
    PUZZLES.iter().copied().find(|puzzle| puzzle.name == name || puzzle.aliases.contains(&name))
}

impl PuzzleType {
    /// The name and the aliases.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }
}

impl Reader {
    /// The syntax that it reads.
    #[must_use]
    pub fn syntax(&self) -> Syntax {
        match self {
            Self::Text { .. } => Syntax::Text,
            Self::Record { syntax, .. } => *syntax,
            Self::Address { .. } => Syntax::Address,
        }
    }

    /// The name of the syntax.
    #[must_use]
    pub fn format(&self) -> &'static str {
        self.syntax().name()
    }

    /// A small board in the syntax.
    #[must_use]
    pub fn sample(&self) -> &'static str {
        match self {
            Self::Text { sample, .. } | Self::Record { sample, .. } | Self::Address { sample, .. } => sample,
        }
    }
}
