//! The views of integer variables. A view is a set of literals that represent the value of a variable:
//!
//! * [`order`]: a literal for each `x <= v`;
//! * [`direct`]: a literal for each `x = v`;
//! * [`log`]: the bits of `x - min`, for domains of any size;
//! * [`lazy`]: the literals `x <= v` that the search creates when it needs them, for domains of any size.
//!
//! A view is created at its first use. Channelling clauses connect the new view to the existing views. The module of
//! each view describes these clauses. Views share literals: for example, `x = min` is the same literal as `x <= min`. A
//! single literal `x <= v` or `x = v` can be defined by clauses over any existing view. Therefore, the log view
//! suffices for a domain that is too large to enumerate.
//!
//! ```
//! use gordian_encodings::{Cnf, Domain, Encodings, Model};
//!
//! let mut model = Model::new();
//! let x = model.integer(Domain::interval(-5, 10_i128.pow(30)));
//! let (small, zero) = (model.at_most(x, 7), model.equals(x, 0));
//! let mut cnf = Cnf::default();
//! let encoded = model.encode(&Encodings::auto(), &mut cnf);
//! assert!(cnf.len() < 1000);
//! // Any values of the literals give the integer a value.
//! assert!(encoded.assignment(|_| Some(false)).int(x) >= -5);
//! ```

use crate::choice::{Choice, Fallback};
use crate::constraint::{Atom, Comparison, Needs};
use crate::encode::{ConstraintRow, EncodingRow, ModelCount, Strength};
use crate::int::{Bound, Canonical, Domain, IntVar, Relation, Value, Views};
use crate::lit::{Lit, TRUE};
use crate::name::Name;
use crate::sink::Sink;

mod affine;
pub mod direct;
pub mod lazy;
pub mod log;
pub mod order;

/// The registry entry for the views of integer variables.
pub(crate) const ROW: ConstraintRow = ConstraintRow {
    name: "integers",
    summary: "the view that every integer variable starts with",
    encodings: || vec![order::ROW, direct::ROW, log::ROW, lazy::ROW],
};

/// A view of an integer variable. If a view is chosen, the encoding of a model starts by creating this view of every
/// variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// The view [`order`], which has a literal for each `x <= v`.
    Order,
    /// The view [`direct`], which has a literal for each `x = v`.
    Direct,
    /// The view [`log`], whose literals are the bits of `x - min`.
    Log,
    /// The view [`lazy`], whose literals `x <= v` are created during the search.
    Lazy,
}

impl From<View> for Choice {
    fn from(view: View) -> Self {
        let row = match view {
            View::Order => order::ROW,
            View::Direct => direct::ROW,
            View::Log => log::ROW,
            View::Lazy => lazy::ROW,
        };
        Self { constraint: ROW.name, encoding: Some(row.name) }
    }
}

const fn view(name: &'static str, paper: &'static str, strength: Strength, derived: bool) -> EncodingRow {
    EncodingRow { name, paper, strength, count: ModelCount::Kept, derived }
}

/// By default, a variable starts with the order view if its values have an order and there are at most this many of
/// them.
const ORDER_UP_TO: u128 = 1_000;
/// In proofs, integers with at most this many values have the order view, and larger ones are not supported.
const PROVABLE_UP_TO: u128 = 10_000;
/// A variable with more values than this always starts with the log view. The order and direct views have a literal
/// for each value.
pub(crate) const ENUMERATED_UP_TO: u128 = 1 << 20;

/// Returns the number of values above which a variable starts with a lazy order view if the search allows it.
fn lazy_above(needs: Needs) -> u128 {
    match needs {
        Needs::Bounds => LAZY_ABOVE,
        Needs::Literals => ORDER_UP_TO,
        Needs::Values => u128::MAX,
    }
}

/// A variable starts with a lazy order view if it has more values than this number, and only its bounds are needed.
const LAZY_ABOVE: u128 = 50;

