//! Core-guided search: assumes that nothing is paid for, and pays for what the solver says can't be had for nothing.
//!
//! Every penalty of the objective is an assumption that it is not paid. A contradiction names assumptions of which one
//! must fail, a *core*: the least weight among them is added to the bound and taken off each; in their place comes an
//! assumption of that weight that no more than one of them fails, an output of a totalizer over them. Once it is in a core
//! itself, its weight goes over to the next output, "no more than two", which is made then (OLL: Andres, Kaufmann,
//! Matheis, Schaub: *Unsatisfiability-based optimization in clasp*, ICLP 2012; Morgado, Dodaro, Marques-Silva:
//! *Core-guided MaxSAT with soft cardinality constraints*, CP 2014). When all assumptions can be kept, the solution costs
//! what was paid.
//!
//! What makes it quick, in the order of the calls:
//! * *stratification*: great weights are assumed first, which also brings good solutions early (Ansotegui, Bonet, Gabas,
//!   Levy: *Improving SAT-based weighted MaxSAT solvers*, CP 2012, with its measure of diversity);
//! * *weight-aware core extraction*: totalizers are put off until no further core is left among the weights (Berg, Jarvisalo:
//!   *Weight-aware core extraction in SAT-based MaxSAT solving*, CP 2017);
//! * cores are *minimised* literal by literal, with few conflicts each, and *exhausted*: the new output's bound is raised
//!   as long as few conflicts show that it can't be kept even alone (Ignatiev, Morgado, Marques-Silva: *RC2: an efficient
//!   MaxSAT solver*, JSAT 11, 2019);
//! * *hardening*: what weighs more than the gap is a clause from then on (Ansotegui et al. as above).
//!
//! Differs from the papers in that sums with [the same value](gordian_encodings::Objective::equal) are counted together:
//! the bound is what they cost together, divided by their number and rounded up. Cores of literals from several sums
//! can be much smaller than those from one: on boards of rooks two literals, a row and a column, instead of dozens.

use std::collections::{BTreeMap, HashMap};

use gordian_encodings::{IncrementalTotalizer, Lit, Overflow, TRUE, Value};

use super::{OptimiseError, Reply, Search, Strategy};

/// From none to a solution, by reasons: a bound that moves with each core, solutions on the way.
pub(super) static STRATEGY: Strategy = Strategy {
    name: "core-guided",
    summary: "core-guided (OLL): pays for what can't be had for nothing, and is done when the rest can",
    paper: "Morgado, Dodaro, Marques-Silva: Core-guided MaxSAT with soft cardinality constraints, CP 2014",
    run,
};

/// Conflicts for each attempt to do without a literal of a core, and to raise the bound of a new totalizer.
const FEW_CONFLICTS: u64 = 1_000;
/// How much more diverse the weights must be for another stratum, in percent of literals per weight.
const DIVERSITY: usize = 125;
/// A step takes up to so many times the conflicts that one call may take.
const CALLS_IN_A_STEP: u64 = 10;

fn run(search: &mut Search<'_>) -> Result<(), OptimiseError> {
    Cores::new(search)?.step(search, None).map(drop)
}

/// What was paid, and what is left to pay for.
#[derive(Debug)]
pub(super) struct Cores {
    /// How often the cost is counted in `paid`.
    times: Value,
    paid: Value,
    /// What it costs if an assumption fails.
    weights: BTreeMap<Lit, u128>,
    /// The least weight that is assumed.
    level: u128,
    counts: Vec<IncrementalTotalizer>,
    /// The assumptions that are outputs of counts: which, and the bound.
    outputs: HashMap<Lit, (usize, usize)>,
    /// Cores that have no count yet, with what was paid for them.
    pending: Vec<(Vec<Lit>, u128)>,
}

impl Cores {
    pub(super) fn new(search: &Search<'_>) -> Result<Self, Overflow> {
        let penalties = search.bounds.penalties()?;
        let mut cores = Self {
            times: penalties.times,
            paid: penalties.least,
            weights: penalties.weights.into_iter().map(|(weight, lit)| (!lit, weight)).collect(),
            level: u128::MAX,
            counts: Vec::new(),
            outputs: HashMap::new(),
            pending: Vec::new(),
        };
        cores.lower_level();
        Ok(cores)
    }

