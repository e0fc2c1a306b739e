//! Linear constraints as inequalities between ladders: what several encodings start from.
//!
//! A ladder is a number >= 0 in unary, with gaps: its steps are literals `number >= weight`, weights ascending. An integer
//! x with coefficient c is a ladder of the literals of its order view, c (x - min) or, for c < 0, -c (max - x); a
//! literal is a ladder of one step. Every linear constraint is one or two inequalities `sum of ladders <= most`.

use crate::constraint::{Comparison, Linear, Term};
use crate::int::{Domains, Value};
use crate::lit::Lit;
use crate::sink::Sink;

/// Steps `number >= weight`, weights ascending and above 0.
pub(super) type Ladder = Vec<(u128, Lit)>;

/// The sum of the ladders is at most `most`; neither always nor never.
#[derive(Debug)]
pub(super) struct Inequality {
    /// The one that reaches highest comes first.
    pub(super) ladders: Vec<Ladder>,
    pub(super) most: u128,
}

/// The greatest domain whose values an encoding makes ladders of.
const MOST_STEPS: u128 = 1 << 16;

/// Whether all variables have order views of a reasonable size.
pub(super) fn applies(linear: &Linear, domains: Domains<'_>) -> bool {
    linear.terms.iter().all(|&(_, term)| term.values(domains) <= MOST_STEPS)
}

/// Writes a constraint in normal form as the inequalities it consists of. `!=` is one of two, chosen by a fresh literal.
pub(super) fn each(linear: &Linear, sink: &mut Sink<'_>, write: impl Fn(&Inequality, &mut Sink<'_>)) {
    if linear.write_trivial(sink) {
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

/// Writes `sum <= most`, which may always or never hold.
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
        // What reaches too high by itself is out, once.
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

/// The greatest number a ladder can be.
pub(super) fn top(ladder: &Ladder) -> u128 {
    ladder.last().map_or(0, |&(weight, _)| weight)
}
