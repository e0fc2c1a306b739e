//! Linear constraints as pseudo-Boolean ones, by rustsat's encoders: the generalized totalizer and the dynamic polynomial
//! watchdog.
//!
//! Integers become sums of the literals of their order view, each with the weight of the gap it stands for.
//!
//! * `generalized-totalizer`: a balanced tree that adds weights up; each node has a literal for each sum of its inputs, and
//!   `a >= v, b >= w -> c >= v + w`. For `2 a + 3 b <= 4`: `a, b -> p5`, `-p5`. Only the sums
//!   that exceed the bound by no more than the greatest weight are asked of the root, and of each node those that make
//!   them up: a variable for each and a clause for each way to make it, which the size counts; sums can be exponential in
//!   number. Strength of `<=` over distinct
//!   literals: domain; integers lose some of it, since a tree takes the steps of one apart.
//! * `dynamic-watchdog`: a totalizer for each power of two, the carries of which go into the next; the bound is made a
//!   multiple of the highest power by a number that is added. Size: a totalizer over m
//!   inputs has at most m (m+1) / 2 - 1 variables and m^2 - 1 clauses, whatever the shape of its tree, and one that merges
//!   a and b outputs a + b variables and (a+1)(b+1) - 1 clauses; `size` adds those up over the powers of two as a bound.
//!   Strength: checks total assignments only, but not under a condition, which leaves that number open; so not for `!=`.
//!
//! Either counts in one direction only, so the number of solutions is lost.
//!
//! Paper: Joshi, Martins, Manquinho: *Generalized totalizer encoding for pseudo-Boolean constraints*, CP 2015; Paxian,
//! Reimer, Becker: *Dynamic polynomial watchdog encoding for solving weighted `MaxSAT`*, SAT 2018. Differs from them in that
//! rustsat makes only the outputs that the bound asks for.
//!
//! ```
//! use gordian_encodings::constraint::Linear;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [a, b] = [0; 2].map(|_| model.boolean());
//! model.post(Linear::at_most([(2, a.into()), (3, b.into())], 4));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with("linear=generalized-totalizer")?, &mut cnf);
//! // 3 is the sum 5.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["-1 -2 3 0", "-3 0"]);
//! # Ok::<(), gordian_encodings::ChoiceError>(())
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use super::inequality::{self, Inequality};
use super::{Encoding, ModelCount, Redundant, Size, Strength, decision_diagram, from_rustsat};
use crate::constraint::{Comparison, Linear};
use crate::int::Domains;
use crate::lit::Lit;
use crate::sink::Sink;
use rustsat::encodings::pb::{BoundUpper, DynamicPolyWatchdog, GeneralizedTotalizer};

const IMPLIED: Redundant = Redundant::Implied("outputs of which the bound fixes another");
const UNREAD: Redundant = Redundant::Unread("outputs that rustsat makes and no bound looks at");
const ALTERNATIVE: Redundant = Redundant::Alternative(
    "sums of steps of one integer that its order rules out; of two halves, what the other says",
);

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
    size: |linear, domains, _| inequality::size(linear, domains, size_of_totalizer),
    redundant: &[IMPLIED, UNREAD, ALTERNATIVE],
    encode: |linear, sink| inequality::each(linear, sink, write::<GeneralizedTotalizer>),
};

/// Dynamic polynomial watchdog.
pub static DYNAMIC_WATCHDOG: Encoding<Linear> = Encoding {
    name: "dynamic-watchdog",
    paper: "Paxian, Reimer, Becker: Dynamic polynomial watchdog encoding for solving weighted MaxSAT, SAT 2018",
    strength: Strength::TotalAssignments,
    count: ModelCount::Lost,
    applies: |linear, domains| linear.comparison != Comparison::NotEqual && applies(linear, domains),
    size: |linear, domains, _| inequality::size(linear, domains, size_of_watchdog),
    redundant: &[
        IMPLIED,
        UNREAD,
        Redundant::Entailed("of the two halves of an equation, what both together say of one's outputs"),
        ALTERNATIVE,
    ],
    encode: |linear, sink| inequality::each(linear, sink, write::<DynamicPolyWatchdog>),
};

