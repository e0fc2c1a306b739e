//! The sweep: assigns the variables of a model in a fixed order, and counts the partial assignments that lead to each
//! state of the constraints.
//!
//! Two partial assignments with the same state have the same completions, so they need not be told apart. If the
//! variables are ordered such that few constraints, or few vertices of a graph, have both assigned and unassigned
//! variables at any time, there are few states, however many solutions there are. This is the method of choice for
//! connectivity and paths, of which clauses are a poor description.
//!
//! A constraint takes part by its [frontier states](gordian_encodings::frontier) or, if it has none, by its clauses.
//! The state of a clause is one bit: whether a literal has held so far.
//!
//! Papers: Knuth: *The Art of Computer Programming* 4A, section 7.1.4 (simpath); Kawahara, Inoue, Iwashita, Minato:
//! *Frontier-based search for enumerating all constrained subgraphs with compressed representation*, IEICE
//! Transactions 2017. Order of the variables by beam search: Inoue, Minato: *Acceleration of ZDD construction for
//! subgraph enumeration via path-width optimization*, Hokkaido University TCS-TR-A-16-80, 2016.

use std::fmt;

use gordian_encodings::{Cnf, Encoded, Encodings, Model};
use num_bigint::BigUint;

use crate::Progress;

mod layer;
mod order;
mod plan;

use layer::Layer;
use plan::Plan;

/// The largest number of variables of a sweep.
const MOST_VARIABLES: usize = 50_000;

/// A count that stopped because its states exceed the memory limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfMemory;

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the states of the sweep exceed the memory limit")
    }
}

impl std::error::Error for OutOfMemory {}

/// A model prepared for a sweep.
///
/// ```
/// use gordian_counting::sweep::Sweep;
/// use gordian_encodings::constraint::Cardinality;
/// use gordian_encodings::Model;
///
/// let mut model = Model::new();
/// let lits: Vec<_> = (0..100).map(|_| model.boolean()).collect();
/// model.project(lits.iter().copied());
/// model.post(Cardinality::exactly(lits, 3));
/// let sweep = Sweep::new(&model).unwrap();
/// assert_eq!(sweep.count(1 << 20, &mut |_| {}), Ok(161_700_u32.into()));
/// ```
#[derive(Debug)]
pub struct Sweep {
    plan: Plan,
    encoded: Encoded,
    /// The variables of the projection that occur in no constraint. Each of them doubles the number of solutions.
    free: Vec<gordian_encodings::Var>,
    width: f64,
}

impl Sweep {
    /// Prepares the sweep of a model, or returns `None` if the model has too many variables or if the states of a
    /// constraint are too large.
    ///
    /// The literals of the projection must determine the values of all other variables that occur in constraints.
    /// Literals that the model [assumes](Model::assume) are ignored.
    #[must_use]
    pub fn new(model: &Model) -> Option<Self> {
        let mut frontiers = Vec::new();
        let mut cnf = Cnf::default();
        let encodings = Encodings::auto().keep_count();
        let mut encoded = Encoded::begin(model, &encodings);
        encoded.write_where(model, &mut cnf, |constraint| match constraint.frontier() {
            Some(frontier) => {
                frontiers.push(frontier);
                false
            }
            None => true,
        });
        let parts = order::parts(&frontiers, &cnf);
        if order::variables(&parts) > MOST_VARIABLES {
            return None;
        }
        let (order, width) = order::order(&parts);
        let plan = Plan::new(&frontiers, &cnf, &order)?;
        let mut free: Vec<_> = model.projection().iter().map(|lit| lit.var()).collect();
        free.sort_unstable();
        free.dedup();
        let mut swept = order;
        swept.sort_unstable();
        free.retain(|&variable| {
            gordian_encodings::constant(variable.pos_lit()).is_none()
                && swept.binary_search(&variable).is_err()
        });
        Some(Self { plan, encoded, free, width })
    }

    /// Returns an estimate of the binary logarithm of the number of states.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.width
    }

    /// Counts the solutions. `memory` is the limit for the states in bytes, and `report` receives the progress from
    /// time to time.
    ///
    /// # Errors
    /// Returns an error if the states exceed the memory limit.
    pub fn count(&self, memory: usize, report: &mut dyn FnMut(&Progress)) -> Result<BigUint, OutOfMemory> {
        let last = self.run(memory, report, |_, _, _| {}, |_| 0)?;
        Ok(last.total() << self.free.len())
    }

    /// Runs the sweep. `edge` receives each pair of a state and a successor: the number of the state, the values read
    /// in between, and the number of the successor in the next layer. `layer` is called after each layer, and returns
    /// the memory that the caller uses. Returns the last layer.
    fn run(
        &self,
        memory: usize,
        report: &mut dyn FnMut(&Progress),
        mut edge: impl FnMut(usize, u32, usize),
        mut layer: impl FnMut(usize) -> usize,
    ) -> Result<Layer, OutOfMemory> {
        let plan = &self.plan;
        let mut current = Layer::new(plan.words());
        if plan.is_satisfiable() {
            current.add(&vec![0; plan.words()], &[1]);
        }
        let mut buffers = plan.buffers();
        let mut words = vec![0; plan.words()];
        let mut next = Layer::new(plan.words());
        let mut external = 0;
        for (number, group) in plan.groups().enumerate() {
            next.clear(current.limbs());
            for state in 0..current.len() {
                gordian_encodings::tick(8);
                let (key, count) = current.get(state);
                plan.successors(group.clone(), key, &mut buffers, &mut |key, values| {
                    for (word, bytes) in words.iter_mut().zip(key.chunks_exact(8)) {
                        *word = u64::from_le_bytes(bytes.try_into().unwrap_or_default());
                    }
                    edge(state, values, next.add(&words, count));
                });
                if next.is_full() {
                    next.grow();
                    if current.memory() + next.memory() + external > memory {
                        return Err(OutOfMemory);
                    }
                }
            }
            std::mem::swap(&mut current, &mut next);
            external = layer(current.len());
            let share = (number + 1) as f64 / plan.groups().len() as f64;
            report(&Progress { at_least: BigUint::ZERO, share, entries: current.len() });
        }
        Ok(current)
    }
}
