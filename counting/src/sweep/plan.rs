//! The plan of a sweep: the order of the variables, and how the state changes when each variable is read.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use gordian_encodings::frontier::{Automaton, Frontier};
use gordian_encodings::{Cnf, Lit, Var};

/// The maximum number of variables that are read between two layers.
const MOST_IN_GROUP: usize = 3;
/// Only clauses with at most this many unread literals are compared with other clauses.
const MOST_UNREAD: usize = 32;

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

/// A bit of a state: the index of its byte, and its mask.
type Bit = (usize, u8);

/// A step of the sweep, in which one variable is read.
#[derive(Debug)]
struct Step {
    variable: Var,
    /// The automata whose first variable is read in the step. For each automaton, the position of its bytes, and its
    /// initial state.
    open: Vec<(usize, Vec<u8>)>,
    /// The clauses that become true if the variable is false, and the clauses that become true if it is true.
    satisfied: [Vec<Bit>; 2],
    /// The clauses whose last variable is read in the step.
    closed: Vec<Bit>,
    /// Pairs of clauses with the same unread literals after the step. The bit of the second clause is cleared unless
    /// the first clause is true. After that, this bit states whether both clauses are true. The bit of the first clause
    /// is no longer used. The second bit is `None` if no literal of the second clause has been read.
    merged: Vec<(Bit, Option<Bit>)>,
    /// The automata that read the variable. For each automaton: its index, the index of the variable in the automaton's
    /// order, and the position of the automaton's bytes.
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
                merged: Vec::new(),
                reads: Vec::new(),
            })
            .collect();
        let mut satisfiable = true;
        let mut merges = vec![false; order.len()];

        // In a state, the bits of the clauses precede the bytes of the automata.
        satisfiable &= cnf.iter().all(|clause| !clause.is_empty());
        let clauses = clauses(cnf);
        let time = |lit: &Lit| position[&lit.var()];
        let ends = ends(&clauses, &time, order.len());
        let first = |clause: &[Lit]| clause.iter().map(time).min().unwrap_or_default();
        let spans: Vec<_> =
            clauses.iter().zip(&ends).map(|(clause, end)| (first(clause), end.step, 1)).collect();
        let (bits, length) = places(&spans, order.len());
        let bit = |clause: usize| (bits[clause] / 8, 1_u8 << (bits[clause] % 8));
        for (index, (clause, end)) in clauses.iter().zip(&ends).enumerate() {
            for lit in clause.iter().filter(|lit| time(lit) <= end.step) {
                steps[time(lit)].satisfied[usize::from(lit.is_pos())].push(bit(index));
            }
            match end.same {
                None => steps[end.step].closed.push(bit(index)),
                Some(same) if spans[same].0 <= end.step => {
                    steps[end.step].merged.push((bit(index), Some(bit(same))));
                }
                Some(_) => steps[end.step].merged.push((bit(index), None)),
            }
            merges[end.step] = true;
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

    /// Returns the groups of steps, one for each pair of consecutive layers.
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

    /// Calls `next` with each state that can follow `state` after the steps of a group. The second argument of `next`
    /// contains the values of the variables that lead to the state; bit 0 is the value of the first variable.
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

    /// Replaces a state with its successor for a value of the variable. Returns false if no solution starts with the
    /// values read so far.
    fn read(&self, step: &Step, value: bool, state: &mut [u8]) -> bool {
        for &(byte, mask) in &step.satisfied[usize::from(value)] {
            state[byte] |= mask;
        }
        for &((byte, mask), same) in &step.merged {
            if let Some((byte_of_same, mask_of_same)) = same
                && state[byte] & mask == 0
            {
                state[byte_of_same] &= !mask_of_same;
            }
            state[byte] &= !mask;
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

/// Returns the distinct nonempty clauses of a formula, with sorted literals.
pub(super) fn clauses(cnf: &Cnf) -> Vec<Vec<Lit>> {
    let sorted = |clause: &[Lit]| {
        let mut clause = clause.to_vec();
        clause.sort_unstable();
        clause.dedup();
        clause
    };
    let clauses: BTreeSet<Vec<Lit>> = cnf.iter().map(sorted).collect();
    clauses.into_iter().filter(|clause| !clause.is_empty()).collect()
}

/// The step after which a clause no longer needs its own bit, and the clause, if any, whose bit then stands for both
/// clauses.
pub(super) struct End {
    /// The step after which the state contains no bit for the clause.
    pub(super) step: usize,
    /// Another clause with the same unread literals after the step, or `None` if all literals have been read.
    same: Option<usize>,
}

/// Returns the [`End`] of each clause. If several clauses have the same unread literals after a step, only one of
/// them keeps its bit. The function `time` returns the step that reads the variable of a literal.
pub(super) fn ends(clauses: &[Vec<Lit>], time: &impl Fn(&Lit) -> usize, steps: usize) -> Vec<End> {
    let mut of_step: Vec<Vec<usize>> = vec![Vec::new(); steps];
    for (index, clause) in clauses.iter().enumerate() {
        let mut times: Vec<usize> = clause.iter().map(time).collect();
        times.sort_unstable();
        times.dedup();
        for step in times {
            of_step[step].push(index);
        }
    }
    let mut known: HashMap<Vec<Lit>, usize> = clauses.iter().cloned().zip(0..).collect();
    let mut ends: Vec<Option<End>> = clauses.iter().map(|_| None).collect();
    for (step, of_step) in of_step.iter().enumerate() {
        for &index in of_step {
            if ends[index].is_some() {
                continue;
            }
            let unread: Vec<Lit> = clauses[index].iter().copied().filter(|lit| time(lit) > step).collect();
            if unread.is_empty() {
                ends[index] = Some(End { step, same: None });
            } else if unread.len() <= MOST_UNREAD {
                let same = *known.entry(unread).or_insert(index);
                ends[index] = (same != index).then_some(End { step, same: Some(same) });
            }
        }
    }
    ends.into_iter().map(|end| end.unwrap_or(End { step: 0, same: None })).collect()
}

/// Combines the masks that belong to the same byte.
fn join(masks: &mut Vec<Bit>) {
    masks.sort_unstable();
    masks.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 |= next.1;
        }
        same
    });
}

/// Returns the groups of steps between two layers. A group ends when it has the maximum number of steps. It ends
/// earlier after a step in which a clause or an automaton ends, because such a step can make different states equal.
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

/// Assigns to each span a position in a state, and returns the positions and the length of the state. A span is given
/// by its first step, its last step and its length. Spans that overlap in time have disjoint positions.
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
