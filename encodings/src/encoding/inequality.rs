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
    let sides = sides(linear);
    if linear.comparison == Comparison::NotEqual {
        let is_below = sink.fresh();
        for ((terms, most), condition) in sides.into_iter().zip([is_below, !is_below]) {
            one(&terms, most, &mut sink.when(condition), &write);
        }
    } else {
        for (terms, most) in sides {
            one(&terms, most, sink, &write);
        }
    }
}

/// Returns the inequalities `sum <= most` of a linear constraint: both of an equation must hold, and either of a
/// disequality.
fn sides(linear: &Linear) -> Vec<(Vec<(Value, Term)>, Value)> {
    let Linear { terms, comparison, bound } = linear;
    let below = |most: Value| (terms.clone(), most);
    let turned = || terms.iter().map(|&(coefficient, term)| (-coefficient, term)).collect();
    let above = |least: Value| (turned(), -least);
    match comparison {
        Comparison::AtMost => vec![below(*bound)],
        Comparison::AtLeast => vec![above(*bound)],
        Comparison::Equal => vec![below(*bound), above(*bound)],
        Comparison::NotEqual => vec![below(bound - 1), above(bound + 1)],
    }
}

/// Returns the inequalities of a linear constraint without literals: the weights of each ladder, and the greatest sum.
/// Inequalities that always or never hold are omitted. The domains must be [small](applies).
pub(super) fn weights(linear: &Linear, domains: Domains<'_>) -> Vec<(Vec<Vec<u128>>, u128)> {
    let one = |(terms, most): (Vec<(Value, Term)>, Value)| {
        let most = slack(&terms, most, domains)?;
        let steps = |&(coefficient, term): &(Value, Term)| {
            steps(coefficient, term, domains).into_iter().map(|weight| (weight, ())).collect::<Vec<_>>()
        };
        let ladders = fitting(terms.iter().map(steps).collect(), most, |()| {})?;
        let weights = |ladder: Vec<(u128, ())>| ladder.into_iter().map(|(weight, ())| weight).collect();
        Some((ladders.into_iter().map(weights).collect(), most))
    };
    sides(linear).into_iter().filter_map(one).collect()
}

/// Subtracts the minimum of each term from the bound. The result is `None` if the inequality never holds.
fn slack(terms: &[(Value, Term)], most: Value, domains: Domains<'_>) -> Option<u128> {
    let least = |&(coefficient, term): &(Value, Term)| {
        let (low, high) = term.range(domains);
        (coefficient * low).min(coefficient * high)
    };
    u128::try_from(most - terms.iter().map(least).sum::<Value>()).ok()
}

/// Removes the steps whose weights exceed the bound, and passes the first such step of each ladder to `exclude`. Sorts
/// the ladders in descending order of their maximum values. The result is `None` if the inequality always holds.
fn fitting<L: Copy>(
    mut ladders: Vec<Vec<(u128, L)>>,
    most: u128,
    mut exclude: impl FnMut(L),
) -> Option<Vec<Vec<(u128, L)>>> {
    let top = |ladder: &Vec<(u128, L)>| ladder.last().map_or(0, |&(weight, _)| weight);
    for ladder in &mut ladders {
        let fits = ladder.partition_point(|&(weight, _)| weight <= most);
        if let Some(&(_, step)) = ladder.get(fits) {
            exclude(step);
        }
        ladder.truncate(fits);
    }
    ladders.retain(|ladder| !ladder.is_empty());
    ladders.sort_by_key(|ladder| std::cmp::Reverse(top(ladder)));
    (ladders.iter().map(top).sum::<u128>() > most).then_some(ladders)
}

/// Encodes `sum <= most`. The inequality may be trivially true or trivially false.
fn one(
    terms: &[(Value, Term)],
    most: Value,
    sink: &mut Sink<'_>,
    write: impl Fn(&Inequality, &mut Sink<'_>),
) {
    let Some(most) = slack(terms, most, sink.domains()) else { return sink.clause(&[]) };
    let ladders = terms.iter().map(|&(coefficient, term)| ladder(coefficient, term, sink)).collect();
    // Forbidding the smallest step that exceeds the bound also forbids all larger steps.
    if let Some(ladders) = fitting(ladders, most, |step: Lit| sink.clause(&[!step])) {
        write(&Inequality { ladders, most }, sink);
    }
}

/// Returns the weights of the steps of a term's ladder.
fn steps(coefficient: Value, term: Term, domains: Domains<'_>) -> Vec<u128> {
    let factor = coefficient.unsigned_abs();
    match term {
        Term::Lit(_) => vec![factor],
        Term::Int(x) => {
            let values: Vec<Value> = domains.of(x).values().collect();
            let (min, max) = (values[0], values[values.len() - 1]);
            if coefficient > 0 {
                values[1..].iter().map(|value| factor * value.abs_diff(min)).collect()
            } else {
                values[..values.len() - 1].iter().rev().map(|value| factor * value.abs_diff(max)).collect()
            }
        }
    }
}

fn ladder(coefficient: Value, term: Term, sink: &mut Sink<'_>) -> Ladder {
    let weights = steps(coefficient, term, sink.domains());
    let is_rising = coefficient > 0;
    let lits: Vec<Lit> = match term {
        Term::Lit(lit) => vec![if is_rising { lit } else { !lit }],
        Term::Int(x) if is_rising => sink.order(x).iter().map(|&at_most| !at_most).collect(),
        Term::Int(x) => sink.order(x).iter().rev().copied().collect(),
    };
    weights.into_iter().zip(lits).collect()
}

/// Returns the sum of ladders as terms over their steps.
pub(super) fn terms(ladders: &[Ladder]) -> Vec<(Value, Lit)> {
    let mut terms = Vec::new();
    for ladder in ladders {
        let mut before = 0;
        for &(weight, step) in ladder {
            terms.push(((weight - before) as Value, step));
            before = weight;
        }
    }
    terms
}

/// Returns the maximum value of a ladder.
pub(super) fn top(ladder: &Ladder) -> u128 {
    ladder.last().map_or(0, |&(weight, _)| weight)
}
