//! The inverse of the basis in product form.

use super::{LEAST_PIVOT, Sum, ZERO};

/// The inverse of the basis as a product of elementary matrices.
#[derive(Debug, Default)]
pub(super) struct Inverse {
    factors: Vec<Factor>,
    /// The entries of all factors outside of their pivot rows.
    entries: Sum,
    /// The number of factors after the last computation of the inverse.
    computed: usize,
}

/// An elementary matrix, which maps a column to a unit vector.
#[derive(Debug, Clone, Copy)]
struct Factor {
    row: usize,
    pivot: f64,
    /// The entries of the column outside of the pivot row are `entries[start..end]` of the inverse.
    start: usize,
    end: usize,
}

impl Inverse {
    /// Computes the inverse of the basis matrix, which consists of the columns of the basic variables. The column of a variable of a row
    /// is a unit vector. Returns the inverse and the basic variable of each row, or `None` if the basis is almost singular.
    pub(super) fn new(rows: &[Sum], columns: &[Sum], basis: &[usize]) -> Option<(Self, Vec<usize>)> {
        const FREE: usize = usize::MAX;
        let mut inverse = Self::default();
        let mut basic = vec![FREE; rows.len()];
        let mut left = Vec::new();
        for &variable in basis {
            match variable.checked_sub(columns.len()) {
                Some(row) => basic[row] = variable,
                None => left.push(variable),
            }
        }
        left.sort_unstable_by_key(|&variable| (columns[variable].len(), variable));
        let mut is_left = vec![false; columns.len()];
        // The number of remaining columns in each row. If a free row has one remaining column, this column is next: no
        // later column has an entry in this row, so its factor changes no later column.
        let mut in_row = vec![0_usize; rows.len()];
        for &variable in &left {
            is_left[variable] = true;
            for &(_, row) in &columns[variable] {
                in_row[row] += 1;
            }
        }
        let mut single: Vec<usize> = (0..rows.len()).filter(|&row| in_row[row] == 1).collect();
        let mut order = left.iter().copied();
        let mut is_pivot = vec![false; rows.len()];
        let mut column = vec![0.0; rows.len()];
        for _ in 0..left.len() {
            let mut next = None;
            while let (None, Some(row)) = (next, single.pop()) {
                if basic[row] == FREE && in_row[row] == 1 {
                    next = rows[row].iter().map(|&(_, column)| column).find(|&column| is_left[column]);
                }
            }
            let variable = next.or_else(|| order.find(|&column| is_left[column]))?;
            is_left[variable] = false;
            // The inverse so far only changes columns with entries in its pivot rows.
            let entries: Sum = if columns[variable].iter().any(|&(_, row)| is_pivot[row]) {
                column.fill(0.0);
                for &(coefficient, row) in &columns[variable] {
                    column[row] = coefficient;
                }
                inverse.times(&mut column);
                let entries = column.iter().enumerate().filter(|(_, value)| value.abs() > ZERO);
                entries.map(|(row, &value)| (value, row)).collect()
            } else {
                columns[variable].clone()
            };
            let free = || entries.iter().filter(|&&(_, row)| basic[row] == FREE);
            let greatest = free().map(|(value, _)| value.abs()).fold(0.0, f64::max);
            let precise = free().filter(|(value, _)| value.abs() >= greatest / 10.0);
            let &(pivot, row) =
                precise.min_by_key(|&&(_, row)| in_row[row]).filter(|_| greatest > LEAST_PIVOT)?;
            inverse.push(row, pivot, entries.into_iter());
            basic[row] = variable;
            is_pivot[row] = true;
            for &(_, row) in &columns[variable] {
                in_row[row] -= 1;
                if in_row[row] == 1 {
                    single.push(row);
                }
            }
        }
        inverse.computed = inverse.factors.len();
        Some((inverse, basic))
    }

    /// Returns the number of factors.
    pub(super) fn factors(&self) -> usize {
        self.factors.len()
    }

    /// Returns the number of factors that were added after the inverse was computed.
    pub(super) fn steps(&self) -> usize {
        self.factors.len() - self.computed
    }

    /// Returns the number of factors and entries.
    pub(super) fn size(&self) -> usize {
        self.factors.len() + self.entries.len()
    }

    /// Adds the factor for a column with the given entries.
    pub(super) fn push(&mut self, row: usize, pivot: f64, entries: impl Iterator<Item = (f64, usize)>) {
        let start = self.entries.len();
        self.entries.extend(entries.filter(|&(_, at)| at != row));
        self.factors.push(Factor { row, pivot, start, end: self.entries.len() });
    }

    /// Multiplies the inverse by a column.
    pub(super) fn times(&self, column: &mut [f64]) {
        for &Factor { row, pivot, start, end } in &self.factors {
            let value = column[row];
            if value == 0.0 {
                continue;
            }
            let value = value / pivot;
            column[row] = value;
            for &(entry, at) in &self.entries[start..end] {
                column[at] -= entry * value;
            }
        }
    }

    /// Multiplies a row by the inverse.
    pub(super) fn times_row(&self, line: &mut [f64]) {
        for &Factor { row, pivot, start, end } in self.factors.iter().rev() {
            let entries = &self.entries[start..end];
            let sum: f64 = entries.iter().map(|&(entry, at)| entry * line[at]).sum();
            line[row] = (line[row] - sum) / pivot;
        }
    }
}
