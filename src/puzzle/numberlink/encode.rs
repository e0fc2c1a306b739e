//! The constraint model.
//!
//! A literal for each two cells side by side says that a path steps between them, one for each cell and each pair that
//! can reach it says that the cell is on that pair's path. An end has one step, another cell two or none, and a step
//! joins cells of one path. What satisfies this is a path for each pair, and perhaps rings; where a ring would be an
//! answer too many, all used cells must be connected with an end by steps ([`paths::no_rings`]).
//!
//! Where cells may stay empty and one answer is enough, it can be one that [`least`] describes, and the search is told that
//! the cells of each pair are connected. Whether there is another one is asked of those first, too. docs/connectivity.md has what each of these is worth.

use std::cell::OnceCell;
use std::iter;
use std::sync::Arc;

use gordian_encodings::constraint::{AtMostOne, Cardinality, Clause, Connected};
use gordian_encodings::theory::connected::LazyConnected;
use gordian_encodings::{Assignment, FALSE, Graph, Lit, Model, Objective, TRUE};

use super::{DOWN, LEFT, LINES, Numberlink, RIGHT, SUM, UP, least};
use crate::answer::{Answer, Content, Field, GRID};
use crate::grid::Grid;
use crate::puzzle::paths::{self, Step};
use crate::puzzle::{Formulation, ObjectiveRow, Part, Request};

/// The literals of a board.
#[derive(Debug)]
pub(super) struct Literals {
    /// For each cell and pair, whether the cell is on the path of the pair.
    pub(super) on: Vec<Vec<Lit>>,
    /// Whether the cell is on a path.
    pub(super) used: Vec<Lit>,
    /// The pairs of cells side by side between which a path may step.
    steps: Vec<Step>,
    /// For each cell, the indices of its steps.
    at: Vec<Vec<usize>>,
}

/// Which answers a formulation is to have.
#[derive(Debug, Clone, Copy)]
enum Needed<'a> {
    /// One, if there is one.
    One,
    /// One, if there is one, and each of which [`least`] holds.
    EachLeast,
    /// All that use a cell which this one leaves empty.
    Beyond(&'a Answer),
    /// All.
    Every,
}

pub(super) fn formulate(board: &Numberlink, request: &Request) -> Formulation {
    let needed = if request.every { Needed::Every } else { Needed::One };
    build(board, request.objective, needed)
}

/// The formulations that tell whether there is just one answer, where cells may stay empty: of least answers, and then, if
/// `found` is the only one, of all others.
///
/// Whatever answer breaks a rule of [`least`] has one beside it that is less, and so on down to one that breaks none. If
/// only one breaks none, all others are greater: they have more cells, or as many with a greater sum of indices. Either way
/// they use a cell that it leaves empty.
pub(super) fn one_or_two<'a>(
    board: &'a Numberlink,
    found: &'a OnceCell<Answer>,
) -> impl Iterator<Item = Formulation> + 'a {
    let least = iter::once_with(|| build(board, None, Needed::EachLeast));
    let others = iter::once_with(|| Some(build(board, None, Needed::Beyond(found.get()?)))).flatten();
    least.chain(others)
}

