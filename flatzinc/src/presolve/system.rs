//! Exact solving of systems of linear constraints on unbounded variables.

use std::collections::HashMap;

use gordian_encodings::Value;
use gordian_encodings::constraint::Comparison;

use super::lattice::Lattice;
use super::rational::{Overflow, Rational};
use super::simplex::{Bounds, Simplex};
use super::{Presolved, Store};
use crate::constraint::{Ref, Relation, Sum, When};
use crate::instance::VarId;

/// The maximum number of rows and of columns. Larger systems are left to the SAT solver.
const LARGEST: usize = 200;

/// A linear constraint: a weighted sum of columns, a comparison and a bound.
#[derive(Debug, Clone)]
struct Row {
    terms: Vec<(Value, usize)>,
    comparison: Comparison,
    bound: Value,
}

/// A system of linear constraints. The columns of the system are variables, quotients and remainders.
#[derive(Debug, Default)]
struct System {
    /// The variable of each column; `None` for the quotient or remainder of a division.
    columns: Vec<Option<VarId>>,
    ranges: Vec<(Value, Value)>,
    column_of: HashMap<VarId, usize>,
    /// Maps a dividend and its constant divisor to the columns of the quotient and the remainder.
    divisions: HashMap<(Ref, Value), [usize; 2]>,
    rows: Vec<Row>,
}

impl Presolved {
    /// Derives bounds of unbounded variables from their linear constraints, or detects a contradiction. If `all` is
    /// true, also considers constraints without unbounded variables. Returns whether a domain changed.
    pub(super) fn solve_systems(&mut self, all: bool) -> bool {
        let mut system = System::default();
        for constraint in self.constraints.iter().filter(|constraint| constraint.when == When::Always) {
            let mut open = all;
            constraint.relation.operands(&mut |operand| {
                let (first, last) = self.store.range(operand);
                open |= first == Value::MIN || last == Value::MAX;
            });
            if open {
                system.add(&constraint.relation, &self.store);
            }
        }
        self.store.changed.clear();
        for component in system.components() {
            // `solve` stops if a number overflows. The bounds that it derived before remain valid.
            if component.rows.len() <= LARGEST && component.columns.len() <= LARGEST {
                let _ = component.solve(&mut self.store);
            }
        }
        self.store.infeasible || !self.store.changed.is_empty()
    }
}

/// Returns the representative of a column's connected component in the union-find forest `parents`.
fn root(parents: &mut [usize], mut column: usize) -> usize {
    while parents[column] != column {
        parents[column] = parents[parents[column]];
        column = parents[column];
    }
    column
}

impl System {
    fn column(&mut self, x: VarId, store: &Store) -> usize {
        *self.column_of.entry(x).or_insert_with(|| {
            self.columns.push(Some(x));
            self.ranges.push(store.range(Ref::Var(x)));
            self.columns.len() - 1
        })
    }

    fn fresh(&mut self, range: (Value, Value)) -> usize {
        self.columns.push(None);
        self.ranges.push(range);
        self.columns.len() - 1
    }

    /// Adds linear constraints that the relation implies.
    fn add(&mut self, relation: &Relation, store: &Store) {
        let compare = |left, comparison, right| match Relation::compare(left, comparison, right, 0) {
            Relation::Sum(sum) => Some(sum),
            _ => None,
        };
        match relation {
            Relation::Sum(sum) => self.add_sum(sum, &[], store),
            Relation::Absolute([x, y]) => {
                for sign in [1, -1] {
                    let terms = vec![(sign, *x), (-1, *y)];
                    self.add_sum(&Sum { terms, comparison: Comparison::AtMost, bound: 0 }, &[], store);
                }
            }
            Relation::MinMax { of, value, greatest } => {
                let comparison = if *greatest { Comparison::AtMost } else { Comparison::AtLeast };
                for sum in of.iter().filter_map(|&x| compare(x, comparison, *value)) {
                    self.add_sum(&sum, &[], store);
                }
            }
            Relation::Quotient([x, y, z]) | Relation::Remainder([x, y, z]) => {
                let Some(divisor) = store.value(*y).filter(|&y| y != 0 && y != Value::MIN) else { return };
                let part = usize::from(matches!(relation, Relation::Remainder(_)));
                let result = self.division(*x, divisor, store)[part];
                let sum = Sum { terms: vec![(1, *z)], comparison: Comparison::Equal, bound: 0 };
                self.add_sum(&sum, &[(-1, result)], store);
            }
            _ => {}
        }
    }

