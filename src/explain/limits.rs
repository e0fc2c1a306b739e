//! The conflict limit of the solver calls for an explanation.

use crate::search::Config;

/// The conflict limit of each solver call if the configuration has no conflict limit.
const CONFLICTS: u64 = 1000;

/// Removes the conflict limit from the configuration. Returns the configuration, and the conflict limit for each
/// solver call of an [`Explainer`](super::Explainer).
#[must_use]
pub fn call_limits(config: Config) -> (Config, u64) {
    let conflicts = config.conflicts.unwrap_or(CONFLICTS);
    (Config { conflicts: None, ..config }, conflicts)
}
