//! Number crosswords: the product of the numbers in each entry is one of the given definitions.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use crate::error::{Invalid, Violation, ensure, entry_within, within};
use crate::{Grid, Rules, Solution};

mod opb;

/// The names of two optional solution fields: the products of the entries across and down. Each field is a list of
/// pairs: the number of an entry, and its product.
pub const DIRECTIONS: [&str; 2] = ["across", "down"];

/// A number crossword.
///
/// An entry is a maximal run of two or more white cells in a row (across) or column (down). The product of the
/// numbers in each entry must be one of the definitions, and each definition must be used exactly once.
///
/// Entries are numbered by their first cells, row by row. An entry across and an entry down with the same first cell
/// share a number.
///
/// A solution has a grid with the number of each white cell and 0 in each black cell. The two fields whose names are in
/// [`DIRECTIONS`] are optional.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numcross {
    white: Grid<bool>,
    numbers: RangeInclusive<i128>,
    definitions: Vec<i128>,
}

impl Numcross {
    /// The widest range of numbers that a board may allow in its cells.
    pub const NUMBERS: RangeInclusive<i128> = 1..=1_000_000;
    /// The allowed range of definitions. This range ensures that the product of a definition and the number in a cell
    /// fits in 128 bits.
    pub const DEFINITIONS: RangeInclusive<i128> = 1..=10_i128.pow(30);

    /// Creates a board from its white cells, the range of the numbers in the cells, and the definitions.
    ///
    /// # Errors
    /// Returns an error if an end of the range `numbers` or a definition is out of bounds, if `numbers` is empty, if a
    /// definition is repeated, or if the number of definitions differs from the number of entries.
    pub fn new(
        white: Grid<bool>,
        numbers: RangeInclusive<i128>,
        definitions: Vec<i128>,
    ) -> Result<Self, Invalid> {
        let least = within("r", "the smallest number of a cell", *numbers.start(), &Self::NUMBERS)?;
        let greatest: i128 = within("s", "the largest number of a cell", *numbers.end(), &Self::NUMBERS)?;
        let invalid = |name, index, expected, found| Err(Invalid { name, index, expected, found });
        if greatest < least {
            let expected = format!("a number from {least}, the smallest number of a cell");
            return invalid("s", None, expected, format!("`{greatest}`"));
        }
        let mut seen = BTreeSet::new();
        for (index, &definition) in definitions.iter().enumerate() {
            entry_within::<i128>("S", Some(index), "a definition", definition, &Self::DEFINITIONS)?;
            if !seen.insert(definition) {
                return invalid(
                    "S",
                    Some(index),
                    "each definition once".to_owned(),
                    format!("`{definition}`"),
                );
            }
        }
        let entries: usize = entries(&white).iter().map(Vec::len).sum();
        if definitions.len() != entries {
            let expected = format!("{entries} definitions, one for each entry of the schema");
            return invalid("S", None, expected, definitions.len().to_string());
        }
        Ok(Self { white, numbers, definitions })
    }

    /// Returns, for each cell, whether it is white.
    #[must_use]
    pub fn white(&self) -> &Grid<bool> {
        &self.white
    }

    /// Returns the range of the numbers that a white cell may contain.
    #[must_use]
    pub fn numbers(&self) -> RangeInclusive<i128> {
        self.numbers.clone()
    }

    /// Returns the definitions in input order. They are all different.
    #[must_use]
    pub fn definitions(&self) -> &[i128] {
        &self.definitions
    }
}

impl Rules for Numcross {
    fn check(&self, solution: &Solution) -> Result<(), Violation> {
        let grid = solution.grid(self.white.rows(), self.white.columns())?;
        for cell in 0..grid.len() {
            let (number, place) = (grid[cell], grid.place(cell));
            if !self.white[cell] && number != 0 {
                return Err(Violation::new(format!("the number {number} in a black cell")).at([place]));
            }
            if self.white[cell] && !self.numbers.contains(&number) {
                let (least, greatest) = (self.numbers.start(), self.numbers.end());
                return Err(Violation::new(format!("{number} is not from {least} to {greatest}")).at([place]));
            }
        }
        let mut unused: BTreeSet<i128> = self.definitions.iter().copied().collect();
        for (direction, entries) in DIRECTIONS.into_iter().zip(entries(&self.white)) {
            let mut products = Vec::new();
            for Entry { number, cells } in entries {
                let broken = |product: &str, what: &str| {
                    Violation::new(format!("{number} {direction} is {product}, {what}"))
                        .at(cells.iter().map(|&cell| grid.place(cell)))
                };
                let product = cells.iter().try_fold(1_i128, |product, &cell| product.checked_mul(grid[cell]));
                let product = product.ok_or_else(|| broken("too large", "not a definition"))?;
                if !unused.remove(&product) {
                    let used = self.definitions.contains(&product);
                    let what = if used { "a definition that is already used" } else { "not a definition" };
                    return Err(broken(&product.to_string(), what));
                }
                products.push((number, product));
            }
            let right = solution.pairs(direction)?.is_none_or(|said| said == products);
            ensure!(right, "the products {direction} are {products:?}, but the solution states others");
        }
        match unused.first() {
            Some(definition) => Err(Violation::new(format!("the definition {definition} is not used"))),
            None => Ok(()),
        }
    }
}

/// An entry: a maximal run of two or more white cells.
struct Entry {
    number: i128,
    cells: Vec<usize>,
}

/// Returns the entries across and the entries down, each in the order of their numbers.
fn entries(white: &Grid<bool>) -> [Vec<Entry>; 2] {
    let (rows, columns) = (white.rows(), white.columns());
    let across = (0..rows).map(|row| (0..columns).map(|column| white.index(row, column)).collect());
    let down = (0..columns).map(|column| (0..rows).map(|row| white.index(row, column)).collect());
    let runs = |line: Vec<usize>| {
        let runs = line.split(|&cell| !white[cell]).filter(|run| run.len() > 1);
        runs.map(<[usize]>::to_vec).collect::<Vec<_>>()
    };
    let runs: [BTreeMap<usize, Vec<usize>>; 2] = [
        across.flat_map(runs).map(|run| (run[0], run)).collect(),
        down.flat_map(runs).map(|run| (run[0], run)).collect(),
    ];
    let mut firsts: Vec<usize> = runs.iter().flat_map(|runs| runs.keys().copied()).collect();
    firsts.sort_unstable();
    firsts.dedup();
    let numbers: BTreeMap<usize, i128> = firsts.into_iter().zip(1..).collect();
    runs.map(|runs| runs.into_iter().map(|(first, cells)| Entry { number: numbers[&first], cells }).collect())
}

#[cfg(test)]
mod tests;
