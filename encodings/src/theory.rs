//! Constraints that are left to the search: cuts, propagators and deepening.
//!
//! An encoding need not write everything it config. It may [defer](crate::Sink::defer) a constraint, if the one who
//! encodes says that the search will look after it ([`Encodings::deferring`](crate::Encodings::deferring)); otherwise
//! such an encoding does not apply, so that a formula made for a file is always complete. What was deferred stands in
//! [`Encoded::take_deferred`](crate::Encoded::take_deferred). There are three ways to look after it:
//!
//! * **Cuts**: solve without the constraint, ask [`Lazy::cuts`] which clauses the assignment breaks, add them, go on.
//!   Any solver that takes clauses between calls can do it.
//! * **Propagation**: a solver that tells of assignments while it searches gets a [`Propagator`]. It is told which
//!   literals hold, in the order they came to hold and back again, and it answers with consequences and conflicts,
//!   each of which it can explain by a clause.
//! * **Deepening**: the clauses are there up to a depth, under an assumption; when the assumption is to blame for a
//!   contradiction, [`Deepen`] writes more.
//!
//! Nothing here knows a solver.

use std::fmt::Debug;
use std::sync::Arc;

use crate::lit::Lit;
use crate::sink::Sink;

pub mod connected;
pub mod network;

/// A constraint that the formula leaves out.
pub trait Lazy: Debug + Send + Sync {
    /// Clauses that follow from the constraint and that this assignment breaks; none if and only if it satisfies the
    /// constraint. `holds` solutions for all literals, constants included.
    fn cuts(&self, holds: &dyn Fn(Lit) -> bool) -> Vec<Vec<Lit>>;

    /// The constraint as a propagator, if it is one for a solver that can keep one, and not meant for cuts.
    fn propagator(&self) -> Option<Box<dyn Propagator>>;
}

/// A constraint that was left to the search, with the condition under which it holds.
#[derive(Debug, Clone)]
pub struct Deferred {
    /// What must hold.
    pub constraint: Arc<dyn Lazy>,
    /// The negated conditions of [`Sink::when`]: a part of each clause made of the constraint.
    pub unless: Vec<Lit>,
}

/// A constraint whose clauses were written up to a depth.
pub trait Deepen: Debug + Send {
    /// The literal to assume; `None` if everything is written.
    fn assumption(&self) -> Option<Lit>;

    /// Writes clauses for a greater depth, for when the assumption was in the core.
    fn deepen(&mut self, sink: &mut Sink<'_>);
}

/// What a propagator calls a literal that it wants to hear of, or that it derived: whatever number suits it.
pub type Event = u32;

/// The consequences a propagator has found.
#[derive(Debug, Default)]
pub struct Findings {
    /// Literals that must hold, in the order they were found, each with the event by which
    /// [`Propagator::explain`] knows it.
    pub implied: Vec<(Lit, Event)>,
    /// A clause that follows from the constraint and is false under what the propagator was told.
    pub conflict: Option<Vec<Lit>>,
}

impl Findings {
    /// Whether nothing was found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.implied.is_empty() && self.conflict.is_none()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.implied.clear();
        self.conflict = None;
    }
}

/// A constraint that takes part in the search.
///
/// It is told of literals by [`assign`](Propagator::assign), one by one, and they are taken back by
/// [`undo`](Propagator::undo), the last one first. Its state is a function of what it was told: it survives backjumps,
/// restarts and calls without more being said.
pub trait Propagator: Debug + Send {
    /// The literals it must be told of when they come to hold, and the event to tell it. A literal may stand more than
    /// once; none is a constant.
    fn events(&self) -> Vec<(Lit, Event)>;

    /// A literal came to hold.
    fn assign(&mut self, event: Event);

    /// The last literal told, and not yet taken back, holds no longer.
    fn undo(&mut self);

    /// Looks for what follows from the literals told. What was found must be complete once every literal is told: then
    /// there is a conflict unless the constraint holds.
    fn propagate(&mut self, findings: &mut Findings);

    /// Appends to `reason` literals that hold and imply the literal that was found under this event. They are literals
    /// this propagator had been told of when it found it, and not constants.
    fn explain(&mut self, event: Event, reason: &mut Vec<Lit>);
}
