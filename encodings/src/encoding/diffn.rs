//! Encodings of boxes that must not overlap: for each pair of boxes, one ends before the other starts in some dimension.
//!
//! * `pairwise`: a [disjunction](super::disjunction) for each pair of boxes. It has two linear constraints for each
//!   dimension, `origin[i] + size[i] <= origin[j]` and `origin[j] + size[j] <= origin[i]`. Unless `strict` is true, it also
//!   has the constraints that a size of one of the boxes is 0. Many pairs can be apart in one dimension only, because
//!   the bounds of the integers decide all other constraints. If all pairs of a set of boxes have the same single
//!   dimension, a [disjunctive constraint](super::disjunctive) replaces their disjunctions. Size for n boxes: at most
//!   n(n-1)/2 disjunctions, or pairs of tasks.
//! * `cumulative`: `pairwise` and an implied [cumulative constraint](super::cumulative) for each dimension. It states that
//!   each cross-section of the space that is orthogonal to the dimension has room for the boxes that it cuts. Each box is
//!   a task: its position in the dimension is the time. In two dimensions, the demand is the size of the box in the other
//!   dimension, and the capacity is the length of a cross-section. This length is the distance from the least possible
//!   origin to the greatest end, so it is a variable. In three or more dimensions, the demands and the capacity are
//!   constants: the least area of the box in the cross-section, and the greatest area of the cross-section.
//!
//! Example of `pairwise`: two squares of size 1 have the corners (x, 0) and (y, 0), where x and y are 0 or 1. They can be
//! apart in the first dimension only, so they become two tasks that must not overlap.
//!
//! Strength: total assignments, if the encodings of the parts have this strength. `cumulative` also refutes a partial
//! assignment if some cross-section has no room for the boxes that it must cut. If the constraint is negated, a
//! disjunction requires that two boxes overlap. `Encodings::keep_count` preserves the number of solutions.
//!
//! Papers: Soh, Inoue, Tamura, Banbara, Nabeshima: *A SAT-based method for solving the two-dimensional strip packing
//! problem*, Fundamenta Informaticae 102, 2010, for `pairwise`; Simonis, O'Sullivan: *Search strategies for rectangle
//! packing*, CP 2008, for the implied constraints.
//!
//! ```
//! use gordian_encodings::constraint::Diffn;
//! use gordian_encodings::encoding::diffn::PAIRWISE;
//! use gordian_encodings::{Cnf, Encodings, Expr, Model};
//!
//! let mut model = Model::new();
//! let [x, y] = model.integers(0..=1);
//! let corners = [x, y].map(|x| [Expr::from(x), 0.into()]);
//! model.post(Diffn::rectangles(corners, [[1, 1]; 2]));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&PAIRWISE), &mut cnf);
//! // Variables 1 and 2 are the literals `x <= 0` and `y <= 0`. Variable 3 is true if the first square precedes the second.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["-3 1 0", "-3 -2 0", "3 -1 0", "3 2 0"]);
//! ```

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::{
    Conjunction, Constraint, Cumulative, Diffn, Disjunction, Disjunctive, Linear, Maximum, Task,
};
use crate::expr::Expr;
use crate::int::{Domain, Domains, Value};
use crate::sink::Sink;

/// Encodes a disjunction for each pair of boxes.
pub static PAIRWISE: Encoding<Diffn> = Encoding {
    name: "pairwise",
    paper: "Soh, Inoue, Tamura, Banbara, Nabeshima: A SAT-based method for solving the two-dimensional strip packing \
            problem, Fundamenta Informaticae 102, 2010",
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    derived: false,
    applies: always,
    encode: pairwise,
};

/// Encodes a disjunction for each pair of boxes, and implied cumulative constraints.
pub static CUMULATIVE: Encoding<Diffn> = Encoding {
    name: "cumulative",
    paper: "Simonis, O'Sullivan: Search strategies for rectangle packing, CP 2008",
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    derived: false,
    applies: |diffn, _| diffn.apart,
    encode: |diffn, sink| {
        pairwise(diffn, sink);
        for dimension in 0..diffn.boxes.first().map_or(0, Vec::len) {
            if let Some(implied) = implied(diffn, dimension, sink) {
                sink.post(&implied);
            }
        }
    },
};

