//! Cards: a deck of red and black cards, split into a left and a right part.
//!
//! The model has variables for the decimal digits of the four unknown counts. The counts are added column by column, so
//! the coefficients are small even for a large deck.

use gordian_encodings::Model;
use gordian_encodings::constraint::Clause;
use num_bigint::BigUint;

use super::numeral::{self, Column, Numeral};
use super::{FieldRow, Formulation, Group, Options, Puzzle, PuzzleType, Query, Read, Reader, Sample, Shape};
use crate::format::{Record, Syntax};
use crate::render::{Role, Scene, Text};
use crate::rules::Solution;
use crate::rules::cards::{COUNTS, Cards};
use crate::rules::opb::RulesFormula;

/// The puzzle type `cards`.
pub static PUZZLE: PuzzleType = PuzzleType {
    name: "cards",
    aliases: &[],
    rules: "A deck has n_cards cards: n_red red cards, and the others are black. left_split cards lie on the left \
            and the others on the right. Find how many cards of each colour lie on each side. Any of the four counts \
            may be given.",
    options: &[],
    objectives: &[],
    optimises: false,
    fields: &[
        FieldRow::new("n_red_left_split", Shape::Number, "the number of red cards in the left part"),
        FieldRow::new("n_black_left_split", Shape::Number, "the number of black cards in the left part"),
        FieldRow::new("n_red_right_split", Shape::Number, "the number of red cards in the right part"),
        FieldRow::new("n_black_right_split", Shape::Number, "the number of black cards in the right part"),
    ],
    readers: &[
        Reader::Text {
            sample: Sample::Text("cards\nn_cards = 52\nn_red = 26\nleft_split = 25\nn_red_left_split = 12\n"),
            read: |document, puzzle_type, options| from_record(document.values()?, puzzle_type, options),
        },
        Reader::Record {
            syntax: Syntax::Dzn,
            names: &["n_cards", "n_red", "left_split"],
            sample: Sample::Text("n_cards = 52;\nn_red = 26;\nleft_split = 25;\n"),
            read: from_record,
        },
    ],
    sheet: None,
    group: Group::Other,
};

fn from_record(record: &Record, _: &'static PuzzleType, _: &Options) -> Read {
    record.only(&[&["n_cards", "n_red", "left_split"], &COUNTS[..]].concat())?;
    let [cards, red, left] =
        ["n_cards", "n_red", "left_split"].map(|name| record.integer(name).map(|given| given.value));
    let mut given = [None; 4];
    for (given, name) in given.iter_mut().zip(COUNTS) {
        *given = record.optional_integer(name)?.map(|given| given.value);
    }
    let cards = Cards::new(cards?, red?, left?, given).map_err(|invalid| record.refused(&invalid))?;
    Ok(Box::new(cards))
}

/// Returns the decimal digits of a number, starting with the lowest. `length` is the number of digits to return.
fn digits(number: i128, length: usize) -> impl Iterator<Item = i128> {
    (0..).take(length).map(move |position| number / 10_i128.pow(position) % 10)
}

impl Puzzle for Cards {
    fn puzzle_type(&self) -> &'static PuzzleType {
        &PUZZLE
    }

    fn formulate(&self, _: &Query) -> Formulation {
        let mut model = Model::new();
        let length = numeral::length(&self.size().unsigned_abs().into(), 10);
        let counts = COUNTS.map(|_| Numeral::new(&mut model, 10, length));
        // Each entry of `sums` consists of the indices of two counts, and the sum of these counts.
        let (size, red, left) = (self.size(), self.red(), self.left());
        let sums = [(0, 2, red), (1, 3, size - red), (0, 1, left), (2, 3, size - left)];
        for (number, (a, b, sum)) in sums.into_iter().enumerate() {
            let addends = counts[a].digits().iter().zip(counts[b].digits());
            let sum = digits(sum, length).map(|digit| -digit);
            let column = |((&a, &b), constant)| Column { terms: vec![(1, a), (1, b)], constant };
            numeral::post_columns(&mut model, number, 10, addends.zip(sum).map(column).collect());
        }
        for (count, name) in counts.iter().zip(COUNTS) {
            count.name(&mut model, name);
        }
        for ((count, given), name) in counts.iter().zip(self.given()).zip(COUNTS) {
            if let Some(given) = given {
                for (&x, digit) in count.digits().iter().zip(digits(given, length)) {
                    let given = model.equals(x, digit);
                    model.post_as(name, Clause::new([given]));
                }
            }
        }
        // Each of the four counts determines the other three.
        let lits = counts[0].lits(&mut model);
        model.project(lits);
        Formulation {
            model,
            parts: Vec::new(),
            facts: Vec::new(),
            decode: Box::new(move |assignment| {
                let count = |count: &Numeral| count.value(assignment);
                let with =
                    |solution: Solution, (name, value): (_, BigUint)| solution.with(name, value.into());
                COUNTS.into_iter().zip(counts.iter().map(count)).fold(Solution::new(), with)
            }),
        }
    }

    fn rules_formula(&self) -> Option<&dyn RulesFormula> {
        Some(self)
    }

    fn draw(&self, solution: Option<&Solution>) -> Scene {
        let deck = [("n_cards", self.size()), ("n_red", self.red()), ("left_split", self.left())];
        let given = COUNTS.into_iter().zip(self.given());
        let given = given.filter_map(|(name, given)| Some((name, given?)));
        let data = deck.into_iter().chain(given).map(|(name, value)| (name, value.to_string()));
        let counts: Vec<Text> = (0..4)
            .map(|index| {
                match (self.given()[index], solution.and_then(|solution| solution.number(COUNTS[index]).ok()))
                {
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
            vec![name("red"), red_left, red_right, sum(self.red())],
            vec![name("black"), black_left, black_right, sum(self.size() - self.red())],
            vec![name("all"), sum(self.left()), sum(self.size() - self.left()), sum(self.size())],
        ])
    }
}
