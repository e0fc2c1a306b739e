//! Tests that `--given` restricts a board to the solutions with the given values.

use std::collections::BTreeSet;

use crate::support::{
    all_solutions, board, gordian, nurikabe_token, pairs, rooks_token, rows, stderr, stdout, text,
};
use gordian::backend;
use gordian::puzzle::{Given, Query, StageOutcome};
use gordian::query::{self, Outcome, Silent, Status};
use gordian::rules::{Grid, Rules, Solution};
use gordian::search::{Config, Session, SolveError};
use gordian_encodings::{Assignment, Encodings};
use num_bigint::BigUint;
use proptest::prelude::*;

fn outcome(text: &str, facts: &[String], query: Query) -> Outcome {
    let given = Given::new(board(text), facts).unwrap_or_else(|error| panic!("{error}\n{text}"));
    query::run(&given, query, &Config::default(), &mut Silent).expect("no failure")
}

/// For each value of each cell, compares the count from `backbone --counts` with queries on the board in which this
/// value is given.
fn agree(text: &str) -> Result<(), TestCaseError> {
    let puzzle = board(text);
    let all = query::run(&*puzzle, Query::CountValues, &Config::default(), &mut Silent).expect("no failure");
    // The length and the cost of a path can't be given.
    let is_part = |field: &str| !["length", "cost"].contains(&field);
    for (field, counts) in all.values.iter().flatten().filter(|(field, _)| is_part(field)) {
        for (index, values) in counts.parts.iter().enumerate() {
            let place = match counts.columns {
                Some(columns) if field == "grid" => {
                    format!("r{}c{}", index / columns + 1, index % columns + 1)
                }
                Some(columns) => format!("{field} r{}c{}", index / columns + 1, index % columns + 1),
                None => format!("{field}[{}]", index + 1),
            };
            for (value, count) in values {
                let facts = [format!("{place}={value}")];
                let run = |query| outcome(text, &facts, query);
                let counted = run(Query::Count);
                prop_assert_eq!(counted.count.as_ref(), Some(count), "{:?} of {}", facts, text);
                let values = run(Query::CountValues).values.expect("a solution");
                let (_, fields) = values.iter().find(|(name, _)| name == field).expect("the same fields");
                prop_assert_eq!(&fields.parts[index], &[(*value, count.clone())]);
                let listed = run(Query::Enumerate { limit: None });
                prop_assert_eq!(listed.count.as_ref(), Some(count), "{:?} of {}", facts, text);
                let unique = Some(*count == BigUint::from(1_u8));
                prop_assert_eq!(run(Query::Unique).unique, unique, "{:?} of {}", facts, text);
                prop_assert_eq!(run(Query::Backbone).unique, unique, "{:?} of {}", facts, text);
                for objective in puzzle.puzzle_type().objectives {
                    let outcome = run(Query::Optimise(objective));
                    prop_assert_eq!(outcome.status, Status::Optimal, "{:?} of {}", facts, text);
                }
                let given = Given::new(board(text), &facts).expect("a fact");
                let sampled = query::sample(&given, 2, &Config::default(), &mut Silent).expect("no failure");
                prop_assert_eq!(sampled.status, Status::Solved, "{:?} of {}", facts, text);
                prop_assert!(run(Query::Satisfy).solution.is_some(), "{:?} of {}", facts, text);
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nurikabe((_, columns, tokens) in rows(nurikabe_token())) {
        agree(&text("nurikabe", columns, &tokens))?;
    }

    #[test]
    fn rooks((_, columns, tokens) in rows(rooks_token())) {
        agree(&text("rooks", columns, &tokens))?;
    }

    #[test]
    fn numberlink(
        (columns, tokens) in pairs(4, 4, 3),
        puzzle_type in prop::sample::select(&["numberlink", "numberlink touch=no", "numberlink cells=all", "amaze"][..]),
    ) {
        agree(&text(puzzle_type, columns, &tokens))?;
    }

    #[test]
    fn labyrinths(edges in prop::collection::btree_set((1..6_usize, 1..6_usize), 1..9)) {
        let edges: Vec<String> =
            edges.iter().filter(|(a, b)| a < b).map(|(a, b)| format!("{a}, {b}")).collect();
        prop_assume!(!edges.is_empty());
        agree(&format!("labyrinth\nn = 5\nstart = 1\ntarget = 5\ngraph = [|{}|]\n", edges.join("|")))?;
    }
}

#[test]
fn numbers() {
    agree("magic-triangle\nstarting_conf = [1, 0, 0, 5, 0, 0, 0, 0, 0]\n").expect("the counts agree");
}

/// A given value may make the optimum worse.
#[test]
fn the_objective_is_optimised_among_the_solutions_with_the_given_values() {
    let amaze = "amaze\n1 . .\n. . .\n1 . .\n";
    let value = |facts: &[String]| {
        let query = board(amaze).puzzle_type().default_query();
        outcome(amaze, facts, query).objective.expect("a solution").1
    };
    assert_eq!((value(&[]), value(&["r1c3=1".to_owned()])), (3, 7));
    let numberlink = "numberlink\n1 . .\n1 . .\n";
    let solution = outcome(numberlink, &["r1c3=1".to_owned()], Query::Satisfy).solution.expect("a solution");
    assert!(serde_json::to_string(&solution).expect("JSON").contains("[[1,1,1],[1,1,1]]"));
}

fn run(arguments: &[&str], input: &str) -> (String, String, Option<i32>) {
    let output = gordian(arguments, input);
    (stdout(&output), stderr(&output), output.status.code())
}

const ROOKS: &str = "rooks\n. . .\n. . .\n. . .\n";

#[test]
fn commands_take_given_values() {
    let (text, err, code) = run(&["solve", "-", "--count", "--given", "r1c1=rook"], ROOKS);
    assert_eq!((&*text, code), ("2\n", Some(0)), "{err}");
    let (text, ..) = run(&["solve", "-", "--given", "r1c1=rook", "--given", "r2c3=1"], ROOKS);
    assert_eq!(text, "R . .\n. . R\n. R .\n");
    let (text, _, code) = run(&["solve", "-", "--given", "r1c1=rook", "--given", "r1c2=rook"], ROOKS);
    assert_eq!((&*text, code), ("no solution: the board is contradictory\n", Some(1)));
    let (text, ..) = run(&["backbone", "-", "--given", "r1c1=rook"], ROOKS);
    assert_eq!(text, "R . .\n. ? ?\n. ? ?\n");
    let (text, ..) = run(&["backbone", "-", "--counts", "--given", "r1c1=rook"], ROOKS);
    assert!(text.starts_with("2 solutions\n"), "{text}");
    let (text, ..) = run(&["sample", "-", "-n", "4", "--given", "r1c1=rook"], ROOKS);
    assert_eq!(text.matches("R . .\n").count(), 4, "{text}");
}

#[test]
fn exported_formulas_contain_given_values() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = |name: &str| directory.path().join(name).display().to_string();
    std::fs::write(file("rooks.txt"), ROOKS).expect("a file");
    let given = ["--given", "r1c2=rook", "--given", "r2c1=empty"];
    let (_, err, code) =
        run(&[&["export", &file("rooks.txt"), "-o", &file("rooks.cnf")], &given[..]].concat(), "");
    assert_eq!(code, Some(0), "{err}");
    let (output, ..) = run(&["sat", &file("rooks.cnf")], "");
    let (text, err, _) = run(&[&["decode", &file("rooks.txt"), "-"], &given[..]].concat(), &output);
    assert_eq!(text, ". R .\n. . R\nR . .\n", "{err}");
}

#[test]
fn models_take_values_of_output_variables() {
    let model = "var 1..9: x :: output_var;\narray [1..2] of var int: a :: output_array([1..2]) = [x, 7];\n\
                 constraint int_lin_ne([1],[x],4);\nsolve maximize x;\n";
    for (facts, count) in
        [(&["x=5"][..], "1\n"), (&["x=5", "a[1]=6"], "0\n"), (&["a[2]=7", "x=9"], "1\n"), (&[], "8\n")]
    {
        let given: Vec<&str> = facts.iter().flat_map(|fact| ["--given", fact]).collect();
        let (text, err, _) = run(&[&["solve", "-", "--count"], &given[..]].concat(), model);
        assert_eq!(text, count, "{facts:?}: {err}");
    }
    let (_, err, code) = run(&["solve", "-", "--given", "x=4"], model);
    assert_eq!(code, Some(2));
    assert!(err.contains("--given x=4: expected `x=1` or `x=2` or `x=3` or `x=5`"), "{err}");
    let named = "var 1..9: r1c2 :: output_var;\nvar 1..9: b1 :: output_var;\nsolve satisfy;\n";
    let (text, err, _) = run(&["solve", "-", "--given", "b1=3", "--given", "r1c2=5"], named);
    assert_eq!(text, "r1c2 = 5;\nb1 = 3;\n", "names of variables are no places: {err}");
    let (text, err, _) = run(&["solve", "-", "--given", "x=3"], model);
    assert!(text.contains("x = 3;"), "{text}{err}");
    let (_, err, code) =
        run(&["solve", "-", "--given", "x=3"], "var int: x :: output_var;\nsolve satisfy;\n");
    assert_eq!(code, Some(2));
    assert!(err.contains("--given: no bounds are known for `x`"), "{err}");
}

#[test]
fn wrong_facts_are_errors() {
    for (fact, expected) in [
        ("r9c9=rook", "a cell of the board, which has 3 rows and 3 columns"),
        ("r1c1-r1c2=1", "a fact about one cell, such as `r1c1=0`"),
        ("rook", "a fact such as `r1c1=0`"),
        ("r1c1", "`r1c1=0` or `r1c1=1` or `r1c1=empty` or `r1c1=rook`"),
        ("r1c1=queen", "`r1c1=0` or `r1c1=1` or `r1c1=empty` or `r1c1=rook`"),
    ] {
        let (_, err, code) = run(&["solve", "-", "--given", fact], ROOKS);
        assert_eq!(code, Some(2), "{err}");
        assert!(err.contains("--given") && err.contains(expected) && err.contains(fact), "{err}");
    }
    for option in [&["--symmetry", "break", "--all"][..], &["--proof", "directory"]] {
        let (_, err, code) = run(&[&["solve", "-", "--given", "r1c1=rook"], option].concat(), ROOKS);
        assert_eq!(code, Some(2), "{err}");
        assert!(err.contains("cannot be used with"), "{err}");
    }
}

/// The first stage of a query with given values contains all solutions, so there is no second stage.
#[test]
fn there_is_one_stage() {
    let given = Given::new(board("numberlink\n1 . .\n1 . .\n"), &["r1c3=1".to_owned()]).expect("a fact");
    let query = Query::Unique;
    let mut stages = gordian::puzzle::Puzzle::stages(&given, &query);
    assert!(stages(&StageOutcome::None).is_some() && stages(&StageOutcome::None).is_none());
}

fn count(text: &str, facts: &[&str]) -> usize {
    let facts: Vec<String> = facts.iter().map(|&fact| fact.to_owned()).collect();
    let count = outcome(text, &facts, Query::Count).count.expect("a number");
    usize::try_from(count).expect("a small number")
}

#[test]
fn words_and_values_denote_facts() {
    let rooks = "rooks\n. .\n. .\n";
    for facts in
        [&["r1c1=rook"][..], &["r1c1=1"], &["r1c2=empty", "r2c1=0"], &["1,1=rook"], &["b1=0", "A2=empty"]]
    {
        assert_eq!(count(rooks, facts), 1, "{facts:?}");
    }
    assert_eq!(count(rooks, &["r1c1=rook", "r1c2=rook"]), 0);
    let nurikabe = "nurikabe\n? . .\n. . .\n";
    for [sea, island] in [["r1c2=sea", "r1c2=island"], ["r1c2=0", "r1c2=+"]] {
        let counts = [count(nurikabe, &[sea]), count(nurikabe, &[island])];
        assert!(counts[0] > 0 && counts[1] > 0, "{counts:?}");
        assert_eq!(counts[0] + counts[1], count(nurikabe, &[]));
    }
    let numberlink = "numberlink\n1 . .\n1 . .\n";
    assert_eq!(count(numberlink, &["r1c1-r2c1=line"]), 1);
    assert_eq!(count(numberlink, &["r1c1-r2c1=open"]), 2);
    assert_eq!(count(numberlink, &["r1c3=1"]), 1);
    assert_eq!(count(numberlink, &["lines r1c1=2", "r1c3=0"]), 1);
    let triangle =
        |digits: &str| format!("magic-triangle\nstarting_conf = [{digits}, 0, 5, 0, 0, 0, 0, 0]\n");
    assert_eq!(count(&triangle("0, 0"), &["digits[1]=1"]), count(&triangle("1, 0"), &[]));
}

#[test]
fn other_texts_are_errors_that_list_the_possible_facts() {
    let expected = |text: &str, fact: &str| {
        Given::new(board(text), &[fact.to_owned()]).expect_err("not a fact").expected
    };
    let powers = "powers\nexponents = [1]\nbase = 2\n";
    assert_eq!(expected(powers, "n=2"), "nothing, because the board has no facts");
    let numberlink = "numberlink\n1 . 1\n";
    assert_eq!(expected(numberlink, "r1c1-r1c2=on"), "`r1c1-r1c2=open` or `r1c1-r1c2=line`");
    assert_eq!(expected("amaze\n1 . 1\n", "r1c2=2"), "`r1c2=0` or `r1c2=1` or `r1c2=not-0` or `r1c2=not-1`");
    assert_eq!(expected("amaze\n1 . 1\n", "r1c1-r1c2=on"), "`r1c1-r1c2=open` or `r1c1-r1c2=line`");
}

#[test]
fn a_solution_without_the_given_values_is_wrong() {
    let given = Given::new(board("rooks\n. .\n. .\n"), &["r1c1=rook".to_owned()]).expect("a fact");
    let solution = |cells: [i128; 4]| Solution::from_grid(Grid::new(2, 2, cells.to_vec()));
    assert!(given.check(&solution([1, 0, 0, 1])).is_ok());
    assert!(given.check(&solution([0, 1, 1, 0])).is_err());
}

/// A fact that an explanation prints has the same meaning as an argument of `--given`.
#[test]
fn facts_of_explanations_can_be_given() {
    let boards = [
        "rooks\n. . .\n. . .\n",
        "nurikabe\n? . .\n. . 2\n",
        "numberlink\n1 . 2\n. . .\n1 . 2\n",
        "numberlink touch=no\n1 . 2\n. . .\n1 . 2\n",
        "numberlink cells=all touch=no\n1 2\n. .\n1 2\n",
        "amaze\n1 . 2\n. . .\n1 . 2\n",
        "labyrinth\nn = 6\nstart = 1\ntarget = 4\ngraph = [|1, 2|2, 3|3, 4|1, 3|2, 4|5, 6|]\n",
        "numcross\nr = 2\ns = 4\nS = {4, 6, 8, 12}\n. .\n. .\n",
    ];
    let solver = backend::find("batsat").expect("a solver");
    for text in boards {
        let mut plain = board(text).plain();
        plain.model.project(plain.facts.iter().map(|fact| fact.lit));
        let session = Session::new(&plain.model, &Encodings::auto(), &solver).expect("a session");
        let values = |assignment: Result<Assignment, SolveError>| -> Vec<bool> {
            let assignment = assignment.expect("no limit was set");
            plain.facts.iter().map(|fact| assignment.lit(fact.lit)).collect()
        };
        let solutions: BTreeSet<Vec<bool>> = session.into_assignments().map(values).collect();
        assert!(!solutions.is_empty(), "{text}");
        for (index, fact) in plain.facts.iter().enumerate() {
            for holds in [false, true] {
                let facts = [fact.text(holds)];
                let expected = solutions.iter().filter(|values| values[index] == holds).count();
                let given = Given::new(board(text), &facts).unwrap_or_else(|error| panic!("{error}: {text}"));
                assert_eq!(
                    all_solutions(&given, &solver, &Encodings::auto()).len(),
                    expected,
                    "{facts:?} of {text}"
                );
                let count = |query| outcome(text, &facts, query).count;
                assert_eq!(count(Query::Count), Some(expected.into()), "{facts:?} of {text}");
                assert_eq!(count(Query::CountValues), Some(expected.into()), "{facts:?} of {text}");
                let contrary = Given::new(board(text), &[fact.text(!holds)]).expect("a fact");
                for solution in all_solutions(&given, &solver, &Encodings::auto()) {
                    assert!(contrary.check(&solution).is_err(), "{} of {text}", fact.text(!holds));
                }
            }
        }
    }
}
