//! When a solver has to give up.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use gordian_encodings::cancellable;

use crate::process;

/// What a call of a solver may cost. Whichever limit is reached first ends it.
///
/// Solvers look now and then, so a call ends a little after its limit.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// Conflicts in one call.
    pub conflicts: Option<u64>,
    /// Set by anyone, for example on Ctrl-C, to end the call. The solver never clears it.
    pub stop: Option<Arc<AtomicBool>>,
    /// The moment by which to end.
    pub deadline: Option<Instant>,
    /// The most bytes that this process may hold, and a program run as a solver with what it starts, each by itself.
    pub memory: Option<u64>,
}

impl Limits {
    /// Whether there is no limit at all.
    #[must_use]
    pub fn is_unlimited(&self) -> bool {
        self.conflicts.is_none() && self.stop.is_none() && self.deadline.is_none() && self.memory.is_none()
    }

    /// Whether the stop flag is set or the deadline has passed.
    #[must_use]
    pub fn expired(&self) -> bool {
        self.stopped() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Whether this process holds too much. Costs some microseconds if there is a limit: more than a look at the clock.
    #[must_use]
    pub fn swollen(&self) -> bool {
        self.memory.is_some_and(|most| process::resident().is_some_and(|size| size > most))
    }

    /// Whether anything but the number of conflicts is limited.
    fn is_ever_reached(&self) -> bool {
        self.stop.is_some() || self.deadline.is_some() || self.memory.is_some()
    }

    /// Makes a model or a formula, unless a limit is reached meanwhile: `None`. What was being changed then is left half
    /// changed.
    pub fn within<R>(&self, work: impl FnOnce() -> R) -> Option<R> {
        if !self.is_ever_reached() {
            return Some(work());
        }
        let limits = self.clone();
        cancellable(LOOK, move || limits.expired() || limits.swollen(), work).ok()
    }

    fn stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// How many literals are written between two looks at the limits: some milliseconds of work.
const LOOK: u64 = 1 << 16;
/// How many questions go by between two looks at the clock: a solver may ask at every decision.
const CLOCK_INTERVAL: u32 = 16;
/// How many between two looks at the memory.
pub(super) const MEMORY_INTERVAL: u32 = 1024;

/// Limits during one call, asked by the solver itself.
#[derive(Debug, Default)]
pub(super) struct Guard {
    pub(super) limits: Limits,
    conflicts: u64,
    asked: Cell<u32>,
    expired: Cell<bool>,
}

impl Guard {
    /// A call begins.
    pub(super) fn start(&mut self) {
        self.conflicts = 0;
        self.asked.set(0);
        self.expired.set(false);
    }

    /// The solver had a conflict.
    pub(super) fn conflict(&mut self) {
        self.conflicts += 1;
    }

    /// Conflicts in the call so far.
    pub(super) fn conflicts(&self) -> u64 {
        self.conflicts
    }

    /// Whether the call must end, for a solver that asks often: not every question looks at the clock.
    ///
    /// Once it must end, it must until the next call starts.
    pub(super) fn reached(&self) -> bool {
        let clock = self.asked.get().is_multiple_of(CLOCK_INTERVAL);
        self.asked.set(self.asked.get().wrapping_add(1));
        let swollen = self.asked.get().is_multiple_of(MEMORY_INTERVAL) && self.limits.swollen();
        self.decide(swollen || if clock { self.limits.expired() } else { self.limits.stopped() })
    }

    /// The same for a solver that asks seldom.
    pub(super) fn reached_now(&self) -> bool {
        self.decide(self.limits.expired() || self.limits.swollen())
    }

    fn decide(&self, expired: bool) -> bool {
        let enough = self.limits.conflicts.is_some_and(|limit| self.conflicts >= limit);
        self.expired.set(self.expired.get() || expired || enough);
        self.expired.get()
    }
}
