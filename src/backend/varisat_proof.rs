//! Interrupts varisat by letting its proof output fail, and passes the proof to a [`ProofLog`].
//!
//! varisat can't be interrupted directly. However, it can write a proof while it solves, and if writing fails, the call
//! ends with an error. Therefore, an interruptible varisat writes its proof to a [`Meter`], which returns an error when
//! a limit is reached. After that, the solver can't be used again.
//!
//! The proof has varisat's own format, because its DRAT writer panics on assumptions and on clauses added after the
//! first call. The meter parses the clauses of the proof and counts conflicts. varisat writes the proof in blocks of
//! 8 KiB, each with a few dozen conflicts, so a limit is noticed only at the end of a block. Writing the proof takes
//! 7 % of the time on hard random 3-CNF formulas.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use gordian_encodings::Lit;

use super::ProofLog;
use super::limits::Guard;

/// The limits and the proof parser, shared by the proof writer inside varisat and the owner of the solver.
#[derive(Default)]
pub(super) struct Meter {
    pub(super) guard: Guard,
    /// True while a call is running. Writing the proof may fail only during a call.
    running: bool,
    /// The total number of conflicts of all earlier calls.
    earlier_conflicts: u64,
    /// True after writing failed. varisat then repeats bytes that were parsed before the failure.
    failed: bool,
    steps: Steps,
    /// The receiver of the proof's clauses.
    pub(super) log: Option<Box<dyn ProofLog>>,
}

impl Meter {
    /// Starts checking the limits of a call.
    pub(super) fn start(&mut self) {
        self.earlier_conflicts += self.guard.conflicts();
        self.guard.start();
        self.running = true;
    }

    /// Ends a call to the solver. Returns whether a limit was reached.
    pub(super) fn finish(&mut self) -> bool {
        self.running = false;
        self.guard.reached_now()
    }

    /// Resets the parser, because a new solver writes a new proof.
    pub(super) fn restart(&mut self) {
        self.failed = false;
        self.steps = Steps::default();
    }

    /// Returns the total number of conflicts of all calls.
    pub(super) fn conflicts(&self) -> u64 {
        self.earlier_conflicts + self.guard.conflicts()
    }
}

/// Passes varisat's proof to a [`Meter`].
pub(super) struct Writer(pub(super) Rc<RefCell<Meter>>);

impl io::Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let meter = &mut *self.0.borrow_mut();
        if meter.failed {
            return Ok(bytes.len());
        }
        for &byte in bytes {
            let Some(step) = meter.steps.next(byte) else { continue };
            if step == (Step::Derived { learnt: true }) {
                meter.guard.conflict();
            }
            let Some(log) = &mut meter.log else { continue };
            let clause = &meter.steps.clause;
            match step {
                Step::Derived { .. } => log.derived(clause),
                Step::Units => clause.iter().for_each(|&unit| log.derived(&[unit])),
                Step::Deleted => log.deleted(clause),
            }
        }
        if meter.running && meter.guard.reached_now() {
            meter.failed = true;
            return Err(io::Error::other("a limit was reached"));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A proof step that adds or deletes clauses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// A derived clause. The clause was either learnt from a conflict or obtained by shortening another clause.
    Derived { learnt: bool },
    /// A list of derived unit clauses.
    Units,
    /// A deleted clause.
    Deleted,
}

/// A parser of the derived and deleted clauses in varisat's proof format.
///
/// A proof is a sequence of steps, and a step is a sequence of numbers. The first number of a step is its type. A
/// number takes 1 + n bytes in little-endian order: the lowest n bits are zeros, the next bit is a one, and the
/// remaining bits contain the value.
#[derive(Debug, Default)]
struct Steps {
    /// The current number: its bytes so far, the number of bytes read, and the total number of bytes (0 if not yet
    /// known).
    value: u128,
    bytes: u32,
    length: u32,
    /// The current step, or `None` if the step neither adds nor deletes clauses.
    step: Option<Step>,
    /// How many numbers are still unread in the current list, or in the current step if the step has a fixed length.
    numbers: u64,
    /// The number of lists that follow in this step. Each list is preceded by its length.
    lists: u8,
    /// How many numbers each list entry contains.
    width: u64,
    /// True if the current list consists of the literals of a clause.
    in_clause: bool,
    /// The literals of the step: a clause, or unit clauses.
    clause: Vec<Lit>,
}

