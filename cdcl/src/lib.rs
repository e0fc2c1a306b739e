//! A CDCL SAT solver.
//!
//! The solver is incremental: clauses may be added between calls, and a call may have assumptions. A [`Theory`] can
//! take part in the search: it propagates literals and reports conflicts. A [`Monitor`] can stop a call.
//!
//! The search alternates between two modes, as in CaDiCaL and Kissat. The *focused mode* restarts often and branches on
//! the variables of recent conflicts, which is good for unsatisfiable formulas. The *stable mode* restarts rarely and
//! branches by activity, which is good for satisfiable formulas. In stable mode, the preferred values come from the
//! largest conflict-free assignment. The search begins with an *opening* of short periods, and starts again in *fresh*
//! periods. The modules cite the papers that describe their methods.
//!
//! ```
//! use gordian_cdcl::{Lit, Solver};
//!
//! let [a, b] = [0, 1].map(|variable| Lit::new(variable, true));
//! let mut solver = Solver::default();
//! solver.add(&[a, b]);
//! solver.add(&[!a, b]);
//! assert_eq!(solver.solve(&[], &mut (), &mut ()), Some(true));
//! assert_eq!(solver.value(b), Some(true));
//! assert_eq!(solver.solve(&[!b], &mut (), &mut ()), Some(false));
//! assert_eq!(solver.core(), [!b]);
//! ```

// Each module uses only the modules declared above it.
mod lit;

mod proof;

mod arena;
mod average;
mod fresh;
mod heap;
mod opening;
mod phases;
mod queue;
mod watch;

mod state;

mod theory;

mod log;

mod propagate;

mod decide;

mod analyze;
mod equivalent;
mod reduce;
mod vivify;

mod probe;

mod solve;

pub use lit::Lit;
pub use proof::{ClauseId, Proof, UNITS};
pub use solve::Monitor;
pub use state::{Options, Solver, Statistics};
pub use theory::{Search, Theory};
