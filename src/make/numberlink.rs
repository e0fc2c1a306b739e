//! Drafts of Numberlink and Amaze boards: paths that together visit every cell and never touch themselves.
//!
//! At first, dominoes in random directions cover the board. Paths are then joined at their ends in random order.

use gordian_counting::Random;

use super::draft::{Draft, is_unique, rows};
use super::{MakeError, Maker};
use crate::rules::{Grid, Solution};

#[derive(Debug, Clone)]
pub(super) struct NumberlinkDraft {
    /// The index of each cell's path.
    path_of: Grid<usize>,
    /// The cells of each path, from one end to the other. When two paths are joined, the list of one of them becomes
    /// empty.
    paths: Vec<Vec<usize>>,
}

/// The number of attempts to turn two dominoes, as a multiple of the number of 2x2 blocks. Each attempt picks a random
/// block. Most dominoes have the same direction at first, so it takes several attempts for each block until the
/// directions are random. The attempts take only a small part of the time that the generator needs for a board.
const TURNS: usize = 20;

impl NumberlinkDraft {
    /// Returns the number of each path in `paths`. The nonempty paths are numbered consecutively from 1.
    fn numbers(&self) -> Vec<i128> {
        let mut last = 0;
        let number = |path: &Vec<usize>| {
            last += i128::from(!path.is_empty());
            last
        };
        self.paths.iter().map(number).collect()
    }

    /// Stores in each cell the index of its path.
    fn number(&mut self) {
        for (index, path) in self.paths.iter().enumerate() {
            for &cell in path {
                self.path_of.cells_mut()[cell] = index;
            }
        }
    }

    /// Joins paths at adjacent ends in random order, until no two paths can be joined.
    fn join_all(&mut self, random: &mut Random) {
        let mut sides: Vec<(usize, usize)> = self.path_of.edges().collect();
        random.shuffle(&mut sides);
        for (a, b) in sides {
            self.join(a, b);
        }
    }

    fn is_end(&self, cell: usize) -> bool {
        let path = &self.paths[self.path_of[cell]];
        path.first() == Some(&cell) || path.last() == Some(&cell)
    }

    /// Joins the paths that end in the adjacent cells `a` and `b`, unless the joined path would touch itself. Returns
    /// whether the paths were joined.
    fn join(&mut self, a: usize, b: usize) -> bool {
        let (one, other) = (self.path_of[a], self.path_of[b]);
        if one == other || !self.is_end(a) || !self.is_end(b) {
            return false;
        }
        let beside =
            |&cell: &usize| self.path_of.neighbours(cell).filter(|&near| self.path_of[near] == other).count();
        if self.paths[one].iter().map(beside).sum::<usize>() > 1 {
            return false;
        }
        let mut front = std::mem::take(&mut self.paths[one]);
        let mut back = std::mem::take(&mut self.paths[other]);
        if front.last() != Some(&a) {
            front.reverse();
        }
        if back.first() != Some(&b) {
            back.reverse();
        }
        for &cell in &back {
            self.path_of.cells_mut()[cell] = one;
        }
        front.append(&mut back);
        self.paths[one] = front;
        true
    }

    /// Splits the path through a cell into two paths. The second path starts at the cell. Does nothing and returns
    /// `false` if a path would have fewer than two cells.
    fn split(&mut self, cell: usize) -> bool {
        let path = &mut self.paths[self.path_of[cell]];
        let at = path.iter().position(|&other| other == cell).unwrap_or(0);
        if at < 2 || path.len() - at < 2 {
            return false;
        }
        let rest = path.split_off(at);
        self.paths.push(rest);
        self.number();
        true
    }

    /// Returns a random draft, or `None` if the random choices do not lead to a draft.
    /// Returns `None` if the board is too small to be covered.
    fn random((rows, columns): (usize, usize), random: &mut Random) -> Option<Self> {
        let grid = Grid::new(rows, columns, vec![0; rows * columns]);
        let paths = dominoes(&grid, random)?;
        let mut draft = Self { path_of: grid, paths };
        draft.number();
        draft.join_all(random);
        Some(draft)
    }

