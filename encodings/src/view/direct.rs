//! The direct view: one literal for each `x = v`. Exactly one of these literals is true.
//!
//! Example: the domain {1, 2, 4} has the literals `x=1`, `x=2`, `x=4`, the clause `x=1 x=2 x=4`, and an at-most-one
//! constraint over these three literals.
//!
//! Size for d values: d variables, one clause, and the clauses of an [`AtMostOne`] over d literals. Size if the order
//! view already exists: d-2 variables and 3(d-2) clauses. Strength: domain consistent.
//!
//! Paper: de Kleer: *A comparison of ATMS and CSP encodings*, IJCAI 1989. Unlike in the paper, the literals of the
//! minimum and the maximum are also order literals: `x = min` is `x <= min`.

use super::view;
use crate::constraint::AtMostOne;
use crate::encode::{EncodingRow, Strength};
use crate::int::{Bound, IntVar, Relation, Value};
use crate::lit::Lit;
use crate::sink::Sink;

pub(super) const ROW: EncodingRow = view(
    "direct",
    "de Kleer: A comparison of ATMS and CSP encodings, IJCAI 1989",
    Strength::DomainConsistent,
    false,
);

impl Sink<'_> {
    /// Returns the direct view: for each value in ascending order, the literal `x = value`.
    ///
    /// The view has one literal for each value, so use it only for small domains.
    pub fn direct(&mut self, x: IntVar) -> Vec<Lit> {
        if let Some(view) = &self.views(x).direct {
            return view.clone();
        }
        match self.affine(x) {
            Some(affine) => self.direct_of_view(affine),
            None => self.written_as(super::ROW.name, |sink| sink.make_direct(x)),
        }
    }

    fn make_direct(&mut self, x: IntVar) -> Vec<Lit> {
        if self.domains().is_lazy(x) {
            self.order(x);
        }
        let values: Vec<Value> = self.domains().of(x).values().collect();
        let lits: Vec<Lit> = values.iter().map(|&v| self.literal(x, Relation::Equal, v)).collect();
        self.views_mut(x).direct = Some(lits.clone());
        let order = self.views(x).order.clone();
        let log = self.views(x).log.clone();
        for (index, &value) in values.iter().enumerate() {
            let open = self.mark(Bound { variable: x, relation: Relation::Equal, value });
            match &order {
                Some(order) if open => self.define_by_order(order, index, lits[index]),
                _ => {}
            }
        }
        if order.is_none() {
            let mut sink = self.always();
            sink.clause(&lits);
            sink.post(&AtMostOne::new(lits.clone()));
            if let Some(log) = log {
                self.channel_direct_and_log(&values, &lits, &log);
            }
            self.mark_ends(x);
        }
        lits
    }

    /// Marks each literal `x <= v` as defined if it is also a literal of the direct view.
    fn mark_ends(&mut self, x: IntVar) {
        let domain = self.domains().of(x);
        let (first, last) = (domain.min(), domain.max());
        let before_last = last.checked_sub(1).and_then(|below| domain.at_or_below(below));
        for value in [Some(first), before_last].into_iter().flatten() {
            if self.mark(Bound { variable: x, relation: Relation::AtMost, value })
                && self.views(x).log.is_some()
            {
                let lit = self.literal(x, Relation::AtMost, value);
                self.link(x, value, lit);
            }
        }
    }
}
