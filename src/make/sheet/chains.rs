//! Random chains of cells.

use std::ops::Range;

use gordian_counting::Random;

use crate::puzzle::sheet::partial;
use crate::rules::sheet::{Cell, DataValues, Size, Spot, Value};

/// The lengths of chains.
const LENGTHS: Range<usize> = 2..7;

/// Returns at most `most` chains of neighbours, which cover most of the board if there is no limit.
pub(super) fn random(size: Size, most: usize, random: &mut Random) -> Vec<Vec<Cell>> {
    filled(size, Vec::new(), most, random)
}

/// Returns the chains after the one at a cell, and one beside it, were drawn again: at most `most`.
pub(super) fn changed(
    size: Size,
    chains: &[Vec<Cell>],
    cell: Cell,
    most: usize,
    random: &mut Random,
) -> Vec<Vec<Cell>> {
    let near: Vec<Cell> = neighbours(size, cell).collect();
    let other = near[random.index(near.len().max(1)) % near.len().max(1)..].first().copied().unwrap_or(cell);
    let is_kept = |chain: &&Vec<Cell>| !chain.contains(&cell) && !chain.contains(&other);
    filled(size, chains.iter().filter(is_kept).cloned().collect(), most, random)
}

/// Adds random chains of cells that belong to no chain yet, until there are `most` or no two of these cells are neighbours.
fn filled(size: Size, mut chains: Vec<Vec<Cell>>, most: usize, random: &mut Random) -> Vec<Vec<Cell>> {
    let mut starts: Vec<Cell> = size.cells().collect();
    random.shuffle(&mut starts);
    for start in starts {
        let is_free = |cell: Cell| !chains.iter().any(|chain| chain.contains(&cell));
        if chains.len() < most && is_free(start) {
            let next = |cell| neighbours(size, cell).filter(|&next| is_free(next)).collect();
            let chain = walk(start, LENGTHS.start + random.index(LENGTHS.len()), next, random);
            if chain.len() >= LENGTHS.start {
                chains.push(chain);
            }
        }
    }
    chains
}

/// Returns a random walk that visits no cell twice, of at most `length` cells. `next` lists the cells that can follow one.
pub(super) fn walk(
    start: Cell,
    length: usize,
    next: impl Fn(Cell) -> Vec<Cell>,
    random: &mut Random,
) -> Vec<Cell> {
    let mut walk = vec![start];
    let mut at = start;
    while walk.len() < length {
        let mut near = next(at);
        near.retain(|cell| !walk.contains(cell));
        if near.is_empty() {
            break;
        }
        at = near[random.index(near.len())];
        walk.push(at);
    }
    walk
}

/// Returns chains as data of a board.
pub(super) fn data(chains: &[Vec<Cell>]) -> DataValues {
    let chain = |chain: &Vec<Cell>| Value::set(chain.iter().copied().map(partial::key));
    DataValues::Plain(Value::set(chains.iter().map(chain)))
}

fn neighbours(size: Size, cell: Cell) -> impl Iterator<Item = Cell> {
    let near = size.neighbours(Spot::Cell(cell)).into_iter();
    near.filter_map(|near| if let Spot::Cell(cell) = near { Some(cell) } else { None })
}
