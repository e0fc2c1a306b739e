//! Rule sheets: a puzzle type as a text of about ten lines.
//!
//! A sheet states the data of a board, the variables, the rules and the solution. [`Sheet::parse`] reads it and checks
//! names and sorts. A [`SheetBoard`] is a board with its data. [`SheetBoard::check`] checks a solution by evaluating
//! the rules on its values. [`SheetBoard::ground`] lists the instances of the rules as formulas over variables, which
//! encodings turn into clauses. Both share the syntax tree and what depends on the board only, and nothing else.
//!
//! ```
//! use gordian_rules::sheet::Sheet;
//!
//! let sheet = Sheet::parse(
//!     "puzzle mosaic
//! data grid clue
//! var shaded on cells
//! solution shaded shaded
//! rule \"clue\" for c in clue: count(x in around(c) + c: shaded(x)) = clue(c)",
//! );
//! assert_eq!(sheet.unwrap().rules.len(), 1);
//!
//! let error = Sheet::parse("puzzle mosaic\nvar shaded on cels").unwrap_err();
//! assert_eq!(error.to_string(), "expected a known name, found `cels`");
//! assert_eq!(error.help.as_deref(), Some("did you mean `cells`?"));
//! ```

mod address;
mod board;
mod builtin;
mod check;
mod error;
mod eval;
mod geometry;
mod ground;
mod lexer;
mod memo;
mod opb;
mod parse;
mod place;
mod resolve;
mod scheme;
mod shape;
mod sort;
mod style;
mod syntax;
mod tree;
mod usage;
mod value;

pub use address::{ADDRESS_SCHEMES, AddressPart, AddressRow, AddressScheme, SheetAddress};
pub use board::{Assignment, DataValues, PlaceMap, SheetBoard, VariablePlaces};
pub use builtin::{BUILTINS, Builtin, Shape};
pub use check::{Breach, cells_of};
pub use error::SheetError;
pub use eval::EvalError;
pub use geometry::Geometry;
pub use ground::{Comparison, Formula, Ground, GroundError, Instance, Required, Sum, Term, Variable};
pub use opb::{BoardFormula, FormulaVariable};
pub use place::{Axis, Cell, Direction, Size, Spot};
pub use scheme::{DataSort, SCHEMES, Scheme, SchemeRow};
pub use sort::Sort;
pub use style::Style;
pub use syntax::{Quantifier, Span};
pub use value::{Set, Value};

use tree::{Definition, Node, NodeKind, NodePart};

/// A sheet of this crate.
#[derive(Debug)]
pub struct SheetRow {
    /// The name of the puzzle type.
    pub name: &'static str,
    /// The name, followed by the other names.
    pub names: &'static [&'static str],
    /// The names in addresses.
    pub addresses: &'static [&'static str],
    /// The names of the data that every board has.
    pub data: &'static [&'static str],
    /// The names of the program's extensions.
    pub extensions: &'static [&'static str],
    /// The sheet.
    pub text: &'static str,
    /// A small board. Its first line is a comment with the number of its solutions.
    pub sample: &'static str,
}

/// The sheets of this crate, one for each file in its folder `sheets`, in alphabetical order.
pub static SHEETS: &[SheetRow] = include!(concat!(env!("OUT_DIR"), "/sheets.rs"));

/// A rule sheet whose names are resolved and whose sorts are checked.
#[derive(Debug)]
pub struct Sheet {
    /// The text.
    pub text: String,
    /// The name of the puzzle type, followed by its other names.
    pub names: Vec<String>,
    /// The description for people, which may be empty.
    pub about: String,
    /// The blocks of a board's data, in the order in which they are written.
    pub blocks: Vec<DataBlock>,
    /// The data of a board.
    pub data: Vec<Data>,
    /// The families of variables.
    pub vars: Vec<VarFamily>,
    /// The instances of definitions.
    definitions: Vec<Definition>,
    /// The rules, and the implied rules.
    pub rules: Vec<Rule>,
    /// The variables that form a solution.
    pub shown: Vec<Shown>,
    /// The puzz.link addresses.
    pub addresses: Vec<SheetAddress>,
    /// The numbers of rows and columns of boards that are made, if the sheet states them.
    pub made: Option<(u16, u16)>,
    /// The names of what the program adds to the sheet, each with its place in the text.
    pub extensions: Vec<(String, Span)>,
}

/// A block of a board's data.
#[derive(Debug)]
pub struct DataBlock {
    /// How the block is written.
    pub scheme: Scheme,
    /// The data in the block, as indices of [`Sheet::data`].
    pub fields: Vec<usize>,
    /// True if a board can lack the block.
    pub is_optional: bool,
}

/// Data of a board.
#[derive(Debug)]
pub struct Data {
    /// The name.
    pub name: String,
    /// What the name stands for.
    pub sort: DataSort,
    /// What an option means; empty for other data.
    pub meaning: String,
    /// The set of possible values, if the sheet says it.
    values: Option<Node>,
}

/// A family of variables.
#[derive(Debug)]
pub struct VarFamily {
    /// The name.
    pub name: String,
    /// The sort of the places.
    pub place: Sort,
    /// The set of values of the variable at the place `it`; `None` for Boolean variables.
    domain: Option<Node>,
    /// The set of places.
    on: Node,
}

impl VarFamily {
    /// Returns whether the variables are Boolean.
    #[must_use]
    pub fn is_boolean(&self) -> bool {
        self.domain.is_none()
    }
}

/// A rule.
#[derive(Debug)]
pub struct Rule {
    /// The name in explanations and violations.
    pub name: String,
    part: NodePart,
    /// True if the rule follows from the others and only speeds up the search.
    pub implied: bool,
}

/// A variable that belongs to a solution.
#[derive(Debug)]
pub struct Shown {
    /// The index in [`Sheet::vars`].
    pub var: usize,
    /// How the variable is drawn and written.
    pub style: Style,
    /// The symbol for the style [`Style::Mark`].
    pub symbol: Option<String>,
}

impl Sheet {
    /// Parses and checks a sheet.
    ///
    /// # Errors
    /// Returns the first error, with its place in the text.
    pub fn parse(text: &str) -> Result<Self, SheetError> {
        resolve::resolve(text, parse::parse(text)?)
    }

    /// Returns the name of the puzzle type.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.names[0]
    }

    /// Returns whether a rule contains a quantifier.
    #[must_use]
    pub fn quantifies(&self, quantifier: Quantifier) -> bool {
        self.contains(&|kind| matches!(kind, NodeKind::Quantifier(found, _) if *found == quantifier))
    }

    /// Returns whether a rule contains a built-in set or function.
    #[must_use]
    pub fn calls(&self, name: &str) -> bool {
        self.contains(&|kind| matches!(kind, NodeKind::Builtin(row, _) if BUILTINS[*row].name == name))
    }

    fn contains(&self, wanted: &dyn Fn(&NodeKind) -> bool) -> bool {
        let in_rules = self.rules.iter().any(|rule| rule.part.contains(wanted));
        in_rules || self.definitions.iter().any(|definition| definition.body.contains(wanted))
    }
}

#[cfg(test)]
mod tests;
