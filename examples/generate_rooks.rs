//! Generates a rooks board that has a solution, or exactly one solution.
//!
//! ```text
//! cargo run --release --example generate_rooks -- ROWS COLUMNS BLOCKS CLUES SEED [unique]
//! ```
//!
//! BLOCKS percent of the squares become blocks. The board is solved, and CLUES percent of the blocks get clues that
//! agree with the solution. With the option `unique`, all blocks get clues at first. If the board with all clues has a
//! second solution, it is rejected. If the solution is unique, clues are removed as long as it remains unique.

use gordian::backend;
use gordian::format::Source;
use gordian::puzzle::Query;
use gordian::read::{self, ReadOptions};
use gordian::rules::Grid;
use gordian::search::Session;
use gordian_encodings::Encodings;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<usize> = arguments.iter().filter_map(|word| word.parse().ok()).collect();
    let [rows, columns, blocks, clues, seed] = numbers[..] else {
        eprintln!("usage: generate_rooks ROWS COLUMNS BLOCKS CLUES SEED [unique]");
        std::process::exit(2);
    };
    let unique = arguments.last().is_some_and(|word| word == "unique");
    let mut random = fastrand::Rng::with_seed(seed as u64);
    let chance = |random: &mut fastrand::Rng, percent: usize| random.usize(..100) < percent;
    let board = loop {
        let squares =
            (0..rows * columns).map(|_| if chance(&mut random, blocks) { '#' } else { '.' }).collect();
        let empty = Grid::new(rows, columns, squares);
        let solution = solutions(&empty, 1).pop().expect("a board without clues has a solution");
        let number = |cell: usize| {
            let rooks = empty.neighbours(cell).filter(|&near| solution[near] == 1).count();
            char::from_digit(rooks as u32, 10).expect("at most four neighbours")
        };
        let with_clues = |kept: &dyn Fn(usize) -> bool| {
            let square =
                |cell: usize| if empty[cell] == '#' && kept(cell) { number(cell) } else { empty[cell] };
            Grid::new(rows, columns, (0..empty.len()).map(square).collect())
        };
        let mut kept: Vec<bool> = (0..empty.len()).map(|_| unique || chance(&mut random, clues)).collect();
        let board = with_clues(&|cell| kept[cell]);
        if !unique {
            break board;
        }
        if solutions(&board, 2).len() > 1 {
            continue;
        }
        let mut order: Vec<usize> = (0..empty.len()).filter(|&cell| empty[cell] == '#').collect();
        random.shuffle(&mut order);
        for cell in order {
            kept[cell] = false;
            if solutions(&with_clues(&|cell| kept[cell]), 2).len() > 1 {
                kept[cell] = true;
            }
        }
        break with_clues(&|cell| kept[cell]);
    };
    print!("% generate_rooks {}\n{}", arguments.join(" "), text(&board));
}

fn text(board: &Grid<char>) -> String {
    let rows = board.by_row().map(|row| row.iter().map(char::to_string).collect::<Vec<_>>().join(" "));
    format!("rooks\n{}\n", rows.collect::<Vec<_>>().join("\n"))
}

/// Returns the solutions of the board, but stops after `most` solutions.
fn solutions(board: &Grid<char>, most: usize) -> Vec<Grid<i128>> {
    let source = Source::new("generated.txt", text(board));
    let puzzle = read::board(&source, &ReadOptions::default()).expect("a board we wrote").puzzle;
    let formulation = puzzle.formulate(&Query::Count);
    let session = Session::new(&formulation.model, &Encodings::auto(), backend::SOLVERS[0])
        .expect("the default solver is always there");
    session
        .into_assignments()
        .take(most)
        .map(|assignment| (formulation.decode)(&assignment.expect("no limit was set")))
        .map(|solution| solution.grid(board.rows(), board.columns()).expect("a grid of this size").clone())
        .collect()
}
