//! What would be left behind if this process ended at once: temporary files, and programs under way.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Something to clear away.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Leftover {
    /// A file.
    File(PathBuf),
    /// A program, by its process, which leads a group.
    Program(u32),
}

static LEFTOVERS: Mutex<Vec<Leftover>> = Mutex::new(Vec::new());

/// The list; whoever panicked over it left it whole.
fn leftovers() -> MutexGuard<'static, Vec<Leftover>> {
    LEFTOVERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps something on the list of what would be left behind, until dropped.
#[derive(Debug)]
pub(crate) struct Listed(Leftover);

impl Listed {
    pub(crate) fn file(path: &Path) -> Self {
        Self::new(Leftover::File(path.to_owned()))
    }

    pub(crate) fn program(process: u32) -> Self {
        Self::new(Leftover::Program(process))
    }

    fn new(leftover: Leftover) -> Self {
        leftovers().push(leftover.clone());
        Self(leftover)
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        let mut leftovers = leftovers();
        if let Some(at) = leftovers.iter().position(|known| *known == self.0) {
            leftovers.swap_remove(at);
        }
    }
}

/// Ends all programs under way and removes all temporary files: for a process that is about to end without more ado.
/// Solvers that run programs fail afterwards.
pub(crate) fn clear_away() {
    for leftover in leftovers().drain(..) {
        match leftover {
            Leftover::File(path) => {
                // Where it can't be removed there is nothing more to do.
                let _ = std::fs::remove_file(path);
            }
            Leftover::Program(process) => {
                #[cfg(unix)]
                {
                    use nix::sys::signal::{Signal, killpg};
                    let _ = killpg(nix::unistd::Pid::from_raw(process as i32), Signal::SIGKILL);
                }
                #[cfg(not(unix))]
                let _ = process;
            }
        }
    }
}
