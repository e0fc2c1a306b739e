//! The table of puzzle types and the traits that each puzzle type implements.
//!
//! Each puzzle type has a file in `puzzle/` and an entry in [`PUZZLES`]. The file of a puzzle type contains its
//! readers, constraint models and drawings. The crate `gordian-rules` contains the data of a board and the checker of
//! its solutions.
//!
//! This file has over 400 lines because the trait [`Puzzle`] and the types of its results belong together.

use std::borrow::Cow;
use std::fmt::Debug;
use std::sync::{Arc, LazyLock};

use gordian_encodings::constraint::Linear;
use gordian_encodings::{Assignment, IntVar, Lit, Model, Name, Objective, Sense, TRUE, Value};

use crate::format::pzpr::{Address, NoAddress, WrittenAddress};
use crate::format::text::TextDocument;
use crate::format::{InputError, Record, Source, Syntax};
use crate::render::Scene;
use crate::rules::opb::RulesFormula;
use crate::rules::sheet::Sheet;
use crate::rules::{Content, Grid, Place, Rules, Solution};
use crate::solution;

pub mod age;
pub mod cards;
mod editor;
mod field;
mod given;
mod known;
pub mod labyrinth;
pub mod nines;
pub mod numberlink;
pub mod numcross;
mod numeral;
mod options;
mod paths;
pub mod plain;
pub mod play;
pub mod powers;
mod query;
pub mod rooks;
pub mod sheet;
pub mod smallest;
mod symmetry;
pub mod triangle;

pub use editor::{Editor, Tokens};
pub use field::{FactWords, FieldRow, Shape};
pub(crate) use given::model_with_facts;
pub use given::{Given, NoFact};
pub use known::Known;
pub use options::Options;
pub use plain::{ClueFormulation, Fact, FurtherClue, Plain};
pub use play::{Layer, Play};
pub use query::{NamedQuery, Query, StageOutcome, Stages, UnknownQuery};
pub use symmetry::{Census, Kept, Symmetry};

/// The puzzle types that are written in Rust, in the order of `gordian list`.
pub static PUZZLES: &[&PuzzleType] = &[
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

/// Iterates over all puzzle types: those that are written in Rust, and those of the rule sheets of this program.
pub fn all() -> impl Iterator<Item = &'static PuzzleType> {
    listed().map(Listed::puzzle_type)
}

/// Iterates over the entries of all puzzle types, in the order of [`all`].
pub(crate) fn listed() -> impl Iterator<Item = Listed> {
    PUZZLES.iter().copied().map(Listed::Type).chain(sheet::SHEETS.iter().map(Listed::Sheet))
}

/// An entry of the table of puzzle types. The names of a rule sheet are known without parsing it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Listed {
    Type(&'static PuzzleType),
    Sheet(&'static sheet::BuiltIn),
}

impl Listed {
    /// Returns the puzzle type. Its sheet is parsed when this is first called.
    pub(crate) fn puzzle_type(self) -> &'static PuzzleType {
        match self {
            Self::Type(puzzle_type) => puzzle_type,
            Self::Sheet(sheet) => sheet.puzzle_type(),
        }
    }

    /// Returns the name of the puzzle type.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Type(puzzle_type) => puzzle_type.name,
            Self::Sheet(sheet) => sheet.row.name,
        }
    }

    /// Returns the name and the aliases of the puzzle type.
    pub(crate) fn names(self) -> impl Iterator<Item = &'static str> {
        let aliases = match self {
            Self::Type(puzzle_type) => puzzle_type.aliases,
            Self::Sheet(sheet) => sheet.row.names.get(1..).unwrap_or_default(),
        };
        std::iter::once(self.name()).chain(aliases.iter().copied())
    }

    /// Returns the names of the puzzle type in addresses.
    pub(crate) fn address_names(self) -> impl Iterator<Item = &'static str> {
        let own = match self {
            Self::Type(_) => &[][..],
            Self::Sheet(sheet) => sheet.row.addresses,
        };
        let of_reader = |reader: &Reader| match *reader {
            Reader::Address { names, .. } => names,
            _ => &[][..],
        };
        own.iter().chain(self.written_readers().flat_map(of_reader)).copied()
    }

    /// Returns whether the puzzle type has this name in addresses.
    pub(crate) fn has_address(self, name: &str) -> bool {
        self.address_names().any(|known| known == name)
    }

    /// Returns the names that each reader of records in a syntax requires, in the order of [`PuzzleType::readers`].
    pub(crate) fn record_names(self, syntax: Syntax) -> impl Iterator<Item = &'static [&'static str]> {
        let own = match self {
            Self::Sheet(sheet) if syntax == Syntax::Json => Some(sheet.row.data),
            _ => None,
        };
        let of_reader = move |reader: &Reader| match *reader {
            Reader::Record { syntax: of, names, .. } if of == syntax => Some(names),
            _ => None,
        };
        own.into_iter().chain(self.written_readers().filter_map(of_reader))
    }

    /// Iterates over the readers that do not follow from a built-in sheet.
    fn written_readers(self) -> impl Iterator<Item = &'static Reader> {
        let (readers, extensions) = match self {
            Self::Type(puzzle_type) => (puzzle_type.readers, &[][..]),
            Self::Sheet(sheet) => (&[][..], sheet.row.extensions),
        };
        readers.iter().chain(extensions.iter().flat_map(|name| sheet::extension::readers(name)))
    }
}

