//! Moving averages, and the intervals between restarts.

/// An exponential moving average with a correction of the initial bias (Kingma, Ba: *Adam*, ICLR 2015).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Average {
    value: f64,
    biased: f64,
    beta: f64,
    power: f64,
}

impl Average {
    /// Creates an average over about `window` values.
    pub(crate) fn new(window: f64) -> Self {
        Self { value: 0.0, biased: 0.0, beta: 1.0 - 1.0 / window, power: 1.0 }
    }

    pub(crate) fn add(&mut self, value: f64) {
        self.biased = self.beta * self.biased + (1.0 - self.beta) * value;
        self.power *= self.beta;
        self.value = self.biased / (1.0 - self.power);
    }

    pub(crate) fn value(&self) -> f64 {
        self.value
    }
}

/// Reluctant doubling: Luby's sequence 1, 1, 2, 1, 1, 2, 4, ..., multiplied by a constant (Knuth: *The art of computer
/// programming* 7.2.2.2).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Luby {
    u: u64,
    v: u64,
    left: u64,
    /// The interval between restarts, in conflicts, is this number times the next term of the sequence.
    period: u64,
}

impl Luby {
    /// Creates a sequence that starts with an interval of `period` conflicts.
    pub(crate) fn new(period: u64) -> Self {
        Self { u: 1, v: 1, left: period, period }
    }

    /// Counts a conflict.
    pub(crate) fn tick(&mut self) {
        self.left = self.left.saturating_sub(1);
    }

    /// Returns whether a restart is due. If a restart is due, starts the next interval.
    pub(crate) fn is_due(&mut self) -> bool {
        if self.left > 0 {
            return false;
        }
        if self.u & self.u.wrapping_neg() == self.v {
            self.u += 1;
            self.v = 1;
        } else {
            self.v *= 2;
        }
        self.left = self.period * self.v;
        true
    }
}
