//! Tests that every solver finds exactly the solutions that satisfy the rules, on tiny random boards.

use std::collections::BTreeSet;

use crate::support::{board, key, nurikabe_token, rooks_token, rows, solutions, tests_all, text};
use gordian::backend::SOLVERS;
use gordian::puzzle::Puzzle;
use gordian::rules::{Grid, Solution};
use gordian_encodings::Encodings;
use proptest::prelude::*;

/// Returns all grids that satisfy the rules. The bits of a number represent a set of cells, and `candidate` converts
/// such a set to a grid.
fn admitted(puzzle: &dyn Puzzle, cells: usize, candidate: impl Fn(u32) -> Grid<i128>) -> BTreeSet<String> {
    (0..1_u32 << cells)
        .map(|set| Solution::from_grid(candidate(set)))
        .filter(|solution| puzzle.check(solution).is_ok())
        .map(|solution| key(&solution))
        .collect()
}

/// Returns a grid in which each cell of the set contains the size of its region, and all other cells contain 0.
fn with_sizes(rows: usize, columns: usize, set: u32) -> Grid<i128> {
    let land = Grid::new(rows, columns, (0..rows * columns).map(|cell| set >> cell & 1 == 1).collect());
    let mut sizes = vec![0; land.len()];
    for start in 0..land.len() {
        if !land[start] || sizes[start] > 0 {
            continue;
        }
        let mut region = vec![start];
        let mut next = 0;
        while let Some(&cell) = region.get(next) {
            next += 1;
            for near in land.neighbours(cell) {
                if land[near] && !region.contains(&near) {
                    region.push(near);
                }
            }
        }
        for &cell in &region {
            sizes[cell] = region.len() as i128;
        }
    }
    Grid::new(rows, columns, sizes)
}

fn agree(puzzle: &dyn Puzzle, expected: &BTreeSet<String>) -> Result<(), TestCaseError> {
    for solver in SOLVERS.iter().filter(|solver| solver.make().is_ok()) {
        for encoding in ["auto", "layers", "cuts", "propagator"] {
            let mut encodings = Encodings::auto();
            encodings.choose_named("connectivity", encoding).expect("an encoding");
            let found = solutions(puzzle, solver, &encodings);
            prop_assert_eq!(&found, expected, "{} with {} on {:?}", solver.name, encoding, puzzle);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: if tests_all() { 256 } else { 64 },
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn nurikabe_solutions_agree_with_the_rules(
        (rows, columns, tokens) in rows(nurikabe_token()),
    ) {
        let puzzle = board(&text("nurikabe", columns, &tokens));
        let expected = admitted(&*puzzle, rows * columns, |set| with_sizes(rows, columns, set));
        agree(&*puzzle, &expected)?;
    }

    #[test]
    fn nurikabe_with_unknown_clues_only(
        (rows, columns, tokens) in rows(prop_oneof![5 => Just(".".to_owned()), 1 => Just("?".to_owned())]),
    ) {
        let puzzle = board(&text("nurikabe", columns, &tokens));
        let expected = admitted(&*puzzle, rows * columns, |set| with_sizes(rows, columns, set));
        agree(&*puzzle, &expected)?;
    }

    #[test]
    fn rooks_solutions_agree_with_the_rules(
        (rows, columns, tokens) in rows(rooks_token()),
    ) {
        let puzzle = board(&text("rooks", columns, &tokens));
        let expected = admitted(&*puzzle, rows * columns, |set| {
            Grid::new(rows, columns, (0..rows * columns).map(|cell| i128::from(set >> cell & 1)).collect())
        });
        agree(&*puzzle, &expected)?;
    }
}

#[test]
fn every_built_in_solver_is_tested() {
    let there: Vec<_> =
        SOLVERS.iter().filter(|solver| solver.make().is_ok()).map(|solver| &*solver.name).collect();
    assert!(["batsat", "cdcl", "varisat"].iter().all(|name| there.contains(name)), "{there:?}");
    assert_eq!(there.contains(&"cadical"), cfg!(feature = "cadical"), "{there:?}");
}