/// The estimate of sums over which the generalized totalizer is not to be had.
const MOST_SUMS: u128 = 1 << 16;

/// The greatest sum of weights: rustsat's are machine words.
const MOST_WEIGHT: u128 = 1 << 60;

fn applies(linear: &Linear, domains: Domains<'_>) -> bool {
    inequality::applies(linear, domains) && {
        let spread = |&(coefficient, term): &(i128, crate::constraint::Term)| {
            let (low, high) = term.range(domains);
            coefficient.unsigned_abs().saturating_mul(high.abs_diff(low))
        };
        linear.terms.iter().map(spread).fold(0, u128::saturating_add) <= MOST_WEIGHT
    }
}

/// The inequality over distinct variables: weights above 0, and what remains of the bound.
fn weights(inequality: &Inequality) -> (BTreeMap<Lit, u128>, Option<u128>) {
    let mut weights: BTreeMap<Lit, u128> = BTreeMap::new();
    for ladder in &inequality.ladders {
        let mut below = 0;
        for &(weight, lit) in ladder {
            *weights.entry(lit).or_default() += weight - below;
            below = weight;
        }
    }
    // Of a literal and its negation, one holds: the lesser weight is certain.
    let mut certain = 0;
    let positive: Vec<Lit> = weights.keys().copied().filter(|lit| lit.is_pos()).collect();
    for lit in positive {
        if let Some(&negative) = weights.get(&!lit) {
            let lesser = weights[&lit].min(negative);
            certain += lesser;
            for lit in [lit, !lit] {
                weights.entry(lit).and_modify(|weight| *weight -= lesser);
            }
        }
    }
    weights.retain(|_, weight| *weight > 0);
    (weights, inequality.most.checked_sub(certain))
}

/// The weights of the literals: the gaps between the steps.
fn gaps(ladders: &[Vec<u128>]) -> Vec<u128> {
    let of_one = |ladder: &Vec<u128>| {
        let below = std::iter::once(0).chain(ladder.iter().copied());
        ladder.iter().zip(below).map(|(weight, below)| weight - below).collect::<Vec<_>>()
    };
    let mut gaps: Vec<u128> = ladders.iter().flat_map(of_one).collect();
    gaps.sort_unstable();
    gaps
}

/// The tree of a generalized totalizer: the sums of each node, and which of them have been asked for.
#[derive(Debug)]
pub(crate) struct SumTree {
    sums: BTreeSet<u128>,
    asked: BTreeSet<u128>,
    children: Option<Box<[SumTree; 2]>>,
}

impl SumTree {
    /// The tree over these weights, in ascending order, at least one, and over another tree that comes after them.
    pub(crate) fn new(weights: &[u128], last: Option<Self>) -> Self {
        Self::balanced(weights.chunk_by(|a, b| a == b).map(Self::equal).chain(last).collect())
    }

    fn join(left: Self, right: Self) -> Self {
        let with_none =
            |sums: &BTreeSet<u128>| std::iter::once(0).chain(sums.iter().copied()).collect::<Vec<_>>();
        let (a, b) = (with_none(&left.sums), with_none(&right.sums));
        let mut sums: BTreeSet<u128> = a.iter().flat_map(|x| b.iter().map(move |y| x + y)).collect();
        sums.remove(&0);
        Self { sums, asked: BTreeSet::new(), children: Some(Box::new([left, right])) }
    }

    /// Literals of the same weight, halved again and again.
    fn equal(weights: &[u128]) -> Self {
        if let &[weight] = weights {
            return Self { sums: BTreeSet::from([weight]), asked: BTreeSet::new(), children: None };
        }
        let (left, right) = weights.split_at(weights.len() / 2);
        Self::join(Self::equal(left), Self::equal(right))
    }

    /// Nodes joined so that either side has about half of the sums.
    fn balanced(mut nodes: Vec<Self>) -> Self {
        if nodes.len() == 1 {
            return nodes.remove(0);
        }
        let half = nodes.iter().map(|node| node.sums.len()).sum::<usize>() / 2;
        let up_to = |index: usize| nodes[..=index].iter().map(|node| node.sums.len()).sum::<usize>();
        let split = (1..nodes.len()).find(|&index| up_to(index) >= half).expect("the last reaches it");
        let right = nodes.split_off(split);
        Self::join(Self::balanced(nodes), Self::balanced(right))
    }

