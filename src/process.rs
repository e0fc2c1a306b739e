//! Processes: what they use, child processes within limits, and what to remove when this process ends early.

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
