//! Nines: finds a number whose multiples by given factors all contain a given digit.
//!
//! The model has variables for the decimal digits of the number and of each multiple. The products are computed
//! column by column.

use gordian_encodings::Model;
use gordian_encodings::constraint::Clause;
use num_bigint::BigUint;

use super::numeral::{self, Numeral};
use super::{FieldRow, Formulation, Group, Options, Puzzle, PuzzleType, Query, Read, Reader, Sample, Shape};
use crate::format::{InputError, Record, Syntax};
use crate::render::{Role, Scene, Text};
use crate::rules::nines::Nines;
use crate::rules::opb::RulesFormula;
use crate::rules::{Field, Solution};

/// The puzzle type `nines`.
pub static PUZZLE: PuzzleType = PuzzleType {
    name: "nines",
    aliases: &[],
    rules: "Find a number with n_digits digits whose multiple by each number of multiplicator_range contains the \
            digit num_to_check. The largest multiple has at most max_digits_after_mult digits.",
    options: &[],
    objectives: &[],
    optimises: false,
    fields: &[FieldRow::new("number", Shape::Number, "the number")],
    readers: &[
        Reader::Text {
            sample: Sample::Text(
                "nines\nn_digits = 2\nmax_digits_after_mult = 4\nmultiplicator_range = 2..11\nnum_to_check = 9\n",
            ),
            read: |document, puzzle_type, options| from_record(document.values()?, puzzle_type, options),
        },
        Reader::Record {
            syntax: Syntax::Dzn,
            names: &NAMES,
            sample: Sample::Text(
                "n_digits = 2;\nmax_digits_after_mult = 4;\nmultiplicator_range = 2..11;\nnum_to_check = 9;\n",
            ),
            read: from_record,
        },
    ],
    sheet: None,
    group: Group::Other,
};

const NAMES: [&str; 4] = ["n_digits", "max_digits_after_mult", "multiplicator_range", "num_to_check"];

/// The maximum total number of digits of all multiples. The limit ensures that a short input does not exhaust the
/// memory.
const MOST_DIGITS: usize = 1_000_000;

fn from_record(record: &Record, _: &'static PuzzleType, _: &Options) -> Read {
    record.only(&NAMES)?;
    let [length, longest_multiple, digit] =
        [NAMES[0], NAMES[1], NAMES[3]].map(|name| record.integer(name).map(|given| given.value));
    let factors = record.integers("multiplicator_range")?;
    let factors = factors.into_iter().map(|factor| factor.value).collect();
    let nines = Nines::new(length?, longest_multiple?, factors, digit?);
    let nines = nines.map_err(|invalid| record.refused(&invalid))?;
    let span = record.required("multiplicator_range")?.span;
    let count = nines.factors().len();
    if count == 0 {
        return Err(InputError::new(&record.source, span, "a range of numbers", "an empty one"));
    }
    if count * nines.length() > MOST_DIGITS {
        let most = MOST_DIGITS / nines.length();
        let expected = format!("at most {most} factors for {} digits", nines.length());
        return Err(InputError::new(&record.source, span, expected, count.to_string()));
    }
    Ok(Box::new(nines))
}

impl Puzzle for Nines {
    fn puzzle_type(&self) -> &'static PuzzleType {
        &PUZZLE
    }

    fn formulate(&self, _: &Query) -> Formulation {
        let mut model = Model::new();
        let number = Numeral::new(&mut model, 10, self.length());
        number.at_least(&mut model, &numeral::power(10, self.length() - 1));
        let greatest = numeral::power(10, self.length()) - 1_u32;
        for (index, &factor) in self.factors().iter().enumerate() {
            // The multiple gets no more digits than the largest product with this factor has, and no more than the
            // rules allow.
            let length =
                numeral::length(&(&greatest * factor.unsigned_abs()), 10).min(self.longest_multiple());
            let multiple = number.times(&mut model, &factor.unsigned_abs().into(), length, index);
            multiple.name(&mut model, ("multiple", index));
            let shown = multiple.count(&mut model, self.digit().into(), index);
            model.post_as(format!("{} in the multiple by {factor}", self.digit()), Clause::new(shown));
        }
        number.name(&mut model, "number");
        let lits = number.lits(&mut model);
        model.project(lits);
        Formulation {
            model,
            parts: Vec::new(),
            facts: Vec::new(),
            decode: Box::new(move |assignment| {
                Solution::new().with("number", Field::from(number.value(assignment)))
            }),
        }
    }

    fn rules_formula(&self) -> Option<&dyn RulesFormula> {
        Some(self)
    }

    fn draw(&self, solution: Option<&Solution>) -> Scene {
        /// The maximum number of multiples that are drawn.
        const SHOWN: usize = 24;
        let data = [
            ("n_digits", self.length().to_string()),
            ("max_digits_after_mult", self.longest_multiple().to_string()),
            ("multiplicator_range", format!("{:?}", self.factors())),
            ("num_to_check", self.digit().to_string()),
        ];
        let scene = Scene::values(data, solution);
        let Some(number) = solution.and_then(|solution| solution.natural("number").ok()) else {
            return scene;
        };
        // The digit that each multiple must contain is highlighted.
        let digits = |number: &BigUint| {
            let shown = char::from(b'0' + self.digit());
            number.to_string().chars().fold(Text::default(), |text, digit| {
                text.and(digit.to_string(), if digit == shown { Role::Given } else { Role::Plain })
            })
        };
        let mut rows =
            vec![vec![Text::new("number", Role::Plain), Text::new(number.to_string(), Role::Mark)]];
        for &factor in self.factors().iter().take(SHOWN) {
            let multiple = &number * factor.unsigned_abs();
            rows.push(vec![Text::new(format!("× {factor}"), Role::Ground), digits(&multiple)]);
        }
        if self.factors().len() > SHOWN {
            rows.push(vec![Text::new("…", Role::Ground), Text::default()]);
        }
        scene.with_table(rows)
    }
}
