//! Tests the labyrinth against exhaustive enumeration.

use std::collections::BTreeSet;

use gordian_encodings::Encodings;
use proptest::prelude::*;

use super::*;
use crate::backend::SOLVERS;
use crate::read::{self, ReadError, ReadOptions};
use crate::rules::Rules;
use crate::search::{STRATEGIES, Session};

fn open(name: &str, text: &str) -> Result<Box<dyn Puzzle>, ReadError> {
    Ok(read::board(&Source::new(name, text), &ReadOptions::of_type(&PUZZLE))?.puzzle)
}

/// Returns the data of a graph. Nodes are counted from 1, and each edge has a weight.
fn data(nodes: usize, start: usize, target: usize, edges: &[(usize, usize, i128)]) -> String {
    let rows: Vec<String> = edges.iter().map(|(a, b, _)| format!("{a}, {b}")).collect();
    let weights: Vec<String> = edges.iter().map(|edge| edge.2.to_string()).collect();
    let matrix = if rows.is_empty() { "[]".to_owned() } else { format!("[| {} |]", rows.join(" | ")) };
    format!(
        "n = {nodes}; num_edges = {}; start = {start}; target = {target}; graph = {matrix}; weights = [{}];",
        edges.len(),
        weights.join(", ")
    )
}

fn cost(solution: &Solution) -> i128 {
    match solution.get(COST) {
        Some(&Field::Number(cost)) => cost,
        other => panic!("{other:?} is no cost"),
    }
}

fn path(solution: &Solution) -> Vec<i128> {
    match solution.get(PATH) {
        Some(Field::Numbers(path)) => path.clone(),
        other => panic!("{other:?} is no path"),
    }
}

/// Returns all sequences of distinct nodes that the checker accepts, each with its length and cost.
fn by_check(labyrinth: &Labyrinth) -> BTreeSet<Vec<i128>> {
    let mut found = BTreeSet::new();
    let mut open = vec![vec![]];
    while let Some(path) = open.pop() {
        if labyrinth.check(&solution(labyrinth, path.clone())).is_ok() {
            found.insert(path.clone());
        }
        for node in (1..=labyrinth.nodes() as i128).filter(|node| !path.contains(node)) {
            open.push([&path[..], &[node]].concat());
        }
    }
    found
}

fn best(
    labyrinth: &Labyrinth,
    row: &'static ObjectiveRow,
    solver: &crate::backend::Solver,
) -> Option<Solution> {
    let formulation = labyrinth.formulate(&Query::Optimise(row));
    let mut session = Session::new(&formulation.model, &Encodings::auto(), solver).unwrap();
    let objective = formulation.model.objective().unwrap();
    let optimum = session.optimise(objective, STRATEGIES[0], |_| ()).unwrap();
    assert!(optimum.proven);
    optimum.best.map(|(assignment, value)| {
        let solution = (formulation.decode)(&assignment);
        assert_eq!(labyrinth.check(&solution), Ok(()));
        assert_eq!(cost(&solution), value);
        solution
    })
}

