//! Drafts of Nurikabe boards: random islands in a connected sea, with a clue in one cell of each island.

use gordian_counting::Random;

use super::draft::{Draft, is_unique, rows};
use super::{MakeError, Maker, Spare};
use crate::rules::{Grid, Solution};

#[derive(Debug, Clone)]
pub(super) struct NurikabeDraft {
    land: Grid<bool>,
    /// True for each cell with a clue.
    clues: Vec<bool>,
    /// True for each clue without a number.
    unknown: Vec<bool>,
    /// The maximum number of cells in an island.
    largest: usize,
}

/// The maximum number of rounds in which islands grow. The limit is needed because a 2x2 block of sea may remain after
/// every round. Its value is not critical: boards with 10x10 cells take the same time with 5 or 80 rounds.
const ROUNDS: usize = 20;
/// The share of the cells that the first round turns into land, in tenths. More land makes the search slower: with 4.5
/// tenths instead of 3, boards with 10x10 cells take 2.5 times as long. With less land, most islands come from the
/// later rounds, which only break up blocks of sea.
const LAND: usize = 3;

impl NurikabeDraft {
    /// Returns whether the cell is in a 2x2 block of sea.
    fn is_in_block(&self, cell: usize) -> bool {
        let place = self.land.place(cell);
        let (rows, columns) = (self.land.rows(), self.land.columns());
        let tops = place.row.saturating_sub(1)..=place.row.min(rows.saturating_sub(2));
        tops.flat_map(|row| {
            let lefts = place.column.saturating_sub(1)..=place.column.min(columns.saturating_sub(2));
            lefts.map(move |column| (row, column))
        })
        .filter(|&(row, column)| row + 1 < rows && column + 1 < columns)
        .any(|(row, column)| {
            [(0, 0), (0, 1), (1, 0), (1, 1)]
                .iter()
                .all(|(down, right)| !self.land[self.land.index(row + down, column + right)])
        })
    }

    /// Returns the connected cells of the same type (land or sea) as `start`.
    fn region(&self, start: usize) -> Vec<usize> {
        let mut seen = vec![false; self.land.len()];
        seen[start] = true;
        let mut region = vec![start];
        let mut next = 0;
        while let Some(&cell) = region.get(next) {
            next += 1;
            for near in self.land.neighbours(cell) {
                if !seen[near] && self.land[near] == self.land[start] {
                    seen[near] = true;
                    region.push(near);
                }
            }
        }
        region
    }

    /// Leaves exactly one clue on an island.
    fn give_clue(&mut self, island: &[usize], random: &mut Random) {
        let mut given: Vec<usize> = island.iter().copied().filter(|&cell| self.clues[cell]).collect();
        if given.is_empty() {
            given = island.to_vec();
        }
        let kept = given[random.index(given.len())];
        for &cell in island {
            self.clues[cell] = cell == kept;
        }
    }

    /// Swaps land and sea in a cell. Returns `None` if an island becomes too large, the sea is not connected, or a 2x2
    /// block of sea forms.
    fn flipped(&self, cell: usize, random: &mut Random) -> Option<Self> {
        let mut draft = self.clone();
        draft.land.cells_mut()[cell] = !self.land[cell];
        draft.clues[cell] = false;
        let sea = draft.land.cells().iter().filter(|&&land| !land).count();
        if draft.land[cell] {
            let island = draft.region(cell);
            let first = (0..draft.land.len()).find(|&cell| !draft.land[cell]);
            if island.len() > self.largest || first.is_some_and(|first| draft.region(first).len() < sea) {
                return None;
            }
            draft.give_clue(&island, random);
            return Some(draft);
        }
        let near: Vec<usize> = draft.land.neighbours(cell).collect();
        let is_alone = near.iter().all(|&near| draft.land[near]);
        if draft.is_in_block(cell) || is_alone && sea > 1 {
            return None;
        }
        for near in near {
            if draft.land[near] {
                let island = draft.region(near);
                draft.give_clue(&island, random);
            }
        }
        Some(draft)
    }

