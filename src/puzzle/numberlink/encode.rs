//! The constraint model of Numberlink and Amaze.
//!
//! Each pair of adjacent cells has a literal that is true if a path steps from one to the other. Each cell has an
//! integer: the index of the path through the cell, or 0 if the cell is empty. A cell with a number has one step, and
//! every other cell has two steps or none. A step joins cells of the same path. An assignment that satisfies the
//! constraints on steps consists of a path for each pair, and possibly cycles. If cycles would lead to additional or
//! wrong solutions, [`paths::subtour_elimination`] excludes them: steps must connect every used cell with an end of a
//! path.
//!
//! If cells may stay empty, a query for one solution can be restricted to *least* solutions, which use the fewest
//! cells (see [`least`]). Uniqueness and backbone queries search for least solutions first. If no cell may stay empty
//! and paths must not touch themselves, every turn of a path needs an end on its inner diagonal (see [`turns`]).
//! docs/connectivity.md reports the measured effect of each constraint.

use gordian_encodings::constraint::{Cardinality, Clause, DisjointPaths, Equality, Reified};
use gordian_encodings::lit::from_bool;
use gordian_encodings::{Assignment, FALSE, Lit, Model, Objective, Sense, TRUE, tick};

use super::literals::{Literals, when};
use super::{least, plain, turns};
use crate::puzzle::paths::{self, Step};
use crate::puzzle::{Formulation, ObjectiveRow, Part, Query, StageOutcome, Stages};
use crate::rules::numberlink::{DOWN, LEFT, LINES, Numberlink, Pair, RIGHT, UP};
use crate::rules::{Content, Field, GRID, Grid, Solution};

/// The objective of Amaze: the sum of the numbers in all cells.
pub(super) const SUM: ObjectiveRow =
    ObjectiveRow { name: "sum", sense: Sense::Minimise, summary: "the sum of the numbers on all cells" };
/// The objective that minimises the number of cells on paths.
pub(super) const CELLS: ObjectiveRow =
    ObjectiveRow { name: "cells", sense: Sense::Minimise, summary: "the number of cells on paths" };

/// A sweep uses labels only if the board has at most this many pairs.
const MOST_LABELS: usize = 16;

/// Returns the formulation for a query. If `least` is true, a query for one solution is restricted to least
/// solutions, which use the fewest cells.
pub(super) fn formulate(board: &Numberlink, least: bool, query: &Query) -> Formulation {
    build(board, query, least && !board.all_cells() && !query.needs_every_solution(), None, query.has_parts())
}

/// Returns a formulation for a query. The formulation keeps all solutions, and lists all parts of a solution, such as
/// cells.
pub(super) fn formulate_all(board: &Numberlink, query: &Query) -> Formulation {
    build(board, query, false, None, true)
}

/// Returns the formulation for counting by a sweep. The steps determine the solution. The model needs labels for the
/// numbers of the cells only if the values are counted, or if paths must not touch themselves. Returns `None` if the
/// labels would lead to too many states of the sweep.
pub(super) fn formulate_for_sweep(board: &Numberlink, query: &Query) -> Option<Formulation> {
    let has_labels = !board.touch() || *query == Query::CountValues;
    if has_labels && board.pairs().len() > MOST_LABELS {
        return None;
    }
    let mut model = Model::new();
    let lits = Literals::without_numbers(board, &mut model);
    let pairs: Vec<[usize; 2]> = board.pairs().iter().map(|pair| pair.cells).collect();
    let edges: Vec<_> = lits.steps.iter().map(|step| (step.a, step.b, step.taken)).collect();
    model.post_as("paths", DisjointPaths::new(pairs, lits.used.as_slice(), edges));
    let labels = if has_labels { labels(board, &lits, &mut model) } else { Vec::new() };
    if !board.touch() {
        keep_apart(board, &lits, &labels, &mut model);
    }
    model.project(lits.steps.iter().map(|step| step.taken));
    let parts = if *query == Query::CountValues {
        let numbers = |cell: usize| {
            let number = |(index, pair): (usize, &Pair)| {
                let label = labels[cell].iter().enumerate();
                let label = label.map(|(bit, &lit)| if index >> bit & 1 == 1 { lit } else { !lit });
                (pair.number, [lits.used[cell]].into_iter().chain(label).collect())
            };
            board.pairs().iter().enumerate().map(number).collect()
        };
        parts(board, &lits, numbers)
    } else {
        Vec::new()
    };
    let facts = plain::facts(board, &lits.steps);
    let board = board.clone();
    let decode = move |assignment: &Assignment| decode(&board, &lits, assignment);
    Some(Formulation { model, decode: Box::new(decode), parts, facts })
}

