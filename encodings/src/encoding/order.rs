//! Order encoding of linear constraints: clauses over the bounds of the variables, sums of two at a time.
//!
//! For `x + y <= 3` with x and y from 0 to 3: `-(x>=1) -(y>=3)`, `-(x>=2) -(y>=2)`, `-(x>=3) -(y>=1)`.
//!
//! A sum of more than two is split: a partial sum z of the first two is an integer of its own with literals `z >= s` for
//! the sums s that can matter, and `x>=a, y>=b -> z>=a+b`. Sums matter when they are above what the remaining terms
//! leave in any case, and not above the bound: all lower ones are as good as the least, all higher ones are forbidden.
//!
//! Size, asymptotically: a variable for each sum that matters, and up to a b clauses for each pair of domains of a
//! and b values; at most `min(most + 1, spread of the rest)` sums matter. Strength: domain for `<=` and `>=`; for
//! `=`, which is both, and `!=`, which is one of both, only conflicts of total assignments are certain to be found.
//! The number of solutions is kept on request, by the clauses `-(x>=a'), -(y>=b') -> -(z>=s)`.
//!
//! Redundant clauses: of the two halves of an equation, bounds that the other half gives; the order of partial sums
//! that no two steps tell apart; sums that a partial sum skips; of a disequality, what the other side allows.
//!
//! Paper: Tamura, Taga, Kitagawa, Banbara: *Compiling finite linear CSP into SAT*, Constraints 14, 2009. Differs from it
//! in that partial sums have only the values that matter, and sums of three are split too.
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
//! // 1 to 3 are `x <= 0` to `x <= 2`, 4 to 6 the same of y; first the order of each.
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

/// Order encoding.
pub static ORDER: Encoding<Linear> = Encoding {
    name: "order",
    paper: "Tamura, Taga, Kitagawa, Banbara: Compiling finite linear CSP into SAT, Constraints 14, 2009",
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    applies,
    encode: |linear, sink| inequality::each(linear, sink, write),
};

/// The greatest number of pairs of values.
const MOST_PAIRS: u128 = 1 << 22;

fn applies(linear: &Linear, domains: Domains<'_>) -> bool {
    // Partial sums are as many as the nodes of a level of a decision diagram, and pairs as many as its edges.
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

/// The steps of a ladder, and 0 with no literal.
fn steps(ladder: &Ladder) -> impl Iterator<Item = (u128, Option<Lit>)> + Clone {
    std::iter::once((0, None)).chain(ladder.iter().map(|&(weight, lit)| (weight, Some(lit))))
}

/// No two steps together exceed `most`.
fn forbid(a: &Ladder, b: &Ladder, most: u128, sink: &mut Sink<'_>) {
    let mut forbidden = None;
    for &(weight, lit) in a {
        // The least step of b that is too much: the higher ones follow, and so do higher ones of a.
        let least = b.get(b.partition_point(|&(other, _)| weight + other <= most)).map(|&(_, lit)| lit);
        if let Some(other) = least.filter(|&other| forbidden != Some(other)) {
            sink.clause(&[!lit, !other]);
            forbidden = least;
        }
    }
}

/// A ladder for `a + b`, exact between what matters: at least `most - rest` and at most `most`.
fn add(a: &Ladder, b: &Ladder, most: u128, rest: u128, sink: &mut Sink<'_>) -> Ladder {
    // Up to here the rest can be anything.
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
    // The step that a sum reaches, and the first it doesn't.
    let reached = |sum: u128| ladder.partition_point(|&(weight, _)| weight <= sum);
    for (x, at_x) in steps(a) {
        for (y, at_y) in steps(b) {
            let lits = [at_x, at_y].into_iter().flatten().map(|lit| !lit);
            if x + y > most {
                // Under the condition only: nothing forbids this otherwise. The higher steps of b follow.
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
