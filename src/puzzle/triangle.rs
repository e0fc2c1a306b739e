//! Digit triangles: nine different digits around a triangle. In the magic triangle, the sum of each side is given. In
//! the max triangle, the total of the sides is maximised.
//!
//! The positions are numbered around the triangle. The sides are the positions 1 2 3 4, the positions 4 5 6 7, and
//! the positions 7 8 9 1. The model has a variable for each position, an all-different constraint, and a linear
//! equation for each side.
//!
//! The total of the three sides is 45, the sum of all digits, plus the sum of the corners, which are on two sides.
//! The objective therefore contains only the corners. If the objective contained all digits, the solver would have to
//! prove that their sum does not depend on their order.

use gordian_encodings::constraint::{AllDifferent, Linear};
use gordian_encodings::{Domain, IntVar, Model, Objective, Sense};

use super::numeral::digit_lits;
use super::{
    FieldRow, Formulation, Group, ObjectiveRow, Options, Part, Puzzle, PuzzleType, Query, Read, Reader,
    Sample, Shape,
};
use crate::format::text::{self, TextDocument};
use crate::format::{InputError, Record, Source, Spanned, Syntax, counted};
use crate::render::{Diagram, DiagramEdge, DiagramNode, Role, Scene};
use crate::rules::opb::RulesFormula;
use crate::rules::triangle::Triangle;
use crate::rules::{Content, Field, Solution};

const FIELDS: &[FieldRow] = &[
    FieldRow::new("digits", Shape::List, "the nine digits around the triangle"),
    FieldRow::new("sums", Shape::List, "the sums of the three sides"),
];

/// The puzzle type `magic-triangle`.
pub static MAGIC: PuzzleType = PuzzleType {
    name: "magic-triangle",
    aliases: &[],
    rules: "The digits 1 to 9, each used once, stand around a triangle, four on each side; a corner belongs to two \
            sides. The digits of each side add up to `sum` (default 20). `starting_conf` lists the nine digits in \
            order, 0 for unknown.",
    options: &[],
    objectives: &[],
    optimises: false,
    fields: FIELDS,
    readers: &[
        Reader::Text {
            sample: Sample::Text("magic-triangle\nsum = 20\nstarting_conf = [1, 0, 0, 5, 0, 0, 0, 0, 0]\n"),
            read: magic_from_text,
        },
        Reader::Record {
            syntax: Syntax::Dzn,
            names: &["starting_conf"],
            sample: Sample::Text("starting_conf = [0, 0, 0, 5, 0, 0, 0, 0, 0];\n"),
            read: magic_from_record,
        },
    ],
    sheet: None,
    group: Group::Other,
};

/// The puzzle type `max-triangle`.
pub static MAX: PuzzleType = PuzzleType {
    name: "max-triangle",
    aliases: &[],
    rules: "The digits 1 to 9, each used once, stand around a triangle, four on each side; a corner belongs to two \
            sides. Maximise the total of the sums of the three sides.",
    options: &[],
    objectives: &[ObjectiveRow {
        name: "sum",
        sense: Sense::Maximise,
        summary: "the sum of the three sides",
    }],
    optimises: true,
    fields: FIELDS,
    readers: &[Reader::Text { sample: Sample::Text("max-triangle\n"), read: max_from_text }],
    sheet: None,
    group: Group::Other,
};

/// The positions on each side, counted from zero.
const SIDES: [[usize; 4]; 3] = [[0, 1, 2, 3], [3, 4, 5, 6], [6, 7, 8, 0]];

/// The positions that are on two sides.
const CORNERS: [usize; 3] = [0, 3, 6];

/// The layout of the drawing: for each row, the column and the index of each position. The first position is at the
/// top, and the remaining positions follow clockwise.
const ROWS: [&[(usize, usize)]; 4] =
    [&[(3, 0)], &[(2, 8), (4, 1)], &[(1, 7), (5, 2)], &[(0, 6), (2, 5), (4, 4), (6, 3)]];

