//! Constraints: conditions on the values of variables.
//!
//! A constraint is a plain struct that implements [`Constraint`], which defines its scope, semantics and negation.
//! The modules [`encoding`](crate::encoding) and [`registry`](crate::registry) define how constraints become clauses.

use std::fmt::Debug;
use std::sync::Arc;

use gordian_proofs::{Derive, Formula, Rows};

use crate::assignment::Assignment;
use crate::encode::Encode;
use crate::expr::Expr;
use crate::frontier::Frontier;
use crate::int::{Domains, IntVar};
use crate::lit::Lit;
use crate::sink::Sink;
use crate::value_literals::ValueLiterals;

mod absolute;
mod acyclic;
mod all_different;
mod at_most_one;
mod atom;
mod automaton;
mod cardinality;
mod circuit;
mod clause;
mod component_size;
mod components;
mod conjunction;
mod connected;
mod count;
mod cumulative;
mod diffn;
mod disconnected;
mod disjoint_paths;
mod disjunction;
mod disjunctive;
mod division;
mod element;
mod equality;
mod exactly_one;
mod formula;
pub(crate) use formula::literals;
mod inverse;
mod lexicographic;
mod linear;
mod min_max;
mod negation;
mod path;
mod permutation;
mod power;
mod product;
mod reified;
mod table;
mod truncated_division;
mod value_precedence;

pub use crate::expr::Term;
pub use absolute::Absolute;
pub use acyclic::Acyclic;
pub use all_different::AllDifferent;
pub(crate) use all_different::can_enumerate;
pub use at_most_one::AtMostOne;
pub use atom::Atom;
pub use automaton::Automaton;
pub(crate) use automaton::successors;
pub use cardinality::Cardinality;
pub use circuit::Circuit;
pub use clause::Clause;
pub use component_size::ComponentSize;
pub use components::Components;
pub use conjunction::Conjunction;
pub use connected::Connected;
pub use count::{Count, Times};
pub use cumulative::{Cumulative, Task};
pub use diffn::Diffn;
pub use disconnected::Disconnected;
pub use disjoint_paths::DisjointPaths;
pub use disjunction::Disjunction;
pub use disjunctive::Disjunctive;
pub use division::Division;
pub use element::Element;
pub use equality::Equality;
pub use exactly_one::ExactlyOne;
pub use inverse::Inverse;
pub use lexicographic::Lexicographic;
pub use linear::{Comparison, Linear};
pub(crate) use min_max::MinMax;
pub use min_max::{Maximum, Minimum};
pub use negation::Negation;
pub use path::Path;
pub use permutation::Permutation;
pub use power::Power;
pub use product::Product;
pub use reified::Reified;
pub use table::{Entry, Table};
pub use truncated_division::{DivisionPart, TruncatedDivision};
pub use value_precedence::ValuePrecedence;

/// The variables of a constraint.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    /// The literals of the constraint, including constants and repetitions.
    pub lits: Vec<Lit>,
    /// The integer variables.
    pub ints: Vec<IntVar>,
}

impl Scope {
    /// Returns the variables of the expressions.
    fn of_exprs<'e>(exprs: impl IntoIterator<Item = &'e Expr>) -> Self {
        let mut scope = Self::default();
        for &(_, term) in exprs.into_iter().flat_map(Expr::terms) {
            match term {
                Term::Lit(lit) => scope.lits.push(lit),
                Term::Int(x) => scope.ints.push(x),
            }
        }
        scope
    }

    /// Returns the union of the scopes of the constraints.
    fn of_all<'c>(constraints: impl IntoIterator<Item = &'c Arc<dyn Constraint>>) -> Self {
        let mut scope = Self::default();
        for constraint in constraints {
            let Self { lits, ints } = constraint.scope();
            scope.lits.extend(lits);
            scope.ints.extend(ints);
        }
        scope
    }
}

