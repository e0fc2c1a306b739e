//! Areas of equal numbers whose sizes are these numbers.

use std::collections::BTreeSet;

use super::{Neighbours, areas, pairs};
use crate::opb::{Integer, Literal, Opb, Sum, Truth};

/// Every maximal connected set of vertices with equal numbers has as many vertices as the number says.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Sized<N> {
    /// The graph.
    pub neighbours: Neighbours,
    /// A number for each vertex.
    pub numbers: Vec<N>,
}

impl Sized<i64> {
    /// Returns an area whose size is not its number.
    pub(super) fn broken(&self) -> Option<Vec<usize>> {
        let areas = areas(&self.neighbours, |_| true, |a, b| self.numbers[a] == self.numbers[b]);
        areas.into_iter().find(|area| i64::try_from(area.len()) != Ok(self.numbers[area[0]]))
    }
}

impl Sized<Integer> {
    /// States that every area has one root, which sends as many units as its number says along neighbours with equal
    /// numbers, and that every vertex consumes one unit. Labels, which are equal between neighbours with equal numbers and
    /// name a root, prevent a second root.
    pub(super) fn state(&self, opb: &mut Opb) {
        let count = self.numbers.len();
        let bits = usize::BITS - count.saturating_sub(1).leading_zeros();
        let roots: Vec<Literal> = (0..count).map(|_| opb.auxiliary()).collect();
        let mut net: Vec<Sum> = Vec::new();
        let mut labels: Vec<Vec<Literal>> = Vec::new();
        for (vertex, (number, &root)) in self.numbers.iter().zip(&roots).enumerate() {
            let label: Vec<Literal> = (0..bits).map(|_| opb.auxiliary()).collect();
            for (bit, &literal) in label.iter().enumerate() {
                opb.clause([!root, if vertex >> bit & 1 == 1 { literal } else { !literal }]);
            }
            labels.push(label);
            // The supply: the number if the vertex is a root, otherwise 0.
            let mut supply = Sum::default();
            for &value in number.values().iter().filter(|&&value| value > 0) {
                let before = number.values().iter().rev().find(|&&other| other < value).copied();
                let step = value - before.unwrap_or(0).max(0);
                let reached = before.map_or(Truth::Constant(true), |before| !number.is_at_most(before));
                supply.add(step, &Sum::of_truths(&[opb.all_of(&[Truth::Same(root), reached])]));
            }
            net.push(supply);
        }
        for (a, b) in pairs(&self.neighbours) {
            let same = opb.auxiliary();
            self.compare(opb, a, b, same);
            for (&here, &there) in labels[a].iter().zip(&labels[b]) {
                opb.clause([!same, !here, there]);
                opb.clause([!same, here, !there]);
            }
            for (from, to) in [(a, b), (b, a)] {
                let flow: Vec<(i128, Literal)> = (0..bits).map(|bit| (1 << bit, opb.auxiliary())).collect();
                let most = (1 << bits) - 1;
                opb.at_most(flow.iter().copied().chain([(-most, same)]), 0);
                let flow = Sum { terms: flow, constant: 0 };
                net[to].add(1, &flow);
                net[from].add(-1, &flow);
            }
        }
        for net in net {
            net.equals(opb, 1);
        }
    }

    /// States that `same` is true if and only if two numbers are equal.
    fn compare(&self, opb: &mut Opb, a: usize, b: usize, same: Literal) {
        let (a, b) = (&self.numbers[a], &self.numbers[b]);
        let values: BTreeSet<i128> = a.values().iter().chain(b.values()).copied().collect();
        for value in values {
            for (one, other) in [(a, b), (b, a)] {
                let mut unequal = one.is(value);
                unequal.add(-1, &other.is(value));
                unequal.terms.push((1, same));
                unequal.constant -= 1;
                opb.at_most_zero(&unequal, []);
            }
            let mut both = a.is(value);
            both.add(1, &b.is(value));
            both.terms.push((-1, same));
            both.constant -= 1;
            opb.at_most_zero(&both, []);
        }
    }
}
