//! Boards with lines between all cells, which show areas, lines along sides, and marks between cells.

use std::collections::HashMap;

use anstyle::{AnsiColor, Style};

use super::frame::Frame;
use super::{filling, glyph, styles};
use crate::render::around::Point;
use crate::render::scene::{Cell, DOWN, LEFT, RIGHT, Scene, UP};
use crate::render::text::paint;
use crate::rules::Grid;

/// The box-drawing characters, indexed by the weights of the lines up, to the right, down and to the left: 0 for none, 1
/// for a light and 2 for a heavy line.
const JUNCTIONS: &str = " ╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋";

fn junction(weights: [usize; 4]) -> char {
    JUNCTIONS.chars().nth(weights.into_iter().fold(0, |index, weight| 3 * index + weight)).unwrap_or(' ')
}

/// What is drawn on a side of a cell.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent properties of one edge")]
struct Edge {
    exists: bool,
    wall: bool,
    fence: bool,
    open: bool,
    /// A line through the cells on both sides crosses the edge.
    crossed: bool,
}

struct Ruled<'a> {
    cells: &'a Grid<Cell>,
    frameless: bool,
    points: HashMap<(usize, usize), &'a Point>,
    inner: usize,
}

/// Draws a board with lines between all cells, each `inner` characters wide. The numbers in the corners of cells are drawn
/// within the lines above the cells.
pub(super) fn draw(text: &mut String, scene: &Scene, cells: &Grid<Cell>, inner: usize) {
    let frame = Frame::new(&scene.outside, cells);
    let points = scene.points.iter().map(|point| ((point.row, point.column), point)).collect();
    let ruled = Ruled { cells, frameless: scene.frameless, points, inner };
    frame.above(text, inner + 1, 1);
    for line in 0..=cells.rows() {
        text.push_str(frame.indent());
        ruled.line(text, line);
        text.push('\n');
        if line < cells.rows() {
            text.push_str(frame.before(line));
            ruled.row(text, line);
            text.push_str(frame.after(line));
            text.push('\n');
        }
    }
    frame.below(text, inner + 1, 1);
}

