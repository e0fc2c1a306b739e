//! Back ends: SAT solvers that run inside the process and, with the feature `external`, as programs.
//!
//! A back end is a [`Collect`] that can be asked. Nothing outside this folder names a solver or uses rustsat's solver
//! traits; everyone else takes a row of [`SOLVERS`] and talks to a [`Backend`]:
//!
//! ```
//! use gordian::backend::{self, Verdict};
//! use gordian_encodings::Lit;
//!
//! let (a, b) = (Lit::positive(0), Lit::positive(1));
//! let mut solver = backend::find("batsat")?.make()?;
//! solver.clause(&[a, b]);
//! solver.clause(&[!a, b]);
//! assert_eq!(solver.solve(&[])?, Verdict::Satisfiable);
//! assert_eq!(solver.value(b), Some(true));
//! assert_eq!(solver.solve(&[!b])?, Verdict::Unsatisfiable);
//! assert_eq!(solver.core(), [!b]);
//! # Ok::<(), gordian::backend::BackendError>(())
//! ```

mod batsat;
mod cadical;
#[cfg(feature = "external")]
pub mod external;
mod incremental;
mod limits;
pub mod portfolio;
#[cfg(test)]
mod tests;
mod varisat;
mod varisat_proof;

use std::borrow::Cow;
use std::fmt;

use gordian_encodings::theory::Propagator;
use gordian_encodings::{Collect, Lit, lit};

use crate::nearest::did_you_mean;

pub use limits::Limits;

/// A SAT solver: clauses go in through [`Collect`], questions through [`Backend::solve`].
///
/// Clauses may be added between questions, whatever the last verdict was. The constants
/// [`TRUE`](gordian_encodings::TRUE) and [`FALSE`](gordian_encodings::FALSE) may be assumed and their values may be
/// read; they may not occur in a clause.
pub trait Backend: Collect {
    /// The solver's row in the table.
    fn solver(&self) -> &Solver;

    /// Decides the clauses taken so far under assumptions, which hold for this call only.
    ///
    /// # Errors
    /// [`BackendError::Failed`] if the solver itself fails, for example for want of memory.
    fn solve(&mut self, assumptions: &[Lit]) -> Result<Verdict, BackendError>;

    /// The value of a literal in the assignment found by the last [`Backend::solve`].
    ///
    /// `None` where the solver left the variable open (either value will do), and for all variables if the last
    /// verdict is not [`Verdict::Satisfiable`] or a clause was added since.
    fn value(&self, lit: Lit) -> Option<bool>;

    /// The assumptions to blame for [`Verdict::Unsatisfiable`]: a subset of the last call's assumptions, as they were
    /// assumed, that contradicts the clauses; empty when the clauses contradict themselves.
    ///
    /// In no particular order, without duplicates, not necessarily minimal. Empty too if the last verdict is another,
    /// so look at the verdict first.
    fn core(&mut self) -> Vec<Lit>;

    /// What the solver has done so far, over all calls.
    fn statistics(&self) -> Statistics;

    /// Sets the limits of all following calls; [`Limits::default`] lifts them.
    ///
    /// # Errors
    /// [`BackendError::LimitsTooLate`] if the solver can be limited only from the start ([`Solver::limits_first`]) and
    /// has taken clauses while there was no limit. A front end that may want to stop the solver sets limits before it
    /// adds a clause, if only with a stop flag; from then on it may change them freely.
    fn set_limits(&mut self, limits: Limits) -> Result<(), BackendError>;

    /// Makes the solver keep a constraint in all calls to come. Gives the propagator back if the solver can't: then it
    /// has to be kept in another way, see [`theory`](gordian_encodings::theory).
    #[must_use = "a propagator that comes back is not kept"]
    fn attach(&mut self, propagator: Box<dyn Propagator>) -> Option<Box<dyn Propagator>>;

    /// The value of a literal that follows from the clauses alone, as far as the solver has noticed.
    ///
    /// `None` says nothing: a solver need not tell. [`Backend::value`]s are untouched.
    fn fixed(&self, lit: Lit) -> Option<bool> {
        lit::constant(lit)
    }

    /// Of literals that all hold in some assignment, some that imply the others by unit propagation: each literal that
    /// those before it do not imply. Fewer may be found implied than are, if a limit ends the search for them.
    ///
    /// `None` if the solver does not tell what it propagates. The assignment of the last call is lost.
    fn implying(&mut self, lits: &[Lit]) -> Option<Vec<Lit>> {
        let _ = lits;
        None
    }

    /// Asks the solver to try this literal's value first when it branches on the variable.
    ///
    /// A hint: `false` if the solver can't take it (any more). It never changes a verdict.
    fn phase(&mut self, lit: Lit) -> bool;

    /// Makes the solver's choices random, the same ones for the same seed; 0 is the solver as it comes.
    ///
    /// Only before the first variable. `false` if it is too late or the solver has no seed ([`Solver::seeds`]). It never
    /// changes a verdict.
    fn seed(&mut self, seed: u32) -> bool;
}

impl fmt::Debug for dyn Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(&self.solver().name).field("statistics", &self.statistics()).finish_non_exhaustive()
    }
}

