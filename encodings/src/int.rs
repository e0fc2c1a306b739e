//! Integer variables and their views.
//!
//! A variable has a [`Domain`] and, in the formula, one or more *views*. A view is a set of literals that determine
//! the value of the variable.
//!
//! * [`order`]: a literal for each `x <= v`;
//! * [`direct`]: a literal for each `x = v`;
//! * [`log`]: the bits of `x - min`, for domains of any size.
//!
//! A view is created when it is first used, and clauses connect it to the existing views (channelling). The module of
//! each view describes these clauses. Views share literals: `x = min` is `x <= min`, and the highest bit is a bound.
//! Any existing view can define a single literal `x <= v` or `x = v`. Therefore a domain that is too large to
//! enumerate needs only the log view.
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

use std::collections::{BTreeMap, HashMap};

use crate::choice::{Choice, Fallback};
use crate::encode::{ConstraintRow, EncodingRow};
use crate::encode::{ModelCount, Strength};
use crate::expr::Expr;
use crate::lit::{FALSE, Lit, TRUE};
use crate::sink::Sink;

mod affine;
mod bound;
pub mod direct;
mod domain;
pub mod log;
pub mod order;

use affine::Affine;
pub use bound::{Bound, Relation, Says};
pub use domain::Domain;
pub use log::Log;

/// A value of an integer variable.
pub type Value = i128;

/// An integer variable of a [`Model`](crate::Model).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IntVar(u32);

impl IntVar {
    /// Returns the index of the variable among the integer variables of its model, in the order of their creation.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The domains of all integer variables of a model.
#[derive(Debug, Clone, Copy)]
pub struct Domains<'a>(&'a Integers);

impl<'a> Domains<'a> {
    /// Returns the domain of an integer variable.
    ///
    /// # Panics
    /// If the variable belongs to another model and its index is out of range.
    #[must_use]
    pub fn of(self, x: IntVar) -> &'a Domain {
        self.0.domain(x)
    }

    /// Returns whether the values of the variable are names without an order. See
    /// [`Model::unordered`](crate::Model::unordered).
    ///
    /// # Panics
    /// If the variable belongs to another model and its index is out of range.
    #[must_use]
    pub fn is_unordered(self, x: IntVar) -> bool {
        self.0.unordered[x.index()]
    }
}

/// The literal that stands for a [`Bound`].
#[derive(Debug, Clone, Copy)]
struct Known {
    lit: Lit,
    /// Whether clauses define the literal by a view.
    defined: bool,
}

/// The integer variables of a model and, during an encoding, their literals.
#[derive(Debug, Clone, Default)]
pub(crate) struct Integers {
    domains: Vec<Domain>,
    /// For each variable, whether its values have no order.
    unordered: Vec<bool>,
    known: HashMap<Bound, Known>,
    views: Vec<Views>,
    /// The integer variables that represent expressions.
    exprs: HashMap<Expr, IntVar>,
}

#[derive(Debug, Clone, Default)]
struct Views {
    order: Option<Vec<Lit>>,
    direct: Option<Vec<Lit>>,
    log: Option<Log>,
    /// If the integer is an affine view of another variable, the parameters of the view. It shares the literals of
    /// that variable.
    affine: Option<Affine>,
    /// The literals `x <= v` that are defined by the log view only.
    chain: BTreeMap<Value, Lit>,
}

/// The canonical form of a relation between a variable and a value: a constant literal, or a bound or its negation.
enum Canonical {
    Constant(Lit),
    Bound { bound: Bound, negated: bool },
}

impl Integers {
    pub(crate) fn add(&mut self, domain: Domain, unordered: bool) -> IntVar {
        assert!(!domain.is_empty(), "an integer variable needs a value");
        self.domains.push(domain);
        self.unordered.push(unordered);
        self.views.push(Views::default());
        IntVar((self.domains.len() - 1) as u32)
    }

    pub(crate) fn domain(&self, variable: IntVar) -> &Domain {
        &self.domains[variable.index()]
    }

