//! The order view: one literal `x <= v` for each value `v` except the maximum.
//!
//! Example: the domain {1, 2, 4} has the literals `x<=1`, `x<=2` and the clause `-x<=1 x<=2`.
//!
//! Size for d values: d-1 variables, d-2 clauses. Unit propagation derives every bound that follows from another
//! bound. A literal `x = v` is defined by three clauses, `x=v -> x<=v`, `x=v -> -x<=u` and `x<=v, -x<=u -> x=v`,
//! where u is the previous value.
//!
//! In proofs, the formula contains the clauses between order literals. A literal `x = v` is defined as the conjunction of
//! `x <= v` and `-x<=u`. In a sum of the formula, it is replaced by `(x <= v) - (x <= u)`.
//!
//! Paper: Tamura, Taga, Kitagawa, Banbara: *Compiling finite linear CSP into SAT*, Constraints 14, 2009. Unlike in
//! the paper, only values of the domain have literals: in the example, `x <= 3` is the literal `x <= 2`.

use gordian_proofs::Rows;

use super::view;
use crate::encode::{EncodingRow, Strength};
use crate::int::{Bound, IntVar, Relation, Value};
use crate::lit::{FALSE, Lit, TRUE};
use crate::sink::Sink;

pub(super) const ROW: EncodingRow = view(
    "order",
    "Tamura, Taga, Kitagawa, Banbara: Compiling finite linear CSP into SAT, Constraints 14, 2009",
    Strength::DomainConsistent,
    true,
);

impl Sink<'_> {
    /// Returns the order view: for each value except the maximum, in ascending order, the literal `x <= value`.
    ///
    /// The view has a literal for almost every value, so use it only for small domains.
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
        let logged = self.begin_logging_order(&lits);
        for pair in lits.windows(2) {
            self.always().clause(&[!pair[0], pair[1]]);
        }
        if logged {
            self.end_logging();
        }
        for &value in &values {
            self.mark(Bound { variable: x, relation: Relation::AtMost, value });
        }
        // Literals `x = v` that already exist are connected to the order view.
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

    /// Writes the clauses of `equal <-> x <= values[index] and not x <= values[index - 1]`.
    pub(super) fn define_by_order(&mut self, order: &[Lit], index: usize, equal: Lit) {
        let at_most = order.get(index).copied().unwrap_or(TRUE);
        let below = index.checked_sub(1).map_or(FALSE, |index| order[index]);
        self.define_equal(equal, at_most, below);
    }

    /// Writes the clauses of `equal <-> at_most and not below`.
    pub(super) fn define_equal(&mut self, equal: Lit, at_most: Lit, below: Lit) {
        if equal == at_most || equal == !below {
            return;
        }
        let mut sink = self.always();
        sink.replace(!equal, &[!at_most, below]);
        let logged = sink.begin_logging("definition", |_, _| Some(Box::new(Rows::default())));
        sink.clause(&[!equal, at_most]);
        sink.clause(&[!equal, !below]);
        sink.clause(&[equal, !at_most, below]);
        if logged {
            sink.end_logging();
        }
    }
}
