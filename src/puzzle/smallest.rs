//! Smallest: given a number, finds its smallest multiple whose digits are all different and belong to a given set.
//!
//! The model has variables for the digits of the multiple and for the digits of the quotient, which is the multiple
//! divided by the number. The product is computed column by column. The default set contains the even digits, and the
//! default base is ten.

use gordian_encodings::constraint::{AllDifferent, Clause};
use gordian_encodings::{Domain, Model, Sense};

use super::numeral::Numeral;
use super::{
    FieldRow, Formulation, Group, ObjectiveRow, Options, Puzzle, PuzzleType, Query, Read, Reader, Sample,
    Shape,
};
use crate::format::{Record, Syntax};
use crate::render::{Role, Scene, Text};
use crate::rules::opb::RulesFormula;
use crate::rules::smallest::Smallest;
use crate::rules::{Field, Solution};

/// The puzzle type `smallest`.
pub static PUZZLE: PuzzleType = PuzzleType {
    name: "smallest",
    aliases: &[],
    rules: "Find the smallest number with num_digits digits that is a multiple of multiplier and whose digits are \
            all different and even. `base` sets another base than 10, and `digits` other allowed digits.",
    options: &[],
    objectives: &[ObjectiveRow { name: "number", sense: Sense::Minimise, summary: "the number" }],
    optimises: true,
    fields: &[FieldRow::new("number", Shape::Number, "the number")],
    readers: &[
        Reader::Text {
            sample: Sample::Text("smallest\nnum_digits = 4\nmultiplier = 11\n"),
            read: |document, puzzle_type, options| from_record(document.values()?, puzzle_type, options),
        },
        Reader::Record {
            syntax: Syntax::Dzn,
            names: &["num_digits", "multiplier"],
            sample: Sample::Text("num_digits = 4;\nmultiplier = 11;\n"),
            read: from_record,
        },
    ],
    sheet: None,
    group: Group::Other,
};

fn from_record(record: &Record, _: &'static PuzzleType, _: &Options) -> Read {
    record.only(&["num_digits", "multiplier", "base", "digits"])?;
    let base = record.optional_integer("base")?.map_or(10, |base| base.value);
    let (length, multiplier) = (record.integer("num_digits")?.value, record.integer("multiplier")?.value);
    let digits = match record.get("digits") {
        Some(_) => Some(record.integers("digits")?.into_iter().map(|digit| digit.value).collect()),
        None => None,
    };
    let smallest = Smallest::new(base, length, multiplier, digits);
    Ok(Box::new(smallest.map_err(|invalid| record.refused(&invalid))?))
}

impl Puzzle for Smallest {
    fn puzzle_type(&self) -> &'static PuzzleType {
        &PUZZLE
    }

    fn formulate(&self, query: &Query) -> Formulation {
        let mut model = Model::new();
        // If the multiple has more digits than there are allowed digits, a digit must repeat, so there is no solution.
        // One digit more than there are allowed digits suffices to make the model unsatisfiable.
        let length = self.length().min(self.digits().len() + 1);
        let places = (0..length).map(|_| model.integer(Domain::from_values(self.digits().iter().copied())));
        let number = Numeral::of(self.base(), places.collect());
        let leading = number.digits()[length - 1];
        let zero = model.at_most(leading, 0);
        model.post_as("no leading zero", Clause::new([!zero]));
        model.post_as("different digits", AllDifferent::new(number.digits()));
        let quotient = Numeral::new(&mut model, self.base(), length);
        let multiple = quotient.times(&mut model, &self.multiplier().unsigned_abs().into(), length, 0);
        number.equals(&mut model, &multiple);

        number.name(&mut model, "number");
        quotient.name(&mut model, "quotient");
        multiple.name(&mut model, "multiple");
        let lits = number.lits(&mut model);
        model.project(lits);
        if let Some(row) = query.objective() {
            let objective = number.objective(row.sense);
            model.set_objective(objective);
        }
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
        let mut data =
            vec![("num_digits", self.length().to_string()), ("multiplier", self.multiplier().to_string())];
        if self.base() != 10 {
            data.push(("base", self.base().to_string()));
        }
        if !self.digits().iter().copied().eq((0..i128::from(self.base())).step_by(2)) {
            data.push(("digits", format!("{:?}", self.digits())));
        }
        let scene = Scene::values(data, solution);
        let Some(number) = solution.and_then(|solution| solution.natural("number").ok()) else {
            return scene;
        };
        let row =
            |name: &str, value: String, role| vec![Text::new(name, Role::Plain), Text::new(value, role)];
        let mut rows = vec![row("number", number.to_string(), Role::Mark)];
        if self.base() != 10 {
            rows.push(row(&format!("in base {}", self.base()), number.to_str_radix(self.base()), Role::Mark));
        }
        let multiplier = self.multiplier().unsigned_abs();
        rows.push(row("is", format!("{multiplier} × {}", &number / multiplier), Role::Plain));
        scene.with_table(rows)
    }
}