/// Creates a label for each cell: the index of its path, in binary. Steps join cells with equal labels. The label of an
/// empty cell is 0.
fn labels(board: &Numberlink, lits: &Literals, model: &mut Model) -> Vec<Vec<Lit>> {
    let bits = board.pairs().len().next_power_of_two().ilog2();
    let mut label = |cell: usize| -> Vec<Lit> {
        if let Some(pair) = board.ends()[cell] {
            return (0..bits).map(|bit| from_bool(pair >> bit & 1 == 1)).collect();
        }
        let label: Vec<Lit> = (0..bits).map(|_| model.boolean()).collect();
        for &bit in &label {
            model.post(Clause::new([lits.used[cell], !bit]));
        }
        label
    };
    let labels: Vec<Vec<Lit>> = (0..board.ends().len()).map(&mut label).collect();
    for &Step { a, b, taken } in &lits.steps {
        for (&bit, &other) in labels[a].iter().zip(&labels[b]) {
            model.post(Clause::new([!taken, !bit, other]));
            model.post(Clause::new([!taken, bit, !other]));
        }
    }
    labels
}

/// Posts the constraint that adjacent cells without a step between them are not on the same path: if both are on paths,
/// their labels differ.
fn keep_apart(board: &Numberlink, lits: &Literals, labels: &[Vec<Lit>], model: &mut Model) {
    for (a, b) in board.ends().edges() {
        for value in 0..1_usize << labels[a].len() {
            let differs = |(at, &bit): (usize, &Lit)| if value >> at & 1 == 1 { !bit } else { bit };
            let differ = labels[a].iter().enumerate().chain(labels[b].iter().enumerate()).map(differs);
            let rest = [lits.step(a, b), !lits.used[a], !lits.used[b]];
            model.post(Clause::new(rest.into_iter().chain(differ).collect::<Vec<_>>()));
        }
    }
}

/// Returns the formulations for `query`. Uniqueness and backbone queries first search for least solutions, which use
/// the fewest cells. If there is exactly one least solution, the second stage searches the remaining solutions. If
/// there are several least solutions, the second stage searches all solutions.
///
/// docs/puzzles/numberlink.md proves that if only one solution S satisfies the rules of [`least`], every other solution
/// uses a cell that is empty in S.
pub(super) fn stages<'a>(board: &'a Numberlink, least: bool, query: &'a Query) -> Stages<'a> {
    let least_first = least && !board.all_cells() && matches!(query, Query::Unique | Query::Backbone);
    let mut stage = 0;
    Box::new(move |outcome| {
        stage += 1;
        match (stage, outcome) {
            (1, _) if least_first => Some(build(board, query, true, None, query.has_parts())),
            (1, _) => Some(formulate(board, least, query)),
            (2, StageOutcome::One(least)) if least_first => {
                let least = least.grid(board.ends().rows(), board.ends().columns()).ok();
                Some(build(board, query, false, least, query.has_parts()))
            }
            (2, StageOutcome::Several) if least_first => {
                Some(build(board, query, false, None, query.has_parts()))
            }
            _ => None,
        }
    })
}

