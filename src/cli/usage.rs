//! Measures the time and memory that this process has used.

use serde::Serialize;

use crate::process;

/// Time and memory of a process, as far as the operating system reports them.
#[derive(Debug, Default, Serialize)]
pub(super) struct Usage {
    /// Processor time in milliseconds, including child processes that have ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu: Option<f64>,
    /// Peak resident memory in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<u64>,
}

/// Returns the time and memory that this process has used so far.
pub(super) fn own() -> Usage {
    Usage { cpu: process::signals::processor_time(), memory: process::peak() }
}
