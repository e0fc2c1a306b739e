//! How much memory processes hold, where the system tells: on Linux.

use std::fs;
use std::process;

/// The resident size of this process, in bytes; `None` if the system does not tell.
#[must_use]
pub fn resident() -> Option<u64> {
    resident_of(process::id())
}

/// The resident size of a process and of those it has started, in bytes; 0 if it is gone or the system does not tell.
pub(super) fn resident_with_children(process: u32) -> u64 {
    let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap_or_default();
    let children = children.split_whitespace().filter_map(|child| child.parse().ok());
    resident_of(process).unwrap_or(0) + children.map(resident_with_children).sum::<u64>()
}

fn resident_of(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let size = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = size.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_size_grows_with_what_is_held() {
        const HELD: usize = 64 << 20;
        let before = resident().expect("Linux tells");
        let held = vec![1_u8; HELD];
        let after = resident().expect("Linux tells");
        assert!(held.iter().map(|&byte| usize::from(byte)).sum::<usize>() == HELD);
        assert!(after >= before + HELD as u64 / 2, "{before} {after}");
        assert_eq!(resident_with_children(u32::MAX), 0, "no such process");
    }
}
