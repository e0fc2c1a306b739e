//! Tests the formulas and the certificates of number puzzles on the random boards of this file's parent.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use gordian::puzzle::{Puzzle, Query};
use gordian::query::certificate::{self, Claim};
use gordian::query::{self, Silent};
use gordian::rules::Solution;
use gordian::search::Config;
use gordian_encodings::Encodings;
use gordian_encodings::encoding::linear_propagator;
use num_bigint::BigUint;
use proptest::prelude::*;
use tempfile::TempDir;

use crate::support::{checker, models, stderr, stdout};

/// Asserts that the models of the formula of the rules are the candidates that satisfy the rules, and that the formula
/// states the objectives. Powers without an upper bound have no formula.
pub(crate) fn agree(
    puzzle: &dyn Puzzle,
    candidates: impl Iterator<Item = Solution>,
) -> Result<(), TestCaseError> {
    let rules = puzzle.rules_formula().expect("all number puzzles have formulas");
    let opb = rules.formula().expect("the board has a formula");
    let objectives = puzzle.puzzle_type().objectives;
    let (mut variables, mut expected) = (Vec::new(), BTreeSet::new());
    // The terms of an objective have no constant, so its cost differs from its value by the same number for all solutions.
    let mut differences = BTreeSet::new();
    let mut by_value: BTreeMap<BigUint, Solution> = BTreeMap::new();
    for solution in candidates.filter(|solution| puzzle.check(solution).is_ok()) {
        let literals = rules.literals(&opb, &solution).expect("the solution fits the board");
        variables = literals.iter().map(|literal| literal.variable).collect();
        for objective in objectives {
            let Some(terms) = rules.cost(&opb, objective.name) else {
                by_value.insert(solution.natural("n").expect("powers have a number"), solution.clone());
                continue;
            };
            let costs = terms.iter().filter(|(_, literal)| literals.contains(literal));
            let value = solution.number(objective.name).expect("a field with the name of the objective");
            differences.insert(value - costs.map(|&(weight, _)| weight).sum::<i128>());
        }
        let holds = literals.iter().filter(|literal| !literal.negated).map(|literal| literal.variable);
        prop_assert!(expected.insert(holds.collect::<Vec<usize>>()), "two solutions have the same literals");
    }
    prop_assert_eq!(models(&opb, &variables), expected, "{}", opb);
    prop_assert!(differences.len() <= 1, "{:?}: {}", differences, opb);
    for (value, solution) in by_value.iter().take(3) {
        let better = rules.better("number", solution).expect("the board has a formula").expect("a formula");
        let literals =
            |solution: &Solution| rules.literals(&better, solution).expect("the solution fits the board");
        let variables: Vec<usize> = literals(solution).iter().map(|literal| literal.variable).collect();
        let holds = |solution: &Solution| -> Vec<usize> {
            let literals = literals(solution);
            literals.iter().filter(|literal| !literal.negated).map(|literal| literal.variable).collect()
        };
        let expected: BTreeSet<Vec<usize>> = by_value.range(..value).map(|(_, less)| holds(less)).collect();
        prop_assert_eq!(models(&better, &variables), expected, "better than {}: {}", value, better);
    }
    Ok(())
}

/// Writes the certificate of each query whose result needs a proof, and passes its formula and its proof to `check`.
pub(crate) fn certify(
    puzzle: &dyn Puzzle,
    mut check: impl FnMut(&[u8], &[u8]) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    let has_parts = !puzzle.formulate(&Query::Backbone).parts.is_empty();
    let backbone = has_parts.then_some(Query::Backbone);
    let objectives = puzzle.puzzle_type().objectives.iter().map(Query::Optimise);
    // For powers without an upper bound, only the optimum has a certificate.
    let has_formula = puzzle.rules_formula().is_some_and(|rules| rules.formula().is_ok());
    let unique = has_formula.then_some(Query::Unique);
    if has_formula && !has_parts {
        // Only a single solution has a certificate of its backbone: that it is unique.
        let outcome = query::run(puzzle, Query::Unique, &Config::default(), &mut Silent);
        let unique = outcome.expect("a solver").unique;
        let found = certificate::run(puzzle, Query::Backbone, &Config::default(), &mut Silent);
        prop_assert_eq!(found.is_err(), unique == Some(false), "{:?}", puzzle);
        let claim = found.ok().and_then(|(_, certificate)| certificate).map(|certificate| certificate.claim);
        prop_assert_eq!(claim == Some(Claim::Unique), unique == Some(true), "{:?}", puzzle);
    }
    for query in unique.into_iter().chain(backbone).chain(objectives) {
        // Sums are encoded or propagated.
        for encodings in [Encodings::auto(), Encodings::auto().with(&linear_propagator::PROPAGATOR)] {
            let config = Config { encodings, ..Config::default() };
            let (_, certificate) = certificate::run(puzzle, query, &config, &mut Silent)
                .unwrap_or_else(|error| panic!("{error}: {puzzle:?}"));
            let Some(certificate) = certificate else { continue };
            let (mut formula, mut proof) = (Vec::new(), Vec::new());
            let written = certificate.write(&mut formula, &mut proof);
            prop_assert!(written.is_ok(), "{:?}: {:?}", written, puzzle);
            check(&formula, &proof)?;
        }
    }
    Ok(())
}

/// Asserts that VeriPB accepts the certificates of a board, and that there is at least one.
pub(crate) fn accepted(puzzle: &dyn Puzzle) -> Result<(), TestCaseError> {
    let directory = TempDir::new().expect("a directory");
    let mut count = 0;
    certify(puzzle, |formula, proof| {
        count += 1;
        let [opb, pbp] = ["checked.opb", "checked.pbp"].map(|name| directory.path().join(name));
        fs::write(&opb, formula).expect("a file");
        fs::write(&pbp, proof).expect("a file");
        let output = checker("veripb").args([&opb, &pbp]).output().expect("veripb runs");
        let verified = stdout(&output).lines().any(|line| line == "s VERIFIED UNSATISFIABLE");
        prop_assert!(verified, "{}{}{:?}", stdout(&output), stderr(&output), puzzle);
        Ok(())
    })?;
    prop_assert!(count > 0, "no certificate: {:?}", puzzle);
    Ok(())
}
