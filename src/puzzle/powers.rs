//! Powers: the smallest number whose powers, written one after the other, use every digit.
//!
//! The model has N as digits and computes one power after the other column by column; no number in it is greater than a
//! column's sum, so there is no width to overflow.
//!
//! How far N must be looked for follows from the number of digits of all powers together, which never falls as N grows:
//!
//! * `exactly`: it must be the number of symbols, so N lies between the first and the last number where it is;
//! * `at-least`: it must be that or more, which bounds N from below. From above nothing does but `max_n`. Still a search for
//!   the smallest N ends: for any digits P there are powers that start with P (e-th powers around P * base^k are closer to
//!   each other than base^k once k is great enough), so there is an N one of whose powers starts with all the digits there
//!   are. `witness` computes one from the first such k. Hence the whole puzzle is a formula of that many digits.
//!
//! As an N that small numbers already satisfy would be looked for in that large formula, [`Puzzle::stages`] goes through
//! the numbers of one digit, of two digits, and so on; by the same argument one of the stages has a solution.

use gordian_encodings::constraint::{Cardinality, Clause};
use gordian_encodings::{Model, Sense};
use num_bigint::BigUint;

use super::numeral::{self, Numeral};
use super::{
    FieldRow, Formulation, ObjectiveRow, Options, Puzzle, PuzzleType, Query, Read, Reader, Shape, Stages,
};
use crate::format::text::TextDocument;
use crate::format::{InputError, Record, Source, Syntax};
use crate::render::{Role, Scene, Text};
use crate::rules::{Field, Rules, Solution, Violation};
use crate::solution;

/// The row in the table of kinds.
pub static PUZZLE: PuzzleType = PuzzleType {
    name: "powers",
    aliases: &[],
    rules: "The smallest number n above 0 whose powers by `exponents` (3 and 4 unless given) have, written in `base` (ten) \
            one after the other, every digit exactly once (`mode = \"exactly\"`) or at least once (`mode = \"at-least\"`). \
            `max_n` bounds n.",
    options: &[],
    objectives: &[ObjectiveRow { name: "number", sense: Sense::Minimise, summary: "the number n" }],
    optimises: true,
    fields: &[
        FieldRow::new("n", Shape::Number, "the number"),
        FieldRow::new("powers", Shape::List, "its powers, in the order of the exponents"),
    ],
    readers: &[
        Reader::Text { sample: "powers\nexponents = [3, 4]\n", read: from_text },
        Reader::Record {
            syntax: Syntax::Dzn,
            names: &["exponents"],
            sample: "exponents = [3, 4];\n",
            read: from_record,
        },
        Reader::Record {
            syntax: Syntax::Dzn,
            names: &["mode"],
            sample: "mode = \"at-least\";\nmax_n = 1000;\n",
            read: from_record,
        },
    ],
};

const NAMES: [&str; 4] = ["exponents", "base", "mode", "max_n"];
/// In greater bases the weight of the highest digit that the search may need exceeds 128 bits.
const GREATEST_BASE: i128 = 25;
const GREATEST_EXPONENT: i128 = 64;
const MOST_EXPONENTS: usize = 64;

/// How often each digit must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Once.
    Exactly,
    /// Once or more often.
    AtLeast,
}

/// The question for a number whose powers use every digit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Powers {
    exponents: Vec<u32>,
    base: u32,
    mode: Mode,
    max_n: Option<BigUint>,
}

fn from_text(document: &TextDocument, options: &Options) -> Read {
    from_record(document.values()?, options)
}

fn from_record(record: &Record, _: &Options) -> Read {
    record.only(&NAMES)?;
    let exponents = match record.get("exponents") {
        None => vec![3, 4],
        Some(given) => {
            let exponents = record.integers("exponents")?;
            if exponents.is_empty() || exponents.len() > MOST_EXPONENTS {
                let expected = format!("1 to {MOST_EXPONENTS} exponents");
                let found = exponents.len().to_string();
                return Err(InputError::new(&record.source, given.span, expected, found));
            }
            if let Some(one) = exponents.iter().find(|one| !(1..=GREATEST_EXPONENT).contains(&one.value)) {
                let expected = format!("exponents from 1 to {GREATEST_EXPONENT}");
                return Err(InputError::new(&record.source, one.span, expected, format!("`{}`", one.value)));
            }
            exponents.iter().map(|exponent| exponent.value as u32).collect()
        }
    };
    let base = match record.get("base") {
        Some(_) => record.integer_in("base", "a base", 2..=GREATEST_BASE)? as u32,
        None => 10,
    };
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
    Ok(Box::new(Powers { exponents, base, mode, max_n }))
}

