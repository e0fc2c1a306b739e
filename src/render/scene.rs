//! Scenes: descriptions of drawings, independent of the renderer.
//!
//! This file has over 400 lines because it contains the scene and all of its elements.

use super::around::{Outside, Point};
use crate::rules::{Grid, Place, Solution};

/// The role of an element of a drawing, which determines its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// An element without a role.
    Plain,
    /// An element that is part of the board's data.
    Given,
    /// Background, such as sea and empty squares.
    Ground,
    /// A block, that is, a cell without a value.
    Block,
    /// An element that is part of the solution.
    Mark,
}

/// The background of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// A blank cell.
    Open,
    /// A cell of an island.
    Land,
    /// Sea.
    Sea,
    /// A block.
    Block,
    /// A square that a rook attacks.
    Seen,
}

/// The symbol in a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sign {
    /// No symbol.
    Nothing,
    /// A number or a word.
    Label(String),
    /// A number at the end of a path.
    End(String),
    /// A rook.
    Rook,
    /// A circle, which lines can cross.
    Circle {
        /// True for a black circle.
        filled: bool,
    },
    /// A number in a circle, at which lines end.
    Island(String),
    /// A diagonal from the top left to the bottom right, or from the top right to the bottom left.
    Diagonal {
        /// True if it falls from the top left.
        falls: bool,
    },
    /// Two numbers that are separated by a diagonal: one for the cells below, one for the cells to the right.
    Sums(String, String),
    /// A star.
    Star,
    /// A small dot: a cell without a mark.
    Dot,
}

/// The highlight of an element of a drawing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Highlight {
    /// No highlight.
    #[default]
    None,
    /// The element differs between the two scenes that are compared.
    Differs,
    /// The element violates a rule.
    Wrong,
    /// The element is the same in every solution of the board.
    Forced,
    /// The element is not the same in every solution of the board.
    Open,
    /// The element is derived in a step of an explanation.
    Conclusion,
    /// The element is known before the step of the explanation that uses it.
    Premise,
    /// The element belongs to a rule that a step of an explanation uses.
    Rule,
}

/// The status of a cell in the backbone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CellStatus {
    /// The content of the cell is the same in all solutions.
    Forced,
    /// The type of the content is the same in all solutions, but its value differs. Plain text shows the given word
    /// in the cell.
    Partly(String),
    /// The content of the cell is not the same in all solutions. Plain text shows the given symbol in the cell.
    Open(&'static str),
}

/// The share of the solutions in which a cell or node has a certain value. A heat map shows the share as the colour of
/// the cell or node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heat {
    /// The value, or `None` if the heat map shows the share of the same value in all cells.
    pub label: Option<String>,
    /// The share of the solutions with this value, in thousandths.
    pub share: u16,
    /// True if the cell has the same value in all solutions.
    pub is_constant: bool,
}

/// The bit for a path that leaves a cell upwards. In the solution field `lines` of numberlink, each cell contains the
/// sum of these bits over the sides through which a path leaves it.
pub const UP: u8 = 1;
/// The bit for a path that leaves a cell to the right.
pub const RIGHT: u8 = 2;
/// The bit for a path that leaves a cell downwards.
pub const DOWN: u8 = 4;
/// The bit for a path that leaves a cell to the left.
pub const LEFT: u8 = 8;

/// The tokens for cells with paths. The index is the sum of [`UP`], [`RIGHT`], [`DOWN`] and [`LEFT`] over the sides
/// through which a path leaves the cell.
pub const SIDE_TOKENS: [&str; 16] =
    [".", "╵", "╶", "└", "╷", "│", "┌", "├", "╴", "┘", "─", "┴", "┐", "┤", "┬", "┼"];

/// A cell of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    pub(super) token: String,
    pub(super) role: Role,
    pub(super) ground: Ground,
    pub(super) sign: Sign,
    pub(super) corner: Option<String>,
    pub(super) sides: u8,
    /// The sides to which two lines lead.
    pub(super) doubled: u8,
    /// The sides that separate areas.
    pub(super) walls: u8,
    /// The sides at the border of a cage.
    pub(super) cage: u8,
    /// The sides along which a line runs.
    pub(super) fence: u8,
    /// The sides that are marked with a cross because no line runs along them.
    pub(super) open_fence: u8,
    /// The sides that are marked with a cross because no path crosses them: a sum of [`RIGHT`] and [`DOWN`].
    pub(super) closed: u8,
    /// The highlights of the right side and the lower side.
    pub(super) side_highlights: [Highlight; 2],
    pub(super) hue: Option<usize>,
    pub(super) highlight: Highlight,
    /// True if the cell belongs to a rule that a step of an explanation uses.
    pub(super) is_of_rule: bool,
    /// The heat of the cell in a heat map, in thousandths.
    pub(super) heat: Option<u16>,
}

