//! Encodings: ways to put a meaning into clauses, one file each, under the name the literature uses.
//!
//! An encoding is a row of constants and two functions ([`Encoding`]); it keeps no state. A new one is a new file
//! here and one more entry in the list of the meaning it encodes.

use crate::choice::Encodings;
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

/// A kind of clauses of which some could be left out, one at a time, without losing models, propagation or the number of
/// solutions; with which they are, or why they are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Redundant {
    /// Other clauses say the same by unit propagation: where all its literals are false, they contradict each other.
    Implied(&'static str),
    /// It defines an auxiliary literal that no needed clause looks at: blocked, or blocked once others are left out for
    /// that, or implied together with each clause that does look.
    Unread(&'static str),
    /// It follows from the other clauses, but only by a search: unit propagation does not find it.
    Entailed(&'static str),
    /// It does not follow: without it auxiliary literals could have values that it excludes, but no other assignment of the
    /// inputs would be a model. There are more ways to say the same.
    Alternative(&'static str),
}

/// The size of an encoding, or a bound on it. Sizes add up: a sum is exact if all of its parts are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Auxiliary variables.
    pub variables: u64,
    /// Clauses.
    pub clauses: u64,
    /// Whether there are exactly so many, rather than at most.
    pub exact: bool,
}

impl Size {
    /// Nothing at all.
    pub const NONE: Self = Self::exactly(0, 0);

    /// Exactly so many variables and clauses.
    #[must_use]
    pub const fn exactly(variables: u64, clauses: u64) -> Self {
        Self { variables, clauses, exact: true }
    }

    /// At most so many variables and clauses.
    #[must_use]
    pub const fn at_most(variables: u64, clauses: u64) -> Self {
        Self { variables, clauses, exact: false }
    }

    /// So many times this.
    #[must_use]
    pub fn times(self, n: u64) -> Self {
        let (variables, clauses) = (self.variables.saturating_mul(n), self.clauses.saturating_mul(n));
        Self { variables, clauses, ..self }
    }

    /// At most this under so many conditions: where the number of solutions is kept, a variable that nothing defines without
    /// them has a clause for each.
    #[must_use]
    pub fn under(self, conditions: u64, encodings: &Encodings) -> Self {
        if !encodings.keeps_count() || self.variables == 0 {
            return self;
        }
        let clauses = self.clauses.saturating_add(self.variables.saturating_mul(conditions));
        Self { clauses, exact: self.exact && conditions == 0, ..self }
    }
}

impl std::ops::Add for Size {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            variables: self.variables.saturating_add(other.variables),
            clauses: self.clauses.saturating_add(other.clauses),
            exact: self.exact && other.exact,
        }
    }
}

impl std::iter::Sum for Size {
    fn sum<I: Iterator<Item = Self>>(sizes: I) -> Self {
        sizes.fold(Self::NONE, |sum, size| sum + size)
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
    /// The size for inputs that are distinct variables or constants, without the views of integers
    /// ([`View::size`](crate::int::View::size)), with [`ModelCount::OnRequest`]'s clauses where they are asked for; of encodings
    /// that post other constraints, with those encoded as told. Its closed form is in the encoding's doc. Nothing is written
    /// to find it out.
    pub size: fn(&C, Domains<'_>, &Encodings) -> Size,
    /// Which clauses could be left out without losing models, propagation or the number of solutions; none where every
    /// clause is needed. Of encodings that post other constraints, with those encoded as `auto` does.
    pub redundant: &'static [Redundant],
    /// Writes the clauses. Cannot fail: what can't be satisfied is an empty clause.
    pub encode: fn(&C, &mut Sink<'_>),
}

/// For [`Encoding::applies`]: there is no constraint of this meaning that the encoding can't encode.
#[must_use]
pub fn always<C>(_: &C, _: Domains<'_>) -> bool {
    true
}
