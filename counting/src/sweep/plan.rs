//! The plan of a sweep: how reading a variable changes a state.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use gordian_encodings::frontier::{Automaton, Frontier};
use gordian_encodings::{Cnf, Lit, Var};

/// The maximum number of variables that are read between two layers.
pub(super) const MOST_IN_GROUP: usize = 3;

/// The steps of a sweep. A state is a string of bytes: one bit for each clause with both read and unread variables,
/// and the bytes of each automaton with both read and unread variables. All remaining bits are zero.
#[derive(Debug)]
pub(super) struct Plan {
    satisfiable: bool,
    automata: Vec<Box<dyn Automaton>>,
    steps: Vec<Step>,
    /// The groups of steps between two layers.
    groups: Vec<Range<usize>>,
    /// The number of bytes of a state, which is a multiple of 8.
    bytes: usize,
}

/// A step of the sweep, which reads a variable.
#[derive(Debug)]
struct Step {
    variable: Var,
    /// The initial states of the automata whose first variable is read, each with its position in the state.
    open: Vec<(usize, Vec<u8>)>,
    /// The clauses that become true if the variable is false, and the clauses that become true if it is true.
    satisfied: [Vec<(usize, u8)>; 2],
    /// The clauses whose last variable is read in the step.
    closed: Vec<(usize, u8)>,
    /// The automata that read the variable: the index of each automaton, the index of the variable in its order, and
    /// the position of its bytes.
    reads: Vec<(usize, usize, Range<usize>)>,
}

impl Plan {
    /// Creates the plan for an order of all variables of the constraints and clauses. Returns `None` if the states of
    /// a constraint are too large.
    pub(super) fn new(frontiers: &[Box<dyn Frontier>], cnf: &Cnf, order: &[Var]) -> Option<Self> {
        let position: BTreeMap<Var, usize> = order.iter().copied().zip(0..).collect();
        let mut steps: Vec<Step> = order
            .iter()
            .map(|&variable| Step {
                variable,
                open: Vec::new(),
                satisfied: [Vec::new(), Vec::new()],
                closed: Vec::new(),
                reads: Vec::new(),
            })
            .collect();
        let mut satisfiable = true;
        let mut merges = vec![false; order.len()];

        // In a state, the bits of the clauses precede the bytes of the automata.
        let clauses: BTreeSet<Vec<Lit>> = cnf.iter().map(sorted).collect();
        let times =
            |clause: &[Lit]| -> Vec<usize> { clause.iter().map(|lit| position[&lit.var()]).collect() };
        let mut of_clauses = Vec::new();
        for clause in &clauses {
            let times = times(clause);
            match (times.iter().min(), times.iter().max()) {
                (Some(&first), Some(&last)) => of_clauses.push((first, last, 1)),
                _ => satisfiable = false,
            }
        }
        let (bits, length) = places(&of_clauses, order.len());
        for (clause, (bit, &(_, last, _))) in clauses.iter().zip(bits.iter().zip(&of_clauses)) {
            let bit = (bit / 8, 1 << (bit % 8));
            for &lit in clause {
                steps[position[&lit.var()]].satisfied[usize::from(lit.is_pos())].push(bit);
            }
            steps[last].closed.push(bit);
            merges[last] = true;
        }
        let bytes_of_clauses = length.div_ceil(8);

        let mut automata = Vec::new();
        let mut of_automata = Vec::new();
        let mut times_of = Vec::new();
        let mut first_states = Vec::new();
        for frontier in frontiers {
            let mut times: Vec<usize> = frontier
                .parts()
                .iter()
                .flat_map(|part| &part.variables)
                .map(|variable| position[variable])
                .collect();
            times.sort_unstable();
            times.dedup();
            let own: Vec<Var> = times.iter().map(|&time| order[time]).collect();
            let automaton = frontier.automaton(&own)?;
            let mut first = vec![0; automaton.width()];
            satisfiable &= automaton.open(&mut first);
            let (Some(&from), Some(&to)) = (times.first(), times.last()) else { continue };
            for part in frontier.parts() {
                if let Some(last) = part.variables.iter().map(|variable| position[variable]).max() {
                    merges[last] = true;
                }
            }
            of_automata.push((from, to, automaton.width()));
            automata.push(automaton);
            times_of.push(times);
            first_states.push(first);
        }
        let (places, length) = places(&of_automata, order.len());
        for (index, ((times, first), (place, &(from, _, width)))) in
            times_of.iter().zip(first_states).zip(places.iter().zip(&of_automata)).enumerate()
        {
            let place = bytes_of_clauses + place..bytes_of_clauses + place + width;
            steps[from].open.push((place.start, first));
            for (at, &time) in times.iter().enumerate() {
                steps[time].reads.push((index, at, place.clone()));
            }
        }
        for step in &mut steps {
            step.satisfied.iter_mut().chain([&mut step.closed]).for_each(join);
        }
        let bytes = (bytes_of_clauses + length).next_multiple_of(8);
        Some(Self { satisfiable, automata, steps, groups: groups(&merges), bytes })
    }

