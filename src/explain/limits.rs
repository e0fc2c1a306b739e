//! The conflict limit of each solver call of an explanation.

use crate::search::Config;

/// The maximum number of conflicts of a solver call if the configuration has no conflict limit.
const CONFLICTS: u64 = 1000;

/// Returns the configuration without its conflict limit, and the conflict limit of each solver call of an
/// [`Explainer`](super::Explainer).
#[must_use]
pub fn call_limits(config: Config) -> (Config, u64) {
    let conflicts = config.conflicts.unwrap_or(CONFLICTS);
    (Config { conflicts: None, ..config }, conflicts)
}
