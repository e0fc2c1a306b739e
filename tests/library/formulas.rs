//! Tests that the pseudo-Boolean formula of a board has exactly the solutions that satisfy the rules, on tiny random
//! boards.

use std::collections::BTreeSet;

use crate::support::{models, nurikabe_token, text};
use gordian::rules::labyrinth::{COST, LENGTH, Labyrinth, PATH};
use gordian::rules::numberlink::{DOWN, LEFT, LINES, Numberlink, RIGHT, UP, Variant};
use gordian::rules::opb::RulesFormula;
use gordian::rules::rooks::{Rooks, Square};
use gordian::rules::{Field, Grid, Rules, Solution};
use proptest::prelude::*;

/// Compares the models of the formula with the candidates that satisfy the rules. Also compares the objective of the
/// formula with `cost`, which returns the name of an objective and its value.
fn agree(
    rules: &dyn Rules,
    board: &dyn RulesFormula,
    candidates: impl Iterator<Item = Solution>,
    cost: impl Fn(&Solution) -> (&'static str, i128),
) -> Result<(), TestCaseError> {
    let opb = board.formula().expect("the board has a formula");
    let (mut variables, mut identified) = (Vec::new(), Vec::new());
    let mut expected = BTreeSet::new();
    for solution in candidates.filter(|solution| rules.check(solution).is_ok()) {
        let literals = board.literals(&opb, &solution).expect("the solution has its fields");
        variables = literals.iter().map(|literal| literal.variable).collect();
        let holds: Vec<usize> =
            literals.iter().filter(|literal| !literal.negated).map(|literal| literal.variable).collect();
        let (objective, value) = cost(&solution);
        if let Some(terms) = board.cost(&opb, objective) {
            let terms = terms.iter().filter(|(_, literal)| holds.contains(&literal.variable));
            prop_assert_eq!(terms.map(|&(weight, _)| weight).sum::<i128>(), value, "{}", objective);
        }
        let identifying = board.identifying(&opb, &solution).expect("the solution has its fields");
        prop_assert!(identifying.iter().all(|literal| literals.contains(literal)));
        identified.push((identifying, holds.clone()));
        prop_assert!(expected.insert(holds), "two solutions have the same literals");
    }
    for (identifying, solution) in &identified {
        let agrees = |other: &&Vec<usize>| {
            identifying.iter().all(|literal| literal.negated != other.contains(&literal.variable))
        };
        prop_assert!(expected.iter().filter(agrees).eq([solution]), "other solutions have the same literals");
    }
    prop_assert_eq!(models(&opb, &variables), expected, "{}", opb);
    Ok(())
}

/// Generates boards with up to `rows` rows and `columns` columns.
fn boards<T: std::fmt::Debug + Clone + 'static>(
    rows: usize,
    columns: usize,
    cell: impl Strategy<Value = T> + Clone + 'static,
) -> impl Strategy<Value = Grid<T>> {
    (1..=rows, 1..=columns).prop_flat_map(move |(rows, columns)| {
        let cells = proptest::collection::vec(cell.clone(), rows * columns);
        cells.prop_map(move |cells| Grid::new(rows, columns, cells))
    })
}

/// Returns a grid for each set of cells, with 1 in the cells of the set.
fn sets(rows: usize, columns: usize) -> impl Iterator<Item = Grid<i128>> {
    let cells = rows * columns;
    (0..1_u32 << cells)
        .map(move |set| Grid::new(rows, columns, (0..cells).map(|at| i128::from(set >> at & 1)).collect()))
}

/// Replaces each 1 by the size of its region.
fn with_sizes(land: &Grid<i128>) -> Grid<i128> {
    let mut sizes = land.map(|_| 0);
    for start in 0..land.len() {
        let mut region = vec![start];
        for next in 0.. {
            let Some(&cell) = region.get(next) else { break };
            for near in land.neighbours(cell) {
                if land[near] == 1 && !region.contains(&near) {
                    region.push(near);
                }
            }
        }
        if land[start] == 1 {
            sizes.cells_mut()[start] = region.len() as i128;
        }
    }
    sizes
}

