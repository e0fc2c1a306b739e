//! The pseudo-Boolean formula of Nurikabe.
//!
//! | variable | meaning |
//! | --- | --- |
//! | `sea_R_C` | the cell in row R and column C is sea, both counted from 1 |
//! | `island_K_R_C` | the cell belongs to island K; only for cells that the island can reach |
//! | `label_B_R_C` | bit B of the label of a cell of an island of unknown size |
//!
//! The islands of known size are numbered from 1 in the order of their clues. All islands of unknown size share the
//! next number. An island of n cells can reach the cells within n - 1 steps of its clue. The steps must avoid all other
//! clues and the cells adjacent to them.

use std::collections::HashSet;

use super::{Clue, Nurikabe, regions};
use crate::opb::{Literal, NoFormula, Opb, RulesFormula, Sum, Vertex, cell_name};
use crate::{Solution, Violation};

/// Returns the vertex of a cell. The name of the vertex is the number of the cell, counted from 1.
fn vertex(cell: usize, member: Option<Literal>) -> Vertex {
    Vertex { name: (cell + 1).to_string(), member }
}

/// An island of known size, or all islands of unknown size together.
struct Island {
    clues: Vec<usize>,
    size: Option<usize>,
    /// The variables of the cells that the island can reach.
    cells: Vec<Option<Literal>>,
}

impl Island {
    /// Returns the cells that the island can reach, each with its variable.
    fn members(&self) -> impl Iterator<Item = (usize, Literal)> {
        self.cells.iter().enumerate().filter_map(|(cell, &literal)| Some((cell, literal?)))
    }
}

impl Nurikabe {
    /// Returns, for each cell, whether the island can reach it from its clue within the given number of steps.
    fn reach(&self, clue: usize, most: usize) -> Vec<bool> {
        let other = |near: usize| near != clue && self.clues[near].is_some();
        let open = |cell: usize| !other(cell) && !self.clues.neighbours(cell).any(other);
        let mut reached: Vec<bool> = (0..self.clues.len()).map(|cell| cell == clue).collect();
        let mut last = vec![clue];
        for _ in 0..most.min(self.clues.len()) {
            let mut next: Vec<usize> = last
                .iter()
                .flat_map(|&cell| self.clues.neighbours(cell))
                .filter(|&cell| open(cell))
                .collect();
            next.retain(|&cell| !std::mem::replace(&mut reached[cell], true));
            last = next;
        }
        reached
    }

    fn islands(&self, opb: &mut Opb) -> Vec<Island> {
        let mut islands = Vec::new();
        let mut unknown = (vec![false; self.clues.len()], Vec::new(), None);
        for cell in 0..self.clues.len() {
            match self.clues[cell] {
                Some(Clue::Size(size)) => {
                    let size = size.get() as usize;
                    islands.push((self.reach(cell, size - 1), vec![cell], Some(size)));
                }
                Some(Clue::Unknown) => {
                    let reached = self.reach(cell, self.clues.len());
                    unknown.0.iter_mut().zip(reached).for_each(|(any, one)| *any |= one);
                    unknown.1.push(cell);
                }
                None => {}
            }
        }
        islands.extend(Some(unknown).filter(|(_, clues, _)| !clues.is_empty()));
        let variable = |opb: &mut Opb, number: usize, cell: usize| {
            opb.variable(format_args!("island_{number}_{}", cell_name(self.clues.place(cell))))
        };
        let mut islands_of_literals = Vec::new();
        for (number, (reached, clues, size)) in (1..).zip(islands) {
            let cells = reached.iter().enumerate();
            let cells = cells.map(|(cell, &reached)| reached.then(|| variable(opb, number, cell))).collect();
            islands_of_literals.push(Island { clues, size, cells });
        }
        islands_of_literals
    }

    /// Adds the rows of all islands of unknown size.
    ///
    /// The graph of the cells that these islands can reach has an additional vertex, which is adjacent to all their
    /// clues. The rows state that the island cells and the additional vertex are connected, so each of these islands
    /// has a clue. No island of unknown size has two clues, because the labels of these clues are all different, and
    /// adjacent island cells have the same label.
    fn unknown(&self, opb: &mut Opb, number: usize, island: &Island) {
        let hub = self.clues.len();
        opb.comment("each island of unknown size is connected with a clue");
        let members: Vec<usize> = island.members().map(|(cell, _)| cell).chain([hub]).collect();
        let vertices = island.members().map(|(cell, literal)| vertex(cell, Some(literal)));
        let vertices: Vec<Vertex> = vertices.chain([vertex(hub, None)]).collect();
        let at = |cell: usize| members.binary_search(&cell).ok();
        let edges = self.clues.edges().chain(island.clues.iter().map(|&clue| (clue, hub)));
        let edges = edges.filter_map(|(a, b)| at(a).zip(at(b)));
        opb.connected(number, &vertices, edges, at(island.clues[0]), (0, members.len()));
        let bits = usize::BITS - (island.clues.len() - 1).leading_zeros();
        for bit in 0..bits {
            opb.comment(format_args!("bit {bit} of the labels of islands of unknown size"));
            let labels: Vec<Literal> = (0..hub)
                .map(|cell| opb.variable(format_args!("label_{bit}_{}", cell_name(self.clues.place(cell)))))
                .collect();
            for (index, &clue) in island.clues.iter().enumerate() {
                opb.clause([if index >> bit & 1 == 1 { labels[clue] } else { !labels[clue] }]);
            }
            for (cell, here) in island.members() {
                opb.clause([here, !labels[cell]]);
                for near in self.clues.neighbours(cell) {
                    if let Some(there) = island.cells[near] {
                        opb.clause([!here, !there, !labels[cell], labels[near]]);
                    }
                }
            }
        }
    }
}

