//! Islands: areas of cells without a variable that is true, which solutions show by their sizes.

use std::collections::HashMap;

use gordian_encodings::{FALSE, Lit};

use super::model::{Builder, Var};
use crate::puzzle::Part;
use crate::rules::Content;
use crate::rules::relation::Relation;
use crate::rules::sheet::{Cell, Ground, Required, Size, Spot, Value};

/// The word for a cell of an island.
pub(super) const ISLAND: &str = "island";

/// The value of a cell of an island whose size is not known.
pub(super) const LAND: &str = "+";

/// For variables that are true for sea, the islands that can contain the place: the size, if the board states it, and the
/// literal that the place belongs to this island.
pub(super) type Islands = HashMap<usize, Vec<(Option<i64>, Lit)>>;

/// The cells that are roots of islands, each with the size of the island, if the board states it.
pub(super) type Roots = HashMap<Cell, Option<i64>>;

/// Returns the roots of the islands.
pub(super) fn roots(ground: &Ground) -> Roots {
    let mut roots = Roots::new();
    for required in &ground.required {
        let Required::Relation(Relation::Components(components), _) = required else { continue };
        for &(root, size) in &components.roots {
            let variable = ground.false_in(components.vertices[root]);
            if let Some(Value::Place(Spot::Cell(cell))) = variable.map(|index| &ground.variables[index].place)
            {
                roots.insert(*cell, size);
            }
        }
    }
    roots
}

/// Returns the value of a cell of an island whose size is stated, or not.
pub(super) fn content(size: Option<i64>) -> Content {
    size.map_or(Content::Word(LAND), |size| Content::Number(size.into()))
}

/// Returns the areas of cells that share sides.
pub(super) fn areas(size: Size, is_land: impl Fn(Cell) -> bool) -> Vec<Vec<Cell>> {
    let columns = usize::from(size.columns);
    let mut seen = vec![false; usize::from(size.rows) * columns];
    let mut add = |cell: Cell| {
        let index = usize::from(cell.row) * columns + usize::from(cell.column);
        is_land(cell) && !std::mem::replace(&mut seen[index], true)
    };
    let mut areas = Vec::new();
    for start in size.cells() {
        if !add(start) {
            continue;
        }
        let mut area = vec![start];
        let mut next = 0;
        while let Some(&cell) = area.get(next) {
            next += 1;
            let near = size.neighbours(Spot::Cell(cell)).into_iter();
            area.extend(near.filter_map(|near| match near {
                Spot::Cell(near) => Some(near).filter(|&near| add(near)),
                _ => None,
            }));
        }
        areas.push(area);
    }
    areas
}

impl Builder<'_> {
    /// Returns the part of the solution for a cell: 0 for sea, otherwise the size of its island.
    pub(super) fn part_of_island(&self, field: String, index: usize, variable: usize) -> Part {
        let Var::Boolean(sea) = self.vars[variable] else {
            unreachable!("the variables of islands are Boolean")
        };
        let unknown = [(None, !sea)];
        let islands = self.islands.get(&variable).map_or(&unknown[..], |islands| &islands[..]);
        let islands = islands.iter().map(|&(size, island)| (content(size), island));
        let values = islands.chain([(Content::Number(0), sea)]).filter(|&(_, lit)| lit != FALSE);
        Part {
            field: field.into(),
            index,
            values: values.map(|(content, lit)| (content, vec![lit])).collect(),
        }
    }
}
