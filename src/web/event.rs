//! The events of an answer, which are sent as lines of JSON.

use gordian_explain::Effort;
use serde::Serialize;

use crate::format::InputError;
use crate::make::{Generator, Symmetry};
use crate::puzzle::{Layer, Puzzle, PuzzleType, Reader, Tokens};
use crate::render::{Scene, picture};
use crate::rules::{Solution, Violation};

/// The name of the source with the text of a rule sheet.
pub(super) const SHEET: &str = "sheet";

/// An event, which is a line of an answer.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub(super) enum Event<'a> {
    /// The puzzle types, and the levels of effort that generated boards can require.
    Types { types: Vec<TypeRow>, efforts: [&'static str; Effort::ALL.len()] },
    /// The picture of a puzzle type's sample.
    Picture { name: &'static str, svg: String },
    /// The board as it was read.
    Board {
        puzzle: &'a str,
        /// All puzzle types that fit the board.
        candidates: Vec<&'a str>,
        /// The lines that precede the cells in the native text format, if the board consists of cells.
        header: Option<String>,
        /// The puzz.link address, if any.
        address: Option<String>,
        /// The board in the native text format, if the puzzle type has a writer.
        native: Option<String>,
        /// The tokens that cells can contain, or `None` if the board does not consist of cells.
        clues: Option<TokensJson>,
        /// What the user can mark on the board.
        layers: Vec<LayerJson>,
        /// The rules for people, and the rule sheet that states the puzzle type, if there is one.
        rules: &'a str,
        sheet: Option<&'a str>,
        drawing: Drawing,
    },
    /// A solution.
    Solution {
        solution: &'a Solution,
        /// The objective with its value, and whether the value is proven optimal.
        objective: Option<(&'a str, String, bool)>,
        /// The marks that show the solution: a value for each place of each layer.
        marks: Option<Vec<Vec<Option<i64>>>>,
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
        /// The marks that state what the step derives: a layer, the index of a place in it, and a value.
        marks: Vec<(usize, usize, i64)>,
        /// The board after the step, with the conclusions, premises and rules of the step highlighted.
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
    /// The result of checking the user's marks.
    Check {
        /// True if the marks are a solution.
        correct: bool,
        /// The marks that differ from the only solution: the indices of the layer and of the place. `None` if the board has
        /// several solutions.
        wrong: Option<Vec<[usize; 2]>>,
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
    /// Other names, among them those in addresses.
    aliases: Vec<&'static str>,
    /// The heading of the group of puzzle types.
    group: &'static str,
    rules: &'static str,
    /// A small board in the native text format.
    sample: &'static str,
    /// The lines before the cells of an empty board, or `None` if boards do not consist of cells.
    header: Option<String>,
    /// True if the puzzle type has clues that can be left out.
    leaves_out: bool,
    /// The default numbers of rows and columns of generated boards.
    size: Option<(usize, usize)>,
    /// The symmetries of generated boards. `None` if the puzzle type has no generator.
    symmetries: Option<Vec<&'static str>>,
    /// True if the cells with clues of generated boards can be chosen.
    patterned: bool,
}

#[derive(Debug, Serialize)]
pub(super) struct TokensJson {
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
        let header = puzzle.editor().map(|editor| editor.header);
        let PuzzleType { name, aliases, rules, group, readers, .. } = *puzzle_type;
        let in_addresses = readers.iter().flat_map(|reader| match reader {
            Reader::Address { names, .. } => names,
            _ => &[][..],
        });
        let mut others: Vec<&str> = aliases.iter().chain(in_addresses).copied().collect();
        others.sort_unstable();
        others.dedup();
        others.retain(|&other| other != name);
        let generator = Generator::of(puzzle_type);
        let size = generator.as_ref().map(|generator| generator.size);
        let patterned = generator.as_ref().is_some_and(|generator| generator.patterned);
        let symmetries = generator.map(|generator| {
            if generator.symmetric {
                Symmetry::ALL.map(Symmetry::name).to_vec()
            } else {
                vec![Symmetry::None.name()]
            }
        });
        let leaves_out = puzzle.has_clues();
        Self {
            name,
            aliases: others,
            group: group.heading(),
            rules,
            sample,
            header,
            leaves_out,
            size,
            symmetries,
            patterned,
        }
    }
}

/// A part of a solution that the user marks.
#[derive(Debug, Serialize)]
pub(super) struct LayerJson {
    name: String,
    style: &'static str,
    symbol: Option<String>,
    /// For each place its name in facts, its points in halves of a cell, and its values.
    places: Vec<(String, Vec<[usize; 2]>, Vec<i64>)>,
}

impl From<Layer> for LayerJson {
    fn from(Layer { name, style, symbol, places }: Layer) -> Self {
        let places = places.into_iter().map(|place| (place.name, place.points, place.values));
        Self { name, style: style.name(), symbol, places: places.collect() }
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
        let text = scene.text(false);
        // Explanations name cells by their rows and columns.
        let numbered = scene.clone().with_numbered_sides();
        Self { svg: picture(title, &[(&numbered, "")]), cells, text }
    }
}

/// An error. If the error concerns the text of the board, `line` and `column` are its position.
#[derive(Debug, Default, Serialize)]
pub(super) struct Problem {
    message: String,
    line: Option<usize>,
    column: Option<usize>,
    help: Option<String>,
    /// True if the error is in the rule sheet instead of the board.
    in_sheet: bool,
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
            in_sheet: error.source().name() == SHEET,
        }
    }
}

impl<'a> Event<'a> {
    /// Shows a solution. `objective` is as in [`Event::Solution`].
    pub(super) fn solution(
        puzzle: &dyn Puzzle,
        solution: &'a Solution,
        objective: Option<(&'a str, String, bool)>,
    ) -> Self {
        let drawing = Drawing::new("a solution", &puzzle.draw(Some(solution)));
        let marks = puzzle.play().and_then(|play| play.marks(solution));
        Self::Solution { solution, objective, marks, drawing }
    }

    /// Describes the result of a check.
    pub(super) fn check(violation: Option<&'a Violation>, wrong: Option<Vec<[usize; 2]>>) -> Self {
        let places = violation.map(Violation::places).unwrap_or_default();
        Event::Check {
            correct: violation.is_none(),
            wrong,
            reason: violation.map(Violation::rule),
            places: places.iter().map(|place| [place.row, place.column]).collect(),
        }
    }
}
