//! Tests the number puzzles on tiny random boards. The solutions of the encoded model must be exactly the solutions
//! that satisfy the rules. The checker must detect every change of a solution, and the output of `solve` must be
//! readable as input.

mod changes;
mod proofs;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::support::{all_solutions, board, key, solutions, solutions_of};
use gordian::backend::SOLVERS;
use gordian::format::Source;
use gordian::puzzle::{Formulation, Puzzle, Query, StageOutcome};
use gordian::rules::{Field, Grid, Solution};
use gordian::search::{STRATEGIES, Session};
use gordian::solution;
use gordian_encodings::Encodings;
use num_bigint::BigUint;
use proptest::prelude::*;

fn admitted(puzzle: &dyn Puzzle, candidates: impl Iterator<Item = Solution>) -> BTreeSet<String> {
    candidates.filter(|solution| puzzle.check(solution).is_ok()).map(|solution| key(&solution)).collect()
}

/// Asserts that the solutions of the encoded model are the candidates that satisfy the rules, and that the drawing of
/// each solution can be read back.
fn agree(text: &str, candidates: impl Iterator<Item = Solution> + Clone) -> Result<(), TestCaseError> {
    let puzzle = board(text);
    proofs::agree(&*puzzle, candidates.clone())?;
    proofs::certify(&*puzzle, |_, _| Ok(()))?;
    let expected = admitted(&*puzzle, candidates);
    for solver in SOLVERS.iter().filter(|solver| solver.make().is_ok()) {
        prop_assert_eq!(
            &solutions(&*puzzle, solver, &Encodings::auto()),
            &expected,
            "{} on\n{}",
            solver.name,
            text
        );
    }
    for solution in all_solutions(&*puzzle, SOLVERS[0], &Encodings::auto()) {
        let drawn = puzzle.draw(Some(&solution)).text(false);
        let read = puzzle.read_solution(&Source::new("drawing", drawn.clone()));
        let read = read.unwrap_or_else(|error| panic!("{error}\n{drawn}"));
        prop_assert!(puzzle.check(&read).is_ok(), "{}", drawn);
    }
    Ok(())
}

pub(crate) fn number(name: &'static str, value: i128) -> Solution {
    Solution::new().with(name, Field::Number(value))
}

pub(crate) fn powers_of(n: u32, exponents: &[u32]) -> Solution {
    let powers: Vec<BigUint> = exponents.iter().map(|&exponent| BigUint::from(n).pow(exponent)).collect();
    Solution::new().with("n", Field::Number(n.into())).with("powers", Field::from(powers))
}

const COUNTS: [&str; 4] =
    ["n_red_left_split", "n_black_left_split", "n_red_right_split", "n_black_right_split"];

pub(crate) fn counts(values: [i128; 4]) -> Solution {
    let with = |solution: Solution, (name, value)| solution.with(name, Field::Number(value));
    COUNTS.into_iter().zip(values).fold(Solution::new(), with)
}

/// Returns all permutations of the numbers.
fn permutations(numbers: &[i128]) -> Vec<Vec<i128>> {
    let Some((&first, rest)) = numbers.split_first() else { return vec![Vec::new()] };
    let with_first =
        |order: Vec<i128>| (0..=order.len()).map(move |at| [&order[..at], &[first], &order[at..]].concat());
    permutations(rest).into_iter().flat_map(with_first).collect()
}

const SIDES: [[usize; 4]; 3] = [[0, 1, 2, 3], [3, 4, 5, 6], [6, 7, 8, 0]];

pub(crate) fn triangle(digits: Vec<i128>) -> Solution {
    let sums = SIDES.map(|side| side.iter().map(|&position| digits[position]).sum());
    Solution::new().with("digits", Field::Numbers(digits)).with("sums", Field::Numbers(sums.to_vec()))
}

/// Returns the entries across and down: all runs of two or more white cells.
fn runs(white: &[bool], columns: usize) -> Vec<Vec<usize>> {
    let rows = white.len() / columns;
    let across = (0..rows).map(|row| (0..columns).map(|column| row * columns + column).collect());
    let down = (0..columns).map(|column| (0..rows).map(|row| row * columns + column).collect());
    let lines: Vec<Vec<usize>> = across.chain(down).collect();
    let runs = lines.iter().flat_map(|line| line.split(|&cell| !white[cell]));
    runs.filter(|run| run.len() > 1).map(<[usize]>::to_vec).collect()
}

