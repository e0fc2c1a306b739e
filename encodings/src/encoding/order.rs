//! Order encoding of linear constraints: clauses over the bounds of two integers. Longer sums are split into sums of
//! two integers.
//!
//! Example: `x + y <= 3` with x and y in 0..3 becomes `-(x>=1) or -(y>=3)`, `-(x>=2) or -(y>=2)`, `-(x>=3) or
//! -(y>=1)`.
//!
//! A sum of more than two terms is split by introducing an auxiliary integer z for the sum of the first two terms. The
//! partial sum z has literals `z >= s` for the relevant values s, defined by `x>=a, y>=b -> z>=a+b`. A value s is
//! irrelevant if it exceeds the bound, or if s plus the maximum of the remaining terms is at most the bound. Partial
//! sums above the bound are forbidden. Partial sums below the relevant values need no literal.
//!
//! Size, asymptotically: one variable for each relevant value, and up to `a * b` clauses for each sum of two integers
//! with a and b values. If every term has the minimum 0, the number of relevant values of a partial sum is at most the
//! bound, and at most the maximum of the remaining terms. Strength: domain consistent for `<=` and `>=`; `=` and `!=`
//! check total assignments only, because they consist of two inequalities. `Encodings::keep_count` adds the clauses
//! `-(x>=a') and -(y>=b') -> -(z>=s)`, which preserve the number of solutions.
//!
//! In an equation or disequality, a clause of one inequality may be redundant because of the clauses of the other
//! inequality. A clause `z>=s' -> z>=s` is redundant if no later clause distinguishes the two values of the partial
//! sum.
//!
//! Paper: Tamura, Taga, Kitagawa, Banbara: *Compiling finite linear CSP into SAT*, Constraints 14, 2009. Unlike in
//! the paper, partial sums have literals only for relevant values, and a sum of three integers is also split.
//!
//! ```
//! use gordian_encodings::constraint::Linear;
//! use gordian_encodings::encoding::order::ORDER;
//! use gordian_encodings::{Cnf, Domain, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [x, y] = [0; 2].map(|_| model.integer(Domain::interval(0, 3)));
//! model.post(Linear::at_most([(1, x.into()), (1, y.into())], 3));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&ORDER), &mut cnf);
//! // Variables 1 to 3 are `x <= 0` to `x <= 2`, variables 4 to 6 are the same for y. The first four clauses order them.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), [
//!     "-1 2 0", "-2 3 0", "-4 5 0", "-5 6 0", "1 6 0", "2 5 0", "3 4 0",
//! ]);
//! ```

use std::collections::BTreeSet;

use super::inequality::{self, Inequality, Ladder, top};
use super::{Encoding, ModelCount, Strength, decision_diagram};
use crate::constraint::Linear;
use crate::int::Domains;
use crate::lit::Lit;
use crate::sink::Sink;

/// Order encoding of linear constraints.
pub static ORDER: Encoding<Linear> = Encoding {
    name: "order",
    paper: "Tamura, Taga, Kitagawa, Banbara: Compiling finite linear CSP into SAT, Constraints 14, 2009",
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    derived: false,
    applies,
    encode: |linear, sink| inequality::each(linear, sink, write),
};

/// The order encoding applies if there are at most this many pairs of values.
const MOST_PAIRS: u128 = 1 << 22;

fn applies(linear: &Linear, domains: Domains<'_>) -> bool {
    // The values of a partial sum correspond to the nodes on a level of a decision diagram. The pairs of values
    // correspond to the edges.
    inequality::applies(linear, domains) && decision_diagram::edges(linear, domains) <= MOST_PAIRS
}

fn write(inequality: &Inequality, sink: &mut Sink<'_>) {
    let Inequality { ladders, most } = inequality;
    let mut rest: u128 = ladders.iter().map(top).sum();
    let mut sum: Ladder = Vec::new();
    for (index, ladder) in ladders.iter().enumerate() {
        rest -= top(ladder);
        sum = match index {
            0 => ladder.clone(),
            _ if index + 1 == ladders.len() => {
                forbid(&sum, ladder, *most, sink);
                return;
            }
            _ => add(&sum, ladder, *most, rest, sink),
        };
    }
    unreachable!("an inequality that may fail has two ladders")
}

/// Returns the steps of a ladder, starting with the value 0. The value 0 needs no literal.
fn steps(ladder: &Ladder) -> impl Iterator<Item = (u128, Option<Lit>)> + Clone {
    std::iter::once((0, None)).chain(ladder.iter().map(|&(weight, lit)| (weight, Some(lit))))
}

/// For two ladders, forbids every pair of steps (one from each) whose weights add up to more than `most`.
fn forbid(a: &Ladder, b: &Ladder, most: u128, sink: &mut Sink<'_>) {
    let mut forbidden = None;
    for &(weight, lit) in a {
        // Each step of `a` needs at most one clause, which contains the smallest step of `b` for which the sum exceeds
        // the bound. The clause implies the clauses with larger steps of `b`. It also implies the clauses that contain
        // a larger step of `a` and the same step of `b`.
        let least = b.get(b.partition_point(|&(other, _)| weight + other <= most)).map(|&(_, lit)| lit);
        if let Some(other) = least.filter(|&other| forbidden != Some(other)) {
            sink.clause(&[!lit, !other]);
            forbidden = least;
        }
    }
}

/// Returns a ladder that represents the sum of two ladders. The ladder has steps only for the relevant values, which
/// are larger than `most - rest` and at most `most`.
fn add(a: &Ladder, b: &Ladder, most: u128, rest: u128, sink: &mut Sink<'_>) -> Ladder {
    // If the sum is at most `harmless`, the total cannot exceed the bound, whatever the values of the remaining terms.
    let harmless = most.saturating_sub(rest);
    let mut sums = BTreeSet::new();
    for (x, _) in steps(a) {
        sums.extend(steps(b).map(|(y, _)| x + y).filter(|&sum| sum > harmless && sum <= most));
    }
    let mut sink_always = sink.always();
    let ladder: Ladder = sums.iter().map(|&sum| (sum, sink_always.fresh())).collect();
    for pair in ladder.windows(2) {
        sink_always.clause(&[!pair[1].1, pair[0].1]);
    }
    // Returns the index of the first step whose weight exceeds the sum.
    let reached = |sum: u128| ladder.partition_point(|&(weight, _)| weight <= sum);
    for (x, at_x) in steps(a) {
        for (y, at_y) in steps(b) {
            let lits = [at_x, at_y].into_iter().flatten().map(|lit| !lit);
            if x + y > most {
                // The clause forbids a sum above the bound. If the sink has conditions, the clause applies only if they
                // hold. The clause implies the clauses with larger steps of `b`.
                sink.clause_of(lits.clone());
                if let (true, Some(&(_, last))) = (sink.keeps_count(), ladder.last()) {
                    sink.always().clause_of(lits.chain([last]));
                }
                break;
            }
            if let Some(index) = reached(x + y).checked_sub(1) {
                let at_least = ladder[index].1;
                sink.always().clause_of(lits.chain([at_least]));
            }
        }
    }
    if sink.keeps_count() {
        let mut sink = sink.always();
        let next =
            |ladder: &Ladder, weight: u128| ladder.iter().find(|step| step.0 > weight).map(|step| step.1);
        for (x, _) in steps(a) {
            for (y, _) in steps(b) {
                if let Some(&(_, above)) = ladder.get(reached(x + y)) {
                    let lits = [next(a, x), next(b, y)].into_iter().flatten();
                    sink.clause_of(lits.chain([!above]));
                }
            }
        }
    }
    ladder
}
