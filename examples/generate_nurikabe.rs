//! Generates a Nurikabe board with exactly one solution.
//!
//! ```text
//! cargo run --release --example generate_nurikabe -- ROWS COLUMNS LARGEST SEED
//! ```
//!
//! Islands of at most LARGEST cells grow at random in a connected sea until no 2x2 block of sea is left. Each island
//! gets its clue in a random cell. If the board has a second solution, a clue is moved to a cell that is sea in this
//! solution. The second solution then violates the moved clue. If moving clues does not lead to a unique solution,
//! the program starts again.

use gordian::backend;
use gordian::format::Source;
use gordian::puzzle::Query;
use gordian::read::{self, ReadOptions};
use gordian::rules::Grid;
use gordian::search::Session;
use gordian_encodings::Encodings;

fn main() {
    let arguments: Vec<usize> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let [rows, columns, largest, seed] = arguments[..] else {
        eprintln!("usage: generate_nurikabe ROWS COLUMNS LARGEST SEED");
        std::process::exit(2);
    };
    let mut random = fastrand::Rng::with_seed(seed as u64);
    let text = loop {
        if let Some(land) = land(rows, columns, largest, &mut random)
            && let Some(text) = with_one_solution(&land, &mut random)
        {
            break text;
        }
    };
    print!("% generate_nurikabe {rows} {columns} {largest} {seed}\n{text}");
}

/// Generates islands of at most `largest` cells in a connected sea without a 2x2 block. Returns `None` if no island
/// can grow although a 2x2 block of sea is left.
fn land(rows: usize, columns: usize, largest: usize, random: &mut fastrand::Rng) -> Option<Grid<bool>> {
    let mut land = Grid::new(rows, columns, vec![false; rows * columns]);
    let mut cells: Vec<usize> = (0..land.len()).collect();
    for round in 0..3 {
        random.shuffle(&mut cells);
        for &cell in &cells {
            // The first round adds land anywhere. Later rounds add land only where a 2x2 block of sea is left.
            let needed = land.blocks().any(|block| block.contains(&cell) && block.iter().all(|&c| !land[c]));
            if land[cell] || !(needed || round == 0 && random.f32() < 0.3) {
                continue;
            }
            let grown = flip(&land, cell);
            let sea = (0..grown.len()).find(|&c| !grown[c]);
            let sea_cells = (0..grown.len()).filter(|&c| !grown[c]).count();
            let one_sea = sea.is_none_or(|first| region(&grown, first).len() == sea_cells);
            if one_sea && region(&grown, cell).len() <= largest {
                land = grown;
            }
        }
    }
    let finished = land.blocks().all(|block| block.iter().any(|&cell| land[cell]));
    finished.then_some(land)
}

fn flip(land: &Grid<bool>, cell: usize) -> Grid<bool> {
    let mut cells = land.cells().to_vec();
    cells[cell] = !cells[cell];
    Grid::new(land.rows(), land.columns(), cells)
}

/// Returns the cells that are connected to `start` and have the same type (land or sea).
fn region(land: &Grid<bool>, start: usize) -> Vec<usize> {
    let mut region = vec![start];
    let mut next = 0;
    while let Some(&cell) = region.get(next) {
        next += 1;
        for near in land.neighbours(cell) {
            if land[near] == land[start] && !region.contains(&near) {
                region.push(near);
            }
        }
    }
    region
}

/// Places a clue on each island so that `land` is the only solution of the board. If the function finds no such
/// clues, it returns `None`.
fn with_one_solution(land: &Grid<bool>, random: &mut fastrand::Rng) -> Option<String> {
    const MOVES: usize = 400;
    let mut islands: Vec<Vec<usize>> = Vec::new();
    for cell in (0..land.len()).filter(|&cell| land[cell]) {
        if !islands.iter().flatten().any(|&known| known == cell) {
            islands.push(region(land, cell));
        }
    }
    let mut clues: Vec<usize> = islands.iter().map(|island| island[random.usize(..island.len())]).collect();
    for _ in 0..MOVES {
        let text = text(land, &islands, &clues);
        let Some(other) = other_solution(&text, land) else { return Some(text) };
        // Some island cells are sea in the second solution. The clue of one of these islands is moved to such a cell.
        let moves: Vec<(usize, usize)> = islands
            .iter()
            .enumerate()
            .flat_map(|(index, island)| island.iter().map(move |&cell| (index, cell)))
            .filter(|&(_, cell)| !other[cell])
            .collect();
        let (island, cell) = *moves.get(random.usize(..moves.len().max(1)))?;
        clues[island] = cell;
    }
    None
}

fn text(land: &Grid<bool>, islands: &[Vec<usize>], clues: &[usize]) -> String {
    let token = |cell: usize| match clues.iter().position(|&clue| clue == cell) {
        Some(island) => islands[island].len().to_string(),
        None => ".".to_owned(),
    };
    let row = |row: usize| {
        (0..land.columns()).map(|column| token(land.index(row, column))).collect::<Vec<_>>().join(" ")
    };
    let rows: Vec<String> = (0..land.rows()).map(row).collect();
    format!("nurikabe\n{}\n", rows.join("\n"))
}

/// Returns the land of another solution, if any.
fn other_solution(text: &str, land: &Grid<bool>) -> Option<Grid<bool>> {
    let source = Source::new("generated.txt", text);
    let board = read::board(&source, &ReadOptions::default()).expect("a board we wrote").puzzle;
    let formulation = board.formulate(&Query::Count);
    let session = Session::new(&formulation.model, &Encodings::auto(), backend::SOLVERS[0])
        .expect("the default solver is always there");
    session
        .into_assignments()
        .take(2)
        .map(|assignment| (formulation.decode)(&assignment.expect("no limit was set")))
        .map(|solution| {
            solution.grid(land.rows(), land.columns()).expect("a grid of this size").map(|&size| size > 0)
        })
        .find(|other| other != land)
}
