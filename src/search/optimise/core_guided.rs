//! Core-guided search (OLL).
//!
//! The search assumes every soft literal. If the formula is unsatisfiable under the assumptions, the solver returns a
//! *core*: assumptions that can't all hold. The smallest weight in the core is added to the bound and subtracted from
//! the weight of each literal in the core. A totalizer over the core gets a new soft literal of that weight: "at most
//! one literal of the core is false". If a later core contains the new soft literal, the next output of the totalizer
//! ("at most two") becomes a soft literal with the smallest weight of that core, and so on (OLL: Andres, Kaufmann,
//! Matheis, Schaub: *Unsatisfiability-based optimization in clasp*, ICLP 2012; Morgado, Dodaro, Marques-Silva:
//! *Core-guided MaxSAT with soft cardinality constraints*, CP 2014). When the formula is satisfiable under the
//! assumptions, the cost of the solution equals the bound.
//!
//! The search uses the following methods:
//! * *stratification*: the search assumes literals with large weights first, which also finds good solutions early
//!   (Ansotegui, Bonet, Gabas, Levy: *Improving SAT-based weighted MaxSAT solvers*, CP 2012, including its diversity
//!   heuristic);
//! * *weight-aware core extraction*: totalizers are added only when the formula is satisfiable under the remaining
//!   assumptions (Berg, Jarvisalo: *Weight-aware core extraction in SAT-based MaxSAT solving*, CP 2017);
//! * *core minimisation*, literal by literal within a conflict budget, and *core exhaustion*: the bound of the new
//!   output is increased as long as a small conflict budget suffices to refute it (Ignatiev, Morgado, Marques-Silva:
//!   *RC2: an efficient MaxSAT solver*, JSAT 11, 2019);
//! * *exclusive literals*: of three or more soft literals that exclude each other, all but one are relaxed at once,
//!   before the search for cores (as *RC2* does for at-most-one constraints). Unlike in *RC2*, the groups come from the
//!   constraints of the model, and a single chain of clauses relaxes a group even if its weights differ;
//! * *reduced costs*: if the objective has a [relaxation](gordian_encodings::Objective::relaxation) that closes enough
//!   of the gap, the search starts with the constant of the relaxation as its bound and with the reduced costs as
//!   weights. When all soft literals are satisfied, the search continues with the objective itself (Bacchus, Hyttinen,
//!   Jarvisalo, Saikko: *Reduced cost fixing in MaxSAT*, CP 2017);
//! * *hardening*: a literal whose weight exceeds the gap becomes a unit clause (Ansotegui et al. 2012).
//!
//! A search that is logged for a proof uses neither exclusive literals nor reduced costs nor hardening, because the log
//! has no derivations for them.
//!
//! There is one further difference from the papers: sums with [the same value](gordian_encodings::Objective::equal)
//! are minimised together. The bound on each sum is the bound on the total of all sums, divided by their number and
//! rounded up. Cores over several sums can be much smaller than cores over one sum. On rooks boards, a core over one
//! sum has dozens of literals, while a core over two sums has two: one for a row and one for a column.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use gordian_encodings::{IncrementalTotalizer, Lit, Overflow, Penalties, Relaxation, TRUE, Value};

use super::{Reply, Search, SolveError, Strategy};

/// Every core raises the bound. Solutions that are found between cores improve the best value.
pub static STRATEGY: Strategy = Strategy {
    name: "core-guided",
    summary: "core-guided search (OLL): assumes every soft literal, and raises the bound with every core",
    paper: "Morgado, Dodaro, Marques-Silva: Core-guided MaxSAT with soft cardinality constraints, CP 2014",
    run,
};

/// The conflict budget of a solver call that tries to remove a literal from a core or to raise the bound of a new
/// totalizer.
const FEW_CONFLICTS: u64 = 1_000;
/// A stratum is complete when the ratio of literals to distinct weights exceeds this percentage of its previous
/// value.
const DIVERSITY: usize = 125;
/// The total conflict budget for minimising and exhausting one core, as a multiple of the budget of one solver call.
const CALLS_IN_A_STEP: u64 = 10;

/// A step also ends if it has taken this many propagations for each conflict of its budget, and at least
/// [`PROPAGATIONS_PER_CONFLICT`] propagations for each of its conflicts. On some models, hundreds of cores follow by
/// propagation alone, and the bound rises slowly.
const MOST_PROPAGATIONS: u64 = 1_000;
const PROPAGATIONS_PER_CONFLICT: u64 = 20_000;

/// Until a step has found a core, its calls get the budget divided by this number.
const FIRST_CORE_SHARE: u64 = 10;
/// The minimum percentage of the gap that a relaxation must close to be used. The many different weights of a
/// relaxation make cores larger.
const LEAST_CLOSED: Value = 10;

