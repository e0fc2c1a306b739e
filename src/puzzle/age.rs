//! Age: finds the year in which a person's age is a given multiple of the digit sum of the year.
//!
//! The model has a variable for each decimal digit of the year and a variable for their sum. The model equates the year
//! with the year of birth plus `fraction` times the digit sum, column by column.

use gordian_encodings::constraint::Linear;
use gordian_encodings::{Domain, Model};

use super::numeral::{self, Numeral};
use super::{FieldRow, Formulation, Group, Options, Puzzle, PuzzleType, Query, Read, Reader, Sample, Shape};
use crate::format::{Record, Syntax};
use crate::render::{Role, Scene, Text};
use crate::rules::age::Age;
use crate::rules::opb::RulesFormula;
use crate::rules::{Field, Solution};

/// The puzzle type `age`.
pub static PUZZLE: PuzzleType = PuzzleType {
    name: "age",
    aliases: &[],
    rules: "Find a year of len_born_year digits after born_year in which the number of years since born_year is \
            fraction times the sum of the year's digits.",
    options: &[],
    objectives: &[],
    optimises: false,
    fields: &[FieldRow::new("year", Shape::Number, "the year")],
    readers: &[
        Reader::Text {
            sample: Sample::Text("age\nborn_year = 2000\nlen_born_year = 4\nfraction = 5\n"),
            read: |document, puzzle_type, options| from_record(document.values()?, puzzle_type, options),
        },
        Reader::Record {
            syntax: Syntax::Dzn,
            names: &["born_year", "fraction"],
            sample: Sample::Text("born_year = 2000;\nlen_born_year = 4;\nfraction = 5;\n"),
            read: from_record,
        },
    ],
    sheet: None,
    group: Group::Other,
};

fn from_record(record: &Record, _: &'static PuzzleType, _: &Options) -> Read {
    record.only(&["born_year", "len_born_year", "fraction"])?;
    let (born, fraction) = (record.integer("born_year")?.value, record.integer("fraction")?.value);
    let length = match record.optional_integer("len_born_year")? {
        Some(length) => length.value,
        None => born.to_string().len() as i128,
    };
    let age = Age::new(born, length, fraction).map_err(|invalid| record.refused(&invalid))?;
    Ok(Box::new(age))
}

impl Puzzle for Age {
    fn puzzle_type(&self) -> &'static PuzzleType {
        &PUZZLE
    }

    fn formulate(&self, _: &Query) -> Formulation {
        let mut model = Model::new();
        let year = Numeral::new(&mut model, 10, self.length());
        year.name(&mut model, "year");
        // The first digit must not be 0. Since the first digit is not 0, the digit sum is positive, and the year is
        // after the year of birth.
        year.at_least(&mut model, &numeral::power(10, self.length() - 1));
        let sum = model.integer(Domain::interval(1, 9 * self.length() as i128));
        model.name_integer(sum, "digit-sum");
        let digits = year.digits().iter().map(|&digit| (1, digit.into()));
        model.post_as("digit sum", Linear::equal(digits.chain([(-1, sum.into())]), 0));
        let born = self.born().to_string().into_bytes();
        let fraction = self.fraction().to_string().into_bytes();
        let mut columns = year.minus(born.len().max(fraction.len()));
        for (column, digit) in columns.iter_mut().zip(born.iter().rev()) {
            column.constant = i128::from(digit - b'0');
        }
        for (column, digit) in columns.iter_mut().zip(fraction.iter().rev()) {
            column.terms.push((i128::from(digit - b'0'), sum));
        }
        numeral::post_columns(&mut model, 0, 10, columns);
        let lits = year.lits(&mut model);
        model.project(lits);
        Formulation {
            model,
            parts: Vec::new(),
            facts: Vec::new(),
            decode: Box::new(move |assignment| {
                Solution::new().with("year", Field::from(year.value(assignment)))
            }),
        }
    }

    fn rules_formula(&self) -> Option<&dyn RulesFormula> {
        Some(self)
    }

    fn draw(&self, solution: Option<&Solution>) -> Scene {
        let data = [
            ("born_year", self.born().to_string()),
            ("len_born_year", self.length().to_string()),
            ("fraction", self.fraction().to_string()),
        ];
        let scene = Scene::values(data, solution);
        let Some(year) = solution.and_then(|solution| solution.number("year").ok()) else { return scene };
        let digits: Vec<String> = year.to_string().chars().map(String::from).collect();
        let sum: u32 = digits.iter().filter_map(|digit| digit.parse::<u32>().ok()).sum();
        let row = |name: &str, calculation: String, result: String, role| {
            let result = Text::new(result, role);
            vec![Text::new(name, Role::Plain), Text::new(calculation, Role::Ground), result]
        };
        scene.with_table(vec![
            row("year", String::new(), year.to_string(), Role::Mark),
            row(
                "age",
                format!("{year} − {} =", self.born()),
                year.saturating_sub(self.born()).to_string(),
                Role::Plain,
            ),
            row("digit sum", format!("{} =", digits.join(" + ")), sum.to_string(), Role::Plain),
            row(
                "fraction × digit sum",
                format!("{} × {sum} =", self.fraction()),
                self.fraction().saturating_mul(sum.into()).to_string(),
                Role::Plain,
            ),
        ])
    }
}
