//! The scene: what to draw of a board, independent of the renderer.

use crate::rules::{Grid, Solution};

/// The role of an element, which determines its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// No role.
    Plain,
    /// Given by the puzzle.
    Given,
    /// Background: sea, empty squares, everything that is not part of the solution.
    Ground,
    /// A block, which takes no value.
    Block,
    /// Part of the solution.
    Mark,
}

/// The background of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// Blank.
    Open,
    /// Land, as opposed to sea.
    Land,
    /// Sea.
    Sea,
    /// A block.
    Block,
    /// Lit by a rook elsewhere.
    Seen,
}

/// The symbol in a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sign {
    /// Nothing.
    Nothing,
    /// A number or a word.
    Label(String),
    /// A number at the end of a path.
    End(String),
    /// A rook.
    Rook,
}

/// Why an element is highlighted, if it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Highlight {
    /// Not highlighted.
    #[default]
    None,
    /// Differs from the other scene.
    Differs,
    /// Breaks a rule.
    Wrong,
    /// The same in every solution.
    Forced,
    /// Not the same in every solution.
    Open,
}

/// What is known of a cell in all solutions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CellStatus {
    /// It is as in each of them.
    Forced,
    /// It is made of the same, for which plain text has this word, but what stands in it differs.
    Partly(String),
    /// It is open, which plain text says with this symbol.
    Open(&'static str),
}

/// The side bit of a path that leaves a cell upwards.
pub const UP: u8 = 1;
/// The side bit of a path that leaves a cell to the right.
pub const RIGHT: u8 = 2;
/// The side bit of a path that leaves a cell downwards.
pub const DOWN: u8 = 4;
/// The side bit of a path that leaves a cell to the left.
pub const LEFT: u8 = 8;

/// The token of a cell, indexed by the sides through which a path leaves it: a sum of [`UP`], [`RIGHT`], [`DOWN`] and
/// [`LEFT`].
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
    pub(super) hue: Option<usize>,
    pub(super) highlight: Highlight,
}

impl Cell {
    /// A cell that plain text writes as `token`, which contains no blanks, and that pictures leave empty.
    #[must_use]
    pub fn new(token: impl Into<String>, role: Role) -> Self {
        Self {
            token: token.into(),
            role,
            ground: Ground::Open,
            sign: Sign::Nothing,
            corner: None,
            sides: 0,
            hue: None,
            highlight: Highlight::None,
        }
    }

    /// A cell that shows its token.
    #[must_use]
    pub fn label(token: impl Into<String>, role: Role) -> Self {
        let token = token.into();
        Self { sign: Sign::Label(token.clone()), ..Self::new(token, role) }
    }

    /// Sets the background.
    #[must_use]
    pub fn on(self, ground: Ground) -> Self {
        Self { ground, ..self }
    }

    /// Sets the symbol.
    #[must_use]
    pub fn with(self, sign: Sign) -> Self {
        Self { sign, ..self }
    }

    /// Adds a small number in the corner.
    #[must_use]
    pub fn numbered(self, corner: impl Into<String>) -> Self {
        Self { corner: Some(corner.into()), ..self }
    }

    /// Draws lines to these sides, a sum of [`UP`], [`RIGHT`], [`DOWN`] and [`LEFT`].
    #[must_use]
    pub fn lines_to(self, sides: u8) -> Self {
        Self { sides, ..self }
    }

    /// Sets the colour, which all elements of the same `hue` share. Lines without a hue are thin.
    #[must_use]
    pub fn coloured(self, hue: usize) -> Self {
        Self { hue: Some(hue), ..self }
    }
}

/// A piece of text in several colours.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text {
    pub(super) pieces: Vec<(String, Role)>,
    pub(super) highlight: Highlight,
}

impl Text {
    /// A piece of text.
    #[must_use]
    pub fn new(text: impl Into<String>, role: Role) -> Self {
        Self { pieces: vec![(text.into(), role)], highlight: Highlight::None }
    }

