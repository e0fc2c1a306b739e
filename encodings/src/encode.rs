//! The interface of encodings.
//!
//! An [`Encoding`] is a stateless struct of constants and functions for one type of constraint. A constraint type
//! with encodings implements [`Encodable`]. Every type that implements [`Encodable`] also implements [`Encode`],
//! which writes the clauses of the chosen encoding.

use crate::choice::Choice;
use crate::int::Domains;
use crate::sink::Sink;

/// The strength of an encoding: what unit propagation derives from partial assignments of the constraint's variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strength {
    /// Unit propagation derives every literal that the constraint implies, and detects every conflict (generalised
    /// arc consistency; *domain consistency* for integers).
    DomainConsistent,
    /// Given true literals and bounds of integers, unit propagation derives every implied literal and bound (bounds
    /// consistency). For constraints without integers, bounds consistency is the same as domain consistency
    /// ([`Strength::DomainConsistent`]).
    BoundsConsistent,
    /// Unit propagation refutes every partial assignment without a solution, but need not derive every implied
    /// literal.
    ConsistencyChecker,
    /// Unit propagation refutes every total assignment of the scope that violates the constraint.
    TotalAssignments,
    /// Even if all variables of the scope are assigned, a solver may have to search for values of auxiliary variables.
    Search,
    /// The formula has no clauses for the constraint. Instead, the [search](crate::theory) enforces the constraint.
    /// The encoding applies only if [`Encodings::deferring`](crate::Encodings::deferring) allows it.
    Lazy,
}

impl Strength {
    /// Returns whether every encoding of strength `self` also has strength `other`.
    #[must_use]
    pub fn implies(self, other: Self) -> bool {
        match other {
            Self::Lazy => true,
            Self::Search => self != Self::Lazy,
            Self::TotalAssignments => !matches!(self, Self::Search | Self::Lazy),
            _ => self == other || self == Self::DomainConsistent,
        }
    }

    /// Returns the name shown in lists and documentation.
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

/// The effect of an encoding on the number of models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelCount {
    /// Every auxiliary variable is a function of the variables of the constraint, so the number of models of the
    /// formula equals the number of solutions of the constraint.
    Kept,
    /// If [`Encodings::keep_count`](crate::Encodings::keep_count) is set, the encoding preserves the number of models
    /// at the cost of more clauses. Otherwise, auxiliary variables may have several values for the same solution.
    OnRequest,
    /// Auxiliary variables may have several values for the same solution.
    Lost,
}

impl ModelCount {
    /// Returns the name shown in lists and documentation.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::OnRequest => "on-request",
            Self::Lost => "lost",
        }
    }
}

