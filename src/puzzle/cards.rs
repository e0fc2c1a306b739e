//! Cards: a deck of red and black cards, cut into a left and a right part.
//!
//! The model has the four unknown counts as decimal digits, so that decks may have any size, and adds them up column by
//! column.

use gordian_encodings::Model;
use gordian_encodings::constraint::Clause;
use num_bigint::BigUint;

use super::numeral::{self, Column, Numeral};
use super::{FieldRow, Formulation, Options, Puzzle, PuzzleType, Query, Read, Reader, Shape};
use crate::format::text::TextDocument;
use crate::format::{InputError, Record, Source, Syntax};
use crate::render::{Role, Scene, Text};
use crate::rules::{Rules, Solution, Violation};
use crate::solution;

/// The row in the table of kinds.
pub static PUZZLE: PuzzleType = PuzzleType {
    name: "cards",
    aliases: &[],
    rules: "Of n_cards cards n_red are red and the others black; left_split of them lie on the left and the others on the \
            right. How many of each colour lie on each side? Any of the four counts may be given.",
    options: &[],
    objectives: &[],
    optimises: false,
    fields: &[
        FieldRow::new("n_red_left_split", Shape::Number, "the red cards in the left part"),
        FieldRow::new("n_black_left_split", Shape::Number, "the black cards in the left part"),
        FieldRow::new("n_red_right_split", Shape::Number, "the red cards in the right part"),
        FieldRow::new("n_black_right_split", Shape::Number, "the black cards in the right part"),
    ],
    readers: &[
        Reader::Text {
            sample: "cards\nn_cards = 52\nn_red = 26\nleft_split = 25\nn_red_left_split = 12\n",
            read: from_text,
        },
        Reader::Record {
            syntax: Syntax::Dzn,
            names: &["n_cards", "n_red", "left_split"],
            sample: "n_cards = 52;\nn_red = 26;\nleft_split = 25;\n",
            read: from_record,
        },
    ],
};

/// The unknowns, in the order of [`Cards::given`].
const COUNTS: [&str; 4] =
    ["n_red_left_split", "n_black_left_split", "n_red_right_split", "n_black_right_split"];

/// The greatest deck: sums of its counts are far from overflowing.
const MOST_CARDS: i128 = 10_i128.pow(30);

/// A deck of cards in two parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cards {
    size: i128,
    red: i128,
    left: i128,
    /// Those of the counts that are given: red and black on the left, red and black on the right.
    given: [Option<i128>; 4],
}

fn from_text(document: &TextDocument, options: &Options) -> Read {
    from_record(document.values()?, options)
}

fn from_record(record: &Record, _: &Options) -> Read {
    record.only(&[&["n_cards", "n_red", "left_split"], &COUNTS[..]].concat())?;
    let cards = record.integer_in("n_cards", "a number of cards", 0..=MOST_CARDS)?;
    let red = record.integer_in("n_red", "a number of red cards", 0..=cards)?;
    let left = record.integer_in("left_split", "a number of cards on the left", 0..=cards)?;
    let mut given = [None; 4];
    for (given, name) in given.iter_mut().zip(COUNTS) {
        if record.get(name).is_some() {
            *given = Some(record.integer_in(name, "a number of cards", 0..=cards)?);
        }
    }
    Ok(Box::new(Cards { size: cards, red, left, given }))
}

impl Cards {
    /// The sums: which two counts add up to what.
    fn sums(&self) -> [(usize, usize, i128); 4] {
        [(0, 2, self.red), (1, 3, self.size - self.red), (0, 1, self.left), (2, 3, self.size - self.left)]
    }
}

/// The decimal digits of a number, from the lowest, filled up with zeros.
fn digits(number: i128, length: usize) -> impl Iterator<Item = i128> {
    (0..length as u32).map(move |position| number / 10_i128.pow(position) % 10)
}

impl Rules for Cards {
    fn check(&self, solution: &Solution) -> Result<(), Violation> {
        rules::check(self, solution)
    }
}

