//! The opening: a few short periods before the long periods of the two modes.
//!
//! On many Numberlink and Nurikabe boards, a search that follows the phases of the model, in the order of the variables,
//! finds a solution after some dozens of conflicts. If its first conflicts lead it elsewhere, it needs thousands of times
//! as many. This happens with every mode and every order, but on different boards: the number of conflicts has a heavy tail
//! (Gomes, Selman, Crato, Kautz: *Heavy-tailed phenomena in satisfiability and constraint satisfaction problems*, Journal
//! of Automated Reasoning 24, 2000). So the search starts several times, in alternating modes and with initial phases.
//! The later stable periods start with the order of the variables, even if the first one had the order of a seed. Learnt
//! clauses remain. The opening does not start again when a solver is called again.
//!
//! The table shows numbers of conflicts with seeds 0 to 3, as median and maximum, with a limit of 4000 conflicts. The sums
//! are over nine boards from 9x9 to 16x24, which BatSat solves with its default seed after 19 to 169 conflicts.
//! A prototype measured it, whose stable mode kept the short restarts after the opening, and whose opening ended with 500
//! more focused conflicts. The nine boards were chosen because the former search was slow on them.
//!
//! | opening | numberlink 0285 | 0327 | 0460 | nine boards |
//! | --- | --- | --- | --- | --- |
//! | 1000 focused | 1012; 1602 | 4000; 4000 | 4000; 4000 | 17364; 30843 |
//! | 1000 stable | 881; 1301 | 4000; 4000 | 4000; 4000 | 20969; 27984 |
//! | 1000 stable, first restart after 100 conflicts | 1215; 1838 | 4000; 4000 | 4000; 4000 | 15442; 23488 |
//! | three stable periods: the seed's, the inverted and random phases and orders | 972; 1267 | 4000; 4000 | 3197; 4000 | 16264; 25109 |
//! | 250 stable, 250 focused, 500 stable, focused | 404; 511 | 562; 4000 | 558; 4000 | 8208; 18617 |

/// The numbers of conflicts of the periods of the opening, in turn in the stable and in the focused mode. The last period
/// determines the lengths of all later periods.
pub(crate) const PERIODS: [u64; 4] = [250, 250, 500, 1000];

/// The number of conflicts before the first restart in each stable period of the opening.
pub(crate) const RESTARTS: u64 = 100;
