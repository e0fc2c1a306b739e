//! The events of an answer, which are sent as lines of JSON.

use gordian_explain::Effort;
use serde::Serialize;

use crate::format::InputError;
use crate::make::{Generator, Symmetry};
use crate::puzzle::{Group, Puzzle, PuzzleType, Tokens};
use crate::render::{Scene, picture};
use crate::rules::{Solution, Violation};

/// An event, which is a line of an answer.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub(super) enum Event<'a> {
    /// The puzzle types, and the levels of effort that generated boards can require.
    Types { types: Vec<TypeRow>, efforts: [&'static str; Effort::ALL.len()] },
    /// The board as it was read.
    Board {
        puzzle: &'a str,
        /// All puzzle types that fit the board.
        candidates: Vec<&'a str>,
        /// The lines that precede the cells in the native text format, if the board consists of cells.
        header: Option<String>,
        /// The puzz.link address, if any.
        address: Option<String>,
        drawing: Drawing,
    },
    /// A solution.
    Solution {
        solution: &'a Solution,
        /// The objective with its value, and whether the value is proven optimal.
        objective: Option<(&'a str, String, bool)>,
        drawing: Drawing,
    },
    /// The board has no solution.
    None,
    /// The board has exactly one solution.
    Unique,
    /// The board has several solutions. The drawings show two of them, with their differences highlighted.
    Several { drawings: [Drawing; 2] },
    /// The values that all solutions have in common.
    Forced {
        /// False if the search was stopped, so further values may be forced.
        complete: bool,
        drawing: Drawing,
    },
    /// The number of solutions. Lower bounds are sent while the program counts.
    Count {
        /// The number of solutions, or a lower bound if `exact` is false.
        count: String,
        exact: bool,
    },
    /// A heat map with its caption for each field that is drawn on the board. The map shows, for each cell, the share
    /// of the solutions in which the cell has a certain value.
    Heat { maps: Vec<(Drawing, String)> },
    /// A step of an explanation.
    Step {
        /// The arguments of the step, as lines of text.
        lines: Vec<String>,
        /// The board before the step, with the conclusions, premises and rules of the step highlighted.
        drawing: Option<Drawing>,
    },
    /// The reason why a fact is forced, or why there is no solution.
    Reason {
        fact: Option<String>,
        rules: Vec<String>,
        /// `smallest`, `minimal` or `within the limit`, see [`ReasonText`](crate::explain::ReasonText).
        size: &'static str,
        drawing: Option<Drawing>,
    },
    /// No reason exists: the requested cell has no forced value or, if no cell was requested, the board has a solution.
    NoReason,
    /// The generator has found a better draft of a board.
    Draft {
        /// The number of cells in which the solutions of the draft differ.
        cells: usize,
    },
    /// The superfluous clues of a board with one solution, see [`Superfluous`](crate::clues::Superfluous).
    Superfluous {
        clues: usize,
        alone: Vec<String>,
        together: Vec<String>,
        largest: bool,
        /// The board without the clues in `together`.
        board: String,
    },
    /// Clues for a board with several solutions, each with its place. Adding any one of these clues makes the solution
    /// unique.
    Additions { clues: Vec<String> },
    /// A generated board, or the best draft if the search was stopped. A draft may have several solutions.
    Made { text: String },
    /// The result of checking a solution.
    Check {
        correct: bool,
        /// The violated rule.
        reason: Option<&'a str>,
        /// The cells that violate the rule: rows and columns, counted from zero.
        places: Vec<[usize; 2]>,
    },
    /// An error in the board or in the solution.
    Error(Problem),
    /// The end of the answer.
    End {
        /// True if a limit or the user stopped the search.
        stopped: bool,
        milliseconds: f64,
    },
}

/// A puzzle type in the list of puzzle types.
#[derive(Debug, Serialize)]
pub(super) struct TypeRow {
    name: &'static str,
    /// The heading of the group of puzzle types.
    group: &'static str,
    rules: &'static str,
    /// A small board in the native text format.
    sample: &'static str,
    /// The tokens that cells can contain, in boards (`clues`) and in solutions (`marks`). `None` if boards do not
    /// consist of cells.
    clues: Option<TokensJson>,
    marks: Option<TokensJson>,
    /// True if a mark of the solution can be in a cell with a clue.
    covers: bool,
    header: Option<String>,
    /// True if the puzzle type has clues that can be left out.
    leaves_out: bool,
    /// The default numbers of rows and columns of generated boards.
    size: Option<(usize, usize)>,
    /// The symmetries of generated boards. `None` if the puzzle type has no generator.
    symmetries: Option<Vec<&'static str>>,
}

#[derive(Debug, Serialize)]
struct TokensJson {
    words: Vec<String>,
    numbers: bool,
}

impl From<Tokens> for TokensJson {
    fn from(tokens: Tokens) -> Self {
        Self { words: tokens.words, numbers: tokens.numbers }
    }
}

impl TypeRow {
    /// Describes a puzzle type. `puzzle` is the sample.
    pub(super) fn new(puzzle_type: &'static PuzzleType, sample: &'static str, puzzle: &dyn Puzzle) -> Self {
        let editor = puzzle.editor();
        let (clues, marks, header) = match editor {
            Some(editor) => (Some(editor.clues.into()), Some(editor.marks.into()), Some(editor.header)),
            None => (None, None, None),
        };
        let PuzzleType { name, rules, group, .. } = *puzzle_type;
        let generator = Generator::of(puzzle_type);
        let size = generator.as_ref().map(|generator| generator.size);
        let symmetries = generator.map(|generator| {
            if generator.symmetric {
                Symmetry::ALL.map(Symmetry::name).to_vec()
            } else {
                vec![Symmetry::None.name()]
            }
        });
        let leaves_out = puzzle.clues().is_some();
        let covers = puzzle_type.sheet.is_some() && group != Group::Numbers;
        Self {
            name,
            group: group.heading(),
            rules,
            sample,
            clues,
            marks,
            covers,
            header,
            leaves_out,
            size,
            symmetries,
        }
    }
}

/// A drawing of a board, as a picture and as text.
#[derive(Debug, Serialize)]
pub(super) struct Drawing {
    svg: String,
    /// The tokens of the cells by row, if the scene has cells.
    cells: Option<Vec<Vec<String>>>,
    text: String,
}

impl Drawing {
    pub(super) fn new(title: &str, scene: &Scene) -> Self {
        let cells = scene.tokens();
        Self { svg: picture(title, &[(scene, "")]), cells, text: scene.text(false) }
    }
}

/// An error. If the error concerns the text of the board, `line` and `column` are its position.
#[derive(Debug, Default, Serialize)]
pub(super) struct Problem {
    message: String,
    line: Option<usize>,
    column: Option<usize>,
    help: Option<String>,
}

impl Problem {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), ..Self::default() }
    }
}

impl From<&InputError> for Problem {
    fn from(error: &InputError) -> Self {
        let position = error.position();
        Self {
            message: format!("expected {}, found {}", error.expected(), error.found()),
            line: Some(position.line),
            column: Some(position.column),
            help: error.help().map(str::to_owned),
        }
    }
}

impl<'a> From<&'a Result<(), Violation>> for Event<'a> {
    fn from(result: &'a Result<(), Violation>) -> Self {
        let violation = result.as_ref().err();
        let places = violation.map(Violation::places).unwrap_or_default();
        Event::Check {
            correct: result.is_ok(),
            reason: violation.map(Violation::rule),
            places: places.iter().map(|place| [place.row, place.column]).collect(),
        }
    }
}
