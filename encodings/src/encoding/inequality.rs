//! Converts linear constraints to inequalities over ladders. Several encodings begin with this conversion.
//!
//! A ladder represents a nonnegative number in unary, possibly with gaps. A ladder consists of steps: the literals
//! `number >= weight` in ascending order of the weights. An integer x with coefficient c becomes a ladder over the
//! literals of its order view. The ladder represents `c * (x - min)` if c > 0, and `-c * (max - x)` if c < 0. A literal
//! of the sum becomes a ladder with one step. Every linear constraint becomes one or two inequalities `sum of ladders
//! <= most`.

use crate::constraint::{Comparison, Linear, Term};
use crate::int::{Domains, Value};
use crate::lit::Lit;
use crate::sink::Sink;

/// The steps `number >= weight` of a ladder, in ascending order of their positive weights.
pub(super) type Ladder = Vec<(u128, Lit)>;

/// The inequality `sum of the ladders <= most`. The maximum sum exceeds `most`, so the inequality does not always
/// hold.
#[derive(Debug)]
pub(super) struct Inequality {
    /// The ladders of the inequality, in descending order of their maximum values.
    pub(super) ladders: Vec<Ladder>,
    pub(super) most: u128,
}

/// The maximum domain size of an integer for which a ladder is built.
const MAX_STEPS: u128 = 1 << 16;

/// Returns whether all domains are small enough for order views.
pub(super) fn applies(linear: &Linear, domains: Domains<'_>) -> bool {
    linear.terms.iter().all(|&(_, term)| term.values(domains) <= MAX_STEPS)
}

/// Writes the clauses of a linear constraint in normal form if it always holds, never holds, or has a single
/// variable. If the constraint has several variables, writes nothing and returns `false`.
pub(super) fn write_trivial(linear: &Linear, sink: &mut Sink<'_>) -> bool {
    match (linear.decided(), linear.atom(sink.domains())) {
        (Some(true), _) => {}
        (Some(false), _) => sink.clause(&[]),
        (None, Some(atom)) => {
            let lit = sink.atom(atom);
            sink.clause(&[lit]);
        }
        (None, None) => return false,
    }
    true
}

/// Encodes a linear constraint in normal form as one or two inequalities. In a disequality, a new literal selects one
/// of two inequalities.
pub(super) fn each(linear: &Linear, sink: &mut Sink<'_>, write: impl Fn(&Inequality, &mut Sink<'_>)) {
    if write_trivial(linear, sink) {
        return;
    }
    let Linear { terms, comparison, bound } = linear;
    let below = |most: Value, sink: &mut Sink<'_>| one(terms, most, sink, &write);
    let turned: Vec<(Value, Term)> = terms.iter().map(|&(coefficient, term)| (-coefficient, term)).collect();
    let above = |least: Value, sink: &mut Sink<'_>| one(&turned, -least, sink, &write);
    match comparison {
        Comparison::AtMost => below(*bound, sink),
        Comparison::AtLeast => above(*bound, sink),
        Comparison::Equal => {
            below(*bound, sink);
            above(*bound, sink);
        }
        Comparison::NotEqual => {
            let is_below = sink.fresh();
            below(bound - 1, &mut sink.when(is_below));
            above(bound + 1, &mut sink.when(!is_below));
        }
    }
}

/// Encodes `sum <= most`. The inequality may be trivially true or trivially false.
fn one(
    terms: &[(Value, Term)],
    most: Value,
    sink: &mut Sink<'_>,
    write: impl Fn(&Inequality, &mut Sink<'_>),
) {
    let mut slack = most;
    let mut ladders = Vec::new();
    for &(coefficient, term) in terms {
        let (low, high) = term.range(sink.domains());
        slack -= (coefficient * low).min(coefficient * high);
        ladders.push(ladder(coefficient, term, sink));
    }
    let Ok(most) = u128::try_from(slack) else { return sink.clause(&[]) };
    for ladder in &mut ladders {
        // A step whose weight exceeds the bound is impossible. Forbidding the smallest such step also forbids all
        // larger steps.
        let fits = ladder.partition_point(|&(weight, _)| weight <= most);
        if let Some(&(_, lit)) = ladder.get(fits) {
            sink.clause(&[!lit]);
        }
        ladder.truncate(fits);
    }
    ladders.retain(|ladder| !ladder.is_empty());
    ladders.sort_by_key(|ladder| std::cmp::Reverse(top(ladder)));
    if ladders.iter().map(top).sum::<u128>() > most {
        write(&Inequality { ladders, most }, sink);
    }
}

fn ladder(coefficient: Value, term: Term, sink: &mut Sink<'_>) -> Ladder {
    let factor = coefficient.unsigned_abs();
    match term {
        Term::Lit(lit) => vec![(factor, if coefficient > 0 { lit } else { !lit })],
        Term::Int(x) => {
            let values: Vec<Value> = sink.domains().of(x).values().collect();
            let order = sink.order(x);
            let (min, max) = (values[0], values[values.len() - 1]);
            let above = |index: usize| (factor * values[index + 1].abs_diff(min), !order[index]);
            let below = |index: usize| (factor * values[index].abs_diff(max), order[index]);
            if coefficient > 0 {
                (0..order.len()).map(above).collect()
            } else {
                (0..order.len()).rev().map(below).collect()
            }
        }
    }
}

/// Returns the maximum value of a ladder.
pub(super) fn top(ladder: &Ladder) -> u128 {
    ladder.last().map_or(0, |&(weight, _)| weight)
}
