//! Cancellation of long computations, such as building or encoding a model.
//!
//! Encoding a model may take a long time, and its formula may grow to tens of gigabytes. [`cancellable`] runs a
//! computation and polls a callback at regular intervals while constraints are posted and clauses are written. If the
//! callback returns true, the computation is unwound up to [`cancellable`]. Unwinding a cancelled computation does not
//! call the panic hook and prints nothing.
//!
//! ```
//! use gordian_encodings::constraint::AtMostOne;
//! use gordian_encodings::encoding::pairwise::PAIRWISE;
//! use gordian_encodings::{Cnf, Encodings, Model, cancellable};
//!
//! let mut model = Model::new();
//! let lits: Vec<_> = (0..1000).map(|_| model.boolean()).collect();
//! model.post(AtMostOne::new(lits));
//! let encodings = Encodings::auto().with(&PAIRWISE);
//! let (mut asked, mut cnf) = (0, Cnf::default());
//! let encoded = cancellable(
//!     10_000,
//!     move || {
//!         asked += 1;
//!         asked == 3
//!     },
//!     || model.encode(&encodings, &mut cnf),
//! );
//! assert!(encoded.is_err());
//! assert!(cnf.len() < 11_000, "of 499,500");
//! ```

use std::cell::{Cell, RefCell};
use std::error::Error;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The error for a cancelled computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cancelled;

impl fmt::Display for Cancelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cancelled")
    }
}

impl Error for Cancelled {}

/// A callback that returns true to cancel the computation.
type Asked = Box<dyn FnMut() -> bool>;

thread_local! {
    /// The work left until the next poll, or `u64::MAX` if there is no callback.
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
    /// The callback of the innermost [`cancellable`] call on this thread.
    static INNERMOST: RefCell<Option<Innermost>> = const { RefCell::new(None) };
}

/// A callback with its polling interval.
struct Innermost {
    asked: Asked,
    interval: u64,
}

/// Restores the outer callback when the computation ends, normally or by unwinding.
struct Restore {
    outer: Option<Innermost>,
    left: u64,
}

impl Drop for Restore {
    fn drop(&mut self) {
        INNERMOST.set(self.outer.take());
        LEFT.set(self.left);
    }
}

/// Runs a computation, and cancels it when `asked` returns true. The argument `interval` is the approximate number of
/// literals that this thread writes between two calls of `asked`. A clause of n literals counts as n + 1 literals, and
/// a posted constraint counts as several literals. In nested calls of `cancellable`, only the innermost callback is
/// polled.
///
/// After cancellation, do not use data that the computation was changing: the data may be incomplete.
///
/// # Errors
/// Returns an error if the computation was cancelled.
///
/// # Panics
/// Panics if the computation panics. With `panic = "abort"`, cancellation aborts the program.
pub fn cancellable<R>(
    interval: u64,
    asked: impl FnMut() -> bool + 'static,
    work: impl FnOnce() -> R,
) -> Result<R, Cancelled> {
    let innermost = Innermost { asked: Box::new(asked), interval };
    let restore = Restore { outer: INNERMOST.replace(Some(innermost)), left: LEFT.replace(interval) };
    let result = catch_unwind(AssertUnwindSafe(work));
    drop(restore);
    result.map_err(|payload| match payload.downcast::<Cancelled>() {
        Ok(interrupted) => *interrupted,
        Err(panic) => resume_unwind(panic),
    })
}

/// Adds `amount` to the work since the last poll, measured in literals. Polls the callback if the work has reached the
/// interval.
///
/// The library calls this function when it posts a constraint or writes a clause. Long loops that neither post
/// constraints nor write clauses should also call this function.
pub fn tick(amount: u64) {
    let left = LEFT.get();
    if amount < left {
        LEFT.set(left - amount);
    } else {
        ask();
    }
}

#[cold]
fn ask() {
    // The callback may call `tick`, so the callback is removed while it runs.
    let Some(mut innermost) = INNERMOST.take() else { return LEFT.set(u64::MAX) };
    let give_up = (innermost.asked)();
    LEFT.set(innermost.interval);
    INNERMOST.set(Some(innermost));
    if give_up {
        resume_unwind(Box::new(Cancelled));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a callback that returns true only in the call with the given number, counted from 1.
    fn at(number: u32) -> impl FnMut() -> bool {
        let mut asked = 0;
        move || {
            asked += 1;
            asked == number
        }
    }

    fn work(steps: u32) -> u32 {
        (0..steps).inspect(|_| tick(1)).count() as u32
    }

    #[test]
    fn the_callback_cancels_work() {
        let mut done = 0;
        let count = |done: &mut u32| {
            for _ in 0..100 {
                *done += work(1);
            }
        };
        assert_eq!(cancellable(10, at(3), || count(&mut done)), Err(Cancelled));
        assert_eq!(done, 29, "step 30 is cancelled");
        assert_eq!(cancellable(10, at(11), || work(100)), Ok(100));
        assert_eq!(cancellable(0, at(1), || work(0)), Ok(0), "work without steps does not poll");
        assert_eq!(cancellable(1, at(1), || tick(u64::MAX)), Err(Cancelled));
        assert_eq!(work(1000), 1000, "without a callback, work is not cancelled");
    }

    #[test]
    fn only_the_innermost_callback_is_polled() {
        let outer = cancellable(10, at(2), || {
            assert_eq!(work(9), 9);
            assert_eq!(cancellable(1, at(5), || work(100)), Err(Cancelled));
            assert_eq!(cancellable(1, at(500), || work(100)), Ok(100));
            assert_eq!(work(10), 10, "the outer callback continues its count");
            work(10)
        });
        assert_eq!(outer, Err(Cancelled));
    }

    #[test]
    fn other_panics_are_passed_on() {
        let panic = catch_unwind(|| cancellable(1, at(500), || panic!("another panic")));
        assert_eq!(panic.unwrap_err().downcast_ref::<&str>(), Some(&"another panic"));
        assert_eq!(work(1000), 1000);
    }
}
