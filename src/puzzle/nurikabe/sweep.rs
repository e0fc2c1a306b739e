//! The formulation of Nurikabe for counting solutions by a sweep.

use std::sync::Arc;

use gordian_encodings::constraint::{Clause, Components, Connected};
use gordian_encodings::{FALSE, Graph, Lit, Model};

use super::{decode, sea_or_land};
use crate::puzzle::Formulation;
use crate::rules::Grid;
use crate::rules::nurikabe::Clue;

/// Returns the formulation for counting by a sweep. The model has one variable for each cell without a clue, which is
/// true if the cell is sea.
pub(super) fn formulate(clues: &Grid<Option<Clue>>) -> Formulation {
    let graph = Arc::new(Graph::new(clues.len(), clues.edges()));
    let mut model = Model::new();
    let is_sea = |clue: &Option<Clue>| if clue.is_some() { FALSE } else { model.boolean() };
    let sea: Vec<Lit> = clues.cells().iter().map(is_sea).collect();
    for block in clues.blocks() {
        model.post_as("no block of sea", Clause::new(block.map(|cell| !sea[cell])));
    }
    let size = |clue: Clue| match clue {
        Clue::Size(size) => usize::try_from(size.get()).ok(),
        Clue::Unknown => None,
    };
    let roots = clues.cells().iter().enumerate().filter_map(|(cell, clue)| Some((cell, size((*clue)?))));
    let land: Vec<Lit> = sea.iter().map(|&lit| !lit).collect();
    model.post_as("islands", Components::new(Arc::clone(&graph), land, roots.collect::<Vec<_>>()));
    model.post_as("one sea", Connected::new(Arc::clone(&graph), sea.as_slice()));
    model.project(sea.iter().copied());
    Formulation { model, parts: sea_or_land(&sea), decode: decode(clues, graph, sea) }
}
