//! Relations that are posted by cases, one for each value, pair of values, row or time.

use std::collections::{BTreeMap, BTreeSet};

use gordian_encodings::constraint::{Comparison, Linear};
use gordian_encodings::{Lit, TRUE, Value};

use super::{Overflow, Plain, Unstated, without_constants};
use crate::constraint::{Ref, Sum, apart};
use crate::instance::Operand;
use crate::translate::{Builder, Representation};

/// The maximum number of pairs of values of two operands.
const MOST_PAIRS: u128 = 10_000;
/// The maximum number of entries of a table.
const MOST_ENTRIES: usize = 100_000;

/// Returns `x ^ y`, or `None` if the power is not defined or exceeds 128 bits.
pub(super) fn power(x: Value, y: Value) -> Option<Value> {
    match (x, y) {
        (0, ..0) => None,
        // For a negative exponent, the power is `1 div x ^ -y`.
        (-1 | 1, _) => Some(if y % 2 == 0 { 1 } else { x }),
        (_, ..0) => Some(0),
        _ => x.checked_pow(u32::try_from(y).ok()?),
    }
}

impl Plain<'_> {
    /// Posts the constraint that `value` is the maximum (or minimum) of the operands if the condition holds.
    pub(super) fn min_max(
        &mut self,
        of: &[Ref],
        value: Ref,
        greatest: bool,
        condition: Lit,
    ) -> Result<(), Unstated> {
        let sign = if greatest { 1 } else { -1 };
        for &x in of {
            let terms = vec![(sign, x), (-sign, value)];
            self.sum(&Sum { terms, comparison: Comparison::AtMost, bound: 0 }, condition)?;
        }
        for extremum in self.builder.store.set(value).values() {
            // If the maximum is greater than the limit, so is one of the operands.
            let limit = if greatest { extremum - 1 } else { extremum };
            let side = |builder: &mut Builder<'_>, x: Ref, above: bool| {
                let at_most = builder.at_most(x, limit);
                if above { !at_most } else { at_most }
            };
            let mut clause = vec![!condition, side(&mut self.builder, value, !greatest)];
            clause.extend(of.iter().map(|&x| side(&mut self.builder, x, greatest)));
            self.builder.clause(clause);
        }
        Ok(())
    }

    /// Posts the constraint that z is the result of a function of x and y. If the result is `None`, x and y must not
    /// have these values.
    pub(super) fn by_pairs(
        &mut self,
        &[x, y, z]: &[Ref; 3],
        condition: Lit,
        function: impl Fn(Value, Value) -> Option<Value>,
    ) -> Result<(), Unstated> {
        let [of_x, of_y] = [x, y].map(|operand| self.builder.store.set(operand));
        if of_x.size().saturating_mul(of_y.size()) > MOST_PAIRS {
            return Err(Unstated::NoFormula);
        }
        for first in of_x.values() {
            for second in of_y.values() {
                let result = function(first, second);
                let result = result.map(|result| self.builder.equals(z, result));
                let operands = [self.builder.equals(x, first), self.builder.equals(y, second)];
                let clause = [condition].into_iter().chain(operands).map(|lit| !lit).chain(result);
                self.builder.clause(clause.collect());
            }
        }
        Ok(())
    }

    /// Posts the constraint that the columns have the values of a row of the table. Each row gets a literal that implies
    /// the row.
    pub(super) fn table(
        &mut self,
        columns: &[Ref],
        rows: &[Operand],
        condition: Lit,
    ) -> Result<(), Unstated> {
        if rows.len() > MOST_ENTRIES || columns.is_empty() {
            return Err(Unstated::NoFormula);
        }
        self.tables += 1;
        let mut chosen = Vec::new();
        // For each column and value, the literals of the rows that allow the value.
        let mut supports: Vec<BTreeMap<Value, Vec<Lit>>> = columns
            .iter()
            .map(|&x| self.builder.store.set(x).values().map(|value| (value, Vec::new())).collect())
            .collect();
        for (number, row) in (1..).zip(rows.chunks(columns.len())) {
            let lit = self.builder.model.boolean();
            self.builder.model.name(lit, format!("row_{}_{number}", self.tables));
            chosen.push(lit);
            for ((&x, entry), supports) in columns.iter().zip(row).zip(&mut supports) {
                match (entry, entry.constant()) {
                    (_, Some(value)) => {
                        let holds = self.builder.equals(x, value);
                        self.builder.clause(vec![!lit, holds]);
                        if let Some(rows) = supports.get_mut(&value) {
                            rows.push(lit);
                        }
                    }
                    (Operand::Set(set), None) => {
                        for (&value, rows) in supports.iter_mut() {
                            if set.contains(value) {
                                rows.push(lit);
                            } else {
                                let has_value = self.builder.equals(x, value);
                                self.builder.clause(vec![!lit, !has_value]);
                            }
                        }
                    }
                    _ => return Err(Unstated::NoFormula),
                }
            }
        }
        for (&x, supports) in columns.iter().zip(supports) {
            for (value, mut clause) in supports {
                let has_value = self.builder.equals(x, value);
                clause.extend([!condition, !has_value]);
                self.builder.clause(clause);
            }
        }
        chosen.push(!condition);
        self.builder.clause(chosen);
        Ok(())
    }

    /// Posts the constraint that `left[i] = j` implies `right[j] = i`. `first` contains the indices of the first elements.
    pub(super) fn inverse(
        &mut self,
        left: &[Ref],
        right: &[Ref],
        first: [Value; 2],
        condition: Lit,
    ) -> Result<(), Unstated> {
        for (&x, index) in left.iter().zip(first[0]..) {
            for value in self.builder.store.set(x).values() {
                let position = value.checked_sub(first[1]).ok_or(Overflow)?;
                let other = usize::try_from(position).ok().and_then(|position| right.get(position));
                let has_value = self.builder.equals(x, value);
                let has_inverse = other.map(|&y| self.builder.equals(y, index));
                self.builder.clause([!condition, !has_value].into_iter().chain(has_inverse).collect());
            }
        }
        Ok(())
    }

    /// Posts for each pair of boxes that the two boxes do not overlap. The literal `apart_K_N` implies the N-th comparison of pair K.
    pub(super) fn diffn(
        &mut self,
        boxes: &[Vec<[Ref; 2]>],
        strict: bool,
        condition: Lit,
    ) -> Result<(), Unstated> {
        for sums in apart(boxes, strict) {
            self.pairs += 1;
            let mut clause = vec![!condition];
            for (number, sum) in (1..).zip(sums) {
                let lit = self.builder.model.boolean();
                self.builder.model.name(lit, format!("apart_{}_{number}", self.pairs));
                self.sum(&sum, lit)?;
                clause.push(lit);
            }
            self.builder.clause(clause);
        }
        Ok(())
    }

    /// Posts for each possible start of a task that at most one task runs then. Durations must be constants, and positive
    /// if `strict` is true.
    pub(super) fn disjunctive(&mut self, tasks: &[[Ref; 2]], strict: bool) -> Result<(), Unstated> {
        let is_positive = |task: &[Ref; 2]| self.builder.store.range(task[1]).0 > 0;
        if strict && !tasks.iter().all(is_positive) {
            return Err(Unstated::NoFormula);
        }
        let tasks: Vec<[Ref; 3]> =
            tasks.iter().map(|&[start, duration]| [start, duration, Ref::Const(1)]).collect();
        self.cumulative(&tasks, Ref::Const(1))
    }

    /// Posts for each possible start of a task that the demands of the tasks that run then do not exceed the capacity.
    /// Durations and demands must be constants.
    pub(super) fn cumulative(&mut self, tasks: &[[Ref; 3]], capacity: Ref) -> Result<(), Unstated> {
        let mut known = Vec::new();
        for &[start, duration, demand] in tasks {
            let constant = |operand| self.builder.store.value(operand).ok_or(Unstated::NoFormula);
            known.push((start, constant(duration)?, constant(demand)?.max(0)));
        }
        let not_negative = Sum { terms: vec![(1, capacity)], comparison: Comparison::AtLeast, bound: 0 };
        self.sum(&not_negative, TRUE)?;
        let mut times = BTreeSet::new();
        for &(start, ..) in &known {
            times.extend(self.builder.store.set(start).values());
        }
        for time in times {
            let mut running = Vec::new();
            for &(start, duration, demand) in &known {
                if duration > 0 && demand > 0 {
                    let before = time.checked_sub(duration).ok_or(Overflow)?;
                    running.push((demand, self.builder.at_most(start, time).into()));
                    running.push((-demand, self.builder.at_most(start, before).into()));
                }
            }
            let bound = if let Representation::Constant(capacity) = self.builder.representation(capacity) {
                capacity
            } else {
                running.push((-1, self.builder.term(capacity)));
                0
            };
            self.linear(without_constants(Linear::at_most(running, bound)), TRUE);
        }
        Ok(())
    }

    /// Posts the constraint that an operand has a value of the chain only if an earlier one has the value before it in the
    /// chain.
    pub(super) fn value_precedence(
        &mut self,
        list: &[Ref],
        chain: &[Value],
        condition: Lit,
    ) -> Result<(), Unstated> {
        if list.len() * list.len() * chain.len() > MOST_ENTRIES {
            return Err(Unstated::NoFormula);
        }
        for pair in chain.windows(2) {
            for (at, &x) in list.iter().enumerate() {
                let mut clause = vec![!condition, !self.builder.equals(x, pair[1])];
                clause.extend(list[..at].iter().map(|&y| self.builder.equals(y, pair[0])));
                self.builder.clause(clause);
            }
        }
        Ok(())
    }
}
