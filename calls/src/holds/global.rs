//! Checks of global constraints.

use std::collections::HashSet;

use gordian_encodings::Value;

use super::Values;

impl Values<'_> {
    fn cardinality(&self, closed: bool, fits: impl Fn(usize, Value) -> Option<bool>) -> Option<bool> {
        let (operands, cover) = (self.ints(0)?, self.ints(1)?);
        for (index, &value) in cover.iter().enumerate() {
            if !fits(index, self.count(0, value)?)? {
                return Some(false);
            }
        }
        Some(!closed || operands.iter().all(|x| cover.contains(x)))
    }

    pub(super) fn counts(&self, closed: bool) -> Option<bool> {
        let times = self.ints(2)?;
        self.cardinality(closed, |index, found| Some(found == *times.get(index)?))
    }

    pub(super) fn counts_between(&self, closed: bool) -> Option<bool> {
        let (low, high) = (self.ints(2)?, self.ints(3)?);
        self.cardinality(closed, |index, found| Some((*low.get(index)?..=*high.get(index)?).contains(&found)))
    }

    /// Returns whether each item is in a bin, and the total weight in each bin fits its load or capacity.
    pub(super) fn bin_packing(&self, fits: fn(Value, Value) -> bool) -> Option<bool> {
        let (loads, first, bins, weights) = (self.ints(0)?, self.int(1)?, self.ints(2)?, self.ints(3)?);
        let mut packed = vec![0; loads.len()];
        for (bin, weight) in bins.into_iter().zip(weights) {
            let index = usize::try_from(bin.checked_sub(first)?).ok();
            let Some(total) = index.and_then(|index| packed.get_mut(index)) else { return Some(false) };
            *total = Value::checked_add(*total, weight)?;
        }
        Some(packed.into_iter().zip(loads).all(|(packed, load)| fits(packed, load)))
    }

    pub(super) fn inverse(&self) -> Option<bool> {
        let (left, first_left, right, first_right) =
            (self.ints(0)?, self.int(1)?, self.ints(2)?, self.int(3)?);
        let at = |list: &[Value], first: Value, index: Value| {
            let position = usize::try_from(index.checked_sub(first)?).ok()?;
            list.get(position).copied()
        };
        let agrees = |(from, first_from): (&[Value], Value), (to, first_to): (&[Value], Value)| {
            (first_from..).zip(from).all(|(index, &value)| at(to, first_to, value) == Some(index))
        };
        let (left, right) = ((&left[..], first_left), (&right[..], first_right));
        Some(agrees(left, right) && agrees(right, left))
    }

    pub(super) fn cumulative(&self) -> Option<bool> {
        let [starts, durations, demands] = [self.ints(0)?, self.ints(1)?, self.ints(2)?];
        let capacity = self.int(3)?;
        // It suffices to check the capacity at the starts of tasks, because the total demand rises only there.
        for &time in &starts {
            let mut sum: Value = 0;
            for ((&start, &duration), &demand) in starts.iter().zip(&durations).zip(&demands) {
                if start <= time && time.checked_sub(start)? < duration {
                    sum = sum.checked_add(demand.max(0))?;
                }
            }
            if sum > capacity {
                return Some(false);
            }
        }
        Some(capacity >= 0)
    }

    /// Returns whether the durations are nonnegative and no two tasks overlap. Unless `strict` is true, tasks of duration
    /// 0 are ignored.
    pub(super) fn disjunctive(&self, strict: bool) -> Option<bool> {
        let (starts, durations) = (self.ints(0)?, self.ints(1)?);
        let tasks: Vec<(Value, Value)> =
            starts.into_iter().zip(durations).filter(|&(_, duration)| strict || duration != 0).collect();
        for (index, &(start, duration)) in tasks.iter().enumerate() {
            for &(other, other_duration) in &tasks[..index] {
                if start.checked_add(duration)? > other && other.checked_add(other_duration)? > start {
                    return Some(false);
                }
            }
        }
        Some(tasks.iter().all(|&(_, duration)| duration >= 0))
    }

    /// Returns whether no two boxes overlap. Unless `strict` is true, boxes of size 0 in some dimension are ignored.
    pub(super) fn diffn(&self, strict: bool) -> Option<bool> {
        let (dimensions, origins, sizes) = (self.int(0)?, self.ints(1)?, self.ints(2)?);
        let dimensions = usize::try_from(dimensions).ok().filter(|&count| count > 0)?;
        let boxes = origins.chunks(dimensions).zip(sizes.chunks(dimensions));
        let boxes: Vec<_> = boxes.filter(|(_, size)| strict || !size.contains(&0)).collect();
        for (index, (origin, size)) in boxes.iter().enumerate() {
            for (other, other_size) in &boxes[..index] {
                let mut apart = false;
                for k in 0..dimensions {
                    apart |= origin[k].checked_add(size[k])? <= other[k];
                    apart |= other[k].checked_add(other_size[k])? <= origin[k];
                }
                if !apart {
                    return Some(false);
                }
            }
        }
        Some(true)
    }

    pub(super) fn circuit(&self) -> Option<bool> {
        let (successors, first) = (self.ints(0)?, self.int(1)?);
        let mut here = 0;
        for step in 1..=successors.len() {
            let next = usize::try_from(successors[here].checked_sub(first)?).ok();
            match next.filter(|&next| next < successors.len()) {
                Some(next) if (next == 0) == (step == successors.len()) => here = next,
                _ => return Some(false),
            }
        }
        Some(true)
    }

    /// Returns whether an automaton accepts a sequence of values. The arguments are the values, the start state, the
    /// transitions, and the accepting states. The transitions are a flat list of triples: state, value, next state.
    pub(super) fn automaton(&self) -> Option<bool> {
        let (values, transitions) = (self.ints(0)?, self.ints(2)?);
        let mut states = HashSet::from([self.int(1)?]);
        for value in values {
            let matching = transitions.chunks_exact(3).filter(|t| t[1] == value && states.contains(&t[0]));
            states = matching.map(|t| t[2]).collect();
        }
        let mut accepted = false;
        for state in states {
            accepted |= self.in_set(3, state)?;
        }
        Some(accepted)
    }

    /// Returns whether the successors form a circuit through all nodes that are not their own successors.
    pub(super) fn subcircuit(&self) -> Option<bool> {
        let (successors, first) = (self.ints(0)?, self.int(1)?);
        let mut next = Vec::new();
        for &successor in &successors {
            let position = usize::try_from(successor.checked_sub(first)?).ok();
            match position.filter(|&position| position < successors.len()) {
                Some(position) => next.push(position),
                None => return Some(false),
            }
        }
        let inside = (0..next.len()).filter(|&node| next[node] != node).count();
        let Some(start) = (0..next.len()).find(|&node| next[node] != node) else { return Some(true) };
        let mut here = start;
        for step in 1..=inside {
            here = next[here];
            if (here == start) != (step == inside) {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Returns whether the vertices whose Booleans hold are connected. The edges are a flat list of pairs of vertices,
    /// numbered from 1.
    pub(super) fn connected(&self) -> Option<bool> {
        let (inside, ends) = (self.ints(0)?, self.ints(1)?);
        let mut neighbours = vec![Vec::new(); inside.len()];
        for edge in ends.chunks(2) {
            let [from, to] = [0, 1].map(|end| usize::try_from(edge.get(end)?.checked_sub(1)?).ok());
            let (from, to) = (from?, to?);
            neighbours.get_mut(from)?.push(to);
            neighbours.get_mut(to)?.push(from);
        }
        let Some(first) = inside.iter().position(|&value| value == 1) else { return Some(true) };
        let mut reached = vec![false; inside.len()];
        let mut stack = vec![first];
        while let Some(vertex) = stack.pop() {
            if inside[vertex] == 1 && !std::mem::replace(&mut reached[vertex], true) {
                stack.extend(&neighbours[vertex]);
            }
        }
        Some(reached.into_iter().zip(inside).all(|(reached, value)| reached == (value == 1)))
    }

    /// Returns whether value precedence holds: each value of the chain except the first occurs only after the preceding
    /// value.
    pub(super) fn value_precedence(&self, chain: &[Value], list: usize) -> Option<bool> {
        let values = self.ints(list)?;
        let before = |end: usize, value: Value| values[..end].contains(&value);
        Some(
            chain.windows(2).all(|pair| {
                (0..values.len()).all(|index| values[index] != pair[1] || before(index, pair[0]))
            }),
        )
    }

    /// Returns whether each operand is at most `m + 1`, where `m` is the maximum of 0 and all earlier operands.
    pub(super) fn sequence_precedence(&self) -> Option<bool> {
        let mut largest = 0;
        for value in self.ints(0)? {
            if value > largest + 1 {
                return Some(false);
            }
            largest = largest.max(value);
        }
        Some(true)
    }
}