/// Creates a formulation. If `least` is true, the solutions of the formulation satisfy the rules of [`least`]. If
/// `beyond` is the grid of a solution, every solution of the formulation uses a cell that is empty in `beyond`. If
/// `with_parts` is true, the formulation lists the parts of the solution.
fn build(
    board: &Numberlink,
    query: &Query,
    least: bool,
    beyond: Option<&Grid<i128>>,
    with_parts: bool,
) -> Formulation {
    let mut model = Model::new();
    let lits = Literals::new(board, &mut model);
    degrees(board, &lits, &mut model);
    for &Step { a, b, taken } in &lits.steps {
        model.post(Reified::implies(taken, Equality::equal(lits.path[a], lits.path[b])));
    }
    // In a solution with the fewest cells, no path touches itself, because a path that touches itself has a shortcut.
    if !board.touch() || least {
        for (a, b) in board.ends().edges() {
            let apart = Equality::different(lits.path[a], lits.path[b]);
            when(&mut model, &[!lits.step(a, b), lits.used[a]], apart);
        }
        turns::at_most_two_around_a_block(board, &lits, &mut model);
    }
    if board.all_cells() && !board.touch() {
        for turn in turns::all(board) {
            turns::held(board, &lits, &mut model, &turn);
        }
    }
    if least {
        least::post(board, &lits, &mut model);
        // The preferred value `true` makes the solver extend a path rather than leave a cell empty. A cell that is left
        // empty too early may be needed by another path.
        model.prefer(lits.used.iter().copied());
        model.prefer(lits.steps.iter().map(|step| step.taken));
    }
    if let Some(numbers) = beyond {
        let unused = (0..numbers.len()).filter(|&cell| numbers[cell] == 0).map(|cell| lits.used[cell]);
        model.post(Clause::new(unused.collect::<Vec<_>>()));
    }
    // A query for one solution allows cycles, because the decoder ignores them.
    if !least || query.needs_every_solution() {
        let ends: Vec<usize> = board.pairs().iter().flat_map(|pair| pair.cells).collect();
        // Even without this constraint, cycles are rare, because paths rarely leave enough space for a cycle.
        model
            .post_as("no cycle", paths::subtour_elimination(&lits.used, &lits.steps, &ends).nearly_implied());
    }
    if let Some(objective) = query.objective() {
        let terms: Vec<(i128, Lit)> = if objective.name == SUM.name {
            (0..board.ends().len()).flat_map(|cell| numbers(board, &lits, &mut model, cell)).collect()
        } else {
            lits.used.iter().map(|&lit| (1, lit)).collect()
        };
        model.set_objective(Objective::new(objective.sense, terms));
    }
    // The steps of the paths determine the numbers of the cells.
    model.project(lits.steps.iter().map(|step| step.taken));
    let parts = if with_parts {
        let numbers = |cell: usize| {
            let numbers = numbers(board, &lits, &mut model, cell).into_iter();
            numbers.filter(|&(_, lit)| lit != FALSE).map(|(number, lit)| (number, vec![lit])).collect()
        };
        parts(board, &lits, numbers)
    } else {
        Vec::new()
    };
    let facts = if with_parts { plain::facts(board, &lits.steps) } else { Vec::new() };
    let board = board.clone();
    Formulation { model, decode: Box::new(move |assignment| decode(&board, &lits, assignment)), parts, facts }
}

/// Returns the numbers that a cell can have, each with the literal that is true if the cell has the number.
fn numbers(board: &Numberlink, lits: &Literals, model: &mut Model, cell: usize) -> Vec<(i128, Lit)> {
    let path = lits.path[cell];
    let values: Vec<i128> = model.domain(path).values().collect();
    // No constraint is posted here, so the limits are polled explicitly.
    tick(values.len() as u64);
    let number = |value| {
        let pair = usize::try_from(value - 1).ok()?;
        Some((board.pairs()[pair].number, model.equals(path, value)))
    };
    values.into_iter().filter_map(number).collect()
}

