//! Powers: finds the smallest number whose powers with the given exponents together contain every digit.
//!
//! The model represents the number n by its digits and computes the powers column by column. Each constraint involves
//! only one column, so large numbers can't overflow.
//!
//! As n grows, the total number of digits of its powers never decreases. This bounds n:
//!
//! * `exactly`: the total must equal the number of different digits, so n lies between the first and the last
//!   number with this total.
//! * `at-least`: the total must be at least the number of different digits, which gives a lower bound on n. If `max_n`
//!   is not given, n has no upper bound, but the search for the smallest n still terminates. Let P be a number that
//!   contains all digits. For every exponent e, consecutive e-th powers near P * base^k differ by less than base^k if k
//!   is large enough. Hence some n has an e-th power that starts with the digits of P. The function `witness` computes
//!   such an n. This number is an upper bound on the smallest solution.
//!
//! The upper bound can be much larger than the smallest solution. [`Puzzle::stages`] therefore searches the numbers
//! with one digit first, then the numbers with two digits, and so on. Since a power of some n starts with the digits
//! of P, one of the stages has a solution.

use std::collections::{BTreeSet, HashMap};

use gordian_encodings::constraint::{Cardinality, Clause};
use gordian_encodings::{Lit, Model, Sense};
use num_bigint::BigUint;

use super::numeral::{self, Numeral};
use super::{
    FieldRow, Formulation, Group, ObjectiveRow, Options, Puzzle, PuzzleType, Query, Read, Reader, Sample,
    Shape, Stages,
};
use crate::format::{InputError, Record, Syntax};
use crate::render::{Role, Scene, Text};
use crate::rules::opb::RulesFormula;
use crate::rules::powers::{Mode, Powers};
use crate::rules::{Field, Solution};

/// The puzzle type `powers`.
pub static PUZZLE: PuzzleType = PuzzleType {
    name: "powers",
    aliases: &[],
    rules: "Find the smallest number n above 0 whose powers by `exponents` (default 3 and 4), written in `base` \
            (default 10) and concatenated, contain every digit exactly once (`mode = \"exactly\"`, the default) or \
            at least once (`mode = \"at-least\"`). `max_n` is an upper bound for n.",
    options: &[],
    objectives: &[ObjectiveRow { name: "number", sense: Sense::Minimise, summary: "the number n" }],
    optimises: true,
    fields: &[
        FieldRow::new("n", Shape::Number, "the number"),
        FieldRow::new("powers", Shape::List, "its powers, in the order of the exponents"),
    ],
    readers: &[
        Reader::Text {
            sample: Sample::Text("powers\nexponents = [3, 4]\n"),
            read: |document, puzzle_type, options| from_record(document.values()?, puzzle_type, options),
        },
        Reader::Record {
            syntax: Syntax::Dzn,
            names: &["exponents"],
            sample: Sample::Text("exponents = [3, 4];\n"),
            read: from_record,
        },
        Reader::Record {
            syntax: Syntax::Dzn,
            names: &["mode"],
            sample: Sample::Text("mode = \"at-least\";\nmax_n = 1000;\n"),
            read: from_record,
        },
    ],
    sheet: None,
    group: Group::Other,
};

const NAMES: [&str; 4] = ["exponents", "base", "mode", "max_n"];

fn from_record(record: &Record, _: &'static PuzzleType, _: &Options) -> Read {
    record.only(&NAMES)?;
    let exponents = match record.get("exponents") {
        None => vec![3, 4],
        Some(_) => record.integers("exponents")?.iter().map(|exponent| exponent.value).collect(),
    };
    let base = record.optional_integer("base")?.map_or(10, |base| base.value);
    let mode = match record.optional_text("mode")? {
        None => Mode::Exactly,
        Some(mode) => match mode.value {
            "exactly" => Mode::Exactly,
            "at-least" => Mode::AtLeast,
            found => {
                let expected = "\"exactly\" or \"at-least\"";
                return Err(InputError::new(&record.source, mode.span, expected, format!("`{found}`")));
            }
        },
    };
    let max_n = match record.get("max_n") {
        Some(_) => Some(record.integer_in("max_n", "a number", 1..=i128::MAX)?.unsigned_abs().into()),
        None => None,
    };
    let powers = Powers::new(&exponents, base, mode, max_n);
    Ok(Box::new(powers.map_err(|invalid| record.refused(&invalid))?))
}

/// Returns the total number of digits of all powers of `n`.
fn total_length(puzzle: &Powers, n: &BigUint) -> usize {
    puzzle.exponents().iter().map(|&exponent| numeral::length(&n.pow(exponent), puzzle.base())).sum()
}

