//! Phases: the values that the search tries first.
//!
//! Papers: Pipatsrisawat, Darwiche: *A lightweight component caching scheme for satisfiability solvers*, SAT 2007 (saved
//! phases); Biere, Fleury: *Chasing target phases*, POS 2020; Demirovic, Chu, Stuckey: *Solution-based phase saving for
//! CP*, CP 2018.

use crate::lit::Lit;

/// The values that the search tries first. In each list, a positive number stands for true, a negative number for
/// false, and 0 for no value.
#[derive(Debug, Default, Clone)]
pub(crate) struct Phases {
    /// The last value of each variable.
    saved: Vec<i8>,
    /// The values of the largest conflict-free assignment since the target values were last cleared.
    target: Vec<i8>,
    targeted: usize,
    /// The values of the largest conflict-free assignment since the last call to `reset` or `solved`.
    best: Vec<i8>,
    bested: usize,
    /// The initial values: the values that the caller has set or, once a model has been found, the values of the last
    /// model.
    original: Vec<i8>,
}

fn sign(lit: Lit) -> i8 {
    if lit.is_positive() { 1 } else { -1 }
}

impl Phases {
    /// Adds the next variable.
    pub(crate) fn add(&mut self) {
        for phases in [&mut self.saved, &mut self.original] {
            phases.push(-1);
        }
        for phases in [&mut self.target, &mut self.best] {
            phases.push(0);
        }
    }

    pub(crate) fn set(&mut self, lit: Lit) {
        self.saved[lit.var()] = sign(lit);
        self.original[lit.var()] = sign(lit);
    }

    #[inline]
    pub(crate) fn save(&mut self, lit: Lit) {
        self.saved[lit.var()] = sign(lit);
    }

    /// Stores the values of a model.
    pub(crate) fn solved(&mut self, model: &[Lit]) {
        for &lit in model {
            self.original[lit.var()] = sign(lit);
            self.saved[lit.var()] = sign(lit);
        }
        self.targeted = 0;
        self.bested = 0;
    }

    /// Returns the positive literal of the variable if its preferred value is true, and the negative literal otherwise.
    pub(crate) fn choose(&self, variable: usize, stable: bool) -> Lit {
        let target = if stable { self.target[variable] } else { 0 };
        let value = if target == 0 { self.saved[variable] } else { target };
        Lit::new(variable as u32, value > 0)
    }

    /// Stores a conflict-free assignment as `target` or `best` if it is larger than the assignment stored there.
    pub(crate) fn update(&mut self, trail: &[Lit]) {
        if trail.len() > self.targeted {
            self.targeted = trail.len();
            for &lit in trail {
                self.target[lit.var()] = sign(lit);
            }
        }
        if trail.len() > self.bested {
            self.bested = trail.len();
            for &lit in trail {
                self.best[lit.var()] = sign(lit);
            }
        }
    }

    /// Resets the saved values to the best values if `use_best` is true, and otherwise to the initial values.
    pub(crate) fn reset(&mut self, use_best: bool) {
        let from = if use_best { &self.best } else { &self.original };
        for (saved, &value) in self.saved.iter_mut().zip(from) {
            if value != 0 {
                *saved = value;
            }
        }
        self.forget_targets();
        self.bested = 0;
    }

    /// Returns whether every variable prefers its initial value.
    #[cfg(test)]
    pub(crate) fn are_initial(&self) -> bool {
        self.saved == self.original && self.targeted == 0
    }

    /// Sets all phases to earlier ones. A variable that was added since then keeps its values.
    pub(crate) fn restore(&mut self, earlier: Self) {
        self.saved[..earlier.saved.len()].copy_from_slice(&earlier.saved);
        self.original[..earlier.original.len()].copy_from_slice(&earlier.original);
        for (phases, earlier) in [(&mut self.target, earlier.target), (&mut self.best, earlier.best)] {
            phases.fill(0);
            phases[..earlier.len()].copy_from_slice(&earlier);
        }
        self.targeted = earlier.targeted;
        self.bested = earlier.bested;
    }

    pub(crate) fn forget_targets(&mut self) {
        self.target.fill(0);
        self.targeted = 0;
    }
}