    /// Appends a piece of text.
    #[must_use]
    pub fn and(mut self, text: impl Into<String>, role: Role) -> Self {
        self.pieces.push((text.into(), role));
        self
    }

    /// The number of characters.
    pub(super) fn width(&self) -> usize {
        self.pieces.iter().map(|(text, _)| text.chars().count()).sum()
    }
}

/// A line of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// Data of the board. Plain text omits it if the scene has a solution.
    Data(Text),
    /// Part of a solution.
    Solution(Text),
    /// A remark. Plain text omits it.
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
pub struct Node {
    pub(super) label: String,
    pub(super) role: Role,
    pub(super) highlight: Highlight,
}

impl Node {
    /// A node with a number or word in it.
    #[must_use]
    pub fn new(label: impl Into<String>, role: Role) -> Self {
        Self { label: label.into(), role, highlight: Highlight::None }
    }
}

/// A connection of a [`Diagram`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connection {
    /// The indices of the two nodes, from zero.
    pub(super) between: [usize; 2],
    pub(super) label: Option<String>,
    /// Whether it is part of the solution.
    pub(super) taken: bool,
    pub(super) highlight: Highlight,
}

impl Connection {
    /// A connection between two nodes, counted from zero.
    #[must_use]
    pub fn new(between: [usize; 2]) -> Self {
        Self { between, label: None, taken: false, highlight: Highlight::None }
    }

    /// Adds a label.
    #[must_use]
    pub fn labelled(self, label: impl Into<String>) -> Self {
        Self { label: Some(label.into()), ..self }
    }

    /// Sets whether the connection is part of the solution.
    #[must_use]
    pub fn taken(self, taken: bool) -> Self {
        Self { taken, ..self }
    }
}

/// Nodes and connections between them.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagram {
    pub(super) nodes: Vec<Node>,
    pub(super) connections: Vec<Connection>,
    /// The coordinates of the nodes, to the right and down, with neighbours about 1 apart. Without them, the renderer
    /// computes a layout.
    pub(super) places: Option<Vec<(f64, f64)>>,
}

impl Diagram {
    /// A diagram without coordinates.
    ///
    /// # Panics
    /// Panics if a connection refers to a node that does not exist.
    #[must_use]
    pub fn new(nodes: Vec<Node>, connections: Vec<Connection>) -> Self {
        let known = |connection: &Connection| connection.between.iter().all(|&node| node < nodes.len());
        assert!(connections.iter().all(known), "connections join nodes of the diagram");
        Self { nodes, connections, places: None }
    }

    /// Sets the coordinates of the nodes: to the right, and down.
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
    /// None.
    #[default]
    None,
    /// Cells. Plain text has their tokens.
    Board(Grid<Cell>),
    /// Nodes and connections. Plain text omits them.
    Diagram(Diagram),
    /// Rows of text in columns. Plain text omits it; pictures draw it instead of the lines of the solution.
    Table(Vec<Vec<Text>>),
}

/// A board to draw, with or without a solution.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scene {
    pub(super) figure: Figure,
    /// Rows of tokens that plain text writes below the figure.
    pub(super) rows: Vec<Vec<(String, Role)>>,
    pub(super) lines: Vec<Line>,
}

impl Scene {
    /// A board of cells.
    #[must_use]
    pub fn board(cells: Grid<Cell>) -> Self {
        Self { figure: Figure::Board(cells), ..Self::default() }
    }

    /// A diagram, which plain text replaces by rows of tokens.
    #[must_use]
    pub fn diagram(diagram: Diagram, rows: Vec<Vec<(String, Role)>>) -> Self {
        Self { figure: Figure::Diagram(diagram), rows, ..Self::default() }
    }

    /// Named values: the data and, if given, the solution.
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

    /// Replaces the lines of the solution by a table, in pictures.
    #[must_use]
    pub fn with_table(self, rows: Vec<Vec<Text>>) -> Self {
        Self { figure: Figure::Table(rows), ..self }
    }
}
