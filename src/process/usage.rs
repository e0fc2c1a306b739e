//! Measures the memory of processes, from `/proc` on Linux. Other systems are not supported.

use std::fs;
use std::process;

/// Returns the resident size of this process in bytes, or `None` if the operating system does not report it.
#[must_use]
pub fn resident() -> Option<u64> {
    bytes(&status(process::id()), RESIDENT)
}

/// Returns the peak resident size of this process in bytes, or `None` if the operating system does not report it.
///
/// The function `getrusage` is not used, because its value includes the memory of the parent process at the time of
/// the fork.
#[must_use]
pub fn peak() -> Option<u64> {
    bytes(&status(process::id()), PEAK)
}

pub(super) const RESIDENT: &str = "VmRSS:";
pub(super) const PEAK: &str = "VmHWM:";

pub(super) fn read(process: u32, file: &str) -> String {
    fs::read_to_string(format!("/proc/{process}/{file}")).unwrap_or_default()
}

pub(super) fn status(process: u32) -> String {
    read(process, "status")
}

/// Finds the line of `/proc/PID/status` that starts with `key`, and returns its value in bytes.
pub(super) fn bytes(status: &str, key: &str) -> Option<u64> {
    let value = status.lines().find_map(|line| line.strip_prefix(key))?;
    let kibibytes: u64 = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn resident_memory_grows_with_an_allocation() {
        const HELD: usize = 64 << 20;
        let before = resident().expect("Linux reports it");
        let held = vec![1_u8; HELD];
        let after = resident().expect("Linux reports it");
        assert!(held.iter().map(|&byte| usize::from(byte)).sum::<usize>() == HELD);
        assert!(after >= before + (HELD / 2) as u64, "{before} {after}");
        assert!(peak().expect("Linux reports it") >= after / 2);
    }
}