    /// Goes on until the optimum is proven, or the search is stopped, or this many conflicts did not do for a call.
    pub(super) fn step(
        &mut self,
        search: &mut Search<'_>,
        conflicts: Option<u64>,
    ) -> Result<Reply, OptimiseError> {
        let enough = conflicts.map(|conflicts| search.session.conflicts() + conflicts * CALLS_IN_A_STEP);
        loop {
            self.harden(search);
            if search.proven {
                return Ok(Reply::Proven);
            }
            if enough.is_some_and(|enough| search.session.conflicts() > enough) {
                return Ok(Reply::Exhausted);
            }
            let assumed = self.weights.iter().filter(|&(_, &weight)| weight >= self.level);
            let assumptions: Vec<Lit> = assumed.map(|(&lit, _)| lit).collect();
            match search.solve(&assumptions, conflicts)? {
                Reply::Found if !self.pending.is_empty() => {
                    while let Some((core, weight)) = self.pending.pop() {
                        let reply = self.count(search, core, weight)?;
                        if matches!(reply, Reply::Stopped | Reply::Proven) {
                            return Ok(reply);
                        }
                    }
                }
                Reply::Found if assumptions.len() == self.weights.len() => {
                    // Nothing was paid for that is not in the bound.
                    search.no_better();
                    return Ok(Reply::Proven);
                }
                Reply::Found => self.lower_level(),
                Reply::Core(core) => {
                    let core = self.minimise(search, core)?;
                    self.pay(search, core);
                }
                reply @ (Reply::Proven | Reply::Exhausted | Reply::Stopped) => return Ok(reply),
            }
        }
    }

    /// The next stratum: lower weights, so many that there are notably more literals for each weight, or all.
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

    /// Makes what weighs more than the gap a clause: solutions without it are worse than the best one.
    fn harden(&mut self, search: &mut Search<'_>) {
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

    /// Does without literals of a core that few conflicts show not to be needed, those of small weight first.
    fn minimise(&self, search: &mut Search<'_>, mut core: Vec<Lit>) -> Result<Vec<Lit>, OptimiseError> {
        if !search.budgets {
            return Ok(core);
        }
        core.sort_by_key(|lit| (self.weights[lit], *lit));
        let mut at = 0;
        while at < core.len() && core.len() > 1 {
            let without: Vec<Lit> = core[..at].iter().chain(&core[at + 1..]).copied().collect();
            match search.solve(&without, Some(FEW_CONFLICTS))? {
                Reply::Core(smaller) => {
                    at = core[..at].iter().filter(|lit| smaller.contains(lit)).count();
                    core.retain(|lit| smaller.contains(lit));
                }
                Reply::Stopped | Reply::Proven => break,
                Reply::Found | Reply::Exhausted => at += 1,
            }
        }
        Ok(core)
    }

    /// Pays for a core.
    fn pay(&mut self, search: &mut Search<'_>, core: Vec<Lit>) {
        let least = core.iter().map(|lit| self.weights[lit]).min().expect("a core is not empty");
        let failed: Vec<Lit> = core.iter().map(|&lit| !lit).collect();
        let mut sink = search.session.encoded.sink(&mut *search.session.backend);
        sink.clause(&failed);
        for &lit in &core {
            let weight = self.weights.get_mut(&lit).expect("cores are of weighted literals");
            *weight -= least;
            if *weight == 0 {
                self.weights.remove(&lit);
            }
            if let Some(&(count, most)) = self.outputs.get(&lit) {
                let next = self.counts[count].at_most(most + 1, &mut sink);
                if next != TRUE {
                    *self.weights.entry(next).or_default() += least;
                    self.outputs.insert(next, (count, most + 1));
                }
            }
        }
        if core.len() > 1 {
            self.pending.push((core, least));
        }
        self.raise(search, least);
    }

    /// Counts how many of a core fail. That one does is paid for.
    fn count(
        &mut self,
        search: &mut Search<'_>,
        core: Vec<Lit>,
        weight: u128,
    ) -> Result<Reply, OptimiseError> {
        let mut count = IncrementalTotalizer::new(core.into_iter().map(|lit| !lit).collect());
        let mut most = 1;
        let mut reply = Reply::Found;
        while most < count.literals() {
            let lit = count.at_most(most, &mut search.session.encoded.sink(&mut *search.session.backend));
            if search.budgets && matches!(reply, Reply::Found | Reply::Core(_)) {
                reply = search.solve(&[lit], Some(FEW_CONFLICTS))?;
                if let Reply::Core(_) = reply {
                    search.session.encoded.sink(&mut *search.session.backend).clause(&[!lit]);
                    self.raise(search, weight);
                    most += 1;
                    continue;
                }
            }
            self.outputs.insert(lit, (self.counts.len(), most));
            self.weights.insert(lit, weight);
            break;
        }
        self.counts.push(count);
        Ok(reply)
    }

    /// Takes note that this much more must be paid.
    fn raise(&mut self, search: &mut Search<'_>, weight: u128) {
        // It stays below the greatest sum, which fits.
        self.paid = self.paid.saturating_add_unsigned(weight);
        let (whole, rest) = (self.paid.div_euclid(self.times), self.paid.rem_euclid(self.times));
        if let Some(value) = search.sense().cost(whole + Value::from(rest > 0)) {
            search.none_better_than(value);
        }
    }
}