    /// Splits the path of the cell into two pieces and, in half of the cases, joins one of the pieces to another path.
    fn changed_at(&self, cell: usize, random: &mut Random) -> Option<Self> {
        let mut draft = self.clone();
        if !draft.split(cell) {
            return None;
        }
        if random.index(2) == 0 {
            let pieces = [draft.path_of[cell], self.path_of[cell]];
            let mut sides: Vec<(usize, usize)> = draft.path_of.edges().collect();
            random.shuffle(&mut sides);
            for (a, b) in sides {
                let of = [draft.path_of[a], draft.path_of[b]];
                let one_piece = pieces.iter().filter(|piece| of.contains(piece)).count() == 1;
                if one_piece && draft.join(a, b) {
                    break;
                }
            }
        }
        Some(draft)
    }
}

impl Draft for NumberlinkDraft {
    fn start(
        _: &Maker<'_>,
        size: (usize, usize),
        _: usize,
        random: &mut Random,
    ) -> Result<Option<Self>, MakeError> {
        Ok(Self::random(size, random))
    }

    fn changed(&self, _: &Maker<'_>, cell: usize, random: &mut Random) -> Result<Option<Self>, MakeError> {
        Ok(self.changed_at(cell, random))
    }

    fn body(&self) -> String {
        let numbers = self.numbers();
        rows(&self.path_of, |cell| {
            if self.is_end(cell) { numbers[self.path_of[cell]].to_string() } else { ".".to_owned() }
        })
    }

    fn solution(&self) -> Solution {
        let numbers = self.numbers();
        Solution::from_grid(self.path_of.map(|&path| numbers[path]))
    }

    /// Joins pairs of paths whenever the solution stays unique.
    fn finished(mut self, maker: &Maker<'_>, random: &mut Random) -> Result<(Self, bool), MakeError> {
        let mut sides: Vec<(usize, usize)> = self.path_of.edges().collect();
        random.shuffle(&mut sides);
        let mut stopped = false;
        for (a, b) in sides {
            if maker.stopped() {
                stopped = true;
                break;
            }
            let mut draft = self.clone();
            if draft.join(a, b) {
                match is_unique(maker, &draft)? {
                    Some(true) => self = draft,
                    Some(false) => {}
                    None => stopped = true,
                }
            }
        }
        Ok((self, stopped))
    }
}

/// Covers all cells with dominoes in random directions. If the number of cells is odd, one piece has three cells.
/// Returns `None` for a single cell.
fn dominoes(grid: &Grid<usize>, random: &mut Random) -> Option<Vec<Vec<usize>>> {
    let (rows, columns) = (grid.rows(), grid.columns());
    let mut pieces: Vec<Vec<usize>> = Vec::new();
    let along = |row: usize, from: usize| (from..columns).map(move |column| row * columns + column);
    let pairs = |cells: Vec<usize>| cells.chunks(2).map(<[usize]>::to_vec).collect::<Vec<_>>();
    let down = |column: usize, from: usize| (from..rows).map(move |row| row * columns + column);
    if columns % 2 == 0 {
        pieces.extend((0..rows).flat_map(|row| pairs(along(row, 0).collect())));
    } else if rows % 2 == 0 {
        pieces.extend((0..columns).flat_map(|column| pairs(down(column, 0).collect())));
    } else if columns > 1 {
        pieces.push(vec![0, 1, 2]);
        pieces.extend(pairs(along(0, 3).collect()));
        pieces.extend((0..columns).flat_map(|column| pairs(down(column, 1).collect())));
    } else if rows > 1 {
        pieces.push(vec![0, 1, 2]);
        pieces.extend(pairs(down(0, 3).collect()));
    } else {
        return None;
    }
    let mut piece_of = vec![0; grid.len()];
    for (index, piece) in pieces.iter().enumerate() {
        for &cell in piece {
            piece_of[cell] = index;
        }
    }
    let blocks: Vec<[usize; 4]> = grid.blocks().collect();
    for _ in 0..TURNS * blocks.len() {
        let [top_left, top_right, bottom_left, bottom_right] = blocks[random.index(blocks.len())];
        let is_domino = |a: usize, b: usize| piece_of[a] == piece_of[b] && pieces[piece_of[a]].len() == 2;
        let turned = if is_domino(top_left, top_right) && is_domino(bottom_left, bottom_right) {
            [[top_left, bottom_left], [top_right, bottom_right]]
        } else if is_domino(top_left, bottom_left) && is_domino(top_right, bottom_right) {
            [[top_left, top_right], [bottom_left, bottom_right]]
        } else {
            continue;
        };
        let indices = [piece_of[top_left], piece_of[bottom_right]];
        for (index, cells) in indices.into_iter().zip(turned) {
            pieces[index] = cells.to_vec();
            for cell in cells {
                piece_of[cell] = index;
            }
        }
    }
    Some(pieces)
}