/// The maximum total demand of an implied constraint. The limit ensures that sums of demands do not overflow.
const GREATEST: Value = 1 << 96;

fn pairwise(diffn: &Diffn, sink: &mut Sink<'_>) {
    let count = diffn.boxes.len();
    let pairs = (0..count).flat_map(|j| (0..j).map(move |i| [i, j]));
    if !diffn.apart {
        let overlaps = pairs.map(|pair| {
            let apart = diffn.apart(pair, sink.domains()).into_iter();
            let overlap = apart.map(|linear| Arc::new(linear.negated()) as Arc<dyn Constraint>);
            Arc::new(Conjunction::new(overlap)) as Arc<dyn Constraint>
        });
        let overlaps: Vec<_> = overlaps.collect();
        return sink.post(&Disjunction::new(overlaps));
    }
    // For each dimension and each box: the other boxes that can be apart from it only in this dimension.
    let mut only = vec![vec![BTreeSet::new(); count]; diffn.boxes.first().map_or(0, Vec::len)];
    for pair in pairs {
        let apart = diffn.apart(pair, sink.domains());
        if let Some(dimension) = only_dimension(diffn, pair, &apart, sink.domains()) {
            let [i, j] = pair;
            only[dimension][i].insert(j);
            only[dimension][j].insert(i);
        } else {
            let apart = apart.into_iter().map(|linear| Arc::new(linear) as Arc<dyn Constraint>);
            sink.post(&Disjunction::new(apart));
        }
    }
    for (dimension, mut neighbours) in only.into_iter().enumerate() {
        while let Some(clique) = next_clique(&mut neighbours) {
            let tasks = clique.into_iter().map(|index| diffn.boxes[index][dimension].clone());
            let disjunctive = Disjunctive::new(tasks.map(<(Expr, Expr)>::from));
            sink.post(&Disjunctive { strict: true, ..disjunctive });
        }
    }
}

/// Returns the only dimension in which a pair of boxes can be apart. Returns `None` if there are several dimensions, if the
/// boxes are always or never apart, or if a size can be 0 or negative.
fn only_dimension(diffn: &Diffn, pair: [usize; 2], apart: &[Linear], domains: Domains<'_>) -> Option<usize> {
    let decided: Vec<Option<bool>> = apart.iter().map(|linear| linear.normal(domains).decided()).collect();
    let can_hold: Vec<usize> = (0..apart.len()).filter(|&index| decided[index] != Some(false)).collect();
    let &[first, second] = &can_hold[..] else { return None };
    let dimension = first / 2;
    let is_open = first % 2 == 0 && second == first + 1 && decided[first].or(decided[second]).is_none();
    let is_positive =
        |side: Option<&[Expr; 2]>| side.is_some_and(|[_, size]| domains.of_expr(size).min() > 0);
    (is_open && pair.iter().all(|&index| is_positive(diffn.boxes[index].get(dimension)))).then_some(dimension)
}

/// Returns a clique of a graph and removes its edges. Returns `None` if the graph has no edges.
fn next_clique(neighbours: &mut [BTreeSet<usize>]) -> Option<Vec<usize>> {
    let first = neighbours.iter().position(|neighbours| !neighbours.is_empty())?;
    let mut clique = vec![first];
    let mut candidates = neighbours[first].clone();
    while let Some(next) = candidates.pop_first() {
        candidates.retain(|candidate| neighbours[next].contains(candidate));
        clique.push(next);
    }
    for &index in &clique {
        neighbours[index].retain(|neighbour| !clique.contains(neighbour));
    }
    Some(clique)
}

