//! Sets of integers, possibly unbounded.

use gordian_encodings::{Domain, Value};

use super::extended::is_finite;

/// A set of integers, as disjoint intervals in ascending order. If the first value is [`Value::MIN`], the set has no
/// lower bound; if the last value is [`Value::MAX`], it has no upper bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Set {
    intervals: Vec<(Value, Value)>,
}

impl Set {
    pub(crate) fn all() -> Self {
        Self::interval(Value::MIN, Value::MAX)
    }

    pub(crate) fn interval(first: Value, last: Value) -> Self {
        Self { intervals: if first <= last { vec![(first, last)] } else { Vec::new() } }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.intervals.is_empty()
    }

    /// Returns the minimum of the set: 0 if the set is empty, and [`Value::MIN`] if it has no lower bound.
    pub(crate) fn first(&self) -> Value {
        self.intervals.first().map_or(0, |&(first, _)| first)
    }

    /// Returns the maximum of the set: 0 if the set is empty, and [`Value::MAX`] if it has no upper bound.
    pub(crate) fn last(&self) -> Value {
        self.intervals.last().map_or(0, |&(_, last)| last)
    }

    pub(crate) fn is_bounded(&self) -> bool {
        self.first() != Value::MIN && self.last() != Value::MAX
    }

    /// Returns the value of a set with exactly one value, or `None` for any other set.
    pub(crate) fn only(&self) -> Option<Value> {
        match self.intervals[..] {
            [(first, last)] if first == last => Some(first),
            _ => None,
        }
    }

    pub(crate) fn contains(&self, value: Value) -> bool {
        let after = self.intervals.partition_point(|&(first, _)| first <= value);
        after > 0 && value <= self.intervals[after - 1].1
    }

    /// Returns the number of values in the set, or `u128::MAX` if the set is unbounded.
    pub(crate) fn size(&self) -> u128 {
        if !self.is_bounded() {
            return u128::MAX;
        }
        let sizes = self.intervals.iter().map(|&(first, last)| last.abs_diff(first).saturating_add(1));
        sizes.fold(0, u128::saturating_add)
    }

    /// Returns whether the set contains no values other than 0 and 1.
    pub(crate) fn is_boolean(&self) -> bool {
        0 <= self.first() && self.last() <= 1
    }

    pub(crate) fn intervals(&self) -> &[(Value, Value)] {
        &self.intervals
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = Value> + '_ {
        self.intervals.iter().flat_map(|&(first, last)| first..=last)
    }

    /// Removes all values below `first` from the set. Returns whether any value was removed.
    pub(crate) fn raise(&mut self, first: Value) -> bool {
        if first <= self.first() || self.is_empty() {
            return false;
        }
        let below = self.intervals.partition_point(|&(_, last)| last < first);
        self.intervals.drain(..below);
        if let Some(interval) = self.intervals.first_mut() {
            interval.0 = interval.0.max(first);
        }
        true
    }

    /// Removes all values above `last` from the set. Returns whether any value was removed.
    pub(crate) fn lower(&mut self, last: Value) -> bool {
        if last >= self.last() || self.is_empty() {
            return false;
        }
        let kept = self.intervals.partition_point(|&(first, _)| first <= last);
        self.intervals.truncate(kept);
        if let Some(interval) = self.intervals.last_mut() {
            interval.1 = interval.1.min(last);
        }
        true
    }

    /// Removes a value from the set. Returns whether the set contained the value.
    pub(crate) fn remove(&mut self, value: Value) -> bool {
        let after = self.intervals.partition_point(|&(first, _)| first <= value);
        let Some(index) = after.checked_sub(1).filter(|&index| value <= self.intervals[index].1) else {
            return false;
        };
        let (first, last) = self.intervals[index];
        let below = (first < value).then(|| (first, value - 1));
        let above = (value < last).then(|| (value + 1, last));
        self.intervals.splice(index..=index, below.into_iter().chain(above));
        true
    }

    /// Removes all values that the other set does not contain. Returns whether a value was removed.
    pub(crate) fn intersect(&mut self, other: &[(Value, Value)]) -> bool {
        let mut common = Vec::new();
        let (mut a, mut b) = (self.intervals.iter().peekable(), other.iter().peekable());
        while let (Some(&&(a_first, a_last)), Some(&&(b_first, b_last))) = (a.peek(), b.peek()) {
            let (first, last) = (a_first.max(b_first), a_last.min(b_last));
            if first <= last {
                common.push((first, last));
            }
            if a_last <= b_last {
                a.next();
            } else {
                b.next();
            }
        }
        let changed = common != self.intervals;
        self.intervals = common;
        changed
    }

