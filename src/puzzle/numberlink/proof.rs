//! The formulation of Numberlink and Amaze for proofs.
//!
//! Each pair of adjacent cells has a literal that is true if a path steps from one to the other. Each pair of a cell
//! and a number has a literal that is true if the path of the number visits the cell. The constraints are the same as
//! in the pseudo-Boolean formula that states the rules, and a proof can derive all clauses of their encodings. The
//! model has no integer variables and no implied constraints, and is not restricted to [least](super::least) solutions.

use gordian_encodings::constraint::{Clause, ExactlyOne};
use gordian_encodings::lit::from_bool;
use gordian_encodings::{Assignment, Lit, Model, Objective, constant};

use super::encode::{SUM, decode, degrees};
use super::literals::Literals;
use crate::puzzle::paths::{self, Step};
use crate::puzzle::{Formulation, Query, cell_name};
use crate::rules::numberlink::Numberlink;

/// Returns the formulation for a query. Returns `None` for the backbone query, because some values of a part require
/// several literals to be true.
pub(super) fn formulate(board: &Numberlink, query: &Query) -> Option<Formulation> {
    if *query == Query::Backbone {
        return None;
    }
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
    let cells: Vec<usize> = pairs.iter().flat_map(|pair| pair.cells).collect();
    model.post_as("no cycle", paths::subtour_elimination(&lits.used, &lits.steps, &cells).nearly_implied());
    if let Some(objective) = query.objective() {
        let weight = |pair: usize| if objective.name == SUM.name { pairs[pair].number } else { 1 };
        let terms = numbers.iter().flat_map(|numbers| numbers.iter().enumerate());
        let terms = terms.map(|(pair, &lit)| (weight(pair), lit));
        model.set_objective(Objective::new(objective.sense, terms));
    }
    let solution = numbers.iter().flatten().copied().chain(lits.steps.iter().map(|step| step.taken));
    model.project(solution.filter(|&lit| constant(lit).is_none()));
    let board = board.clone();
    let decode = move |assignment: &Assignment| decode(&board, &lits, assignment);
    Some(Formulation { model, decode: Box::new(decode), parts: Vec::new(), facts: Vec::new() })
}
