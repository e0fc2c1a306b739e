//! The renderer for terminals, which uses the box-drawing characters of Unicode.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};

use super::layout;
use super::scene::{
    Cell, DOWN, Diagram, DiagramEdge, DiagramNode, Figure, Ground, Highlight, LEFT, Line, RIGHT, Role,
    SIDE_TOKENS, Scene, Sign, Text, UP,
};
use super::text::paint;
use crate::rules::Grid;

mod frame;
mod ruled;

use frame::Frame;

/// The heavy box-drawing characters for paths, indexed by the sides to which they lead.
const HEAVY: [char; 16] = [' ', '╹', '╺', '┗', '╻', '┃', '┏', '┣', '╸', '┛', '━', '┻', '┓', '┫', '┳', '╋'];

impl Scene {
    /// Renders the scene with escape codes for colours, for a terminal with `width` columns. A board that is too wide
    /// for the terminal is drawn as narrowly as possible.
    #[must_use]
    pub fn boxes(&self, width: usize) -> String {
        let mut text = String::new();
        let answered = self.lines.iter().any(|line| matches!(line, Line::Solution(_)));
        let mut rows = &self.rows[..];
        let mut has_solution = false;
        match &self.figure {
            Figure::Board(cells) => {
                // Rows of tokens that describe the lines of paths are omitted, because the cells already show the
                // lines.
                rows = &[];
                board(&mut text, self, cells, width);
            }
            Figure::Diagram(diagram) if lattice(&mut text, diagram, width) => rows = &[],
            Figure::Table(cells) if answered => {
                has_solution = true;
                table(&mut text, cells);
            }
            Figure::None | Figure::Diagram(_) | Figure::Table(_) => {}
        }
        let rest = Self { rows: rows.to_vec(), ..Self::default() };
        text.push_str(&rest.text(true));
        for line in &self.lines {
            match line {
                Line::Solution(_) if has_solution => continue,
                Line::Data(_) if answered => continue,
                Line::Data(content) | Line::Solution(content) | Line::Remark(content) => {
                    content.paint(&mut text, true);
                }
            }
            text.push('\n');
        }
        text
    }
}

impl Scene {
    /// Returns the minimum width, in columns, that [`Scene::boxes`] needs for the board, or `None` if the scene has
    /// no board. Lines of text are wrapped if they are too long.
    #[must_use]
    pub fn narrowest(&self) -> Option<usize> {
        match &self.figure {
            Figure::Board(cells) => {
                let frame = Frame::new(&self.outside, cells);
                Some(cells.columns() * widest(cells).max(frame.column()) + FRAME + frame.width())
            }
            Figure::None | Figure::Diagram(_) | Figure::Table(_) => None,
        }
    }
}

/// Returns the character that fills the free space of a cell.
fn filling(cell: &Cell) -> char {
    match cell.ground {
        Ground::Sea => '░',
        Ground::Block => '█',
        Ground::Open | Ground::Land | Ground::Seen => ' ',
    }
}

/// Returns the symbol of a cell as text.
fn glyph(cell: &Cell) -> String {
    match &cell.sign {
        Sign::Label(label) | Sign::End(label) | Sign::Island(label) => label.clone(),
        Sign::Rook => "♜".to_owned(),
        Sign::Circle { filled } => if *filled { "●" } else { "○" }.to_owned(),
        Sign::Diagonal { falls } => if *falls { "╲" } else { "╱" }.to_owned(),
        Sign::Sums(down, across) => format!("{down}\\{across}"),
        Sign::Star => "★".to_owned(),
        Sign::Dot => "·".to_owned(),
        Sign::Nothing if cell.highlight == Highlight::Open => "?".to_owned(),
        Sign::Nothing if cell.sides != 0 && cell.hue.is_some() => {
            HEAVY[usize::from(cell.sides & 15)].to_string()
        }
        Sign::Nothing if cell.doubled == LEFT | RIGHT => "═".to_owned(),
        Sign::Nothing if cell.doubled == UP | DOWN => "║".to_owned(),
        Sign::Nothing if cell.sides != 0 => SIDE_TOKENS[usize::from(cell.sides & 15)].to_owned(),
        Sign::Nothing if cell.ground == Ground::Open => "·".to_owned(),
        Sign::Nothing => filling(cell).to_string(),
    }
}

