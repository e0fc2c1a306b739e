//! Handles signals that depend on the parent process, and measures processor time.

/// Blocks the signal SIGHUP if it was ignored when this process was started, for example by `nohup`.
///
/// If SIGHUP were not blocked, a signal handler that is installed later would receive it. Threads and programs that
/// are started later inherit the signal mask. On systems without `/proc`, the signal is not blocked.
#[cfg(unix)]
pub(crate) fn keep_ignoring_hangup() {
    use nix::sys::signal::{SigSet, Signal};
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|set| u64::from_str_radix(set.trim(), 16).ok()).unwrap_or(0);
    if ignored >> (Signal::SIGHUP as i32 - 1) & 1 == 1 {
        // If the signal can't be blocked, the signal handler will receive it.
        let _ = SigSet::from(Signal::SIGHUP).thread_block();
    }
}

#[cfg(not(unix))]
pub(crate) fn keep_ignoring_hangup() {}

/// Makes the operating system kill this process when the process `parent` ends for any reason. Returns `false` if
/// `parent` has already ended. The call has no effect if `parent` is not the parent process, or on systems other than
/// Linux.
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

/// Returns the processor time of this process and its finished child processes in milliseconds, or `None` if the
/// operating system does not report it.
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
