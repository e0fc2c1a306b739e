//! Interrupts varisat by means of the proof that it writes.
//!
//! varisat can't be interrupted. However, varisat can write a proof while it solves, and if writing fails, the call
//! ends with an error. An interruptible varisat writes its proof to a [`Meter`], which discards the proof and returns
//! an error when a limit is reached. The solver can't be used afterwards.
//!
//! The proof has varisat's own format, because its DRAT writer panics on assumptions and on clauses added after the
//! first call. The meter parses only enough of the format to count conflicts. varisat writes the proof in blocks of 8
//! KiB, each with a few dozen conflicts, and a limit is detected only at the end of a block. Writing the proof takes
//! 7 % of the time on hard random 3-CNF formulas. The crate `varisat-checker` contains a checker that could read the
//! proof, but checking would take more time than the search itself.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use super::limits::Guard;

/// The limits and the proof parser, shared by the proof writer inside varisat and the owner of the solver.
#[derive(Debug, Default)]
pub(super) struct Meter {
    pub(super) guard: Guard,
    /// True while a call is running. Writing the proof may fail only while a call is running.
    running: bool,
    /// The total number of conflicts of all earlier calls.
    earlier_conflicts: u64,
    steps: Steps,
}

impl Meter {
    /// Starts to check the limits of a call.
    pub(super) fn start(&mut self) {
        self.earlier_conflicts += self.guard.conflicts();
        self.guard.start();
        self.running = true;
    }

    /// Ends a call of the solver. Returns whether a limit was reached.
    pub(super) fn finish(&mut self) -> bool {
        self.running = false;
        self.guard.reached_now()
    }

    /// Resets the parser, because a new solver writes a new proof.
    pub(super) fn restart(&mut self) {
        self.steps = Steps::default();
    }

    /// Returns the total number of conflicts of all calls.
    pub(super) fn conflicts(&self) -> u64 {
        self.earlier_conflicts + self.guard.conflicts()
    }
}

/// The output to which varisat writes its proof.
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

/// A parser of varisat's proof format that only detects the ends of learnt clauses.
///
/// A proof is a sequence of steps, and a step is a sequence of numbers. The first number of a step is its type. A
/// number takes 1 + n bytes in little-endian order. The lowest bits of the bytes are n zeros and a one, and the
/// remaining bits are the value.
#[derive(Debug, Default)]
struct Steps {
    /// The bytes of the current number, the count of bytes read so far, and the total count of bytes (0 if not yet
    /// known).
    value: u128,
    bytes: u32,
    length: u32,
    /// The number of following numbers to skip.
    skip: u64,
    /// The number of remaining lists in the step. The next number that is not skipped is the length of a list.
    lists: u8,
    /// The number of numbers in each entry of a list.
    width: u64,
    /// True if the step is a derived clause.
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
                // A number has at most ten bytes. If a number has ten bytes, the value always starts at bit ten.
                self.length = zeros.min(9) + 1;
            }
        }
        if self.bytes != self.length {
            return false;
        }
        #[expect(clippy::cast_possible_truncation, reason = "the format has numbers of at most 64 bits")]
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
            // A clause is followed by the hashes of the clauses from which it was derived. A clause that was learnt
            // from a conflict has several hashes, and a clause that was only shortened has one hash.
            return self.derived && self.lists == 0 && number > 1;
        } else {
            self.width = 1;
            self.derived = matches!(number, 7 | 8);
            (self.skip, self.lists) = match number {
                // Steps of a fixed length: variable names, the sampling mode, and the number of bits of a hash.
                0 | 2 => (2, 0),
                1 | 3..=6 | 13 => (1, 0),
                // Steps with a list and hashes: derived clauses and failed assumptions.
                7 | 8 | 17 => (0, 2),
                // Steps with a list: deleted clauses, models, input clauses and assumptions.
                10..=12 | 14..=16 => (0, 1),
                // A step with a list of unit clauses, each with a hash.
                9 => {
                    self.width = 2;
                    (0, 1)
                }
                // The step that ends the proof.
                _ => (0, 0),
            };
        }
        false
    }
}
