//! Tests sweeps. The counts of solutions and values must agree with the solutions that a solver lists, and the
//! samples must satisfy the rules.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::{all_solutions, board, key, nurikabe_token, pairs, rooks_token, rows, text};
use gordian::backend::SOLVERS;
use gordian::puzzle::{Formulation, Puzzle, Query};
use gordian::query::{self, Silent};
use gordian::search::Config;
use gordian_counting::Random;
use gordian_counting::sweep::Sweep;
use gordian_encodings::{Encodings, Lit};
use num_bigint::BigUint;
use proptest::prelude::*;

const MEMORY: usize = 1 << 28;

/// Checks the results of a sweep of a board against the list of the board's solutions.
fn agree(puzzle: &dyn Puzzle) -> Result<(), TestCaseError> {
    let listed: BTreeSet<String> =
        all_solutions(puzzle, SOLVERS[0], &Encodings::auto()).iter().map(key).collect();
    let formulation = puzzle.formulate_for_sweep(&Query::Count);
    let formulation = formulation.unwrap_or_else(|| puzzle.formulate(&Query::Count));
    let sweep = Sweep::new(&formulation.model).expect("the states are small");
    let count = sweep.count(MEMORY, &mut |_| {}).expect("the states are few");
    prop_assert_eq!(count, listed.len().into(), "{:?}", puzzle);
    let circuit = sweep.circuit(MEMORY, &mut |_| {}).expect("the states are few");
    let mut random = Random::new(listed.len() as u64);
    for _ in 0..3 {
        let sample = circuit.sample(&mut random);
        prop_assert_eq!(sample.is_none(), listed.is_empty(), "{:?}", puzzle);
        if let Some(sample) = sample {
            let solution = (formulation.decode)(&sweep.assignment(&sample));
            prop_assert!(listed.contains(&key(&solution)), "{} of {:?}", key(&solution), puzzle);
        }
    }
    values_agree(puzzle)
}

/// Checks the counts of values from a sweep against the results of the query `CountValues`.
fn values_agree(puzzle: &dyn Puzzle) -> Result<(), TestCaseError> {
    let listed = query::run(puzzle, Query::CountValues, &Config::default(), &mut Silent).expect("no failure");
    let formulation = puzzle.formulate_for_sweep(&Query::CountValues);
    let Formulation { model, parts, .. } =
        formulation.unwrap_or_else(|| puzzle.formulate(&Query::CountValues));
    let sweep = Sweep::new(&model).expect("the states are small");
    for part in parts {
        let conjunctions: Vec<Vec<Lit>> = part.values.iter().map(|(_, lits)| lits.clone()).collect();
        let counts = sweep.conjunction_counts(&conjunctions, MEMORY, &mut |_| {});
        let (_, counts) = counts.expect("the states are few");
        let mut swept = BTreeMap::new();
        for ((content, _), count) in
            part.values.iter().zip(counts).filter(|(_, count)| *count > BigUint::ZERO)
        {
            *swept.entry(*content).or_insert(BigUint::ZERO) += count;
        }
        let mut fields = listed.values.iter().flatten();
        let field = fields.find(|(name, _)| *name == part.field);
        let expected = field.map(|(_, counts)| counts.parts[part.index].clone()).unwrap_or_default();
        prop_assert_eq!(
            swept.into_iter().collect::<Vec<_>>(),
            expected,
            "{} {} of {:?}",
            part.field,
            part.index,
            puzzle
        );
    }
    Ok(())
}

/// Generates labyrinths as texts.
fn labyrinth() -> impl Strategy<Value = String> {
    (2..7_usize).prop_flat_map(|n| {
        let edges: Vec<(usize, usize)> = (1..=n).flat_map(|a| (a + 1..=n).map(move |b| (a, b))).collect();
        let most = edges.len();
        (proptest::sample::subsequence(edges, 1..=most), 2..=n).prop_map(move |(edges, target)| {
            let edges: Vec<String> = edges.iter().map(|(a, b)| format!("{a}, {b}")).collect();
            format!("labyrinth\nn = {n}\nstart = 1\ntarget = {target}\ngraph = [|{}|]\n", edges.join("|"))
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nurikabe((_, columns, tokens) in rows(nurikabe_token())) {
        agree(&*board(&text("nurikabe", columns, &tokens)))?;
    }

    #[test]
    fn nurikabe_with_unknown_clues(
        (_, columns, tokens) in rows(prop_oneof![4 => Just(".".to_owned()), 1 => Just("?".to_owned())]),
    ) {
        agree(&*board(&text("nurikabe", columns, &tokens)))?;
    }

    #[test]
    fn rooks(
        (_, columns, tokens) in rows(rooks_token()),
    ) {
        agree(&*board(&text("rooks", columns, &tokens)))?;
    }

    #[test]
    fn numberlink(
        (columns, tokens) in pairs(4, 4, 3),
        puzzle_type in prop::sample::select(&[
            "numberlink",
            "numberlink cells=all",
            "numberlink touch=no",
            "numberlink cells=all touch=no",
            "amaze",
        ][..]),
    ) {
        agree(&*board(&text(puzzle_type, columns, &tokens)))?;
    }

    #[test]
    fn labyrinths(text in labyrinth()) {
        agree(&*board(&text))?;
    }
}

#[test]
fn the_paths_of_a_lattice_are_as_published() {
    // OEIS A007764.
    let node = |row: usize, column: usize| row * 10 + column + 1;
    let right = (0..10).flat_map(|row| (0..9).map(move |column| (node(row, column), node(row, column + 1))));
    let down = (0..9).flat_map(|row| (0..10).map(move |column| (node(row, column), node(row + 1, column))));
    let edges: Vec<String> = right.chain(down).map(|(a, b)| format!("{a}, {b}")).collect();
    let text = format!("labyrinth\nn = 100\nstart = 1\ntarget = 100\ngraph = [|{}|]\n", edges.join("|"));
    let formulation = board(&text).formulate_for_sweep(&Query::Count).expect("labyrinths have a formulation");
    let sweep = Sweep::new(&formulation.model).expect("the states are small");
    let count = sweep.count(MEMORY, &mut |_| {}).expect("the states are few");
    assert_eq!(count.to_string(), "41044208702632496804");
}