impl Cell {
    /// Creates a cell that is empty in pictures and written as `token` in plain text. The token must not contain
    /// blanks.
    #[must_use]
    pub fn new(token: impl Into<String>, role: Role) -> Self {
        Self {
            token: token.into(),
            role,
            ground: Ground::Open,
            sign: Sign::Nothing,
            corner: None,
            sides: 0,
            doubled: 0,
            walls: 0,
            cage: 0,
            fence: 0,
            open_fence: 0,
            closed: 0,
            side_highlights: [Highlight::None; 2],
            hue: None,
            highlight: Highlight::None,
            is_of_rule: false,
            heat: None,
        }
    }

    /// Creates a cell whose token is shown in plain text and in pictures.
    #[must_use]
    pub fn label(token: impl Into<String>, role: Role) -> Self {
        let token = token.into();
        Self { sign: Sign::Label(token.clone()), ..Self::new(token, role) }
    }

    /// Sets the token that plain text shows.
    pub(crate) fn set_token(&mut self, token: &str, role: Role) {
        token.clone_into(&mut self.token);
        self.role = role;
    }

    /// Returns the role of the cell.
    pub(crate) fn role(&self) -> Role {
        self.role
    }

    /// Sets the role of the cell.
    #[must_use]
    pub fn in_role(self, role: Role) -> Self {
        Self { role, ..self }
    }

    /// Sets the symbol in the cell unless it has one.
    #[must_use]
    pub fn signed(self, sign: Sign) -> Self {
        if self.sign == Sign::Nothing { self.with(sign) } else { self }
    }

    /// Sets the background of the cell.
    #[must_use]
    pub fn on(self, ground: Ground) -> Self {
        Self { ground, ..self }
    }

    /// Sets the symbol in the cell.
    #[must_use]
    pub fn with(self, sign: Sign) -> Self {
        Self { sign, ..self }
    }

    /// Adds a small number in the corner.
    #[must_use]
    pub fn numbered(self, corner: impl Into<String>) -> Self {
        Self { corner: Some(corner.into()), ..self }
    }

    /// Adds lines from the centre of the cell to the given sides, which are a sum of [`UP`], [`RIGHT`], [`DOWN`] and
    /// [`LEFT`].
    #[must_use]
    pub fn lines_to(self, sides: u8) -> Self {
        Self { sides, ..self }
    }

    /// Doubles the lines to the given sides, as for two bridges.
    #[must_use]
    pub fn doubled_to(self, doubled: u8) -> Self {
        Self { doubled, ..self }
    }

    /// Draws the given sides thick, because they separate areas.
    #[must_use]
    pub fn walled(self, walls: u8) -> Self {
        Self { walls, ..self }
    }

    /// Draws dashed lines inside of the given sides, which are at the border of a cage.
    #[must_use]
    pub fn caged(self, cage: u8) -> Self {
        Self { cage, ..self }
    }

    /// Draws lines along the sides `fence`, and crosses on the sides `open`, along which no line runs.
    #[must_use]
    pub fn fenced(self, fence: u8, open: u8) -> Self {
        Self { fence, open_fence: open, ..self }
    }

    /// Marks the given sides with a cross, because no path crosses them. The sides are a sum of [`RIGHT`] and [`DOWN`].
    #[must_use]
    pub fn closed_to(self, closed: u8) -> Self {
        Self { closed, ..self }
    }

    /// Sets the colour of the cell. All elements with the same `hue` have the same colour. Lines without a hue are
    /// thin.
    #[must_use]
    pub fn coloured(self, hue: usize) -> Self {
        Self { hue: Some(hue), ..self }
    }
}

/// Text in several colours: a list of pieces, each with a role.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text {
    pub(super) pieces: Vec<(String, Role)>,
    pub(super) highlight: Highlight,
}

impl Text {
    /// Creates a text with one piece.
    #[must_use]
    pub fn new(text: impl Into<String>, role: Role) -> Self {
        Self { pieces: vec![(text.into(), role)], highlight: Highlight::None }
    }

    /// Appends a piece of text with a role.
    #[must_use]
    pub fn and(mut self, text: impl Into<String>, role: Role) -> Self {
        self.pieces.push((text.into(), role));
        self
    }

    /// Returns the number of characters.
    pub(super) fn width(&self) -> usize {
        self.pieces.iter().map(|(text, _)| text.chars().count()).sum()
    }
}

