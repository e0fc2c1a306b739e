//! A process on a system that we can't ask what it has started.

use std::process::Child;

use super::Usage;

/// Nothing is known.
pub(super) fn usage(_: u32) -> Usage {
    Usage::default()
}

/// Ends a process that nobody has waited for yet, and its group.
pub(super) fn kill(child: &mut Child) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use nix::sys::signal::{Signal, killpg};
        let _ = killpg(nix::unistd::Pid::from_raw(child.id() as i32), Signal::SIGKILL);
    }
    child.kill()
}