impl Ruled<'_> {
    /// Returns the edge between two cells, each with the side on which the edge is.
    fn edge(&self, beside: [Option<(usize, usize, u8)>; 2]) -> Edge {
        let mut edge = Edge::default();
        let mut lines = 0;
        for (row, column, side) in beside.into_iter().flatten() {
            let Cell { walls, fence, open_fence, sides, .. } = &self.cells[self.cells.index(row, column)];
            edge.exists = true;
            edge.wall |= walls & side != 0;
            edge.fence |= fence & side != 0;
            edge.open |= open_fence & side != 0;
            lines += usize::from(sides & side != 0);
        }
        edge.crossed = lines == 2;
        edge
    }

    /// Returns the edge to the right of a corner.
    fn across(&self, line: usize, column: usize) -> Edge {
        let inside = column < self.cells.columns();
        let above = line.checked_sub(1).filter(|_| inside).map(|row| (row, column, DOWN));
        let below = (inside && line < self.cells.rows()).then_some((line, column, UP));
        self.edge([above, below])
    }

    /// Returns the edge below a corner.
    fn down(&self, line: usize, column: usize) -> Edge {
        let inside = line < self.cells.rows();
        let left = column.checked_sub(1).filter(|_| inside).map(|column| (line, column, RIGHT));
        let right = (inside && column < self.cells.columns()).then_some((line, column, LEFT));
        self.edge([left, right])
    }

    fn weight(&self, edge: Edge) -> usize {
        if edge.wall || edge.fence { 2 } else { usize::from(edge.exists && !self.frameless) }
    }

    fn style(edges: &[Edge]) -> Style {
        if edges.iter().any(|edge| edge.fence) {
            Style::new().fg_color(Some(AnsiColor::Green.into()))
        } else if edges.iter().any(|edge| edge.wall) {
            Style::new()
        } else {
            Style::new().dimmed()
        }
    }

    /// Draws the line above a row of cells, or below the last one.
    fn line(&self, text: &mut String, line: usize) {
        for column in 0..=self.cells.columns() {
            let none = Edge::default();
            let edges = [
                line.checked_sub(1).map_or(none, |line| self.down(line, column)),
                self.across(line, column),
                self.down(line, column),
                column.checked_sub(1).map_or(none, |column| self.across(line, column)),
            ];
            let weights = edges.map(|edge| self.weight(edge));
            let label = self.points.get(&(2 * line, 2 * column)).map(|point| mark(point));
            match &label {
                Some(label) => text.push_str(label),
                None if self.frameless && weights == [0; 4] => paint(text, Self::style(&[]), "·"),
                None => paint(text, Self::style(&edges), &junction(weights).to_string()),
            }
            if column < self.cells.columns() {
                let used = label.map_or(0, |label| label.chars().count() - 1);
                self.segment(text, line, column, used);
            }
        }
    }

    /// Draws the edge to the right of a corner, whose mark has used the first characters.
    fn segment(&self, text: &mut String, line: usize, column: usize, used: usize) {
        let edge = self.across(line, column);
        let inner = self.inner.saturating_sub(used);
        let number =
            (line < self.cells.rows()).then(|| self.cells[self.cells.index(line, column)].corner.as_deref());
        let number = number.flatten().unwrap_or_default();
        if !number.is_empty() {
            text.push_str(number);
        }
        let weight = self.weight(edge);
        let rest = inner.saturating_sub(number.chars().count());
        let mut drawn: Vec<char> = vec![junction([0, weight, 0, weight]); rest];
        let middle = rest / 2;
        if let Some(at) = drawn.get_mut(middle) {
            if let Some(point) = self.points.get(&(2 * line, 2 * column + 1)) {
                *at = mark(point).chars().next().unwrap_or('○');
            } else if edge.crossed {
                *at = junction([1, weight, 1, weight]);
            } else if edge.open && !edge.fence {
                *at = '×';
            }
        }
        paint(text, Self::style(&[edge]), &drawn.into_iter().collect::<String>());
    }

    /// Draws a row of cells.
    fn row(&self, text: &mut String, row: usize) {
        for column in 0..=self.cells.columns() {
            let edge = self.down(row, column);
            let weight = self.weight(edge);
            let drawn = if let Some(point) = self.points.get(&(2 * row + 1, 2 * column)) {
                mark(point)
            } else if edge.crossed {
                junction([weight, 1, weight, 1]).to_string()
            } else if edge.open && !edge.fence {
                "×".to_owned()
            } else {
                junction([weight, 0, weight, 0]).to_string()
            };
            paint(text, Self::style(&[edge]), &drawn);
            if column < self.cells.columns() {
                let cell = &self.cells[self.cells.index(row, column)];
                self.cell(
                    text,
                    cell,
                    self.points.get(&(2 * row + 1, 2 * column + 1)).map(|point| mark(point)),
                );
            }
        }
    }

    /// Draws a cell with its symbol, or with a mark in its middle.
    fn cell(&self, text: &mut String, cell: &Cell, mark: Option<String>) {
        let (line, sign) = styles(cell);
        let glyph = mark
            .unwrap_or_else(|| if self.frameless && is_blank(cell) { " ".to_owned() } else { glyph(cell) });
        let pad = |side: u8| match (cell.sides & side != 0, cell.doubled & side != 0) {
            (true, true) => '═',
            (true, false) => '─',
            (false, _) => filling(cell),
        };
        let before = (self.inner - 1).saturating_sub(glyph.chars().count());
        let after = self.inner.saturating_sub(before + glyph.chars().count());
        paint(text, line, &pad(LEFT).to_string().repeat(before));
        paint(text, sign, &glyph);
        paint(text, line, &pad(RIGHT).to_string().repeat(after));
    }
}

fn is_blank(cell: &Cell) -> bool {
    glyph(cell) == "·"
}

/// Returns the text of a mark.
fn mark(point: &Point) -> String {
    if point.label.is_empty() { "○".to_owned() } else { point.label.clone() }
}
