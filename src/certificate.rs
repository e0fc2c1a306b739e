//! The claims of certificates, and formulas that are unsatisfiable if and only if the claims hold.

use std::collections::HashSet;

use num_bigint::BigInt;

use crate::format::{DataValue, InputError, Record, Spanned, quote};
use crate::puzzle::Puzzle;
use crate::rules::opb::{Literal, Opb, OpbRow};
use crate::rules::{Field, Solution};
use crate::solution;

/// The keys of the file `claim.json` of a certificate.
pub const KEYS: &[&str] =
    &["gordian", "puzzle", "board", "arguments", "claim", "format", "objective", "solutions", "witnesses"];

/// A claim about a board, as given in the file `claim.json` of a certificate. If the claim needs a proof, the
/// certificate refutes a formula that consists of the rules and the negation of the claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedClaim {
    /// The type of the claim.
    pub claim: ClaimType,
    /// The solutions in the certificate, for example the only solution or an optimal one.
    pub solutions: Vec<Solution>,
}

/// The type of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClaimType {
    /// The board has no solution.
    NoSolution,
    /// The board has a solution. The certificate contains one.
    Solution,
    /// The board has several solutions. The certificate contains two of them.
    Several,
    /// The board has exactly one solution, which the certificate contains.
    Unique,
    /// For each value that a cell (or another part) has in some solution, the certificate contains a solution with this
    /// value.
    Backbone,
    /// No solution has a better value of this objective than the solution in the certificate.
    Optimal(String),
}

impl StatedClaim {
    /// Reads the keys `claim` and `solutions`, and `objective` for an optimal solution. The optional key `witnesses` gives
    /// the values of all variables of a constraint model, for each solution. The other [keys](KEYS) do not belong to
    /// the claim.
    ///
    /// # Errors
    /// Returns an error if a key is missing or unknown, or has a wrong value.
    pub fn read(record: &Record) -> Result<Self, InputError> {
        record.only(KEYS)?;
        let name = record.text("claim")?;
        let (claim, count) = match name.value {
            "no-solution" => (ClaimType::NoSolution, Some(0)),
            "solution" => (ClaimType::Solution, Some(1)),
            "several" => (ClaimType::Several, Some(2)),
            "unique" => (ClaimType::Unique, Some(1)),
            "backbone" => (ClaimType::Backbone, None),
            "optimal" => (ClaimType::Optimal(record.text("objective")?.value.to_owned()), Some(1)),
            _ => {
                let expected = "`no-solution`, `solution`, `several`, `unique`, `backbone` or `optimal`";
                return Err(InputError::at(&record.source, &name, expected));
            }
        };
        let given = record.required("solutions")?;
        let fail = |expected: String| {
            Err(InputError::new(&record.source, given.span, expected, given.value.description()))
        };
        let DataValue::Array(items) = &given.value else { return fail("a list of solutions".to_owned()) };
        let mut solutions = Vec::with_capacity(items.len());
        for item in items {
            let DataValue::Object(entries) = &item.value else { return fail("a list of objects".to_owned()) };
            let mut fields = Record::new(&record.source, record.syntax);
            entries.iter().try_for_each(|entry| fields.insert(entry.clone()))?;
            solutions.push(solution::from_entries(&record.source, &fields.entries)?);
        }
        match count {
            Some(count) if count != solutions.len() => return fail(format!("a list with {count} solutions")),
            None if solutions.is_empty() => return fail("a list with at least one solution".to_owned()),
            _ => {}
        }
        if let Some(given) = record.get("witnesses") {
            let witness = |item: &Spanned<DataValue>| match &item.value {
                DataValue::Array(values) => solution::numbers_of(values),
                _ => None,
            };
            let witnesses = match &given.value {
                DataValue::Array(items) if items.len() == solutions.len() => {
                    items.iter().map(witness).collect()
                }
                _ => None,
            };
            let Some(witnesses): Option<Vec<Vec<i128>>> = witnesses else {
                let expected = "a list of integers for each solution";
                return Err(InputError::new(&record.source, given.span, expected, given.value.description()));
            };
            let pairs = solutions.into_iter().zip(witnesses);
            solutions = pairs.map(|(solution, witness)| solution.with_witness(witness)).collect();
        }
        Ok(Self { claim, solutions })
    }

    /// Returns the claim in words. The subject is `board` or `model`.
    #[must_use]
    pub fn description(&self, subject: &str) -> String {
        match &self.claim {
            ClaimType::NoSolution => format!("the {subject} has no solution"),
            ClaimType::Solution => format!("the {subject} has a solution"),
            ClaimType::Several => format!("the {subject} has several solutions"),
            ClaimType::Unique => format!("the {subject} has exactly one solution"),
            ClaimType::Backbone => "the solutions show all values of each part".to_owned(),
            ClaimType::Optimal(objective) => format!("no solution has a better value of `{objective}`"),
        }
    }

    /// Returns whether the claim needs a proof. The solutions alone prove the other claims.
    #[must_use]
    pub fn needs_proof(&self) -> bool {
        !matches!(self.claim, ClaimType::Solution | ClaimType::Several)
    }

