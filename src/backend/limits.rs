//! Limits on the resources of a solver call.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use gordian_encodings::cancellable;

use crate::process;

/// The limits of a solver call. The first limit that is reached stops the call.
///
/// Solvers poll the limits at intervals, so a call may end shortly after a limit is reached.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// The maximum number of conflicts in one call.
    pub conflicts: Option<u64>,
    /// A flag that any thread may set to stop the call, for example on Ctrl-C. The solver never clears the flag.
    pub cancel: Option<Arc<AtomicBool>>,
    /// The time at which the call stops.
    pub deadline: Option<Instant>,
    /// The maximum number of resident bytes. The limit applies to this process, and separately to an external solver
    /// together with its descendants.
    pub memory: Option<u64>,
}

impl Limits {
    /// Returns `true` if there are no limits.
    #[must_use]
    pub fn is_unlimited(&self) -> bool {
        self.conflicts.is_none() && self.cancel.is_none() && self.deadline.is_none() && self.memory.is_none()
    }

    /// Returns whether the flag `cancel` is set or the deadline has passed.
    #[must_use]
    pub fn expired(&self) -> bool {
        self.stopped() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Returns whether this process exceeds the memory limit. If there is a memory limit, the check takes a few
    /// microseconds.
    #[must_use]
    pub fn exceeds_memory(&self) -> bool {
        self.memory.is_some_and(|most| process::resident().is_some_and(|size| size > most))
    }

    /// Returns whether there is any limit other than the conflict limit.
    fn needs_polling(&self) -> bool {
        self.cancel.is_some() || self.deadline.is_some() || self.memory.is_some()
    }

    /// Runs `work`, which builds a model or a formula. If a limit is reached first, stops `work` and returns `None`;
    /// the data that `work` changes may then be incomplete.
    pub fn within<R>(&self, work: impl FnOnce() -> R) -> Option<R> {
        if !self.needs_polling() {
            return Some(work());
        }
        let limits = self.clone();
        cancellable(POLL_INTERVAL, move || limits.expired() || limits.exceeds_memory(), work).ok()
    }

    fn stopped(&self) -> bool {
        self.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }
}

/// The number of literals that an encoding writes between two checks of the limits. Writing that many literals takes a
/// few milliseconds.
pub(crate) const POLL_INTERVAL: u64 = 1 << 16;
/// The number of polls between two readings of the clock. Reading the clock at every poll would be slow, because a
/// solver may poll at every decision.
const CLOCK_INTERVAL: u32 = 16;
/// The number of polls between two measurements of memory.
pub(super) const MEMORY_INTERVAL: u32 = 1024;

/// The limits of a call, and the data for checking them. The solver polls the limits during the call.
#[derive(Debug, Default)]
pub(super) struct Guard {
    pub(super) limits: Limits,
    conflicts: u64,
    polls: Cell<u32>,
    expired: Cell<bool>,
}

impl Guard {
    /// Resets the counters at the start of a call.
    pub(super) fn start(&mut self) {
        self.conflicts = 0;
        self.polls.set(0);
        self.expired.set(false);
    }

    /// Counts a conflict of the current call.
    pub(super) fn conflict(&mut self) {
        self.conflicts += 1;
    }

    /// Returns the number of conflicts in the current call.
    pub(super) fn conflicts(&self) -> u64 {
        self.conflicts
    }

    /// Returns whether the call must stop, for solvers that poll often: most polls do not read the clock.
    ///
    /// Once a limit is reached, the result stays `true` until the next call starts.
    pub(super) fn reached(&self) -> bool {
        let clock = self.polls.get().is_multiple_of(CLOCK_INTERVAL);
        self.polls.set(self.polls.get().wrapping_add(1));
        let out_of_memory = self.polls.get().is_multiple_of(MEMORY_INTERVAL) && self.limits.exceeds_memory();
        self.decide(out_of_memory || if clock { self.limits.expired() } else { self.limits.stopped() })
    }

    /// Returns whether the call must stop, for solvers that poll rarely: every poll reads the clock.
    pub(super) fn reached_now(&self) -> bool {
        self.decide(self.limits.expired() || self.limits.exceeds_memory())
    }

    fn decide(&self, expired: bool) -> bool {
        let enough = self.limits.conflicts.is_some_and(|limit| self.conflicts >= limit);
        self.expired.set(self.expired.get() || expired || enough);
        self.expired.get()
    }
}
