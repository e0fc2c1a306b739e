//! Neighbourhoods of solutions: sets of variables whose values may change, while all others keep theirs.
//!
//! There are several [kinds](NeighbourhoodKind) of neighbourhoods. The kinds that recently led to better solutions are used
//! more often. Each kind adapts the size of its neighbourhoods: if a neighbourhood was searched completely, the next one is
//! larger, and if a limit stopped the search, the next one is smaller.

use std::collections::VecDeque;
use std::ops::Range;

use gordian_encodings::{Assignment, Lit, Model, Objective, Sink, Term, Value};

/// A way to choose a neighbourhood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NeighbourhoodKind {
    /// Any decision variables.
    Random,
    /// Decision variables that are close to each other in the graph of variables and constraints.
    Related,
    /// Decision variables that are close to terms of the objective.
    Objective,
    /// Decision variables that were created one after the other, such as a part of an array.
    Consecutive,
    /// Integers with similar values, such as tasks that start at about the same time.
    Similar,
}

const KINDS: [NeighbourhoodKind; 5] = [
    NeighbourhoodKind::Random,
    NeighbourhoodKind::Related,
    NeighbourhoodKind::Objective,
    NeighbourhoodKind::Consecutive,
    NeighbourhoodKind::Similar,
];

/// The first neighbourhood of each kind contains this percentage of the decision variables, and the largest one this
/// percentage.
const FIRST_PERCENT: usize = 10;
const LARGEST_PERCENT: usize = 90;
/// The smallest number of decision variables of a neighbourhood.
const FEWEST: usize = 4;
/// The percentage to which the size grows after a neighbourhood that was too small.
const GROWTH_PERCENT: usize = 130;
/// Of a larger constraint, the kinds that follow constraints visit this many variables.
const VISITED_OF_A_CONSTRAINT: usize = 32;
/// The weight of past results when a kind is chosen, and the smallest weight of a kind.
const MEMORY: f64 = 0.9;
const LEAST_WEIGHT: f64 = 0.05;

/// The result of the search in a neighbourhood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NeighbourhoodResult {
    /// True if the neighbourhood contained a better solution.
    pub(super) improved: bool,
    /// True if the neighbourhood contains no solution that is better than the best one. Otherwise, a limit was reached.
    pub(super) complete: bool,
}

/// The state of a kind.
#[derive(Debug, Clone, Copy)]
struct KindState {
    /// The number of decision variables of the next neighbourhood.
    size: usize,
    /// The success of past neighbourhoods, from 0 to 1.
    weight: f64,
}

/// Lists of numbers, one after the other.
#[derive(Debug, Clone, Default)]
struct AdjacencyLists {
    starts: Vec<usize>,
    items: Vec<u32>,
}

impl AdjacencyLists {
    fn len(&self) -> usize {
        self.starts.len()
    }

    fn push(&mut self, list: impl IntoIterator<Item = u32>) {
        self.starts.push(self.items.len());
        self.items.extend(list);
    }

    fn range(&self, index: usize) -> Range<usize> {
        self.starts[index]..self.starts.get(index + 1).copied().unwrap_or(self.items.len())
    }

    fn get(&self, index: u32) -> &[u32] {
        &self.items[self.range(index as usize)]
    }

    /// Returns for each number below `most` the indices of the lists that contain it.
    fn transposed(&self, most: usize) -> Self {
        let mut counts = vec![0; most + 1];
        for &item in &self.items {
            counts[item as usize + 1] += 1;
        }
        for index in 0..most {
            counts[index + 1] += counts[index];
        }
        let mut next = counts.clone();
        let mut items = vec![0; self.items.len()];
        for index in 0..node_index(self.len()) {
            for &item in self.get(index) {
                items[next[item as usize]] = index;
                next[item as usize] += 1;
            }
        }
        counts.pop();
        Self { starts: counts, items }
    }
}

/// Returns the index of a node, a constraint or a decision variable as a smaller number.
///
/// # Panics
/// Panics if the index exceeds the range, which no model that fits in memory reaches.
fn node_index(index: usize) -> u32 {
    u32::try_from(index).expect("a model has fewer than 2^32 variables and constraints")
}

/// The graph of the variables and constraints of a model, from which neighbourhoods are chosen.
///
/// The nodes of the graph are the Boolean variables and, after them, the integers. A literal of an integer has the node of
/// the integer.
#[derive(Debug)]
pub(in crate::search) struct Neighbourhoods {
    /// The decision variables in ascending order of their nodes.
    decisions: Vec<Term>,
    /// The node of each decision variable.
    nodes: Vec<u32>,
    /// The index of the decision variable of each node, if it is one.
    decision_of: Vec<Option<u32>>,
    /// The nodes of each constraint.
    constraints: AdjacencyLists,
    /// The constraints of each node.
    occurrences: AdjacencyLists,
    /// The decision variables that are integers.
    integers: Vec<u32>,
    /// The terms of the objective with their nodes.
    costs: Vec<(Value, Term, u32)>,
    kinds: [KindState; KINDS.len()],
    random: fastrand::Rng,
}