    /// Checks that the solutions satisfy the rules and contain only fields that the puzzle type defines for solutions.
    /// For the claim [`ClaimType::Several`], also checks that any two solutions differ in a field that both have: a
    /// solution can be written with or without fields that follow from the others.
    ///
    /// # Errors
    /// Returns the reason if a check fails.
    pub fn check_solutions(&self, puzzle: &dyn Puzzle) -> Result<(), String> {
        for (index, solution) in self.solutions.iter().enumerate() {
            puzzle.check(solution).map_err(|violation| format!("a solution is wrong: {violation}"))?;
            if let Some((name, _)) = solution.fields().find(|&(name, _)| !puzzle.has_field(name)) {
                return Err(format!("a solution has the unknown field {}", quote(name)));
            }
            let is_known = self.solutions[..index].iter().any(|other| !differ(solution, other));
            if is_known && self.claim == ClaimType::Several {
                return Err("two solutions are equal".to_owned());
            }
        }
        Ok(())
    }

    /// Returns the rules of the board as a formula, and the negation of the claim as further constraints.
    ///
    /// The negation of a backbone claim is a clause: at least one part has a value that it does not have in any given
    /// solution. For each given solution, a further clause excludes this solution.
    ///
    /// # Errors
    /// Returns an error message if the puzzle type or the board has no formula, if the claim names an objective that the
    /// puzzle type does not have, or if a solution does not fit the board.
    pub fn formula(&self, puzzle: &dyn Puzzle) -> Result<(Opb, Vec<OpbRow>), String> {
        let name = puzzle.puzzle_type().name;
        let Some(rules) = puzzle.rules_formula() else {
            return Err(format!("the rules of {name} are not written as a formula"));
        };
        if let (ClaimType::Optimal(objective), [solution]) = (&self.claim, &self.solutions[..])
            && let Some(opb) = rules.better(objective, solution).map_err(|reason| reason.to_string())?
        {
            return Ok((opb, Vec::new()));
        }
        let opb = rules.formula().map_err(|reason| reason.to_string())?;
        let differs = |solution: &Solution| {
            let literals = rules.identifying(&opb, solution).map_err(|violation| violation.to_string())?;
            Ok(clause(literals.into_iter().map(|literal| !literal)))
        };
        let opposite: Vec<Option<OpbRow>> = match (&self.claim, &self.solutions[..]) {
            (ClaimType::Unique, solutions) => solutions.iter().map(differs).collect::<Result<_, String>>()?,
            (ClaimType::Backbone, solutions) => {
                let unseen = rules.unseen(&opb, solutions).map_err(|violation| violation.to_string())?;
                let differs = solutions.iter().map(differs);
                let unseen = OpbRow::at_least(unseen.terms, 1 - unseen.constant);
                [Ok(unseen)].into_iter().chain(differs).collect::<Result<_, String>>()?
            }
            (ClaimType::Optimal(objective), [solution]) => {
                let Some(cost) = rules.cost(&opb, objective) else {
                    return Err(format!("{name} has no objective `{objective}`"));
                };
                let literals =
                    rules.cost_literals(&opb, solution).map_err(|violation| violation.to_string())?;
                let holds: HashSet<Literal> = literals.into_iter().collect();
                if !cost.iter().all(|&(_, literal)| holds.contains(&literal) || holds.contains(&!literal)) {
                    return Err(format!("the solution does not determine the objective `{objective}`"));
                }
                vec![better(&cost, &holds)]
            }
            _ => Vec::new(),
        };
        let opposite: Option<Vec<OpbRow>> = opposite.into_iter().collect();
        let opposite = opposite.ok_or("a cost exceeds 128 bits")?;
        Ok((opb, opposite))
    }
}

/// Returns whether two solutions differ in a field that both have. The form of a list does not count: a grid equals the
/// list of its cells.
fn differ(a: &Solution, b: &Solution) -> bool {
    let numbers = |field: &Field| match field {
        Field::Number(number) => vec![BigInt::from(*number)],
        Field::Natural(number) => vec![number.clone().into()],
        Field::Numbers(list) => list.iter().copied().map(BigInt::from).collect(),
        Field::Naturals(list) => list.iter().cloned().map(BigInt::from).collect(),
        Field::Pairs(pairs) => pairs.iter().flat_map(|&(a, b)| [a, b]).map(BigInt::from).collect(),
        Field::Grid(grid) => grid.cells().iter().copied().map(BigInt::from).collect(),
    };
    a.fields().any(|(name, field)| b.get(name).is_some_and(|other| numbers(field) != numbers(other)))
}

/// Returns the constraint `l1 + l2 + ... >= 1`.
fn clause(literals: impl IntoIterator<Item = Literal>) -> Option<OpbRow> {
    OpbRow::at_least(literals.into_iter().map(|literal| (1, literal)), 1)
}

/// Returns the constraint `cost < v`, where `v` is the cost of the solution with the given true literals. Returns
/// `None` if a number overflows.
fn better(cost: &[(i128, Literal)], holds: &HashSet<Literal>) -> Option<OpbRow> {
    let mut weights = cost.iter().filter(|(_, literal)| holds.contains(literal)).map(|&(weight, _)| weight);
    let value = weights.try_fold(0_i128, i128::checked_add)?;
    let negated: Option<Vec<_>> =
        cost.iter().map(|&(weight, literal)| Some((weight.checked_neg()?, literal))).collect();
    OpbRow::at_least(negated?, 1_i128.checked_sub(value)?)
}
