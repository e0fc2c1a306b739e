//! Finds the order in which a sweep reads the variables, by beam search.
//!
//! A state consists of parts. For example, it has one part for each clause, which records whether the clause is already
//! satisfied. A part is *open* from the step that reads its first variable until the step that reads its last variable.
//! After each step, the number of states is estimated as `p^SCALE` (see [`SCALE`]), where p is the product of the
//! numbers of values of all open parts. The cost of an order is the sum of the estimates.

use std::collections::{HashMap, HashSet};

use gordian_encodings::frontier::{Frontier, Part};
use gordian_encodings::{Cnf, Lit, Var};

use super::plan::{clauses, ends};

/// The exponent in the estimate of the number of states. It is less than 1, because only some combinations of the
/// values of open parts occur.
const SCALE: f64 = 0.6;
/// The weight of the cost in the rank of a move. The rank is `open_bits + WEIGHT_OF_COST * log2(cost) + WEIGHT_OF_AGE *
/// age`, where `age` is the second result of [`Search::effect`].
const WEIGHT_OF_COST: f64 = 0.15;
/// The weight of `age` in the rank of a move (see [`WEIGHT_OF_COST`]).
const WEIGHT_OF_AGE: f64 = 0.12;
/// The beam width: the maximum number of incomplete orders that are kept.
const MOST_ORDERS: usize = 64;
/// The maximum number of machine words that a search copies.
const WORK: usize = 30_000_000;

/// Returns the estimated number of bits of a part. The argument `read` is the number of its variables that have been
/// read, and `left` is the number of its other variables. If one variable has been read, the part has at most two
/// values. If one variable is left, only a few values of the part can still be distinguished.
fn open_bits(bits: f64, read: u32, left: u32) -> f64 {
    match (read, left) {
        (0, _) | (_, 0) => 0.0,
        (1, _) | (_, 1) => bits.min(1.0),
        _ => bits,
    }
}

/// Returns the parts of a state: the parts of each constraint, and one part for each clause.
pub(super) fn parts(frontiers: &[Box<dyn Frontier>], cnf: &Cnf) -> Vec<Part> {
    let of_frontiers = frontiers.iter().flat_map(|frontier| frontier.parts());
    // Parts with the same variables are open at the same time, so one part represents all of them.
    let mut parts: Vec<Part> = Vec::new();
    let mut known: HashMap<Vec<Var>, usize> = HashMap::new();
    for part in of_frontiers.chain(cnf.iter().map(part_of_clause)).filter(|part| !part.variables.is_empty()) {
        let first = *known.entry(part.variables.clone()).or_insert(parts.len());
        match parts.get_mut(first) {
            Some(same) => same.bits = same.bits.max(part.bits),
            None => parts.push(part),
        }
    }
    parts
}

/// Returns the number of different variables in the parts.
pub(super) fn variables(parts: &[Part]) -> usize {
    parts.iter().flat_map(|part| &part.variables).collect::<HashSet<_>>().len()
}

/// Returns an order of all variables in `parts`, and the binary logarithm of its cost. The list `parts` must be the
/// result of [`parts()`] for `frontiers` and `cnf`.
pub(super) fn order(parts: &[Part], frontiers: &[Box<dyn Frontier>], cnf: &Cnf) -> (Vec<Var>, f64) {
    let mut variables: Vec<Var> = parts.iter().flat_map(|part| part.variables.iter().copied()).collect();
    variables.sort_unstable();
    variables.dedup();
    let search = Search::new(parts, &variables);
    let given: Vec<usize> = (0..variables.len()).collect();
    let candidates: Vec<Vec<usize>> = [given, search.by_parts()].into_iter().chain(search.beam()).collect();
    let of_frontiers = self::parts(frontiers, &Cnf::default());
    let clauses = clauses(cnf);
    let orders = candidates.iter().map(|order| order.iter().map(|&index| variables[index]).collect());
    let costs = orders.map(|order: Vec<Var>| (cost(&of_frontiers, &clauses, &order), order));
    let (cost, order) = costs.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default();
    (order, cost)
}

