//! Drafts of number crosswords: random black cells, and a random number in each white cell.
//!
//! The numbers are from 2 to 9, and most of them are primes. A product of k primes has no other factorisation into k
//! factors of at least 2, so a definition nearly determines the numbers in its entry. If the number 1 were allowed,
//! almost all boards would have many solutions.

use std::collections::BTreeSet;
use std::ops::Range;

use gordian_counting::Random;

use super::draft::{Draft, rows};
use super::{MakeError, Maker};
use crate::rules::{Grid, Solution};

#[derive(Debug, Clone)]
pub(super) struct NumcrossDraft {
    /// The number of each white cell, and 0 in each black cell.
    numbers: Grid<i128>,
    /// The products of all entries.
    definitions: BTreeSet<i128>,
}

/// The smallest number in a cell.
const SMALLEST: i128 = 2;
/// The largest number in a cell.
const LARGEST: i128 = 9;
/// The maximum number of cells in an entry at the start. The geometric mean of the numbers is 4, so a product of five
/// numbers is often at most [`MOST`], but a product of six numbers rarely is.
const LONGEST: usize = 5;
/// The range from which the percentage of black cells at the start is drawn.
const BLACK: Range<usize> = 15..30;
/// The maximum percentage of black cells after a change that adds black cells. Without a maximum, drafts lose most of
/// their entries. The value is larger than the percentages in [`BLACK`], so changes can still add black cells.
const MOST_BLACK: usize = 40;
/// The maximum value of a definition. Larger numbers would be too hard for a person to factorise.
const MOST: i128 = 1000;
/// The maximum number of attempts to find numbers with suitable products. Each attempt changes one number. The limit is
/// needed because some arrangements of black cells allow no such numbers, for example if there are too many entries.
const TRIES: usize = 20_000;

/// Returns a random number for a cell.
fn number(random: &mut Random) -> i128 {
    const PRIMES: [i128; 4] = [2, 3, 5, 7];
    if random.index(4) > 0 {
        return PRIMES[random.index(PRIMES.len())];
    }
    SMALLEST + random.index((LARGEST - SMALLEST + 1) as usize) as i128
}

/// Returns the entries across and down: the maximal runs of two or more white cells.
fn entries(numbers: &Grid<i128>) -> Vec<Vec<usize>> {
    let across = (0..numbers.rows())
        .map(|row| (0..numbers.columns()).map(|column| numbers.index(row, column)).collect());
    let down = (0..numbers.columns())
        .map(|column| (0..numbers.rows()).map(|row| numbers.index(row, column)).collect());
    let lines: Vec<Vec<usize>> = across.chain(down).collect();
    let runs = lines.iter().flat_map(|line| line.split(|&cell| numbers[cell] == 0));
    runs.filter(|run| run.len() > 1).map(<[usize]>::to_vec).collect()
}

impl NumcrossDraft {
    /// Makes each white cell outside all entries black, and changes numbers until the products of the entries are
    /// different and small. Returns `None` if that fails.
    fn of(mut numbers: Grid<i128>, random: &mut Random) -> Option<Self> {
        let entries = entries(&numbers);
        let in_entry: BTreeSet<usize> = entries.iter().flatten().copied().collect();
        for cell in (0..numbers.len()).filter(|cell| !in_entry.contains(cell)) {
            numbers.cells_mut()[cell] = 0;
        }
        for _ in 0..TRIES {
            let mut definitions = BTreeSet::new();
            let mut product = |entry: &&Vec<usize>| {
                let product =
                    entry.iter().try_fold(1, |product: i128, &cell| product.checked_mul(numbers[cell]));
                product.is_some_and(|product| product <= MOST && definitions.insert(product))
            };
            let Some(wrong) = entries.iter().find(|entry| !product(entry)) else {
                return (!definitions.is_empty()).then_some(Self { numbers, definitions });
            };
            numbers.cells_mut()[wrong[random.index(wrong.len())]] = number(random);
        }
        None
    }

    /// Returns a random draft, or `None` if the random choices do not lead to a draft.
    fn random((rows, columns): (usize, usize), random: &mut Random) -> Option<Self> {
        let percent = random.index(BLACK.len()) + BLACK.start;
        let cells = (0..rows * columns).map(|_| if random.index(100) < percent { 0 } else { number(random) });
        let mut numbers = Grid::new(rows, columns, cells.collect());
        while let Some(long) = entries(&numbers).iter().find(|entry| entry.len() > LONGEST) {
            // At least two white cells remain on each side of the new black cell, so two shorter entries remain.
            let cell = long[2 + random.index(long.len() - 4)];
            numbers.cells_mut()[cell] = 0;
        }
        Self::of(numbers, random)
    }

    /// Changes the number in the cell, makes the cell black, or makes an adjacent black cell white.
    fn changed_at(&self, cell: usize, random: &mut Random) -> Option<Self> {
        let mut numbers = self.numbers.clone();
        let mut black: Vec<usize> = numbers.neighbours(cell).filter(|&near| numbers[near] == 0).collect();
        random.shuffle(&mut black);
        match (random.index(6), black.first()) {
            (0, _) => numbers.cells_mut()[cell] = 0,
            (1, Some(&near)) => numbers.cells_mut()[near] = number(random),
            _ => numbers.cells_mut()[cell] = number(random),
        }
        let draft = Self::of(numbers, random)?;
        let black = |draft: &Self| draft.numbers.cells().iter().filter(|&&number| number == 0).count();
        (black(&draft) <= black(self).max(draft.numbers.len() * MOST_BLACK / 100)).then_some(draft)
    }
}

impl Draft for NumcrossDraft {
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
        let definitions: Vec<String> = self.definitions.iter().map(ToString::to_string).collect();
        let cells = rows(&self.numbers, |cell| if self.numbers[cell] == 0 { "#" } else { "." }.to_owned());
        format!("r = {SMALLEST}\ns = {LARGEST}\nS = {{{}}}\n{cells}", definitions.join(", "))
    }

    fn solution(&self) -> Solution {
        Solution::from_grid(self.numbers.clone())
    }

    fn finished(self, _: &Maker<'_>, _: &mut Random) -> Result<(Self, bool), MakeError> {
        Ok((self, false))
    }
}