    /// Returns the columns of the quotient and the remainder of a division by a constant.
    fn division(&mut self, x: Ref, divisor: Value, store: &Store) -> [usize; 2] {
        let x = store.resolve(x);
        if let Some(&columns) = self.divisions.get(&(x, divisor)) {
            return columns;
        }
        let most = divisor.abs() - 1;
        let (first, last) = store.range(x);
        let remainders = (if first >= 0 { 0 } else { -most }, if last <= 0 { 0 } else { most });
        let columns = [self.fresh((Value::MIN, Value::MAX)), self.fresh(remainders)];
        self.divisions.insert((x, divisor), columns);
        let sum = Sum { terms: vec![(1, x)], comparison: Comparison::Equal, bound: 0 };
        self.add_sum(&sum, &[(-divisor, columns[0]), (-1, columns[1])], store);
        columns
    }

    /// Adds a linear constraint. The terms of `sum` are variables, and `columns` contains further terms.
    fn add_sum(&mut self, sum: &Sum, columns: &[(Value, usize)], store: &Store) {
        if sum.comparison == Comparison::NotEqual {
            return;
        }
        // The terms of `columns` are added below, so the coefficients must not be divided by their greatest common
        // divisor yet.
        let Some(merged) = sum.resolved(store) else { return };
        let mut terms = columns.to_vec();
        for (factor, x) in merged.terms {
            if let Some(x) = x.variable() {
                terms.push((factor, self.column(x, store)));
            }
        }
        self.rows.push(Row { terms, comparison: sum.comparison, bound: merged.bound });
    }

    /// Splits the system into independent systems, which have no common columns.
    fn components(self) -> Vec<Self> {
        let mut parents: Vec<usize> = (0..self.columns.len()).collect();
        for row in &self.rows {
            for pair in row.terms.windows(2) {
                let (a, b) = (root(&mut parents, pair[0].1), root(&mut parents, pair[1].1));
                parents[a] = b;
            }
        }
        let mut systems: HashMap<usize, Self> = HashMap::new();
        let mut places = Vec::with_capacity(self.columns.len());
        for (column, (&variable, &range)) in self.columns.iter().zip(&self.ranges).enumerate() {
            let system = systems.entry(root(&mut parents, column)).or_default();
            places.push(system.columns.len());
            system.columns.push(variable);
            system.ranges.push(range);
        }
        for mut row in self.rows {
            // Rows without columns are skipped, because propagation has already decided them.
            let Some(&(_, column)) = row.terms.first() else { continue };
            row.terms.iter_mut().for_each(|(_, column)| *column = places[*column]);
            systems.entry(root(&mut parents, column)).or_default().rows.push(row);
        }
        let mut systems: Vec<(usize, Self)> = systems.into_iter().collect();
        systems.sort_unstable_by_key(|&(root, _)| root);
        systems.into_iter().map(|(_, system)| system).collect()
    }

    /// Marks the store as infeasible if the equations have no integer solution, or if the system has no rational
    /// solution. Otherwise, derives the missing bounds of the variables.
    fn solve(&self, store: &mut Store) -> Result<(), Overflow> {
        self.solve_equations(store);
        let finite = |value: Value, infinite| (value != infinite).then(|| Rational::integer(value));
        let columns: Vec<Bounds> =
            self.ranges.iter().map(|&(a, b)| (finite(a, Value::MIN), finite(b, Value::MAX))).collect();
        let mut rows = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            let mut factors = vec![Rational::ZERO; columns.len()];
            for &(factor, column) in &row.terms {
                factors[column] = factors[column].add(Rational::integer(factor))?;
            }
            let bound = Some(Rational::integer(row.bound));
            rows.push((
                factors,
                match row.comparison {
                    Comparison::AtMost => (None, bound),
                    Comparison::AtLeast => (bound, None),
                    _ => (bound, bound),
                },
            ));
        }
        let mut simplex = Simplex::new(&columns, rows)?;
        if !simplex.is_feasible()? {
            store.infeasible = true;
            return Ok(());
        }
        for (column, &variable) in self.columns.iter().enumerate() {
            let (Some(x), (first, last)) = (variable, self.ranges[column]) else { continue };
            let least = if first == Value::MIN { simplex.extreme(column, false)? } else { None };
            if let Some(least) = least {
                store.raise(Ref::Var(x), least.neg()?.floor().saturating_neg());
            }
            let greatest = if last == Value::MAX { simplex.extreme(column, true)? } else { None };
            if let Some(greatest) = greatest {
                store.lower(Ref::Var(x), greatest.floor());
            }
        }
        Ok(())
    }

    /// Marks the store as infeasible if the equations of the system have no integer solution.
    fn solve_equations(&self, store: &mut Store) {
        let mut lattice = Lattice::all(self.columns.len());
        for row in self.rows.iter().filter(|row| row.comparison == Comparison::Equal) {
            match lattice.restrict(&row.terms, row.bound) {
                Some(true) => {}
                Some(false) => store.infeasible = true,
                None => return,
            }
        }
    }
}
