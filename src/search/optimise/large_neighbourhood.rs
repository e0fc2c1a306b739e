//! Large neighbourhood search: looks for better solutions that agree with the best one on most decision variables.
//!
//! The assumptions of a solver call fix the decision variables outside a [neighbourhood](super::neighbourhood), so that no
//! constraint is encoded again, and what is learnt in one neighbourhood helps in all others.
//!
//! Papers: Shaw: *Using constraint programming and local search methods to solve vehicle routing problems*, CP 1998; Ropke,
//! Pisinger: *An adaptive large neighborhood search heuristic for the pickup and delivery problem with time windows*,
//! Transportation Science 40, 2006 (the choice among kinds of neighbourhoods); Perron, Shaw, Furnon: *Propagation guided large
//! neighborhood search*, CP 2004 (sizes that adapt).

use gordian_encodings::Lit;

use super::neighbourhood::{Neighbourhoods, Outcome};
use super::{Reply, Search, SolveError, sat_unsat};

/// The conflict limit of the search in one neighbourhood.
const CONFLICTS: u64 = 300;
/// The smallest part of the work that large neighbourhood search gets if other methods are more successful.
const LEAST_SHARE: f64 = 0.125;

/// The state of large neighbourhood search.
pub(super) struct LargeNeighbourhoodSearch {
    neighbourhoods: Neighbourhoods,
    /// The work that the search gets, as a part of the work of other methods.
    share: f64,
    /// The number of propagations of the last run.
    work: u64,
}

impl LargeNeighbourhoodSearch {
    pub(super) fn new(neighbourhoods: Neighbourhoods) -> Self {
        Self { neighbourhoods, share: 1.0, work: 0 }
    }

    /// Searches neighbourhoods of the best solution. `work` is the number of propagations of other methods since the last
    /// run. Returns `false` if the whole search is finished.
    pub(super) fn run(&mut self, search: &mut Search<'_>, work: u64) -> Result<bool, SolveError> {
        let start = search.session.propagations();
        let enough = start + (work as f64 * self.share) as u64;
        let mut fixing: Vec<[Lit; 2]> = Vec::new();
        let mut fixed_to = None;
        while search.session.propagations() < enough {
            let Some((assignment, value)) = search.best.clone() else { return Ok(true) };
            if fixed_to != Some(value) {
                let written = search.session.write(|sink| self.neighbourhoods.fixing(&assignment, sink));
                let Some(written) = written else { return Ok(false) };
                fixing = written;
                fixed_to = Some(value);
            }
            let (kind, free) = self.neighbourhoods.choose(&assignment);
            let fixed = fixing.iter().zip(&free).filter(|&(_, &free)| !free);
            let mut assumptions: Vec<Lit> = fixed.flat_map(|(lits, _)| *lits).collect();
            assumptions.dedup();
            let Some(outcome) = search_one(search, &assumptions)? else { return Ok(false) };
            self.neighbourhoods.adapt(kind, outcome);
        }
        self.work = search.session.propagations() - start;
        Ok(true)
    }

    /// Adapts the share to the improvement of the last run and to that of other methods, which needed `work` propagations
    /// after this run.
    pub(super) fn compare(&mut self, own: u128, others: u128, work: u64) {
        let is_ahead = own as f64 * work as f64 > others as f64 * self.work as f64;
        self.share = if is_ahead { (2.0 * self.share).min(1.0) } else { (self.share / 2.0).max(LEAST_SHARE) };
    }
}

/// Searches a neighbourhood until it contains no better solution. The literals in `near` fix the variables outside it. Each
/// solution doubles the improvement that the next call asks for. Returns `None` if the whole search is finished.
fn search_one(search: &mut Search<'_>, near: &[Lit]) -> Result<Option<Outcome>, SolveError> {
    let enough = search.session.conflicts() + CONFLICTS;
    let mut improvement = 1;
    let mut improved = false;
    loop {
        let left = enough.saturating_sub(search.session.conflicts());
        match sat_unsat::step_near(search, improvement, near, Some(left))? {
            Reply::Found => {
                improved = true;
                improvement *= 2;
            }
            Reply::Core(_) | Reply::Exhausted if improvement > 1 && left > 0 => improvement = 1,
            Reply::Core(_) => return Ok(Some(Outcome { improved, complete: true })),
            Reply::Exhausted => return Ok(Some(Outcome { improved, complete: false })),
            Reply::Proven | Reply::Stopped => return Ok(None),
        }
    }
}
