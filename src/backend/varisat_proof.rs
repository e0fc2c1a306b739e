//! How varisat is stopped: through the proof it writes.
//!
//! varisat has no interrupt. But it can write a proof while it solves, and if the writer fails it ends the call, at a
//! point of its own choice, with an error after which the solver can't be used again. So a [`Meter`] is handed to it
//! as the file: it throws the proof away and fails once a limit is reached.
//!
//! The proof is in varisat's own format, as DRAT panics on assumptions and on clauses added after the first call. Of
//! that format only so much is understood as is needed to count conflicts. Proofs come in blocks of 8 KiB, some dozens
//! of conflicts; so long may it take until a limit is noticed. It costs varisat a hash per clause in each conflict and
//! the encoding of the proof, 7 % of the time on hard random 3-CNF; the checker in `varisat-checker`, the other way to see the proof, would cost more than
//! the search itself.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use super::limits::Guard;

/// What the proof tells, shared by the writer inside varisat and its owner.
#[derive(Debug, Default)]
pub(super) struct Meter {
    pub(super) guard: Guard,
    /// Whether a call is running: nothing fails otherwise.
    running: bool,
    /// Conflicts of all calls before the one the guard counts.
    earlier_conflicts: u64,
    steps: Steps,
}

impl Meter {
    /// A call begins.
    pub(super) fn start(&mut self) {
        self.earlier_conflicts += self.guard.conflicts();
        self.guard.start();
        self.running = true;
    }

    /// The call has ended; whether a limit did it.
    pub(super) fn finish(&mut self) -> bool {
        self.running = false;
        self.guard.reached_now()
    }

    /// A new solver will write from here on.
    pub(super) fn restart(&mut self) {
        self.steps = Steps::default();
    }

    /// Conflicts of all calls.
    pub(super) fn conflicts(&self) -> u64 {
        self.earlier_conflicts + self.guard.conflicts()
    }
}

/// The file varisat writes to.
pub(super) struct Writer(pub(super) Rc<RefCell<Meter>>);

impl io::Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let meter = &mut *self.0.borrow_mut();
        for &byte in bytes {
            if meter.steps.learnt_clause_ends(byte) {
                meter.guard.conflict();
            }
        }
        if meter.running && meter.guard.reached_now() {
            return Err(io::Error::other("a limit was reached"));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A reader of varisat's proof format that sees only where a learnt clause ends.
///
/// The format is a sequence of numbers; the first of a step says which step it is. A number has as many zero bits at
/// its low end as it has bytes after the first, then a one, then its value, in little endian order.
#[derive(Debug, Default)]
struct Steps {
    /// The bytes of the current number, how many there are, and how many it has (0 while that is not known).
    value: u128,
    bytes: u32,
    length: u32,
    /// Numbers that don't matter before the next that does.
    skip: u64,
    /// Lists that are left in this step; the next number that matters is the length of one.
    lists: u8,
    /// Numbers in each entry of a list.
    width: u64,
    /// Whether the step is a derived clause.
    derived: bool,
}

impl Steps {
    fn learnt_clause_ends(&mut self, byte: u8) -> bool {
        self.value |= u128::from(byte) << (8 * self.bytes);
        self.bytes += 1;
        if self.length == 0 {
            let zeros = self.value.trailing_zeros();
            if zeros < 8 {
                self.length = zeros + 1;
            } else if self.bytes == 2 {
                // The writer ends at ten bytes: then the value starts at bit ten, whatever bit nine is.
                self.length = zeros.min(9) + 1;
            }
        }
        if self.bytes != self.length {
            return false;
        }
        let number = (self.value >> self.length) as u64;
        (self.value, self.bytes, self.length) = (0, 0, 0);
        self.number(number)
    }

    fn number(&mut self, number: u64) -> bool {
        if self.skip > 0 {
            self.skip -= 1;
        } else if self.lists > 0 {
            self.lists -= 1;
            self.skip = number * self.width;
            // A clause is followed by the hashes of the clauses it was derived from: more than one after a conflict,
            // one if a clause was only shortened.
            return self.derived && self.lists == 0 && number > 1;
        } else {
            self.width = 1;
            self.derived = matches!(number, 7 | 8);
            (self.skip, self.lists) = match number {
                // Names of variables, the sampling mode, the bits of a hash.
                0 | 2 => (2, 0),
                1 | 3..=6 | 13 => (1, 0),
                // Derived clauses and failed assumptions, each with hashes.
                7 | 8 | 17 => (0, 2),
                // Deleted clauses, assignments, clauses, assumptions.
                10..=12 | 14..=16 => (0, 1),
                // Unit clauses, with a hash each.
                9 => {
                    self.width = 2;
                    (0, 1)
                }
                // The end.
                _ => (0, 0),
            };
        }
        false
    }
}