impl Puzzle for Cards {
    fn puzzle_type(&self) -> &'static PuzzleType {
        &PUZZLE
    }

    fn formulate(&self, _: &Query) -> Formulation {
        let mut model = Model::new();
        let length = numeral::length(&self.size.unsigned_abs().into(), 10);
        let counts = COUNTS.map(|_| Numeral::new(&mut model, 10, length));
        for (a, b, sum) in self.sums() {
            let addends = counts[a].digits().iter().zip(counts[b].digits());
            let sum = digits(sum, length).map(|digit| -digit);
            let column = |((&a, &b), constant)| Column { terms: vec![(1, a), (1, b)], constant };
            numeral::post_columns(&mut model, 10, addends.zip(sum).map(column).collect());
        }
        for (count, name) in counts.iter().zip(COUNTS) {
            count.name(&mut model, name);
        }
        for ((count, given), name) in counts.iter().zip(self.given).zip(COUNTS) {
            if let Some(given) = given {
                for (&x, digit) in count.digits().iter().zip(digits(given, length)) {
                    let given = model.equals(x, digit);
                    model.post_as(name, Clause::new([given]));
                }
            }
        }
        // Any one of the counts decides the others.
        let lits = counts[0].lits(&mut model);
        model.project(lits);
        Formulation {
            model,
            parts: Vec::new(),
            decode: Box::new(move |assignment| {
                let count = |count: &Numeral| count.value(assignment);
                let with =
                    |solution: Solution, (name, value): (_, BigUint)| solution.with(name, value.into());
                COUNTS.into_iter().zip(counts.iter().map(count)).fold(Solution::new(), with)
            }),
        }
    }

    fn draw(&self, solution: Option<&Solution>) -> Scene {
        let deck = [("n_cards", self.size), ("n_red", self.red), ("left_split", self.left)];
        let given = COUNTS.into_iter().zip(self.given);
        let given = given.filter_map(|(name, given)| Some((name, given?)));
        let data = deck.into_iter().chain(given).map(|(name, value)| (name, value.to_string()));
        let counts: Vec<Text> = (0..4)
            .map(|index| {
                match (self.given[index], solution.and_then(|solution| solution.number(COUNTS[index]).ok())) {
                    (Some(given), _) => Text::new(given.to_string(), Role::Given),
                    (None, Some(found)) => Text::new(found.to_string(), Role::Mark),
                    (None, None) => Text::new("?", Role::Ground),
                }
            })
            .collect();
        let [red_left, black_left, red_right, black_right] = [0, 1, 2, 3].map(|index| counts[index].clone());
        let name = |name: &str| Text::new(name, Role::Plain);
        let sum = |sum: i128| Text::new(sum.to_string(), Role::Given);
        Scene::values(data, solution).with_table(vec![
            vec![Text::default(), name("left"), name("right"), name("all")],
            vec![name("red"), red_left, red_right, sum(self.red)],
            vec![name("black"), black_left, black_right, sum(self.size - self.red)],
            vec![name("all"), sum(self.left), sum(self.size - self.left), sum(self.size)],
        ])
    }

    fn read_solution(&self, source: &Source) -> Result<Solution, InputError> {
        solution::from_lines(source)
    }
}

mod rules {
    //! The rules, without the encodings.

    use super::{COUNTS, Cards};
    use crate::rules::{Solution, Violation};

    pub(super) fn check(cards: &Cards, solution: &Solution) -> Result<(), Violation> {
        let mut counts = [0; 4];
        for ((count, name), given) in counts.iter_mut().zip(COUNTS).zip(cards.given) {
            *count = solution.number(name)?;
            if *count < 0 || *count > cards.size {
                return Err(Violation::new(format!("{name} is {count}, with {} cards in all", cards.size)));
            }
            if let Some(given) = given.filter(|given| given != count) {
                return Err(Violation::new(format!("{name} is {count}, but {given} is given")));
            }
        }
        let [red_left, black_left, red_right, black_right] = counts;
        for (what, found, expected) in [
            ("red cards", red_left + red_right, cards.red),
            ("black cards", black_left + black_right, cards.size - cards.red),
            ("cards on the left", red_left + black_left, cards.left),
            ("cards on the right", red_right + black_right, cards.size - cards.left),
        ] {
            if found != expected {
                return Err(Violation::new(format!("{found} {what} instead of {expected}")));
            }
        }
        Ok(())
    }
}