impl RulesFormula for Nurikabe {
    fn formula(&self) -> Result<Opb, NoFormula> {
        let mut opb = Opb::new();
        let clues = &self.clues;
        let sea = clues.map_places(|place, _| opb.variable(format_args!("sea_{}", cell_name(place))));
        let islands = self.islands(&mut opb);

        opb.comment("a clue lies on its island");
        for island in &islands {
            for &clue in &island.clues {
                opb.clause(island.cells[clue]);
            }
        }
        opb.comment("each cell is sea or belongs to one island");
        for cell in 0..clues.len() {
            let of: Vec<Literal> = islands.iter().filter_map(|island| island.cells[cell]).collect();
            opb.clause([sea[cell]].into_iter().chain(of.iter().copied()));
            for &island in &of {
                opb.clause([!sea[cell], !island]);
            }
            opb.at_most(of.into_iter().map(|island| (1, island)), 1);
        }
        opb.comment("no two islands share a side");
        for island in &islands {
            for (cell, here) in island.members() {
                for near in clues.neighbours(cell) {
                    opb.clause([!here, sea[near]].into_iter().chain(island.cells[near]));
                }
            }
        }
        opb.comment("no 2x2 block of sea");
        for block in clues.blocks() {
            opb.clause(block.map(|cell| !sea[cell]));
        }
        for (number, island) in (1..).zip(&islands) {
            let Some(size) = island.size else {
                self.unknown(&mut opb, number, island);
                continue;
            };
            opb.comment(format_args!("island {number} has {size} cells"));
            opb.exactly(island.members().map(|(_, literal)| literal), size as i128);
            opb.comment(format_args!("island {number} is connected"));
            let members: Vec<usize> = island.members().map(|(cell, _)| cell).collect();
            let vertices: Vec<Vertex> =
                island.members().map(|(cell, literal)| vertex(cell, Some(literal))).collect();
            let at = |cell: usize| members.binary_search(&cell).ok();
            let edges = clues.edges().filter_map(|(a, b)| at(a).zip(at(b)));
            opb.connected(number, &vertices, edges, at(island.clues[0]), (size, size));
        }
        if let Some(land) = islands.iter().map(|island| island.size).sum::<Option<usize>>() {
            opb.comment("the number of island cells, which follows from the sizes");
            opb.at_least(sea.cells().iter().map(|&sea| (1, !sea)), land as i128);
        }
        opb.comment("the sea is connected");
        let cells: Vec<usize> = (0..clues.len()).filter(|&cell| clues[cell].is_none()).collect();
        let vertices: Vec<Vertex> = cells.iter().map(|&cell| vertex(cell, Some(sea[cell]))).collect();
        let at = |cell: usize| cells.binary_search(&cell).ok();
        let edges = clues.edges().filter_map(|(a, b)| at(a).zip(at(b)));
        // A cell that no island can reach is always sea, so it can be the root of the flow.
        let root = cells.iter().position(|&cell| islands.iter().all(|island| island.cells[cell].is_none()));
        opb.connected(islands.len() + 1, &vertices, edges, root, (0, cells.len()));
        Ok(opb)
    }

    fn literals(&self, opb: &Opb, solution: &Solution) -> Result<Vec<Literal>, Violation> {
        let grid = solution.grid(self.clues.rows(), self.clues.columns())?;
        let sea = |cell: usize| opb.find(&format!("sea_{}", cell_name(grid.place(cell))));
        let literal = |cell: usize| sea(cell).map(|sea| if grid[cell] == 0 { sea } else { !sea });
        Ok((0..grid.len()).filter_map(literal).collect())
    }

    /// The possible values of a cell are sea and the sizes of the islands that can reach it. All islands of unknown
    /// size are treated as the same value.
    fn unseen(&self, opb: &Opb, solutions: &[Solution]) -> Result<Sum, Violation> {
        let mut names = Opb::new();
        let islands = self.islands(&mut names);
        let number_of = |cell: usize| islands.iter().position(|island| island.clues.contains(&cell));
        let mut seen = HashSet::new();
        for solution in solutions {
            let grid = solution.grid(self.clues.rows(), self.clues.columns())?;
            for region in regions(grid) {
                let size = region.iter().find_map(|&cell| number_of(cell)).map(|number| islands[number].size);
                seen.extend(region.iter().map(|&cell| (cell, size)));
            }
        }
        let sea = (0..self.clues.len())
            .filter(|&cell| !seen.contains(&(cell, None)))
            .filter_map(|cell| opb.find(&format!("sea_{}", cell_name(self.clues.place(cell)))));
        let unseen = |island: &Island| {
            let members = island.members().filter(|&(cell, _)| !seen.contains(&(cell, Some(island.size))));
            members.filter_map(|(_, literal)| opb.find(names.name(literal))).collect::<Vec<_>>()
        };
        Ok(sea.chain(islands.iter().flat_map(unseen)).collect())
    }
}