/// The solution of a solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// There is an assignment: [`Backend::value`] reads it.
    Satisfiable,
    /// There is none under these assumptions: [`Backend::core`] names those to blame.
    Unsatisfiable,
    /// A limit was reached before either was known.
    Stopped,
}

/// Counts of a solver's work since it was made; `None` where the solver doesn't tell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Variables: one more than the highest index reserved, used or assumed.
    pub variables: u32,
    /// Clauses taken, whatever became of them.
    pub clauses: u64,
    /// Conflicts.
    pub conflicts: Option<u64>,
    /// Decisions.
    pub decisions: Option<u64>,
    /// Literals set by unit propagation.
    pub propagations: Option<u64>,
}

/// A SAT solver that can be made: a row of [`SOLVERS`], or a program.
#[derive(Debug, Clone)]
pub struct Solver {
    /// The name users type.
    pub name: Cow<'static, str>,
    /// One line for `list`.
    pub summary: &'static str,
    /// The version of the solver itself.
    pub version: &'static str,
    /// Whether [`Backend::phase`] has any effect.
    pub phases: bool,
    /// Whether [`Backend::seed`] has any effect.
    pub seeds: bool,
    /// Whether limits must be set before the first clause.
    pub limits_first: bool,
    /// How it is made.
    pub make: Make,
}

impl Solver {
    /// Makes a new solver without clauses.
    ///
    /// # Errors
    /// If the solver is not part of this program, or fails at once.
    pub fn make(&self) -> Result<Box<dyn Backend>, BackendError> {
        match &self.make {
            Make::Function(make) => make(),
            #[cfg(feature = "external")]
            Make::CommandLine(command) => external::make(self, command),
        }
    }
}

/// How a solver is made.
#[derive(Debug, Clone)]
pub enum Make {
    /// By a function.
    Function(fn() -> Result<Box<dyn Backend>, BackendError>),
    /// As a program with this command line.
    #[cfg(feature = "external")]
    CommandLine(external::CommandLine),
}

/// All solvers in the process, the default one first.
pub static SOLVERS: &[&Solver] = &[&batsat::SOLVER, &varisat::SOLVER, &cadical::SOLVER];

/// The solver with this name. With the feature `external` it may be a program, given by its name or as
/// `external:COMMAND`.
///
/// # Errors
/// [`BackendError::Unknown`], with the names there are; [`BackendError::NoProgram`] if the program can't be run.
pub fn find(name: &str) -> Result<Solver, BackendError> {
    let built_in = SOLVERS.iter().copied().find(|solver| solver.name == name);
    #[cfg(feature = "external")]
    {
        let left_out = |solver: &Solver| matches!(solver.make(), Err(BackendError::NotBuilt { .. }));
        match external::find(name).filter(|_| built_in.is_none_or(left_out)) {
            Some(Err(error)) if built_in.is_none() => return Err(error),
            Some(Ok(program)) => return Ok(program),
            _ => {}
        }
    }
    built_in.cloned().ok_or_else(|| BackendError::Unknown { name: name.to_owned() })
}

/// Why a solver can't be had or can't go on.
#[derive(Debug, thiserror::Error)]
pub enum BackendError {
    /// No solver has this name.
    #[error("unknown solver `{name}`; there are {}{}", known(), did_you_mean(name, &names()))]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// The solver was left out of this program when it was built.
    #[error("the solver `{name}` is not part of this program: {how}")]
    NotBuilt {
        /// The solver.
        name: &'static str,
        /// How to get it.
        how: &'static str,
    },
    /// A program can't be run as a solver.
    #[error("the solver `{name}` can't be run: {reason}")]
    NoProgram {
        /// What was asked for.
        name: String,
        /// Why not.
        reason: String,
    },
    /// A program that was run as a solver did not do its part.
    #[error("`{name}` failed: {reason}")]
    Program {
        /// The solver.
        name: String,
        /// What went wrong.
        reason: String,
    },
    /// A limit that the solver has no means to keep.
    #[error("`{name}` can't be limited by conflicts")]
    NoConflictLimit {
        /// The solver.
        name: String,
    },
    /// Limits were set after clauses, on a solver that must know first.
    #[error("`{name}` can be stopped only if limits are set before its first clause")]
    LimitsTooLate {
        /// The solver.
        name: &'static str,
    },
    /// The solver failed.
    #[error("`{name}` failed: {reason}")]
    Failed {
        /// The solver.
        name: &'static str,
        /// What it says itself.
        reason: String,
    },
}

/// The names that [`find`] knows.
fn names() -> Vec<&'static str> {
    let built_in = SOLVERS.iter().map(|solver| &*solver.name);
    #[cfg(feature = "external")]
    let programs = external::PROGRAMS.iter().map(|program| program.name);
    #[cfg(not(feature = "external"))]
    let programs = std::iter::empty();
    // CaDiCaL is both.
    built_in.chain(programs.filter(|program| SOLVERS.iter().all(|solver| solver.name != *program))).collect()
}

fn known() -> String {
    let mut known: Vec<_> = names().iter().map(|name| format!("`{name}`")).collect();
    let last = if cfg!(feature = "external") { Some("`external:COMMAND`".to_owned()) } else { known.pop() };
    [known.join(", "), last.unwrap_or_default()].join(" and ")
}