/// Returns the solution in which the paths take the given steps. Bit i of `steps` is 1 if the paths use edge i of the
/// grid.
fn numberlink_solution(numbers: &Grid<Option<i128>>, steps: u32) -> Solution {
    let mut grid = numbers.map(|number| number.unwrap_or(0));
    let mut lines = numbers.map(|_| 0);
    let taken: Vec<(usize, usize)> =
        (0..).zip(numbers.edges()).filter(|(at, _)| steps >> at & 1 == 1).map(|(_, edge)| edge).collect();
    for &(a, b) in &taken {
        let beside = numbers.place(a).row == numbers.place(b).row;
        let (out, back) = if beside { (RIGHT, LEFT) } else { (DOWN, UP) };
        lines.cells_mut()[a] |= out;
        lines.cells_mut()[b] |= back;
    }
    // Each round copies every number along its path to the adjacent cells.
    for _ in 0..grid.len() {
        for &(a, b) in &taken {
            let number = grid[a].max(grid[b]);
            for cell in [a, b] {
                if grid[cell] == 0 {
                    grid.cells_mut()[cell] = number;
                }
            }
        }
    }
    Solution::from_grid(grid).with(LINES, Field::Grid(lines))
}

/// Generates a labyrinth with at most ten connections.
fn labyrinths() -> impl Strategy<Value = Labyrinth> {
    (2..=6_usize).prop_flat_map(|nodes| {
        let connection = ((0..nodes, 0..nodes).prop_filter("two nodes", |(a, b)| a != b), 0..20_i128);
        (proptest::collection::vec(connection, 0..=10), 0..nodes, 0..nodes).prop_filter_map(
            "a labyrinth",
            move |(connections, start, target)| {
                let connections = connections.into_iter().map(|((a, b), cost)| ([a, b], cost));
                Labyrinth::new(nodes, start, target, connections).ok()
            },
        )
    })
}

/// Returns the solution whose path leads from the start along the given connections.
fn labyrinth_solution(board: &Labyrinth, set: u32) -> Solution {
    let mut taken: Vec<_> =
        (0..).zip(board.connections()).filter(|(at, _)| set >> at & 1 == 1).map(|(_, c)| *c).collect();
    let (mut node, mut path, mut cost) = (board.start(), vec![board.start() as i128 + 1], 0);
    while let Some(at) = taken.iter().position(|c| c.a == node || c.b == node) {
        let connection = taken.swap_remove(at);
        node = connection.a + connection.b - node;
        path.push(node as i128 + 1);
        cost += connection.cost;
    }
    let length = path.len() as i128;
    // If a connection is not on the path, the solution gets a wrong length, which the rules reject.
    Solution::default()
        .with(PATH, Field::Numbers(path))
        .with(LENGTH, Field::Number(if taken.is_empty() { length } else { -1 }))
        .with(COST, Field::Number(cost))
}

/// Compares the formula of a Nurikabe board with the rules.
fn nurikabe_agrees(tokens: &Grid<String>) -> Result<(), TestCaseError> {
    let (rows, columns) = (tokens.rows(), tokens.columns());
    let puzzle = crate::support::board(&text("nurikabe", columns, tokens.cells()));
    let formula = puzzle.rules_formula().expect("sheets have formulas");
    let candidates = sets(rows, columns).map(|land| Solution::from_grid(with_sizes(&land)));
    agree(&*puzzle, formula, candidates, |_| ("none", 0))
}

fn square() -> impl Strategy<Value = Square> + Clone + 'static {
    prop_oneof![10 => Just(Square::Empty), 2 => Just(Square::Block), 1 => (0..5_u8).prop_map(Square::Clue)]
}

fn variant() -> impl Strategy<Value = Variant> {
    prop_oneof![
        Just(Variant::Amaze),
        (any::<bool>(), any::<bool>())
            .prop_map(|(all_cells, touch)| Variant::Numberlink { all_cells, touch }),
    ]
}