/// Returns a number crossword whose definitions are the products of its entries under the given cell values. Equal
/// products are increased until all definitions differ.
fn numcross(white: &[bool], columns: usize, values: &[i128], (r, s): (i128, i128)) -> String {
    let mut definitions = BTreeSet::new();
    for run in runs(white, columns) {
        let mut product = run.iter().map(|&cell| values[cell]).product::<i128>();
        while !definitions.insert(product) {
            product += 1;
        }
    }
    let rows: Vec<String> = white
        .chunks(columns)
        .map(|row| row.iter().map(|&white| if white { "." } else { "#" }).collect::<Vec<_>>().join(" "))
        .collect();
    let definitions: Vec<String> = definitions.iter().map(ToString::to_string).collect();
    format!("numcross\nr = {r}\ns = {s}\nS = {{{}}}\n{}\n", definitions.join(","), rows.join("\n"))
}

/// Returns all grids in which the white cells contain numbers from 1 to `greatest`.
fn fillings(white: &[bool], columns: usize, greatest: i128) -> impl Iterator<Item = Solution> {
    let (white, rows) = (white.to_vec(), white.len() / columns);
    let open = white.iter().filter(|&&white| white).count();
    (0..greatest.pow(open as u32)).map(move |mut index| {
        let cell = |&white: &bool| {
            let value = if white { index % greatest + 1 } else { 0 };
            index /= if white { greatest } else { 1 };
            value
        };
        Solution::from_grid(Grid::new(rows, columns, white.iter().map(cell).collect()))
    })
}

