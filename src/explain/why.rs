//! Reasons: rules that contradict facts.

use gordian_encodings::Lit;
use gordian_explain::{Answer, SMALLEST_WORK, Subset, minimal, needed, smallest};

use super::{Explainer, Reason, Size, Why};
use crate::backend::BackendError;

/// The conflict budget for making a set of rules or several arguments minimal, as a multiple of the conflict limit of one
/// call.
const FULL_CALLS: u64 = 30;

impl Explainer<'_> {
    /// Explains why the rules and the known facts contradict `lits`. If `fewest` is true, the reason has the smallest
    /// possible number of rules, unless a limit is reached.
    ///
    /// # Errors
    /// Returns an error if the solver fails.
    pub fn why(&mut self, lits: &[Lit], fewest: bool) -> Result<Why, BackendError> {
        self.limit_calls();
        let why = self.limited_why(lits, fewest);
        self.session.set_budget(None);
        why
    }

    fn limited_why(&mut self, lits: &[Lit], fewest: bool) -> Result<Why, BackendError> {
        let assumed = [&self.known[..], lits].concat();
        let found = if fewest {
            smallest(&mut self.session, &assumed, SMALLEST_WORK)?
        } else {
            minimal(&mut self.session, &self.allowed, &assumed)?
        };
        let Subset { groups, minimal, smallest } = match found {
            Some(subset) => subset,
            // The first call may have failed only because of the conflict limit, so the solver is called again without
            // this limit.
            None => match self.check_hard(&assumed)? {
                Answer::Consistent(_) => return Ok(Why::Possible),
                Answer::Stopped => return Ok(Why::Stopped),
                Answer::Contradiction(core) => minimal(&mut self.session, &core.groups, &assumed)?
                    .unwrap_or(Subset { groups: core.groups, minimal: false, smallest: false }),
            },
        };
        let needed = needed(&mut self.session, &groups, &[], &assumed)?;
        let (because, facts_minimal) = needed.unwrap_or((assumed, false));
        let size = match (minimal && facts_minimal, smallest) {
            (false, _) => Size::Limited,
            (true, false) => Size::Minimal,
            (true, true) => Size::Smallest,
        };
        let effort = self.effort(&groups, &because);
        Ok(Why::Reason(Reason { rules: groups.iter().collect(), because, size, effort }))
    }

    /// Sets a conflict budget for the following solver calls together. When it is used up, each call has only a few
    /// conflicts.
    pub(super) fn limit_calls(&mut self) {
        self.session.set_budget(self.conflicts.map(|conflicts| conflicts.saturating_mul(FULL_CALLS)));
    }

    /// Decides whether all rules contradict `lits`, without a conflict limit.
    fn check_hard(&mut self, lits: &[Lit]) -> Result<Answer, BackendError> {
        self.use_implied();
        self.session.check_without_limit(&self.allowed, lits)
    }
}
