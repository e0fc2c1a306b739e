//! Relations that are stated by cases, one for each pair of values, row or time.

use std::collections::BTreeSet;

use gordian_encodings::Value;
use gordian_encodings::constraint::Comparison::{AtLeast, AtMost, Equal};
use gordian_rules::opb::{Integer, Sum};

use super::{Statement, Writer, always, value};
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
        statement: &Statement,
        function: impl Fn(Value, Value) -> Option<Value>,
    ) -> Option<()> {
        let condition = statement.unless_reified()?;
        let argument = |index| self.integer(statement.operand(index)?);
        let (x, y, z) = (argument(0)?, argument(1)?, argument(2)?);
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
    pub(super) fn table(&mut self, statement: &Statement) -> Option<()> {
        let condition = statement.unless_reified()?;
        let (columns, rows) = (statement.operands(0)?, statement.array(1)?);
        if columns.is_empty() || rows.len() > MOST_ENTRIES || rows.len() % columns.len() != 0 {
            return None;
        }
        self.tables += 1;
        let columns = self.integers(&columns)?;
        let mut chosen = Vec::new();
        for (number, row) in (1..).zip(rows.chunks(columns.len())) {
            let literal = self.opb.variable(format_args!("row_{}_{number}", self.tables));
            let term: Sum = [literal].into_iter().collect();
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
                let supports: Vec<Sum> = rows.map(|(term, _)| term.clone()).collect();
                self.clause(condition, supports.into_iter().chain([x.is(value).complement()]));
            }
        }
        self.clause(condition, chosen.into_iter().map(|(term, _)| term));
        Some(())
    }

    /// States that `left[i] = j` implies `right[j] = i`. Each list comes with the index of its first element.
    pub(super) fn inverse(
        &mut self,
        condition: &Sum,
        (left, first): (&[Integer], Value),
        (right, other): (&[Integer], Value),
    ) {
        for (x, index) in left.iter().zip(first..) {
            for &value in x.values() {
                let position = value.checked_sub(other).and_then(|position| usize::try_from(position).ok());
                let inverse = position.and_then(|position| right.get(position)).map(|y| y.is(index));
                self.clause(condition, [x.is(value).complement()].into_iter().chain(inverse));
            }
        }
    }

    /// States that an element of an array has a value. The array starts with the index `first`.
    pub(super) fn element(
        &mut self,
        statement: &Statement,
        first: Value,
        array: &[&Operand],
        value: &Operand,
    ) -> Option<()> {
        statement.unconditional()?;
        let index = self.integer(statement.operand(0)?)?;
        for &i in index.values() {
            let position = i.checked_sub(first).and_then(|position| usize::try_from(position).ok());
            match position.and_then(|position| array.get(position)) {
                None => self.clause(&always(), [index.is(i).complement()]),
                Some(&element) => self.equals(&index.is(i), &[(1, value), (-1, element)], 0)?,
            }
        }
        Some(())
    }

    /// States for each value of one factor that the product is this value times the other factor.
    pub(super) fn product(&mut self, x: &Operand, y: &Operand, z: &Operand) -> Option<()> {
        let (first, second) = (self.integer(x)?, self.integer(y)?);
        let is_first = first.values().len() <= second.values().len();
        let (factor, other) = if is_first { (first, y) } else { (second, x) };
        for &v in factor.values() {
            if x == y {
                self.equals(&factor.is(v), &[(1, z)], v * v)?;
            } else {
                self.equals(&factor.is(v), &[(1, z), (-v, other)], 0)?;
            }
        }
        Some(())
    }

    /// States that each item is in a bin, and that the total weight in each bin compares with its load or capacity.
    pub(super) fn bin_packing(&mut self, statement: &Statement, is_load: bool) -> Option<()> {
        statement.unless_reified()?;
        let (loads, first) = (statement.operands(0)?, statement.number(1)?);
        let (bins, weights) = (statement.operands(2)?, statement.numbers(3)?);
        if bins.len() != weights.len() {
            return None;
        }
        let last = first + loads.len() as Value - 1;
        for bin in &bins {
            self.inside(statement, &self.integer(bin)?, &|value| (first..=last).contains(&value));
        }
        if is_load {
            // Each item is in one bin, so the loads and the weights have the same sum. The row follows from the others, but
            // unit propagation does not find it.
            let terms: Vec<(Value, &Operand)> = loads.iter().map(|&load| (1, load)).collect();
            self.sum(statement, &terms, Equal, weights.iter().sum())?;
        }
        let comparison = if is_load { Equal } else { AtMost };
        for (bin, load) in (first..).zip(loads) {
            self.weigh(statement, &bins, &weights, &|other| other == bin, comparison, load)?;
        }
        Some(())
    }

    /// States for each pair of boxes that the two boxes do not overlap. The literal `apart_K_N` implies the N-th comparison of
    /// pair K.
    pub(super) fn diffn(&mut self, statement: &Statement, strict: bool) -> Option<()> {
        let condition = statement.unless_reified()?;
        let (origins, sizes) = (statement.operands(1)?, statement.operands(2)?);
        let dimensions = usize::try_from(statement.number(0)?).ok().filter(|&count| count > 0)?;
        if origins.len() != sizes.len() || origins.len() % dimensions != 0 {
            return None;
        }
        let boxes: Vec<_> = origins.chunks(dimensions).zip(sizes.chunks(dimensions)).collect();
        for (number, &(origin, size)) in boxes.iter().enumerate() {
            for &(other, other_size) in &boxes[..number] {
                let mut apart = Vec::new();
                for k in 0..dimensions {
                    apart.push(self.linear(
                        &[(1, other[k]), (1, other_size[k]), (-1, origin[k])],
                        AtMost,
                        0,
                    )?);
                    apart.push(self.linear(&[(1, origin[k]), (1, size[k]), (-1, other[k])], AtMost, 0)?);
                }
                if !strict {
                    for side in other_size.iter().chain(size) {
                        apart.push(self.linear(&[(1, side)], Equal, 0)?);
                    }
                }
                self.pairs += 1;
                let mut terms = Vec::new();
                for (number, stated) in (1..).zip(apart) {
                    let literal = self.opb.variable(format_args!("apart_{}_{number}", self.pairs));
                    let term: Sum = [literal].into_iter().collect();
                    self.state(&stated, &term, None);
                    terms.push(term);
                }
                self.clause(condition, terms);
            }
        }
        Some(())
    }

    /// States that no duration is negative, and that at most one task runs at each time at which a task can start. Durations
    /// are constants, and positive if `strict` is true.
    pub(super) fn disjunctive(&mut self, statement: &Statement, strict: bool) -> Option<()> {
        statement.unless_reified()?;
        let (starts, durations) = (statement.operands(0)?, statement.operands(1)?);
        for &duration in &durations {
            self.sum(statement, &[(1, duration)], AtLeast, 0)?;
        }
        statement.unconditional()?;
        for duration in &durations {
            if strict && self.integer(duration)?.values().iter().any(|&duration| duration <= 0) {
                return None;
            }
        }
        let one = Operand::Int(1);
        self.cumulative(&starts, &durations, &vec![&one; starts.len()], &one)
    }

    /// States that the total demand of the running tasks is at most the capacity, at each time at which a task can start.
    /// Durations and demands are constants.
    pub(super) fn cumulative(
        &mut self,
        starts: &[&Operand],
        durations: &[&Operand],
        demands: &[&Operand],
        capacity: &Operand,
    ) -> Option<()> {
        if starts.len() != durations.len() || starts.len() != demands.len() {
            return None;
        }
        let mut known = Vec::new();
        for ((start, duration), demand) in starts.iter().zip(durations).zip(demands) {
            let (duration, demand) = (self.integer(duration)?, self.integer(demand)?);
            let (&[duration], &[demand]) = (duration.values(), demand.values()) else { return None };
            known.push((self.integer(start)?, duration.max(0), demand.max(0)));
        }
        let capacity = self.integer(capacity)?;
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

    /// States that an operand has a value of the chain only if an earlier one has the value before it in the chain.
    pub(super) fn value_precedence(
        &mut self,
        statement: &Statement,
        list: &[&Operand],
        chain: &[Value],
    ) -> Option<()> {
        let condition = statement.unless_reified()?;
        let list = self.integers(list)?;
        if list.len() * list.len() * chain.len() > MOST_ENTRIES {
            return None;
        }
        for pair in chain.windows(2) {
            for (at, x) in list.iter().enumerate() {
                if x.values().binary_search(&pair[1]).is_ok() {
                    let earlier = list[..at].iter().map(|y| y.is(pair[0]));
                    self.clause(condition, earlier.chain([x.is(pair[1]).complement()]));
                }
            }
        }
        Some(())
    }
}
