//! What this process has used so far.

use serde::Serialize;

use crate::process;

/// Time and memory of a process, as far as the system tells.
#[derive(Debug, Default, Serialize)]
pub(super) struct Usage {
    /// Milliseconds of processor time, with those of programs that were started and have ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu: Option<f64>,
    /// The most bytes that were resident.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<u64>,
}

/// What this process has used so far.
pub(super) fn own() -> Usage {
    Usage { cpu: process::signals::processor_time(), memory: process::peak() }
}