/// A puzzle type, with the descriptions that the command line and the documentation show.
#[derive(Debug)]
pub struct PuzzleType {
    /// The name on the command line, on the first line of a native text, and in JSON.
    pub name: &'static str,
    /// Alternative names.
    pub aliases: &'static [&'static str],
    /// A summary of the rules in a few sentences.
    pub rules: &'static str,
    /// The options of a board, in addition to its data.
    pub options: &'static [OptionRow],
    /// The objectives that queries on puzzles of this type can optimise.
    pub objectives: &'static [ObjectiveRow],
    /// True if the default query optimises the first objective.
    pub optimises: bool,
    /// The fields of a solution in JSON.
    pub fields: &'static [FieldRow],
    /// The readers, one for each supported input format.
    pub readers: &'static [Reader],
    /// The rule sheet that states the puzzle type, if there is one.
    pub sheet: Option<Arc<Sheet>>,
    /// What a solver of the puzzle does.
    pub group: Group,
}

/// A group of puzzle types: what a solver does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Shades cells.
    Shading,
    /// Draws lines, loops or paths.
    Lines,
    /// Writes numbers into cells.
    Numbers,
    /// Divides the board.
    Areas,
    /// Places objects.
    Objects,
    /// Something else.
    Other,
}

impl Group {
    /// The groups in the order in which lists show them.
    pub const ALL: [Self; 6] =
        [Self::Shading, Self::Lines, Self::Numbers, Self::Areas, Self::Objects, Self::Other];

    /// Returns the heading of the group in lists.
    #[must_use]
    pub fn heading(self) -> &'static str {
        match self {
            Self::Shading => "Shade cells",
            Self::Lines => "Draw lines",
            Self::Numbers => "Write numbers",
            Self::Areas => "Divide the board",
            Self::Objects => "Place objects",
            Self::Other => "Other problems",
        }
    }
}

/// An objective of a puzzle type, chosen with `--objective NAME`.
#[derive(Debug, PartialEq, Eq)]
pub struct ObjectiveRow {
    /// The name of the objective.
    pub name: &'static str,
    /// The direction: minimise or maximise.
    pub sense: Sense,
    /// A description of the quantity to optimise.
    pub summary: &'static str,
}

/// An option of a puzzle type: `name=value` on the first line of a native text or after `--option`.
#[derive(Debug, Clone, Copy)]
pub struct OptionRow {
    /// The name of the option.
    pub name: &'static str,
    /// The possible values. The first value in the list is the default. If the list is empty, the summary describes
    /// the values, and the reader checks them.
    pub values: &'static [&'static str],
    /// A description of the option's effect.
    pub summary: &'static str,
}

/// The result of a reader: a board, or an error in the input.
pub type Read = Result<Box<dyn Puzzle>, InputError>;