/// The maximum number of pairs of mutually exclusive soft literals. If there are more pairs, no groups are formed.
const MOST_PAIRS: usize = 4_000_000;

fn run(search: &mut Search<'_>) -> Result<(), SolveError> {
    Cores::new(search)?.step(search, None).map(drop)
}

fn penalties(search: &mut Search<'_>) -> Result<Penalties, Overflow> {
    let Search { session, bounds, .. } = search;
    session.with_sink(|sink| bounds.penalties(sink))
}

/// Returns whether the bound of `relaxation` closes at least [`LEAST_CLOSED`] percent of the gap between the bound of
/// `penalties` and the best cost. Returns `None` on overflow.
fn closes_gap(search: &mut Search<'_>, penalties: &Penalties, relaxation: &Relaxation) -> Option<bool> {
    let least = search.session.with_sink(|sink| relaxation.least(sink.domains()))?;
    let bound = penalties.least.div_euclid(penalties.times);
    let gap = search.sense().cost(search.best())?.checked_sub(bound)?;
    let closed = least.div_euclid(relaxation.scale).checked_sub(bound)?;
    Some(closed.checked_mul(100)? >= gap.checked_mul(LEAST_CLOSED)?)
}

/// The state of the core-guided search: the bound and the remaining soft literals.
#[derive(Debug)]
pub(super) struct Cores {
    /// The number of equal sums that are minimised together. The field `paid` is a lower bound on the total of these
    /// sums.
    times: Value,
    paid: Value,
    /// The weight of each soft literal.
    weights: BTreeMap<Lit, u128>,
    /// Literals of at least this weight are assumed in the current stratum.
    level: u128,
    /// The totalizers, each with the number of its core in the log of a proof.
    counts: Vec<(IncrementalTotalizer, usize)>,
    /// The soft literals that are outputs of totalizers, each with the index of the totalizer and the bound of the
    /// output.
    outputs: HashMap<Lit, (usize, usize)>,
    /// Cores for which no totalizer has been added yet, each with its weight and its number in the log of a proof.
    pending: Vec<(Vec<Lit>, u128, usize)>,
    /// True if the penalties come from a relaxation.
    is_relaxed: bool,
}

impl Cores {
    pub(super) fn new(search: &mut Search<'_>) -> Result<Self, Overflow> {
        let penalties = penalties(search)?;
        if let Some(relaxation) = &search.objective.relaxation
            && !search.is_logged()
            && closes_gap(search, &penalties, relaxation) == Some(true)
            && let Some(Ok(relaxed)) = search.session.write(|sink| relaxation.penalties(sink))
        {
            return Ok(Self::of(relaxed, true, search));
        }
        Ok(Self::of(penalties, false, search))
    }

    fn of(penalties: Penalties, is_relaxed: bool, search: &mut Search<'_>) -> Self {
        let mut cores = Self {
            times: penalties.times,
            paid: penalties.least,
            weights: penalties.weights.into_iter().map(|(weight, lit)| (!lit, weight)).collect(),
            level: u128::MAX,
            counts: Vec::new(),
            outputs: HashMap::new(),
            pending: Vec::new(),
            is_relaxed,
        };
        cores.raise(search, 0);
        if !search.is_logged() {
            cores.relax_exclusive(search);
        }
        cores.lower_level();
        cores
    }

    /// Forms groups of soft literals that exclude each other, and relaxes each group.
    fn relax_exclusive(&mut self, search: &mut Search<'_>) {
        let mut excluded: HashMap<Lit, HashSet<Lit>> = HashMap::new();
        let mut pairs = 0;
        for group in &search.session.exclusive {
            let soft: Vec<Lit> = group.iter().copied().filter(|lit| self.weights.contains_key(lit)).collect();
            pairs += soft.len() * soft.len().saturating_sub(1);
            if pairs > MOST_PAIRS {
                return;
            }
            for &lit in &soft {
                excluded.entry(lit).or_default().extend(soft.iter().copied().filter(|&other| other != lit));
            }
        }
        let mut order: Vec<Lit> = excluded.keys().copied().collect();
        order.sort_unstable_by_key(|lit| (Reverse(excluded[lit].len()), *lit));
        let mut used = HashSet::new();
        for &lit in &order {
            let mut others: Vec<Lit> =
                excluded[&lit].iter().copied().filter(|lit| !used.contains(lit)).collect();
            if others.is_empty() || !used.insert(lit) {
                continue;
            }
            others.sort_unstable_by_key(|other| (Reverse(self.weights[other]), *other));
            let mut group = vec![lit];
            for other in others {
                if group.iter().all(|member| excluded[&other].contains(member)) {
                    used.insert(other);
                    group.push(other);
                }
            }
            // A pair is not relaxed, because the search finds a core of two literals without a conflict.
            if group.len() > 2 {
                self.relax_group(search, group);
            }
        }
    }

