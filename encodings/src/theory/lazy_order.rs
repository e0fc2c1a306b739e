//! A propagator for constraints over integers whose order literals are created during the search.
//!
//! The order encoding has a literal `x <= v` for each value v of an integer x. For a large domain, most of these
//! literals are never needed. Here, the propagator stores the bounds of each integer, and creates the literal `x <= v`
//! when it derives the bound v. The literal disappears when the search backtracks, unless a learnt clause contains it.
//! The search therefore learns the same clauses as with all order literals, but the size of the formula does not depend
//! on the sizes of the domains.
//!
//! All integers and constraints of a formula are in one propagator. The formula may contain the literals of some bounds
//! from the beginning. Integers whose order literals all exist, and literals, can take part in the constraints, too.
//!
//! Constraints derive bounds from bounds. Each derived bound is explained by earlier bounds. The explanation uses the
//! weakest bounds that suffice, among the bounds that were derived before.
//!
//! When all other variables have values, the search branches on the bounds of integers: an integer takes its value in
//! the last solution or, before the first solution, its minimum.
//!
//! Paper: Feydy, Stuckey: *Lazy clause generation reengineered*, CP 2009 (lazy creation of literals). Unlike in the
//! paper, no clauses state the order of the literals: the propagator derives `x <= w` from `x <= v` for v < w.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Lazy, Propagator};
use crate::lit::Lit;

mod bounds;
mod cycle;
mod linear;
mod minimum;
mod program;
mod propagator;
mod strategy;
mod timetable;

use linear::Linear;
use minimum::Minimum;
use program::Program;
pub(crate) use program::ProgramRow;
use propagator::LazyOrderPropagator;
pub(crate) use strategy::{Branching, Strategy};
pub use timetable::LazyTask;
use timetable::Timetable;

/// The number of an integer of the propagator.
pub type Id = u32;

/// An integer or its negation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Side {
    /// The integer.
    pub id: Id,
    /// True for the negation of the integer.
    pub negated: bool,
}

impl Side {
    /// Returns the integer itself.
    #[must_use]
    pub fn of(id: Id) -> Self {
        Self { id, negated: false }
    }

    fn value(self, value: i64) -> i64 {
        if self.negated { -value } else { value }
    }
}

impl std::ops::Not for Side {
    type Output = Self;

    fn not(self) -> Self {
        Self { negated: !self.negated, ..self }
    }
}

/// Integers, literals and constraints for the propagator. They may be added before the search, and between calls to the
/// solver. All clones share the same data.
#[derive(Debug, Clone, Default)]
pub struct LazyOrder {
    shared: Arc<Mutex<Shared>>,
}

#[derive(Debug, Default)]
struct Shared {
    news: News,
    /// The number of integers so far.
    integers: u32,
    /// The value of each integer in the last solution.
    solution: Vec<i64>,
    /// True if there is a decision strategy.
    has_strategy: bool,
}

/// What was added since the propagator last looked.
#[derive(Debug, Default)]
struct News {
    /// The domains of new integers: nonempty lists of disjoint intervals in ascending order. The flag is true if the
    /// formula contains a literal for each bound, and clauses for the order of these literals.
    integers: Vec<(Vec<(i64, i64)>, bool)>,
    /// The literals `integer <= value`.
    literals: Vec<(Id, i64, Lit)>,
    constraints: Vec<Constraint>,
    programs: Vec<Program>,
    strategies: Vec<Strategy>,
}

/// A constraint of the propagator.
#[derive(Debug)]
enum Constraint {
    Linear(Linear),
    Minimum(Minimum),
    Timetable(Timetable),
}

impl LazyOrder {
    /// A poisoned lock is ignored, because the data is always consistent.
    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an integer. The domain is a list of disjoint intervals in ascending order. The absolute values must be less
    /// than 2^62. If `complete` is true, the formula must contain a literal for each value except the maximum, and the
    /// clauses for their order.
    ///
    /// # Panics
    /// Panics if the domain is empty.
    #[must_use]
    pub fn integer(&self, domain: Vec<(i64, i64)>, complete: bool) -> Id {
        assert!(!domain.is_empty(), "an integer needs a value");
        let mut shared = self.shared();
        shared.solution.push(domain[0].0);
        shared.news.integers.push((domain, complete));
        shared.integers += 1;
        shared.integers - 1
    }

    /// Adds the literal `id <= value`. The value must be in the domain and less than its maximum.
    pub fn literal(&self, id: Id, value: i64, lit: Lit) {
        self.shared().news.literals.push((id, value, lit));
    }

    /// Adds the constraint that the sum of the terms is at most `most`. Each term is a positive coefficient and an
    /// integer or its negation. No integer may occur twice. The sum of the absolute values of all numbers that can occur
    /// must be less than 2^62.
    pub fn at_most(&self, terms: Vec<(i64, Side)>, most: i64) {
        let linear = Linear::new(terms, most);
        self.shared().news.constraints.push(Constraint::Linear(linear));
    }

    /// Adds the constraint that some integer of the list is at most `least`. Together with inequalities, the constraint
    /// defines the minimum of the list.
    pub fn some_at_most(&self, list: Vec<Side>, least: Side) {
        let minimum = Minimum::new(list, least);
        self.shared().news.constraints.push(Constraint::Minimum(minimum));
    }

    /// Adds the constraint that the total demand of the running tasks is at most the capacity. With a condition,
    /// which is an integer and a number, this must hold if the integer is at least the number. The absolute values of all
    /// times, and the sum of the absolute values of all demands, must be less than 2^61.
    pub fn cumulative(&self, tasks: Vec<LazyTask>, capacity: Side, condition: Option<(Side, i64)>) {
        let timetable = Timetable::new(tasks, capacity, condition);
        self.shared().news.constraints.push(Constraint::Timetable(timetable));
    }

    /// Adds a linear program. Every solution must satisfy the rows. The program uses the upper bound of `objective` as a
    /// bound on `constant` plus the sum of the terms of `cost`. The absolute values of all numbers must be less than 2^60.
    pub(crate) fn program(
        &self,
        rows: &[ProgramRow],
        cost: &[(i64, Id)],
        constant: i64,
        objective: Option<Side>,
    ) {
        self.shared().news.programs.push(Program::new(rows, cost, constant, objective));
    }

    /// Adds a decision strategy. Strategies that were added earlier come first.
    pub(crate) fn strategy(&self, strategy: Strategy) {
        let mut shared = self.shared();
        shared.has_strategy = true;
        shared.news.strategies.push(strategy);
    }

    /// Returns the value of an integer in the last solution.
    #[must_use]
    pub fn value(&self, id: Id) -> i64 {
        self.shared().solution[id as usize]
    }
}

impl Lazy for LazyOrder {
    /// Returns no clauses: only a propagator can enforce the constraints, so encodings use this constraint only if the
    /// solver runs propagators that create literals.
    fn cuts(&self, _: &dyn Fn(Lit) -> bool) -> Vec<Vec<Lit>> {
        Vec::new()
    }

    fn propagator(&self) -> Option<Box<dyn Propagator>> {
        Some(Box::new(LazyOrderPropagator::new(self.clone())))
    }
}
