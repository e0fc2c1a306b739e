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

#[cfg(feature = "external")]
pub(crate) use child::{Finished, ProcessLimits, Termination, run};
pub use usage::{peak, resident};