    /// The size of what the sums within these bounds need that no sum before has asked for.
    pub(crate) fn ask(&mut self, sums: RangeInclusive<u128>) -> Size {
        let sums = self.sums.range(sums).copied().collect();
        self.ask_for(sums)
    }

    /// A variable for each new sum, and a clause for each way to make it, for which the children are asked.
    fn ask_for(&mut self, mut sums: BTreeSet<u128>) -> Size {
        let Some(children) = &mut self.children else { return Size::NONE };
        sums.retain(|sum| !self.asked.contains(sum));
        let [left, right] = &mut **children;
        let (mut of_left, mut of_right) = (BTreeSet::new(), BTreeSet::new());
        let mut size = Size::exactly(sums.len() as u64, 0);
        for &sum in &sums {
            for a in std::iter::once(0).chain(left.sums.range(..=sum).copied()) {
                let b = sum - a;
                if b == 0 || right.sums.contains(&b) {
                    size = size + Size::exactly(0, 1);
                    of_left.extend((a > 0).then_some(a));
                    of_right.extend((b > 0).then_some(b));
                }
            }
        }
        self.asked.append(&mut sums);
        size + left.ask_for(of_left) + right.ask_for(of_right)
    }
}

fn size_of_totalizer(ladders: &[Vec<u128>], most: u128) -> Size {
    let gaps = gaps(ladders);
    let mut root = SumTree::new(&gaps, None);
    let greatest = gaps.last().expect("a weight for each ladder");
    let forbidden = root.sums.range(most + 1..=most + greatest).count();
    root.ask(most + 1..=most + 1 + greatest) + Size::exactly(0, forbidden as u64)
}

fn size_of_watchdog(ladders: &[Vec<u128>], _: u128) -> Size {
    let gaps = gaps(ladders);
    let digits = digits(&gaps);
    // What the number is that is added, and the output that is forbidden.
    size_of_totalizers(&gaps) + Size::exactly(0, u64::from(digits))
}

/// The digits of the greatest of these weights, in ascending order.
fn digits(weights: &[u128]) -> u32 {
    weights.last().map_or(0, |weight| u128::BITS - weight.leading_zeros())
}

/// The most that a dynamic polynomial watchdog over these weights, in ascending order, has with all of its outputs: a
/// totalizer over m inputs has m (m+1) / 2 - 1 outputs and m^2 - 1 clauses, whatever the shape of its tree.
pub(crate) fn size_of_totalizers(weights: &[u128]) -> Size {
    let digits = digits(weights);
    let (mut size, mut carried) = (Size::at_most(u64::from(digits.saturating_sub(1)), 0), 0);
    for k in 0..digits {
        // The highest power has no number added.
        let with =
            weights.iter().filter(|&&weight| weight >> k & 1 == 1).count() as u64 + u64::from(k + 1 < digits);
        let all = Size::at_most(with * (with + 1) / 2 - 1, with * with - 1);
        let merged = Size::at_most(with + carried, (with + 1) * (carried + 1) - 1);
        size = size + all + if k == 0 { Size::NONE } else { merged };
        carried = u64::midpoint(with, carried);
    }
    size
}

fn write<E>(inequality: &Inequality, sink: &mut Sink<'_>)
where
    E: BoundUpper + FromIterator<(Lit, usize)>,
{
    let (weights, most) = weights(inequality);
    let Some(most) = most else { return sink.clause(&[]) };
    if weights.values().sum::<u128>() <= most {
        return;
    }
    let most = most as usize;
    let mut encoder: E = weights.into_iter().map(|(lit, weight)| (lit, weight as usize)).collect();
    from_rustsat::run(&mut sink.always(), |clauses, numbers| {
        encoder.encode_ub(most..=most, clauses, numbers)
    });
    for unit in encoder.enforce_ub(most).expect("this bound was just encoded") {
        sink.clause(&[unit]);
    }
}