impl Powers {
    /// The digits of all powers together.
    fn total_length(&self, n: &BigUint) -> usize {
        self.exponents.iter().map(|&exponent| numeral::length(&n.pow(exponent), self.base)).sum()
    }

    /// The first number whose powers have `digits` digits together, or more.
    fn first_with(&self, digits: usize) -> BigUint {
        let mut above = BigUint::from(1_u32);
        while self.total_length(&above) < digits {
            above *= 2_u32;
        }
        // It is above `low` and not above `above`.
        let mut low = &above / 2_u32;
        while &above - &low > BigUint::from(1_u32) {
            let middle = (&above + &low) / 2_u32;
            if self.total_length(&middle) < digits { low = middle } else { above = middle }
        }
        above
    }

    /// A number one of whose powers starts with all digits of the base.
    fn witness(&self) -> BigUint {
        let digits: Vec<u8> = [1, 0].into_iter().chain(2..self.base as u8).collect();
        let start = BigUint::from_radix_be(&digits, self.base).unwrap_or_default();
        let of_exponent = |&exponent: &u32| {
            let mut least = start.clone();
            let mut width = BigUint::from(1_u32);
            loop {
                let root = (&least - 1_u32).nth_root(exponent) + 1_u32;
                if root.pow(exponent) < &least + &width {
                    return root;
                }
                least *= self.base;
                width *= self.base;
            }
        };
        self.exponents.iter().map(of_exponent).min().unwrap_or_default()
    }

    /// The numbers among which all solutions are; `None` for the end if there is none.
    fn range(&self) -> (BigUint, Option<BigUint>) {
        let symbols = self.base as usize;
        let first = self.first_with(symbols);
        let end = match self.mode {
            Mode::Exactly => Some(self.first_with(symbols + 1) - 1_u32),
            Mode::AtLeast => None,
        };
        let last = match (end, self.max_n.clone()) {
            (Some(end), Some(max_n)) => Some(end.min(max_n)),
            (end, max_n) => end.or(max_n),
        };
        (first, last)
    }

    /// The solutions from `first` to `last`.
    fn formulation(&self, query: &Query, first: &BigUint, last: &BigUint) -> Formulation {
        let mut model = Model::new();
        let n = Numeral::new(&mut model, self.base, numeral::length(last, self.base));
        n.at_least(&mut model, first);
        n.at_most(&mut model, last);
        let mut powers = vec![n.clone()];
        for exponent in 2..=self.exponents.iter().copied().max().unwrap_or(1) {
            let length = numeral::length(&last.pow(exponent), self.base);
            let power = powers[powers.len() - 1].product(&mut model, &n, length);
            powers.push(power);
        }
        let used: Vec<&Numeral> =
            self.exponents.iter().map(|&exponent| &powers[exponent as usize - 1]).collect();
        for digit in 0..self.base {
            let places: Vec<_> =
                used.iter().flat_map(|power| power.count(&mut model, digit.into())).collect();
            let name = format!("digit {digit}");
            match self.mode {
                Mode::Exactly => model.post_as(name, Cardinality::exactly(places, 1)),
                Mode::AtLeast => model.post_as(name, Clause::new(places)),
            }
        }
        n.name(&mut model, "n");
        let lits = n.lits(&mut model);
        model.project(lits);
        if let Some(row) = query.objective() {
            let objective = n.objective(row.sense);
            model.optimise(objective);
        }
        let exponents = self.exponents.clone();
        Formulation {
            model,
            parts: Vec::new(),
            decode: Box::new(move |assignment| {
                let powers: Vec<BigUint> = exponents
                    .iter()
                    .map(|&exponent| powers[exponent as usize - 1].value(assignment))
                    .collect();
                Solution::new()
                    .with("n", Field::from(n.value(assignment)))
                    .with("powers", Field::from(powers))
            }),
        }
    }
}

impl Rules for Powers {
    fn check(&self, solution: &Solution) -> Result<(), Violation> {
        rules::check(self, &solution.natural("n")?, &solution.naturals("powers")?)
    }
}