fn build(board: &Numberlink, objective: Option<&'static ObjectiveRow>, needed: Needed<'_>) -> Formulation {
    let mut model = Model::new();
    let lits = Literals::new(board, &mut model);
    degrees(board, &lits, &mut model);
    // A path that lies beside itself can be cut short there.
    let cut_short = matches!(needed, Needed::One | Needed::EachLeast) && !board.all_cells;
    let apart = !board.touch || cut_short;
    for &Step { a, b, taken } in &lits.steps {
        for (&on_a, &on_b) in lits.on[a].iter().zip(&lits.on[b]) {
            model.post(Clause::new([!taken, !on_a, on_b]));
            model.post(Clause::new([!taken, on_a, !on_b]));
            if apart {
                model.post(Clause::new([taken, !on_a, !on_b]));
            }
        }
    }
    if cut_short {
        least::post(board, &lits, &mut model);
        joined(board, &lits, &mut model);
        // A path that was begun is carried on, rather than a cell cleared that may be needed.
        model.prefer(lits.used.iter().copied());
        model.prefer(lits.steps.iter().map(|step| step.taken));
    }
    if let Needed::Beyond(answer) = needed {
        let numbers = answer.grid(board.ends.rows(), board.ends.columns()).ok();
        let empty = |&cell: &usize| numbers.is_some_and(|numbers| numbers[cell] == 0);
        let unused = (0..board.ends.len()).filter(empty).map(|cell| lits.used[cell]);
        model.post(Clause::new(unused.collect::<Vec<_>>()));
    }
    // Where one answer is enough, a ring is left out when it is read.
    if !(cut_short && matches!(needed, Needed::One)) {
        let roots: Vec<usize> = board.pairs.iter().flat_map(|pair| pair.cells).collect();
        model.post_as("no ring", paths::no_rings(&lits.used, &lits.steps, &roots));
    }
    if let Some(objective) = objective {
        let terms: Vec<_> = if objective.name == SUM.name {
            lits.on
                .iter()
                .flat_map(|on| board.pairs.iter().zip(on).map(|(pair, &lit)| (pair.number, lit)))
                .collect()
        } else {
            lits.used.iter().map(|&lit| (1, lit)).collect()
        };
        model.optimise(Objective::new(objective.sense, terms));
    }
    let open = |&lit: &Lit| lit != FALSE && lit != TRUE;
    model.answer(lits.on.iter().flatten().copied().filter(open));
    if board.touch {
        model.answer(lits.steps.iter().map(|step| step.taken));
    }
    let parts = parts(board, &lits);
    let board = board.clone();
    Formulation { model, decode: Box::new(move |assignment| decode(&board, &lits, assignment)), parts }
}

/// The number of each cell and, where numbers don't tell, the sides to which its path goes.
fn parts(board: &Numberlink, lits: &Literals) -> Vec<Part> {
    let cells = 0..board.ends.len();
    let number = |index: usize| {
        let empty = (Content::Number(0), vec![!lits.used[index]]);
        let numbers = board.pairs.iter().zip(&lits.on[index]);
        let numbers = numbers.map(|(pair, &on)| (Content::Number(pair.number), vec![on]));
        let values = numbers.chain([empty]).filter(|(_, lits)| lits != &[FALSE]);
        Part { field: GRID, index, values: values.collect() }
    };
    let sides = |index: usize| {
        let steps: Vec<(i128, Lit)> = lits.at[index]
            .iter()
            .map(|&step| (side(board, &lits.steps[step], index), lits.steps[step].taken))
            .collect();
        let of = |set: u32| {
            let taken = |at: usize| set >> at & 1 == 1;
            let sum = steps.iter().enumerate().filter(|&(at, _)| taken(at)).map(|(_, &(side, _))| side).sum();
            let says = |(at, &(_, lit)): (usize, &(i128, Lit))| if taken(at) { lit } else { !lit };
            (Content::Number(sum), steps.iter().enumerate().map(says).collect())
        };
        let is_end = board.ends[index].is_some();
        let numbers: &[u32] = if is_end { &[1] } else { &[0, 2] };
        let sets = (0..1_u32 << steps.len()).filter(|set| numbers.contains(&set.count_ones()));
        Part { field: LINES, index, values: sets.map(of).collect() }
    };
    let lines = board.touch.then(|| cells.clone().map(sides));
    cells.clone().map(number).chain(lines.into_iter().flatten()).collect()
}

/// The side of a cell to which a step goes that begins or ends there.
fn side(board: &Numberlink, step: &Step, cell: usize) -> i128 {
    let same_row = board.ends.place(step.a).row == board.ends.place(step.b).row;
    match (same_row, cell == step.a) {
        (true, true) => RIGHT,
        (true, false) => LEFT,
        (false, true) => DOWN,
        (false, false) => UP,
    }
}

