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
mod eval;
mod geometry;
mod ground;
mod lexer;
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

use std::fmt;

pub use address::{ADDRESS_SCHEMES, AddressPart, AddressRow, AddressScheme, SheetAddress};
pub use board::{Assignment, DataValues, PlaceMap, SheetBoard};
pub use builtin::{BUILTINS, Builtin, Shape};
pub use check::{Breach, cells_of};
pub use eval::EvalError;
pub use geometry::Geometry;
pub use ground::{Comparison, Formula, Ground, GroundError, Instance, Required, Sum, Term, Variable};
pub use opb::FormulaVariable;
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
    /// The sheet.
    pub text: &'static str,
    /// A small board. Its first line is a comment with the number of its solutions.
    pub sample: &'static str,
}

macro_rules! sheets {
    ($($name:literal),+ $(,)?) => {
        /// The sheets of this crate.
        pub static SHEETS: &[SheetRow] = &[$(SheetRow {
            name: $name,
            text: include_str!(concat!("../sheets/", $name, ".sheet")),
            sample: include_str!(concat!("../sheets/", $name, ".txt")),
        }),+];
    };
}

sheets![
    "alter",
    "antiking",
    "antiknight",
    "aqre",
    "aquarium",
    "arrowsudoku",
    "ayeheya",
    "balance",
    "battleship",
    "binairo",
    "bonsan",
    "bosanowa",
    "bosnianroad",
    "bramble",
    "brownies",
    "bwloop",
    "canal",
    "castle",
    "cave",
    "cbanana",
    "chocona",
    "circlesquare",
    "cityspace",
    "cocktail",
    "cojun",
    "context",
    "countryroad",
    "creek",
    "curving",
    "detour",
    "diagonalsudoku",
    "disco",
    "disjointgroups",
    "dominion",
    "dominosa",
    "doppelblock",
    "dosufuwa",
    "dotchi",
    "dotchi2",
    "doubleback",
    "easyasabc",
    "edamame",
    "extraregions",
    "factors",
    "familyphoto",
    "fillmat",
    "fillomino",
    "fivecells",
    "fourcells",
    "futoshiki",
    "galaxies",
    "geradeweg",
    "germanwhispers",
    "goishi",
    "gokigen",
    "guidearrow",
    "haisu",
    "hakoiri",
    "hakyuu",
    "hamlepaths",
    "hanare",
    "hashi",
    "heteromino",
    "heyablock",
    "heyabon",
    "heyawake",
    "hidato",
    "hitori",
    "invlitso",
    "jigsaw",
    "juosan",
    "kakurasu",
    "kakuro",
    "kakuru",
    "kazunori",
    "kenken",
    "killer",
    "koburin",
    "kramma",
    "kropki",
    "kurochute",
    "kuromasu",
    "kusabi",
    "lapaz",
    "lightshadow",
    "linesweeper",
    "lither",
    "lits",
    "littlekiller",
    "lixloop",
    "lookair",
    "loute",
    "lring",
    "magnets",
    "makaro",
    "mannequin",
    "marutaring",
    "masyu",
    "maxi",
    "meander",
    "mejilink",
    "midloop",
    "minarism",
    "mines",
    "mochikoro",
    "moonsun",
    "mosaic",
    "myopia",
    "nagenawa",
    "nanbaboru",
    "nanro",
    "nawabari",
    "news",
    "nonconsecutive",
    "nondango",
    "nonogram",
    "norinori",
    "norinuri",
    "nothing",
    "nothree",
    "nuribou",
    "nuriloop",
    "nurimisaki",
    "nuritwin",
    "oneroom",
    "onsen",
    "orbital",
    "outofsight",
    "paintarea",
    "palindromesudoku",
    "pentominous",
    "pipelink",
    "putteria",
    "rassi",
    "rectslider",
    "remlen",
    "renban",
    "renbansudoku",
    "retsurin",
    "ringring",
    "roma",
    "ruleofthree",
    "sananko",
    "sandwich",
    "sashigane",
    "sashikabe",
    "sashikazune",
    "satogaeri",
    "shikaku",
    "shimaguni",
    "shingoki",
    "shugaku",
    "simplegako",
    "simpleloop",
    "skyscrapers",
    "slitherlink",
    "slovak",
    "smullyan",
    "snake",
    "squarejam",
    "starbattle",
    "stostone",
    "str8ts",
    "sudoku",
    "suguru",
    "sukoro",
    "sukororoom",
    "sumiwake",
    "swslither",
    "tapa",
    "tasquare",
    "tatamibari",
    "tateyoko",
    "tenner",
    "tents",
    "teri",
    "tetrominous",
    "thermometers",
    "thermosudoku",
    "tilepaint",
    "toichika",
    "tren",
    "trizone",
    "tslither",
    "turnaround",
    "twinarea",
    "usoone",
    "usotatami",
    "uturns",
    "view",
    "vslither",
    "wafusuma",
    "walllogic",
    "wblink",
    "windoku",
    "wittgen",
    "xvsudoku",
    "yajikazu",
    "yajilin",
    "yajilin_regions",
    "yinyang",
    "yosenabe",
    "zabajaba"
];

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
}

/// Data of a board.
#[derive(Debug)]
pub struct Data {
    /// The name.
    pub name: String,
    /// What the name stands for.
    pub sort: DataSort,
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

/// An error in a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetError {
    /// Where the error is, in bytes of the text.
    pub span: Span,
    /// What was expected.
    pub expected: String,
    /// What was found.
    pub found: String,
    /// What to do, if known.
    pub help: Option<String>,
}

impl SheetError {
    pub(crate) fn new(span: Span, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { span, expected: expected.into(), found: found.into(), help: None }
    }

    fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

impl fmt::Display for SheetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found {}", self.expected, self.found)
    }
}

impl std::error::Error for SheetError {}

#[cfg(test)]
mod tests;
