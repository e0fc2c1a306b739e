//! Integer variables and their views.
//!
//! A variable has a [`Domain`] and, in the formula, one or more *views*: sets of literals that say its value.
//!
//! * **order**: a literal for each `x <= v` (Tamura, Taga, Kitagawa, Banbara: *Compiling finite linear CSP into SAT*,
//!   Constraints 14, 2009): d-1 variables and d-2 clauses for a domain of d values.
//! * **direct**: a literal for each `x = v`, exactly one of which holds (de Kleer: *A comparison of ATMS and CSP
//!   techniques*, IJCAI 1989).
//!
//! A view is made when it is first asked for and channelled to the ones already there, so that unit propagation carries
//! every literal from one to the other. The literals of a binary domain are shared: `x = min` is `x <= min`.

use std::collections::HashMap;

use crate::constraint::{AtMostOne, MeaningRow, TechniqueRow};
use crate::encoding::{Count, Strength};
use crate::lit::{FALSE, Lit, TRUE};
use crate::sink::Sink;

mod domain;

pub use domain::Domain;

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

/// How a literal speaks of an integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    /// `x <= v`
    AtMost,
    /// `x = v`
    Equal,
}

/// What a literal of the model says of an integer variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bound {
    /// The variable.
    pub variable: IntVar,
    /// How it relates to the value.
    pub relation: Relation,
    /// A value of its domain.
    pub value: Value,
}

impl Bound {
    /// Whether it is true when the variable has this value.
    #[must_use]
    pub fn holds(self, value: Value) -> bool {
        match self.relation {
            Relation::AtMost => value <= self.value,
            Relation::Equal => value == self.value,
        }
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
    known: HashMap<Bound, Known>,
    views: Vec<Views>,
}

#[derive(Debug, Clone, Default)]
struct Views {
    order: Option<Vec<Lit>>,
    direct: Option<Vec<Lit>>,
}

/// Either a literal that needs no variable, or what the variable will mean.
enum Canonical {
    Constant(Lit),
    Bound { bound: Bound, negated: bool },
}

impl Integers {
    pub(crate) fn add(&mut self, domain: Domain) -> IntVar {
        assert!(!domain.is_empty(), "an integer variable needs a value");
        self.domains.push(domain);
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
    pub(crate) fn value(&self, variable: IntVar, holds: impl Fn(Lit) -> bool) -> Value {
        let domain = self.domain(variable);
        let views = &self.views[variable.index()];
        let (order, direct) = (views.order.as_deref(), views.direct.as_deref());
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

/// The row of the table of meanings that chooses the view each integer variable starts with.
pub(crate) const ROW: MeaningRow = MeaningRow {
    name: "integers",
    summary: "the view that every integer variable starts with",
    techniques: || {
        vec![
            TechniqueRow {
                name: "order",
                paper: "Tamura, Taga, Kitagawa, Banbara: Compiling finite linear CSP into SAT, Constraints 14, 2009",
                strength: Strength::Domain,
                count: Count::Kept,
            },
            TechniqueRow {
                name: "direct",
                paper: "de Kleer: A comparison of ATMS and CSP techniques, IJCAI 1989",
                strength: Strength::Domain,
                count: Count::Kept,
            },
        ]
    },
};

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

    /// The order view: for each value but the greatest, in ascending order, the literal `x <= value`.
    ///
    /// Strength: unit propagation keeps `x <= v` and `x <= w` consistent for all `v < w`.
    pub fn order(&mut self, x: IntVar) -> Vec<Lit> {
        if let Some(view) = &self.state().integers.views[x.index()].order {
            return view.clone();
        }
        let values: Vec<Value> = self.domain(x).values().collect();
        let lits: Vec<Lit> =
            values[..values.len() - 1].iter().map(|&v| self.literal(x, Relation::AtMost, v)).collect();
        self.state().integers.views[x.index()].order = Some(lits.clone());
        for pair in lits.windows(2) {
            self.always().clause(&[!pair[0], pair[1]]);
        }
        for &value in &values {
            self.mark(Bound { variable: x, relation: Relation::AtMost, value });
        }
        if let Some(direct) = self.state().integers.views[x.index()].direct.clone() {
            for (index, &lit) in direct.iter().enumerate() {
                self.channel(&lits, index, lit);
            }
        }
        lits
    }

    /// The direct view: for each value, in ascending order, the literal `x = value`.
    pub fn direct(&mut self, x: IntVar) -> Vec<Lit> {
        if let Some(view) = &self.state().integers.views[x.index()].direct {
            return view.clone();
        }
        let values: Vec<Value> = self.domain(x).values().collect();
        let lits: Vec<Lit> = values.iter().map(|&v| self.literal(x, Relation::Equal, v)).collect();
        if let Some(order) = self.state().integers.views[x.index()].order.clone() {
            for (index, &lit) in lits.iter().enumerate() {
                if self.mark(Bound { variable: x, relation: Relation::Equal, value: values[index] }) {
                    self.channel(&order, index, lit);
                }
            }
        } else {
            let mut sink = self.always();
            sink.clause(&lits);
            sink.post(&AtMostOne::new(lits.clone()));
            for &value in &values {
                self.mark(Bound { variable: x, relation: Relation::Equal, value });
            }
            // The ends are the ends of the order view too, by their literals.
            self.mark(Bound { variable: x, relation: Relation::AtMost, value: values[0] });
        }
        self.state().integers.views[x.index()].direct = Some(lits.clone());
        lits
    }

    /// Makes the view every variable starts with, and ties the literals of the model to it.
    pub(crate) fn start(&mut self, x: IntVar, bounds: &[Bound]) {
        if self.encodings().chosen(ROW.name) == Some("direct") {
            self.direct(x);
        } else {
            self.order(x);
        }
        for bound in bounds {
            self.bound(x, bound.relation, bound.value);
        }
    }

    fn literal(&mut self, x: IntVar, relation: Relation, value: Value) -> Lit {
        let next = Lit::positive(self.variables());
        let mut made = false;
        let lit = self.state().integers.literal(x, relation, value, || {
            made = true;
            next
        });
        if made {
            self.fresh();
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
        let lit = self.literal(x, relation, value);
        let Canonical::Bound { bound, .. } = self.state().integers.canonical(x, relation, value) else {
            return lit;
        };
        if self.state().integers.known[&bound].defined {
            return lit;
        }
        let order = self.order(x);
        if self.mark(bound) {
            // Only `=` is left: the order view has marked its own.
            let index = self.domain(x).values().position(|v| v == bound.value);
            self.channel(&order, index.expect("a canonical bound is in the domain"), lit);
        }
        lit
    }

    /// `equal <-> x <= values[index] and not x <= values[index - 1]`
    fn channel(&mut self, order: &[Lit], index: usize, equal: Lit) {
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
