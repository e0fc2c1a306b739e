//! Signals that this process takes or ignores because of the process that started it.

/// Blocks the signal of a closing terminal if this process was started with it ignored, as by `nohup`.
///
/// A signal handler would take the signal all the same. Threads and programs started later inherit the mask. Without
/// `/proc` the signal is handled.
#[cfg(unix)]
pub(crate) fn keep_ignoring_hangup() {
    use nix::sys::signal::{SigSet, Signal};
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|set| u64::from_str_radix(set.trim(), 16).ok()).unwrap_or(0);
    if ignored >> (Signal::SIGHUP as i32 - 1) & 1 == 1 {
        // If that fails the signal is handled.
        let _ = SigSet::from(Signal::SIGHUP).thread_block();
    }
}

#[cfg(not(unix))]
pub(crate) fn keep_ignoring_hangup() {}

/// Has the system kill this process when `parent` ends, even if that is killed. Returns `false` if `parent` has ended
/// already. Does nothing if another process is the parent, or outside of Linux.
#[cfg(target_os = "linux")]
pub(crate) fn end_with_parent(parent: i32) -> bool {
    use nix::sys::{prctl, signal::Signal};
    let is_parent = || nix::unistd::getppid().as_raw() == parent;
    !is_parent() || prctl::set_pdeathsig(Signal::SIGKILL).is_err() || is_parent()
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn end_with_parent(_: i32) -> bool {
    true
}

/// Milliseconds of processor time of this process and its children that have ended; `None` if the system does not report
/// it.
#[cfg(unix)]
pub(crate) fn processor_time() -> Option<f64> {
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
pub(crate) fn processor_time() -> Option<f64> {
    None
}
