//! Measures the memory and processor time of a process and its descendants, from `/proc` on Linux. On other systems,
//! the measurement does not include descendants.

use std::fs;
use std::time::Duration;

use super::usage::{PEAK, RESIDENT, bytes, read, status};

/// The memory and processor time of a process and its descendants.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    /// The current resident memory of the process and its descendants, in bytes.
    pub(crate) resident: u64,
    /// The peak resident memory, in bytes.
    pub(crate) peak: u64,
    /// The processor time of the process and its descendants.
    pub(crate) cpu: Duration,
}

impl Usage {
    /// Measures a process and its descendants. The peak memory is the maximum of the peaks of the individual
    /// processes.
    pub(super) fn of_tree(root: u32) -> Self {
        let mut usage = Self::default();
        for process in descendants(root) {
            let status = status(process);
            usage.resident += bytes(&status, RESIDENT).unwrap_or(0);
            usage.peak = usage.peak.max(bytes(&status, PEAK).unwrap_or(0));
            usage.cpu += processor_time(&read(process, "stat"));
        }
        usage
    }
}

/// Returns the process and its descendants, parents first. If the operating system does not report children, returns
/// only the process.
fn descendants(root: u32) -> Vec<u32> {
    let mut all = vec![root];
    let mut next = 0;
    while let Some(&parent) = all.get(next) {
        next += 1;
        // Linux lists the child processes of each thread separately.
        let Ok(threads) = fs::read_dir(format!("/proc/{parent}/task")) else { continue };
        for thread in threads.flatten() {
            let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            all.extend(children.split_whitespace().filter_map(|process| process.parse::<u32>().ok()));
        }
    }
    all
}

/// Kills the leader of a process group, the rest of the group, and all descendants of the leader in other groups.
#[cfg(unix)]
pub(super) fn kill_tree(leader: u32) {
    use nix::sys::signal::{Signal, kill, killpg};
    use nix::unistd::Pid;

    // Sending a signal fails if the process has already ended. The error is ignored.
    let send = |process: u32, signal: Signal| {
        if let Ok(process) = i32::try_from(process) {
            let _ = kill(Pid::from_raw(process), signal);
        }
    };
    // The leader of the group is stopped first. Otherwise, the leader could start a process while its descendants are
    // listed.
    send(leader, Signal::SIGSTOP);
    for process in descendants(leader) {
        send(process, Signal::SIGKILL);
    }
    if let Ok(leader) = i32::try_from(leader) {
        let _ = killpg(Pid::from_raw(leader), Signal::SIGKILL);
    }
}

#[cfg(not(unix))]
pub(super) fn kill_tree(_: u32) {}

/// Returns the user and system time of a process and its finished child processes, from `/proc/PID/stat`.
fn processor_time(stat: &str) -> Duration {
    /// The indices of the fields `utime`, `stime`, `cutime` and `cstime`, counted after the process name, which may
    /// contain spaces and parentheses.
    const FIELDS: std::ops::Range<usize> = 11..15;
    /// On all architectures, the kernel reports times in hundredths of a second.
    const TICKS_PER_SECOND: u32 = 100;
    let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    let ticks = fields.get(FIELDS).unwrap_or_default().iter().filter_map(|field| field.parse::<u64>().ok());
    Duration::from_secs(ticks.sum()) / TICKS_PER_SECOND
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_does_not_exist_uses_nothing() {
        assert_eq!(Usage::of_tree(u32::MAX), Usage::default());
    }
}