impl Neighbourhoods {
    /// Returns the neighbourhoods of a model with an objective, or `None` if it has too few decision variables.
    pub(in crate::search) fn of(model: &Model) -> Option<Self> {
        let objective = model.objective()?;
        let is_enough = model.decisions().len() > 2 * FEWEST;
        is_enough.then(|| Self::new(model, objective))
    }

    fn new(model: &Model, objective: &Objective) -> Self {
        let booleans = model.variables();
        let mut owners: Vec<u32> = (0..booleans).collect();
        let of_integer = |index: usize| booleans + node_index(index);
        for (bound, lit) in model.bounds() {
            owners[lit.vidx()] = of_integer(bound.variable.index());
        }
        let node = |term: Term| match term {
            Term::Int(x) => Some(of_integer(x.index())),
            Term::Lit(lit) => owners.get(lit.vidx()).copied(),
        };
        let mut constraints = AdjacencyLists::default();
        let mut of_constraint = Vec::new();
        for posted in model.constraints() {
            let scope = posted.constraint.scope();
            let lits = scope.lits.into_iter().map(Term::Lit);
            of_constraint.extend(lits.chain(scope.ints.into_iter().map(Term::Int)).filter_map(node));
            of_constraint.sort_unstable();
            of_constraint.dedup();
            constraints.push(of_constraint.drain(..));
        }
        let most = booleans as usize + model.integer_variables().count();
        // A literal of an integer follows from the integer.
        let is_own = |&(term, node): &(Term, u32)| matches!(term, Term::Int(_)) || node < booleans;
        let mut decisions: Vec<(Term, u32)> =
            model.decisions().iter().filter_map(|&term| Some((term, node(term)?))).filter(is_own).collect();
        decisions.sort_unstable_by_key(|&(_, node)| node);
        decisions.dedup_by_key(|&mut (_, node)| node);
        let (decisions, nodes): (Vec<Term>, Vec<u32>) = decisions.into_iter().unzip();
        let mut decision_of = vec![None; most];
        for (index, &node) in (0..).zip(&nodes) {
            decision_of[node as usize] = Some(index);
        }
        let is_integer = |&index: &u32| matches!(decisions[index as usize], Term::Int(_));
        let integers = (0..node_index(decisions.len())).filter(is_integer).collect();
        let costs = objective.terms.iter().filter_map(|&(factor, term)| Some((factor, term, node(term)?)));
        let first = KindState { size: (decisions.len() * FIRST_PERCENT / 100).max(FEWEST), weight: 1.0 };
        Self {
            costs: costs.collect(),
            occurrences: constraints.transposed(most),
            constraints,
            integers,
            decision_of,
            nodes,
            decisions,
            kinds: [first; KINDS.len()],
            random: fastrand::Rng::with_seed(0),
        }
    }

    /// Returns literals that fix the value of each decision variable to its value in `assignment`.
    pub(super) fn fixing(&self, assignment: &Assignment, sink: &mut Sink<'_>) -> Vec<[Lit; 2]> {
        let fix = |&term: &Term| match term {
            Term::Lit(lit) => [if assignment.lit(lit) { lit } else { !lit }; 2],
            Term::Int(x) => {
                let value = assignment.int(x);
                [sink.at_least(x, value), sink.at_most(x, value)]
            }
        };
        self.decisions.iter().map(fix).collect()
    }

    /// Chooses a neighbourhood of a solution. Returns its kind, and for each decision variable whether its value may
    /// change.
    pub(super) fn choose(&mut self, assignment: &Assignment) -> (usize, Vec<bool>) {
        let usable = |kind: usize| match KINDS[kind] {
            NeighbourhoodKind::Similar => self.integers.len() > 2 * FEWEST,
            NeighbourhoodKind::Objective => self.costs.len() > 1,
            NeighbourhoodKind::Random | NeighbourhoodKind::Related | NeighbourhoodKind::Consecutive => true,
        };
        let weights: Vec<f64> =
            (0..KINDS.len()).map(|kind| if usable(kind) { self.kinds[kind].weight } else { 0.0 }).collect();
        let mut at = self.random.f64() * weights.iter().sum::<f64>();
        let mut kind = 0;
        for (index, weight) in weights.into_iter().enumerate().filter(|&(_, weight)| weight > 0.0) {
            kind = index;
            at -= weight;
            if at < 0.0 {
                break;
            }
        }
        let size = self.kinds[kind].size.min(self.largest());
        let free = match KINDS[kind] {
            NeighbourhoodKind::Random => self.any(size),
            NeighbourhoodKind::Related => self.related(Vec::new(), size),
            NeighbourhoodKind::Objective => {
                let terms = self.costly(assignment);
                self.related(terms, size)
            }
            NeighbourhoodKind::Consecutive => self.consecutive(size),
            NeighbourhoodKind::Similar => self.similar(assignment, size),
        };
        (kind, free)
    }

