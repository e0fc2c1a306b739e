//! Drafts of rooks boards: random blocks, and rooks that are placed one by one until every empty square is attacked.

use std::ops::Range;

use gordian_counting::Random;
use gordian_encodings::Lit;
use gordian_explain::Effort;

use super::draft::Draft;
use super::symmetry::Symmetry;
use super::{MakeError, Maker, Spare};
use crate::clues::needed_clues;
use crate::rules::{Grid, Solution};

/// The percentages of blocks with which boards start. Lower percentages give too few clues: with 5 to 16 percent, the
/// generator takes six times as long for boards with 10x10 cells. Higher percentages leave few squares.
const BLOCKS: Range<usize> = 18..30;

#[derive(Debug, Clone)]
pub(super) struct RooksDraft {
    symmetry: Symmetry,
    blocks: Grid<bool>,
    rooks: Vec<bool>,
    /// True for each block with a clue.
    clues: Vec<bool>,
}

impl RooksDraft {
    /// Removes rooks until no two rooks attack each other, and adds rooks until every empty square is attacked. Returns
    /// `None` if all cells are blocks, since such a board has no squares for rooks.
    fn with_rooks(mut self, random: &mut Random) -> Option<Self> {
        let mut order: Vec<usize> = (0..self.blocks.len()).filter(|&cell| !self.blocks[cell]).collect();
        random.shuffle(&mut order);
        // Squares with rooks come first, so most rooks stay in place.
        order.sort_by_key(|&cell| !self.rooks[cell]);
        self.rooks.fill(false);
        let mut seen = vec![false; self.blocks.len()];
        for cell in order {
            if !seen[cell] {
                self.rooks[cell] = true;
                self.mark_attacked(cell, &mut seen);
            }
        }
        self.rooks.contains(&true).then_some(self)
    }

    /// Marks the cell of a rook and the squares that it attacks.
    fn mark_attacked(&self, cell: usize, seen: &mut [bool]) {
        let place = self.blocks.place(cell);
        let in_row = |column: usize| self.blocks.index(place.row, column);
        let in_column = |row: usize| self.blocks.index(row, place.column);
        let lines: [Vec<usize>; 4] = [
            (0..place.column).rev().map(in_row).collect(),
            (place.column..self.blocks.columns()).map(in_row).collect(),
            (0..place.row).rev().map(in_column).collect(),
            (place.row..self.blocks.rows()).map(in_column).collect(),
        ];
        for line in lines {
            for cell in line.into_iter().take_while(|&cell| !self.blocks[cell]) {
                seen[cell] = true;
            }
        }
    }

    fn token(&self, cell: usize) -> String {
        match (self.blocks[cell], self.clues[cell]) {
            (false, _) => ".".to_owned(),
            (true, false) => "#".to_owned(),
            (true, true) => self.blocks.neighbours(cell).filter(|&near| self.rooks[near]).count().to_string(),
        }
    }

    /// Returns a random draft, or `None` if the random choices do not lead to a draft.
    fn random((rows, columns): (usize, usize), symmetry: Symmetry, random: &mut Random) -> Option<Self> {
        let percent = random.index(BLOCKS.len()) + BLOCKS.start;
        let mut blocks = Grid::new(rows, columns, vec![false; rows * columns]);
        for cell in 0..blocks.len() {
            let orbit = symmetry.orbit(&blocks, cell);
            if orbit[0] == cell && random.index(100) < percent {
                for cell in orbit {
                    blocks.cells_mut()[cell] = true;
                }
            }
        }
        Self { symmetry, rooks: vec![false; blocks.len()], clues: blocks.cells().to_vec(), blocks }
            .with_rooks(random)
    }

    /// Makes the cell a block, or removes a block beside it.
    fn changed_at(&self, cell: usize, random: &mut Random) -> Option<Self> {
        let mut near: Vec<usize> = self.blocks.neighbours(cell).filter(|&near| self.blocks[near]).collect();
        random.shuffle(&mut near);
        let cell = near.into_iter().next().filter(|_| random.index(4) == 0).unwrap_or(cell);
        let mut draft = self.clone();
        let block = !self.blocks[cell];
        for cell in self.symmetry.orbit(&self.blocks, cell) {
            draft.blocks.cells_mut()[cell] = block;
            draft.clues[cell] = block;
        }
        draft.with_rooks(random)
    }
}

impl Draft for RooksDraft {
    fn start(
        maker: &Maker<'_>,
        size: (usize, usize),
        _: usize,
        random: &mut Random,
    ) -> Result<Option<Self>, MakeError> {
        Ok(Self::random(size, maker.options.symmetry, random))
    }

    fn changed(&self, _: &Maker<'_>, cell: usize, random: &mut Random) -> Result<Option<Self>, MakeError> {
        Ok(self.changed_at(cell, random))
    }

    fn body(&self) -> String {
        super::draft::rows(&self.blocks, |cell| self.token(cell))
    }

    fn solution(&self) -> Solution {
        let rooks = self.rooks.iter().map(|&rook| i128::from(rook)).collect();
        Solution::from_grid(Grid::new(self.blocks.rows(), self.blocks.columns(), rooks))
    }

    /// Removes clues while the solution stays unique.
    fn finished(mut self, maker: &Maker<'_>, random: &mut Random) -> Result<(Self, bool), MakeError> {
        let Some(Spare::Number(spare)) = maker.spare else { return Ok((self, false)) };
        let board = maker.board(&self)?;
        let Some(mut plain) = maker.limits.within(|| board.plain()) else { return Ok((self, true)) };
        let solution: Vec<Lit> = plain
            .facts
            .iter()
            .map(|fact| if self.rooks[fact.cells[0]] { fact.lit } else { !fact.lit })
            .collect();
        let mut rules = plain.clues();
        random.shuffle(&mut rules);
        let groups: Vec<Vec<usize>> = rules.iter().map(|&rule| vec![rule]).collect();
        let needed = if maker.options.difficulty == Some(Effort::Propagation) {
            maker.needed_for_propagation(&plain, &groups)?.map(|needed| (needed, true))
        } else {
            needed_clues(&mut plain, &groups, &solution, maker.config, maker.limits)?
        };
        let Some((needed, minimal)) = needed else { return Ok((self, true)) };
        let superfluous = (0..rules.len()).filter(|group| !needed.contains(group)).skip(spare);
        for cell in superfluous.flat_map(|group| &plain.rules[rules[group]].cells) {
            self.clues[*cell] = false;
        }
        Ok((self, !minimal))
    }
}
