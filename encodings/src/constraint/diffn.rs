//! Boxes that must not overlap.

use std::sync::Arc;

use super::{Constraint, Linear, Needs, Scope};
use crate::assignment::Assignment;
use crate::expr::Expr;
use crate::int::{Domains, IntVar, Value};

/// No two boxes overlap: for each pair of boxes, one ends before the other starts in some dimension. In the negated form
/// (`apart` is false), two boxes overlap.
///
/// ```
/// use gordian_encodings::constraint::Diffn;
/// use gordian_encodings::{Assignment, Cnf, Encodings, Model};
///
/// let mut model = Model::new();
/// let [x, y] = model.integers(0..=9);
/// // A 3x2 rectangle at (x, 0), and a 1x1 square at (y, 1).
/// model.post(Diffn::rectangles([[x + 0, 0.into()], [y + 0, 1.into()]], [[3, 2], [1, 1]]));
/// assert!(model.holds(&Assignment::new(vec![], vec![2, 5])));
/// assert!(!model.holds(&Assignment::new(vec![], vec![2, 4])), "both contain (4, 1)");
///
/// let mut cnf = Cnf::default();
/// model.encode(&Encodings::auto(), &mut cnf);
/// assert!(!cnf.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diffn {
    /// The boxes. A box has an origin and a size in each dimension. All boxes have the same number of dimensions.
    pub boxes: Vec<Vec<[Expr; 2]>>,
    /// Whether boxes of size 0 in some dimension count. If this is false, the constraint ignores them. If it is true,
    /// such a box must not be inside another box. A box of negative size ends before its origin.
    pub strict: bool,
    /// True if the boxes must not overlap, false if two of them must overlap.
    pub apart: bool,
}

impl Diffn {
    /// Creates the constraint that rectangles do not overlap, from their origins and sizes. Rectangles of width or height
    /// 0 may overlap others.
    pub fn rectangles(
        origins: impl IntoIterator<Item = [impl Into<Expr>; 2]>,
        sizes: impl IntoIterator<Item = [impl Into<Expr>; 2]>,
    ) -> Self {
        let rectangle = |([x, y], [width, height]): ([_; 2], [_; 2])| {
            vec![[Into::into(x), Into::into(width)], [Into::into(y), Into::into(height)]]
        };
        let boxes = origins.into_iter().zip(sizes).map(rectangle).collect();
        Self { boxes, strict: false, apart: true }
    }

    /// Returns linear constraints for a pair of boxes. The boxes do not overlap if and only if one of the constraints holds.
    /// The constraints 2d and 2d + 1 state that one box ends before the other starts in dimension d. The others state that a
    /// size is 0.
    pub(crate) fn apart(&self, pair: [usize; 2], domains: Domains<'_>) -> Vec<Linear> {
        let [first, second] = pair.map(|index| &self.boxes[index]);
        let before = first.iter().zip(second).flat_map(|([x, size], [y, other_size])| {
            [(x.clone() + size.clone()).at_most(y), (y.clone() + other_size.clone()).at_most(x)]
        });
        let sizes = first.iter().chain(second).map(|[_, size]| size);
        let may_be_empty = |size: &&Expr| !self.strict && domains.of_expr(size).contains(0);
        before.chain(sizes.filter(may_be_empty).map(|size| size.equals(0))).collect()
    }
}

impl Constraint for Diffn {
    fn scope(&self) -> Scope {
        Scope::of_exprs(self.boxes.iter().flatten().flatten())
    }

    fn needs(&self) -> Vec<(IntVar, Needs)> {
        Vec::new()
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let side = |[origin, size]: &[Expr; 2]| [assignment.value(origin), assignment.value(size)];
        let mut boxes: Vec<Vec<[Value; 2]>> =
            self.boxes.iter().map(|sides| sides.iter().map(side).collect()).collect();
        boxes.retain(|sides| self.strict || sides.iter().all(|&[_, size]| size != 0));
        let before = |[x, width]: [Value; 2], [y, _]: [Value; 2]| x.saturating_add(width) <= y;
        let mut pairs = (0..boxes.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
        let apart = pairs.all(|(i, j)| {
            let mut sides = boxes[i].iter().zip(&boxes[j]);
            sides.any(|(&side, &other)| before(side, other) || before(other, side))
        });
        apart == self.apart
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        Arc::new(Self { apart: !self.apart, ..self.clone() })
    }
}
