//! The SAT solvers: built-in solvers and, with the feature `external`, external programs.
//!
//! A solver implements [`Backend`]: it collects clauses and decides whether they are satisfiable. Only this module
//! refers to specific solvers and to rustsat's solver traits. All other modules choose a solver from [`SOLVERS`] and
//! use the trait:
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
mod cdcl;
pub mod drat;
#[cfg(feature = "external")]
pub mod external;
mod incremental;
mod limits;
pub mod portfolio;
mod propagators;
mod varisat;
mod varisat_proof;

use std::borrow::Cow;
use std::fmt;

use gordian_encodings::theory::Propagator;
use gordian_encodings::{Collect, Lit, lit};

use crate::nearest::did_you_mean;

pub use limits::Limits;
#[cfg(feature = "puzzles")]
pub(crate) use limits::POLL_INTERVAL;

/// A SAT solver. [`Collect`] adds clauses, and [`Backend::solve`] decides whether they are satisfiable.
///
/// Clauses may be added between calls, regardless of the last verdict. The constants
/// [`TRUE`](gordian_encodings::TRUE) and [`FALSE`](gordian_encodings::FALSE) may be assumed and their values may be
/// read, but they must not occur in a clause.
pub trait Backend: Collect {
    /// Returns the description of the solver: an entry of [`SOLVERS`], or an external solver.
    fn solver(&self) -> &Solver;

    /// Decides whether the clauses added so far are satisfiable under assumptions. The assumptions hold only for this
    /// call.
    ///
    /// # Errors
    /// Returns [`BackendError::Failed`] if the solver fails, for example because it is out of memory.
    fn solve(&mut self, assumptions: &[Lit]) -> Result<Verdict, BackendError>;

    /// Returns the value of a literal in the assignment that the last [`Backend::solve`] found.
    ///
    /// Returns `None` if the solver left the variable unassigned. An unassigned variable may have either value. If
    /// the last verdict is not [`Verdict::Satisfiable`], or if clauses were added since then, the value is also
    /// `None`.
    fn value(&self, lit: Lit) -> Option<bool>;

    /// Returns the unsatisfiable core of the last call: a subset of its assumptions under which the clauses are
    /// unsatisfiable. The core is empty if the clauses are unsatisfiable without assumptions.
    ///
    /// The literals are in an unspecified order. The core has no duplicates but is not necessarily minimal. If the last
    /// verdict is not [`Verdict::Unsatisfiable`], the result is also empty, so check the verdict first.
    fn core(&mut self) -> Vec<Lit>;

    /// Returns the total statistics of all calls to the solver.
    fn statistics(&self) -> Statistics;

    /// Sets the limits for all further calls. [`Limits::default`] removes all limits.
    ///
    /// # Errors
    /// Returns [`BackendError::LimitsTooLate`] if the solver accepts its first limit only before the first clause
    /// ([`Solver::limits_first`]) and already has clauses. To keep such a solver interruptible, set any limit before
    /// the first clause, for example a stop flag. After that, the limits may be changed at any time.
    fn set_limits(&mut self, limits: Limits) -> Result<(), BackendError>;

    /// Attaches a propagator, which enforces its constraint in all further calls. If the solver does not support
    /// propagators, returns the propagator unused, and the caller must enforce the constraint by other means (see
    /// [`theory`](gordian_encodings::theory)).
    #[must_use = "a propagator that comes back is not kept"]
    fn attach(&mut self, propagator: Box<dyn Propagator>) -> Option<Box<dyn Propagator>>;

    /// Returns whether [`Backend::attach`] accepts propagators.
    fn propagates(&self) -> bool {
        false
    }

    /// Returns the number of variables, if propagators may create variables during the search. Otherwise, returns `None`.
    fn variables(&self) -> Option<u32> {
        None
    }

    /// Returns the value of `lit` if the solver has derived it from the clauses alone, without assumptions.
    ///
    /// Solvers need not detect implied values: the result may be `None` even if only one value is possible. Calling
    /// this method does not change the assignment that [`Backend::value`] reads.
    fn fixed(&self, lit: Lit) -> Option<bool> {
        lit::constant(lit)
    }

    /// Returns a subset of `lits` from which unit propagation derives all of `lits`. The subset omits every literal
    /// that the literals before it imply. The caller must ensure that some satisfying assignment makes all of `lits`
    /// true. If a limit stops the call, the subset may be larger than necessary.
    ///
    /// If the solver does not support this operation, returns `None`. The call discards the last assignment.
    fn implying(&mut self, lits: &[Lit]) -> Option<Vec<Lit>> {
        let _ = lits;
        None
    }