/// Returns whether a variable with this domain starts with the order view by default, if its values have an order and the
/// search allows no lazy order views.
pub(crate) fn starts_in_order(domain: &Domain) -> bool {
    domain.size() <= ORDER_UP_TO
}

impl Sink<'_> {
    /// Returns the literal `x <= value`.
    pub fn at_most(&mut self, x: IntVar, value: Value) -> Lit {
        self.bound(x, Relation::AtMost, value)
    }

    /// Returns the literal `x >= value`.
    pub fn at_least(&mut self, x: IntVar, value: Value) -> Lit {
        match value.checked_sub(1) {
            Some(below) => !self.at_most(x, below),
            None => TRUE,
        }
    }

    /// Returns the literal `x = value`.
    pub fn equals(&mut self, x: IntVar, value: Value) -> Lit {
        self.bound(x, Relation::Equal, value)
    }

    /// Returns the literal of an atomic constraint. Creates the literal if it does not exist.
    pub fn atom(&mut self, atom: Atom) -> Lit {
        match atom {
            Atom::Lit(lit) => lit,
            Atom::Int(x, Comparison::AtMost, value) => self.at_most(x, value),
            Atom::Int(x, Comparison::AtLeast, value) => self.at_least(x, value),
            Atom::Int(x, Comparison::Equal, value) => self.equals(x, value),
            Atom::Int(x, Comparison::NotEqual, value) => !self.equals(x, value),
        }
    }

    /// Creates the initial view of a variable, and defines the given literals of the variable by clauses over this
    /// view.
    pub(crate) fn start(&mut self, x: IntVar, bounds: &[Bound], needs: Needs) {
        let size = self.domains().of(x).size();
        let chosen = self.encodings().chosen(ROW.name);
        let is_lazy = self.domains().allows_lazy() && lazy::fits(self.domains().of(x));
        match chosen {
            // The formula of a proof states the constraints over order literals.
            _ if self.is_logged() && size <= PROVABLE_UP_TO => {
                if let Some(chosen) = chosen.filter(|&chosen| chosen != "order") {
                    self.fall_back(Fallback::Replaced { constraint: ROW.name, chosen, used: "order" });
                }
                drop(self.order(x));
            }
            Some("direct") if size <= ENUMERATED_UP_TO => drop(self.direct(x)),
            Some("order") if size <= ENUMERATED_UP_TO => drop(self.order(x)),
            None if is_lazy && size > lazy_above(needs) && !self.domains().is_unordered(x) => {
                self.lazy(x);
            }
            None if size <= ORDER_UP_TO && !self.domains().is_unordered(x) => drop(self.order(x)),
            Some("lazy") if is_lazy => {
                self.lazy(x);
            }
            _ => {
                if let Some(chosen) = chosen.filter(|&chosen| chosen != "log") {
                    self.fall_back(Fallback::Replaced { constraint: ROW.name, chosen, used: "log" });
                }
                drop(self.log(x));
            }
        }
        for bound in bounds {
            self.bound(x, bound.relation, bound.value);
        }
    }

    /// Names the order literals of an integer in the formula of a proof: the name of `x <= 3` is the integer's name
    /// followed by `_le_3`, and the name of `x <= -3` ends with `_le_m3`.
    pub(crate) fn name_order(&mut self, x: IntVar, name: &Name) {
        let order = self.domains().order(x).unwrap_or_default();
        let values: Vec<Value> = self.domains().of(x).values().take(order.len()).collect();
        for (lit, value) in order.into_iter().zip(values) {
            let sign = if value < 0 { "m" } else { "" };
            let name = name.to_string();
            self.name(lit, &format!("{}_le_{sign}{}", name.trim_end_matches(')'), value.unsigned_abs()));
        }
    }

    fn views(&self, x: IntVar) -> &Views {
        &self.integers().views[x.index()]
    }

    fn views_mut(&mut self, x: IntVar) -> &mut Views {
        &mut self.state().integers.views[x.index()]
    }

    /// Returns the literal of a bound, without writing the clauses that define it.
    fn literal(&mut self, x: IntVar, relation: Relation, value: Value) -> Lit {
        let next = Lit::positive(self.variables());
        let mut made = false;
        let lit = self.state().integers.literal(x, relation, value, || {
            made = true;
            next
        });
        if made {
            self.always().fresh();
        }
        lit
    }

    /// Marks the literal of a bound as defined by clauses. Returns `false` if it was already marked.
    fn mark(&mut self, bound: Bound) -> bool {
        match self.state().integers.known.get_mut(&bound) {
            Some(known) if !known.defined => {
                known.defined = true;
                let lit = known.lit;
                if bound.relation == Relation::AtMost {
                    self.announce(bound, lit);
                }
                true
            }
            _ => false,
        }
    }

    fn bound(&mut self, x: IntVar, relation: Relation, value: Value) -> Lit {
        let Canonical::Bound { bound, negated } = self.integers().canonical(x, relation, value) else {
            return self.literal(x, relation, value);
        };
        if let Some(affine) = self.affine(x) {
            let lit = self.bound_of_view(affine, bound);
            return if negated { !lit } else { lit };
        }
        self.written_as(ROW.name, |sink| {
            let lit = sink.literal(x, bound.relation, bound.value);
            if !sink.integers().known[&bound].defined {
                sink.define(bound, lit);
            }
            if negated { !lit } else { lit }
        })
    }

    /// Writes clauses that define the literal of a bound in terms of the literals of a view.
    fn define(&mut self, bound: Bound, lit: Lit) {
        let x = bound.variable;
        if self.domains().is_lazy(x) {
            return self.define_lazily(bound, lit);
        }
        let Views { order, direct, log, .. } = self.views(x);
        let large = self.domains().of(x).size() > ORDER_UP_TO;
        if order.is_none() && direct.is_none() && (log.is_some() || large) {
            let log = self.log(x);
            // Creating the log view may already have defined the literal.
            if self.mark(bound) {
                self.define_by_log(&log, bound, lit);
            }
            return;
        }
        let order = self.order(x);
        if self.mark(bound) {
            // The bound is of the form `x = v`, because the order view defines all literals `x <= v`.
            let index = self.domains().of(x).index(bound.value);
            self.define_by_order(&order, index.expect("a canonical bound is in the domain"), lit);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::constraint::{Comparison, Linear};
    use crate::{Cnf, Domain, Encodings, Model, Objective, Sense, Term};

    /// Returns the number of clauses for two integers with the given number of values and one constraint.
    fn clauses(size: i128, constraint: fn(Linear) -> Linear, is_objective: bool) -> usize {
        let mut model = Model::new();
        let [x, y] = model.integers(Domain::interval(1, size));
        model.post(constraint(Linear::at_most([(1, x.into()), (2, y.into())], size)));
        if is_objective {
            model.set_objective(Objective::new(Sense::Minimise, [x, y].map(|x| (1, Term::Int(x)))));
        }
        let mut cnf = Cnf::default();
        model.encode(&Encodings::auto().propagating().creating_literals(), &mut cnf);
        cnf.len()
    }

    #[test]
    fn integers_are_lazy_above_50_values_if_only_their_bounds_are_needed() {
        let not_equal = |linear: Linear| Linear { comparison: Comparison::NotEqual, ..linear };
        assert!(clauses(50, |linear| linear, false) > 0);
        assert_eq!(clauses(51, |linear| linear, false), 0);
        assert!(clauses(1_000, not_equal, false) > 0, "a disequality excludes single values");
        assert_eq!(clauses(1_001, not_equal, false), 0);
        assert!(clauses(1_000, |linear| linear, true) > 0, "the objective has several terms");
        assert_eq!(clauses(1_001, |linear| linear, true), 0);
    }
}