/// Returns the smallest number whose powers together have at least the given number of digits.
fn first_with(puzzle: &Powers, digits: usize) -> BigUint {
    let mut above = BigUint::from(1_u32);
    while total_length(puzzle, &above) < digits {
        above *= 2_u32;
    }
    // Invariant: the powers of `low` have too few digits in total, and the powers of `above` have enough.
    let mut low = &above / 2_u32;
    while &above - &low > BigUint::from(1_u32) {
        let middle = (&above + &low) / 2_u32;
        if total_length(puzzle, &middle) < digits { low = middle } else { above = middle }
    }
    above
}

/// Returns a number n such that a power of n starts with a number that contains all digits.
fn witness(puzzle: &Powers) -> BigUint {
    let others = (2..).take_while(|&digit: &u8| u32::from(digit) < puzzle.base());
    let digits: Vec<u8> = [1, 0].into_iter().chain(others).collect();
    let start = BigUint::from_radix_be(&digits, puzzle.base()).unwrap_or_default();
    let of_exponent = |&exponent: &u32| {
        let mut least = start.clone();
        let mut width = BigUint::from(1_u32);
        loop {
            let root = (&least - 1_u32).nth_root(exponent) + 1_u32;
            if root.pow(exponent) < &least + &width {
                return root;
            }
            least *= puzzle.base();
            width *= puzzle.base();
        }
    };
    puzzle.exponents().iter().map(of_exponent).min().unwrap_or_default()
}

/// Returns the smallest and the largest number that can be a solution. If there is no upper bound, the largest number
/// is `None`.
fn range(puzzle: &Powers) -> (BigUint, Option<BigUint>) {
    let symbols = puzzle.base() as usize;
    let first = first_with(puzzle, symbols);
    let end = match puzzle.mode() {
        Mode::Exactly => Some(first_with(puzzle, symbols + 1) - 1_u32),
        Mode::AtLeast => None,
    };
    let last = match (end, puzzle.max_n().cloned()) {
        (Some(end), Some(max_n)) => Some(end.min(max_n)),
        (end, max_n) => end.or(max_n),
    };
    (first, last)
}

/// Creates the formulation for the solutions from `first` to `last`.
fn formulation(puzzle: &Powers, query: &Query, first: &BigUint, last: &BigUint) -> Formulation {
    let mut model = Model::new();
    let n = Numeral::new(&mut model, puzzle.base(), numeral::length(last, puzzle.base()));
    n.at_least(&mut model, first);
    n.at_most(&mut model, last);
    let length = |exponent| numeral::length(&last.pow(exponent), puzzle.base());
    with_powers(puzzle, query, model, n, length, false)
}

/// Returns the number of digits of n in the formulation for proofs. It is computed from the rules alone, without any
/// power of n, as the second writer does. Returns `None` if the rules do not bound n.
fn length_for_proof(puzzle: &Powers) -> Option<usize> {
    let bounded = puzzle.max_n().map(|max_n| numeral::length(max_n, puzzle.base()));
    let exactly = || {
        // If n has d digits, its power with the exponent e has at least e (d - 1) + 1 digits.
        let sum: usize = puzzle.exponents().iter().map(|&exponent| exponent as usize).sum();
        1 + (puzzle.base() as usize).saturating_sub(puzzle.exponents().len()) / sum
    };
    let exactly = (puzzle.mode() == Mode::Exactly).then(exactly);
    bounded.into_iter().chain(exactly).min()
}

/// Creates the formulation for proofs. Returns `None` if n has no upper bound.
fn formulation_for_proof(puzzle: &Powers, query: &Query) -> Option<Formulation> {
    let length = length_for_proof(puzzle)?;
    let mut model = Model::new();
    let n = Numeral::new(&mut model, puzzle.base(), length);
    if let Some(max_n) = puzzle.max_n() {
        n.at_most(&mut model, max_n);
    }
    Some(with_powers(puzzle, query, model, n, |exponent| exponent as usize * length, true))
}

