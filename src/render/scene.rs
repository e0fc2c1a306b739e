//! What there is to see of a board, for all renderers.

use crate::rules::{Grid, Solution};

/// What a thing is, for its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Nothing to stress.
    Plain,
    /// Given by the puzzle.
    Given,
    /// Background: sea, empty squares, whatever is beside the solution.
    Ground,
    /// A block that is no place for a solution.
    Block,
    /// Part of the solution.
    Mark,
}

/// What a cell is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// Nothing is known or to be said.
    Open,
    /// Land, in a sea.
    Land,
    /// Sea.
    Sea,
    /// A block.
    Block,
    /// Seen by what stands elsewhere.
    Seen,
}

/// What stands in a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sign {
    /// Nothing.
    Nothing,
    /// A number or a word.
    Label(String),
    /// A number that a path begins or ends at.
    End(String),
    /// A rook.
    Rook,
}

/// What one should look at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Stress {
    /// Nothing to see here.
    #[default]
    None,
    /// Not as in the other scene.
    Differs,
    /// Breaks a rule.
    Wrong,
    /// As in every solution.
    Forced,
    /// Not as in every solution.
    Open,
}

/// What is known of a cell in all solutions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact {
    /// It is as in each of them.
    Known,
    /// It is made of the same, for which plain text has this word, but what stands in it differs.
    Partly(String),
    /// It is open, which plain text says with this symbol.
    Open(&'static str),
}

/// A path goes up from a cell.
pub const UP: u8 = 1;
/// A path goes right from a cell.
pub const RIGHT: u8 = 2;
/// A path goes down from a cell.
pub const DOWN: u8 = 4;
/// A path goes left from a cell.
pub const LEFT: u8 = 8;

/// How a cell is written from which a path goes to these sides, a sum of [`UP`], [`RIGHT`], [`DOWN`] and [`LEFT`].
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
    pub(super) stress: Stress,
}

impl Cell {
    /// A cell that plain text writes as this token, without blanks in it, and pictures leave empty.
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
            stress: Stress::None,
        }
    }

    /// A cell that shows its token.
    #[must_use]
    pub fn label(token: impl Into<String>, role: Role) -> Self {
        let token = token.into();
        Self { sign: Sign::Label(token.clone()), ..Self::new(token, role) }
    }

    /// Made of this.
    #[must_use]
    pub fn on(self, ground: Ground) -> Self {
        Self { ground, ..self }
    }

    /// With this in it.
    #[must_use]
    pub fn with(self, sign: Sign) -> Self {
        Self { sign, ..self }
    }

    /// With a small number in its corner.
    #[must_use]
    pub fn numbered(self, corner: impl Into<String>) -> Self {
        Self { corner: Some(corner.into()), ..self }
    }

    /// With lines to these sides, a sum of [`UP`], [`RIGHT`], [`DOWN`] and [`LEFT`].
    #[must_use]
    pub fn lines_to(self, sides: u8) -> Self {
        Self { sides, ..self }
    }

    /// In a colour of its own, which things of the same number share. Lines without one are thin.
    #[must_use]
    pub fn coloured(self, hue: usize) -> Self {
        Self { hue: Some(hue), ..self }
    }
}

/// A piece of text in several colours.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text {
    pub(super) pieces: Vec<(String, Role)>,
    pub(super) stress: Stress,
}

impl Text {
    /// A piece of text.
    #[must_use]
    pub fn new(text: impl Into<String>, role: Role) -> Self {
        Self { pieces: vec![(text.into(), role)], stress: Stress::None }
    }

    /// With more behind it.
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
    /// Part of the board. Plain text has it where there is no solution.
    Data(Text),
    /// Part of a solution.
    Solution(Text),
    /// Only in pictures.
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
    pub(super) stress: Stress,
}

impl Node {
    /// A node with a number or word in it.
    #[must_use]
    pub fn new(label: impl Into<String>, role: Role) -> Self {
        Self { label: label.into(), role, stress: Stress::None }
    }
}

/// A connection of a [`Diagram`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connection {
    /// The nodes it joins, from zero.
    pub(super) between: [usize; 2],
    pub(super) label: Option<String>,
    /// Whether it is part of the solution.
    pub(super) taken: bool,
    pub(super) stress: Stress,
}

impl Connection {
    /// Joins two nodes, counted from zero.
    #[must_use]
    pub fn new(between: [usize; 2]) -> Self {
        Self { between, label: None, taken: false, stress: Stress::None }
    }

    /// With something written beside it.
    #[must_use]
    pub fn labelled(self, label: impl Into<String>) -> Self {
        Self { label: Some(label.into()), ..self }
    }

    /// Part of the solution, or not.
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
    /// Where the nodes are, to the right and down, a step for neighbours; where they are not given, a renderer finds
    /// places for them.
    pub(super) places: Option<Vec<(f64, f64)>>,
}

impl Diagram {
    /// A diagram whose nodes may be anywhere.
    ///
    /// # Panics
    /// If a connection joins nodes that are not there.
    #[must_use]
    pub fn new(nodes: Vec<Node>, connections: Vec<Connection>) -> Self {
        let known = |connection: &Connection| connection.between.iter().all(|&node| node < nodes.len());
        assert!(connections.iter().all(known), "connections join nodes of the diagram");
        Self { nodes, connections, places: None }
    }

    /// With the nodes here: how far to the right and how far down.
    ///
    /// # Panics
    /// If there is not one place for each node.
    #[must_use]
    pub fn placed(self, places: Vec<(f64, f64)>) -> Self {
        assert_eq!(places.len(), self.nodes.len(), "one place for each node");
        Self { places: Some(places), ..self }
    }
}

/// The part of a scene that is drawn.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Figure {
    /// None.
    #[default]
    None,
    /// Cells. Plain text has their tokens.
    Board(Grid<Cell>),
    /// Nodes and connections. Only in pictures.
    Diagram(Diagram),
    /// Rows of text in columns. Only in pictures, where it stands for the lines of the solution too.
    Table(Vec<Vec<Text>>),
}

/// What there is to see of a board, maybe with a solution on it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scene {
    pub(super) figure: Figure,
    /// Rows of tokens that plain text has below the figure.
    pub(super) rows: Vec<Vec<(String, Role)>>,
    pub(super) lines: Vec<Line>,
}

impl Scene {
    /// A board of cells.
    #[must_use]
    pub fn board(cells: Grid<Cell>) -> Self {
        Self { figure: Figure::Board(cells), ..Self::default() }
    }

    /// Nodes and connections, which plain text shows as these rows of tokens.
    #[must_use]
    pub fn diagram(diagram: Diagram, rows: Vec<Vec<(String, Role)>>) -> Self {
        Self { figure: Figure::Diagram(diagram), rows, ..Self::default() }
    }

    /// Named values, and the solution's if there is one.
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

    /// With more rows of tokens in plain text.
    #[must_use]
    pub fn with_rows(mut self, rows: Vec<Vec<(String, Role)>>) -> Self {
        self.rows.extend(rows);
        self
    }

    /// With lines of text below.
    #[must_use]
    pub fn with_lines(mut self, lines: impl IntoIterator<Item = Line>) -> Self {
        self.lines.extend(lines);
        self
    }

    /// With a table instead of the lines of the solution, in pictures.
    #[must_use]
    pub fn with_table(self, rows: Vec<Vec<Text>>) -> Self {
        Self { figure: Figure::Table(rows), ..self }
    }
}