/// The distance between rows of the drawing, in units of the distance between adjacent nodes.
const HEIGHT: f64 = 0.866;

fn magic_from_text(document: &TextDocument, puzzle_type: &'static PuzzleType, options: &Options) -> Read {
    let record = document.values()?;
    if record.get("starting_conf").is_some() {
        return magic_from_record(record, puzzle_type, options);
    }
    record.only(&["starting_conf", "sum"])?;
    magic(record, &[None; 9])
}

fn magic_from_record(record: &Record, _: &'static PuzzleType, _: &Options) -> Read {
    record.only(&["starting_conf", "sum"])?;
    let digits = record.integers("starting_conf")?;
    let Ok(digits) = <[Spanned<i128>; 9]>::try_from(&digits[..]) else {
        let span = record.required("starting_conf")?.span;
        let found = counted(digits.len(), "digit");
        return Err(InputError::new(&record.source, span, "nine digits for `starting_conf`", found));
    };
    magic(record, &digits.map(|digit| Some(digit.value).filter(|&digit| digit != 0)))
}

fn magic(record: &Record, given: &[Option<i128>; 9]) -> Read {
    let triangle = Triangle::magic(*given, sum(record)?).map_err(|invalid| record.refused(&invalid))?;
    Ok(Box::new(triangle))
}

/// Returns the required sum of a side. A sum that no side can have is allowed, but makes the board unsolvable.
fn sum(record: &Record) -> Result<i128, InputError> {
    const MOST: i128 = 1_000_000;
    match record.get("sum") {
        Some(_) => record.integer_in("sum", "a sum", 0..=MOST),
        None => Ok(20),
    }
}

fn max_from_text(document: &TextDocument, _: &'static PuzzleType, _: &Options) -> Read {
    document.values()?.only(&[])?;
    Ok(Box::new(Triangle::of_any_sums()))
}

