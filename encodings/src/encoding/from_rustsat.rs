//! Adapters that run rustsat's encoders on a [`Sink`].

use rustsat::OutOfMemory;
use rustsat::encodings::{CollectClauses, am1};
use rustsat::instances::ManageVars;
use rustsat::types::{Clause, Lit, Var};

use super::pairwise;
use crate::constraint::AtMostOne;
use crate::sink::Sink;

/// Numbers rustsat's variables, starting with the first unused variable of the sink.
#[derive(Debug)]
pub(crate) struct Numbers {
    next: u32,
}

impl ManageVars for Numbers {
    fn new_var(&mut self) -> Var {
        self.next += 1;
        Var::new(self.next - 1)
    }

    fn max_var(&self) -> Option<Var> {
        self.next.checked_sub(1).map(Var::new)
    }

    fn increase_next_free(&mut self, var: Var) -> bool {
        let more = var.idx32() > self.next;
        self.next = self.next.max(var.idx32());
        more
    }

    fn combine(&mut self, other: Self) {
        self.next = self.next.max(other.next);
    }

    fn n_used(&self) -> u32 {
        self.next
    }

    fn forget_from(&mut self, min_var: Var) {
        self.next = self.next.min(min_var.idx32());
    }
}

/// Receives clauses from rustsat and writes them to the sink.
pub(crate) struct Passing<'a, 's> {
    sink: &'a mut Sink<'s>,
    clauses: usize,
    observe: &'a mut dyn FnMut(&[Lit]),
}

impl CollectClauses for Passing<'_, '_> {
    fn n_clauses(&self) -> usize {
        self.clauses
    }

    fn extend_clauses<T>(&mut self, clauses: T) -> Result<(), OutOfMemory>
    where
        T: IntoIterator<Item = Clause>,
    {
        for clause in clauses {
            self.clauses += 1;
            self.sink.clause(clause.as_ref());
            (self.observe)(clause.as_ref());
        }
        Ok(())
    }
}

/// Runs a rustsat encoder that writes its clauses to the sink.
pub(crate) fn run<R>(
    sink: &mut Sink<'_>,
    encode: impl FnOnce(&mut Passing<'_, '_>, &mut Numbers) -> Result<R, OutOfMemory>,
) -> R {
    run_observed(sink, &mut |_| {}, encode)
}

/// Runs a rustsat encoder that writes its clauses to the sink. Each clause is also passed to `observe`.
pub(crate) fn run_observed<R>(
    sink: &mut Sink<'_>,
    observe: &mut dyn FnMut(&[Lit]),
    encode: impl FnOnce(&mut Passing<'_, '_>, &mut Numbers) -> Result<R, OutOfMemory>,
) -> R {
    let mut numbers = Numbers { next: sink.variables() };
    let mut passing = Passing { sink, clauses: 0, observe };
    let encoded = encode(&mut passing, &mut numbers);
    sink.advance(numbers.next);
    encoded.expect("a sink does not report that memory is exhausted")
}

/// A function that defines an auxiliary variable as the disjunction of a subset of literals. The subset is given by a
/// predicate on the indices of the literals.
pub(crate) type DefineSubset<'a> = dyn FnMut(&dyn Fn(usize) -> bool) + 'a;

/// Encodes an at-most-one constraint with rustsat's encoder `E`, or pairwise if the constraint has fewer than `min`
/// literals.
///
/// If a proof is logged, the function `groups` defines the encoder's variables. Its arguments are the number of
/// literals and a function that defines one variable. For each variable in turn, `groups` calls this function with a
/// predicate on the indices of the literals. The variable is true if and only if the index of the true literal
/// satisfies the predicate. If no literal is true, all variables are false.
pub(crate) fn at_most_one_from<E>(
    min: usize,
    groups: fn(usize, &mut DefineSubset<'_>),
    constraint: &AtMostOne,
    sink: &mut Sink<'_>,
) where
    E: am1::Encode + FromIterator<Lit>,
{
    let Some(lits) = constraint.write_trivial(sink) else { return };
    if lits.len() < min {
        return (pairwise::PAIRWISE.encode)(constraint, sink);
    }
    if sink.is_logged() {
        let mut next = sink.variables();
        groups(lits.len(), &mut |contains| {
            let group: Vec<Lit> =
                (0..lits.len()).filter(|&index| contains(index)).map(|index| lits[index]).collect();
            sink.stands_for(Lit::positive(next), &group, 1);
            next += 1;
        });
    }
    run(sink, |clauses, numbers| E::from_iter(lits).encode(clauses, numbers));
}