    /// Returns whether every constraint has an initial state.
    pub(super) fn is_satisfiable(&self) -> bool {
        self.satisfiable
    }

    /// Returns the number of words of a state.
    pub(super) fn words(&self) -> usize {
        self.bytes / 8
    }

    /// Returns the steps between two layers, for each layer except the first.
    pub(super) fn groups(&self) -> impl ExactSizeIterator<Item = Range<usize>> + use<'_> {
        self.groups.iter().cloned()
    }

    /// Returns the variable that is read in a step.
    pub(super) fn variable(&self, step: usize) -> Var {
        self.steps[step].variable
    }

    /// Returns the buffers that [`Plan::successors`] needs.
    pub(super) fn buffers(&self) -> Vec<Vec<u8>> {
        vec![vec![0; self.bytes]; MOST_IN_GROUP + 1]
    }

    /// Calls `next` with the states after the steps of a group. Each state is passed with the values of the variables
    /// that lead to it, as the bits of a number, starting with the first variable.
    pub(super) fn successors(
        &self,
        group: Range<usize>,
        state: &[u64],
        buffers: &mut [Vec<u8>],
        next: &mut impl FnMut(&[u8], u32),
    ) {
        for (bytes, word) in buffers[0].chunks_exact_mut(8).zip(state) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        self.expand(group.clone(), group.start, 0, buffers, next);
    }

    fn expand(
        &self,
        group: Range<usize>,
        first: usize,
        values: u32,
        buffers: &mut [Vec<u8>],
        next: &mut impl FnMut(&[u8], u32),
    ) {
        let Some((state, rest)) = buffers.split_first_mut() else { return };
        if group.is_empty() {
            return next(state, values);
        }
        let step = &self.steps[group.start];
        for (place, first) in &step.open {
            state[*place..place + first.len()].copy_from_slice(first);
        }
        for value in [false, true] {
            rest[0].copy_from_slice(state);
            if self.read(step, value, &mut rest[0]) {
                let values = values | u32::from(value) << (group.start - first);
                self.expand(group.start + 1..group.end, first, values, rest, next);
            }
        }
    }

    /// Replaces a state by its successor for a value of the variable. Returns false if no solution starts with the
    /// values read so far.
    fn read(&self, step: &Step, value: bool, state: &mut [u8]) -> bool {
        for &(byte, mask) in &step.satisfied[usize::from(value)] {
            state[byte] |= mask;
        }
        for &(byte, mask) in &step.closed {
            if state[byte] & mask != mask {
                return false;
            }
            state[byte] &= !mask;
        }
        step.reads.iter().all(|(automaton, index, place)| {
            self.automata[*automaton].read(*index, value, &mut state[place.clone()])
        })
    }
}

fn sorted(clause: &[Lit]) -> Vec<Lit> {
    let mut clause = clause.to_vec();
    clause.sort_unstable();
    clause
}

/// Joins the bit masks of the same byte.
fn join(masks: &mut Vec<(usize, u8)>) {
    masks.sort_unstable();
    masks.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 |= next.1;
        }
        same
    });
}

/// Returns the groups of steps between two layers. A group ends with a step that ends a part of a state, because
/// states can be merged there, or after the maximum number of steps.
fn groups(merges: &[bool]) -> Vec<Range<usize>> {
    let mut groups = Vec::new();
    let mut start = 0;
    for (step, &merges_here) in merges.iter().enumerate() {
        if merges_here || step + 1 - start == MOST_IN_GROUP || step + 1 == merges.len() {
            groups.push(start..step + 1);
            start = step + 1;
        }
    }
    groups
}

/// Returns positions in a string for spans, and the length of the string. Each span is given by its first step, its
/// last step and its length. Spans that overlap in time have disjoint positions.
fn places(spans: &[(usize, usize, usize)], steps: usize) -> (Vec<usize>, usize) {
    let mut starting = vec![Vec::new(); steps];
    let mut ending = vec![Vec::new(); steps];
    for (span, &(from, to, _)) in spans.iter().enumerate() {
        starting[from].push(span);
        ending[to].push(span);
    }
    let mut occupied: Vec<bool> = Vec::new();
    let mut places = vec![0; spans.len()];
    for (starting, ending) in starting.iter().zip(&ending) {
        for &span in starting {
            let length = spans[span].2;
            let free = |&place: &usize| (place..place + length).all(|at| occupied.get(at) != Some(&true));
            let place = (0..=occupied.len()).find(free).unwrap_or(occupied.len());
            if occupied.len() < place + length {
                occupied.resize(place + length, false);
            }
            occupied[place..place + length].fill(true);
            places[span] = place;
        }
        for &span in ending {
            occupied[places[span]..places[span] + spans[span].2].fill(false);
        }
    }
    (places, occupied.len())
}
