//! Counts solutions with a sweep, which assigns the variables of a model in a fixed order. For each state of the
//! constraints, the sweep counts the partial assignments that lead to the state.
//!
//! All partial assignments with the same state have the same completions. Therefore, the sweep stores only the number
//! of partial assignments for each state. The number of states is small if, at any time, only a few constraints or
//! graph vertices have both assigned and unassigned variables. The sweep is suitable for connectivity and path
//! constraints, because counting the models of their clauses is slow.
//!
//! The sweep tracks the [frontier states](gordian_encodings::frontier) of a constraint. If the constraint has no
//! frontier states, the sweep tracks the states of its clauses. The state of a clause is one bit: whether some literal
//! of the clause is already true.
//!
//! Papers: Knuth: *The Art of Computer Programming* 4A, section 7.1.4 (simpath); Kawahara, Inoue, Iwashita, Minato:
//! *Frontier-based search for enumerating all constrained subgraphs with compressed representation*, IEICE Transactions
//! 2017. Paper on ordering the variables by beam search: Inoue, Minato: *Acceleration of ZDD construction for subgraph
//! enumeration via path-width optimization*, Hokkaido University TCS-TR-A-16-80, 2016.

use std::fmt;

use gordian_encodings::{Assignment, Cnf, Encoded, Encodings, Fallback, Lit, Model, Var, constant, tick};
use num_bigint::BigUint;

use crate::{Circuit, Progress};

mod backward;
mod diagram;
mod layer;
mod order;
mod plan;

use diagram::Diagram;
use layer::Layer;
use plan::Plan;

/// The maximum number of variables of a sweep.
const MOST_VARIABLES: usize = 50_000;
/// The maximum [width](Sweep::width). The states of a sweep with a greater width would not fit in memory.
const MOST_WIDTH: f64 = 100.0;
/// The maximum number of states of a layer. The limit exists because states are numbered with 32-bit integers, and it
/// is checked when the table grows.
const MOST_STATES: usize = 1 << 30;
/// The work required to find the successors of a state. The unit is the same as for
/// [cancellation](gordian_encodings::cancel): the time to write a literal.
const WORK_OF_A_STATE: u64 = 8;

/// The error if a sweep exceeds the memory limit or the maximum number of states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfMemory;

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the states of the sweep exceed the memory limit")
    }
}

impl std::error::Error for OutOfMemory {}

/// A model that is prepared for a sweep.
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
    free: Vec<Var>,
    width: f64,
}