/// Returns the formulation for a query. The parts of the solution are created by `part`.
fn formulate(
    puzzle: &Triangle,
    query: &Query,
    part: impl Fn(&'static str, usize, IntVar, &mut Model) -> Part,
) -> Formulation {
    let mut model = Model::new();
    let digits: [IntVar; 9] = puzzle.given().map(|given| {
        let (first, last) = given.map_or((1, 9), |digit| (digit.into(), digit.into()));
        model.integer(Domain::interval(first, last))
    });
    model.post_as("different digits", AllDifferent::new(digits));
    if let Some(sum) = puzzle.sum() {
        for (number, side) in (1..).zip(SIDES) {
            let terms = side.map(|position| (1, digits[position].into()));
            model.post_as(format!("side {number}"), Linear::equal(terms, sum));
        }
    }
    let mut parts = Vec::with_capacity(9);
    for (position, digit) in (1..).zip(digits) {
        model.name_integer(digit, ("digit", position));
        let lits = digit_lits(&mut model, digit);
        model.project(lits);
        parts.push(part("digits", position - 1, digit, &mut model));
    }
    if let Some(sum) = puzzle.sum() {
        let side =
            |index| Part { field: "sums".into(), index, values: vec![(Content::Number(sum), Vec::new())] };
        parts.extend((0..SIDES.len()).map(side));
    }
    if let Some(row) = query.objective() {
        // The total of the three sides counts each corner twice and every other digit once.
        let corners = CORNERS.map(|position| (1, digits[position]));
        let objective = Objective { constant: (1..=9).sum(), ..Objective::new(row.sense, corners) };
        model.set_objective(objective);
    }
    Formulation {
        model,
        parts,
        facts: Vec::new(),
        decode: Box::new(move |assignment| {
            let digits = digits.map(|digit| assignment.int(digit));
            let sums = SIDES.map(|side| side.iter().map(|&position| digits[position]).sum());
            Solution::new()
                .with("digits", Field::Numbers(digits.to_vec()))
                .with("sums", Field::Numbers(sums.to_vec()))
        }),
    }
}

impl Puzzle for Triangle {
    fn puzzle_type(&self) -> &'static PuzzleType {
        if self.sum().is_some() { &MAGIC } else { &MAX }
    }

    fn formulate(&self, query: &Query) -> Formulation {
        formulate(self, query, Part::integer)
    }

    fn formulate_for_proof(&self, query: &Query) -> Result<Option<Formulation>, String> {
        Ok(Some(formulate(self, query, Part::integer_for_proof)))
    }

    fn rules_formula(&self) -> Option<&dyn RulesFormula> {
        Some(self)
    }

    fn draw(&self, solution: Option<&Solution>) -> Scene {
        let digits = match solution.and_then(|solution| solution.get("digits")) {
            Some(Field::Numbers(digits)) => Some(digits),
            _ => None,
        };
        let token = |position: usize| {
            let solution = digits.and_then(|digits| digits.get(position)).map(ToString::to_string);
            let given = self.given()[position].map(|digit| digit.to_string());
            match (solution, given) {
                (solution, Some(given)) => (solution.unwrap_or(given), Role::Given),
                (Some(digit), None) => (digit, Role::Mark),
                (None, None) => (".".to_owned(), Role::Ground),
            }
        };
        let row = |row: &[(usize, usize)]| {
            let last = row.last().map_or(0, |&(column, _)| column);
            let mut tokens = vec![(String::new(), Role::Plain); last + 1];
            for &(column, position) in row {
                tokens[column] = token(position);
            }
            tokens
        };
        let sum = |positions: [usize; 4]| match (digits, self.sum()) {
            (Some(digits), _) if digits.len() == 9 => {
                Some(positions.iter().map(|&position| digits[position]).sum::<i128>().to_string())
            }
            (_, sum) => sum.map(|sum| sum.to_string()),
        };
        let sides = SIDES.into_iter().flat_map(|side| {
            let steps = (0..3).map(move |step| ([side[step], side[step + 1]], step == 1));
            steps.map(move |(step, middle)| {
                let drawn = DiagramEdge::new(step);
                // The middle connection of a side is labelled with the sum of the side.
                match sum(side).filter(|_| middle) {
                    Some(sum) => drawn.labelled(sum),
                    None => drawn,
                }
            })
        });
        let nodes = (0..9).map(|position| match token(position) {
            (_, Role::Ground) => DiagramNode::new("", Role::Plain),
            (digit, role) => DiagramNode::new(digit, role),
        });
        let mut places = vec![(0.0, 0.0); 9];
        for (height, row) in (0_u8..).zip(ROWS) {
            for &(column, position) in row {
                places[position] = (column as f64 / 2.0, f64::from(height) * HEIGHT);
            }
        }
        let diagram = Diagram::new(nodes.collect(), sides.collect()).placed(places);
        Scene::diagram(diagram, ROWS.into_iter().map(row).collect())
    }

    fn read_solution(&self, source: &Source) -> Result<Solution, InputError> {
        let rows = text::rows(source);
        let mut digits = vec![0; 9];
        for (number, positions) in ROWS.into_iter().enumerate() {
            let expected = || {
                let noun = if positions.len() == 1 { "digit" } else { "digits" };
                format!("{} {noun} in row {} of the triangle", positions.len(), number + 1)
            };
            let Some(row) = rows.get(number) else {
                return Err(InputError::new(source, source.end(), expected(), "the end of the file"));
            };
            if row.cells.len() != positions.len() {
                return Err(InputError::new(source, row.span, expected(), row.cells.len().to_string()));
            }
            for (&(_, position), token) in positions.iter().zip(&row.cells) {
                let digit = token.value.parse();
                digits[position] = digit.map_err(|_| InputError::at(source, token, "a digit"))?;
            }
        }
        if let Some(row) = rows.get(ROWS.len()) {
            return Err(InputError::new(source, row.span, "four rows of a triangle", "a fifth"));
        }
        Ok(Solution::new().with("digits", Field::Numbers(digits)))
    }
}
