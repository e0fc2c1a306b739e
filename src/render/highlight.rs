//! Highlights violated rules, differences between scenes, and the backbone, and draws heat maps.

use super::scene::{
    Cell, CellStatus, DiagramNode, Figure, Ground, Heat, Highlight, Line, Role, Scene, Sign, Text,
};
use crate::rules::Place;

impl Scene {
    /// Highlights the cells of a [`Violation`](crate::rules::Violation).
    #[must_use]
    pub fn wrong_at(mut self, places: &[Place]) -> Self {
        if let Figure::Board(cells) = &mut self.figure {
            *cells = cells.map_places(|place, cell| {
                let highlight = if places.contains(&place) { Highlight::Wrong } else { cell.highlight };
                Cell { highlight, ..cell.clone() }
            });
        }
        self
    }

    /// Highlights cells, given by their indices. If a cell is listed several times, its last highlight is drawn, and
    /// also [`Highlight::Rule`] if it is among them.
    #[must_use]
    pub fn highlighted(mut self, highlights: &[(usize, Highlight)]) -> Self {
        if let Figure::Board(cells) = &mut self.figure {
            for &(cell, highlight) in highlights {
                match (cells.cells_mut().get_mut(cell), highlight) {
                    (Some(cell), Highlight::Rule) => cell.is_of_rule = true,
                    (Some(cell), _) => cell.highlight = highlight,
                    (None, _) => {}
                }
            }
        }
        self
    }

    /// Highlights the common sides of pairs of adjacent cells. If a side is listed several times, its last highlight is
    /// drawn. For other pairs, the cells between them in a row or column are highlighted or, if there are none, the pair.
    #[must_use]
    pub fn with_highlighted_sides(mut self, highlights: &[([usize; 2], Highlight)]) -> Self {
        if let Figure::Board(cells) = &mut self.figure {
            let columns = cells.columns();
            for &([a, b], highlight) in highlights {
                let (first, last) = (a.min(b), a.max(b));
                if last >= cells.len() {
                    continue;
                }
                let distance = last - first;
                let is_across = first / columns == last / columns;
                let step = if is_across { 1 } else { columns };
                if distance == step {
                    cells.cells_mut()[first].side_highlights[usize::from(!is_across)] = highlight;
                    continue;
                }
                let is_line = is_across || distance.is_multiple_of(columns);
                let between = (first..=last).step_by(if is_line { step } else { distance });
                for cell in between.filter(|&cell| !is_line || (cell != first && cell != last)) {
                    cells.cells_mut()[cell].highlight = highlight;
                }
            }
        }
        self
    }