impl Steps {
    /// Reads a byte. Returns the step that this byte completes, if any.
    fn next(&mut self, byte: u8) -> Option<Step> {
        self.value |= u128::from(byte) << (8 * self.bytes);
        self.bytes += 1;
        if self.length == 0 {
            let zeros = self.value.trailing_zeros();
            if zeros < 8 {
                self.length = zeros + 1;
            } else if self.bytes == 2 {
                // A number has at most ten bytes. If at least nine low bits are zeros, the number has ten bytes, and
                // its value starts at bit ten.
                self.length = zeros.min(9) + 1;
            }
        }
        if self.bytes != self.length {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "the format has numbers of at most 64 bits")]
        let number = (self.value >> self.length) as u64;
        (self.value, self.bytes, self.length) = (0, 0, 0);
        self.number(number);
        if self.numbers == 0 && self.lists == 0 { self.step.take() } else { None }
    }

    fn number(&mut self, number: u64) {
        if self.numbers > 0 {
            // The literal is the first number of an entry. Steps without a clause can have hashes, which may be too large
            // for a literal.
            if self.step.is_some() && self.in_clause && self.numbers.is_multiple_of(self.width) {
                #[expect(clippy::cast_possible_truncation, reason = "varisat has at most 2^31 variables")]
                self.clause.push(Lit::new((number >> 1) as u32, number & 1 == 1));
            }
            self.numbers -= 1;
        } else if self.lists > 0 {
            self.lists -= 1;
            self.numbers = number * self.width;
            // A clause is followed by the hashes of the clauses from which it was derived: several hashes if it was
            // learnt from a conflict, and one if it was only shortened.
            if let (Some(Step::Derived { learnt }), 0) = (&mut self.step, self.lists) {
                *learnt = number > 1;
                self.in_clause = false;
            }
        } else {
            self.clause.clear();
            self.in_clause = true;
            self.width = 1;
            (self.step, self.numbers, self.lists) = match number {
                // Steps of a fixed length: variable names, the sampling mode, and the number of bits of a hash.
                0 | 2 => (None, 2, 0),
                1 | 3..=6 | 13 => (None, 1, 0),
                // Derived clauses with hashes.
                7 | 8 => (Some(Step::Derived { learnt: false }), 0, 2),
                9 => {
                    // Unit clauses, each with a hash.
                    self.width = 2;
                    (Some(Step::Units), 0, 1)
                }
                10..=12 => (Some(Step::Deleted), 0, 1),
                // Models, input clauses and assumptions.
                14..=16 => (None, 0, 1),
                // Failed assumptions with hashes.
                17 => (None, 0, 2),
                // The step that ends the proof.
                _ => (None, 0, 0),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes a number of fewer than 63 bits in varisat's format.
    fn write(number: u64, bytes: &mut Vec<u8>) {
        let length = (64 - number.leading_zeros()).div_ceil(7).max(1);
        let value = (u128::from(number) << 1 | 1) << (length - 1);
        bytes.extend_from_slice(&value.to_le_bytes()[..length as usize]);
    }

    /// After many clauses, hashes have more bits than literals.
    #[test]
    fn hashes_of_failed_assumptions_are_not_literals() {
        let hash = (1 << 40) - 1;
        let mut bytes = Vec::new();
        let failed_assumptions = [17, 1, 4, 2, hash, hash];
        let learnt_clause = [7, 2, 4, 7, 2, hash, 1];
        for number in failed_assumptions.into_iter().chain(learnt_clause) {
            write(number, &mut bytes);
        }
        let mut steps = Steps::default();
        let found: Vec<Step> = bytes.into_iter().filter_map(|byte| steps.next(byte)).collect();
        assert_eq!(found, [Step::Derived { learnt: true }]);
        assert_eq!(steps.clause, [Lit::new(2, false), Lit::new(3, true)]);
    }
}