    /// Returns a random draft, or `None` if the random choices do not lead to a draft.
    fn random((rows, columns): (usize, usize), random: &mut Random) -> Option<Self> {
        let cells = rows * columns;
        let largest = 2 + random.index(cells.isqrt().max(2));
        let land = Grid::new(rows, columns, vec![false; cells]);
        let mut draft = Self { land, clues: vec![false; cells], unknown: vec![false; cells], largest };
        let mut order: Vec<usize> = (0..cells).collect();
        for round in 0..ROUNDS {
            random.shuffle(&mut order);
            for &cell in &order {
                // The first round adds land anywhere. The later rounds add land only in 2x2 blocks of sea.
                let wanted = if round == 0 { random.index(10) < LAND } else { draft.is_in_block(cell) };
                if !wanted || draft.land[cell] {
                    continue;
                }
                if let Some(changed) = draft.flipped(cell, random) {
                    draft = changed;
                } else if round > 0 {
                    // The cell can't become land, because its island would be too large or would divide the sea. An
                    // adjacent land cell becomes sea, so a later change may succeed.
                    let near: Vec<usize> =
                        draft.land.neighbours(cell).filter(|&near| draft.land[near]).collect();
                    if !near.is_empty() {
                        let near = near[random.index(near.len())];
                        draft.land.cells_mut()[near] = false;
                        draft.clues[near] = false;
                    }
                }
            }
            if draft.land.blocks().all(|block| block.iter().any(|&cell| draft.land[cell])) {
                break;
            }
        }
        let mut seas = 0;
        let mut seen = vec![false; cells];
        for cell in 0..cells {
            if !seen[cell] {
                let region = draft.region(cell);
                for &cell in &region {
                    seen[cell] = true;
                }
                if draft.land[cell] {
                    draft.give_clue(&region, random);
                } else {
                    seas += 1;
                }
            }
        }
        let blocks = draft.land.blocks().any(|block| block.iter().all(|&cell| !draft.land[cell]));
        (seas <= 1 && !blocks).then_some(draft)
    }

    /// Moves the clue of an island to the cell, or swaps land and sea in the cell or beside it.
    fn changed_at(&self, cell: usize, random: &mut Random) -> Option<Self> {
        let mut near: Vec<usize> = self.land.neighbours(cell).collect();
        random.shuffle(&mut near);
        let cell = near.into_iter().next().filter(|_| random.index(4) == 0).unwrap_or(cell);
        if !self.land[cell] || self.clues[cell] || random.index(2) == 0 {
            return self.flipped(cell, random);
        }
        let mut draft = self.clone();
        for other in self.region(cell) {
            draft.clues[other] = other == cell;
        }
        Some(draft)
    }
}

impl Draft for NurikabeDraft {
    fn start(_: &Maker<'_>, size: (usize, usize), random: &mut Random) -> Result<Option<Self>, MakeError> {
        Ok(Self::random(size, random))
    }

    fn changed(&self, _: &Maker<'_>, cell: usize, random: &mut Random) -> Result<Option<Self>, MakeError> {
        Ok(self.changed_at(cell, random))
    }

    fn body(&self) -> String {
        rows(&self.land, |cell| match (self.clues[cell], self.unknown[cell]) {
            (false, _) => ".".to_owned(),
            (true, true) => "?".to_owned(),
            (true, false) => self.region(cell).len().to_string(),
        })
    }

    fn solution(&self) -> Solution {
        let sizes = (0..self.land.len())
            .map(|cell| if self.land[cell] { self.region(cell).len() as i128 } else { 0 });
        Solution::from_grid(Grid::new(self.land.rows(), self.land.columns(), sizes.collect()))
    }

    /// Replaces superfluous island sizes with the clue for an unknown size.
    fn finished(mut self, maker: &Maker<'_>, random: &mut Random) -> Result<(Self, bool), MakeError> {
        let Some(Spare::Number(spare)) = maker.spare else { return Ok((self, false)) };
        let mut clues: Vec<usize> = (0..self.land.len()).filter(|&cell| self.clues[cell]).collect();
        random.shuffle(&mut clues);
        let mut removed = Vec::new();
        let mut stopped = false;
        for cell in clues {
            if maker.stopped() {
                stopped = true;
                break;
            }
            self.unknown[cell] = true;
            match is_unique(maker, &self)? {
                Some(true) => removed.push(cell),
                Some(false) => self.unknown[cell] = false,
                None => {
                    self.unknown[cell] = false;
                    stopped = true;
                }
            }
        }
        for cell in removed.into_iter().take(spare) {
            self.unknown[cell] = false;
        }
        Ok((self, stopped))
    }
}
