//! Integer variables: their domains and their literals.
//!
//! The module [`view`](crate::view) creates the literals of integer variables, and the clauses between these
//! literals.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::lit::{FALSE, Lit, TRUE};

mod affine;
mod bound;
mod domain;
mod log;
mod number;

pub(crate) use affine::Affine;
pub use bound::{AtomicConstraint, Bound, Relation};
pub use domain::Domain;
pub use log::Log;
pub(crate) use log::{has, width};
pub use number::Number;

/// A value of an integer variable.
pub type Value = i128;

/// An integer variable of a [`Model`](crate::Model).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IntVar(u32);

impl IntVar {
    /// Returns the index of the variable among the model's integer variables, in order of creation.
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
    /// Panics if the model has no integer variable with the index of `x`.
    #[must_use]
    pub fn of(self, x: IntVar) -> &'a Domain {
        self.0.domain(x)
    }

    /// Returns whether the variable was created by [`Model::unordered`](crate::Model::unordered), which means that the
    /// order of its values is irrelevant.
    ///
    /// # Panics
    /// Panics if the model has no integer variable with the index of `x`.
    #[must_use]
    pub fn is_unordered(self, x: IntVar) -> bool {
        self.0.unordered[x.index()]
    }

    /// Returns the direct view of a variable: for each value in ascending order, the literal `x = value`. Returns `None`
    /// if the view does not exist.
    pub(crate) fn direct(self, x: IntVar) -> Option<&'a [Lit]> {
        self.0.views[x.index()].direct.as_deref()
    }

    /// Returns whether the variable, or the variable of which it is an affine view, has a lazy order view only.
    pub(crate) fn is_lazy(self, x: IntVar) -> bool {
        let views = &self.0.views[x.index()];
        match views.affine {
            Some(affine) => self.is_lazy(affine.of),
            None => views.lazy.is_some() && views.order.is_none(),
        }
    }

    /// Returns the affine view if the variable is one.
    pub(crate) fn affine_view(self, x: IntVar) -> Option<Affine> {
        self.0.views[x.index()].affine
    }

    /// Returns whether the search lets propagators create literals.
    pub(crate) fn allows_lazy(self) -> bool {
        self.0.allows_lazy
    }

    /// Returns the order view of a variable: for each value except the maximum, in ascending order, the literal
    /// `x <= value`. Returns `None` if the view does not exist.
    pub(crate) fn order(self, x: IntVar) -> Option<Vec<Lit>> {
        let views = &self.0.views[x.index()];
        match (&views.order, views.affine) {
            (Some(order), _) => Some(order.clone()),
            (None, Some(affine)) => Some(affine.order(self.order(affine.of)?)),
            (None, None) if self.of(x).size() == 1 => Some(Vec::new()),
            (None, None) => None,
        }
    }
}

/// The literal that represents a [`Bound`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known {
    pub(crate) lit: Lit,
    /// True if the clauses that define the literal have been written.
    pub(crate) defined: bool,
}

/// The integer variables of a model and, during an encoding, their literals.
#[derive(Debug, Clone, Default)]
pub(crate) struct Integers {
    domains: Vec<Domain>,
    /// True for each variable that was created by [`Model::unordered`](crate::Model::unordered).
    unordered: Vec<bool>,
    pub(crate) known: FxHashMap<Bound, Known>,
    pub(crate) views: Vec<Views>,
    /// True if the search lets propagators create literals.
    pub(crate) allows_lazy: bool,
}

/// The existing [views](crate::view) of an integer variable.
#[derive(Debug, Clone, Default)]
pub(crate) struct Views {
    pub(crate) order: Option<Vec<Lit>>,
    pub(crate) direct: Option<Vec<Lit>>,
    pub(crate) log: Option<Log>,
    /// The number of the integer in the propagator of lazy order views. An integer that also has an order view takes part
    /// in constraints of the propagator, but its literals exist from the beginning.
    pub(crate) lazy: Option<u32>,
    /// The coefficients a and b if the integer is an affine view `a x + b` of another variable x. The integer then
    /// shares the literals of x.
    pub(crate) affine: Option<Affine>,
    /// The literals `x <= v` that only the log view defines.
    pub(crate) chain: BTreeMap<Value, Lit>,
}

/// The canonical form of a relation between a variable and a value: a constant, a bound, or a negated bound.
pub(crate) enum Canonical {
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

    /// Returns the literals of all integer variables in ascending order, each with its variable and the relation that
    /// the literal stands for.
    pub(crate) fn literals(&self) -> Vec<(Lit, IntVar, AtomicConstraint)> {
        let of_bounds = self.known.iter().map(|(bound, known)| {
            let atomic = match bound.relation {
                Relation::AtMost => AtomicConstraint::AtMost(bound.value),
                Relation::Equal => AtomicConstraint::Equal(bound.value),
            };
            (known.lit, bound.variable, atomic)
        });
        let mut lits: Vec<_> = of_bounds.collect();
        for (x, views) in self.variables().zip(&self.views) {
            if let Some(Log { min, bits }) = &views.log {
                let of_bits = bits.iter().enumerate();
                lits.extend(
                    of_bits.map(|(number, &bit)| (bit, x, AtomicConstraint::Bit { number, least: *min })),
                );
            }
        }
        lits.sort_by_key(|&(lit, ..)| lit);
        lits
    }

    pub(crate) fn canonical(&self, variable: IntVar, relation: Relation, value: Value) -> Canonical {
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

    /// Returns the value of a variable under an assignment, computed from the literals of one view of the variable. The
    /// function `lazy` returns the values of integers of the propagator of lazy order views.
    pub(crate) fn value(
        &self,
        variable: IntVar,
        holds: &dyn Fn(Lit) -> bool,
        lazy: &dyn Fn(u32) -> Value,
    ) -> Value {
        let domain = self.domain(variable);
        let views = &self.views[variable.index()];
        if let Some(affine) = views.affine {
            return affine.value(self.value(affine.of, holds, lazy));
        }
        let (order, direct) = (views.order.as_deref(), views.direct.as_deref());
        if let (None, Some(id)) = (order, views.lazy) {
            return lazy(id);
        }
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

    /// Returns the literal of a bound. If the bound has no literal yet, its literal is a new Boolean variable of the model.
    /// `booleans` is the number of Boolean variables of the model, and is increased by 1 in this case.
    pub(crate) fn literal_in_model(
        &mut self,
        variable: IntVar,
        relation: Relation,
        value: Value,
        booleans: &mut u32,
    ) -> Lit {
        self.literal(variable, relation, value, || {
            *booleans += 1;
            Lit::positive(*booleans - 1)
        })
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
