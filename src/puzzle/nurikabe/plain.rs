//! The plain formulation of Nurikabe, for explanations.
//!
//! Each cell has a literal that is true if the cell is sea. Each pair of a clue and a cell has a literal that is true
//! if the cell belongs to the island of the clue. A cell belongs to at most one island, and each cell with a clue
//! belongs to the island of that clue. The rules are:
//!
//! * *clue*: the island has the size given by its clue, and its cells are connected with the clue;
//! * *apart*: a neighbour of an island cell belongs to the same island or is sea;
//! * *reach*: a cell is sea or belongs to an island whose size exceeds the distance from the cell to the clue;
//! * *no 2x2 sea*: no 2x2 block consists entirely of sea cells;
//! * *one sea*: the sea is connected.
//!
//! The clues imply a lower bound on the number of island cells, which helps on boards with large islands.

use std::sync::Arc;

use gordian_encodings::constraint::{AtMostOne, Cardinality, Clause, Connected};
use gordian_encodings::{FALSE, Graph, Lit, TRUE, constant};

use super::{ISLAND, SEA};
use crate::puzzle::plain::{CLUE, Plain};
use crate::render::{Cell, Ground, Role, Scene};
use crate::rules::Grid;
use crate::rules::nurikabe::Clue;

/// An island, with the literal of each cell.
struct Island {
    clue: usize,
    size: Option<usize>,
    cells: Vec<Lit>,
}

/// Returns the plain formulation for explanations.
pub(super) fn formulate(clues: &Grid<Option<Clue>>) -> Plain {
    build(clues, false)
}

/// Returns a plain formulation with one rule for each clue. The rule states only the size of the island. Without this
/// rule, the clue is treated as `?`.
pub(super) fn formulate_for_clues(clues: &Grid<Option<Clue>>) -> Plain {
    build(clues, true)
}

fn build(clues: &Grid<Option<Clue>>, sizes_only: bool) -> Plain {
    let mut plain = Plain::new();
    let graph = Arc::new(Graph::new(clues.len(), clues.edges()));
    let sea: Vec<Lit> = (0..clues.len())
        .map(|cell| if clues[cell].is_some() { FALSE } else { plain.model.boolean() })
        .collect();
    let islands = islands(clues, sizes_only, &mut plain);
    for (cell, &is_sea) in sea.iter().enumerate() {
        let of: Vec<Lit> =
            islands.iter().map(|island| island.cells[cell]).filter(|&lit| lit != FALSE).collect();
        for &lit in &of {
            plain.define(Clause::new([!lit, !is_sea]));
        }
        plain.define(AtMostOne::new(of.clone()));
        if clues[cell].is_none() {
            let name = format!("{} is sea or within reach of a clue", clues.place(cell));
            let rule = plain.rule("reach", name, vec![cell]);
            plain.post(rule, Clause::new([&[is_sea], &of[..]].concat()));
        }
    }
    for island in &islands {
        let place = clues.place(island.clue);
        let connected = Connected::new(Arc::clone(&graph), island.cells.clone());
        if let Some(size) = island.size {
            let rule = plain.rule(CLUE, format!("clue {size} at {place}"), vec![island.clue]);
            let members: Vec<Lit> = island.cells.iter().copied().filter(|&lit| lit != FALSE).collect();
            plain.post(rule, Cardinality::exactly(members, size));
            if sizes_only {
                plain.define(connected);
            } else {
                plain.post(rule, connected.of_size(size, size));
            }
        } else if sizes_only {
            plain.define(connected);
        } else {
            let rule = plain.rule(CLUE, format!("clue ? at {place}"), vec![island.clue]);
            plain.post(rule, connected);
        }
        let rule = plain.rule("apart", format!("the island of {place} stands apart"), vec![island.clue]);
        for (cell, &lit) in island.cells.iter().enumerate().filter(|&(_, &lit)| lit != FALSE) {
            for near in clues.neighbours(cell) {
                plain.post(rule, Clause::new([!lit, sea[near], island.cells[near]]));
            }
        }
    }
    for block in clues.blocks() {
        let name = format!("no 2x2 sea at {}", clues.place(block[0]));
        let rule = plain.rule("no 2x2 sea", name, block.to_vec());
        plain.post(rule, Clause::new(block.map(|cell| !sea[cell])));
    }
    let rule = plain.rule("one sea", "one sea", Vec::new());
    plain.post(rule, Connected::new(graph, sea.clone()));
    let land: Option<usize> = islands.iter().map(|island| island.size).sum();
    if let Some(land) = land {
        let all: Vec<Lit> = sea.iter().map(|&lit| !lit).collect();
        plain.imply(plain.clues(), Cardinality::at_least(all, land));
    }
    plain.cell_facts(clues, &sea, [ISLAND, SEA]);
    let clues = clues.clone();
    plain.drawn_by(move |known| draw(&clues, &sea, known));
    plain
}

/// Creates the literals of the islands. If `sizes_only` is true, an island can reach every cell without a clue.
fn islands(clues: &Grid<Option<Clue>>, sizes_only: bool, plain: &mut Plain) -> Vec<Island> {
    let clue_cells = (0..clues.len()).filter_map(|cell| Some((cell, clues[cell]?)));
    let island = |(clue, content): (usize, Clue)| {
        let size = match content {
            Clue::Size(size) => Some(size.get() as usize),
            Clue::Unknown => None,
        };
        let from = clues.place(clue);
        let cells = (0..clues.len()).map(|cell| {
            let place = clues.place(cell);
            let steps = place.row.abs_diff(from.row) + place.column.abs_diff(from.column);
            match clues[cell] {
                _ if cell == clue => TRUE,
                None if sizes_only || size.is_none_or(|size| steps < size) => plain.model.boolean(),
                _ => FALSE,
            }
        });
        Island { clue, size, cells: cells.collect() }
    };
    clue_cells.map(island).collect()
}

fn draw(clues: &Grid<Option<Clue>>, sea: &[Lit], known: &dyn Fn(Lit) -> Option<bool>) -> Scene {
    Scene::board(clues.map_places(|place, clue| {
        let lit = sea[clues.index(place.row, place.column)];
        match (clue, constant(lit).or_else(|| known(lit))) {
            (Some(Clue::Size(size)), _) => Cell::label(size.to_string(), Role::Given).on(Ground::Land),
            (Some(Clue::Unknown), _) => Cell::label("?", Role::Given).on(Ground::Land),
            (None, Some(true)) => Cell::new("#", Role::Ground).on(Ground::Sea),
            (None, Some(false)) => Cell::label("+", Role::Plain).on(Ground::Land),
            (None, None) => Cell::new(".", Role::Ground),
        }
    }))
}
