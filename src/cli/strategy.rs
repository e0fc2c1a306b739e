//! The command-line option `--strategy`.

use clap::Args;

use super::report::Failure;
use super::suggested::{self, Suggested};
use crate::search::{self, STRATEGIES};

/// The option that selects the optimisation strategy.
#[derive(Debug, Args)]
pub(super) struct StrategyArgs {
    /// The optimisation strategy, as in `gordian list`
    #[arg(long, value_name = "NAME", default_value = STRATEGIES[0].name, value_parser = Suggested(suggested::strategies),
          hide_possible_values = true)]
    strategy: String,
}

impl StrategyArgs {
    /// Returns the strategy that the option selects, or the default strategy.
    pub(super) fn chosen(&self) -> Result<&'static search::Strategy, Failure> {
        search::strategy(&self.strategy).map_err(|error| Failure::Usage(error.to_string()))
    }
}
