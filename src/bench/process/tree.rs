//! A process and all that it has started, as Linux tells of them in `/proc`.

use std::process::Child;
use std::time::Duration;

use nix::sys::signal::{self, Signal};
use nix::unistd::Pid;

use super::Usage;

/// The process and its descendants, parents first.
fn processes(root: u32) -> Vec<u32> {
    let mut all = vec![root];
    let mut next = 0;
    while let Some(&parent) = all.get(next) {
        next += 1;
        // Each thread has the children that it has started.
        let Ok(threads) = std::fs::read_dir(format!("/proc/{parent}/task")) else { continue };
        for thread in threads.flatten() {
            let children = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            all.extend(children.split_whitespace().filter_map(|pid| pid.parse::<u32>().ok()));
        }
    }
    all
}

/// What they use together; the peak is that of the greatest.
pub(super) fn usage(root: u32) -> Usage {
    let mut together = Usage::default();
    for pid in processes(root) {
        let read = |name: &str| std::fs::read_to_string(format!("/proc/{pid}/{name}")).unwrap_or_default();
        let status = read("status");
        let kilobytes = |key: &str| -> u64 {
            let line = status.lines().find_map(|line| line.strip_prefix(key));
            let number = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
            number.unwrap_or(0) * 1024
        };
        together.resident += kilobytes("VmRSS:");
        together.peak = together.peak.max(kilobytes("VmHWM:"));
        together.cpu += processor_time(&read("stat"));
    }
    together
}

/// User and system time of a process and of those of its children that are over, from a line of `/proc/PID/stat`.
fn processor_time(stat: &str) -> Duration {
    /// The fields after the name, which may have blanks and brackets in it: `utime`, `stime`, `cutime`, `cstime`.
    const FIELDS: std::ops::Range<usize> = 11..15;
    /// The kernel tells user space of hundredths of a second on every machine.
    const TICKS: f64 = 100.0;
    let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    let ticks = fields.get(FIELDS).unwrap_or_default().iter().filter_map(|field| field.parse::<u64>().ok());
    Duration::from_secs_f64(ticks.sum::<u64>() as f64 / TICKS)
}

/// Ends a process that nobody has waited for yet, and all that it has started.
pub(super) fn kill(child: &mut Child) -> std::io::Result<()> {
    let root = Pid::from_raw(child.id() as i32);
    // A process that stands still starts no others while we look. Those that are gone already need no signal.
    let _ = signal::kill(root, Signal::SIGSTOP);
    for pid in processes(child.id()) {
        let _ = signal::kill(Pid::from_raw(pid as i32), Signal::SIGKILL);
    }
    let _ = signal::killpg(root, Signal::SIGKILL);
    child.kill()
}
