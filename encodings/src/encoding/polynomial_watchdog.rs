//! Polynomial watchdogs: one totalizer for each power of two. Every second output of a totalizer is a carry, which the
//! next totalizer adds to the literals with its power of two.
//!
//! An integer becomes a weighted sum over the literals of its order view, as in [`pseudo_boolean`].
//! Let `2^e` be the greatest power of two that is at most the greatest weight. A constant t is added to both sides such that
//! the bound k becomes `k + t = m 2^e - 1`. Then the sum exceeds the bound if and only if output m of the last totalizer,
//! the *watchdog*, is true.
//!
//! * `global-watchdog`: one watchdog, which must be false.
//! * `local-watchdog`: for each literal x with the weight w, a watchdog for the sum of the others with the bound `k - w`.
//!   If the watchdog is true, x is false.
//!
//! Example: `2 a + b + c <= 2` has e = 1 and t = 1. The totalizer for 1 counts b, c and the constant. Its second output
//! is the carry `p = b or c`. The totalizer for 2 counts a and p, and its second output must be false, so `-a or -p`.
//!
//! Asymptotic size for n literals with weights up to W: O(n^2 log W) clauses and O(n log n log W) variables for each
//! watchdog, so n times as many for `local-watchdog`. Strength: for `<=` and `>=` over distinct literals,
//! `global-watchdog` is a consistency checker, and `local-watchdog` is domain consistent. For integers, `=` and `!=`, they
//! check total assignments only. The number of solutions is not preserved.
//!
//! The clauses of an output are redundant if they follow from another output, or if the watchdog does not need the output.
//! The clauses of a sum are redundant if the clauses of an order view exclude the sum. In an equation, a clause of one
//! inequality may be redundant because of the clauses of the other inequality.
//!
//! Paper: Bailleux, Boufkhad, Roussel: *New encodings of pseudo-Boolean constraints into CNF*, SAT 2009. Unlike in the
//! paper, the last totalizer has no outputs, but only clauses for sums of m, and outputs that exceed the bound are omitted
//! and excluded.
//!
//! ```
//! use gordian_encodings::constraint::Linear;
//! use gordian_encodings::encoding::polynomial_watchdog::GLOBAL_WATCHDOG;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [a, b, c] = [0; 3].map(|_| model.boolean());
//! model.post(Linear::at_most([(2, a.into()), (1, b.into()), (1, c.into())], 2));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&GLOBAL_WATCHDOG), &mut cnf);
//! // Variable 4 is p.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["-3 4 0", "-2 4 0", "-2 -3 5 0", "-1 -4 0"]);
//! ```

use super::inequality::{self, Inequality};
use super::unary::{self, Wanted};
use super::{Encoding, ModelCount, Strength, pseudo_boolean};
use crate::constraint::Linear;
use crate::int::Domains;
use crate::lit::{FALSE, Lit, TRUE};
use crate::sink::Sink;

const PAPER: &str =
    "Bailleux, Boufkhad, Roussel: New encodings of pseudo-Boolean constraints into CNF, SAT 2009";

/// Encodes linear constraints with global polynomial watchdogs.
pub static GLOBAL_WATCHDOG: Encoding<Linear> = Encoding {
    name: "global-watchdog",
    paper: PAPER,
    strength: Strength::TotalAssignments,
    count: ModelCount::Lost,
    derived: false,
    applies: pseudo_boolean::applies,
    encode: |linear, sink| inequality::each(linear, sink, global),
};

/// Encodes linear constraints with local polynomial watchdogs.
pub static LOCAL_WATCHDOG: Encoding<Linear> = Encoding {
    name: "local-watchdog",
    paper: PAPER,
    strength: Strength::TotalAssignments,
    count: ModelCount::Lost,
    derived: false,
    applies: |linear, domains| {
        pseudo_boolean::applies(linear, domains) && steps(linear, domains) <= MOST_WATCHDOGS
    },
    encode: |linear, sink| inequality::each(linear, sink, local),
};

/// `local-watchdog` applies if there are at most this many literals.
const MOST_WATCHDOGS: u128 = 200;

/// Returns the number of literals, including those of the order views.
fn steps(linear: &Linear, domains: Domains<'_>) -> u128 {
    linear.terms.iter().map(|&(_, term)| term.values(domains) - 1).sum()
}

fn global(inequality: &Inequality, sink: &mut Sink<'_>) {
    if let Some((weights, most)) = sum(inequality, sink) {
        watch(&weights, most, sink);
    }
}

fn local(inequality: &Inequality, sink: &mut Sink<'_>) {
    let Some((weights, most)) = sum(inequality, sink) else { return };
    for (index, &(weight, lit)) in weights.iter().enumerate() {
        let Some(most) = most.checked_sub(weight) else {
            sink.clause(&[!lit]);
            continue;
        };
        let mut others = weights.clone();
        others.remove(index);
        watch(&others, most, &mut sink.when(lit));
    }
}

/// Returns the inequality as a weighted sum of literals and its bound, or `None` if it has been written or always holds.
fn sum(inequality: &Inequality, sink: &mut Sink<'_>) -> Option<(Vec<(u128, Lit)>, u128)> {
    let (certain, weights) =
        pseudo_boolean::weights(inequality).expect("the encoding applies to small weights");
    let Some(most) = inequality.most.checked_sub(certain.unsigned_abs()) else {
        sink.clause(&[]);
        return None;
    };
    Some((weights, most))
}

/// Writes that the sum is at most `most`.
fn watch(weights: &[(u128, Lit)], most: u128, sink: &mut Sink<'_>) {
    if weights.iter().map(|&(weight, _)| weight).sum::<u128>() <= most {
        return;
    }
    let last = weights.iter().map(|&(weight, _)| weight.ilog2()).max().unwrap_or_default();
    // The constant that is added to both sides, and the number of the watchdog.
    let watchdog = (most >> last) + 1;
    let added = (watchdog << last) - 1 - most;
    let mut carries: Vec<Lit> = Vec::new();
    for bit in 0..=last {
        let lits: Vec<Lit> =
            weights.iter().filter(|&&(weight, _)| weight >> bit & 1 == 1).map(|&(_, lit)| lit).collect();
        let one = added >> bit & 1 == 1;
        // More than this number would exceed the bound, even without the other totalizers.
        let greatest = ((watchdog << (last - bit)) - 1).min(usize::MAX as u128) as usize - usize::from(one);
        let own = unary::count(&lits, greatest, sink);
        let least = if bit == last { greatest + 1 } else { 0 };
        let wanted = Wanted { least, most: greatest, bounded: true };
        let mut total = unary::add([&own, &carries], FALSE, wanted, sink);
        if one {
            total.insert(0, TRUE);
        }
        carries = total.into_iter().skip(1).step_by(2).collect();
    }
}
