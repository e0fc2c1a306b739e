//! Measures the memory of processes, runs child processes with limits, and cleans up when the program exits early.

#[cfg(feature = "external")]
mod child;
#[cfg(feature = "external")]
pub(crate) mod cleanup;
#[cfg(feature = "tool")]
pub(crate) mod signals;
#[cfg(feature = "external")]
mod tree;
mod usage;

#[cfg(all(test, feature = "tool"))]
pub(crate) use child::OutputLength;
#[cfg(feature = "external")]
pub(crate) use child::{Finished, ProcessLimits, Termination, run};
#[cfg(all(test, feature = "tool"))]
pub(crate) use tree::Usage;
pub use usage::{peak, resident};