impl Puzzle for Powers {
    fn puzzle_type(&self) -> &'static PuzzleType {
        &PUZZLE
    }

    fn formulate(&self, query: &Query) -> Formulation {
        let (first, last) = self.range();
        let last = match last {
            Some(last) if query.needs_every_solution() => last,
            // The smallest solution is not above the witness.
            Some(last) => last.min(self.witness()),
            None => self.witness(),
        };
        self.formulation(query, &first, &last)
    }

    fn stages<'a>(&'a self, query: &'a Query) -> Stages<'a> {
        let (first, last) = self.range();
        let mut end = BigUint::from(self.base);
        while end <= first {
            end *= self.base;
        }
        let mut next = Some(first);
        Box::new(move |_| {
            let first = next.take().filter(|first| last.as_ref().is_none_or(|last| first <= last))?;
            let stage_last = last.clone().unwrap_or(&end - 1_u32).min(&end - 1_u32);
            let formulation = self.formulation(query, &first, &stage_last);
            next = Some(end.clone());
            end *= self.base;
            Some(formulation)
        })
    }

    fn draw(&self, solution: Option<&Solution>) -> Scene {
        let mode = match self.mode {
            Mode::Exactly => "exactly",
            Mode::AtLeast => "at-least",
        };
        let data = [
            ("exponents", format!("{:?}", self.exponents)),
            ("base", self.base.to_string()),
            ("mode", format!("{mode:?}")),
        ];
        let max_n = self.max_n.as_ref().map(|max_n| ("max_n", max_n.to_string()));
        let scene = Scene::values(data.into_iter().chain(max_n), solution);
        let number =
            solution.and_then(|solution| solution.natural("n").ok().zip(solution.naturals("powers").ok()));
        let Some((n, powers)) = number else { return scene };
        let row = |name: String, value: &BigUint, role| {
            let mut row = vec![Text::new(name, Role::Plain), Text::new(value.to_string(), role)];
            if self.base != 10 {
                let digits = Text::new(value.to_str_radix(self.base), role);
                row.push(digits.and(format!(" in base {}", self.base), Role::Ground));
            }
            row
        };
        let powers = self.exponents.iter().zip(&powers);
        let powers = powers.map(|(exponent, power)| row(format!("n^{exponent}"), power, Role::Plain));
        scene.with_table(std::iter::once(row("n".to_owned(), &n, Role::Mark)).chain(powers).collect())
    }

    fn read_solution(&self, source: &Source) -> Result<Solution, InputError> {
        solution::from_lines(source)
    }
}

mod rules {
    //! The rules, without the encodings.

    use super::{BigUint, Mode, Powers};
    use crate::rules::Violation;

    pub(super) fn check(puzzle: &Powers, n: &BigUint, said: &[BigUint]) -> Result<(), Violation> {
        if *n == BigUint::ZERO {
            return Err(Violation::new("n is 0"));
        }
        if let Some(max_n) = puzzle.max_n.as_ref().filter(|&max_n| n > max_n) {
            return Err(Violation::new(format!("{n} is above {max_n}")));
        }
        // The length of a power is known without it: the powers of a long number are not computed for nothing.
        let may_be = |(&exponent, power): (&u32, &BigUint)| {
            let (least, most) = ((n.bits() - 1) * u64::from(exponent) + 1, n.bits() * u64::from(exponent));
            (least..=most).contains(&power.bits())
        };
        if said.len() != puzzle.exponents.len() || !puzzle.exponents.iter().zip(said).all(may_be) {
            return Err(Violation::new(format!(
                "{} are not the powers of {n} by {:?}",
                list(said),
                puzzle.exponents
            )));
        }
        let powers: Vec<BigUint> = puzzle.exponents.iter().map(|&exponent| n.pow(exponent)).collect();
        if said != powers {
            return Err(Violation::new(format!("the powers of {n} are {}", list(&powers))));
        }
        let mut counts = vec![0; puzzle.base as usize];
        for digit in powers.iter().flat_map(|power| power.to_radix_be(puzzle.base)) {
            counts[usize::from(digit)] += 1;
        }
        for (digit, count) in counts.into_iter().enumerate() {
            if count == 0 {
                return Err(Violation::new(format!("no digit {digit} in {}", list(&powers))));
            }
            if count > 1 && puzzle.mode == Mode::Exactly {
                return Err(Violation::new(format!("{count} digits {digit} in {}", list(&powers))));
            }
        }
        Ok(())
    }

    fn list(powers: &[BigUint]) -> String {
        powers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ")
    }
}
