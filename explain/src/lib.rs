//! Explanations: sets of constraints that are contradictory, or that imply a literal.
//!
//! The constraints of a model are divided into *groups*, such as the clauses of one clue. Constraints outside all
//! groups always hold. A set of groups *explains* a literal under known literals if the groups, the known literals and
//! the negated literal are contradictory. An explanation is *minimal* if no proper subset is an explanation (a group
//! MUS), and *smallest* if no explanation has fewer groups (a group SMUS).
//!
//! * [`minimal`] shrinks an explanation until it is minimal, by deletion.
//! * [`smallest`] finds a smallest explanation by hitting sets. A *correction set* consists of all groups that one
//!   assignment violates. Every explanation contains a group of every correction set. The search computes a smallest
//!   set that hits all known correction sets, and tests whether it is an explanation. If not, some assignment satisfies
//!   all groups in the set. This assignment yields a further correction set.
//! * [`easiest`] finds, in a list of literals, those with the smallest explanations. One assignment yields a correction
//!   set for every literal that it violates. Large explanations are never minimised.
//!
//! All three functions call an [`Oracle`]. An oracle is a SAT solver, or one of two weaker methods: [`Propagation`]
//! detects only the contradictions that unit propagation derives, and [`Probing`] also negates failed literals.
//!
//! Literature: Liffiton, Sakallah: *Algorithms for computing minimal unsatisfiable subsets of constraints*, JAR 2008;
//! Ignatiev, Previti, Liffiton, Marques-Silva: *Smallest MUS extraction with minimal hitting set dualization*, CP 2015;
//! Gamba, Bogaerts, Guns: *Efficiently explaining CSPs with unsatisfiable subset optimization*, JAIR 2023. The
//! algorithms in this crate differ from those in the papers in two ways: they find hitting sets by branch and bound,
//! and share correction sets between literals.

// Blank lines separate the modules into layers. Each module uses only modules of the layers above it.
mod set;

mod hitting;
mod oracle;

mod easiest;
mod subset;

mod propagation;

pub use easiest::{Easiest, Explained, easiest};
pub use hitting::smallest_hitting_set;
pub use oracle::{Answer, Core, Oracle, Witness};
pub use propagation::{Conclusion, Effort, Formula, Probing, Propagation};
pub use set::Set;
pub use subset::{SMALLEST_WORK, Subset, minimal, needed, smallest};