    /// Returns whether the sets have a common value.
    pub(crate) fn meets(&self, other: &[(Value, Value)]) -> bool {
        let mut common = self.clone();
        common.intersect(other);
        !common.is_empty()
    }

    /// Returns whether the set is a subset of another set.
    pub(crate) fn is_within(&self, other: &[(Value, Value)]) -> bool {
        self.intervals.iter().all(|&(first, last)| {
            let after = other.partition_point(|&(other, _)| other <= first);
            after > 0 && last <= other[after - 1].1
        })
    }

    /// Returns the integers that are not in the set.
    pub(crate) fn complement(&self) -> Self {
        let mut intervals = Vec::new();
        let mut from = Some(Value::MIN);
        for &(first, last) in &self.intervals {
            if let Some(from) = from.filter(|&from| from < first) {
                intervals.push((from, first - 1));
            }
            from = last.checked_add(1);
        }
        intervals.extend(from.map(|from| (from, Value::MAX)));
        Self { intervals }
    }

    /// Returns the integers that are in at least one of the sets.
    pub(crate) fn union<'a>(sets: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut all: Vec<(Value, Value)> = sets.into_iter().flat_map(|set| &set.intervals).copied().collect();
        all.sort_unstable();
        let mut intervals: Vec<(Value, Value)> = Vec::new();
        for (first, last) in all {
            match intervals.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
                _ => intervals.push((first, last)),
            }
        }
        Self { intervals }
    }

    /// Returns the set with a constant added to each integer. If a bound overflows, the result is the set of all
    /// integers.
    pub(crate) fn shifted(&self, by: Value) -> Self {
        let shift = |bound: Value| match bound {
            Value::MIN | Value::MAX => Some(bound),
            _ => bound.checked_add(by).filter(|&shifted| is_finite(shifted)),
        };
        let intervals = self.intervals.iter().map(|&(first, last)| Some((shift(first)?, shift(last)?)));
        intervals.collect::<Option<Vec<_>>>().map_or_else(Self::all, |intervals| Self { intervals })
    }

    /// Returns the set as the domain of an integer variable.
    pub(crate) fn domain(&self) -> Domain {
        Domain::from_intervals(self.intervals.iter().copied())
    }
}

impl From<&Domain> for Set {
    fn from(domain: &Domain) -> Self {
        Self { intervals: domain.intervals().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn set(values: &BTreeSet<Value>) -> Set {
        Set::from(&Domain::from_values(values.iter().copied()))
    }

    type Change = fn(&mut Set, Value) -> bool;
    type Keeps = fn(Value, Value) -> bool;

    proptest! {
        #[test]
        fn operations_agree_with_lists_of_values(
            a in proptest::collection::btree_set(-9..9_i128, 0..12),
            b in proptest::collection::btree_set(-9..9_i128, 0..12),
            value in -10..10_i128,
        ) {
            let [x, y] = [&a, &b].map(set);
            prop_assert_eq!(x.contains(value), a.contains(&value));
            prop_assert_eq!(x.size(), a.len() as u128);
            prop_assert_eq!(x.meets(y.intervals()), !a.is_disjoint(&b));
            prop_assert_eq!(x.is_within(y.intervals()), a.is_subset(&b));
            let complement = x.complement();
            prop_assert!((-12..12).all(|value| complement.contains(value) != a.contains(&value)));
            prop_assert_eq!(Set::union([&x, &y]), set(&a.union(&b).copied().collect()));
            prop_assert_eq!(x.shifted(value), set(&a.iter().map(|kept| kept + value).collect()));
            let from_value = Set::interval(value, Value::MAX);
            prop_assert_eq!(from_value.shifted(5), Set::interval(value + 5, Value::MAX));
            prop_assert_eq!(Set::interval(value, Value::MAX - 2).shifted(2), Set::all());
            let changes: [(Change, Keeps); 3] = [
                (Set::raise, |kept, value| kept >= value),
                (Set::lower, |kept, value| kept <= value),
                (Set::remove, |kept, value| kept != value),
            ];
            for (change, keeps) in changes {
                let (mut changed, mut expected) = (x.clone(), a.clone());
                expected.retain(|&kept| keeps(kept, value));
                prop_assert_eq!(change(&mut changed, value), expected != a);
                prop_assert_eq!(changed, set(&expected));
            }
            let mut both = x.clone();
            prop_assert_eq!(both.intersect(y.intervals()), !a.is_subset(&b));
            prop_assert_eq!(both, set(&a.intersection(&b).copied().collect()));
        }
    }
}
