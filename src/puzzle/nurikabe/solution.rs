//! Reads solutions of Nurikabe boards.

use super::LAND;
use crate::format::{InputError, Source};
use crate::rules::nurikabe::Clue;
use crate::rules::{Grid, Solution};
use crate::solution;

/// Represents a cell on an island whose size is not in the text.
const ANY: i128 = -1;

/// Reads the rows of a solution. Each cell has one token: 0 for sea, the size of the cell's island, or `.` or `?` for a
/// cell on an island of any size.
pub(super) fn read(source: &Source, rows: usize, columns: usize) -> Result<Solution, InputError> {
    let read = solution::grid_from_text(source, rows, columns, |_, token| match token {
        "." | "?" => Ok(ANY),
        // The type `u64` excludes negative numbers, which could be confused with `ANY`.
        token => token
            .parse::<u64>()
            .map(i128::from)
            .map_err(|_| "0 for sea, the size of the island, or `.` for an island".to_owned()),
    })?;
    let Ok(cells) = read.grid(rows, columns) else { return Ok(read) };
    let mut sizes = cells.cells().to_vec();
    let mut seen = vec![false; cells.len()];
    for start in 0..cells.len() {
        if cells[start] == 0 || seen[start] {
            continue;
        }
        let island = island(cells, start, &mut seen);
        for &cell in island.iter().filter(|&&cell| cells[cell] == ANY) {
            sizes[cell] = island.len() as i128;
        }
    }
    Ok(Solution::from_grid(Grid::new(rows, columns, sizes)))
}

/// Reads the rows of a partly filled board. A known cell has the token of a solution, or `+` for an island of any
/// size. In a partly filled board, `.` is an unknown cell, as on the board.
pub(super) fn read_partial(
    source: &Source,
    clues: &Grid<Option<Clue>>,
) -> Result<Grid<Option<i128>>, InputError> {
    solution::partial_grid_from_text(source, clues.rows(), clues.columns(), |cell, token| {
        match (clues[cell], token, token.parse::<u32>()) {
            (_, ".", _) => Ok(None),
            (_, LAND, _) => Ok(Some(1)),
            (Some(Clue::Size(size)), _, Ok(found)) if found == size.get() => Ok(Some(found.into())),
            (Some(Clue::Size(size)), ..) => Err(format!("`{size}`, the clue of the cell")),
            (Some(Clue::Unknown), _, Ok(0)) => {
                Err(format!("`{LAND}` or the size of the island, because the cell has a clue"))
            }
            (_, _, Ok(size)) => Ok(Some(size.into())),
            (_, _, Err(_)) => Err(format!("`0` for sea, `{LAND}` or the size for an island")),
        }
    })
}

/// Returns the cells of the island that contains `start`, and marks them as seen.
fn island(cells: &Grid<i128>, start: usize, seen: &mut [bool]) -> Vec<usize> {
    seen[start] = true;
    let mut island = vec![start];
    let mut next = 0;
    while next < island.len() {
        for cell in cells.neighbours(island[next]) {
            if cells[cell] != 0 && !std::mem::replace(&mut seen[cell], true) {
                island.push(cell);
            }
        }
        next += 1;
    }
    island
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sizes_of_islands_follow_from_the_sea() {
        let read = |text: &str| read(&Source::new("solution", text), 2, 4);
        let solution = read(". . 0 2\n? 0 0 .\n").unwrap();
        assert_eq!(solution.grid(2, 4).unwrap().cells(), [3, 3, 0, 2, 3, 0, 0, 2]);
        assert!(read(". . 0 x\n. 0 0 .\n").is_err() && read(". . 0 -1\n. 0 0 .\n").is_err());
    }
}
