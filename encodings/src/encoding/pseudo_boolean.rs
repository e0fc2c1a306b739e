//! Encodes linear constraints as pseudo-Boolean constraints with rustsat's encoders: the generalized totalizer and
//! the dynamic polynomial watchdog.
//!
//! An integer becomes a weighted sum over the literals of its order view. The weight of a literal `x >= v` is the
//! difference between v and the previous value in the domain of x.
//!
//! * `generalized-totalizer`: a balanced tree of adders over the weighted literals. Each node has one literal for each
//!   possible sum of its inputs. The clauses of a node are `a >= v, b >= w -> c >= v + w`. Example: `2 a + 3 b <= 4`
//!   gives `a, b -> p5` and `-p5`. The root has literals only for the sums that exceed the bound by at most the largest
//!   weight. Inner nodes have literals only for the sums that contribute to a sum of the root. Size, asymptotically:
//!   one variable for each sum of a node, and one clause for each pair of sums of its children. The number of sums can
//!   be exponential. Strength: domain consistent for `<=` over distinct literals. For integers, the encoding is not
//!   domain consistent, because the tree separates the literals of an integer.
//! * `dynamic-watchdog`: one totalizer for each power of two. The carries of a totalizer are inputs of the totalizer
//!   for the next power of two. To round the bound to a multiple of the largest power of two, the encoding adds a
//!   constant to the sum. Auxiliary literals encode this constant. Size, asymptotically: O(n^2) variables and clauses
//!   for each power of two. Strength: checks total assignments only. For a half-reified constraint, unit propagation
//!   derives even less, because the literals of the added constant have no fixed values unless the condition is true.
//!   The encoding does not apply to `!=`, because a disequality becomes two half-reified inequalities.
//!
//! Both encodings write implications in one direction only, so the number of solutions is not preserved.
//!
//! The clauses of an output are redundant if they follow from another output, or if no bound needs the output. The
//! clauses of a sum are redundant if the clauses of an order view exclude the sum. In an equation, a clause of one
//! inequality may be redundant because of the clauses of the other inequality.
//!
//! Paper: Joshi, Martins, Manquinho: *Generalized totalizer encoding for pseudo-Boolean constraints*, CP 2015;
//! Paxian, Reimer, Becker: *Dynamic polynomial watchdog encoding for solving weighted `MaxSAT`*, SAT 2018. Unlike in
//! these papers, rustsat creates only the outputs that the bound needs.
//!
//! ```
//! use gordian_encodings::constraint::Linear;
//! use gordian_encodings::encoding::pseudo_boolean::GENERALIZED_TOTALIZER;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [a, b] = [0; 2].map(|_| model.boolean());
//! model.post(Linear::at_most([(2, a.into()), (3, b.into())], 4));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&GENERALIZED_TOTALIZER), &mut cnf);
//! // Variable 3 is the sum 5.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["-1 -2 3 0", "-3 0"]);
//! ```

use super::inequality::{self, Inequality};
use super::{Encoding, ModelCount, Strength, decision_diagram, from_rustsat};
use crate::constraint::{Comparison, Linear};
use crate::int::{Domains, Value};
use crate::linear_sum::{LinearSum, Overflow};
use crate::lit::Lit;
use crate::sink::Sink;
use rustsat::encodings::pb::{BoundUpper, DynamicPolyWatchdog, GeneralizedTotalizer};

/// Encodes linear constraints with generalized totalizers.
pub static GENERALIZED_TOTALIZER: Encoding<Linear> = Encoding {
    name: "generalized-totalizer",
    paper: "Joshi, Martins, Manquinho: Generalized totalizer encoding for pseudo-Boolean constraints, CP 2015",
    strength: Strength::TotalAssignments,
    count: ModelCount::Lost,
    derived: false,
    // The size of a decision diagram for the constraint serves as the estimate of the number of sums.
    applies: |linear, domains| {
        applies(linear, domains) && decision_diagram::pairs(linear, domains) <= MOST_SUMS
    },
    encode: |linear, sink| inequality::each(linear, sink, write::<GeneralizedTotalizer>),
};

/// Encodes linear constraints with dynamic polynomial watchdogs.
pub static DYNAMIC_WATCHDOG: Encoding<Linear> = Encoding {
    name: "dynamic-watchdog",
    paper: "Paxian, Reimer, Becker: Dynamic polynomial watchdog encoding for solving weighted MaxSAT, SAT 2018",
    strength: Strength::TotalAssignments,
    count: ModelCount::Lost,
    derived: false,
    applies: |linear, domains| linear.comparison != Comparison::NotEqual && applies(linear, domains),
    encode: |linear, sink| inequality::each(linear, sink, write::<DynamicPolyWatchdog>),
};

/// The generalized totalizer applies if the estimated number of sums is at most this number.
const MOST_SUMS: u128 = 1 << 16;

/// The maximum sum of weights. The limit prevents overflow, because rustsat's weights are machine words.
const MOST_WEIGHT: u128 = 1 << 60;

pub(super) fn applies(linear: &Linear, domains: Domains<'_>) -> bool {
    let spreads = linear.terms.iter().map(|&(coefficient, term)| term.spread(coefficient, domains));
    inequality::applies(linear, domains) && spreads.fold(0, u128::saturating_add) <= MOST_WEIGHT
}

/// Converts the ladders of an inequality to a weighted sum of literals over distinct variables. Returns the minimum of
/// the sum, and the literals with positive weights.
pub(super) fn weights(inequality: &Inequality) -> Result<(Value, Vec<(u128, Lit)>), Overflow> {
    let mut sum = LinearSum::new();
    for ladder in &inequality.ladders {
        let mut below = 0;
        for &(weight, lit) in ladder {
            sum.add_lit((weight - below) as Value, lit)?;
            below = weight;
        }
    }
    // A literal and its negation together contribute at least the smaller of their weights, because exactly one of
    // them is true.
    sum.weights()
}

fn write<E>(inequality: &Inequality, sink: &mut Sink<'_>)
where
    E: BoundUpper + FromIterator<(Lit, usize)>,
{
    let (certain, weights) = weights(inequality).expect("the encoding applies to small weights");
    let Some(most) = inequality.most.checked_sub(certain.unsigned_abs()) else { return sink.clause(&[]) };
    if weights.iter().map(|&(weight, _)| weight).sum::<u128>() <= most {
        return;
    }
    let most = most as usize;
    let mut encoder: E = weights.into_iter().map(|(weight, lit)| (lit, weight as usize)).collect();
    from_rustsat::run(&mut sink.always(), |clauses, numbers| {
        encoder.encode_ub(most..=most, clauses, numbers)
    });
    for unit in encoder.enforce_ub(most).expect("this bound was just encoded") {
        sink.clause(&[unit]);
    }
}