/// A reader of one input format for one puzzle type.
#[derive(Debug, Clone, Copy)]
pub enum Reader {
    /// The native text format.
    Text {
        /// A small sample board.
        sample: Sample,
        /// The function that reads a board.
        read: fn(&TextDocument, &'static PuzzleType, &Options) -> Read,
    },
    /// A format of named values, such as JSON or `MiniZinc` data.
    Record {
        /// The syntax of the named values.
        syntax: Syntax,
        /// The names of all required values. They identify the puzzle type.
        names: &'static [&'static str],
        /// A small sample board.
        sample: Sample,
        /// The function that reads a board from named values.
        read: fn(&Record, &'static PuzzleType, &Options) -> Read,
    },
    /// A puzz.link address.
    Address {
        /// The names of the puzzle type in addresses.
        names: &'static [&'static str],
        /// A small sample board.
        sample: Sample,
        /// The function that reads a board from an address.
        read: fn(&Address, &'static PuzzleType, &Options) -> Read,
    },
}

/// A small sample board of a reader.
#[derive(Debug, Clone, Copy)]
pub enum Sample {
    /// The text of the board.
    Text(&'static str),
    /// A text that is computed when it is first needed.
    Computed(&'static Computed<String>),
}

/// A value that is computed when it is first needed.
type Computed<T> = LazyLock<T, Box<dyn FnOnce() -> T + Send>>;

/// A board: one instance of a puzzle type.
pub trait Puzzle: Rules + Debug + Send + Sync {
    /// Returns the puzzle type of the board.
    fn puzzle_type(&self) -> &'static PuzzleType;

    /// Returns the constraint model for `query`, with the function that decodes an assignment into a solution.
    fn formulate(&self, query: &Query) -> Formulation;

    /// Returns the stages of `query`: formulations that are solved one after the other. The default implementation
    /// returns only [`Puzzle::formulate`].
    ///
    /// The formulations must satisfy the following conditions:
    /// * [`Query::Satisfy`], [`Query::Optimise`]: the first satisfiable formulation contains a solution to the query.
    /// * [`Query::Enumerate`], [`Query::Count`], [`Query::CountValues`]: each solution belongs to exactly one
    ///   formulation.
    /// * [`Query::Unique`], [`Query::Backbone`]: each solution belongs to at least one formulation. A formulation may
    ///   repeat solutions of earlier formulations only after two different solutions have been found.
    ///
    /// A formulation may [assume](Model::assume) literals: the search then finds only solutions in which they are
    /// true. If the result depends on the assumed literals, the next formulation is solved as well. For
    /// [`Query::Optimise`], all solutions of the next formulation are better than the best solution found so far. A
    /// solution that is in several formulations is counted once.
    ///
    /// Stages allow a query to first search for small solutions in small formulations. If the size of solutions is
    /// unbounded, the number of stages is unbounded as well. Even in this case, the formulation that
    /// [`Puzzle::formulate`] returns must have a solution if the puzzle has one. For [`Query::Optimise`], this
    /// formulation must contain an optimal solution of the puzzle.
    fn stages<'a>(&'a self, query: &'a Query) -> Stages<'a> {
        let mut is_first = true;
        Box::new(move |_| std::mem::take(&mut is_first).then(|| self.formulate(query)))
    }

    /// Returns a formulation for `query` that keeps all solutions, even if the query needs only one, and that lists all
    /// [parts](Part) and [facts](Formulation::facts) of a solution. The caller may add constraints on these parts and
    /// facts.
    fn formulate_all(&self, query: &Query) -> Formulation {
        self.formulate(query)
    }

    /// Returns a formulation for counting all solutions by a [sweep](gordian_encodings::frontier), or `None` if the
    /// formulation for [`Query::Count`] is suitable for a sweep. In this formulation, the projected variables determine
    /// all others, and different assignments correspond to different solutions.
    ///
    /// For [`Query::CountValues`], the formulation has the same parts and facts as [`Puzzle::formulate_all`], and lists
    /// each value of a part once, with a single conjunction of literals. For [`Query::Count`], the lists of parts and
    /// facts may be empty.
    fn formulate_for_sweep(&self, query: &Query) -> Option<Formulation> {
        let _ = query;
        None
    }

    /// Returns a formulation for a query whose result is certified by a proof, or `None` if the formulations of
    /// [`Puzzle::stages`] are suitable. Every constraint of the formulation must occur in the formula that
    /// [`Puzzle::rules_formula`] writes, or be posted by [`Model::post_derived`]. The proof must be able to derive the clauses
    /// of its encoding.
    ///
    /// # Errors
    /// Returns a message if proofs do not support the puzzle.
    fn formulate_for_proof(&self, query: &Query) -> Result<Option<Formulation>, String> {
        let _ = query;
        Ok(None)
    }

    /// Returns a function that takes a solution and returns a formulation, as in [`Puzzle::formulate_for_proof`], of all
    /// other solutions. Its search proves uniqueness. If the result is `None`, the search for [`Query::Unique`] is recorded.
    fn formulate_other(&self) -> Option<FormulateOther<'_>> {
        None
    }

    /// Returns a formulation for the proof that no solution has a better value of the query's objective than `value`:
    /// a formulation as in [`Puzzle::formulate_for_proof`] which requires a better value, and has no objective. If the
    /// result is `None`, the proof consists of the cores of a core-guided search or, if `clausal` is true, the
    /// formulation for the query [requires a better value](Formulation::require_better).
    ///
    /// # Errors
    /// Returns a message if proofs do not support the puzzle.
    fn formulate_better(
        &self,
        query: &Query,
        value: i128,
        clausal: bool,
    ) -> Result<Option<Formulation>, String> {
        let _ = (query, value, clausal);
        Ok(None)
    }

    /// Returns the [plain formulation](plain) for explanations. By default, the rules are the named constraints of
    /// the formulation for [`Query::Backbone`].
    fn plain(&self) -> Plain {
        Plain::of_named(self.formulate(&Query::Backbone), &self.draw(None))
    }

    /// Returns whether the fact at `place` is true in a solution. The fact is one of [`Formulation::facts`]. Returns
    /// `None` if the solution does not determine the fact.
    fn states(&self, solution: &Solution, place: &str) -> Option<bool> {
        let _ = (solution, place);
        None
    }

    /// Returns the clues that can be left out individually, or `None` if the puzzle type has no such clues.
    fn clues(&self) -> Option<ClueFormulation<'_>> {
        None
    }