    /// Adapts a kind to the result of the search in one of its neighbourhoods.
    pub(super) fn adapt(&mut self, kind: usize, outcome: NeighbourhoodResult) {
        let most = self.largest();
        let KindState { size, weight } = &mut self.kinds[kind];
        *size = if outcome.complete {
            (*size * GROWTH_PERCENT).div_ceil(100).min(most)
        } else {
            (*size * 100 / GROWTH_PERCENT).max(FEWEST)
        };
        let success = if outcome.improved { 1.0 } else { 0.0 };
        *weight = (MEMORY * *weight + (1.0 - MEMORY) * success).max(LEAST_WEIGHT);
    }

    /// Returns the largest number of decision variables of a neighbourhood.
    fn largest(&self) -> usize {
        self.decisions.len() * LARGEST_PERCENT / 100
    }

    fn any(&mut self, size: usize) -> Vec<bool> {
        let chosen = self.random.choose_multiple(0..self.decisions.len(), size);
        self.only(chosen)
    }

    fn consecutive(&mut self, size: usize) -> Vec<bool> {
        let first = self.random.usize(0..=self.decisions.len() - size);
        self.only(first..first + size)
    }

    /// Chooses the integers with the values that are closest to the value of a random integer.
    fn similar(&mut self, assignment: &Assignment, size: usize) -> Vec<bool> {
        let value = |index: u32| assignment.term(self.decisions[index as usize]);
        let pivot = value(self.integers[self.random.usize(0..self.integers.len())]);
        let mut integers: Vec<(u128, u32, u32)> = Vec::with_capacity(self.integers.len());
        for &index in &self.integers {
            integers.push((value(index).abs_diff(pivot), self.random.u32(..), index));
        }
        integers.sort_unstable();
        let chosen: Vec<usize> = integers.iter().take(size).map(|&(_, _, index)| index as usize).collect();
        self.only(chosen)
    }

    /// Returns the nodes of up to four terms of the objective that could have a better value.
    fn costly(&mut self, assignment: &Assignment) -> Vec<u32> {
        let nonzero: Vec<u32> = self
            .costs
            .iter()
            .filter(|&&(_, term, _)| assignment.term(term) != 0)
            .map(|&(_, _, node)| node)
            .collect();
        self.random.choose_multiple(nonzero, 4)
    }

    /// Follows constraints from the given nodes in random order until enough decision variables are found. If no further
    /// one can be reached, continues from a random one.
    fn related(&mut self, starts: Vec<u32>, size: usize) -> Vec<bool> {
        let mut free = vec![false; self.decisions.len()];
        let mut count = 0;
        let mut seen_nodes = vec![false; self.decision_of.len()];
        let mut seen_constraints = vec![false; self.constraints.len()];
        let mut queue = VecDeque::from(starts);
        for &node in &queue {
            seen_nodes[node as usize] = true;
        }
        while count < size {
            let Some(node) = queue.pop_front() else {
                let node = self.nodes[self.random.usize(0..self.nodes.len())];
                if !std::mem::replace(&mut seen_nodes[node as usize], true) {
                    queue.push_back(node);
                }
                continue;
            };
            if let Some(index) = self.decision_of[node as usize] {
                free[index as usize] = true;
                count += 1;
            }
            let mut constraints = self.occurrences.get(node).to_vec();
            self.random.shuffle(&mut constraints);
            for constraint in constraints {
                if std::mem::replace(&mut seen_constraints[constraint as usize], true) {
                    continue;
                }
                let members = self.constraints.get(constraint).iter().copied();
                for member in self.random.choose_multiple(members, VISITED_OF_A_CONSTRAINT) {
                    if !std::mem::replace(&mut seen_nodes[member as usize], true) {
                        queue.push_back(member);
                    }
                }
            }
        }
        free
    }

    fn only(&self, chosen: impl IntoIterator<Item = usize>) -> Vec<bool> {
        let mut free = vec![false; self.decisions.len()];
        for index in chosen {
            free[index] = true;
        }
        free
    }
}

#[cfg(test)]
mod tests;
