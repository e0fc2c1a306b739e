//! The selection of an encoding for a constraint.

use gordian_proofs::ProofError;

use crate::choice::{Encodings, Fallback};
use crate::constraint::{Constraint, Scope};
use crate::encode::{Encodable, Encode, Encoding, ModelCount, Strength};
use crate::int::Domains;
use crate::lit::Lit;
use crate::sink::Sink;
use crate::view;

/// If the formula already has at least this many clauses, `auto` uses propagators for further large constraints.
const MOST_CLAUSES: u64 = 400_000;
/// The minimum number of variables of a large constraint.
const LARGE: usize = 16;

/// Returns the lazy encoding that `auto` uses for a large constraint when the formula has many clauses.
fn lazy<C: Encodable + Constraint>(constraint: &C, sink: &Sink<'_>) -> Option<&'static Encoding<C>> {
    let (encodings, domains) = (sink.encodings(), sink.domains());
    if !encodings.propagates() || sink.clauses() < MOST_CLAUSES {
        return None;
    }
    let Scope { lits, ints } = constraint.scope();
    // A propagator needs the order views of all integers.
    let starts_in_order = |x| view::starts_in_order(domains.of(x)) && !domains.is_lazy(x);
    let is_fit = lits.len() + ints.len() >= LARGE && ints.iter().all(|&x| starts_in_order(x));
    let is_lazy = |encoding: &&'static Encoding<C>| {
        let is_suitable = encoding.derived || !encodings.derives();
        encoding.strength == Strength::Lazy && is_suitable && (encoding.applies)(constraint, domains)
    };
    C::ENCODINGS.iter().copied().filter(|_| is_fit && encodings.chosen(C::NAME).is_none()).find(is_lazy)
}

/// Returns a simpler constraint to encode instead, or `None` to encode the constraint as given.
fn simpler<C: Encodable>(
    constraint: &C,
    domains: Domains<'_>,
    encodings: &Encodings,
) -> Option<Box<dyn Encode>> {
    // If the number of solutions must be preserved, the constraint is not replaced: the simpler type of constraint may
    // have no small encoding that preserves this number.
    let allowed = encodings.chosen(C::NAME).is_none() && !encodings.keeps_count();
    if allowed { constraint.simpler(domains) } else { None }
}

/// Returns the first encoding that is allowed and applies, in this order: the chosen encoding, the encoding that `auto`
/// selects, and all other encodings in the order of the list.
fn choose<C: Encodable>(constraint: &C, domains: Domains<'_>, encodings: &Encodings) -> &'static Encoding<C> {
    let (keep_count, defers, derives) = (encodings.keeps_count(), encodings.defers(), encodings.derives());
    let fits = |encoding: &&'static Encoding<C>| {
        (encoding.applies)(constraint, domains)
            && !(keep_count && encoding.count == ModelCount::Lost)
            && (defers || encoding.strength != Strength::Lazy)
            && (!derives || encoding.derived)
    };
    let chosen = encodings.chosen(C::NAME);
    let chosen = C::ENCODINGS.iter().copied().filter(|encoding| Some(encoding.name) == chosen);
    let auto = match () {
        () if keep_count => constraint.auto_to_count(domains),
        () if encodings.propagates() => constraint.auto(domains),
        () => constraint.auto_eager(domains),
    };
    chosen.chain([auto]).chain(C::ENCODINGS.iter().copied()).find(fits).unwrap_or(auto)
}

impl<C: Encodable + Constraint> Encode for C {
    fn type_name(&self) -> &'static str {
        C::NAME
    }

    fn encode(&self, sink: &mut Sink<'_>) {
        if sink.write_sums(self) {
            return;
        }
        if sink.is_logged() {
            // The formula can contain these literals only if they exist.
            for x in sink.integers_for(self.valued()) {
                sink.direct(x);
            }
        }
        let logged = sink.begin_logging(C::NAME, |formula, domains| self.formula(formula, domains));
        let normal = self.normalised(sink.domains());
        let this = normal.as_ref().unwrap_or(self);
        match (lazy(this, sink), simpler(this, sink.domains(), sink.encodings())) {
            (None, Some(simpler)) => simpler.encode(sink),
            (lazy, _) => encode(this, lazy, sink),
        }
        if logged {
            sink.end_logging();
        }
    }
}

/// Writes the clauses of a constraint in its chosen encoding. For a proof, a constraint that is equivalent to a clause
/// is written as this clause.
fn encode<C: Encodable + Constraint>(this: &C, lazy: Option<&'static Encoding<C>>, sink: &mut Sink<'_>) {
    if sink.encodings().derives()
        && let Some(atoms) = this.clause(sink.domains())
    {
        let lits: Vec<Lit> = atoms.into_iter().map(|atom| sink.atom(atom)).collect();
        return sink.clause(&lits);
    }
    let encoding = lazy.unwrap_or_else(|| choose(this, sink.domains(), sink.encodings()));
    let (constraint, used) = (C::NAME, encoding.name);
    if let Some(chosen) = sink.encodings().chosen(constraint).filter(|&chosen| chosen != used) {
        sink.fall_back(Fallback::Replaced { constraint, chosen, used });
    }
    if sink.keeps_count() && encoding.count == ModelCount::Lost {
        sink.fall_back(Fallback::CountLost { constraint, used });
    }
    if sink.encodings().derives() && !encoding.derived {
        sink.refuse(ProofError::NoFormula { constraint: constraint.to_owned() });
    }
    sink.used(constraint, used);
    (encoding.encode)(this, sink);
}
