//! The constraints of islands of unknown size in the formulation for solving.

use std::sync::Arc;

use gordian_encodings::constraint::{Clause, Connected};
use gordian_encodings::{FALSE, Graph, Lit, Model, TRUE, lit};

use super::Island;
use crate::rules::Grid;
use crate::rules::nurikabe::Clue;

/// Posts the constraints of the islands of unknown size.
///
/// Islands of unknown size share one literal for each cell, because separate literals for each clue would make the
/// model too large. To ensure that each island contains a clue, the cells of all these islands must be connected in a
/// graph with an additional vertex that is adjacent to all clues. To ensure that no island contains two clues, each
/// cell has a binary label: adjacent island cells have the same label, and the label of a clue is its index.
pub(super) fn post(clues: &Grid<Option<Clue>>, graph: &Graph, island: &Island, model: &mut Model) {
    let cells = &island.cells;
    let hub = cells.len();
    let edges = (0..hub).flat_map(|a| graph.neighbours(a).iter().map(move |&b| (a, b)));
    let spokes = island.clues.iter().map(|&clue| (clue, hub));
    let with_hub = Graph::new(hub + 1, edges.filter(|&(a, b)| a < b).chain(spokes));
    let vertices: Vec<Lit> = cells.iter().copied().chain([TRUE]).collect();
    model.post_as("islands of unknown size", Connected::new(Arc::new(with_hub), vertices));

    let members: Vec<usize> = (0..hub).filter(|&cell| cells[cell] != FALSE).collect();
    let mut bit = 0;
    while island.clues.len() > 1 << bit {
        let mut label = vec![FALSE; hub];
        for &cell in &members {
            label[cell] = match island.clues.iter().position(|&clue| clue == cell) {
                Some(number) => lit::from_bool(number >> bit & 1 == 1),
                None => model.boolean(),
            };
            let place = clues.place(cell);
            model.name(label[cell], ("label", bit, place.row + 1, place.column + 1));
            model.post(Clause::new([cells[cell], !label[cell]]));
        }
        for &a in &members {
            for &b in graph.neighbours(a).iter().filter(|&&b| cells[b] != FALSE) {
                model.post(Clause::new([!cells[a], !cells[b], !label[a], label[b]]));
            }
        }
        bit += 1;
    }
}