/// Returns the terminal colour for the index `hue`.
fn colour(hue: usize) -> AnsiColor {
    const COLOURS: [AnsiColor; 12] = [
        AnsiColor::Cyan,
        AnsiColor::Red,
        AnsiColor::Green,
        AnsiColor::Magenta,
        AnsiColor::Yellow,
        AnsiColor::Blue,
        AnsiColor::BrightRed,
        AnsiColor::BrightCyan,
        AnsiColor::BrightMagenta,
        AnsiColor::BrightGreen,
        AnsiColor::BrightBlue,
        AnsiColor::BrightYellow,
    ];
    COLOURS[hue % COLOURS.len()]
}

/// Returns the style of a cell's background and lines, and the style of its symbol.
fn styles(cell: &Cell) -> (Style, Style) {
    let line = match (cell.hue, cell.ground) {
        (Some(hue), _) => Style::new().fg_color(Some(colour(hue).into())),
        (None, Ground::Sea) => Style::new().fg_color(Some(AnsiColor::Blue.into())),
        (None, Ground::Block) => Style::new(),
        (None, _) => Style::new().dimmed(),
    };
    let sign = match (&cell.sign, cell.ground) {
        (Sign::Nothing, _) => line,
        (Sign::Label(_) | Sign::Sums(..), Ground::Block) => Style::new().bold().invert(),
        (Sign::End(_), _) => line.bold().invert(),
        _ => cell.role.style(),
    };
    (cell.highlight.on(line), cell.highlight.on(sign))
}

/// The width of the frame around a board, in columns.
const FRAME: usize = 2;

/// Returns the number of characters in the longest symbol.
fn widest(cells: &Grid<Cell>) -> usize {
    cells.cells().iter().map(|cell| glyph(cell).chars().count()).max().unwrap_or(1).max(1)
}

fn board(text: &mut String, scene: &Scene, cells: &Grid<Cell>, width: usize) {
    let around = Frame::new(&scene.outside, cells);
    let width = width.saturating_sub(around.width());
    let label = widest(cells).max(around.column());
    let corner =
        cells.cells().iter().filter_map(|cell| cell.corner.as_ref()).map(|corner| corner.chars().count());
    // The number in the corner of a cell is drawn within the line above the cell, after the corner of the box.
    let inner = corner.max().map(|corner| (label + 2).max(corner + 1).max(3));
    let has_sides = |cell: &Cell| cell.walls | cell.fence | cell.open_fence != 0;
    let is_ruled = scene.frameless || !scene.points.is_empty() || cells.cells().iter().any(has_sides);
    let narrow = is_ruled.then_some([label + 2, label + 1]).into_iter().flatten();
    let fits = |inner: &usize| cells.columns() * (inner + 1) < width;
    if let Some(inner) = inner.into_iter().chain(narrow).find(fits) {
        ruled::draw(text, scene, cells, inner);
        return;
    }
    // Cells are separated by one character if the board fits the width with these separators. If the board is too wide
    // even without separators, they are used only if a symbol has several characters.
    let filled = cells.cells().iter().any(|cell| filling(cell) != ' ');
    let end = |lead: usize| if lead == 1 && !filled { " " } else { "" };
    let fits = |lead: usize| cells.columns() * (label + lead) + end(lead).len() + FRAME <= width;
    let lead = usize::from(fits(1) || (label > 1 && !fits(0)));
    let end = end(lead);
    let frame = Style::new().dimmed();
    let line = "─".repeat(cells.columns() * (label + lead) + end.len());
    around.above(text, label + lead, 0);
    text.push_str(around.indent());
    paint(text, frame, &format!("┌{line}┐"));
    text.push('\n');
    for (number, row) in cells.by_row().enumerate() {
        text.push_str(around.before(number));
        paint(text, frame, "│");
        for cell in row {
            inside(text, cell, lead + label);
        }
        text.push_str(end);
        paint(text, frame, "│");
        text.push_str(around.after(number));
        text.push('\n');
    }
    text.push_str(around.indent());
    paint(text, frame, &format!("└{line}┘"));
    text.push('\n');
    around.below(text, label + lead, 0);
}