/// A line of text in a scene.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// A line with data of the board. Plain text omits the line if the scene has a solution.
    Data(Text),
    /// A line that shows part of a solution.
    Solution(Text),
    /// A remark for the reader. Plain text omits it.
    Remark(Text),
}

impl Line {
    pub(super) fn content(&self) -> &Text {
        match self {
            Self::Data(text) | Self::Solution(text) | Self::Remark(text) => text,
        }
    }

    pub(super) fn content_mut(&mut self) -> &mut Text {
        match self {
            Self::Data(text) | Self::Solution(text) | Self::Remark(text) => text,
        }
    }
}

/// A node of a [`Diagram`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiagramNode {
    pub(super) label: String,
    pub(super) role: Role,
    pub(super) highlight: Highlight,
    /// The heat of the node in a heat map, in thousandths.
    pub(super) heat: Option<u16>,
}

impl DiagramNode {
    /// Creates a node that contains a number or a word.
    #[must_use]
    pub fn new(label: impl Into<String>, role: Role) -> Self {
        Self { label: label.into(), role, highlight: Highlight::None, heat: None }
    }
}

/// An edge between two nodes of a [`Diagram`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiagramEdge {
    /// The indices of the two nodes, counted from zero.
    pub(super) between: [usize; 2],
    pub(super) label: Option<String>,
    /// True if the edge is part of the solution.
    pub(super) taken: bool,
    pub(super) highlight: Highlight,
}

impl DiagramEdge {
    /// Creates an edge between two nodes, given by their indices from 0.
    #[must_use]
    pub fn new(between: [usize; 2]) -> Self {
        Self { between, label: None, taken: false, highlight: Highlight::None }
    }

    /// Adds a label to the edge.
    #[must_use]
    pub fn labelled(self, label: impl Into<String>) -> Self {
        Self { label: Some(label.into()), ..self }
    }

    /// Sets whether the edge is part of the solution.
    #[must_use]
    pub fn taken(self, taken: bool) -> Self {
        Self { taken, ..self }
    }
}

/// A drawing of nodes and the connections between them.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagram {
    pub(super) nodes: Vec<DiagramNode>,
    pub(super) connections: Vec<DiagramEdge>,
    /// The coordinates of the nodes: x increases to the right, and y increases downwards. The distance between
    /// neighbours should be about 1. If the coordinates are `None`, the renderer computes a layout.
    pub(super) places: Option<Vec<(f64, f64)>>,
}

impl Diagram {
    /// Creates a diagram without coordinates.
    ///
    /// # Panics
    /// Panics if a connection refers to a node that does not exist.
    #[must_use]
    pub fn new(nodes: Vec<DiagramNode>, connections: Vec<DiagramEdge>) -> Self {
        let known = |connection: &DiagramEdge| connection.between.iter().all(|&node| node < nodes.len());
        assert!(connections.iter().all(known), "connections join nodes of the diagram");
        Self { nodes, connections, places: None }
    }

    /// Sets the coordinates of the nodes: x increases to the right, and y increases downwards.
    ///
    /// # Panics
    /// Panics if the number of coordinates differs from the number of nodes.
    #[must_use]
    pub fn placed(self, places: Vec<(f64, f64)>) -> Self {
        assert_eq!(places.len(), self.nodes.len(), "one place for each node");
        Self { places: Some(places), ..self }
    }
}

/// The graphical part of a scene.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Figure {
    /// The scene has no graphical part.
    #[default]
    None,
    /// A grid of cells. Plain text shows the token of each cell.
    Board(Grid<Cell>),
    /// Nodes and connections. Plain text omits the diagram.
    Diagram(Diagram),
    /// Rows of text in columns. Pictures show the table instead of the lines of the solution. Plain text omits it.
    Table(Vec<Vec<Text>>),
}

/// A board to draw, with or without a solution.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scene {
    pub(super) figure: Figure,
    /// Rows of tokens that plain text writes below the figure.
    pub(super) rows: Vec<Vec<(String, Role)>>,
    pub(super) lines: Vec<Line>,
    /// True if pictures show the numbers of the rows and columns.
    pub(super) numbered: bool,
    /// Clues outside of the board.
    pub(super) outside: Outside,
    /// True if dots mark the corners of cells instead of lines between them.
    pub(super) frameless: bool,
    /// Marks at corners and between cells.
    pub(super) points: Vec<Point>,
    /// Lines through cells that belong to the data.
    pub(super) chains: Vec<Chain>,
    /// Blocks of tokens that plain text writes instead of the tokens of the cells.
    pub(super) blocks: Option<Vec<Block>>,
    /// The lines before the blocks, for blocks that have one.
    pub(super) labels: Vec<Option<String>>,
}

