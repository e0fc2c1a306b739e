//! What an encoding is, and which encoding writes a constraint.
//!
//! An [`Encoding`] is a row of constants and functions for one type of constraint; it keeps no state. A type with
//! encodings is [`Encodable`], and every such type can [`Encode`] itself by the encoding chosen for it.

use crate::choice::{Choice, Encodings, Fallback};
use crate::int::Domains;
use crate::sink::Sink;

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

/// One way to write constraints of the type `C` as clauses.
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

/// For [`Encoding::applies`]: there is no constraint of its type that the encoding can't encode.
#[must_use]
pub fn always<C>(_: &C, _: Domains<'_>) -> bool {
    true
}

/// A type of constraint that has encodings. The [registry](crate::registry) implements it, once for each type.
pub trait Encodable: Sized + 'static {
    /// The name on the command line, in statistics and in bench columns.
    const NAME: &'static str;
    /// What the constraint says, in one line.
    const SUMMARY: &'static str;
    /// The encodings. Where there is only one, there is nothing to choose.
    const ENCODINGS: &'static [&'static Encoding<Self>];

    /// The encoding that `auto` takes for this constraint.
    fn auto(&self, _domains: Domains<'_>) -> &'static Encoding<Self> {
        Self::ENCODINGS[0]
    }

    /// The normal form of the constraint, which the encodings get instead of it; `None` if they get it as it is.
    fn normalised(&self, _domains: Domains<'_>) -> Option<Self> {
        None
    }

    /// An equivalent constraint of a more special type, which has better encodings. It is not used where an encoding
    /// was chosen for this type.
    fn simpler(&self, _domains: Domains<'_>) -> Option<Box<dyn Encode>> {
        None
    }
}

/// Writes itself as clauses. Every [`Encodable`] type does.
pub trait Encode {
    /// The name of the type of constraint: [`Encodable::NAME`].
    fn type_name(&self) -> &'static str;

    /// Writes the clauses, by the encoding that the sink's [`Encodings`] choose if it applies, and by the automatic
    /// one otherwise.
    fn encode(&self, sink: &mut Sink<'_>);
}

/// The simpler constraint that is encoded instead, if there is one.
fn simpler<C: Encodable>(
    constraint: &C,
    domains: Domains<'_>,
    encodings: &Encodings,
) -> Option<Box<dyn Encode>> {
    // Where the number of solutions must be kept, the simpler type may have no small encoding that does.
    let allowed = encodings.chosen(C::NAME).is_none() && !encodings.keeps_count();
    if allowed { constraint.simpler(domains) } else { None }
}

/// The encoding for a constraint: the chosen one, the automatic one, or the first that fits.
fn choose<C: Encodable>(constraint: &C, domains: Domains<'_>, encodings: &Encodings) -> &'static Encoding<C> {
    let (keep_count, defers) = (encodings.keeps_count(), encodings.defers());
    let fits = |encoding: &&'static Encoding<C>| {
        (encoding.applies)(constraint, domains)
            && !(keep_count && encoding.count == ModelCount::Lost)
            && (defers || encoding.strength != Strength::Lazy)
    };
    let chosen = encodings.chosen(C::NAME);
    let chosen = C::ENCODINGS.iter().copied().filter(|encoding| Some(encoding.name) == chosen);
    let auto = constraint.auto(domains);
    chosen.chain([auto]).chain(C::ENCODINGS.iter().copied()).find(fits).unwrap_or(auto)
}

impl<C: Encodable> Encode for C {
    fn type_name(&self) -> &'static str {
        C::NAME
    }

    fn encode(&self, sink: &mut Sink<'_>) {
        let normal = self.normalised(sink.domains());
        let this = normal.as_ref().unwrap_or(self);
        if let Some(simpler) = simpler(this, sink.domains(), sink.encodings()) {
            return simpler.encode(sink);
        }
        let encoding = choose(this, sink.domains(), sink.encodings());
        let (constraint, used) = (C::NAME, encoding.name);
        if let Some(chosen) = sink.encodings().chosen(constraint).filter(|&chosen| chosen != used) {
            sink.fall_back(Fallback::Replaced { constraint, chosen, used });
        }
        if sink.keeps_count() && encoding.count == ModelCount::Lost {
            sink.fall_back(Fallback::CountLost { constraint, used });
        }
        sink.used(constraint, used);
        (encoding.encode)(this, sink);
    }
}

/// An [`Encoding`] without its type, for lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EncodingRow {
    /// See [`Encoding::name`].
    pub name: &'static str,
    /// See [`Encoding::paper`].
    pub paper: &'static str,
    /// See [`Encoding::strength`].
    pub strength: Strength,
    /// See [`Encoding::count`].
    pub count: ModelCount,
}

/// A type of constraint, for lists.
#[derive(Debug, Clone, Copy)]
pub struct ConstraintRow {
    /// See [`Encodable::NAME`].
    pub name: &'static str,
    /// See [`Encodable::SUMMARY`].
    pub summary: &'static str,
    /// The encodings of the constraint.
    pub encodings: fn() -> Vec<EncodingRow>,
}

impl ConstraintRow {
    /// The row of a type of constraint.
    pub(crate) const fn of<C: Encodable>() -> Self {
        let encodings = || {
            let row = |&&Encoding { name, paper, strength, count, .. }: &&Encoding<C>| EncodingRow {
                name,
                paper,
                strength,
                count,
            };
            C::ENCODINGS.iter().map(row).collect()
        };
        Self { name: C::NAME, summary: C::SUMMARY, encodings }
    }
}

impl PartialEq for ConstraintRow {
    /// Rows are equal if they have the same name.
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
