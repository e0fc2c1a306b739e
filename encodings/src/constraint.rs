//! Meanings: what can be asked to hold. No clauses here.
//!
//! A meaning is a plain struct that implements [`Meaning`]: its scope, when it holds, and which encodings can encode
//! it. [`Constraint`] is the same without the type, which is what a [`Model`](crate::Model) keeps. A new meaning is
//! one file here and one row in [`MEANINGS`].

use std::fmt::Debug;
use std::sync::Arc;

use crate::assignment::Assignment;
use crate::bounded_sum;
use crate::choice::{Encodings, Fallback};
use crate::encoding::{Encoding, ModelCount, Strength};
use crate::int::{self, Domains, IntVar};
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
pub use at_most_one::AtMostOne;
pub(crate) use at_most_one::PAIRWISE_UP_TO;
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

/// A kind of constraint, with the encodings that encode it.
pub trait Meaning: Debug + Send + Sync + Sized + 'static {
    /// The word on the command line, in statistics and in bench columns.
    const NAME: &'static str;
    /// What it says, in one line.
    const SUMMARY: &'static str;

    /// The encodings that can encode it.
    fn encodings() -> &'static [&'static Encoding<Self>];

    /// The encoding for a constraint of this size.
    fn auto(&self, domains: Domains<'_>) -> &'static Encoding<Self>;

    /// The normal form of the constraint, which its encodings get instead of it; `None` if they get it as it is.
    fn normalised(&self, _domains: Domains<'_>) -> Option<Self> {
        None
    }

    /// The same as a constraint of a meaning with less to say, which has better encodings; asked for only where no
    /// encoding was chosen for this meaning.
    fn simpler(&self, _domains: Domains<'_>) -> Option<Box<dyn Constraint>> {
        None
    }

    /// The variables it speaks of.
    fn scope(&self) -> Scope;

    /// Whether the assignment satisfies it.
    fn holds(&self, assignment: &Assignment) -> bool;

    /// The constraint that holds exactly where this one doesn't.
    fn negation(&self, domains: Domains<'_>) -> Arc<dyn Constraint>;

    /// Literals of which one holds exactly where the constraint does, if it is a clause.
    fn clause(&self, _domains: Domains<'_>) -> Option<Vec<Atom>> {
        None
    }

    /// The linear constraints that say the same together, if there are any: for receivers that take them as they are.
    fn linear(&self) -> Option<Vec<Linear>> {
        None
    }
}

/// A constraint of any meaning.
pub trait Constraint: Debug + Send + Sync {
    /// The name of its meaning.
    fn meaning(&self) -> &'static str;

    /// The variables it speaks of.
    fn scope(&self) -> Scope;

    /// Whether the assignment satisfies it.
    fn holds(&self, assignment: &Assignment) -> bool;

    /// See [`Meaning::negation`].
    fn negation(&self, domains: Domains<'_>) -> Arc<dyn Constraint>;

    /// See [`Meaning::clause`].
    fn clause(&self, domains: Domains<'_>) -> Option<Vec<Atom>>;

    /// See [`Meaning::linear`].
    fn linear(&self) -> Option<Vec<Linear>>;

    /// Writes its clauses by the encoding that the sink's [`Encodings`] choose, if it applies, and by the automatic one
    /// otherwise.
    fn encode(&self, sink: &mut Sink<'_>);
}

/// How a constraint is encoded.
enum Choice<M: 'static> {
    /// As one of a meaning with less to say.
    Simpler(Box<dyn Constraint>),
    By(&'static Encoding<M>),
}

/// How a constraint is encoded under a choice of encodings.
fn choose<M: Meaning>(constraint: &M, domains: Domains<'_>, encodings: &Encodings) -> Choice<M> {
    let (keep_count, defers) = (encodings.keeps_count(), encodings.defers());
    let fits = |encoding: &&&Encoding<M>| {
        (encoding.applies)(constraint, domains)
            && !(keep_count && encoding.count == ModelCount::Lost)
            && (defers || encoding.strength != Strength::Lazy)
    };
    let chosen = encodings.chosen(M::NAME);
    // Where the number of solutions must be kept, the simpler meaning may have no small encoding that does.
    if chosen.is_none()
        && !keep_count
        && let Some(simpler) = constraint.simpler(domains)
    {
        return Choice::Simpler(simpler);
    }
    let auto = constraint.auto(domains);
    let encoding = M::encodings()
        .iter()
        .filter(|encoding| Some(encoding.name) == chosen)
        .find(fits)
        .copied()
        .or_else(|| Some(auto).filter(|encoding| fits(&encoding)))
        .or_else(|| M::encodings().iter().find(fits).copied());
    Choice::By(encoding.unwrap_or(auto))
}

impl<M: Meaning> Constraint for M {
    fn meaning(&self) -> &'static str {
        M::NAME
    }

    fn scope(&self) -> Scope {
        Meaning::scope(self)
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        Meaning::holds(self, assignment)
    }

    fn negation(&self, domains: Domains<'_>) -> Arc<dyn Constraint> {
        Meaning::negation(self, domains)
    }

    fn clause(&self, domains: Domains<'_>) -> Option<Vec<Atom>> {
        Meaning::clause(self, domains)
    }

    fn linear(&self) -> Option<Vec<Linear>> {
        Meaning::linear(self)
    }

    fn encode(&self, sink: &mut Sink<'_>) {
        let normal = self.normalised(sink.domains());
        let constraint = normal.as_ref().unwrap_or(self);
        let encoding = match choose(constraint, sink.domains(), sink.encodings()) {
            Choice::Simpler(simpler) => return simpler.encode(sink),
            Choice::By(encoding) => encoding,
        };
        let (meaning, used) = (M::NAME, encoding.name);
        if let Some(chosen) = sink.encodings().chosen(M::NAME).filter(|&chosen| chosen != used) {
            sink.fall_back(Fallback::Replaced { meaning, chosen, used });
        }
        if sink.keeps_count() && encoding.count == ModelCount::Lost {
            sink.fall_back(Fallback::CountLost { meaning, used });
        }
        sink.used(M::NAME, encoding.name);
        (encoding.encode)(constraint, sink);
    }
}

/// An encoding in the table of meanings, without its type.
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

/// A meaning in the table.
#[derive(Debug, Clone, Copy)]
pub struct MeaningRow {
    /// See [`Meaning::NAME`].
    pub name: &'static str,
    /// See [`Meaning::SUMMARY`].
    pub summary: &'static str,
    /// The encodings that can be chosen for it.
    pub encodings: fn() -> Vec<EncodingRow>,
}

const fn row<M: Meaning>() -> MeaningRow {
    MeaningRow { name: M::NAME, summary: M::SUMMARY, encodings: encoding_rows::<M> }
}

fn encoding_rows<M: Meaning>() -> Vec<EncodingRow> {
    let untyped = |encoding: &&Encoding<M>| EncodingRow {
        name: encoding.name,
        paper: encoding.paper,
        strength: encoding.strength,
        count: encoding.count,
    };
    M::encodings().iter().map(untyped).collect()
}

/// Every meaning, in the order lists show them.
pub static MEANINGS: &[MeaningRow] = &[
    int::ROW,
    row::<Clause>(),
    row::<AtMostOne>(),
    row::<ExactlyOne>(),
    row::<Cardinality>(),
    row::<Linear>(),
    row::<Equality>(),
    row::<Product>(),
    row::<Division>(),
    row::<Absolute>(),
    row::<Extremum>(),
    row::<AllDifferent>(),
    row::<Permutation>(),
    row::<Count>(),
    row::<Element>(),
    row::<Table>(),
    row::<Lexicographic>(),
    row::<Reified>(),
    row::<Negation>(),
    row::<Conjunction>(),
    row::<Disjunction>(),
    row::<Connected>(),
    row::<Disconnected>(),
    row::<Path>(),
    bounded_sum::ROW,
];