    pub(crate) fn domains(&self) -> Domains<'_> {
        Domains(self)
    }

    pub(crate) fn variables(&self) -> impl Iterator<Item = IntVar> + use<> {
        (0..self.domains.len() as u32).map(IntVar)
    }

    /// Returns all bounds that have a literal, each with its literal.
    pub(crate) fn bounds(&self) -> impl Iterator<Item = (Bound, Lit)> {
        self.known.iter().map(|(&bound, known)| (bound, known.lit))
    }

    /// Returns the literals of all integer variables, each with its variable and the relation it stands for. The
    /// result is sorted by literal.
    pub(crate) fn literals(&self) -> Vec<(Lit, IntVar, Says)> {
        let of_bounds = self.known.iter().map(|(bound, known)| {
            let says = match bound.relation {
                Relation::AtMost => Says::AtMost(bound.value),
                Relation::Equal => Says::Equal(bound.value),
            };
            (known.lit, bound.variable, says)
        });
        let mut lits: Vec<_> = of_bounds.collect();
        for (x, views) in self.variables().zip(&self.views) {
            if let Some(Log { min, bits }) = &views.log {
                let of_bits = bits.iter().enumerate();
                lits.extend(of_bits.map(|(number, &bit)| (bit, x, Says::Bit { number, least: *min })));
            }
        }
        lits.sort_by_key(|&(lit, ..)| lit);
        lits
    }

    fn canonical(&self, variable: IntVar, relation: Relation, value: Value) -> Canonical {
        let domain = self.domain(variable);
        let at_most = |value: Value| match domain.at_or_below(value) {
            None => Canonical::Constant(FALSE),
            Some(value) if value == domain.max() => Canonical::Constant(TRUE),
            Some(value) => Canonical::Bound {
                bound: Bound { variable, relation: Relation::AtMost, value },
                negated: false,
            },
        };
        match relation {
            Relation::AtMost => at_most(value),
            Relation::Equal if !domain.contains(value) => Canonical::Constant(FALSE),
            Relation::Equal if value == domain.min() => at_most(value),
            Relation::Equal if value == domain.max() => match at_most(value - 1) {
                Canonical::Constant(lit) => Canonical::Constant(!lit),
                Canonical::Bound { bound, negated } => Canonical::Bound { bound, negated: !negated },
            },
            Relation::Equal => {
                Canonical::Bound { bound: Bound { variable, relation, value }, negated: false }
            }
        }
    }

    /// Returns the value of a variable under an assignment, read from one of its views.
    pub(crate) fn value(&self, variable: IntVar, holds: &dyn Fn(Lit) -> bool) -> Value {
        let domain = self.domain(variable);
        let views = &self.views[variable.index()];
        if let Some(affine) = views.affine {
            return affine.value(self.value(affine.of, holds));
        }
        let (order, direct) = (views.order.as_deref(), views.direct.as_deref());
        if let (None, None, Some(log)) = (order, direct, &views.log) {
            return log.value(holds);
        }
        let first = |lits: &[Lit]| lits.iter().position(|&lit| holds(lit));
        let index = match (order, direct) {
            (Some(order), _) => first(order),
            (None, Some(direct)) => first(direct),
            (None, None) => None,
        };
        index.and_then(|index| domain.values().nth(index)).unwrap_or_else(|| domain.max())
    }

    /// Returns the literal of a bound. If the bound has no literal yet, `fresh` creates it.
    pub(crate) fn literal(
        &mut self,
        variable: IntVar,
        relation: Relation,
        value: Value,
        fresh: impl FnOnce() -> Lit,
    ) -> Lit {
        match self.canonical(variable, relation, value) {
            Canonical::Constant(lit) => lit,
            Canonical::Bound { bound, negated } => {
                let known = self.known.entry(bound).or_insert_with(|| Known { lit: fresh(), defined: false });
                if negated { !known.lit } else { known.lit }
            }
        }
    }
}

/// The row of the registry for the view that each integer variable starts with.
pub(crate) const ROW: ConstraintRow = ConstraintRow {
    name: "integers",
    summary: "the view that every integer variable starts with",
    encodings: || vec![order::ROW, direct::ROW, log::ROW],
};

/// A view of an integer variable. As a choice of encoding, the view that every variable starts with.
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
    EncodingRow { name, paper, strength, count: ModelCount::Kept }
}

/// Without a choice, variables with an order and at most this many values start with the order view.
const ORDER_UP_TO: u128 = 1_000;
/// Every variable with more values starts with the log view, since the other views have a literal for each value.
pub(crate) const ENUMERATED_UP_TO: u128 = 1 << 20;

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

    /// Returns the domains of the integer variables.
    #[must_use]
    pub fn domains(&self) -> Domains<'_> {
        self.integers().domains()
    }

    /// Returns the domain of an integer variable.
    #[must_use]
    pub fn domain(&self, x: IntVar) -> Domain {
        self.domains().of(x).clone()
    }

    /// Creates an integer variable for an intermediate result. Its views are created on demand.
    ///
    /// # Panics
    /// If the domain is empty.
    pub fn integer(&mut self, domain: Domain) -> IntVar {
        self.state().integers.add(domain, false)
    }

    /// Creates the view that a variable starts with, and defines the literals of the model's bounds by it.
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

    /// Returns the literal of a bound, without adding clauses that define it.
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

    /// Marks the literal of a bound as defined by a view. Returns `false` if it was already marked.
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

    /// Adds clauses that define the literal of a bound by a view.
    fn define(&mut self, bound: Bound, lit: Lit) {
        let x = bound.variable;
        let Views { order, direct, log, .. } = self.views(x);
        if let (None, None, Some(log)) = (order, direct, log.clone()) {
            self.mark(bound);
            return self.define_by_log(&log, bound, lit);
        }
        let order = self.order(x);
        if self.mark(bound) {
            // The order view has already marked its own literals, so the relation is `=`.
            let index = self.domains().of(x).index(bound.value);
            self.define_by_order(&order, index.expect("a canonical bound is in the domain"), lit);
        }
    }
}
