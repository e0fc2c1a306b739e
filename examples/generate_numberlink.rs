//! Generates a Numberlink board with a solution that uses every cell and in which no path touches itself.
//!
//! ```text
//! cargo run --release --example generate_numberlink -- ROWS COLUMNS SEED [unique | amaze]
//! ```
//!
//! At first, the board is covered with dominoes in random directions. Each domino is a path of two cells. After that,
//! random paths are joined at their ends, as long as no path touches itself. The ends of the resulting paths become the
//! numbers. With the option `unique`, boards with a second solution are rejected. With the option `amaze`, the result
//! is an Amaze board, and the paths form one of its solutions.

use gordian::backend;
use gordian::format::Source;
use gordian::puzzle::Query;
use gordian::read::{self, ReadOptions};
use gordian::rules::Grid;
use gordian::search::Session;
use gordian_encodings::Encodings;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let last = words.last().map_or("", String::as_str);
    let unique = last == "unique";
    let puzzle_type = if last == "amaze" { "amaze" } else { "numberlink cells=all touch=no" };
    let numbers: Vec<usize> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let [rows, columns, seed] = numbers[..] else {
        eprintln!("usage: generate_numberlink ROWS COLUMNS SEED [unique | amaze]");
        std::process::exit(2);
    };
    if !columns.is_multiple_of(2) || columns == 0 || rows == 0 {
        eprintln!("the number of columns must be even, for the dominoes");
        std::process::exit(2);
    }
    let mut random = fastrand::Rng::with_seed(seed as u64);
    let text = loop {
        let text = format!("{puzzle_type}\n{}", board(rows, columns, &mut random));
        if !unique || has_one_solution(&text) {
            break text;
        }
    };
    print!("% generate_numberlink {}\n{text}", words.join(" "));
}

/// Formats the rows of a board.
fn board(rows: usize, columns: usize, random: &mut fastrand::Rng) -> String {
    let grid = Grid::new(rows, columns, vec![(); rows * columns]);
    let mut paths = dominoes(&grid, random);
    // The number of each cell's path. The number changes when paths are joined.
    let mut path_of = vec![0; grid.len()];
    for (name, path) in paths.iter().enumerate() {
        for &cell in path {
            path_of[cell] = name;
        }
    }
    let mut edges: Vec<(usize, usize)> = grid.edges().collect();
    random.shuffle(&mut edges);
    for (a, b) in edges {
        let (one, other) = (path_of[a], path_of[b]);
        let is_end = |path: &[usize], cell: usize| path[0] == cell || path[path.len() - 1] == cell;
        if one == other || !is_end(&paths[one], a) || !is_end(&paths[other], b) {
            continue;
        }
        let beside = |&cell: &usize| grid.neighbours(cell).filter(|&near| path_of[near] == other).count();
        if paths[one].iter().map(beside).sum::<usize>() > 1 {
            continue;
        }
        let mut front = std::mem::take(&mut paths[one]);
        let mut back = std::mem::take(&mut paths[other]);
        if front[0] == a {
            front.reverse();
        }
        if back[0] != b {
            back.reverse();
        }
        for &cell in &back {
            path_of[cell] = one;
        }
        paths[one] = [front, back].concat();
    }
    let mut tokens = vec![".".to_owned(); grid.len()];
    for (number, path) in (1..).zip(paths.iter().filter(|path| !path.is_empty())) {
        for cell in [path[0], path[path.len() - 1]] {
            tokens[cell] = number.to_string();
        }
    }
    let rows: Vec<String> = tokens.chunks(columns).map(|row| row.join(" ")).collect();
    rows.join("\n") + "\n"
}

/// Covers all cells with dominoes. At first, all dominoes are horizontal. After that, random pairs of dominoes that
/// form a 2x2 block are rotated.
fn dominoes(grid: &Grid<()>, random: &mut fastrand::Rng) -> Vec<Vec<usize>> {
    const TURNS: usize = 20;
    let mut partner: Vec<usize> = (0..grid.len()).map(|cell| cell ^ 1).collect();
    let blocks: Vec<[usize; 4]> = grid.blocks().collect();
    for _ in 0..TURNS * blocks.len() {
        let [top_left, top_right, bottom_left, bottom_right] = blocks[random.usize(..blocks.len())];
        let (lying, standing) = (
            partner[top_left] == top_right && partner[bottom_left] == bottom_right,
            partner[top_left] == bottom_left && partner[top_right] == bottom_right,
        );
        let turned = match (lying, standing) {
            (true, _) => [(top_left, bottom_left), (top_right, bottom_right)],
            (_, true) => [(top_left, top_right), (bottom_left, bottom_right)],
            _ => continue,
        };
        for (a, b) in turned {
            partner[a] = b;
            partner[b] = a;
        }
    }
    (0..grid.len()).filter(|&cell| cell < partner[cell]).map(|cell| vec![cell, partner[cell]]).collect()
}

fn has_one_solution(text: &str) -> bool {
    let source = Source::new("generated.txt", text);
    let board = read::board(&source, &ReadOptions::default()).expect("a board we wrote").puzzle;
    let formulation = board.formulate(&Query::Count);
    let session = Session::new(&formulation.model, &Encodings::auto(), backend::SOLVERS[0])
        .expect("the default solver is always there");
    session.into_assignments().take(2).count() == 1
}