/// An encoding of constraints of type `C` as clauses.
#[derive(Debug)]
pub struct Encoding<C: 'static> {
    /// The name of the encoding on the command line, in lists and in benchmarks.
    pub name: &'static str,
    /// The paper that describes the encoding: authors, title, venue, year.
    pub paper: &'static str,
    /// The strength of unit propagation on the clauses.
    pub strength: Strength,
    /// The effect of the encoding on the number of models.
    pub count: ModelCount,
    /// True if a proof can derive the clauses from the linear inequalities of the constraint and from the definitions
    /// of the auxiliary literals.
    pub derived: bool,
    /// Returns whether the encoding applies to the constraint.
    pub applies: fn(&C, Domains<'_>) -> bool,
    /// Writes the clauses of a constraint. If the constraint is unsatisfiable, writes the empty clause instead of
    /// returning an error.
    pub encode: fn(&C, &mut Sink<'_>),
}

/// Returns `true`. Use this function as [`Encoding::applies`] for an encoding that applies to all constraints of its
/// type.
#[must_use]
pub fn always<C>(_: &C, _: Domains<'_>) -> bool {
    true
}

/// A type of constraint with encodings. The [registry](crate::registry) implements this trait for each type of
/// constraint.
pub trait Encodable: Sized + 'static {
    /// The name of the constraint type on the command line, in statistics and in benchmarks.
    const NAME: &'static str;
    /// A one-line summary of the constraint's semantics.
    const SUMMARY: &'static str;
    /// The encodings of the constraint type. If a type has only one encoding, users cannot choose the encoding.
    const ENCODINGS: &'static [&'static Encoding<Self>];

    /// Returns the encoding that `auto` selects for the constraint.
    fn auto(&self, _domains: Domains<'_>) -> &'static Encoding<Self> {
        Self::ENCODINGS[0]
    }

    /// Returns the encoding that `auto` uses if the solver runs no propagators, or if the formula must be complete.
    fn auto_eager(&self, domains: Domains<'_>) -> &'static Encoding<Self> {
        self.auto(domains)
    }

    /// Returns the encoding that `auto` uses if the number of solutions must be preserved. Model counters are faster
    /// on chains of small clauses: after assigning a variable in the middle, they count both halves of the chain
    /// separately.
    fn auto_to_count(&self, domains: Domains<'_>) -> &'static Encoding<Self> {
        self.auto_eager(domains)
    }

    /// Returns the normal form of the constraint, or `None` if the type has no normal form. The normal form is
    /// encoded in place of the constraint.
    fn normalised(&self, _domains: Domains<'_>) -> Option<Self> {
        None
    }

    /// Returns an equivalent constraint of a more specific type that has better encodings, or `None`. If the user
    /// chose an encoding for the type of `self`, the more specific constraint is not used.
    fn simpler(&self, _domains: Domains<'_>) -> Option<Box<dyn Encode>> {
        None
    }
}

/// A constraint that can be written as clauses. Every [`Encodable`] type implements this trait.
pub trait Encode {
    /// Returns the name of the type of constraint: [`Encodable::NAME`].
    fn type_name(&self) -> &'static str;

    /// Writes the clauses of the constraint. Uses the encoding chosen by the sink's [`Encodings`](crate::Encodings) or,
    /// if this encoding does not apply, the encoding that `auto` selects.
    fn encode(&self, sink: &mut Sink<'_>);
}

/// The description of an [`Encoding`] for lists, without its type parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EncodingRow {
    /// The name of the encoding, as in [`Encoding::name`].
    pub name: &'static str,
    /// The paper that describes the encoding, as in [`Encoding::paper`].
    pub paper: &'static str,
    /// The strength of the encoding, as in [`Encoding::strength`].
    pub strength: Strength,
    /// The effect on the number of models, as in [`Encoding::count`].
    pub count: ModelCount,
    /// True if a proof can derive the clauses, as in [`Encoding::derived`].
    pub derived: bool,
}

/// The description of a constraint type for lists.
#[derive(Debug, Clone, Copy)]
pub struct ConstraintRow {
    /// The name of the constraint type, as in [`Encodable::NAME`].
    pub name: &'static str,
    /// The summary of the constraint type, as in [`Encodable::SUMMARY`].
    pub summary: &'static str,
    /// The encodings of the constraint type.
    pub encodings: fn() -> Vec<EncodingRow>,
}

impl ConstraintRow {
    /// Creates the description of the constraint type `C`.
    pub(crate) const fn of<C: Encodable>() -> Self {
        let encodings =
            || {
                let row = |&&Encoding { name, paper, strength, count, derived, .. }: &&Encoding<C>| {
                    EncodingRow { name, paper, strength, count, derived }
                };
                C::ENCODINGS.iter().map(row).collect()
            };
        Self { name: C::NAME, summary: C::SUMMARY, encodings }
    }
}

impl PartialEq for ConstraintRow {
    /// Returns whether two descriptions describe the same constraint type.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for ConstraintRow {}

impl<C: Encodable> From<&'static Encoding<C>> for Choice {
    fn from(encoding: &'static Encoding<C>) -> Self {
        Self { constraint: C::NAME, encoding: Some(encoding.name) }
    }
}
