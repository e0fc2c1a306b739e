//! Lazy constraints, which the search enforces by cuts, propagators or deepening.
//!
//! An encoding may [defer](crate::Sink::defer) a constraint: it omits the clauses of the constraint, which the search
//! then enforces. Encodings that defer constraints apply only if the caller allows deferral
//! ([`Encodings::deferring`](crate::Encodings::deferring)). A formula written to a file is therefore always complete.
//! [`Encoded::take_deferred`](crate::Encoded::take_deferred) returns the deferred constraints. There are three ways to
//! enforce deferred constraints:
//!
//! * **Cuts**: the formula is solved without the constraint. Then [`Lazy::cuts`] returns clauses of the constraint
//!   that the assignment violates. These clauses are added, and the formula is solved again. Cuts require a solver
//!   that accepts clauses between calls.
//! * **Propagation**: a [`Propagator`] is connected to a solver that reports assignments during its search. The
//!   solver reports each literal that becomes true or is unassigned on backtracking. The propagator returns implied
//!   literals and conflicts, and on request explains each of them by a clause.
//! * **Deepening**: the formula contains the clauses of the constraint up to a certain depth, for example up to a
//!   maximum distance from the root of a connected set. An assumption excludes solutions beyond the depth. If the
//!   formula is unsatisfiable under the assumption, [`Deepen`](crate::sink::Deepen) writes the clauses for a larger
//!   depth.
//!
//! The module `theory` does not depend on any SAT solver.

use std::fmt::Debug;
use std::sync::Arc;

use crate::lit::Lit;

pub mod acyclic;
pub mod bounds;
pub mod component_size;
pub mod connected;
pub mod disjunctive;
pub mod lazy_order;
pub mod linear;
pub mod network;
pub mod timetable;

/// A constraint that the formula omits and the search enforces.
pub trait Lazy: Debug + Send + Sync {
    /// Returns clauses that follow from the constraint and are violated by the assignment. The result is empty if and
    /// only if the assignment satisfies the constraint. The function `holds` returns the value of any literal,
    /// including constants.
    fn cuts(&self, holds: &dyn Fn(Lit) -> bool) -> Vec<Vec<Lit>>;

    /// Returns the constraint as a propagator, or `None` if cuts should enforce the constraint.
    fn propagator(&self) -> Option<Box<dyn Propagator>>;
}

/// A deferred constraint, with the conditions under which it must hold.
#[derive(Debug, Clone)]
pub struct Deferred {
    /// The constraint that the search enforces.
    pub constraint: Arc<dyn Lazy>,
    /// The negated conditions of [`Sink::when`](crate::Sink::when), which are added to each clause derived from the
    /// constraint.
    pub unless: Vec<Lit>,
    /// The constraint's number in the proof log, if a proof is logged.
    pub logged_as: Option<u32>,
}

/// A number by which a propagator identifies a literal. Each propagator chooses its own numbers for the literals that
/// it watches or derives.
pub type Event = u32;

/// The consequences that a propagator has derived.
#[derive(Debug, Default)]
pub struct Findings {
    /// The implied literals in the order of their derivation, each with the event that identifies the literal in
    /// [`Propagator::explain`].
    pub implied: Vec<(Lit, Event)>,
    /// A conflict: a clause that the constraint implies and that is false under the current assignment.
    pub conflict: Option<Vec<Lit>>,
    /// Unused literals, from which the propagator may take literals of its own. If the list is empty, the propagator
    /// sets [`incomplete`](Findings::incomplete). Only solvers that can create variables during the search have unused
    /// literals.
    pub unused: Vec<Lit>,
    /// The literals that the propagator begins to use in this call. They must be unassigned. Each of them, or its
    /// negation, must be one of the implied literals, or the result of [`Propagator::decide`].
    pub created: Vec<Created>,
    /// Further literals that the solver must report when they become true, as in [`Propagator::events`].
    pub watched: Vec<(Lit, Event)>,
    /// True if the propagator must be called again, even if the implied literals were already true.
    pub incomplete: bool,
}

/// A literal that a propagator begins to use.
#[derive(Debug, Clone, Copy)]
pub struct Created {
    /// The literal, taken from [`Findings::unused`] in this call or an earlier one.
    pub lit: Lit,
    /// The number that identifies the literal in [`Propagator::keep`] and [`Propagator::release`].
    pub event: Event,
}

impl Findings {
    /// Returns whether there are no implied literals and no conflict.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.implied.is_empty() && self.conflict.is_none()
    }

    /// Removes all implied literals and the conflict.
    pub fn clear(&mut self) {
        self.implied.clear();
        self.conflict = None;
        self.created.clear();
        self.watched.clear();
        self.incomplete = false;
    }
}

/// The progress of decision strategies at a decision level.
#[derive(Debug, Clone, Copy, Default)]
pub struct StrategyProgress {
    /// The number of strategies, counted from the first one, whose variables all have values.
    pub strategies: usize,
    /// For the next strategy, the number of variables that have values. Further variables may have values, too.
    pub variables: usize,
}

/// A constraint that propagates during the solver's search.
///
/// The solver calls [`assign`](Propagator::assign) for each literal that becomes true. When it backtracks, it calls
/// [`undo`](Propagator::undo) in reverse order for the literals that changed the state. The state of a propagator
/// depends only on the sequence of assigned literals, so the solver need not report backjumps, restarts or further
/// solver calls.
pub trait Propagator: Debug + Send {
    /// Returns the literals that the solver must report when they become true, each with its event. A literal may
    /// occur more than once. Constant literals are never returned.
    fn events(&self) -> Vec<(Lit, Event)>;

    /// Reports to the propagator that a literal became true. Returns false if the state remains the same, for example
    /// because a stronger bound was reported before. [`Propagator::undo`] must not be called for such a literal.
    fn assign(&mut self, event: Event) -> bool;

    /// Retracts the most recently reported literal that changed the state and is still assigned.
    fn undo(&mut self);

    /// Derives implied literals and conflicts from the reported literals. If all variables are assigned and the
    /// constraint is violated, the result must contain a conflict.
    fn propagate(&mut self, findings: &mut Findings);

    /// Explains the literal of the given event: appends to `reason` true literals that together imply it. All appended
    /// literals were reported before the derivation, and none of them is constant.
    fn explain(&mut self, event: Event, reason: &mut Vec<Lit>);

    /// Returns whether the propagator creates literals.
    fn creates_literals(&self) -> bool {
        false
    }

    /// Returns whether the propagator has decision strategies.
    fn has_strategy(&self) -> bool {
        false
    }

    /// Returns an unassigned literal on which the search branches according to the decision strategies, or `None` if
    /// all their variables have values. `values` returns the values of literals. `done` is the result of an earlier call
    /// at the same or a lower level; the function updates it. If the propagator creates literals, there is at least one
    /// unused literal.
    fn branch(
        &mut self,
        _values: &dyn Fn(Lit) -> Option<bool>,
        _done: &mut StrategyProgress,
        _findings: &mut Findings,
    ) -> Option<Lit> {
        None
    }

    /// Returns an unassigned literal on which the search branches when all other variables are assigned, or `None` if
    /// the assignment is a solution. If the propagator creates literals, there is at least one unused literal.
    fn decide(&mut self, _findings: &mut Findings) -> Option<Lit> {
        None
    }

    /// Reports that a literal which the propagator has created occurs in a clause. Its meaning must not change.
    fn keep(&mut self, _event: Event) {}

    /// Reports that a created literal is no longer assigned. Unless it was kept, the propagator can use it again for
    /// another purpose.
    fn release(&mut self, _event: Event) {}
}