    /// Returns whether [`Puzzle::clues`] returns a formulation, without building it.
    fn has_clues(&self) -> bool {
        self.clues().is_some()
    }

    /// Returns whether each solution corresponds to exactly one assignment in the formulation for [`Query::Count`]. If
    /// a solution may correspond to several assignments, only the assignments of the [projection](Model::project) are
    /// counted.
    fn one_assignment_per_solution(&self) -> bool {
        true
    }

    /// Returns the names of the unbounded variables. If some variable is unbounded, no single formulation contains
    /// all solutions, so the puzzle has no formula to export.
    fn unbounded(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns whether solutions have a field with the given name.
    fn has_field(&self, name: &str) -> bool {
        self.puzzle_type().fields.iter().any(|field| field.name == name && !field.backbone_only)
    }

    /// Returns whether the outcome is printed with the status lines of solver competitions, such as `s SATISFIABLE`. The
    /// [drawings](Puzzle::draw) of solutions then are lines that start with `v`.
    fn has_status_lines(&self) -> bool {
        false
    }

    /// Returns a writer for the rules of the board as a pseudo-Boolean formula, or `None` if the puzzle type does not
    /// support such formulas.
    fn rules_formula(&self) -> Option<&dyn RulesFormula> {
        None
    }

    /// Returns the symmetries of the board, or `None` if the puzzle type does not support symmetries.
    fn symmetry(&self) -> Option<Box<dyn Symmetry>> {
        None
    }

    /// Returns the puzz.link address of the board.
    ///
    /// # Errors
    /// Returns an error if the puzzle type has no addresses, or if no address can represent the board.
    fn address(&self) -> Result<WrittenAddress, NoAddress> {
        Err(NoAddress::PuzzleType(self.puzzle_type().name))
    }

    /// Returns the tokens that an editor offers for the cells of the board, or `None` if the board does not consist
    /// of cells.
    fn editor(&self) -> Option<Editor> {
        None
    }

    /// Returns the board in the native text format, or `None` if the puzzle type has no writer. The text of a board with an
    /// [`Editor`] also follows from its tokens.
    fn native(&self) -> Option<String> {
        None
    }

    /// Returns what a person can mark on the board, or `None` if the puzzle type does not support marks.
    fn play(&self) -> Option<&dyn Play> {
        None
    }

    /// Draws the board and, if given, a solution on it. [`Puzzle::read_solution`] can read the [text](Scene::text) of
    /// the drawing.
    fn draw(&self, solution: Option<&Solution>) -> Scene;

    /// Reads a solution from the text that [`Puzzle::draw`] writes. By default, the text consists of the lines that
    /// [`solution::from_lines`] reads.
    ///
    /// # Errors
    /// Returns an error if the text does not have the expected format or does not fit this board.
    fn read_solution(&self, text: &Source) -> Result<Solution, InputError> {
        solution::from_lines(text)
    }

    /// Reads a partly filled board: the text of a solution in which some cells are unknown. The grid contains the
    /// value of each known cell. Returns `None` if the puzzle type has no such text.
    ///
    /// # Errors
    /// Returns an error if the text does not have the expected format or does not fit this board.
    fn read_partial(&self, text: &Source) -> Option<Result<Grid<Option<i128>>, InputError>> {
        let _ = text;
        None
    }
}

/// The constraint model of a board, with the function that decodes an assignment.
pub struct Formulation {
    /// The constraint model of the board.
    pub model: Model,
    /// The function that decodes an assignment of the model's variables into a solution.
    pub decode: Box<dyn Fn(&Assignment) -> Solution + Send + Sync>,
    /// The parts of the solution, such as cells. [`Query::Backbone`] determines the possible values of each part, and
    /// [`Query::CountValues`] counts the solutions with each value.
    pub parts: Vec<Part>,
    /// Facts that explanations use but that are not values of parts, such as a line between two cells. A formulation
    /// that does not list all parts may omit the facts.
    pub facts: Vec<Fact>,
}

impl Formulation {
    /// Replaces the objective of the model by the constraint that its value is better than `value`.
    pub fn require_better(&mut self, value: i128) {
        let Some(objective) = self.model.objective().cloned() else { return };
        self.model.remove_objective();
        let Objective { sense, terms, constant, equal, .. } = objective;
        for terms in std::iter::once(terms).chain(equal) {
            let constraint = match sense {
                Sense::Minimise => Linear::at_most(terms, value.saturating_sub(1).saturating_sub(constant)),
                Sense::Maximise => Linear::at_least(terms, value.saturating_add(1).saturating_sub(constant)),
            };
            self.model.post_as("a better solution", constraint);
        }
    }
}

/// A function that returns a formulation for all solutions but the given one.
pub type FormulateOther<'a> = Box<dyn Fn(&Solution) -> Formulation + 'a>;

/// A part of a solution, such as a cell, and its possible values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The name of the field that contains the part. Some fields occur in the backbone, but not in solutions.
    pub field: Cow<'static, str>,
    /// The index of the part in the field, counted from zero. In a grid, the index of a part is the index of its
    /// cell.
    pub index: usize,
    /// The possible values, each with a conjunction of literals. The part has a value if all literals of the
    /// conjunction are true. A value may be listed several times; the part has the value if any of its conjunctions
    /// is true. In every solution, the part has exactly one value.
    pub values: Vec<(Content, Vec<Lit>)>,
}

impl Part {
    /// Creates a part that has the value 1 if `lit` is true and the value 0 if it is false.
    #[must_use]
    pub fn yes_or_no(field: impl Into<Cow<'static, str>>, index: usize, lit: Lit) -> Self {
        let field = field.into();
        Self { field, index, values: vec![(Content::Number(1), vec![lit]), (Content::Number(0), vec![!lit])] }
    }

