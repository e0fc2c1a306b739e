//! The formulation of Nurikabe for counting solutions by a sweep.

use std::sync::Arc;

use gordian_encodings::constraint::{Clause, Components, Connected};
use gordian_encodings::lit::from_bool;
use gordian_encodings::{FALSE, Graph, Lit, Model};

use super::{content, decode};
use crate::puzzle::{Formulation, Part, Query};
use crate::rules::nurikabe::Clue;
use crate::rules::{Content, GRID, Grid};

/// Returns the formulation for counting by a sweep. The model has one variable for each cell without a clue. The
/// variable is true if the cell is sea. For [`Query::CountValues`], labels determine the size of each cell's island.
pub(super) fn formulate(clues: &Grid<Option<Clue>>, query: &Query) -> Formulation {
    let graph = Arc::new(Graph::new(clues.len(), clues.edges()));
    let mut model = Model::new();
    let is_sea = |clue: &Option<Clue>| if clue.is_some() { FALSE } else { model.boolean() };
    let sea: Vec<Lit> = clues.cells().iter().map(is_sea).collect();
    for block in clues.blocks() {
        model.post_as("no block of sea", Clause::new(block.map(|cell| !sea[cell])));
    }
    let roots: Vec<_> = (0..clues.len()).filter_map(|cell| Some((cell, size(clues[cell]?)))).collect();
    let land: Vec<Lit> = sea.iter().map(|&lit| !lit).collect();
    model.post_as("islands", Components::new(Arc::clone(&graph), land, roots));
    model.post_as("one sea", Connected::new(Arc::clone(&graph), sea.as_slice()));
    model.project(sea.iter().copied());
    let parts = if *query == Query::CountValues { labelled(clues, &sea, &mut model) } else { Vec::new() };
    Formulation { model, parts, facts: Vec::new(), decode: decode(clues, graph, sea) }
}

fn size(clue: Clue) -> Option<usize> {
    match clue {
        Clue::Size(size) => usize::try_from(size.get()).ok(),
        Clue::Unknown => None,
    }
}

/// Posts the constraints on the labels, and returns the parts of the solution: its cells. The label of an island cell
/// is the index of its island's size among all sizes, in binary; the label of a sea cell is 0. Adjacent island cells
/// have equal labels.
fn labelled(clues: &Grid<Option<Clue>>, sea: &[Lit], model: &mut Model) -> Vec<Part> {
    let mut sizes: Vec<Option<usize>> = clues.cells().iter().flatten().map(|&clue| size(clue)).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let bits = sizes.len().next_power_of_two().ilog2();
    let mut label = |cell: usize| -> Vec<Lit> {
        if let Some(clue) = clues[cell] {
            let index = sizes.binary_search(&size(clue)).unwrap_or_default();
            return (0..bits).map(|bit| from_bool(index >> bit & 1 == 1)).collect();
        }
        let label: Vec<Lit> = (0..bits).map(|_| model.boolean()).collect();
        for &bit in &label {
            model.post(Clause::new([!sea[cell], !bit]));
        }
        label
    };
    let labels: Vec<Vec<Lit>> = (0..clues.len()).map(&mut label).collect();
    for (a, b) in clues.edges() {
        for (&here, &there) in labels[a].iter().zip(&labels[b]) {
            model.post(Clause::new([sea[a], sea[b], !here, there]));
            model.post(Clause::new([sea[a], sea[b], here, !there]));
        }
    }
    let part = |cell: usize| {
        let of_size = |(index, &size): (usize, &Option<usize>)| {
            let says = |(bit, &lit): (usize, &Lit)| if index >> bit & 1 == 1 { lit } else { !lit };
            let label = labels[cell].iter().enumerate().map(says);
            (content(size), [!sea[cell]].into_iter().chain(label).collect())
        };
        let values = [(Content::Number(0), vec![sea[cell]])];
        let values = values.into_iter().chain(sizes.iter().enumerate().map(of_size));
        Part { field: GRID.into(), index: cell, values: values.collect() }
    };
    (0..clues.len()).map(part).collect()
}