    /// Sets the phase of a variable: the value that the solver tries first when it branches on the variable.
    ///
    /// The phase is a hint and never changes a verdict. Returns `false` if the solver does not support phases, or can
    /// no longer change the phase of the variable.
    fn phase(&mut self, lit: Lit) -> bool;

    /// Logs all clauses that the solver derives or deletes from now on. Whenever the verdict is
    /// [`Verdict::Unsatisfiable`], the log proves the verdict: unit propagation derives a contradiction from the
    /// assumptions and the clauses that have not been deleted.
    ///
    /// Attach the log before adding the first clause. Returns `false` if the solver already has clauses, or if it does
    /// not support logging. The log also receives the clauses of propagators ([`ProofLog::propagated`]). These clauses
    /// need not follow from the formula by unit propagation, so a proof must derive them by other means.
    #[must_use = "without a log, there is no proof"]
    fn log_proof(&mut self, log: Box<dyn ProofLog>) -> bool {
        drop(log);
        false
    }

    /// Seeds the solver's random choices. The seed 0 selects the default behaviour.
    ///
    /// Set the seed before creating the first variable. A seed never changes a verdict. Returns `false` if the solver
    /// already has variables, or if it does not support seeds ([`Solver::seeds`]).
    fn seed(&mut self, seed: u32) -> bool;
}

impl fmt::Debug for dyn Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(&self.solver().name).field("statistics", &self.statistics()).finish_non_exhaustive()
    }
}

/// Receives the clauses that a solver derives and deletes, in the order of the search.
pub trait ProofLog {
    /// Receives a derived clause. With respect to the formula and the clauses derived earlier, the clause has the
    /// reverse unit propagation (RUP) property, or the resolution asymmetric tautology (RAT) property on its first
    /// literal.
    fn derived(&mut self, clause: &[Lit]);

    /// Receives a deleted clause, which is a clause of the formula or an earlier derived clause.
    fn deleted(&mut self, clause: &[Lit]);

    /// Receives the number of the clause that was last added to the solver or passed to [`ProofLog::propagated`]. The
    /// hints of derived clauses use this number. Solvers that log no hints do not number clauses.
    fn numbered(&mut self, id: u32) {
        let _ = id;
    }

    /// Receives a derived clause with its number and its *hints*: the numbers of the clauses from which it follows by
    /// unit propagation, in the order of propagation. The hint 0 stands for all unit clauses so far.
    fn derived_from(&mut self, id: u32, clause: &[Lit], hints: &[u32]) {
        let _ = (id, hints);
        self.derived(clause);
    }

    /// Receives a deleted clause with its number, from a solver that logs hints.
    fn deleted_id(&mut self, id: u32, clause: &[Lit]) {
        let _ = id;
        self.deleted(clause);
    }

    /// Receives the clauses that prove the result of [`Backend::implying`]: unit propagation on these clauses derives
    /// all of the given literals from the result. The clauses are in the order of propagation.
    fn implied(&mut self, hints: &[u32]) {
        let _ = hints;
    }

    /// Receives a clause that follows from the constraint of a propagator. Propagators are numbered from 0, in the
    /// order in which they were attached.
    fn propagated(&mut self, propagator: u32, clause: &[Lit]) {
        let _ = (propagator, clause);
    }
}

/// The result of [`Backend::solve`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The clauses are satisfiable. [`Backend::value`] returns the assignment.
    Satisfiable,
    /// The clauses are unsatisfiable under the assumptions. [`Backend::core`] returns a core.
    Unsatisfiable,
    /// A limit was reached before the result was known.
    Stopped,
}

/// Statistics of a solver since its creation. A count is `None` if the solver does not report it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Statistics {
    /// The number of variables: one more than the highest variable index that was reserved or occurs in a clause or
    /// assumption.
    pub variables: u32,
    /// The number of added clauses, including clauses that the solver simplified away.
    pub clauses: u64,
    /// The number of conflicts.
    pub conflicts: Option<u64>,
    /// The number of decisions.
    pub decisions: Option<u64>,
    /// The number of literals assigned by unit propagation.
    pub propagations: Option<u64>,
    /// The number of restarts.
    pub restarts: Option<u64>,
}