/// Returns the parts of solutions: the number of each cell and, if the numbers do not determine the paths, the sides
/// through which the path leaves each cell. The function `numbers` returns the numbers that a cell can have, each with
/// a conjunction of literals.
fn parts(
    board: &Numberlink,
    lits: &Literals,
    numbers: impl FnMut(usize) -> Vec<(i128, Vec<Lit>)>,
) -> Vec<Part> {
    let mut parts = parts_of_numbers(board, lits, numbers);
    let sides = |index: usize| {
        let steps = sides(board, lits, index);
        let of = |set: u32| {
            let taken = |at: usize| set >> at & 1 == 1;
            let sum = steps.iter().enumerate().filter(|&(at, _)| taken(at)).map(|(_, &(side, _))| side).sum();
            let says = |(at, &(_, lit)): (usize, &(i128, Lit))| if taken(at) { lit } else { !lit };
            (Content::Number(sum), steps.iter().enumerate().map(says).collect())
        };
        let is_end = board.ends()[index].is_some();
        let numbers: &[u32] = if is_end { &[1] } else { &[0, 2] };
        let sets = (0..1_u32 << steps.len()).filter(|set| numbers.contains(&set.count_ones()));
        Part { field: LINES.into(), index, values: sets.map(of).collect() }
    };
    if board.touch() {
        parts.extend((0..board.ends().len()).map(sides));
    }
    parts
}

/// Returns the parts of solutions for the numbers of the cells. The function `numbers` returns the numbers that a cell
/// can have, each with a conjunction of literals.
pub(super) fn parts_of_numbers(
    board: &Numberlink,
    lits: &Literals,
    mut numbers: impl FnMut(usize) -> Vec<(i128, Vec<Lit>)>,
) -> Vec<Part> {
    let number = |index: usize| {
        let empty = (lits.used[index] != TRUE).then(|| (0, vec![!lits.used[index]]));
        let values = numbers(index).into_iter().chain(empty);
        let values = values.map(|(number, lits)| (Content::Number(number), lits));
        Part { field: GRID.into(), index, values: values.collect() }
    };
    (0..board.ends().len()).map(number).collect()
}

/// Returns the sides through which a path can leave a cell, each with the literal of the step.
pub(super) fn sides(board: &Numberlink, lits: &Literals, cell: usize) -> Vec<(i128, Lit)> {
    let step = |&step: &usize| (side(board, &lits.steps[step], cell), lits.steps[step].taken);
    lits.at[cell].iter().map(step).collect()
}

/// Returns the side of `cell` that `step` crosses. The step must start or end in the cell.
pub(super) fn side(board: &Numberlink, step: &Step, cell: usize) -> i128 {
    let same_row = board.ends().place(step.a).row == board.ends().place(step.b).row;
    match (same_row, cell == step.a) {
        (true, true) => RIGHT,
        (true, false) => LEFT,
        (false, true) => DOWN,
        (false, false) => UP,
    }
}

/// Posts the degree constraints: an end has one step, every other used cell has two steps, and an empty cell has
/// none.
pub(super) fn degrees(board: &Numberlink, lits: &Literals, model: &mut Model) {
    for cell in 0..board.ends().len() {
        let steps: Vec<Lit> = lits.at[cell].iter().map(|&step| lits.steps[step].taken).collect();
        let place = board.ends().place(cell);
        if let Some(pair) = board.ends()[cell] {
            let name = format!("end of {} at {place}", board.pairs()[pair].number);
            model.post_as(name, Cardinality::exactly(steps, 1));
            continue;
        }
        paths::pass_through(model, format!("steps at {place}"), lits.used[cell], &steps);
    }
}

/// Decodes an assignment by following the path of each pair from one end to the other.
pub(super) fn decode(board: &Numberlink, lits: &Literals, assignment: &Assignment) -> Solution {
    let (rows, columns) = (board.ends().rows(), board.ends().columns());
    let mut numbers = vec![0; board.ends().len()];
    let mut sides = vec![0; board.ends().len()];
    for pair in board.pairs() {
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
    let solution = Solution::from_grid(Grid::new(rows, columns, numbers));
    if board.touch() { solution.with(LINES, Field::Grid(Grid::new(rows, columns, sides))) } else { solution }
}