/// The literals of an integer that a model needs. If it needs only bounds and the domain is large, the integer can start
/// with the [lazy order view](crate::view::lazy).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needs {
    /// Only bounds.
    Bounds,
    /// A literal for each value, unless the domain is large: the constraint excludes single values, or the literals have
    /// weights in the objective.
    Literals,
    /// Single values or bits, also if the domain is large.
    Values,
}

impl Needs {
    /// Pairs each integer with `self`.
    #[must_use]
    pub fn of(self, ints: Vec<IntVar>) -> Vec<(IntVar, Self)> {
        ints.into_iter().map(|x| (x, self)).collect()
    }
}

/// A condition on the values of variables. Each file in this module contains one type of constraint. [`Encode`]
/// writes constraints as clauses.
pub trait Constraint: Encode + Debug + Send + Sync + 'static {
    /// Returns the variables of the constraint.
    fn scope(&self) -> Scope;

    /// Returns whether `assignment` satisfies the constraint.
    fn holds(&self, assignment: &Assignment) -> bool;

    /// Returns the integers for which the encodings of the constraint need more literals than bounds. By default, these
    /// are all integers of the constraint, with [`Needs::Values`].
    fn needs(&self) -> Vec<(IntVar, Needs)> {
        Needs::Values.of(self.scope().ints)
    }

    /// Returns the complement: the constraint that holds if and only if `self` does not.
    fn negation(&self, domains: Domains<'_>) -> Arc<dyn Constraint>;

    /// Returns the constraint as a clause, or `None` if it is not equivalent to a clause.
    fn clause(&self, _domains: Domains<'_>) -> Option<Vec<Atom>> {
        None
    }

    /// Returns an equivalent conjunction of linear constraints for receivers that support them, or `None` if there is
    /// no such conjunction.
    fn linear(&self) -> Option<Vec<Linear>> {
        None
    }

    /// Returns linear constraints that hold in every solution of the constraint, for
    /// [linear relaxations](crate::relaxation). They may contain literals `x = v`.
    fn implied(&self, _literals: &mut ValueLiterals<'_>) -> Vec<Linear> {
        self.linear().unwrap_or_default()
    }

    /// Returns an equivalent conjunction of linear inequalities and equations for the formula of a proof, or `None` if
    /// there is no such conjunction.
    fn inequalities(&self, _domains: Domains<'_>) -> Option<Vec<Linear>> {
        self.linear()
    }

    /// Returns the expressions e for which the formula of a proof contains literals `e = v`.
    fn valued(&self) -> &[Expr] {
        &[]
    }

    /// Adds the constraint to the formula of a proof, as linear inequalities over literals or as a clause. Returns a
    /// rule that derives the clauses of the constraint's encoding from these inequalities or this clause, or `None` if
    /// the formula cannot express the constraint.
    fn formula(&self, formula: &mut Formula, domains: Domains<'_>) -> Option<Box<dyn Derive>> {
        let ids = match self.inequalities(domains) {
            Some(linear) => formula::linear(&linear, formula, domains),
            None => formula::clause(&self.clause(domains)?, formula, domains),
        };
        Some(Box::new(Rows(ids?)))
    }

    /// Returns the [frontier states](crate::frontier) of the constraint, or `None` if the model counter should use
    /// the clauses of the constraint.
    fn frontier(&self) -> Option<Box<dyn Frontier>> {
        None
    }
}

impl Sink<'_> {
    /// Writes the clauses of a constraint in its chosen encoding.
    pub fn post(&mut self, constraint: &dyn Constraint) {
        self.written_for(constraint.type_name(), |sink| constraint.encode(sink));
    }

    /// Writes the clauses of a constraint that the formula of the proof does not contain.
    pub(crate) fn post_derived(&mut self, constraint: &dyn Constraint, derivation: &Arc<dyn Derive + Sync>) {
        if self.is_clausal() {
            return;
        }
        let derivation = || Box::new(Arc::clone(derivation)) as Box<dyn Derive>;
        let logged = self.begin_logging(constraint.type_name(), |_, _| Some(derivation()));
        self.post(constraint);
        if logged {
            self.end_logging();
        }
    }
}
