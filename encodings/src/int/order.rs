//! The order view: a literal for each `x <= v`, `v` any value but the greatest.
//!
//! For the domain {1, 2, 4}: the literals `x<=1`, `x<=2` and the clause `-x<=1 x<=2`.
//!
//! Size for d values: d-1 variables, d-2 clauses. Unit propagation carries a bound to every other bound. A literal
//! `x = v` is tied by three clauses: `x=v -> x<=v`, `x=v -> -x<=u`, `x<=v, -x<=u -> x=v` with u the value before v.
//!
//! Paper: Tamura, Taga, Kitagawa, Banbara: *Compiling finite linear CSP into SAT*, Constraints 14, 2009. Differs from it
//! in that holes in the domain have no literal: `x <= 3` above is `x <= 2`.

use super::{Bound, IntVar, Relation, Value, view};
use crate::encode::EncodingRow;
use crate::encode::Strength;
use crate::lit::{FALSE, Lit, TRUE};
use crate::sink::Sink;

pub(super) const ROW: EncodingRow = view(
    "order",
    "Tamura, Taga, Kitagawa, Banbara: Compiling finite linear CSP into SAT, Constraints 14, 2009",
    Strength::DomainConsistent,
);

impl Sink<'_> {
    /// The order view: for each value but the greatest, in ascending order, the literal `x <= value`.
    ///
    /// It has one literal for each value: ask for it only where the domain is known to be small.
    pub fn order(&mut self, x: IntVar) -> Vec<Lit> {
        if let Some(view) = &self.views(x).order {
            return view.clone();
        }
        match self.affine(x) {
            Some(affine) => self.order_of_view(affine),
            None => self.written_as(super::ROW.name, |sink| sink.make_order(x)),
        }
    }

    fn make_order(&mut self, x: IntVar) -> Vec<Lit> {
        let values: Vec<Value> = self.domains().of(x).values().collect();
        let lits: Vec<Lit> =
            values[..values.len() - 1].iter().map(|&v| self.literal(x, Relation::AtMost, v)).collect();
        self.views_mut(x).order = Some(lits.clone());
        for pair in lits.windows(2) {
            self.always().clause(&[!pair[0], pair[1]]);
        }
        for &value in &values {
            self.mark(Bound { variable: x, relation: Relation::AtMost, value });
        }
        // Literals `x = v` that are tied to another view, all of them or some.
        for (index, &value) in values.iter().enumerate() {
            let known = self.integers().known.get(&Bound { variable: x, relation: Relation::Equal, value });
            if let Some(lit) = known.filter(|known| known.defined).map(|known| known.lit) {
                self.define_by_order(&lits, index, lit);
            }
        }
        if let Some(log) = self.views(x).log.clone() {
            self.channel_order_and_log(&values, &lits, &log);
        }
        lits
    }

    /// `equal <-> x <= values[index] and not x <= values[index - 1]`
    pub(super) fn define_by_order(&mut self, order: &[Lit], index: usize, equal: Lit) {
        let at_most = order.get(index).copied().unwrap_or(TRUE);
        let below = index.checked_sub(1).map_or(FALSE, |index| order[index]);
        if equal == at_most || equal == !below {
            return;
        }
        let mut sink = self.always();
        sink.clause(&[!equal, at_most]);
        sink.clause(&[!equal, !below]);
        sink.clause(&[equal, !at_most, below]);
    }
}
