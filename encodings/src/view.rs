//! The views of integer variables: sets of literals that determine the value of a variable.
//!
//! * [`order`]: a literal for each `x <= v`;
//! * [`direct`]: a literal for each `x = v`;
//! * [`log`]: the bits of `x - min`, for domains of any size.
//!
//! A view is created at its first use, and clauses connect it to the existing views (channelling). The module of each
//! view describes the clauses that connect it to other views. Views share literals: `x = min` is `x <= min`, and the
//! highest bit is a bound. Any existing view can define a single literal `x <= v` or `x = v`. Therefore a domain that
//! is too large to enumerate needs only the log view.
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
//! let nothing_holds = encoded.assignment(|_| Some(false));
//! assert_eq!(nothing_holds.int(x), -5, "all bits are 0");
//! ```

use crate::choice::{Choice, Fallback};
use crate::constraint::{Atom, Comparison};
use crate::encode::{ConstraintRow, EncodingRow, ModelCount, Strength};
use crate::int::{Bound, Canonical, Domain, IntVar, Relation, Value, Views};
use crate::lit::{Lit, TRUE};
use crate::sink::Sink;

mod affine;
pub mod direct;
pub mod log;
pub mod order;

/// The registry's entry for the views of integer variables.
pub(crate) const ROW: ConstraintRow = ConstraintRow {
    name: "integers",
    summary: "the view that every integer variable starts with",
    encodings: || vec![order::ROW, direct::ROW, log::ROW],
};

/// A view of an integer variable. If a view is chosen as an encoding, every variable starts with this view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// A literal for each `x <= v`: [`order`].
    Order,
    /// A literal for each `x = v`: [`direct`].
    Direct,
    /// The bits of `x - min`: [`log`].
    Log,
}

impl From<View> for Choice {
    fn from(view: View) -> Self {
        let row = match view {
            View::Order => order::ROW,
            View::Direct => direct::ROW,
            View::Log => log::ROW,
        };
        Self { constraint: ROW.name, encoding: Some(row.name) }
    }
}

const fn view(name: &'static str, paper: &'static str, strength: Strength) -> EncodingRow {
    EncodingRow { name, paper, strength, count: ModelCount::Kept, derived: false }
}

/// The maximum number of values for which, by default, an ordered variable starts with the order view.
const ORDER_UP_TO: u128 = 1_000;
/// The maximum number of values for which a variable can start with the order or direct view, which have a literal
/// for each value.
pub(crate) const ENUMERATED_UP_TO: u128 = 1 << 20;

/// Returns whether ordered variables with this domain start with the order view by default.
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

    /// Returns the literal of an atom, creating it if necessary.
    pub fn atom(&mut self, atom: Atom) -> Lit {
        match atom {
            Atom::Lit(lit) => lit,
            Atom::Int(x, Comparison::AtMost, value) => self.at_most(x, value),
            Atom::Int(x, Comparison::AtLeast, value) => self.at_least(x, value),
            Atom::Int(x, Comparison::Equal, value) => self.equals(x, value),
            Atom::Int(x, Comparison::NotEqual, value) => !self.equals(x, value),
        }
    }

    /// Creates the initial view of a variable, and uses it to define the literals of the model's bounds.
    pub(crate) fn start(&mut self, x: IntVar, bounds: &[Bound]) {
        let size = self.domains().of(x).size();
        let chosen = self.encodings().chosen(ROW.name);
        match chosen {
            Some("direct") if size <= ENUMERATED_UP_TO => drop(self.direct(x)),
            Some("order") if size <= ENUMERATED_UP_TO => drop(self.order(x)),
            None if size <= ORDER_UP_TO && !self.domains().is_unordered(x) => drop(self.order(x)),
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

    /// Marks the literal of a bound as defined by a view. Returns `false` if the literal was already marked.
    fn mark(&mut self, bound: Bound) -> bool {
        match self.state().integers.known.get_mut(&bound) {
            Some(known) if !known.defined => {
                known.defined = true;
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

    /// Writes clauses that define the literal of a bound by a view.
    fn define(&mut self, bound: Bound, lit: Lit) {
        let x = bound.variable;
        let Views { order, direct, log, .. } = self.views(x);
        let large = self.domains().of(x).size() > ORDER_UP_TO;
        if order.is_none() && direct.is_none() && (log.is_some() || large) {
            let log = self.log(x);
            // Creating the log view may have defined the literal.
            if self.mark(bound) {
                self.define_by_log(&log, bound, lit);
            }
            return;
        }
        let order = self.order(x);
        if self.mark(bound) {
            // Only a relation `x = v` is left, because the order view has already marked the literals `x <= v`.
            let index = self.domains().of(x).index(bound.value);
            self.define_by_order(&order, index.expect("a canonical bound is in the domain"), lit);
        }
    }
}
