//! Meanings: what can be asked to hold. No clauses here.
//!
//! A meaning is a plain struct that implements [`Meaning`]: its scope, when it holds, and which techniques can encode
//! it. [`Constraint`] is the same without the type, which is what a [`Model`](crate::Model) keeps. A new meaning is
//! one file here and one row in [`MEANINGS`].

use std::fmt::Debug;
use std::sync::Arc;

use crate::assignment::Assignment;
use crate::bounded_sum;
use crate::choice::{Departure, Encodings};
use crate::encoding::{Count, Size, Strength, Technique};
use crate::int::{self, Domains, IntVar};
use crate::lit::Lit;
use crate::sink::Sink;

mod absolute;
mod all_different;
mod at_most_one;
mod atom;
mod cardinality;
mod clause;
mod conditional;
mod conjunction;
mod connected;
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
mod occurrences;
mod path;
mod permutation;
mod product;
mod table;

pub use absolute::Absolute;
pub use all_different::AllDifferent;
pub use at_most_one::AtMostOne;
pub(crate) use at_most_one::PAIRWISE_UP_TO;
pub use atom::Atom;
pub use cardinality::Cardinality;
pub use clause::Clause;
pub use conditional::Conditional;
pub use conjunction::Conjunction;
pub use connected::Connected;
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
pub use occurrences::{Occurrences, Times};
pub use path::Path;
pub use permutation::Permutation;
pub use product::Product;
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

/// A kind of constraint, with the techniques that encode it.
pub trait Meaning: Debug + Send + Sync + Sized + 'static {
    /// The word on the command line, in statistics and in bench columns.
    const NAME: &'static str;
    /// What it says, in one line.
    const SUMMARY: &'static str;

    /// The techniques that can encode it.
    fn techniques() -> &'static [&'static Technique<Self>];

    /// The technique for a constraint of this size.
    fn auto(&self, domains: Domains<'_>) -> &'static Technique<Self>;

    /// The same as a constraint of a meaning with less to say, which has better techniques; asked for only where no
    /// technique was chosen for this meaning.
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

    /// Writes its clauses by the technique that the sink's [`Encodings`] choose, if it applies, and by the automatic one
    /// otherwise.
    fn encode(&self, sink: &mut Sink<'_>);

    /// The size that the technique which [`Constraint::encode`] would use declares. See [`Technique::size`].
    ///
    /// ```
    /// use gordian_encodings::constraint::Cardinality;
    /// use gordian_encodings::{Constraint, Encodings, Model, Size};
    ///
    /// let mut model = Model::new();
    /// let lits: Vec<_> = (0..10).map(|_| model.boolean()).collect();
    /// let mut encodings = Encodings::auto();
    /// encodings.choose_from("cardinality=sequential-counter").unwrap();
    /// let size = Cardinality::at_most(lits, 3).size(model.domains(), &encodings);
    /// assert_eq!(size, Size::exactly(3 * 7, 7 * 7 - 3));
    /// ```
    fn size(&self, domains: Domains<'_>, encodings: &Encodings) -> Size;
}

/// How a constraint is encoded.
enum Choice<M: 'static> {
    /// As one of a meaning with less to say.
    Simpler(Box<dyn Constraint>),
    By(&'static Technique<M>),
}

/// How a constraint is encoded under a choice of techniques.
fn choose<M: Meaning>(constraint: &M, domains: Domains<'_>, encodings: &Encodings) -> Choice<M> {
    let (keep_count, defers) = (encodings.keeps_count(), encodings.defers());
    let fits = |technique: &&&Technique<M>| {
        (technique.applies)(constraint, domains)
            && !(keep_count && technique.count == Count::Lost)
            && (defers || technique.strength != Strength::Deferred)
    };
    let chosen = encodings.chosen(M::NAME);
    // Where the number of solutions must be kept, the simpler meaning may have no small technique that does.
    if chosen.is_none()
        && !keep_count
        && let Some(simpler) = constraint.simpler(domains)
    {
        return Choice::Simpler(simpler);
    }
    let auto = constraint.auto(domains);
    let technique = M::techniques()
        .iter()
        .filter(|technique| Some(technique.name) == chosen)
        .find(fits)
        .copied()
        .or_else(|| Some(auto).filter(|technique| fits(&technique)))
        .or_else(|| M::techniques().iter().find(fits).copied());
    Choice::By(technique.unwrap_or(auto))
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
        let technique = match choose(self, sink.domains(), sink.encodings()) {
            Choice::Simpler(simpler) => return simpler.encode(sink),
            Choice::By(technique) => technique,
        };
        let (meaning, used) = (M::NAME, technique.name);
        if let Some(chosen) = sink.encodings().chosen(M::NAME).filter(|&chosen| chosen != used) {
            sink.depart(Departure::Replaced { meaning, chosen, used });
        }
        if sink.keeps_count() && technique.count == Count::Lost {
            sink.depart(Departure::CountLost { meaning, used });
        }
        sink.used(M::NAME, technique.name);
        (technique.encode)(self, sink);
    }

    fn size(&self, domains: Domains<'_>, encodings: &Encodings) -> Size {
        match choose(self, domains, encodings) {
            Choice::Simpler(simpler) => simpler.size(domains, encodings),
            Choice::By(technique) => (technique.size)(self, domains, encodings),
        }
    }
}

/// A technique in the table of meanings, without its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TechniqueRow {
    /// See [`Technique::name`].
    pub name: &'static str,
    /// See [`Technique::paper`].
    pub paper: &'static str,
    /// See [`Technique::strength`].
    pub strength: Strength,
    /// See [`Technique::count`].
    pub count: Count,
}

/// A meaning in the table.
#[derive(Debug, Clone, Copy)]
pub struct MeaningRow {
    /// See [`Meaning::NAME`].
    pub name: &'static str,
    /// See [`Meaning::SUMMARY`].
    pub summary: &'static str,
    /// The techniques that can be chosen for it.
    pub techniques: fn() -> Vec<TechniqueRow>,
}

const fn row<M: Meaning>() -> MeaningRow {
    MeaningRow { name: M::NAME, summary: M::SUMMARY, techniques: technique_rows::<M> }
}

fn technique_rows<M: Meaning>() -> Vec<TechniqueRow> {
    let untyped = |technique: &&Technique<M>| TechniqueRow {
        name: technique.name,
        paper: technique.paper,
        strength: technique.strength,
        count: technique.count,
    };
    M::techniques().iter().map(untyped).collect()
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
    row::<Occurrences>(),
    row::<Element>(),
    row::<Table>(),
    row::<Lexicographic>(),
    row::<Conditional>(),
    row::<Negation>(),
    row::<Conjunction>(),
    row::<Disjunction>(),
    row::<Connected>(),
    row::<Disconnected>(),
    row::<Path>(),
    bounded_sum::ROW,
];
