//! Integer variables and their views.
//!
//! A variable has a [`Domain`] and, in the formula, one or more *views*: sets of literals that say its value.
//!
//! * [`order`]: a literal for each `x <= v`;
//! * [`direct`]: a literal for each `x = v`;
//! * [`log`]: the bits of `x - min`, for domains of any size.
//!
//! A view is made when it is first asked for and channelled to the ones already there; their files say how. Literals
//! are shared: `x = min` is `x <= min`, and the highest bit is a bound. A single `x <= v` or `x = v` is tied to
//! whatever view is there, so that a domain too large to enumerate needs no more than its bits.
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
    /// Its place among the integer variables of its model, in the order of their making.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The domains of all integer variables of a model, for those who decide by them.
#[derive(Debug, Clone, Copy)]
pub struct Domains<'a>(&'a Integers);

impl<'a> Domains<'a> {
    /// The domain of an integer variable.
    ///
    /// # Panics
    /// If the variable is another model's.
    #[must_use]
    pub fn of(self, x: IntVar) -> &'a Domain {
        self.0.domain(x)
    }

    /// Whether the values of the variable are names, not quantities. See [`Model::unordered`](crate::Model::unordered).
    ///
    /// # Panics
    /// If the variable is another model's.
    #[must_use]
    pub fn is_unordered(self, x: IntVar) -> bool {
        self.0.unordered[x.index()]
    }
}

/// A literal that means a [`Bound`].
#[derive(Debug, Clone, Copy)]
struct Known {
    lit: Lit,
    /// Whether clauses tie it to a view already.
    defined: bool,
}

/// The integer variables of a model, and in an encoding the literals that speak of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Integers {
    domains: Vec<Domain>,
    /// Whether the values of each are names.
    unordered: Vec<bool>,
    known: HashMap<Bound, Known>,
    views: Vec<Views>,
    /// The integers that stand for expressions.
    exprs: HashMap<Expr, IntVar>,
}

#[derive(Debug, Clone, Default)]
struct Views {
    order: Option<Vec<Lit>>,
    direct: Option<Vec<Lit>>,
    log: Option<Log>,
    /// What makes the integer a view of another one, whose literals it shares.
    affine: Option<Affine>,
    /// The literals `x <= v` that are tied to the log view alone.
    chain: BTreeMap<Value, Lit>,
}

/// Either a literal that needs no variable, or what the variable will mean.
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

    /// The bounds that literals were made for, with the literals.
    pub(crate) fn bounds(&self) -> impl Iterator<Item = (Bound, Lit)> {
        self.known.iter().map(|(&bound, known)| (bound, known.lit))
    }

    /// The literals that speak of a variable, in the order of their variables in the formula.
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

    /// The value that a view says the variable has.
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

    /// The literal for a bound, made by `fresh` where there is none yet.
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

/// The row of the registry that chooses the view each integer variable starts with.
pub(crate) const ROW: ConstraintRow = ConstraintRow {
    name: "integers",
    summary: "the view that every integer variable starts with",
    encodings: || vec![order::ROW, direct::ROW, log::ROW],
};

/// A set of literals for an integer variable. As a choice, the view that every variable starts with.
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

/// Up to this many values `auto` starts with the order view, where values have an order.
const ORDER_UP_TO: u128 = 1_000;
/// Beyond this many values every variable starts with the log view: the others have a literal for each value.
pub(crate) const ENUMERATED_UP_TO: u128 = 1 << 20;

impl Sink<'_> {
    /// The literal `x <= value`.
    pub fn at_most(&mut self, x: IntVar, value: Value) -> Lit {
        self.bound(x, Relation::AtMost, value)
    }

    /// The literal `x >= value`.
    pub fn at_least(&mut self, x: IntVar, value: Value) -> Lit {
        match value.checked_sub(1) {
            Some(below) => !self.at_most(x, below),
            None => TRUE,
        }
    }

    /// The literal `x = value`.
    pub fn equals(&mut self, x: IntVar, value: Value) -> Lit {
        self.bound(x, Relation::Equal, value)
    }

    /// The domains of the integer variables.
    #[must_use]
    pub fn domains(&self) -> Domains<'_> {
        self.integers().domains()
    }

    /// The domain of an integer variable.
    #[must_use]
    pub fn domain(&self, x: IntVar) -> Domain {
        self.domains().of(x).clone()
    }

    /// A new integer variable, for partial results. It has no view before one is asked for.
    ///
    /// # Panics
    /// If the domain is empty.
    pub fn integer(&mut self, domain: Domain) -> IntVar {
        self.state().integers.add(domain, false)
    }

    /// Makes the view every variable starts with, and ties the literals of the model to it.
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

    /// The literal for a bound, which may not be tied to any view yet.
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

    /// Says that a bound's literal is tied to a view; whether it was not before.
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

    /// Ties the literal of a bound to a view.
    fn define(&mut self, bound: Bound, lit: Lit) {
        let x = bound.variable;
        let Views { order, direct, log, .. } = self.views(x);
        if let (None, None, Some(log)) = (order, direct, log.clone()) {
            self.mark(bound);
            return self.define_by_log(&log, bound, lit);
        }
        let order = self.order(x);
        if self.mark(bound) {
            // Only `=` is left: the order view has marked its own.
            let index = self.domains().of(x).index(bound.value);
            self.define_by_order(&order, index.expect("a canonical bound is in the domain"), lit);
        }
    }
}