/// Returns the binary logarithm of the cost of an order. The beam search counts each clause separately. This function
/// counts clauses with the same unread literals only once.
fn cost(of_frontiers: &[Part], clauses: &[Vec<Lit>], order: &[Var]) -> f64 {
    let position: HashMap<Var, usize> = order.iter().copied().zip(0..).collect();
    // For each step, the change in the total number of bits of all open parts.
    let mut added = vec![0.0; order.len()];
    let mut add = |part: &Part, end: usize| {
        let mut times: Vec<usize> = part.variables.iter().map(|variable| position[variable]).collect();
        times.sort_unstable();
        let (mut before, size) = (0.0, times.len() as u32);
        for (read, step) in (1..).zip(times).take_while(|&(_, step)| step <= end) {
            let open = if step == end { 0.0 } else { open_bits(part.bits, read, size - read) };
            added[step] += open - before;
            before = open;
        }
    };
    for part in of_frontiers {
        add(part, usize::MAX);
    }
    let ends = ends(clauses, &|lit| position[&lit.var()], order.len());
    for (clause, end) in clauses.iter().zip(ends) {
        add(&part_of_clause(clause), end.step);
    }
    let (mut open, mut cost) = (0.0, 1.0);
    for added in added {
        open += added;
        cost += f64::exp2(SCALE * open);
    }
    f64::log2(cost)
}

/// Returns the part of the state for a clause.
fn part_of_clause(clause: &[Lit]) -> Part {
    let mut variables: Vec<Var> = clause.iter().map(|lit| lit.var()).collect();
    variables.sort_unstable();
    variables.dedup();
    let bits = match variables.len() {
        0..3 => 0.25,
        3 => 0.45,
        _ => 0.6,
    };
    Part { variables, bits }
}

/// The input of the search: the parts of a state. The variables are renumbered from 0.
struct Search {
    members: Vec<Vec<u32>>,
    bits: Vec<f64>,
    /// Maps each variable to the parts that contain it.
    of: Vec<Vec<u32>>,
}

/// An incomplete order: an order of some of the variables.
#[derive(Clone)]
struct Partial {
    read: Vec<bool>,
    /// The number of unread variables of each part.
    left: Vec<u32>,
    /// The unread variables of all open parts.
    near: Vec<u32>,
    open_bits: f64,
    cost: f64,
    hash: u64,
    /// The index of the order's last variable in the list `decisions` of [`Search::beam`].
    last: usize,
}

/// A move appends a variable to an incomplete order.
struct Move {
    rank: f64,
    from: usize,
    variable: u32,
    open_bits: f64,
    cost: f64,
    hash: u64,
}

impl Search {
    fn new(parts: &[Part], variables: &[Var]) -> Self {
        let number = |variable: &Var| variables.binary_search(variable).unwrap_or_default() as u32;
        let members: Vec<Vec<u32>> =
            parts.iter().map(|part| part.variables.iter().map(number).collect()).collect();
        let mut of = vec![Vec::new(); variables.len()];
        for (part, members) in members.iter().enumerate() {
            for &variable in members {
                of[variable as usize].push(part as u32);
            }
        }
        Self { members, bits: parts.iter().map(|part| part.bits).collect(), of }
    }

    /// Returns two numbers that describe the effect of reading the variable next. The first number is the change in the
    /// total number of bits of all open parts. The second number is the sum of `bits * unread / size` over the parts
    /// that contain the variable, where `unread` is the number of the part's variables that are still unread
    /// afterwards. The argument `left` contains the number of unread variables of each part before the variable is
    /// read.
    fn effect(&self, variable: u32, left: &[u32]) -> (f64, f64) {
        let (mut open, mut age) = (0.0, 0.0);
        for &part in &self.of[variable as usize] {
            let (bits, size, left) =
                (self.bits[part as usize], self.members[part as usize].len(), left[part as usize]);
            let read = size as u32 - left;
            open += open_bits(bits, read + 1, left - 1) - open_bits(bits, read, left);
            if left > 1 {
                age += bits * f64::from(left - 1) / size as f64;
            }
        }
        (open, age)
    }

