//! The option that says how the best solution is looked for.

use clap::Args;

use super::report::Failure;
use super::suggested::{self, Suggested};
use crate::search::{self, STRATEGIES};

/// How the best solution is looked for.
#[derive(Debug, Args)]
pub(super) struct StrategyArgs {
    /// How to look for the best solution, as in `gordian list`
    #[arg(long, value_name = "NAME", default_value = STRATEGIES[0].name, value_parser = Suggested(suggested::strategies),
          hide_possible_values = true)]
    strategy: String,
}

impl StrategyArgs {
    /// The row of the table.
    pub(super) fn chosen(&self) -> Result<&'static search::Strategy, Failure> {
        search::strategy(&self.strategy).map_err(|error| Failure::Usage(error.to_string()))
    }
}