/// Draws a cell of `width` characters, with the symbol at its right edge.
fn inside(text: &mut String, cell: &Cell, width: usize) {
    let (line, sign) = styles(cell);
    let glyph = glyph(cell);
    let filling = match (cell.sides & LEFT != 0, cell.hue) {
        (true, Some(_)) => '━',
        (true, None) => '─',
        (false, _) => filling(cell),
    };
    let before = width.saturating_sub(glyph.chars().count());
    paint(text, line, &filling.to_string().repeat(before));
    paint(text, sign, &glyph);
}

/// Draws a diagram if it is a grid graph and not too wide. Returns whether the diagram was drawn.
fn lattice(text: &mut String, diagram: &Diagram, width: usize) -> bool {
    let edges: Vec<[usize; 2]> = diagram.connections.iter().map(|connection| connection.between).collect();
    let columns = match diagram.places {
        None => layout::grid_columns(diagram.nodes.len(), &edges),
        Some(_) => None,
    };
    let Some(columns) = columns else { return false };
    let label = diagram.nodes.iter().map(|node| node.label.chars().count()).max().unwrap_or(1);
    let costs = diagram.connections.iter().filter_map(|connection| connection.label.as_ref());
    let gap = costs.map(|cost| cost.chars().count() + 2).max().unwrap_or(2);
    if columns * (label + gap) > width + gap {
        return false;
    }
    // The connections of each node with the node to its right and with the node below it.
    let mut onward: Vec<[Option<&DiagramEdge>; 2]> = vec![[None; 2]; diagram.nodes.len()];
    for connection in &diagram.connections {
        let [a, b] = connection.between;
        onward[a.min(b)][usize::from(a.abs_diff(b) == columns)] = Some(connection);
    }
    for (row, nodes) in diagram.nodes.chunks(columns).enumerate() {
        let onward = |column: usize, way: usize| onward[row * columns + column][way];
        for (column, node) in nodes.iter().enumerate() {
            paint(text, node_style(node), &format!("{:>label$}", node.label));
            match onward(column, 0) {
                None if column + 1 < columns => text.push_str(&" ".repeat(gap)),
                None => {}
                Some(connection) => {
                    let (style, line) = connection_look(connection, "─", "━");
                    let cost = connection.label.as_deref().unwrap_or_default();
                    let dashes = gap - cost.chars().count();
                    paint(text, style, &line.repeat(dashes / 2));
                    text.push_str(cost);
                    paint(text, style, &line.repeat(dashes - dashes / 2));
                }
            }
        }
        text.push('\n');
        if (0..nodes.len()).all(|column| onward(column, 1).is_none()) {
            continue;
        }
        for column in 0..nodes.len() {
            text.push_str(&" ".repeat(label - 1));
            let mut cost = "";
            match onward(column, 1) {
                None => text.push(' '),
                Some(connection) => {
                    let (style, line) = connection_look(connection, "│", "┃");
                    paint(text, style, line);
                    cost = connection.label.as_deref().unwrap_or_default();
                }
            }
            if column + 1 < columns || !cost.is_empty() {
                let _ = write!(text, "{cost:gap$}");
            }
        }
        text.push('\n');
    }
    true
}

fn node_style(node: &DiagramNode) -> Style {
    node.highlight.on(if node.role == Role::Plain { Style::new().dimmed() } else { node.role.style() })
}

fn connection_look<'a>(connection: &DiagramEdge, thin: &'a str, heavy: &'a str) -> (Style, &'a str) {
    if connection.taken {
        let colour =
            if connection.highlight == Highlight::Differs { AnsiColor::Yellow } else { AnsiColor::Green };
        (Style::new().fg_color(Some(colour.into())), heavy)
    } else {
        (Style::new().dimmed(), thin)
    }
}

/// Draws the rows of a table. The first column is aligned to the left, all others to the right.
fn table(text: &mut String, rows: &[Vec<Text>]) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width =
        |column: usize| rows.iter().filter_map(|row| row.get(column)).map(Text::width).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        for (column, cell) in row.iter().enumerate() {
            let blanks = " ".repeat(widths[column] - cell.width());
            if column == 0 {
                cell.paint(text, true);
                if row.len() > 1 {
                    text.push_str(&blanks);
                }
            } else {
                text.push_str("  ");
                text.push_str(&blanks);
                cell.paint(text, true);
            }
        }
        text.push('\n');
    }
}

#[cfg(test)]
mod tests;
