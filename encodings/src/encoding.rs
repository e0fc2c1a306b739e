//! Encodings: ways to put a meaning into clauses, one file each, under the name the literature uses.
//!
//! An encoding is a row of constants and two functions ([`Encoding`]); it keeps no state. A new one is a new file
//! here and one more entry in the list of the meaning it encodes.

use crate::int::Domains;
use crate::sink::Sink;

pub mod adder;
pub mod all_different;
pub mod bimander;
pub mod binomial;
pub mod bitwise;
pub mod cardinality_network;
pub mod clause;
pub mod commander;
pub mod conjunction;
pub mod connectivity_cuts;
pub mod connectivity_propagator;
pub mod count;
pub mod decision_diagram;
pub mod degrees;
pub mod disjunction;
pub mod element;
pub mod equality;
pub mod exactly_one;
pub mod extremum;
pub(crate) mod from_rustsat;
mod inequality;
pub mod ladder;
mod layered_graph;
pub mod lexicographic;
pub mod linear;
pub mod mdd;
pub mod multiplier;
pub mod negation;
pub mod order;
pub mod pairwise;
pub mod parent_tree;
pub mod parts;
pub mod permutation;
pub mod product;
pub mod pseudo_boolean;
pub mod reachability_layers;
pub mod reified;
pub mod sequential_counter;
pub mod support;
pub mod table;
pub mod totalizer;

/// How much of what follows from a partial assignment unit propagation finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strength {
    /// All of it: every literal of the scope that the constraint implies is propagated, and every conflict is found
    /// (generalised arc consistency; *domain consistency* for integers).
    DomainConsistent,
    /// All that follows for literals and for the bounds of integers, from literals and bounds (bounds consistency).
    /// Without integers, the same as [`Strength::DomainConsistent`].
    BoundsConsistent,
    /// Each conflict of the constraint with a partial assignment is found, but not every implied literal.
    ConsistencyChecker,
    /// Conflicts are certain to be found once the whole scope has values.
    TotalAssignments,
    /// Even then a solver may have to search, among auxiliary variables.
    Search,
    /// The clauses alone do not say it: the constraint is [left to the search](crate::theory). The encoding applies
    /// only where [`Encodings::deferring`](crate::Encodings::deferring) was asked for.
    Lazy,
}

impl Strength {
    /// Whether an encoding of this strength has the `other` too.
    #[must_use]
    pub fn implies(self, other: Self) -> bool {
        match other {
            Self::Lazy => true,
            Self::Search => self != Self::Lazy,
            Self::TotalAssignments => !matches!(self, Self::Search | Self::Lazy),
            _ => self == other || self == Self::DomainConsistent,
        }
    }

    /// The name in lists and docs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::DomainConsistent => "domain consistent",
            Self::BoundsConsistent => "bounds consistent",
            Self::ConsistencyChecker => "consistency checker",
            Self::TotalAssignments => "total assignments",
            Self::Lazy => "lazy",
            Self::Search => "search",
        }
    }
}

/// What becomes of the number of solutions, seen through the auxiliary variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelCount {
    /// Every auxiliary variable is a function of the inputs: the formula has as many models as the constraint.
    Kept,
    /// As [`ModelCount::Kept`] when the encoding is asked for it ([`Encodings::keep_count`](crate::Encodings::keep_count)),
    /// at the price of more clauses; [`ModelCount::Lost`] otherwise.
    OnRequest,
    /// Auxiliary variables may have several values for one solution.
    Lost,
}

impl ModelCount {
    /// The name in lists and docs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::OnRequest => "on-request",
            Self::Lost => "lost",
        }
    }
}

/// One way to encode the meaning `C`.
#[derive(Debug)]
pub struct Encoding<C: 'static> {
    /// The word on the command line, in lists and in bench columns.
    pub name: &'static str,
    /// Authors, title, venue, year.
    pub paper: &'static str,
    /// What unit propagation finds.
    pub strength: Strength,
    /// What becomes of the number of solutions.
    pub count: ModelCount,
    /// Whether this encoding can encode the constraint at all.
    pub applies: fn(&C, Domains<'_>) -> bool,
    /// Writes the clauses. Cannot fail: what can't be satisfied is an empty clause.
    pub encode: fn(&C, &mut Sink<'_>),
}

/// For [`Encoding::applies`]: there is no constraint of this meaning that the encoding can't encode.
#[must_use]
pub fn always<C>(_: &C, _: Domains<'_>) -> bool {
    true
}