/// Returns the formulations of all stages of a query. No stage may depend on the outcome of another stage.
fn stages<'a>(puzzle: &'a dyn Puzzle, query: &'a Query) -> impl Iterator<Item = Formulation> + 'a {
    let mut stages = puzzle.stages(query);
    std::iter::from_fn(move || stages(&StageOutcome::None))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn powers_solutions_agree_with_the_rules(
        exponents in proptest::collection::vec(1..5_u32, 1..4),
        base in 2..6_u32,
        exactly in any::<bool>(),
        max_n in 1..70_u32,
    ) {
        let mode = if exactly { "exactly" } else { "at-least" };
        let text = format!(
            "powers\nexponents = {exponents:?}\nbase = {base}\nmode = \"{mode}\"\nmax_n = {max_n}\n"
        );
        agree(&text, (0..80).map(|n| powers_of(n, &exponents)))?;
        // The single formulation must have the same solutions as all stages combined.
        let puzzle = board(&text);
        let mut at_once = BTreeSet::new();
        let request = Query::Count;
        let formulation = puzzle.formulate(&request);
        solutions_of(&formulation, &*puzzle, SOLVERS[0], &Encodings::auto(), |solution| {
            at_once.insert(key(&solution));
        });
        prop_assert_eq!(at_once, admitted(&*puzzle, (0..80).map(|n| powers_of(n, &exponents))));
    }

    #[test]
    fn exact_powers_need_no_bound(exponents in proptest::collection::vec(1..5_u32, 1..4), base in 2..6_u32) {
        let text = format!("powers\nexponents = {exponents:?}\nbase = {base}\n");
        // Larger numbers are not solutions: in a base up to 5, their powers have more than 5 digits in total.
        agree(&text, (0..3200).map(|n| powers_of(n, &exponents)))?;
    }

    #[test]
    fn the_smallest_power_is_found_without_a_bound(
        exponents in proptest::collection::vec(1..6_u32, 1..3),
        base in 2..6_u32,
    ) {
        let puzzle = board(&format!("powers\nexponents = {exponents:?}\nbase = {base}\nmode = \"at-least\"\n"));
        let expected = (1..=100_000).find(|&n| puzzle.check(&powers_of(n, &exponents)).is_ok()).expect("there is one");
        let request = Query::from(puzzle.puzzle_type().objectives.first());
        let best = |formulation: gordian::puzzle::Formulation| {
            let objective = formulation.model.objective().expect("an objective");
            let mut session = Session::new(&formulation.model, &Encodings::auto(), SOLVERS[0]).unwrap();
            let optimum = session.optimise(objective, STRATEGIES[0], |_| ()).unwrap();
            assert!(optimum.proven);
            optimum.best.map(|(assignment, value)| {
                assert_eq!((formulation.decode)(&assignment).number("n"), Ok(value));
                value
            })
        };
        prop_assert_eq!(stages(&*puzzle, &request).find_map(best), Some(i128::from(expected)));
        prop_assert_eq!(best(puzzle.formulate(&request)), Some(i128::from(expected)));
    }

    #[test]
    fn cards_solutions_agree_with_the_rules(
        (cards, red, left) in (0..6_i128).prop_flat_map(|cards| (Just(cards), 0..=cards, 0..=cards)),
        given in proptest::array::uniform4(proptest::option::weighted(0.3, 0..6_i128)),
    ) {
        let mut text = format!("cards\nn_cards = {cards}\nn_red = {red}\nleft_split = {left}\n");
        for (name, given) in COUNTS.into_iter().zip(given) {
            if let Some(given) = given {
                writeln!(text, "{name} = {}", given.min(cards)).expect("a text takes text");
            }
        }
        let all = (0..7_i128.pow(4)).map(|i| counts([i % 7, i / 7 % 7, i / 49 % 7, i / 343]));
        agree(&text, all)?;
    }

    #[test]
    fn smallest_solutions_agree_with_the_rules(
        base in 2..8_i128,
        length in 1..4_u32,
        multiplier in 1..40_i128,
        digits in proptest::option::of(proptest::collection::btree_set(0..8_i128, 1..5)),
    ) {
        let mut text = format!("smallest\nnum_digits = {length}\nmultiplier = {multiplier}\nbase = {base}\n");
        if let Some(digits) = digits {
            let digits: BTreeSet<i128> = digits.into_iter().map(|digit| digit % base).collect();
            writeln!(text, "digits = {:?}", digits.iter().collect::<Vec<_>>()).expect("a text takes text");
        }
        agree(&text, (0..base.pow(length) * base).map(|value| number("number", value)))?;
    }

    #[test]
    fn nines_solutions_agree_with_the_rules(
        length in 1..4_u32,
        longest in 1..6_u32,
        factors in proptest::collection::btree_set(prop_oneof![4 => 1..30_i128, 1 => 30..2000_i128], 1..5),
        digit in 0..10_u32,
    ) {
        let factors: Vec<i128> = factors.into_iter().collect();
        let text = format!(
            "nines\nn_digits = {length}\nmax_digits_after_mult = {longest}\nmultiplicator_range = {factors:?}\n\
             num_to_check = {digit}\n"
        );
        agree(&text, (0..1200).map(|value| number("number", value)))?;
    }

    #[test]
    fn age_solutions_agree_with_the_rules(born in 0..400_i128, length in 1..4_u32, fraction in 1..40_i128) {
        let text = format!("age\nborn_year = {born}\nlen_born_year = {length}\nfraction = {fraction}\n");
        agree(&text, (-5..1500).map(|value| number("year", value)))?;
    }

    #[test]
    fn triangle_solutions_agree_with_the_rules(
        order in Just((1..=9).collect::<Vec<i128>>()).prop_shuffle(),
        hidden in proptest::collection::btree_set(0..9_usize, 0..7),
        sum in proptest::option::of(15..26_i128),
    ) {
        let sum = sum.unwrap_or_else(|| order[..4].iter().sum());
        let given: Vec<i128> =
            (0..9).map(|position| if hidden.contains(&position) { 0 } else { order[position] }).collect();
        let rest: Vec<i128> = hidden.iter().map(|&position| order[position]).collect();
        let candidates = permutations(&rest).into_iter().map(|rest| {
            let mut digits = given.clone();
            for (&position, digit) in hidden.iter().zip(rest) {
                digits[position] = digit;
            }
            triangle(digits)
        });
        agree(&format!("magic-triangle\nstarting_conf = {given:?}\nsum = {sum}\n"), candidates)?;
    }

    #[test]
    fn numcross_solutions_agree_with_the_rules(
        columns in 1..4_usize,
        cells in proptest::collection::vec((proptest::bool::weighted(0.8), 1..5_i128), 1..10),
        least in 1..3_i128,
        greatest in 3..5_i128,
    ) {
        let cells = &cells[..cells.len() / columns * columns];
        prop_assume!(!cells.is_empty() && cells.iter().filter(|cell| cell.0).count() <= 7);
        let (white, values): (Vec<bool>, Vec<i128>) = cells.iter().copied().unzip();
        let text = numcross(&white, columns, &values, (least, greatest));
        let puzzle = board(&text);
        proofs::agree(&*puzzle, fillings(&white, columns, 4))?;
        proofs::certify(&*puzzle, |_, _| Ok(()))?;
        // The products are part of the solution, and the numbers in the grid determine them.
        let expected = admitted(&*puzzle, fillings(&white, columns, 4));
        for solver in SOLVERS.iter().filter(|solver| solver.make().is_ok()) {
            let found = all_solutions(&*puzzle, solver, &Encodings::auto());
            let grids: BTreeSet<String> = found
                .iter()
                .map(|solution| {
                    let grid = solution.grid(white.len() / columns, columns).expect("a grid");
                    key(&Solution::from_grid(grid.clone()))
                })
                .collect();
            prop_assert_eq!(&grids, &expected, "{} on\n{}", solver.name, text);
            for solution in found {
                let drawn = puzzle.draw(Some(&solution)).text(false);
                let read = puzzle.read_solution(&Source::new("drawing", drawn.clone())).expect(&drawn);
                prop_assert!(puzzle.check(&read).is_ok(), "{}", drawn);
            }
        }
    }
}

