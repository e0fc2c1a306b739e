//! Random areas.

use gordian_counting::Random;

use crate::rules::sheet::{Cell, Size, Spot};

/// Divides a board into connected areas of similar sizes. The areas are in the order of their first cells, and so are
/// the cells of each area.
pub(super) fn random(size: Size, count: usize, random: &mut Random) -> Vec<Vec<Cell>> {
    let cells: Vec<Cell> = size.cells().collect();
    let mut order: Vec<usize> = (0..cells.len()).collect();
    random.shuffle(&mut order);
    let mut areas_of = vec![None; cells.len()];
    let mut sizes = vec![1; count.min(cells.len())];
    for (area, &cell) in order.iter().take(sizes.len()).enumerate() {
        areas_of[cell] = Some(area);
    }
    for _ in sizes.len()..cells.len() {
        // The smallest of a few areas beside free cells grows.
        let free = |&&cell: &&usize| areas_of[cell].is_none();
        let mut choices = Vec::new();
        for &cell in order.iter().filter(free) {
            let near: Vec<usize> =
                neighbours(size, cells[cell]).filter_map(|near| areas_of[index(size, near)]).collect();
            if !near.is_empty() {
                choices.push((near[random.index(near.len())], cell));
            }
        }
        let mut choice = || choices[random.index(choices.len())];
        let (area, cell) = [choice(), choice(), choice()]
            .into_iter()
            .min_by_key(|&(area, _)| sizes[area])
            .expect("three choices");
        areas_of[cell] = Some(area);
        sizes[area] += 1;
    }
    in_order(size, &areas_of)
}

/// Moves a cell into an area beside it, unless this would split or remove the cell's own area.
pub(super) fn moved(
    size: Size,
    areas: &[Vec<Cell>],
    cell: Cell,
    random: &mut Random,
) -> Option<Vec<Vec<Cell>>> {
    let areas_of = areas_of(size, areas);
    let own = areas_of[index(size, cell)];
    let others: Vec<usize> = neighbours(size, cell)
        .filter_map(|near| areas_of[index(size, near)])
        .filter(|&area| Some(area) != own)
        .collect();
    if others.is_empty() {
        return None;
    }
    assigned(size, areas, areas_of, cell, Some(others[random.index(others.len())]))
}

/// Takes a cell out of its area, unless this would split or remove the area.
pub(super) fn with_hole(size: Size, areas: &[Vec<Cell>], cell: Cell) -> Option<Vec<Vec<Cell>>> {
    let areas_of = areas_of(size, areas);
    areas_of[index(size, cell)]?;
    assigned(size, areas, areas_of, cell, None)
}

/// Returns the area of each cell.
fn areas_of(size: Size, areas: &[Vec<Cell>]) -> Vec<Option<usize>> {
    let mut areas_of = vec![None; size.cells().count()];
    for (number, area) in areas.iter().enumerate() {
        for &cell in area {
            areas_of[index(size, cell)] = Some(number);
        }
    }
    areas_of
}

/// Assigns a cell to another area, unless this would split or remove its own.
fn assigned(
    size: Size,
    areas: &[Vec<Cell>],
    mut areas_of: Vec<Option<usize>>,
    cell: Cell,
    area: Option<usize>,
) -> Option<Vec<Vec<Cell>>> {
    let own = std::mem::replace(&mut areas_of[index(size, cell)], area);
    if let Some(own) = own {
        let rest: Vec<Cell> = areas[own].iter().copied().filter(|&other| other != cell).collect();
        let mut reached = vec![*rest.first()?];
        let mut next = 0;
        while let Some(&at) = reached.get(next) {
            next += 1;
            for near in neighbours(size, at) {
                if areas_of[index(size, near)] == Some(own) && !reached.contains(&near) {
                    reached.push(near);
                }
            }
        }
        if reached.len() < rest.len() {
            return None;
        }
    }
    Some(in_order(size, &areas_of))
}

fn in_order(size: Size, areas_of: &[Option<usize>]) -> Vec<Vec<Cell>> {
    let mut areas: Vec<(usize, Vec<Cell>)> = Vec::new();
    for (cell, &area) in size.cells().zip(areas_of) {
        let Some(area) = area else { continue };
        match areas.iter_mut().find(|(number, _)| *number == area) {
            Some((_, cells)) => cells.push(cell),
            None => areas.push((area, vec![cell])),
        }
    }
    areas.into_iter().map(|(_, cells)| cells).collect()
}

fn neighbours(size: Size, cell: Cell) -> impl Iterator<Item = Cell> {
    let near = size.neighbours(Spot::Cell(cell)).into_iter();
    near.filter_map(|near| if let Spot::Cell(cell) = near { Some(cell) } else { None })
}

fn index(size: Size, Cell { row, column }: Cell) -> usize {
    usize::from(row) * usize::from(size.columns) + usize::from(column)
}