    /// Creates a part that has the value of the integer variable `x`.
    pub fn integer(field: impl Into<Cow<'static, str>>, index: usize, x: IntVar, model: &mut Model) -> Self {
        let values: Vec<Value> = model.domain(x).values().collect();
        let mut last = None;
        let values = values.into_iter().map(|value| {
            let above = last.replace(value).map(|last| !model.at_most(x, last));
            let lits = above.into_iter().chain([model.at_most(x, value)]);
            (Content::Number(value), lits.filter(|&lit| lit != TRUE).collect())
        });
        Self { field: field.into(), index, values: values.collect() }
    }

    /// Creates a part like [`Part::integer`], but represents each value by at most one literal, as proofs require.
    pub fn integer_for_proof(
        field: impl Into<Cow<'static, str>>,
        index: usize,
        x: IntVar,
        model: &mut Model,
    ) -> Self {
        let values: Vec<Value> = model.domain(x).values().collect();
        let values = values.into_iter().map(|value| {
            let lit = model.equals(x, value);
            (Content::Number(value), Some(lit).filter(|&lit| lit != TRUE).into_iter().collect())
        });
        Self { field: field.into(), index, values: values.collect() }
    }
}

impl Debug for Formulation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Formulation").field("model", &self.model).finish_non_exhaustive()
    }
}