/// Generates a board with the numbers 1 and 2 in two cells each. A number is omitted if its cells coincide with each
/// other or with an occupied cell.
fn numbers() -> impl Strategy<Value = Grid<Option<i128>>> {
    (1..=3_usize, 1..=4_usize).prop_flat_map(|(rows, columns)| {
        proptest::collection::vec(0..rows * columns, 4).prop_map(move |ends| {
            let mut cells = vec![None; rows * columns];
            for (number, pair) in (1..).zip(ends.chunks(2)) {
                if pair[0] != pair[1] && pair.iter().all(|&cell| cells[cell].is_none()) {
                    for &cell in pair {
                        cells[cell] = Some(number);
                    }
                }
            }
            Grid::new(rows, columns, cells)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nurikabe(tokens in boards(3, 4, nurikabe_token())) {
        nurikabe_agrees(&tokens)?;
    }

    #[test]
    fn rooks(squares in boards(4, 4, square()), most: bool) {
        let candidates = sets(squares.rows(), squares.columns()).map(Solution::from_grid);
        let (rows, columns) = (squares.rows(), squares.columns());
        let board = Rooks { squares };
        agree(&board, &board, candidates, |solution| {
            let rooks: i128 = solution.grid(rows, columns).expect("a grid").cells().iter().sum();
            if most { ("most", -rooks) } else { ("fewest", rooks) }
        })?;
    }

    #[test]
    fn numberlink(numbers in numbers(), variant in variant()) {
        let board = Numberlink::new(&numbers, variant).expect("each number is in two cells");
        let edges = numbers.edges().count();
        let candidates = (0..1_u32 << edges).map(|steps| numberlink_solution(&numbers, steps));
        agree(&board, &board, candidates, |solution| {
            let grid = solution.grid(numbers.rows(), numbers.columns()).expect("a grid");
            ("sum", grid.cells().iter().sum())
        })?;
    }

    /// With the constraint that a value is unseen, the formula has exactly the solutions that have a value which no given
    /// solution has.
    #[test]
    fn unseen_values_of_numberlink(numbers in numbers(), variant in variant(), given: u64) {
        let board = Numberlink::new(&numbers, variant).expect("each number is in two cells");
        let candidates = (0..1_u32 << numbers.edges().count()).map(|steps| numberlink_solution(&numbers, steps));
        let solutions: Vec<Solution> = candidates.filter(|solution| board.check(solution).is_ok()).collect();
        let values = |solution: &Solution| -> BTreeSet<(&str, usize, i128)> {
            let fields = solution.fields().filter(|&(name, _)| name != LINES || board.touch());
            let cells = fields.flat_map(|(name, field)| match field {
                Field::Grid(grid) => grid.cells().iter().enumerate().map(move |(cell, &value)| (name, cell, value)),
                _ => unreachable!("a grid"),
            });
            cells.map(|(name, cell, value)| (if name == LINES { LINES } else { "grid" }, cell, value)).collect()
        };
        let is_given = |&(index, _): &(usize, &Solution)| given >> (index % 64) & 1 == 1;
        let shown: Vec<Solution> =
            solutions.iter().enumerate().filter(is_given).map(|(_, solution)| solution.clone()).collect();
        let seen: BTreeSet<_> = shown.iter().flat_map(values).collect();
        let mut opb = board.formula().expect("the board has a formula");
        let literals = |solution: &Solution| board.literals(&opb, solution).expect("the solution has its fields");
        let holds = |solution: &Solution| -> Vec<usize> {
            literals(solution).iter().filter(|literal| !literal.negated).map(|literal| literal.variable).collect()
        };
        let others = solutions.iter().filter(|solution| !values(solution).is_subset(&seen));
        let expected: BTreeSet<Vec<usize>> = others.map(holds).collect();
        let variables: Vec<usize> =
            solutions.iter().take(1).flat_map(literals).map(|literal| literal.variable).collect();
        let unseen = board.unseen(&opb, &shown).expect("the solutions have their fields");
        unseen.at_least(&mut opb, 1);
        prop_assert_eq!(models(&opb, &variables), expected, "{}", opb);
    }

    #[test]
    fn labyrinth(board in labyrinths(), longest: bool) {
        let candidates = (0..1_u32 << board.connections().len()).map(|set| labyrinth_solution(&board, set));
        agree(&board, &board, candidates, |solution| match (solution.get(COST), longest) {
            (Some(Field::Number(cost)), true) => ("longest", -cost),
            (Some(Field::Number(cost)), false) => ("shortest", *cost),
            _ => ("none", 0),
        })?;
    }
}

#[test]
fn nurikabe_formula_of_every_board_with_few_cells() {
    let tokens = [".", "?", "1", "2", "3"];
    for (rows, columns) in [(1, 1), (1, 2), (1, 3), (2, 2), (1, 4)] {
        let cells = rows * columns;
        for board in 0..tokens.len().pow(cells as u32) {
            let token = |cell: usize| tokens[board / tokens.len().pow(cell as u32) % tokens.len()].to_owned();
            let tokens = Grid::new(rows, columns, (0..cells).map(token).collect());
            nurikabe_agrees(&tokens).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}