fn tiny() -> impl Strategy<Value = Labyrinth> {
    (2..6_usize).prop_flat_map(|nodes| {
        let pairs: Vec<(usize, usize)> =
            (0..nodes).flat_map(|a| (a + 1..nodes).map(move |b| (a, b))).collect();
        let most = pairs.len();
        let edges = prop::sample::subsequence(pairs, 0..=most);
        let ends = (0..nodes, 1..nodes).prop_map(move |(start, further)| (start, (start + further) % nodes));
        (edges, ends, prop::collection::vec(0..5_i128, most)).prop_map(
            move |(edges, (start, target), costs)| {
                let connections = edges.into_iter().map(|(a, b)| [a, b]).zip(costs);
                Labyrinth::new(nodes, start, target, connections).unwrap()
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_model_and_the_checker_have_the_same_solutions(labyrinth in tiny()) {
        let expected = by_check(&labyrinth);
        let costs = || expected.iter().map(|path| cost(&solution(&labyrinth, path.clone())));
        let formulation = labyrinth.formulate(&Query::Count);
        for solver in SOLVERS.iter().filter(|solver| solver.make().is_ok()) {
            let session = Session::new(&formulation.model, &Encodings::auto(), solver).unwrap();
            let found: Vec<Vec<i128>> =
                session.into_assignments().map(|found| path(&(formulation.decode)(&found.unwrap()))).collect();
            prop_assert_eq!(found.len(), expected.len(), "{}", solver.name);
            prop_assert_eq!(&found.into_iter().collect::<BTreeSet<_>>(), &expected, "{}", solver.name);
            let [longest, shortest] = PUZZLE.objectives else { panic!("two objectives") };
            prop_assert_eq!(best(&labyrinth, longest, solver).as_ref().map(cost), costs().max());
            prop_assert_eq!(best(&labyrinth, shortest, solver).as_ref().map(cost), costs().min());
        }
        let one = labyrinth.formulate(&Query::Satisfy);
        let mut session = Session::new(&one.model, &Encodings::auto(), SOLVERS[0]).unwrap();
        let found = session.satisfy(&[]).unwrap() == crate::backend::Verdict::Satisfiable;
        prop_assert_eq!(found, !expected.is_empty());
        if found {
            prop_assert_eq!(labyrinth.check(&(one.decode)(&session.assignment())), Ok(()));
        }
    }
}

/// Returns a grid graph with the start in one corner and the target in the opposite corner.
fn grid(rows: usize, columns: usize) -> String {
    let mut edges = Vec::new();
    for node in 0..rows * columns {
        if node % columns + 1 < columns {
            edges.push((node + 1, node + 2, DEFAULT_COST));
        }
        if node + columns < rows * columns {
            edges.push((node + 1, node + columns + 1, DEFAULT_COST));
        }
    }
    data(rows * columns, 1, rows * columns, &edges)
}

#[test]
fn the_longest_path_on_a_grid_of_six_by_six_misses_one_node() {
    // If the 6x6 grid is coloured like a chessboard, opposite corners have the same colour, and there are 18 nodes of
    // each colour.
    let source = Source::new("grid.dzn", grid(6, 6));
    let puzzle = read::board(&source, &ReadOptions::default()).unwrap().puzzle;
    assert_eq!(puzzle.puzzle_type().name, "labyrinth");
    let formulation = puzzle.formulate(&Query::Optimise(&PUZZLE.objectives[0]));
    let mut session = Session::new(&formulation.model, &Encodings::auto(), SOLVERS[0]).unwrap();
    let optimum = session.optimise(formulation.model.objective().unwrap(), STRATEGIES[0], |_| ()).unwrap();
    assert_eq!((optimum.proven, optimum.bound), (true, 340));
    let solution = (formulation.decode)(&optimum.best.unwrap().0);
    assert_eq!(puzzle.check(&solution), Ok(()));
    assert_eq!((cost(&solution), path(&solution).len()), (340, 35));
}

#[test]
fn a_separate_cycle_does_not_change_the_optimum() {
    // The only simple path from 1 to 2 is 1-2, which does not visit the triangle 3-4-5.
    let text = data(5, 1, 2, &[(1, 2, 1), (3, 4, 9), (4, 5, 9), (5, 3, 9), (2, 3, 1)]);
    let puzzle = read::board(&Source::new("ring.dzn", text), &ReadOptions::default()).unwrap().puzzle;
    for row in PUZZLE.objectives {
        let formulation = puzzle.formulate(&Query::Optimise(row));
        let mut session = Session::new(&formulation.model, &Encodings::auto(), SOLVERS[0]).unwrap();
        let optimum =
            session.optimise(formulation.model.objective().unwrap(), STRATEGIES[0], |_| ()).unwrap();
        assert_eq!(optimum.bound, 1, "{}", row.name);
    }
}

#[test]
fn every_change_makes_the_solution_invalid() {
    let puzzle = open("a.dzn", &data(4, 1, 4, &[(1, 2, 10), (2, 3, 10), (3, 4, 10), (1, 4, 7)])).unwrap();
    let whole = puzzle.read_solution(&Source::new("solution", "1 2 3 4")).unwrap();
    assert_eq!(puzzle.check(&whole), Ok(()));
    assert_eq!(puzzle.draw(Some(&whole)).text(false), "1 2 3 4\n");
    assert_eq!(puzzle.draw(None).text(false), "  1 ...   4\n");
    let said = |text: &str| {
        puzzle.check(&puzzle.read_solution(&Source::new("solution", text)).unwrap()).unwrap_err()
    };
    assert_eq!(said("2 3 4").to_string(), "the path does not begin at 1");
    assert_eq!(said("1 2 3").to_string(), "the path does not end at 4");
    assert_eq!(said("1 2 1 4").to_string(), "the path passes 1 twice");
    assert_eq!(said("1 3 4").to_string(), "no connection joins 1 and 3");
    assert_eq!(said("1 2 9 4").to_string(), "no connection joins 2 and 9");
    let with = |length, cost| {
        let path = Field::Numbers(vec![1, 4]);
        Solution::new().with(PATH, path).with(LENGTH, Field::Number(length)).with(COST, Field::Number(cost))
    };
    assert_eq!(puzzle.check(&with(2, 7)), Ok(()));
    assert!(puzzle.check(&with(1, 7)).is_err());
    assert!(puzzle.check(&with(2, 10)).is_err());
    assert!(puzzle.check(&Solution::new()).is_err());
    assert!(puzzle.read_solution(&Source::new("solution", "1 x")).is_err());
}

#[test]
fn text_and_dzn_give_the_same_board() {
    let text = "labyrinth\nn = 3\nnum_edges = 2\nstart = 1\ntarget = 3\ngraph = [| 1, 2\n  | 2, 3 |]\n";
    let puzzle = open("a.txt", text).unwrap();
    let solution = puzzle.read_solution(&Source::new("solution", "1 2 3")).unwrap();
    assert_eq!((puzzle.check(&solution), cost(&solution)), (Ok(()), 20));
}

#[test]
fn errors_point_to_the_invalid_data() {
    let error = |changed: &[(&str, &str)]| {
        let names =
            [("n", "3"), ("num_edges", "2"), ("start", "1"), ("target", "3"), ("graph", "[| 1, 2 | 2, 3 |]")];
        let own = names.iter().map(|&(name, value)| {
            let change = changed.iter().find(|change| change.0 == name);
            format!("{name} = {};\n", change.map_or(value, |change| change.1))
        });
        let more = changed.iter().filter(|change| names.iter().all(|name| name.0 != change.0));
        let text: String = own.chain(more.map(|(name, value)| format!("{name} = {value};\n"))).collect();
        open("b.dzn", &text).unwrap_err().to_string()
    };
    assert_eq!(
        error(&[("target", "1")]),
        "b.dzn:4:10: expected a node that differs from the start, found `1`"
    );
    assert_eq!(error(&[("target", "4")]), "b.dzn:4:10: expected a node from 1 to 3, found `4`");
    assert_eq!(error(&[("start", "0")]), "b.dzn:3:9: expected a node from 1 to 3, found `0`");
    assert_eq!(error(&[("n", "0")]), "b.dzn:1:5: expected a number of nodes from 1 to 1000000, found `0`");
    assert_eq!(
        error(&[("num_edges", "3")]),
        "b.dzn:2:13: expected 2, the number of rows of `graph`, found `3`"
    );
    assert_eq!(
        error(&[("graph", "[| 1, 2 | 2, 4 |]")]),
        "b.dzn:5:22: expected a node from 1 to 3, found `4`"
    );
    assert_eq!(
        error(&[("graph", "[| 1, 2 | 2, 2 |]")]),
        "b.dzn:5:22: expected a node that differs from the first node of the row, found `2`"
    );
    assert_eq!(
        error(&[("graph", "[| 1, 2, 3 | 2, 3, 1 |]")]),
        "b.dzn:5:9: expected two nodes in each row of `graph`, found 3 in a row"
    );
    assert_eq!(
        error(&[("weights", "[1]")]),
        "b.dzn:6:11: expected 2 weights, one for each row of `graph`, found 1"
    );
    assert_eq!(
        error(&[("weights", "[1, -1]")]),
        "b.dzn:6:15: expected a weight from 0 to 999999999, found `-1`"
    );
    assert_eq!(
        error(&[("graph", "[| 1, 2 | 2, 1 |]"), ("weights", "[1, 2]")]),
        "b.dzn:6:15: expected the weight 1, which an earlier row gives to this connection, found `2`"
    );
    let error = open("b.txt", "labyrinth\n1 2 3\n").unwrap_err();
    assert_eq!(error.to_string(), "b.txt:2:1: expected a line `name = value`, found `1 2 3`");
}
