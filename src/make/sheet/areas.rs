//! Random areas.

use gordian_counting::Random;

use crate::rules::sheet::{Cell, Size, Spot};

/// Divides a board into connected areas of similar sizes. The areas are in the order of their first cells, and so are
/// the cells of each area.
pub(super) fn random(size: Size, count: usize, random: &mut Random) -> Vec<Vec<Cell>> {
    let cells: Vec<Cell> = size.cells().collect();
    let mut order: Vec<usize> = (0..cells.len()).collect();
    random.shuffle(&mut order);
    let mut area_of = vec![None; cells.len()];
    let mut sizes = vec![1; count.min(cells.len())];
    for (area, &cell) in order.iter().take(sizes.len()).enumerate() {
        area_of[cell] = Some(area);
    }
    for _ in sizes.len()..cells.len() {
        // The smallest of a few areas beside free cells grows.
        let free = |&&cell: &&usize| area_of[cell].is_none();
        let mut choices = Vec::new();
        for &cell in order.iter().filter(free) {
            let near: Vec<usize> =
                neighbours(size, cells[cell]).filter_map(|near| area_of[index(size, near)]).collect();
            if !near.is_empty() {
                choices.push((near[random.index(near.len())], cell));
            }
        }
        let mut choice = || choices[random.index(choices.len())];
        let (area, cell) = [choice(), choice(), choice()]
            .into_iter()
            .min_by_key(|&(area, _)| sizes[area])
            .expect("three choices");
        area_of[cell] = Some(area);
        sizes[area] += 1;
    }
    let area_of: Vec<usize> = area_of.into_iter().flatten().collect();
    in_order(size, &area_of)
}

/// Moves a cell into an area beside it, unless this would split or remove the cell's own area.
pub(super) fn moved(
    size: Size,
    areas: &[Vec<Cell>],
    cell: Cell,
    random: &mut Random,
) -> Option<Vec<Vec<Cell>>> {
    let mut area_of = vec![usize::MAX; size.cells().count()];
    for (number, area) in areas.iter().enumerate() {
        for &cell in area {
            area_of[index(size, cell)] = number;
        }
    }
    let own = area_of[index(size, cell)];
    let others: Vec<usize> = neighbours(size, cell)
        .map(|near| area_of[index(size, near)])
        .filter(|&area| area != own && area != usize::MAX)
        .collect();
    if others.is_empty() || own == usize::MAX {
        return None;
    }
    area_of[index(size, cell)] = others[random.index(others.len())];
    let rest: Vec<Cell> = areas[own].iter().copied().filter(|&other| other != cell).collect();
    let mut reached = vec![*rest.first()?];
    let mut next = 0;
    while let Some(&at) = reached.get(next) {
        next += 1;
        for near in neighbours(size, at) {
            if area_of[index(size, near)] == own && !reached.contains(&near) {
                reached.push(near);
            }
        }
    }
    (reached.len() == rest.len()).then(|| in_order(size, &area_of))
}

fn in_order(size: Size, area_of: &[usize]) -> Vec<Vec<Cell>> {
    let mut areas: Vec<(usize, Vec<Cell>)> = Vec::new();
    for (cell, &area) in size.cells().zip(area_of) {
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