    /// Relaxes a group of mutually exclusive soft literals: the bound rises by all weights except the largest. The
    /// literals are sorted by descending weight and replaced by soft literals for "one of the first k literals is
    /// true". The weight of the k-th soft literal is the difference between the weights of literals k and k + 1.
    fn relax_group(&mut self, search: &mut Search<'_>, mut group: Vec<Lit>) {
        group.sort_by_key(|lit| (Reverse(self.weights[lit]), *lit));
        let weights: Vec<u128> = group.iter().filter_map(|lit| self.weights.remove(lit)).collect();
        let mut sink = search.session.encoded.sink(&mut *search.session.backend);
        let mut first = None;
        for (index, (&lit, &weight)) in group.iter().zip(&weights).enumerate() {
            let one = match first {
                None => lit,
                Some(before) => {
                    let one = sink.fresh();
                    sink.clause(&[!one, before, lit]);
                    one
                }
            };
            let next = weights.get(index + 1).copied().unwrap_or(0);
            if weight > next {
                *self.weights.entry(one).or_default() += weight - next;
            }
            first = Some(one);
        }
        // The sum of all weights does not overflow.
        self.raise(search, weights[1..].iter().sum());
    }

    /// Continues until the optimum is proven, the search is stopped, or the budget is exceeded.
    pub(super) fn step(
        &mut self,
        search: &mut Search<'_>,
        conflicts: Option<u64>,
    ) -> Result<Reply, SolveError> {
        let (before, propagations) = (search.session.conflicts(), search.session.propagations());
        let is_exhausted = |search: &Search<'_>, budget: u64| {
            let conflicts = search.session.conflicts() - before;
            let propagations = search.session.propagations() - propagations;
            let is_slow = propagations > budget * MOST_PROPAGATIONS
                && propagations / PROPAGATIONS_PER_CONFLICT > conflicts;
            conflicts > budget * CALLS_IN_A_STEP || is_slow
        };
        let mut has_core = false;
        loop {
            self.harden(search);
            if search.proven {
                return Ok(Reply::Proven);
            }
            if conflicts.is_some_and(|budget| is_exhausted(search, budget)) {
                return Ok(Reply::Exhausted);
            }
            let assumed = self.weights.iter().filter(|&(_, &weight)| weight >= self.level);
            let assumptions: Vec<Lit> = assumed.map(|(&lit, _)| lit).collect();
            // A search that finds no core soon will hardly improve the bound.
            let most = conflicts.map(|budget| if has_core { budget } else { budget / FIRST_CORE_SHARE });
            match search.solve(&assumptions, most)? {
                Reply::Found if !self.pending.is_empty() => {
                    while let Some((core, weight, logged_as)) = self.pending.pop() {
                        let reply = self.count(search, core, weight, logged_as)?;
                        if matches!(reply, Reply::Stopped | Reply::Proven) {
                            return Ok(reply);
                        }
                    }
                }
                Reply::Found if assumptions.len() == self.weights.len() && self.is_relaxed => {
                    *self = Self::of(penalties(search)?, false, search);
                }
                Reply::Found if assumptions.len() == self.weights.len() => {
                    // If all soft literals are true, the cost equals the bound.
                    search.no_better();
                    return Ok(Reply::Proven);
                }
                Reply::Found => self.lower_level(),
                Reply::Core(core) => {
                    has_core = true;
                    let core = self.minimise(search, core)?;
                    self.pay(search, core);
                }
                reply @ (Reply::Proven | Reply::Exhausted | Reply::Stopped) => return Ok(reply),
            }
        }
    }

    /// Starts the next stratum: lowers the weight limit until the ratio of literals to distinct weights exceeds
    /// [`DIVERSITY`] percent of its previous value, or all literals are included.
    fn lower_level(&mut self) {
        let mut weights: Vec<u128> = self.weights.values().copied().collect();
        weights.sort_unstable_by(|a, b| b.cmp(a));
        let (mut literals, mut distinct) = (0, 0);
        let before = {
            let above = weights.iter().take_while(|&&weight| weight >= self.level).count();
            let mut different = weights[..above].to_vec();
            different.dedup();
            (above, different.len().max(1))
        };
        for same in weights.chunk_by(|a, b| a == b) {
            literals += same.len();
            distinct += 1;
            if same[0] < self.level && 100 * literals * before.1 > DIVERSITY * before.0 * distinct {
                self.level = same[0];
                return;
            }
        }
        self.level = 0;
    }

    /// Hardens all literals whose weight exceeds the gap: every solution that violates such a literal is worse than
    /// the best solution so far.
    fn harden(&mut self, search: &mut Search<'_>) {
        if search.is_logged() {
            return;
        }
        let Some(best) = search.sense().cost(search.best()) else { return };
        let Some(gap) = best.checked_mul(self.times).and_then(|best| best.checked_sub(self.paid)) else {
            return;
        };
        let gap = gap.max(0).unsigned_abs();
        if self.weights.values().all(|&weight| weight <= gap) {
            return;
        }
        let mut sink = search.session.encoded.sink(&mut *search.session.backend);
        self.weights.retain(|&lit, &mut weight| {
            if weight > gap {
                sink.clause(&[lit]);
            }
            weight <= gap
        });
    }

    /// Minimises a core: tests each literal, starting with the smallest weight, and removes it if the solver proves
    /// within a small conflict budget that the remaining literals are a core.
    fn minimise(&self, search: &mut Search<'_>, mut core: Vec<Lit>) -> Result<Vec<Lit>, SolveError> {
        if !search.budgets {
            return Ok(core);
        }
        core.sort_by_key(|lit| (self.weights[lit], *lit));
        let enough = search.session.conflicts() + FEW_CONFLICTS * CALLS_IN_A_STEP;
        let mut at = 0;
        while at < core.len() && core.len() > 1 && search.session.conflicts() < enough {
            let without: Vec<Lit> = core[..at].iter().chain(&core[at + 1..]).copied().collect();
            match search.solve(&without, Some(FEW_CONFLICTS))? {
                Reply::Core(smaller) => {
                    let smaller: HashSet<Lit> = smaller.into_iter().collect();
                    at = core[..at].iter().filter(|lit| smaller.contains(lit)).count();
                    core.retain(|lit| smaller.contains(lit));
                }
                Reply::Stopped | Reply::Proven => break,
                Reply::Found | Reply::Exhausted => at += 1,
            }
        }
        Ok(core)
    }

    /// Relaxes a core: adds its smallest weight to the bound, and subtracts it from the weights of its literals.
    fn pay(&mut self, search: &mut Search<'_>, core: Vec<Lit>) {
        let least = core.iter().map(|lit| self.weights[lit]).min().expect("a core is not empty");
        let failed: Vec<Lit> = core.iter().map(|&lit| !lit).collect();
        search.session.add_clause(&failed);
        let logged_as = search.log_core(&failed, least);
        for &lit in &core {
            let weight = self.weights.get_mut(&lit).expect("cores are of weighted literals");
            *weight -= least;
            if *weight == 0 {
                self.weights.remove(&lit);
            }
            if let Some(&(count, most)) = self.outputs.get(&lit) {
                let (totalizer, counted) = &mut self.counts[count];
                let next = search.session.with_sink(|sink| totalizer.at_most(most + 1, sink));
                if next != TRUE {
                    search.log_output(*counted, next, most + 1, least);
                    *self.weights.entry(next).or_default() += least;
                    self.outputs.insert(next, (count, most + 1));
                }
            }
        }
        if core.len() > 1 {
            self.pending.push((core, least, logged_as));
        }
        self.raise(search, least);
    }

    /// Adds a totalizer over a core. The bound already includes the cost of one violated literal of the core.
    fn count(
        &mut self,
        search: &mut Search<'_>,
        core: Vec<Lit>,
        weight: u128,
        logged_as: usize,
    ) -> Result<Reply, SolveError> {
        let mut count = IncrementalTotalizer::new(core.into_iter().map(|lit| !lit).collect());
        let mut most = 1;
        let mut reply = Reply::Found;
        while most < count.literals() {
            let lit = search.session.with_sink(|sink| count.at_most(most, sink));
            search.log_output(logged_as, lit, most, weight);
            if search.budgets && matches!(reply, Reply::Found | Reply::Core(_)) {
                reply = search.solve(&[lit], Some(FEW_CONFLICTS))?;
                if let Reply::Core(_) = reply {
                    search.session.add_clause(&[!lit]);
                    search.log_core(&[!lit], weight);
                    self.raise(search, weight);
                    most += 1;
                    continue;
                }
            }
            self.outputs.insert(lit, (self.counts.len(), most));
            self.weights.insert(lit, weight);
            break;
        }
        self.counts.push((count, logged_as));
        Ok(reply)
    }

    /// Raises the bound by `weight`.
    fn raise(&mut self, search: &mut Search<'_>, weight: u128) {
        // The addition cannot overflow, because the bound never exceeds the largest sum.
        self.paid = self.paid.saturating_add_unsigned(weight);
        let (whole, rest) = (self.paid.div_euclid(self.times), self.paid.rem_euclid(self.times));
        if let Some(value) = search.sense().cost(whole + Value::from(rest > 0)) {
            search.none_better_than(value);
        }
    }
}
