//! Relations that are stated by cases, one for each pair of values, row or time.

use std::collections::BTreeSet;

use gordian_encodings::Value;
use gordian_rules::opb::{Integer, Sum as Total};

use super::{Writer, always, value};
use crate::constraint::{Ref, apart};
use crate::instance::Operand;

/// The maximum number of pairs of values in a division or a power, each of which has a clause.
const MOST_PAIRS: usize = 10_000;
/// The maximum number of entries of a table.
const MOST_ENTRIES: usize = 100_000;

/// Returns `x ^ y`. For a negative exponent, the power is `1 div x ^ -y`. Returns `None` if the power does not exist or
/// exceeds 128 bits.
pub(super) fn power(x: Value, y: Value) -> Option<Value> {
    if y >= 0 {
        // The powers of 0, 1 and -1 repeat after at most two exponents.
        let exponent = if x.abs() <= 1 && y > 2 { 2 - y % 2 } else { y };
        return x.checked_pow(u32::try_from(exponent).ok()?);
    }
    match x {
        0 => None,
        1 => Some(1),
        -1 => Some(if y % 2 == 0 { 1 } else { -1 }),
        _ => Some(0),
    }
}

impl Writer {
    /// States that z is the result of a function of x and y. If the result is `None`, x and y do not have these values.
    pub(super) fn by_pairs(
        &mut self,
        operands: &[Ref; 3],
        condition: &Total,
        function: impl Fn(Value, Value) -> Option<Value>,
    ) -> Option<()> {
        let [x, y, z] = operands.map(|operand| self.integer(operand));
        if x.values().len() * y.values().len() > MOST_PAIRS {
            return None;
        }
        for &first in x.values() {
            for &second in y.values() {
                let differs = [x.is(first).complement(), y.is(second).complement()];
                let result = function(first, second).map(|result| z.is(result));
                self.clause(condition, differs.into_iter().chain(result));
            }
        }
        Some(())
    }

    /// States that the columns have the values of a row of the table. The literal `row_K_R` implies row R of table K.
    pub(super) fn table(&mut self, columns: &[Ref], rows: &[Operand], condition: &Total) -> Option<()> {
        if columns.is_empty() || rows.len() > MOST_ENTRIES {
            return None;
        }
        self.tables += 1;
        let columns = self.integers(columns);
        let mut chosen = Vec::new();
        for (number, row) in (1..).zip(rows.chunks(columns.len())) {
            let literal = self.opb.variable(format_args!("row_{}_{number}", self.tables));
            let term: Total = [literal].into_iter().collect();
            for (x, entry) in columns.iter().zip(row) {
                match (entry, entry.constant()) {
                    (_, Some(value)) => self.clause(&term, [x.is(value)]),
                    (Operand::Set(set), None) => {
                        for &value in x.values().iter().filter(|&&value| !set.contains(value)) {
                            self.clause(&term, [x.is(value).complement()]);
                        }
                    }
                    _ => return None,
                }
            }
            chosen.push((term, row));
        }
        for (column, x) in columns.iter().enumerate() {
            for &value in x.values() {
                let allows = |row: &[Operand]| match &row[column] {
                    Operand::Set(set) => set.contains(value),
                    entry => entry.constant() == Some(value),
                };
                let rows = chosen.iter().filter(|(_, row)| allows(row));
                let supports: Vec<Total> = rows.map(|(term, _)| term.clone()).collect();
                self.clause(condition, supports.into_iter().chain([x.is(value).complement()]));
            }
        }
        self.clause(condition, chosen.into_iter().map(|(term, _)| term));
        Some(())
    }

    /// States that `left[i] = j` implies `right[j] = i`. Each list comes with the index of its first element.
    pub(super) fn inverse(
        &mut self,
        (left, first): (&[Integer], Value),
        (right, other): (&[Integer], Value),
        condition: &Total,
    ) {
        for (x, index) in left.iter().zip(first..) {
            for &value in x.values() {
                let position = value.checked_sub(other).and_then(|position| usize::try_from(position).ok());
                let inverse = position.and_then(|position| right.get(position)).map(|y| y.is(index));
                self.clause(condition, [x.is(value).complement()].into_iter().chain(inverse));
            }
        }
    }

    /// States for each pair of boxes that the two boxes do not overlap. The literal `apart_K_N` implies the N-th comparison of pair K.
    pub(super) fn diffn(&mut self, boxes: &[Vec<[Ref; 2]>], strict: bool, condition: &Total) -> Option<()> {
        for sums in apart(boxes, strict) {
            self.pairs += 1;
            let mut terms = Vec::new();
            for (number, sum) in (1..).zip(sums) {
                let literal = self.opb.variable(format_args!("apart_{}_{number}", self.pairs));
                let term: Total = [literal].into_iter().collect();
                self.state(&self.linear(&sum)?, &term, None);
                terms.push(term);
            }
            self.clause(condition, terms);
        }
        Some(())
    }

    /// States for each possible start of a task that at most one task runs then. Durations are constants, and positive if
    /// `strict` is true.
    pub(super) fn disjunctive(&mut self, tasks: &[[Ref; 2]], strict: bool) -> Option<()> {
        for &[_, duration] in tasks {
            if strict && self.integer(duration).values().iter().any(|&duration| duration <= 0) {
                return None;
            }
        }
        let tasks: Vec<[Ref; 3]> =
            tasks.iter().map(|&[start, duration]| [start, duration, Ref::Const(1)]).collect();
        self.cumulative(&tasks, Ref::Const(1))
    }

    /// States for each possible start of a task that the demands of the tasks that run then do not exceed the capacity.
    /// Durations and demands are constants.
    pub(super) fn cumulative(&mut self, tasks: &[[Ref; 3]], capacity: Ref) -> Option<()> {
        let mut known = Vec::new();
        for &[start, duration, demand] in tasks {
            let [duration, demand] = [duration, demand].map(|operand| self.integer(operand));
            let (&[duration], &[demand]) = (duration.values(), demand.values()) else { return None };
            known.push((self.integer(start), duration.max(0), demand.max(0)));
        }
        let capacity = self.integer(capacity);
        self.clause(&always(), [capacity.at_most(-1).complement()]);
        let times: BTreeSet<Value> =
            known.iter().flat_map(|(start, ..)| start.values().iter().copied()).collect();
        for time in times {
            let mut rest = value(&capacity);
            for (start, duration, demand) in &known {
                // The task is running if it has started, but has not started early enough to be finished.
                rest.add(-demand, &start.at_most(time));
                rest.add(*demand, &start.at_most(time - duration));
            }
            rest.at_least(&mut self.opb, 0);
        }
        Some(())
    }
}