/// Creates the formulation for the values of `n`. The function `length` returns the maximum number of digits of a power.
fn with_powers(
    puzzle: &Powers,
    query: &Query,
    mut model: Model,
    n: Numeral,
    length: impl Fn(u32) -> usize,
    for_proof: bool,
) -> Formulation {
    let mut powers = vec![n.clone()];
    for exponent in 2..=puzzle.exponents().iter().copied().max().unwrap_or(1) {
        let (before, of) = (&powers[powers.len() - 1], exponent as usize);
        let power = before.product(&mut model, &n, length(exponent), of, for_proof);
        power.name(&mut model, ("power", of));
        powers.push(power);
    }
    let different: BTreeSet<u32> = puzzle.exponents().iter().copied().collect();
    for digit in 0..puzzle.base() {
        let count = |&exponent: &u32| {
            let of = exponent as usize;
            (exponent, powers[of - 1].count(&mut model, digit.into(), of))
        };
        let counts: HashMap<u32, Vec<Lit>> = different.iter().map(count).collect();
        let places: Vec<Lit> =
            puzzle.exponents().iter().flat_map(|exponent| counts[exponent].iter().copied()).collect();
        let name = format!("digit {digit}");
        match puzzle.mode() {
            Mode::Exactly => model.post_as(name, Cardinality::exactly(places, 1)),
            Mode::AtLeast => model.post_as(name, Clause::new(places)),
        }
    }
    n.name(&mut model, "n");
    let lits = n.lits(&mut model);
    model.project(lits);
    if let Some(row) = query.objective() {
        let objective = n.objective(row.sense);
        model.set_objective(objective);
    }
    let exponents = puzzle.exponents().to_vec();
    Formulation {
        model,
        parts: Vec::new(),
        facts: Vec::new(),
        decode: Box::new(move |assignment| {
            let powers: Vec<BigUint> =
                exponents.iter().map(|&exponent| powers[exponent as usize - 1].value(assignment)).collect();
            Solution::new().with("n", Field::from(n.value(assignment))).with("powers", Field::from(powers))
        }),
    }
}
impl Puzzle for Powers {
    fn puzzle_type(&self) -> &'static PuzzleType {
        &PUZZLE
    }

    fn formulate(&self, query: &Query) -> Formulation {
        let (first, last) = range(self);
        let last = match last {
            Some(last) if query.needs_every_solution() => last,
            // The number that `witness` computes is an upper bound on the smallest solution.
            Some(last) => last.min(witness(self)),
            None => witness(self),
        };
        formulation(self, query, &first, &last)
    }

    fn formulate_for_proof(&self, query: &Query) -> Result<Option<Formulation>, String> {
        let formulation = formulation_for_proof(self, query);
        // The proof of an optimum needs only the formulation for smaller numbers.
        if formulation.is_none() && query.objective().is_none() {
            return Err("without `max_n`, proofs support only the smallest number".to_owned());
        }
        Ok(formulation)
    }

    fn formulate_better(&self, _: &Query, value: i128, _: bool) -> Result<Option<Formulation>, String> {
        let max_n = BigUint::try_from(value - 1).map_err(|error| error.to_string())?;
        Ok(formulation_for_proof(&self.with_max_n(max_n), &Query::Satisfy))
    }

    fn rules_formula(&self) -> Option<&dyn RulesFormula> {
        Some(self)
    }

    fn stages<'a>(&'a self, query: &'a Query) -> Stages<'a> {
        let (first, last) = range(self);
        let mut end = BigUint::from(self.base());
        while end <= first {
            end *= self.base();
        }
        let mut next = Some(first);
        Box::new(move |_| {
            let first = next.take().filter(|first| last.as_ref().is_none_or(|last| first <= last))?;
            let stage_last = last.clone().unwrap_or(&end - 1_u32).min(&end - 1_u32);
            let formulation = formulation(self, query, &first, &stage_last);
            next = Some(end.clone());
            end *= self.base();
            Some(formulation)
        })
    }

    fn draw(&self, solution: Option<&Solution>) -> Scene {
        let mode = match self.mode() {
            Mode::Exactly => "exactly",
            Mode::AtLeast => "at-least",
        };
        let data = [
            ("exponents", format!("{:?}", self.exponents())),
            ("base", self.base().to_string()),
            ("mode", format!("{mode:?}")),
        ];
        let max_n = self.max_n().map(|max_n| ("max_n", max_n.to_string()));
        let scene = Scene::values(data.into_iter().chain(max_n), solution);
        let number =
            solution.and_then(|solution| solution.natural("n").ok().zip(solution.naturals("powers").ok()));
        let Some((n, powers)) = number else { return scene };
        let row = |name: String, value: &BigUint, role| {
            let mut row = vec![Text::new(name, Role::Plain), Text::new(value.to_string(), role)];
            if self.base() != 10 {
                let digits = Text::new(value.to_str_radix(self.base()), role);
                row.push(digits.and(format!(" in base {}", self.base()), Role::Ground));
            }
            row
        };
        let powers = self.exponents().iter().zip(&powers);
        let powers = powers.map(|(exponent, power)| row(format!("n^{exponent}"), power, Role::Plain));
        scene.with_table(std::iter::once(row("n".to_owned(), &n, Role::Mark)).chain(powers).collect())
    }
}
