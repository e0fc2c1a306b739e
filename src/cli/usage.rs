//! What this process has used so far.

use serde::Serialize;

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
    Usage { cpu: processor_time(), memory: peak() }
}

#[cfg(unix)]
fn processor_time() -> Option<f64> {
    use nix::sys::resource::{UsageWho, getrusage};
    let mut milliseconds = 0.0;
    for who in [UsageWho::RUSAGE_SELF, UsageWho::RUSAGE_CHILDREN] {
        let usage = getrusage(who).ok()?;
        for time in [usage.user_time(), usage.system_time()] {
            milliseconds += time.tv_sec() as f64 * 1e3 + time.tv_usec() as f64 / 1e3;
        }
    }
    Some(milliseconds)
}

#[cfg(not(unix))]
fn processor_time() -> Option<f64> {
    None
}

/// From Linux's `/proc`: `getrusage` would tell of the memory of whoever started this process, too.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}