impl Sweep {
    /// Prepares the sweep of a model. Returns `None` if the model is not suitable: it may have too many variables, the
    /// estimated number of states may be too large, or the states of a single constraint may be too large. The model is
    /// also unsuitable if a constraint has neither frontier states nor an encoding that preserves the number of
    /// solutions.
    ///
    /// The literals of the projection must determine the values of all other variables that occur in constraints. The
    /// sweep ignores the literals of [`Model::assume`].
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
        if encoded.fallbacks().iter().any(|fallback| matches!(fallback, Fallback::CountLost { .. })) {
            return None;
        }
        let parts = order::parts(&frontiers, &cnf);
        if order::variables(&parts) > MOST_VARIABLES {
            return None;
        }
        let (order, width) = order::order(&parts, &frontiers, &cnf);
        if width > MOST_WIDTH {
            return None;
        }
        let plan = Plan::new(&frontiers, &cnf, &order)?;
        let mut free: Vec<_> = model.projection().iter().map(|lit| lit.var()).collect();
        free.sort_unstable();
        free.dedup();
        let mut swept = order;
        swept.sort_unstable();
        free.retain(|&variable| {
            constant(variable.pos_lit()).is_none() && swept.binary_search(&variable).is_err()
        });
        Some(Self { plan, encoded, free, width })
    }

    /// Returns the binary logarithm of the estimated number of states.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.width
    }

    /// Counts the solutions. The argument `memory` is the memory limit for the states, in bytes. The sweep calls
    /// `report` after each layer of states.
    ///
    /// # Errors
    /// Returns an error if the states exceed the memory limit.
    pub fn count(&self, memory: usize, report: &mut dyn FnMut(&Progress)) -> Result<BigUint, OutOfMemory> {
        let last = self.run(memory, report, None)?;
        Ok(last.total() << self.free.len())
    }

    /// Returns the number of solutions and, for each of the given conjunctions of literals, the number of solutions
    /// that satisfy it. Every variable in a conjunction must belong to the projection or occur in a constraint. The
    /// other arguments are the same as for [`Sweep::count`].
    ///
    /// # Errors
    /// Returns an error if the states of all layers exceed the memory limit.
    pub fn conjunction_counts(
        &self,
        conjunctions: &[Vec<Lit>],
        memory: usize,
        report: &mut dyn FnMut(&Progress),
    ) -> Result<(BigUint, Vec<BigUint>), OutOfMemory> {
        let mut diagram = Diagram::for_counts();
        let last = self.run(memory, report, Some(&mut diagram))?;
        Ok(backward::counts(&diagram, &self.plan, last.len(), &self.free, conjunctions))
    }

    /// Returns a circuit that represents the solutions. The circuit can be sampled, and it yields the number of
    /// solutions that contain a given literal. The arguments are the same as for [`Sweep::count`].
    ///
    /// # Errors
    /// Returns an error if the states or the circuit exceed the memory limit.
    pub fn circuit(&self, memory: usize, report: &mut dyn FnMut(&Progress)) -> Result<Circuit, OutOfMemory> {
        let mut diagram = Diagram::for_circuit();
        let last = self.run(memory, report, Some(&mut diagram))?;
        Ok(diagram.into_circuit(&self.plan, last.len(), &self.free))
    }

    /// Returns the values of the model's variables in a solution that [`Circuit::sample`] returned.
    #[must_use]
    pub fn assignment(&self, solution: &[Lit]) -> Assignment {
        let mut lits = solution.to_vec();
        lits.sort_unstable();
        let known = |lit: Lit| lits.binary_search(&lit).is_ok();
        self.encoded.assignment(|lit| (known(lit) || known(!lit)).then(|| known(lit)))
    }

    /// Runs the sweep, records its transitions in `diagram`, and returns the last layer of states.
    fn run(
        &self,
        memory: usize,
        report: &mut dyn FnMut(&Progress),
        mut diagram: Option<&mut Diagram>,
    ) -> Result<Layer, OutOfMemory> {
        let plan = &self.plan;
        let mut current = Layer::new(plan.words());
        if plan.is_satisfiable() {
            current.add(&vec![0; plan.words()], &[1]);
        }
        let mut next = Layer::new(plan.words());
        let mut buffers = plan.buffers();
        let mut words = vec![0; plan.words()];
        for (number, group) in plan.groups().enumerate() {
            next.clear(current.limbs(), current.len());
            if let Some(diagram) = &mut diagram {
                diagram.begin_layer(group.clone(), &current);
            }
            for state in 0..current.len() {
                tick(WORK_OF_A_STATE);
                let (key, count) = current.get(state);
                plan.successors(group.clone(), key, &mut buffers, &mut |key, values| {
                    for (word, bytes) in words.iter_mut().zip(key.chunks_exact(8)) {
                        *word = u64::from_le_bytes(bytes.try_into().unwrap_or_default());
                    }
                    let target = next.add(&words, count);
                    if let Some(diagram) = &mut diagram {
                        diagram.push(state, values, target);
                    }
                });
                if next.is_full() {
                    let of_diagram = diagram.as_ref().map_or(0, |diagram| diagram.memory());
                    let needed = current.memory() + next.memory_when_grown() + of_diagram;
                    if needed > memory || next.len() > MOST_STATES {
                        return Err(OutOfMemory);
                    }
                    next.grow();
                }
            }
            std::mem::swap(&mut current, &mut next);
            let share = (number + 1) as f64 / plan.groups().len() as f64;
            report(&Progress { at_least: BigUint::ZERO, share, entries: current.len() });
        }
        Ok(current)
    }
}