    /// Returns the order that reads all variables of the first part, then all variables of the second part, and so on.
    fn by_parts(&self) -> Vec<usize> {
        let mut read = vec![false; self.of.len()];
        let members = self.members.iter().flatten().map(|&variable| variable as usize);
        members.filter(|&variable| !std::mem::replace(&mut read[variable], true)).collect()
    }

    /// Returns the best order that the beam search finds, or `None` if there are too many variables for a search.
    fn beam(&self) -> Option<Vec<usize>> {
        let variables = self.of.len();
        let size = variables / 8 + self.members.len() / 2 + 50;
        let width = (WORK / (size * variables.max(1))).min(MOST_ORDERS);
        if width == 0 {
            return None;
        }
        let mut decisions: Vec<(usize, u32)> = vec![(0, 0)];
        let mut beam = vec![Partial {
            read: vec![false; variables],
            left: self.members.iter().map(|members| members.len() as u32).collect(),
            near: Vec::new(),
            open_bits: 0.0,
            cost: 1.0,
            hash: 0,
            last: 0,
        }];
        for _ in 0..variables {
            gordian_encodings::tick((size * beam.len()) as u64);
            let mut moves: Vec<Move> = Vec::new();
            for (from, partial) in beam.iter().enumerate() {
                self.moves(from, partial, &mut moves);
            }
            moves.sort_unstable_by(|a, b| a.rank.total_cmp(&b.rank).then(a.variable.cmp(&b.variable)));
            let mut seen = HashSet::new();
            let chosen = moves.into_iter().filter(|step| seen.insert(step.hash)).take(width);
            beam = chosen
                .map(|step| {
                    decisions.push((beam[step.from].last, step.variable));
                    self.after(&beam[step.from], &step, decisions.len() - 1)
                })
                .collect();
        }
        let mut order = Vec::with_capacity(variables);
        let mut at = beam.iter().min_by(|a, b| a.cost.total_cmp(&b.cost)).map_or(0, |best| best.last);
        while at != 0 {
            let (before, variable) = decisions[at];
            order.push(variable as usize);
            at = before;
        }
        order.reverse();
        Some(order)
    }

    /// Appends the moves from an incomplete order: the unread variables of open parts, or all unread variables if no
    /// part is open.
    fn moves(&self, from: usize, partial: &Partial, moves: &mut Vec<Move>) {
        let all: Vec<u32>;
        let variables = if partial.near.is_empty() {
            all =
                (0..partial.read.len() as u32).filter(|&variable| !partial.read[variable as usize]).collect();
            &all
        } else {
            &partial.near
        };
        for &variable in variables {
            let (open, age) = self.effect(variable, &partial.left);
            let open_bits = partial.open_bits + open;
            let cost = partial.cost + f64::exp2(SCALE * open_bits);
            let rank = open_bits + WEIGHT_OF_COST * f64::log2(cost) + WEIGHT_OF_AGE * age;
            // The hash depends only on the set of variables in the order, not on their sequence.
            let hash = partial.hash
                ^ (u64::from(variable) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(variable % 63);
            moves.push(Move { rank, from, variable, open_bits, cost, hash });
        }
    }

    /// Returns the incomplete order after a move.
    fn after(&self, partial: &Partial, step: &Move, last: usize) -> Partial {
        let Move { variable, open_bits, cost, hash, .. } = *step;
        let mut next = Partial { open_bits, cost, hash, last, ..partial.clone() };
        next.read[variable as usize] = true;
        next.near.retain(|&near| near != variable);
        for &part in &self.of[variable as usize] {
            let (members, left) = (&self.members[part as usize], &mut next.left[part as usize]);
            if *left as usize == members.len() {
                for &member in members {
                    if !next.read[member as usize] && !next.near.contains(&member) {
                        next.near.push(member);
                    }
                }
            }
            *left -= 1;
        }
        next
    }
}