    /// Highlights the differences between two scenes of the same board.
    #[must_use]
    pub fn differing(mut self, mut other: Self) -> [Self; 2] {
        fn mark(first: &mut Highlight, second: &mut Highlight) {
            (*first, *second) = (Highlight::Differs, Highlight::Differs);
        }
        fn mark_texts<'a>(
            first: impl Iterator<Item = &'a mut Text>,
            second: impl Iterator<Item = &'a mut Text>,
        ) {
            for (a, b) in first.zip(second).filter(|(a, b)| a != b) {
                mark(&mut a.highlight, &mut b.highlight);
            }
        }
        match (&mut self.figure, &mut other.figure) {
            (Figure::Board(first), Figure::Board(second)) if first.len() == second.len() => {
                // The background is ignored, because on a rooks board it depends on the rooks on other squares.
                let is_sight = |cell: &Cell| cell.hue.is_none() && cell.ground == Ground::Seen;
                let lines = |cell: &Cell| if is_sight(cell) { 0 } else { cell.sides };
                let drawn = |cell: &Cell| (lines(cell), cell.doubled, cell.walls, cell.fence);
                let same = |a: &Cell, b: &Cell| a.token == b.token && drawn(a) == drawn(b);
                for (a, b) in first.cells_mut().iter_mut().zip(second.cells_mut()) {
                    if !same(a, b) {
                        mark(&mut a.highlight, &mut b.highlight);
                    }
                }
            }
            (Figure::Diagram(first), Figure::Diagram(second)) => {
                for (a, b) in first.nodes.iter_mut().zip(&mut second.nodes).filter(|(a, b)| a != b) {
                    mark(&mut a.highlight, &mut b.highlight);
                }
                let connections = first.connections.iter_mut().zip(&mut second.connections);
                for (a, b) in connections.filter(|(a, b)| a.taken != b.taken) {
                    mark(&mut a.highlight, &mut b.highlight);
                }
            }
            (Figure::Table(first), Figure::Table(second)) => {
                mark_texts(first.iter_mut().flatten(), second.iter_mut().flatten());
            }
            _ => {}
        }
        mark_texts(
            self.lines.iter_mut().map(Line::content_mut),
            other.lines.iter_mut().map(Line::content_mut),
        );
        [self, other]
    }

    /// Draws the backbone on a scene that shows only the board. The argument `solution` is the scene of one solution.
    /// The function `fact` returns the status of the cell with the given index. A cell with data of the board is not
    /// changed if the solution shows the same token there.
    #[must_use]
    pub fn backbone(mut self, solution: &Self, fact: impl Fn(usize) -> CellStatus) -> Self {
        if let (Figure::Board(board), Figure::Board(found)) = (&mut self.figure, &solution.figure)
            && board.len() == found.len()
        {
            for (index, cell) in board.cells_mut().iter_mut().enumerate() {
                let given = matches!(cell.role, Role::Given | Role::Block);
                if given && cell.token == found[index].token {
                    continue;
                }
                // The lines to neighbours are omitted, because a line would suggest that the content of the neighbour
                // is forced.
                let known = Cell { highlight: Highlight::Forced, ..found[index].clone() }.lines_to(0);
                *cell = match fact(index) {
                    CellStatus::Forced => known,
                    CellStatus::Partly(word) => Cell { token: word, sign: Sign::Nothing, ..known },
                    CellStatus::Open(symbol) => {
                        Cell { highlight: Highlight::Open, token: symbol.to_owned(), ..cell.clone() }
                    }
                };
            }
        }
        self
    }

    /// Draws a heat map on a scene that shows only the board. The function `heat` returns the heat of the cell or node
    /// with the given index. A cell with data of the board is not changed if it has the same value in all solutions.
    /// Returns `None` if the scene does not have the given number of cells or nodes.
    #[must_use]
    pub fn heated(mut self, cells: usize, heat: impl Fn(usize) -> Option<Heat>) -> Option<Self> {
        let is_given = |role: Role| matches!(role, Role::Given | Role::Block);
        match &mut self.figure {
            Figure::Board(board) if board.len() == cells => {
                for (index, cell) in board.cells_mut().iter_mut().enumerate() {
                    let Some(heat) = heat(index) else { continue };
                    if heat.is_constant && is_given(cell.role) {
                        continue;
                    }
                    let percent = ((heat.share + 5) / 10).to_string();
                    let corner = heat.label.as_ref().map(|_| percent.clone());
                    *cell = Cell {
                        corner,
                        heat: Some(heat.share),
                        ..Cell::label(heat.label.unwrap_or(percent), Role::Plain)
                    };
                }
            }
            Figure::Diagram(diagram) if diagram.nodes.len() == cells => {
                for (index, node) in diagram.nodes.iter_mut().enumerate() {
                    let Some(heat) = heat(index) else { continue };
                    if heat.is_constant && is_given(node.role) {
                        continue;
                    }
                    let label = heat.label.unwrap_or_else(|| node.label.clone());
                    *node = DiagramNode { heat: Some(heat.share), ..DiagramNode::new(label, Role::Plain) };
                }
            }
            _ => return None,
        }
        Some(self)
    }
}

#[cfg(test)]
mod tests;
