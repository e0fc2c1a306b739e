//! Linear constraints as pseudo-Boolean ones, by rustsat's encoders: the generalized totalizer and the dynamic polynomial
//! watchdog.
//!
//! Integers become sums of the literals of their order view, each with the weight of the gap it stands for.
//!
//! * `generalized-totalizer`: a balanced tree that adds weights up; each node has a literal for each sum of its
//!   inputs, and `a >= v, b >= w -> c >= v + w`. For `2 a + 3 b <= 4`: `a, b -> p5`, `-p5`. Only the sums that exceed
//!   the bound by no more than the greatest weight are asked of the root, and of each node those that make them up.
//!   Size, asymptotically: a variable for each sum of a node and a clause for each way to make it; sums can be
//!   exponential in number. Strength of `<=` over distinct literals: domain; integers lose some of it, since a tree
//!   takes the steps of one apart.
//! * `dynamic-watchdog`: a totalizer for each power of two, the carries of which go into the next; the bound is made
//!   a multiple of the highest power by a number that is added. Size, asymptotically: O(n^2) variables and clauses
//!   for each power of two. Strength: checks total assignments only, but not under a condition, which leaves that
//!   number open; so not for `!=`.
//!
//! Either counts in one direction only, so the number of solutions is lost.
//!
//! Redundant clauses: outputs of which the bound fixes another; outputs that no bound reads; sums of steps of one
//! integer that its order excludes; of the two halves of an equation, what both together say of one's outputs.
//!
//! Paper: Joshi, Martins, Manquinho: *Generalized totalizer encoding for pseudo-Boolean constraints*, CP 2015; Paxian,
//! Reimer, Becker: *Dynamic polynomial watchdog encoding for solving weighted `MaxSAT`*, SAT 2018. Differs from them in that
//! rustsat makes only the outputs that the bound asks for.
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
//! // 3 is the sum 5.
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
/// Generalized totalizer.
pub static GENERALIZED_TOTALIZER: Encoding<Linear> = Encoding {
    name: "generalized-totalizer",
    paper: "Joshi, Martins, Manquinho: Generalized totalizer encoding for pseudo-Boolean constraints, CP 2015",
    strength: Strength::TotalAssignments,
    count: ModelCount::Lost,
    // The sums of a node are no more than the nodes of a level of a decision diagram.
    applies: |linear, domains| {
        applies(linear, domains) && decision_diagram::edges(linear, domains) <= MOST_SUMS
    },
    encode: |linear, sink| inequality::each(linear, sink, write::<GeneralizedTotalizer>),
};

/// Dynamic polynomial watchdog.
pub static DYNAMIC_WATCHDOG: Encoding<Linear> = Encoding {
    name: "dynamic-watchdog",
    paper: "Paxian, Reimer, Becker: Dynamic polynomial watchdog encoding for solving weighted MaxSAT, SAT 2018",
    strength: Strength::TotalAssignments,
    count: ModelCount::Lost,
    applies: |linear, domains| linear.comparison != Comparison::NotEqual && applies(linear, domains),
    encode: |linear, sink| inequality::each(linear, sink, write::<DynamicPolyWatchdog>),
};

/// The estimate of sums over which the generalized totalizer is not to be had.
const MOST_SUMS: u128 = 1 << 16;

/// The greatest sum of weights: rustsat's are machine words.
const MOST_WEIGHT: u128 = 1 << 60;

fn applies(linear: &Linear, domains: Domains<'_>) -> bool {
    let spreads = linear.terms.iter().map(|&(coefficient, term)| term.spread(coefficient, domains));
    inequality::applies(linear, domains) && spreads.fold(0, u128::saturating_add) <= MOST_WEIGHT
}

/// The sum of the ladders over distinct variables: its least value, and weights above 0.
fn weights(inequality: &Inequality) -> Result<(Value, Vec<(u128, Lit)>), Overflow> {
    let mut sum = LinearSum::new();
    for ladder in &inequality.ladders {
        let mut below = 0;
        for &(weight, lit) in ladder {
            sum.add_lit((weight - below) as Value, lit)?;
            below = weight;
        }
    }
    // Of a literal and its negation, one holds: the lesser weight is certain.
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
