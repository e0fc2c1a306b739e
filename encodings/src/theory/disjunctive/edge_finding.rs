//! The rules *overload* and *edge finding*, with their explanations.

use super::{DisjunctivePropagator, Side, Time};
use crate::lit::Lit;
use crate::theory::Findings;

/// A lower bound on the start of a task, found by edge finding.
#[derive(Debug, Clone, Copy)]
struct Edge {
    /// The lower bound: the sum of the earliest start `from` and of the durations of the tasks that start at or after
    /// it, among the tasks of the set S.
    bound: Time,
    from: Time,
    /// The set S: the tasks whose earliest start is at least `least` and whose latest completion is at most `end`.
    least: Time,
    end: Time,
}

impl DisjunctivePropagator {
    /// Applies the rules *overload* and *edge finding*.
    pub(super) fn find_edges(&mut self, side: &Side, findings: &mut Findings) {
        let counted: Vec<usize> = side.by_est.iter().copied().filter(|&i| side.p[i] > 0).collect();
        let longest = side.p.iter().copied().max().unwrap_or(0);
        let mut edges: Vec<Option<Edge>> = vec![None; self.tasks];
        let mut ends: Vec<Time> = counted.iter().map(|&i| side.lct[i]).collect();
        ends.sort_unstable();
        ends.dedup();
        // For each position in `counted`: the earliest start of the task, the sum of the durations of the tasks up to
        // this position that end by `end`, and the maximum of `est + sum` up to this position, with its `est`.
        let mut sums: Vec<(Time, Time, (Time, Time))> = Vec::with_capacity(counted.len());
        for end in ends {
            sums.clear();
            let (mut sum, mut best) = (0, (Time::MIN, 0));
            for &j in &counted {
                if side.lct[j] <= end {
                    sum += side.p[j];
                    best = best.max((side.est[j] + sum, side.est[j]));
                    if side.est[j] + sum > end {
                        findings.conflict = Some(self.overload(&counted, side.est[j], sum, end, side));
                        return;
                    }
                }
                sums.push((side.est[j], sum, best));
            }
            if best.0.saturating_add(longest) <= end {
                continue;
            }
            // The loop visits the tasks in ascending order of their earliest starts. Among the tasks visited so far that
            // end by `end`, `tightest` is the maximum of `est + sum` with its position.
            let mut tightest: Option<(Time, usize)> = None;
            for position in (0..counted.len()).rev() {
                let i = counted[position];
                let (est, sum, _) = sums[position];
                if side.lct[i] <= end {
                    let candidate = (est + sum, position);
                    tightest = Some(tightest.map_or(candidate, |last| last.max(candidate)));
                    continue;
                }
                // Either the tasks of the set start before i, or i starts first.
                let later =
                    tightest.filter(|&(most, _)| most + side.p[i] > end).map(|(_, position)| position);
                let first = (sum > 0 && est + sum + side.p[i] > end).then_some(position);
                let Some(position) = later.or(first) else { continue };
                let (least, _, (bound, from)) = sums[position];
                if bound > side.est[i] && edges[i].is_none_or(|edge| bound > edge.bound) {
                    edges[i] = Some(Edge { bound, from, least, end });
                }
            }
        }
        for (i, edge) in edges.into_iter().enumerate() {
            let Some(edge) = edge else { continue };
            let reason = self.edge(&counted, i, edge, side);
            self.push(i, edge.bound, side, reason, findings);
        }
    }

    /// Returns the conflict clause for the tasks that start at or after `from` and end by `end`. Their durations add up
    /// to `sum`.
    fn overload(&self, counted: &[usize], from: Time, sum: Time, end: Time, side: &Side) -> Vec<Lit> {
        let latest = from + sum - 1;
        let mut reason = Vec::new();
        for &j in counted.iter().filter(|&&j| side.est[j] >= from && side.lct[j] <= end) {
            reason.extend([self.starts_from(j, from, side), self.ends_by(j, latest, side)]);
            reason.push(self.lasts(j, side));
        }
        self.bounds.conflict(reason)
    }

    /// Returns the reason of a bound found by edge finding.
    fn edge(&self, counted: &[usize], i: usize, edge: Edge, side: &Side) -> Vec<Lit> {
        let set =
            || counted.iter().copied().filter(|&j| side.est[j] >= edge.least && side.lct[j] <= edge.end);
        let first = edge.least.min(side.est[i]);
        let sum: Time = set().map(|j| side.p[j]).sum();
        let latest = first + sum + side.p[i] - 1;
        // The tasks that start at or after `edge.from` may start earlier if the derived literal stays the same.
        let from = (edge.from - (edge.bound - self.needed(i, edge.bound, side))).max(first);
        let mut reason = vec![self.starts_from(i, first, side), self.lasts(i, side)];
        for j in set() {
            let from = if side.est[j] >= edge.from { from } else { first };
            reason.extend([
                self.starts_from(j, from, side),
                self.ends_by(j, latest, side),
                self.lasts(j, side),
            ]);
        }
        reason
    }
}
