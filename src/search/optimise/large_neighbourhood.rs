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

use super::neighbourhood::{NeighbourhoodResult, Neighbourhoods};
use super::{Reply, Search, SolveError, sat_unsat};

/// The conflict limit of the search in one neighbourhood.
const CONFLICTS: u64 = 300;
/// The largest share, in eighths of the work of other methods. The smallest share is an eighth.
const EIGHTHS: u64 = 8;

/// The state of large neighbourhood search.
pub(super) struct LargeNeighbourhoodSearch {
    neighbourhoods: Neighbourhoods,
    /// The work that the search gets, in eighths of the work of other methods.
    eighths: u64,
    /// The number of propagations of the last run.
    work: u64,
}

impl LargeNeighbourhoodSearch {
    pub(super) fn new(neighbourhoods: Neighbourhoods) -> Self {
        Self { neighbourhoods, eighths: EIGHTHS, work: 0 }
    }

    /// Searches neighbourhoods of the best solution. `work` is the number of propagations of other methods since the last
    /// run. Returns `false` if the whole search is finished.
    pub(super) fn run(&mut self, search: &mut Search<'_>, work: u64) -> Result<bool, SolveError> {
        let start = search.session.propagations();
        let enough = work.saturating_mul(self.eighths) / EIGHTHS;
        // A call may need no propagation, so its assumptions count, too.
        let mut assumed = 0;
        let mut fixing: Vec<[Lit; 2]> = Vec::new();
        let mut fixed_to = None;
        while search.session.propagations() - start + assumed < enough {
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
            assumed += 1 + assumptions.len() as u64;
            let Some(outcome) = search_one(search, &assumptions)? else { return Ok(false) };
            self.neighbourhoods.adapt(kind, outcome);
        }
        self.work = search.session.propagations() - start;
        Ok(true)
    }

    /// Adapts the share to the improvement of the last run and to that of other methods, which needed `work` propagations
    /// after this run.
    pub(super) fn compare(&mut self, own: u128, others: u128, work: u64) {
        let is_ahead = own.saturating_mul(work.into()) > others.saturating_mul(self.work.into());
        self.eighths = if is_ahead { (2 * self.eighths).min(EIGHTHS) } else { (self.eighths / 2).max(1) };
    }
}

/// Searches a neighbourhood until it contains no better solution. The literals in `near` fix the variables outside it. Each
/// solution doubles the improvement that the next call asks for. Returns `None` if the whole search is finished.
fn search_one(search: &mut Search<'_>, near: &[Lit]) -> Result<Option<NeighbourhoodResult>, SolveError> {
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
            Reply::Core(_) => return Ok(Some(NeighbourhoodResult { improved, complete: true })),
            Reply::Exhausted => return Ok(Some(NeighbourhoodResult { improved, complete: false })),
            Reply::Proven | Reply::Stopped => return Ok(None),
        }
    }
}
