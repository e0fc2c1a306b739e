//! Encodings of boxes that must not overlap: for each pair of boxes, one ends before the other starts in some dimension.
//!
//! * `pairwise`: for each pair of boxes and each dimension, the two linear constraints `origin[i] + size[i] <=
//!   origin[j]` and `origin[j] + size[j] <= origin[i]`. A [disjunction](super::disjunction) requires that one of the 2k
//!   linear constraints of a pair holds. Unless `strict` is true, it is also sufficient that a size of one of the boxes
//!   is 0. Size for n boxes in k dimensions: n(n-1)/2 disjunctions.
//! * `cumulative`: like `pairwise`, with an implied [cumulative constraint](super::cumulative) for each dimension. The
//!   boxes are the tasks, and the dimension is the time. At each time, the areas of the boxes in the other dimensions
//!   fit into the total area. In two dimensions, the demand of a task is the size of the box in the other dimension, and
//!   the capacity is the distance from the least origin to the greatest end in this dimension. In other cases, demands and
//!   capacity are constant bounds of the areas.
//!
//! Example of `pairwise`: two squares of size 1 have the corners (x, 0) and (y, 0), where x and y are 0 or 1. The pair
//! has only two linear constraints that can hold, `x + 1 <= y` and `y + 1 <= x`.
//!
//! Strength: total assignments. `cumulative` also refutes partial assignments in which the boxes that are certain to
//! contain points with a given coordinate do not fit beside each other. If the constraint is negated, a disjunction
//! requires that two boxes overlap. For both encodings, `Encodings::keep_count` preserves the number of solutions if the
//! encodings of the linear constraints do.
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
//! // Variables 1 and 2 are the literals `x <= 0` and `y <= 0`, variables 3 and 4 the selectors of the disjunction.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["-3 1 0", "-3 -2 0", "-4 -1 0", "-4 2 0", "3 4 0"]);
//! ```

use std::sync::Arc;

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::{Conjunction, Constraint, Cumulative, Diffn, Disjunction, Maximum, Task};
use crate::expr::Expr;
use crate::int::{Domain, Domains, Value};
use crate::sink::Sink;

/// Encodes boxes that must not overlap with a disjunction for each pair of boxes.
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

/// Encodes boxes that must not overlap with a disjunction for each pair of boxes and implied cumulative constraints.
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

/// Implied constraints have at most this total demand, so that sums of demands do not overflow.
const GREATEST: Value = 1 << 96;

fn pairwise(diffn: &Diffn, sink: &mut Sink<'_>) {
    let pairs: Vec<_> = diffn.pairs(sink.domains()).collect();
    if diffn.apart {
        for apart in pairs {
            let apart = apart.into_iter().map(|linear| Arc::new(linear) as Arc<dyn Constraint>);
            sink.post(&Disjunction::new(apart));
        }
    } else {
        let overlaps = pairs.into_iter().map(|apart| {
            let overlap = apart.into_iter().map(|linear| Arc::new(linear.negated()) as Arc<dyn Constraint>);
            Arc::new(Conjunction::new(overlap)) as Arc<dyn Constraint>
        });
        sink.post(&Disjunction::new(overlaps));
    }
}

/// Returns the total least volume of the boxes, and the volume of the space in which they are.
pub(crate) fn load(diffn: &Diffn, domains: Domains<'_>) -> (Value, Value) {
    let least = |[_, size]: &[Expr; 2]| domains.of_expr(size).min().max(0);
    let volumes = diffn.boxes.iter().map(|sides| sides.iter().map(least).fold(1, Value::saturating_mul));
    let lengths = (0..diffn.boxes.first().map_or(0, Vec::len)).map(|dimension| {
        Extent::of(diffn, dimension, domains).map_or(Value::MAX, |extent| extent.last - extent.first)
    });
    (volumes.fold(0, Value::saturating_add), lengths.fold(1, Value::saturating_mul))
}

/// Returns the cumulative constraint whose time is the given dimension. Returns `None` if the boxes certainly fit beside
/// each other, or if numbers are too large.
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
    let area = extents.iter().map(|extent| extent.last - extent.first).fold(Some(1), product)?;
    if total <= area || total > GREATEST {
        return None;
    }
    let capacity = match &extents[..] {
        [extent] => extent.length(sink),
        _ => area.into(),
    };
    let tasks = diffn.boxes.iter().zip(demands).map(|(sides, demand)| {
        let [start, duration] = sides[dimension].clone();
        Task { start, duration, demand }
    });
    Some(Cumulative::new(tasks.collect::<Vec<_>>(), capacity))
}

/// The part of a dimension in which the boxes are.
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