/// A line through the centres of cells, with a bulb in the first one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// The cells.
    pub cells: Vec<Place>,
    /// The kind of the line, from 0. Lines of different kinds have different colours.
    pub kind: usize,
}

/// Rows of tokens, aligned in columns.
pub type Block = Vec<Vec<(String, Role)>>;

impl Scene {
    /// Creates a scene with a board of cells.
    #[must_use]
    pub fn board(cells: Grid<Cell>) -> Self {
        Self { figure: Figure::Board(cells), ..Self::default() }
    }

    /// Returns the numbers of rows and columns of the board, or `None` if the scene has no board.
    #[must_use]
    pub fn size(&self) -> Option<(usize, usize)> {
        match &self.figure {
            Figure::Board(cells) => Some((cells.rows(), cells.columns())),
            Figure::None | Figure::Diagram(_) | Figure::Table(_) => None,
        }
    }

    /// Returns the number of columns of the board, or `None` if the scene has no board.
    #[must_use]
    pub fn columns(&self) -> Option<usize> {
        self.size().map(|(_, columns)| columns)
    }

    /// Adds the numbers of the rows and columns to pictures of the board.
    #[must_use]
    pub fn with_numbered_sides(self) -> Self {
        Self { numbered: true, ..self }
    }

    /// Adds clues outside of the board to pictures.
    #[must_use]
    pub fn with_outside(self, outside: Outside) -> Self {
        Self { outside, ..self }
    }

    /// Draws dots at the corners of cells instead of lines between them, for lines along sides.
    #[must_use]
    pub fn without_frame(self) -> Self {
        Self { frameless: true, ..self }
    }

    /// Adds marks at corners and between cells to pictures.
    #[must_use]
    pub fn with_points(self, points: Vec<Point>) -> Self {
        Self { points, ..self }
    }

    /// Adds lines through cells to pictures.
    #[must_use]
    pub fn with_chains(self, chains: Vec<Chain>) -> Self {
        Self { chains, ..self }
    }

    /// Sets the blocks of tokens that plain text writes instead of the tokens of the cells, separated by blank lines.
    #[must_use]
    pub fn with_blocks(self, blocks: Vec<Block>) -> Self {
        Self { blocks: Some(blocks), ..self }
    }

    /// Adds a line before each block that has one.
    #[must_use]
    pub fn with_labels(self, labels: Vec<Option<String>>) -> Self {
        Self { labels, ..self }
    }

    /// Creates a scene with a diagram. Plain text contains the given rows of tokens instead of the diagram.
    #[must_use]
    pub fn diagram(diagram: Diagram, rows: Vec<Vec<(String, Role)>>) -> Self {
        Self { figure: Figure::Diagram(diagram), rows, ..Self::default() }
    }

    /// Creates a scene that lists named values: the data of the board and, if there is one, the solution.
    #[must_use]
    pub fn values<N: Into<String>>(
        data: impl IntoIterator<Item = (N, String)>,
        solution: Option<&Solution>,
    ) -> Self {
        let line = |name: String, value, role| {
            Text::new(name, Role::Plain).and(" = ", Role::Ground).and(value, role)
        };
        let given = data.into_iter().map(|(name, value)| Line::Data(line(name.into(), value, Role::Given)));
        let found = solution.map(Solution::named_values).unwrap_or_default();
        let found = found.into_iter().map(|(name, value)| Line::Solution(line(name, value, Role::Mark)));
        Self { lines: given.chain(found).collect(), ..Self::default() }
    }

    /// Returns the tokens of the cells by row, or `None` if the scene has no cells.
    #[must_use]
    pub fn tokens(&self) -> Option<Vec<Vec<String>>> {
        let Figure::Board(cells) = &self.figure else { return None };
        Some(cells.by_row().map(|row| row.iter().map(|cell| cell.token.clone()).collect()).collect())
    }

    /// Adds rows of tokens to the plain text.
    #[must_use]
    pub fn with_rows(mut self, rows: Vec<Vec<(String, Role)>>) -> Self {
        self.rows.extend(rows);
        self
    }

    /// Adds lines of text below the figure.
    #[must_use]
    pub fn with_lines(mut self, lines: impl IntoIterator<Item = Line>) -> Self {
        self.lines.extend(lines);
        self
    }

    /// Adds a table, which replaces the lines of the solution in pictures.
    #[must_use]
    pub fn with_table(self, rows: Vec<Vec<Text>>) -> Self {
        Self { figure: Figure::Table(rows), ..self }
    }
}
