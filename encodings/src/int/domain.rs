//! Finite sets of integers.

use super::Value;

/// A finite set of integers, represented by disjoint intervals in ascending order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Domain {
    /// The intervals as pairs `(first, last)`. Between consecutive intervals, at least one integer is missing.
    intervals: Vec<(Value, Value)>,
}

impl Domain {
    /// Returns the domain of all integers from `first` to `last`, inclusive. The domain is empty if `last < first`.
    #[must_use]
    pub fn interval(first: Value, last: Value) -> Self {
        Self { intervals: if first <= last { vec![(first, last)] } else { Vec::new() } }
    }

    /// Returns the domain of the given values, which may be in any order.
    #[must_use]
    pub fn from_values(values: impl IntoIterator<Item = Value>) -> Self {
        Self::from_intervals(values.into_iter().map(|value| (value, value)))
    }

    /// Returns the union of the intervals `(first, last)`, which may be in any order and may overlap. An interval
    /// with `last < first` is empty.
    #[must_use]
    pub fn from_intervals(intervals: impl IntoIterator<Item = (Value, Value)>) -> Self {
        let mut parts: Vec<_> = intervals.into_iter().filter(|&(first, last)| first <= last).collect();
        parts.sort_unstable();
        let mut intervals: Vec<(Value, Value)> = Vec::new();
        for (first, last) in parts {
            match intervals.last_mut() {
                Some((_, end)) if first <= end.saturating_add(1) => *end = last.max(*end),
                _ => intervals.push((first, last)),
            }
        }
        Self { intervals }
    }

    /// Returns whether the domain has no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.intervals.is_empty()
    }

    /// Returns the number of values. For the domain of all 2^128 values of an `i128`, the result is `u128::MAX`, which
    /// is 2^128 - 1.
    #[must_use]
    pub fn size(&self) -> u128 {
        self.intervals
            .iter()
            .fold(0, |size: u128, &(first, last)| size.saturating_add(last.abs_diff(first).saturating_add(1)))
    }

    /// Returns the minimum.
    ///
    /// # Panics
    /// Panics if the domain is empty.
    #[must_use]
    pub fn min(&self) -> Value {
        self.intervals[0].0
    }

    /// Returns the maximum.
    ///
    /// # Panics
    /// Panics if the domain is empty.
    #[must_use]
    pub fn max(&self) -> Value {
        self.intervals[self.intervals.len() - 1].1
    }

    /// Returns whether the domain contains the value.
    #[must_use]
    pub fn contains(&self, value: Value) -> bool {
        self.at_or_below(value) == Some(value)
    }

    /// Returns the largest value of the domain that is at most `value`.
    #[must_use]
    pub fn at_or_below(&self, value: Value) -> Option<Value> {
        let after = self.intervals.partition_point(|&(first, _)| first <= value);
        after.checked_sub(1).map(|index| self.intervals[index].1.min(value))
    }

    /// Returns the smallest value of the domain that is greater than `value`.
    #[must_use]
    pub fn above(&self, value: Value) -> Option<Value> {
        let next = value.checked_add(1)?;
        let after = self.intervals.partition_point(|&(_, last)| last < next);
        self.intervals.get(after).map(|&(first, _)| first.max(next))
    }

    /// Returns the intervals `(first, last)` of the domain in ascending order. Between consecutive intervals, at
    /// least one integer is missing.
    pub fn intervals(&self) -> impl Iterator<Item = (Value, Value)> + '_ {
        self.intervals.iter().copied()
    }

    /// Returns the gaps between the intervals. Each gap is given by the last value before it and the first value
    /// after it.
    pub fn holes(&self) -> impl Iterator<Item = (Value, Value)> + '_ {
        self.intervals.windows(2).map(|pair| (pair[0].1, pair[1].0))
    }

    /// Returns the number of values of the domain that are less than `value`, or `None` if `value` is not in the domain
    /// or the number does not fit in a `usize`.
    #[must_use]
    pub fn index(&self, value: Value) -> Option<usize> {
        let mut below = 0_u128;
        for &(first, last) in &self.intervals {
            if first <= value && value <= last {
                return usize::try_from(below.checked_add(value.abs_diff(first))?).ok();
            }
            below = below.checked_add(last.abs_diff(first).checked_add(1)?)?;
        }
        None
    }

    /// Returns the values of the domain in ascending order.
    pub fn values(&self) -> impl Iterator<Item = Value> + '_ {
        self.intervals.iter().flat_map(|&(first, last)| first..=last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_kept() {
        let domain = Domain::from_values([5, -2, -1, 5, 3, 4]);
        assert_eq!(domain.values().collect::<Vec<_>>(), [-2, -1, 3, 4, 5]);
        assert_eq!((domain.min(), domain.max(), domain.size()), (-2, 5, 5));
        assert_eq!(domain.at_or_below(2), Some(-1));
        assert_eq!(domain.at_or_below(-3), None);
        assert_eq!(domain.at_or_below(99), Some(5));
        assert_eq!(domain.above(-1), Some(3));
        assert_eq!((domain.above(3), domain.above(5), domain.above(-99)), (Some(4), None, Some(-2)));
        assert_eq!((domain.index(-1), domain.index(0), domain.index(5)), (Some(1), None, Some(4)));
        assert_eq!(domain.holes().collect::<Vec<_>>(), [(-1, 3)]);
        assert!(domain.contains(4) && !domain.contains(0) && !domain.contains(6));
    }

    #[test]
    fn intervals_are_merged() {
        let domain = Domain::from_intervals([(9, 8), (4, 5), (1, 2), (2, 3), (8, 9), (8, 8)]);
        assert_eq!(domain.intervals().collect::<Vec<_>>(), [(1, 5), (8, 9)]);
        let ends = [(Value::MAX, Value::MAX), (Value::MIN, 0), (0, Value::MAX)];
        assert_eq!(Domain::from_intervals(ends), Domain::interval(Value::MIN, Value::MAX));
    }

    #[test]
    fn extremes_do_not_overflow() {
        let all = Domain::interval(Value::MIN, Value::MAX);
        assert_eq!(all.size(), u128::MAX);
        assert_eq!((all.above(Value::MAX), all.above(Value::MIN)), (None, Some(Value::MIN + 1)));
        assert_eq!((all.index(Value::MAX), all.index(Value::MIN)), (None, Some(0)));
        assert!(Domain::interval(1, 0).is_empty());
        assert_eq!(Domain::interval(1, 0).size(), 0);
        assert!(Domain::from_values([]).is_empty());
    }
}