#[test]
#[ignore = "needs veripb"]
fn certificates_of_instances_are_accepted() {
    for text in [
        "magic-triangle\nstarting_conf = [0, 0, 3, 0, 0, 0, 0, 8, 0]\nsum = 20\n",
        "max-triangle\n",
        "age\nborn_year = 1900\nlen_born_year = 4\nfraction = 7\n",
        "cards\nn_cards = 52\nn_red = 26\nleft_split = 25\nn_red_left_split = 12\n",
        "smallest\nnum_digits = 4\nmultiplier = 11\n",
        "smallest\nnum_digits = 5\nmultiplier = 1001\n",
        "nines\nn_digits = 2\nmax_digits_after_mult = 4\nmultiplicator_range = 2..11\nnum_to_check = 9\n",
        "nines\nn_digits = 1\nmax_digits_after_mult = 2\nmultiplicator_range = [2]\nnum_to_check = 0\n",
        "numcross\nr = 1\ns = 9\nS = {6, 12}\n. .\n. #\n",
        "numcross\nr = 1\ns = 4\nS = {16}\n.\n.\n#\n.\n",
        "numcross\nr = 1\ns = 9\nS = {35, 12, 30, 14}\n. .\n. .\n",
        "numcross\nr = 1\ns = 9\nS = {22, 12, 30, 14}\n. .\n. .\n",
        "powers\n",
        "powers\nexponents = [2]\nmode = \"at-least\"\nbase = 5\n",
        "powers\nexponents = [3, 1, 3]\nbase = 6\nmode = \"at-least\"\nmax_n = 40\n",
        "powers\nexponents = [1, 2]\n",
    ] {
        proofs::accepted(&*board(text)).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// The exponents are a sum over literals `x = v`, and the formula states the same sum over literals `x <= v`.
#[test]
fn a_definition_of_a_value_is_used_where_rows_have_bounds() {
    let board = board("numcross\nr = 1\ns = 4\nS = {16}\n.\n.\n#\n.\n");
    proofs::certify(&*board, |_, _| Ok(())).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn the_largest_triangle_is_the_maximum_over_all_permutations() {
    let puzzle = board("max-triangle\n");
    let sum = |order: &Vec<i128>| SIDES.iter().flatten().map(|&position| order[position]).sum::<i128>();
    let orders = permutations(&(1..=9).collect::<Vec<_>>());
    assert_eq!(orders.iter().map(sum).max(), Some(69));
    assert!(orders.into_iter().step_by(997).all(|order| puzzle.check(&triangle(order)).is_ok()));
}

#[test]
fn long_entries_do_not_overflow() {
    // The largest product of the cells, 9^60, does not fit in 128 bits.
    for (definition, count) in [(1, 1), (3, 60), (11, 0)] {
        let text = format!("numcross\nr = 1\ns = 9\nS = {{{definition}}}\n{}\n", ". ".repeat(60));
        assert_eq!(solutions(&*board(&text), SOLVERS[0], &Encodings::auto()).len(), count, "{definition}");
    }
    let great = 2_i128.pow(20) * 3_i128.pow(5);
    let text = format!("numcross\nr = 1\ns = 9\nS = {{{great}}}\n{}\n", ". ".repeat(60));
    let puzzle = board(&text);
    let formulation = puzzle.formulate(&Query::Satisfy);
    let mut session = Session::new(&formulation.model, &Encodings::auto(), SOLVERS[0]).unwrap();
    session.satisfy(&[]).unwrap();
    assert_eq!(puzzle.check(&(formulation.decode)(&session.assignment())), Ok(()));
}

#[test]
fn solutions_beyond_128_bits_are_read_back() {
    let puzzle = board("powers\nexponents = [60, 61]\nmode = \"at-least\"\nbase = 10\n");
    let request = Query::from(puzzle.puzzle_type().objectives.first());
    let solution = stages(&*puzzle, &request).find_map(|formulation| {
        let mut session = Session::new(&formulation.model, &Encodings::auto(), SOLVERS[0]).unwrap();
        let optimum =
            session.optimise(formulation.model.objective().unwrap(), STRATEGIES[0], |_| ()).unwrap();
        optimum.best.map(|(assignment, _)| (formulation.decode)(&assignment))
    });
    let solution = solution.expect("2^60 and 2^61 have 38 digits, some n has all ten");
    assert_eq!(puzzle.check(&solution), Ok(()));
    let n = solution.number("n").expect("a number");
    assert!((1..n).all(|n| puzzle.check(&powers_of(n as u32, &[60, 61])).is_err()));
    let source = Source::new("solution.json", key(&solution));
    let record = gordian::format::json::read(&source).expect("JSON");
    assert_eq!(solution::from_record(&record).expect("a solution"), solution);
    let lines = Source::new(
        "lines",
        solution
            .named_values()
            .iter()
            .map(|(name, value)| format!("{name} = {value}"))
            .collect::<Vec<_>>()
            .join("\n"),
    );
    assert_eq!(solution::from_lines(&lines).expect("a solution"), solution);
}
