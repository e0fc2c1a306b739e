//! Generates boards from fixed seeds for optimisation benchmarks. The boards are the same on every machine and with
//! every solver.
#![allow(dead_code, reason = "the bench and the example use different parts")]

use std::path::Path;

use gordian::format::Source;
use gordian::puzzle::{self, Formulation, Puzzle};
use gordian::read::{self, ReadOptions};

/// A set of boards of one puzzle type.
pub(crate) struct Set {
    pub(crate) name: &'static str,
    objective: &'static str,
    boards: fn() -> Vec<Box<dyn Puzzle>>,
}

/// The sets of boards. On the rooks boards, 20 % of the squares are blocks, 30 % of the blocks have clues, and the
/// number of rooks is minimised. The labyrinths are grid graphs with missing nodes, and the cost of the path is
/// maximised. The amaze boards come from the `MiniZinc` Challenge.
pub(crate) static SETS: &[Set] = &[
    Set {
        name: "rooks 20x20",
        objective: "fewest",
        boards: || (1..=12).map(|seed| rooks(20, seed)).collect(),
    },
    Set {
        name: "rooks 30x30",
        objective: "fewest",
        boards: || (1..=3).map(|seed| rooks(30, seed)).collect(),
    },
    Set { name: "rooks 40x40", objective: "fewest", boards: || vec![rooks(40, 1)] },
    Set {
        name: "labyrinth 7x7",
        objective: "longest",
        boards: || (1..=6).map(|seed| grid(7, 3, seed)).collect(),
    },
    Set {
        name: "labyrinth 9x9",
        objective: "longest",
        boards: || (1..=3).map(|seed| grid(9, 6, seed)).collect(),
    },
    Set { name: "amaze", objective: "sum", boards: daily },
];

impl Set {
    /// Returns the boards of the set, each with a formulation that has the set's objective.
    pub(crate) fn boards(&self) -> Vec<(Box<dyn Puzzle>, Formulation)> {
        let formulated = |board: Box<dyn Puzzle>| {
            let objective = board.puzzle_type().objectives.iter().find(|row| row.name == self.objective);
            let formulation = board.formulate(&objective.into());
            (board, formulation)
        };
        (self.boards)().into_iter().map(formulated).collect()
    }
}

fn open(puzzle_type: &str, source: &Source) -> Box<dyn Puzzle> {
    let options = ReadOptions { puzzle_type: puzzle::find(puzzle_type), ..ReadOptions::default() };
    read::board(source, &options).expect("a board of ours").puzzle
}

/// Draws random blocks, places rooks greedily, and derives the clues from the rooks.
fn rooks(side: usize, seed: u64) -> Box<dyn Puzzle> {
    let mut random = fastrand::Rng::with_seed(seed);
    let blocks: Vec<bool> = (0..side * side).map(|_| random.u8(..100) < 20).collect();
    let mut order: Vec<usize> = (0..side * side).filter(|&cell| !blocks[cell]).collect();
    random.shuffle(&mut order);
    let mut rook = vec![false; side * side];
    for cell in order {
        let line = |step: usize, length: usize| (1..=length).map(move |far| step * far);
        let (row, column) = (cell / side, cell % side);
        let back = |step, length| line(step, length).map(|far| cell - far).collect::<Vec<_>>();
        let forth = |step, length| line(step, length).map(|far| cell + far).collect::<Vec<_>>();
        let views =
            [back(1, column), forth(1, side - 1 - column), back(side, row), forth(side, side - 1 - row)];
        let seen =
            views.iter().any(|view| view.iter().take_while(|&&cell| !blocks[cell]).any(|&cell| rook[cell]));
        rook[cell] = !seen;
    }
    let mut text = "rooks\n".to_owned();
    for (cell, &block) in blocks.iter().enumerate() {
        let (row, column) = (cell / side, cell % side);
        let beside = [
            (row > 0).then(|| cell - side),
            (column > 0).then(|| cell - 1),
            (column + 1 < side).then(|| cell + 1),
            (row + 1 < side).then(|| cell + side),
        ];
        let count = beside.into_iter().flatten().filter(|&near| rook[near]).count();
        text += &match block {
            false => ".".to_owned(),
            true if random.u8(..100) < 30 => count.to_string(),
            true => "#".to_owned(),
        };
        text.push(if column + 1 < side { ' ' } else { '\n' });
    }
    open("rooks", &Source::new(format!("rooks {side} {seed}"), text))
}

/// Returns a grid graph with missing nodes. The path leads from the first to the last node, which are in opposite
/// corners, and each edge costs 1 to 20.
fn grid(side: usize, holes: usize, seed: u64) -> Box<dyn Puzzle> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut inner: Vec<usize> = (1..side * side - 1).collect();
    random.shuffle(&mut inner);
    let is_hole = |cell: usize| inner[..holes].contains(&cell);
    let number = |cell: usize| (0..=cell).filter(|&cell| !is_hole(cell)).count();
    let mut rows = Vec::new();
    let mut weights = Vec::new();
    for cell in (0..side * side).filter(|&cell| !is_hole(cell)) {
        let right = (cell % side + 1 < side).then_some(cell + 1);
        let down = (cell + side < side * side).then_some(cell + side);
        for near in right.into_iter().chain(down).filter(|&near| !is_hole(near)) {
            rows.push(format!("{}, {}", number(cell), number(near)));
            weights.push(random.u8(1..=20).to_string());
        }
    }
    let text = format!(
        "n = {0};\nstart = 1;\ntarget = {0};\ngraph = [| {1} |];\nweights = [{2}];\n",
        side * side - holes,
        rows.join(" | "),
        weights.join(", ")
    );
    open("labyrinth", &Source::new(format!("grid {side} {seed}.dzn"), text))
}

/// Returns the boards in `instances/amaze` that come from the `MiniZinc` Challenge. They were originally daily puzzles.
fn daily() -> Vec<Box<dyn Puzzle>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("instances/amaze");
    let entries =
        std::fs::read_dir(&directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let mut paths: Vec<_> =
        entries.map(|entry| entry.expect("a directory that can be read").path()).collect();
    paths.sort();
    let daily = paths.iter().filter(|path| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        stem.starts_with("challenge-") && path.extension().is_some_and(|extension| extension == "dzn")
    });
    daily
        .map(|path| {
            let text = std::fs::read_to_string(path).expect("a file that can be read");
            open("amaze", &Source::new(path.display().to_string(), text))
        })
        .collect()
}