/// Describes a SAT solver and creates instances of it. The built-in solvers are the entries of [`SOLVERS`].
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "the abilities of a solver are independent of each other")]
pub struct Solver {
    /// The name of the solver on the command line.
    pub name: Cow<'static, str>,
    /// A one-line description for `gordian list`.
    pub summary: &'static str,
    /// The version of the solver itself, not of the crate that wraps it.
    pub version: &'static str,
    /// True if the solver supports [`Backend::phase`].
    pub phases: bool,
    /// True if the solver supports [`Backend::seed`].
    pub seeds: bool,
    /// True if the first limit must be set before the first clause.
    pub limits_first: bool,
    /// True if the solver supports [`Backend::log_proof`].
    pub proofs: bool,
    /// Creates an instance of the solver.
    pub make: SolverConstructor,
}

impl Solver {
    /// Creates an instance of the solver, without clauses.
    ///
    /// # Errors
    /// Returns an error if the solver is not built into this program or can't be started.
    pub fn make(&self) -> Result<Box<dyn Backend>, BackendError> {
        match &self.make {
            SolverConstructor::Function(make) => make(),
            #[cfg(feature = "external")]
            SolverConstructor::CommandLine(command) => external::make(self, command),
        }
    }
}

/// The function or command line that creates an instance of a solver.
#[derive(Debug, Clone)]
pub enum SolverConstructor {
    /// Calls this function.
    Function(fn() -> Result<Box<dyn Backend>, BackendError>),
    /// Runs this command line as an external solver.
    #[cfg(feature = "external")]
    CommandLine(external::CommandLine),
}

/// All built-in solvers, starting with the default.
pub static SOLVERS: &[&Solver] = &[&cdcl::SOLVER, &batsat::SOLVER, &varisat::SOLVER, &cadical::SOLVER];

/// Returns the solver with the given name. If the feature `external` is enabled, `name` may be the name of an
/// external solver, or `external:` followed by a command line.
///
/// # Errors
/// Returns [`BackendError::Unknown`] if no solver has the name. The message of [`BackendError::Unknown`] lists all
/// names. Returns [`BackendError::NoProgram`] if the external solver can't be run.
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

/// An error that occurs when a solver is created, configured or called.
#[derive(Debug, thiserror::Error)]
pub enum BackendError {
    /// No solver has the given name.
    #[error("unknown solver `{name}`; the solvers are {}{}", known(), did_you_mean(name, &names()))]
    Unknown {
        /// The name given by the user.
        name: String,
    },
    /// The solver is not part of this build of the program.
    #[error("the solver `{name}` is not part of this program: {how}")]
    NotBuilt {
        /// The name of the solver.
        name: &'static str,
        /// Instructions for building the program with the solver.
        how: &'static str,
    },
    /// The program of an external solver can't be run.
    #[error("the solver `{name}` can't be run: {reason}")]
    NoProgram {
        /// The name given by the user.
        name: String,
        /// The reason why the program can't be run.
        reason: String,
    },
    /// An external solver failed.
    #[error("`{name}` failed: {reason}")]
    Program {
        /// The name of the solver.
        name: String,
        /// The reason why the solver failed.
        reason: String,
    },
    /// The solver does not support conflict limits.
    #[error("`{name}` does not support a conflict limit")]
    NoConflictLimit {
        /// The name of the solver.
        name: String,
    },
    /// The first limits were set after the first clause, but the solver does not support this.
    #[error("`{name}` supports limits only if they are set before the first clause")]
    LimitsTooLate {
        /// The name of the solver.
        name: &'static str,
    },
    /// A built-in solver failed.
    #[error("`{name}` failed: {reason}")]
    Failed {
        /// The name of the solver.
        name: &'static str,
        /// The error message of the solver.
        reason: String,
    },
}

/// Returns the names of all solvers that [`find`] accepts.
fn names() -> Vec<&'static str> {
    let built_in = SOLVERS.iter().map(|solver| &*solver.name);
    #[cfg(feature = "external")]
    let programs = external::PROGRAMS.iter().map(|program| program.name);
    #[cfg(not(feature = "external"))]
    let programs = std::iter::empty();
    // CaDiCaL can be both a built-in and an external solver. Its name is listed only once.
    built_in.chain(programs.filter(|program| SOLVERS.iter().all(|solver| solver.name != *program))).collect()
}

fn known() -> String {
    let mut known: Vec<_> = names().iter().map(|name| format!("`{name}`")).collect();
    let last = if cfg!(feature = "external") { Some("`external:COMMAND`".to_owned()) } else { known.pop() };
    [known.join(", "), last.unwrap_or_default()].join(" and ")
}