/// Returns the name of a cell's variable in exported formulas, such as `sea(2,5)`.
fn cell_name(what: &'static str, place: Place) -> Name {
    (what, place.row + 1, place.column + 1).into()
}

/// Returns the puzzle type with the given name or alias, or with this name in addresses. Names are compared without case,
/// spaces, `_` and `-`, and katakana equal hiragana.
#[must_use]
pub fn find(name: &str) -> Option<&'static PuzzleType> {
    let wanted = plain_name(name);
    let named = listed().find(|entry| entry.names().any(|known| plain_name(known) == wanted));
    named.map(Listed::puzzle_type).or_else(|| with_address(name).next())
}

/// Returns the puzzle types with a name that contains the given text, compared as in [`find`].
#[must_use]
pub fn search(text: &str) -> Vec<&'static PuzzleType> {
    let wanted = plain_name(text);
    let contains = |entry: &Listed| {
        entry.names().chain(entry.address_names()).any(|name| plain_name(name).contains(&wanted))
    };
    listed().filter(contains).map(Listed::puzzle_type).collect()
}

/// Returns a name as [`find`] compares it.
fn plain_name(name: &str) -> String {
    /// The distance between a katakana and its hiragana.
    const KANA: u32 = 'ァ' as u32 - 'ぁ' as u32;
    let of_char = |c: char| match c {
        'ァ'..='ヶ' => char::from_u32(u32::from(c) - KANA).unwrap_or(c),
        c => c,
    };
    name.chars().filter(|c| !matches!(c, ' ' | '_' | '-')).flat_map(char::to_lowercase).map(of_char).collect()
}

/// Iterates over the puzzle types with the given name in addresses.
pub(crate) fn with_address(name: &str) -> impl Iterator<Item = &'static PuzzleType> {
    let entries = listed().filter(move |entry| entry.has_address(name));
    entries.map(Listed::puzzle_type)
}

impl PuzzleType {
    /// Returns the names of the objectives.
    pub(crate) fn objective_names(&self) -> impl Iterator<Item = &'static str> {
        self.objectives.iter().map(|objective| objective.name)
    }

    /// Returns the name and the aliases of the puzzle type.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }
}

impl Reader {
    /// Returns the syntax that the reader accepts.
    #[must_use]
    pub fn syntax(&self) -> Syntax {
        match self {
            Self::Text { .. } => Syntax::Text,
            Self::Record { syntax, .. } => *syntax,
            Self::Address { .. } => Syntax::Address,
        }
    }

    /// Returns the name of the syntax that the reader accepts.
    #[must_use]
    pub fn format(&self) -> &'static str {
        self.syntax().name()
    }

    /// Returns a small sample board in the syntax of the reader.
    #[must_use]
    pub fn sample(&self) -> &'static str {
        let (Self::Text { sample, .. } | Self::Record { sample, .. } | Self::Address { sample, .. }) = self;
        match sample {
            Sample::Text(text) => text,
            Sample::Computed(text) => text,
        }
    }
}