/// Returns whether the boxes fill at least the given percentage of the space that they can occupy. This is false if
/// numbers are too large.
pub(crate) fn fills(diffn: &Diffn, percentage: Value, domains: Domains<'_>) -> bool {
    let volume = |sides: &Vec<[Expr; 2]>| {
        sides.iter().map(|[_, size]| domains.of_expr(size).min().max(0)).fold(Some(1), product)
    };
    let filled = diffn.boxes.iter().try_fold(0, |sum: Value, sides| sum.checked_add(volume(sides)?));
    let dimensions = 0..diffn.boxes.first().map_or(0, Vec::len);
    let extents: Option<Vec<Extent>> = dimensions.map(|side| Extent::of(diffn, side, domains)).collect();
    let space = extents.and_then(|extents| extents.iter().map(Extent::greatest).fold(Some(1), product));
    let scaled = |number: Option<Value>, factor| number.and_then(|number| number.checked_mul(factor));
    matches!((scaled(filled, 100), scaled(space, percentage)), (Some(filled), Some(least)) if filled >= least)
}

/// Returns the cumulative constraint whose time is the given dimension. Returns `None` if it always holds, or if numbers are
/// too large.
fn implied(diffn: &Diffn, dimension: usize, sink: &mut Sink<'_>) -> Option<Cumulative> {
    let domains = sink.domains();
    let others: Vec<usize> = (0..diffn.boxes[0].len()).filter(|&other| other != dimension).collect();
    let (mut demands, mut total): (Vec<Expr>, Value) = (Vec::new(), 0);
    for sides in &diffn.boxes {
        let sizes = others.iter().map(|&other| &sides[other][1]);
        let least = sizes.clone().map(|size| domains.of_expr(size).min().max(0));
        let demand = match &others[..] {
            &[other] => sides[other][1].clone(),
            _ => least.fold(Some(1), product)?.into(),
        };
        total = total.saturating_add(domains.of_expr(&demand).max().max(0));
        demands.push(demand);
    }
    let extents: Vec<Extent> =
        others.iter().map(|&other| Extent::of(diffn, other, domains)).collect::<Option<_>>()?;
    let area = extents.iter().map(Extent::greatest).fold(Some(1), product)?;
    if total > GREATEST {
        return None;
    }
    let capacity = match &extents[..] {
        [extent] => extent.length(sink),
        _ if total <= area => return None,
        _ => area.into(),
    };
    let tasks = diffn.boxes.iter().zip(demands).map(|(sides, demand)| {
        let [start, duration] = sides[dimension].clone();
        Task { start, duration, demand }
    });
    Some(Cumulative::new(tasks, capacity))
}

/// The interval of a dimension that the boxes can occupy.
struct Extent {
    /// The least possible origin of a box.
    first: Value,
    /// The greatest possible end of a box, or `first` if all ends are smaller.
    last: Value,
    /// The ends of the boxes.
    ends: Vec<Expr>,
}

impl Extent {
    /// Returns the extent of at least one box, or `None` if it is too large.
    fn of(diffn: &Diffn, dimension: usize, domains: Domains<'_>) -> Option<Self> {
        let sides = diffn.boxes.iter().map(|sides| &sides[dimension]);
        let first = sides.clone().map(|[origin, _]| domains.of_expr(origin).min()).min()?;
        let ends: Vec<Expr> = sides.map(|[origin, size]| origin.clone() + size.clone()).collect();
        let last = ends.iter().map(|end| domains.of_expr(end).max()).fold(first, Value::max);
        last.checked_sub(first)?;
        Some(Self { first, last, ends })
    }

    /// Returns the distance from the least possible origin to the greatest possible end.
    fn greatest(&self) -> Value {
        self.last - self.first
    }

    /// Returns the distance from the least possible origin to the greatest end.
    fn length(&self, sink: &mut Sink<'_>) -> Expr {
        let end = sink.integer(Domain::interval(self.first, self.last));
        let ends = self.ends.iter().cloned().chain([self.first.into()]);
        sink.always().post(&Maximum::new(ends, end));
        end - self.first
    }
}

/// Returns the product of two numbers, or `None` if it is too large.
fn product(a: Option<Value>, b: Value) -> Option<Value> {
    a?.checked_mul(b)
}
