//! The pseudo-Boolean formula of number crosswords. The number in the white cell in row R and column C, both counted from
//! 1, is the integer `cell_R_C`. The product of the entry across or down with the number N is the integer `across_N` or
//! `down_N`, whose values are the definitions.
//!
//! A product is right if each prime has the same exponent on both sides. The exponent of a prime in the product of the
//! cells is the sum of its exponents in the cells. For each entry and each prime p that divides a possible value of a
//! cell, the formula has one equation: the sum over all cells of the entry and all values v of `e(v) [cell = v]` equals
//! the sum over all definitions d of `e(d) [product = d]`, where e is the exponent of p. Further rows exclude the
//! definitions that have other prime factors.

use std::collections::BTreeSet;

use super::{DIRECTIONS, Numcross, entries};
use crate::opb::{Integer, Literal, NoFormula, Opb, RulesFormula, Sum, all_different, cell_name};
use crate::{Solution, Violation};

/// Returns the prime factors of a positive number, in ascending order.
fn prime_factors(mut number: i128) -> BTreeSet<i128> {
    let mut primes = BTreeSet::new();
    let mut divisor = 2;
    while divisor * divisor <= number {
        while number % divisor == 0 {
            primes.insert(divisor);
            number /= divisor;
        }
        divisor += 1;
    }
    primes.extend(Some(number).filter(|&number| number > 1));
    primes
}

/// Returns whether a positive number has other prime factors than the given ones.
fn has_other_factors(primes: &BTreeSet<i128>, mut number: i128) -> bool {
    for prime in primes {
        while number % prime == 0 {
            number /= prime;
        }
    }
    number > 1
}

/// Returns the exponent of a prime in a positive number.
fn exponent(prime: i128, mut number: i128) -> i128 {
    let mut exponent = 0;
    while number % prime == 0 {
        number /= prime;
        exponent += 1;
    }
    exponent
}

impl Numcross {
    /// Returns the possible values of a cell. The values of a cell in an entry divide a definition.
    fn values(&self, cell: usize, is_in_entry: bool) -> Vec<i128> {
        if !self.white[cell] {
            return vec![0];
        }
        let is_possible =
            |value: &i128| !is_in_entry || self.definitions.iter().any(|definition| definition % value == 0);
        self.numbers.clone().filter(is_possible).collect()
    }

    /// Returns the integers of the cells. `integer` returns the integer with the given name and values.
    fn cells(&self, mut integer: impl FnMut(String, Vec<i128>) -> Integer) -> Vec<Integer> {
        let entries = entries(&self.white);
        let is_in_entry = |cell| entries.iter().flatten().any(|entry| entry.cells.contains(&cell));
        let name = |cell| format!("cell_{}", cell_name(self.white.place(cell)));
        (0..self.white.len()).map(|cell| integer(name(cell), self.values(cell, is_in_entry(cell)))).collect()
    }

    fn known_cells(&self, opb: &Opb) -> Vec<Integer> {
        self.cells(|name, values| Integer::find(opb, name, values))
    }
}

impl RulesFormula for Numcross {
    fn formula(&self) -> Result<Opb, NoFormula> {
        let mut opb = Opb::new();
        let cells = self.cells(|name, values| Integer::new(&mut opb, name, values));
        if cells.iter().any(|cell| cell.values().is_empty()) {
            opb.comment("a cell has no possible value");
            opb.clause([]);
        }
        let mut definitions = self.definitions.clone();
        definitions.sort_unstable();
        let mut products = Vec::new();
        for (direction, entries) in DIRECTIONS.into_iter().zip(entries(&self.white)) {
            for entry in entries {
                opb.comment(format_args!("{} {direction}", entry.number));
                let name = format!("{direction}_{}", entry.number);
                let product = Integer::new(&mut opb, name, definitions.iter().copied());
                let values = entry.cells.iter().flat_map(|&cell| cells[cell].values());
                let primes: BTreeSet<i128> = values.flat_map(|&value| prime_factors(value)).collect();
                for &prime in &primes {
                    let mut sum = Sum::default();
                    let integers = entry.cells.iter().map(|&cell| (1, &cells[cell])).chain([(-1, &product)]);
                    for (sign, integer) in integers {
                        for &value in integer.values() {
                            sum.add(sign * exponent(prime, value), &integer.is(value));
                        }
                    }
                    sum.equals(&mut opb, 0);
                }
                for &definition in &definitions {
                    if has_other_factors(&primes, definition) {
                        product.differs_from(&mut opb, definition);
                    }
                }
                products.push(product);
            }
        }
        opb.comment("each definition once");
        all_different(&mut opb, &products);
        Ok(opb)
    }

    fn literals(&self, opb: &Opb, solution: &Solution) -> Result<Vec<Literal>, Violation> {
        let grid = solution.grid(self.white.rows(), self.white.columns())?;
        let mut literals = Vec::new();
        for (cell, &value) in self.known_cells(opb).iter().zip(grid.cells()) {
            literals.extend(cell.literals(value)?);
        }
        Ok(literals)
    }

    fn unseen(&self, opb: &Opb, solutions: &[Solution]) -> Result<Sum, Violation> {
        let (rows, columns) = (self.white.rows(), self.white.columns());
        let grids = solutions.iter().map(|solution| solution.grid(rows, columns));
        let grids = grids.collect::<Result<Vec<_>, _>>()?;
        let mut sum = Sum::default();
        for (index, cell) in self.known_cells(opb).iter().enumerate() {
            for &value in cell.values().iter().filter(|&&value| grids.iter().all(|grid| grid[index] != value))
            {
                sum.add(1, &cell.is(value));
            }
        }
        Ok(sum)
    }
}
