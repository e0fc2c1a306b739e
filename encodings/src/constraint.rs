//! Constraints: what must hold.
//!
//! A constraint is a plain struct that implements [`Constraint`]: its scope, when it holds, its negation. How it becomes
//! clauses is not said here: see [`encoding`](crate::encoding) and the [registry](crate::registry).

use std::fmt::Debug;
use std::sync::Arc;

use crate::assignment::Assignment;
use crate::encode::Encode;
use crate::int::{Domains, IntVar};
use crate::lit::Lit;
use crate::sink::Sink;

mod absolute;
mod all_different;
mod at_most_one;
mod atom;
mod cardinality;
mod clause;
mod conjunction;
mod connected;
mod count;
mod disconnected;
mod disjunction;
mod division;
mod element;
mod equality;
mod exactly_one;
mod extremum;
mod lexicographic;
mod linear;
mod negation;
mod path;
mod permutation;
mod product;
mod reified;
mod table;

pub use absolute::Absolute;
pub use all_different::AllDifferent;
pub(crate) use all_different::can_enumerate;
pub use at_most_one::AtMostOne;
pub use atom::Atom;
pub use cardinality::Cardinality;
pub use clause::Clause;
pub use conjunction::Conjunction;
pub use connected::Connected;
pub use count::{Count, Times};
pub use disconnected::Disconnected;
pub use disjunction::Disjunction;
pub use division::Division;
pub use element::Element;
pub use equality::Equality;
pub use exactly_one::ExactlyOne;
pub use extremum::Extremum;
pub use lexicographic::Lexicographic;
pub use linear::{Comparison, Linear, Term};
pub use negation::Negation;
pub use path::Path;
pub use permutation::Permutation;
pub use product::Product;
pub use reified::Reified;
pub use table::{Entry, Table};

/// The variables a constraint speaks of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    /// Its literals, constants and repetitions included.
    pub lits: Vec<Lit>,
    /// Its integer variables.
    pub ints: Vec<IntVar>,
}

impl Scope {
    /// What all of the constraints speak of.
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

/// What must hold. Each type of constraint is one file here, and writes itself as clauses by [`Encode`].
pub trait Constraint: Encode + Debug + Send + Sync + 'static {
    /// The variables of the constraint.
    fn scope(&self) -> Scope;

    /// Returns whether `assignment` satisfies the constraint.
    fn holds(&self, assignment: &Assignment) -> bool;

    /// The constraint that holds exactly where this one does not.
    fn negation(&self, domains: Domains<'_>) -> Arc<dyn Constraint>;

    /// The constraint as one clause, if it is one.
    fn clause(&self, _domains: Domains<'_>) -> Option<Vec<Atom>> {
        None
    }

    /// The constraint as a conjunction of linear constraints, if it is one, for receivers that take these as they are.
    fn linear(&self) -> Option<Vec<Linear>> {
        None
    }
}

impl Sink<'_> {
    /// Writes the clauses of a constraint, by the encoding chosen for it.
    pub fn post(&mut self, constraint: &dyn Constraint) {
        self.written_for(constraint.type_name(), |sink| {
            if !sink.write_sums(constraint) {
                constraint.encode(sink);
            }
        });
    }
}