impl Literals {
    fn new(board: &Numberlink, model: &mut Model) -> Self {
        let Numberlink { ends, pairs, all_cells, .. } = board;
        let graph = Graph::new(ends.len(), ends.edges());
        let mut on = vec![vec![FALSE; pairs.len()]; ends.len()];
        for (index, pair) in pairs.iter().enumerate() {
            let open = |cell: usize| ends[cell].is_none_or(|end| end == index);
            let reached = graph.distances([pair.cells[0]], open);
            for cell in (0..ends.len()).filter(|&cell| reached[cell].is_some()) {
                on[cell][index] = if ends[cell].is_some() { TRUE } else { model.boolean() };
            }
            // The other end may be out of reach: then no answer comes of its lack of steps.
            on[pair.cells[1]][index] = TRUE;
        }
        let used = (0..ends.len())
            .map(|cell| match () {
                () if *all_cells || ends[cell].is_some() => TRUE,
                () if on[cell].iter().all(|&lit| lit == FALSE) => FALSE,
                () => model.boolean(),
            })
            .collect();
        let mut at = vec![Vec::with_capacity(4); ends.len()];
        let mut steps = Vec::new();
        for (a, b) in ends.edges() {
            if on[a].iter().zip(&on[b]).any(|(&a, &b)| a != FALSE && b != FALSE) {
                at[a].push(steps.len());
                at[b].push(steps.len());
                steps.push(Step { a, b, taken: model.boolean() });
            }
        }
        Self { on, used, steps, at }
    }

    /// Whether a path steps from `a` to `b`, in either order.
    pub(super) fn step(&self, a: usize, b: usize) -> Lit {
        let between = |&step: &usize| self.steps[step].a == a.min(b) && self.steps[step].b == a.max(b);
        self.at[a].iter().copied().find(between).map_or(FALSE, |step| self.steps[step].taken)
    }
}

/// One step at an end, two or none at another cell, which is on one path if it is used and on none if not.
fn degrees(board: &Numberlink, lits: &Literals, model: &mut Model) {
    for cell in 0..board.ends.len() {
        let steps: Vec<Lit> = lits.at[cell].iter().map(|&step| lits.steps[step].taken).collect();
        let place = board.ends.place(cell);
        if let Some(pair) = board.ends[cell] {
            let name = format!("end of {} at {place}", board.pairs[pair].number);
            model.post_as(name, Cardinality::exactly(steps, 1));
            continue;
        }
        let used = lits.used[cell];
        paths::pass_through(model, format!("steps at {place}"), used, &steps);
        let on: Vec<Lit> = lits.on[cell].iter().copied().filter(|&lit| lit != FALSE).collect();
        for &lit in &on {
            model.post(Clause::new([!lit, used]));
        }
        model.post(Clause::new([&[!used], &on[..]].concat()));
        model.post_as(format!("one path at {place}"), AtMostOne::new(on));
    }
}

/// Tells the search that the cells of each pair are connected. The degrees say so too, but for rings, and unit propagation
/// does not see by them that a path is cut off or which gap it must take.
fn joined(board: &Numberlink, lits: &Literals, model: &mut Model) {
    let graph = Arc::new(Graph::new(board.ends.len(), board.ends.edges()));
    for pair in 0..board.pairs.len() {
        let on: Vec<Lit> = lits.on.iter().map(|on| on[pair]).collect();
        model.guide(LazyConnected::by_propagation(&Connected::new(Arc::clone(&graph), on)));
    }
}

/// Walks the path of each pair from one end to the other.
fn decode(board: &Numberlink, lits: &Literals, assignment: &Assignment) -> Answer {
    let (rows, columns) = (board.ends.rows(), board.ends.columns());
    let mut numbers = vec![0; board.ends.len()];
    let mut sides = vec![0; board.ends.len()];
    for pair in &board.pairs {
        let mut cell = pair.cells[0];
        let mut last = None;
        numbers[cell] = pair.number;
        let leads_on = |cell: usize, last: Option<usize>| {
            let steps = lits.at[cell].iter().copied().filter(|&step| Some(step) != last);
            steps.into_iter().find(|&step| assignment.lit(lits.steps[step].taken))
        };
        while let Some(step) = leads_on(cell, last) {
            let Step { a, b, .. } = lits.steps[step];
            sides[a] |= side(board, &lits.steps[step], a);
            sides[b] |= side(board, &lits.steps[step], b);
            cell = if cell == a { b } else { a };
            numbers[cell] = pair.number;
            last = Some(step);
        }
    }
    let answer = Answer::from_grid(Grid::new(rows, columns, numbers));
    if board.touch { answer.with(LINES, Field::Grid(Grid::new(rows, columns, sides))) } else { answer }
}
