//! The formulation of Numberlink and Amaze for proofs.
//!
//! Each pair of adjacent cells has a literal that is true if a path steps from one to the other. Each pair of a cell
//! and a number has a literal that is true if the path of the number visits the cell. The constraints occur in the
//! pseudo-Boolean formula that states the rules, and a proof can derive all clauses of their encodings. The model has no
//! integer variables, and is not restricted to [least](super::least) solutions. Without an objective, it has further
//! constraints that a proof can derive: it excludes [detours] or, if paths must not touch themselves,
//! [three steps around a block](touching). The model for the backbone does not exclude detours.
//!
//! If cells may stay empty, paths may touch themselves and the query asks for any solution, the model permits cycles.
//! Removing the cycles of an assignment yields a solution.

use std::collections::HashSet;
use std::sync::Arc;

use gordian_encodings::constraint::{Clause, ExactlyOne};
use gordian_encodings::lit::from_bool;
use gordian_encodings::{Assignment, FALSE, Lit, Model, Objective, constant};

use super::encode::{SUM, decode, degrees, parts_of_numbers, side, sides};
use super::literals::{Literals, ProofVariables};
use super::{detours, touching};
use crate::puzzle::paths::{self, Step};
use crate::puzzle::{Formulation, Part, Query, cell_name};
use crate::rules::numberlink::{LINES, Numberlink};
use crate::rules::{Content, Field, Solution};

/// Returns the formulation for a query.
pub(super) fn formulate(board: &Numberlink, query: &Query) -> Formulation {
    build(board, query, None)
}

/// Returns a formulation for all solutions that lack a step of the given solution. No other solution contains all of its
/// steps, because these connect the ends of each path.
pub(super) fn formulate_other(board: &Numberlink, solution: &Solution) -> Formulation {
    build(board, &Query::Unique, Some(solution))
}

fn build(board: &Numberlink, query: &Query, other_than: Option<&Solution>) -> Formulation {
    let objective = query.objective();
    let is_backbone = *query == Query::Backbone;
    let (ends, pairs) = (board.ends(), board.pairs());
    let mut model = Model::new();
    let lits = Literals::without_numbers(board, &mut model);
    let numbers: Vec<Vec<Lit>> = ends
        .cells()
        .iter()
        .map(|end| match *end {
            Some(own) => (0..pairs.len()).map(|pair| from_bool(pair == own)).collect(),
            None => pairs.iter().map(|_| model.boolean()).collect(),
        })
        .collect();
    for (cell, numbers) in numbers.iter().enumerate() {
        let place = ends.place(cell);
        model.name(lits.used[cell], cell_name("used", place));
        for (pair, &lit) in pairs.iter().zip(numbers) {
            model.name(lit, format!("path({},{},{})", pair.number, place.row + 1, place.column + 1));
        }
        if ends[cell].is_none() {
            model.post(ExactlyOne::new([&numbers[..], &[!lits.used[cell]]].concat()));
        }
    }
    degrees(board, &lits, &mut model);
    for &Step { a, b, taken } in &lits.steps {
        let [here, there] = [a, b].map(|cell| ends.place(cell));
        let name =
            format!("step({},{},{},{})", here.row + 1, here.column + 1, there.row + 1, there.column + 1);
        model.name(taken, name);
        for (&here, &there) in numbers[a].iter().zip(&numbers[b]) {
            model.post(Clause::new([!taken, !here, there]));
            model.post(Clause::new([!taken, here, !there]));
            if !board.touch() {
                model.post(Clause::new([taken, !here, !there]));
            }
        }
    }
    if board.all_cells() || !board.touch() || objective.is_some() || is_backbone {
        let cells: Vec<usize> = pairs.iter().flat_map(|pair| pair.cells).collect();
        let connected = paths::subtour_elimination(&lits.used, &lits.steps, &cells);
        model.post_as("no cycle", connected.nearly_implied());
    }
    let given = other_than.map(|solution| taken_steps(board, &lits, solution));
    if let Some(given) = &given {
        let mut clause: Vec<Lit> = given.iter().map(|&step| !step).collect();
        clause.sort_unstable();
        model.post_as("another solution", Clause::new(clause));
    }
    if let Some(objective) = objective {
        let weight = |pair: usize| if objective.name == SUM.name { pairs[pair].number } else { 1 };
        let terms = numbers.iter().flat_map(|numbers| numbers.iter().enumerate());
        let terms = terms.map(|(pair, &lit)| (weight(pair), lit));
        model.set_objective(Objective::new(objective.sense, terms));
    }
    let solution = numbers.iter().flatten().copied().chain(lits.steps.iter().map(|step| step.taken));
    model.project(solution.filter(|&lit| constant(lit).is_none()));
    let parts = if is_backbone { parts(board, &lits, &numbers, &mut model) } else { Vec::new() };
    let variables = Arc::new(ProofVariables { board: board.clone(), lits, numbers });
    if objective.is_none() && !board.touch() {
        touching::post(&variables, &mut model);
    } else if objective.is_none() && !board.all_cells() && !is_backbone {
        detours::post(&variables, given.as_ref(), &mut model);
    }
    let decode = move |assignment: &Assignment| decode(&variables.board, &variables.lits, assignment);
    Formulation { model, decode: Box::new(decode), parts, facts: Vec::new() }
}

/// Returns the parts of a solution, as in the formulation for a search without a proof. Each value of a part has one
/// literal. If the value consists of two sides, the literal is an additional variable of the model.
fn parts(board: &Numberlink, lits: &Literals, numbers: &[Vec<Lit>], model: &mut Model) -> Vec<Part> {
    let mut parts = parts_of_numbers(board, lits, |cell| {
        let numbers = board.pairs().iter().zip(&numbers[cell]).filter(|&(_, &lit)| lit != FALSE);
        numbers.map(|(pair, &lit)| (pair.number, vec![lit])).collect()
    });
    if !board.touch() {
        return parts;
    }
    for cell in 0..board.ends().len() {
        let steps = sides(board, lits, cell);
        let mut values = Vec::new();
        if board.ends()[cell].is_some() {
            values.extend(steps.iter().map(|&(side, taken)| (side, taken)));
        } else {
            values.extend(Some((0, !lits.used[cell])).filter(|&(_, empty)| empty != FALSE));
            for (index, &(side, first)) in steps.iter().enumerate() {
                for &(other, second) in &steps[..index] {
                    let place = board.ends().place(cell);
                    let both = model.boolean();
                    model.name(
                        both,
                        format!("sides({},{},{})", place.row + 1, place.column + 1, side + other),
                    );
                    model.post(Clause::new([!both, first]));
                    model.post(Clause::new([!both, second]));
                    model.post(Clause::new([both, !first, !second]));
                    values.push((side + other, both));
                }
            }
        }
        let values = values.into_iter().map(|(sides, lit)| (Content::Number(sides), vec![lit])).collect();
        parts.push(Part { field: LINES.into(), index: cell, values });
    }
    parts
}

/// Returns the steps of a solution. Panics if it is not a solution of the board.
fn taken_steps(board: &Numberlink, lits: &Literals, solution: &Solution) -> HashSet<Lit> {
    let ends = board.ends();
    let lines = match solution.get(LINES) {
        Some(Field::Grid(lines)) => lines.clone(),
        _ => board.lines(solution.grid(ends.rows(), ends.columns()).expect("a solution of the board")),
    };
    let is_taken = |step: &&Step| lines[step.a] & side(board, step, step.a) != 0;
    lits.steps.iter().filter(is_taken).map(|step| step.taken).collect()
}
