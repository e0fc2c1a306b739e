//! Draws what is around a board: clues, and the numbers of rows and columns.

use super::ADVANCE;
use super::board::CELL;
use super::canvas::{Anchor, Canvas};
use crate::render::around::Outside;
use crate::render::scene::{Cell, Scene};
use crate::rules::Grid;

/// The font size of the numbers of rows and columns.
const NUMBER_SIZE: f64 = 13.0;

/// The font size of clues outside of the board, and the height of their rows.
const OUTSIDE_SIZE: f64 = 19.0;
const OUTSIDE_STEP: f64 = 24.0;

/// Returns the width of a clue outside of the board, to the left or to the right.
fn outside_width(clues: &[Vec<String>]) -> f64 {
    (Outside::widest(clues) as f64 * ADVANCE * OUTSIDE_SIZE + 9.0).ceil()
}

/// Returns the sizes of the clues to the left of the board, above it, to the right and below.
fn outside_sizes(outside: &Outside) -> [f64; 4] {
    let wide = |clues: &[Vec<String>]| Outside::most(clues) as f64 * outside_width(clues);
    let high = |clues: &[Vec<String>]| Outside::most(clues) as f64 * OUTSIDE_STEP;
    [wide(&outside.left), high(&outside.top), wide(&outside.right), high(&outside.bottom)]
}

/// Returns the space that clues outside of the board and the numbers of rows and columns need: to the left and above, and
/// to the right and below.
pub(super) fn margins(scene: &Scene) -> ((f64, f64), (f64, f64)) {
    let numbers = match scene.size().filter(|_| scene.numbered) {
        Some((rows, _)) => {
            let digits = rows.to_string().len();
            ((digits as f64 * ADVANCE * NUMBER_SIZE + 7.0).ceil(), NUMBER_SIZE + 5.0)
        }
        None => (0.0, 0.0),
    };
    let [left, top, right, bottom] = outside_sizes(&scene.outside);
    ((numbers.0 + left, numbers.1 + top), (right, bottom))
}

/// Draws what is around the board: clues, and the numbers of the rows and columns, which are to the left and above.
pub(super) fn draw(canvas: &mut Canvas, scene: &Scene, cells: &Grid<Cell>) {
    let (width, height) = (cells.columns() as f64 * CELL, cells.rows() as f64 * CELL);
    let Outside { top, bottom, left, right } = &scene.outside;
    let middle = |line: usize| (line as f64 + 0.5) * CELL;
    let mut put = |at: (f64, f64), clue: &str| {
        let size = (CELL * 0.9 / (ADVANCE * clue.chars().count().max(1) as f64)).min(OUTSIDE_SIZE);
        canvas.centred(at, size, "outside", clue);
    };
    for (clues, start) in [(top, 0.0), (bottom, height)] {
        for (column, list) in clues.iter().enumerate() {
            let first = if start > 0.0 { start } else { -(list.len() as f64) * OUTSIDE_STEP };
            for (at, clue) in list.iter().enumerate() {
                put((middle(column), first + (at as f64 + 0.5) * OUTSIDE_STEP), clue);
            }
        }
    }
    for (clues, start) in [(left, 0.0), (right, width)] {
        let step = outside_width(clues);
        for (row, list) in clues.iter().enumerate() {
            let first = if start > 0.0 { start } else { -(list.len() as f64) * step };
            for (at, clue) in list.iter().enumerate() {
                put((first + (at as f64 + 0.5) * step, middle(row)), clue);
            }
        }
    }
    if !scene.numbered {
        return;
    }
    let [beside, over, ..] = outside_sizes(&scene.outside);
    for column in 0..cells.columns() {
        let place = (middle(column), -6.0 - over);
        canvas.text(place, NUMBER_SIZE, Anchor::Middle, "number", &(column + 1).to_string());
    }
    for row in 0..cells.rows() {
        let place = (-6.0 - beside, middle(row) + 0.365 * NUMBER_SIZE);
        canvas.text(place, NUMBER_SIZE, Anchor::End, "number", &(row + 1).to_string());
    }
}
