//! What there is to see of a board, for all renderers.

use crate::answer::Answer;
use crate::grid::{Grid, Place};

/// What a thing is, for its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Nothing to stress.
    Plain,
    /// Given by the puzzle.
    Given,
    /// Background: sea, empty squares, whatever is beside the answer.
    Ground,
    /// A block that is no place for an answer.
    Block,
    /// Part of the answer.
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
    /// As in every answer.
    Forced,
    /// Not as in every answer.
    Open,
}

/// What is known of a cell in all answers.
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
    /// Part of the board. Plain text has it where there is no answer.
    Data(Text),
    /// Part of an answer.
    Answer(Text),
    /// Only in pictures.
    Remark(Text),
}

impl Line {
    pub(super) fn content(&self) -> &Text {
        match self {
            Self::Data(text) | Self::Answer(text) | Self::Remark(text) => text,
        }
    }

    fn content_mut(&mut self) -> &mut Text {
        match self {
            Self::Data(text) | Self::Answer(text) | Self::Remark(text) => text,
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
    /// Whether it is part of the answer.
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

    /// Part of the answer, or not.
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
    /// Rows of text in columns. Only in pictures, where it stands for the lines of the answer too.
    Table(Vec<Vec<Text>>),
}

/// What there is to see of a board, maybe with an answer on it.
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

    /// Named values, and the answer's if there is one.
    #[must_use]
    pub fn values<N: Into<String>>(
        data: impl IntoIterator<Item = (N, String)>,
        answer: Option<&Answer>,
    ) -> Self {
        let line = |name: String, value, role| {
            Text::new(name, Role::Plain).and(" = ", Role::Ground).and(value, role)
        };
        let given = data.into_iter().map(|(name, value)| Line::Data(line(name.into(), value, Role::Given)));
        let found = answer.map(Answer::named_values).unwrap_or_default();
        let found = found.into_iter().map(|(name, value)| Line::Answer(line(name, value, Role::Mark)));
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

    /// With a table instead of the lines of the answer, in pictures.
    #[must_use]
    pub fn with_table(self, rows: Vec<Vec<Text>>) -> Self {
        Self { figure: Figure::Table(rows), ..self }
    }

    /// Stresses what the rule of a [`Violation`](crate::answer::Violation) is broken at.
    #[must_use]
    pub fn wrong_at(mut self, places: &[Place]) -> Self {
        if let Figure::Board(cells) = &mut self.figure {
            *cells = cells.map_places(|place, cell| {
                let stress = if places.contains(&place) { Stress::Wrong } else { cell.stress };
                Cell { stress, ..cell.clone() }
            });
        }
        self
    }

    /// Both scenes, of one board, with a stress on what differs between them.
    #[must_use]
    pub fn differing(mut self, mut other: Self) -> [Self; 2] {
        fn mark(first: &mut Stress, second: &mut Stress) {
            (*first, *second) = (Stress::Differs, Stress::Differs);
        }
        fn mark_texts<'a>(
            first: impl Iterator<Item = &'a mut Text>,
            second: impl Iterator<Item = &'a mut Text>,
        ) {
            for (a, b) in first.zip(second).filter(|(a, b)| a != b) {
                mark(&mut a.stress, &mut b.stress);
            }
        }
        match (&mut self.figure, &mut other.figure) {
            (Figure::Board(first), Figure::Board(second)) if first.len() == second.len() => {
                // Not the ground: a square may be seen by another rook.
                let same = |a: &Cell, b: &Cell| a.token == b.token && (a.hue.is_none() || a.sides == b.sides);
                for (a, b) in first.cells_mut().iter_mut().zip(second.cells_mut()) {
                    if !same(a, b) {
                        mark(&mut a.stress, &mut b.stress);
                    }
                }
            }
            (Figure::Diagram(first), Figure::Diagram(second)) => {
                for (a, b) in first.nodes.iter_mut().zip(&mut second.nodes).filter(|(a, b)| a != b) {
                    mark(&mut a.stress, &mut b.stress);
                }
                let connections = first.connections.iter_mut().zip(&mut second.connections);
                for (a, b) in connections.filter(|(a, b)| a.taken != b.taken) {
                    mark(&mut a.stress, &mut b.stress);
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

    /// What all answers have in common: this scene is the board alone, `answer` one of them, and `fact` says of each cell,
    /// counted row by row, what is known. Cells that the board itself decides stay as they are.
    #[must_use]
    pub fn facts(mut self, answer: &Self, fact: impl Fn(usize) -> Fact) -> Self {
        if let (Figure::Board(board), Figure::Board(found)) = (&mut self.figure, &answer.figure)
            && board.len() == found.len()
        {
            for (index, cell) in board.cells_mut().iter_mut().enumerate() {
                if cell.role == Role::Given || cell.role == Role::Block {
                    continue;
                }
                // Lines would tell of neighbours that may be open.
                let known = Cell { stress: Stress::Forced, ..found[index].clone() }.lines_to(0);
                *cell = match fact(index) {
                    Fact::Known => known,
                    Fact::Partly(word) => Cell { token: word, sign: Sign::Nothing, ..known },
                    Fact::Open(symbol) => {
                        Cell { stress: Stress::Open, token: symbol.to_owned(), ..cell.clone() }
                    }
                };
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(tokens: &[&str]) -> Scene {
        let cells = tokens.iter().map(|&token| Cell::label(token, Role::Mark)).collect();
        Scene::board(Grid::new(1, tokens.len(), cells))
    }

    fn stresses(scene: &Scene) -> Vec<Stress> {
        match &scene.figure {
            Figure::Board(cells) => cells.cells().iter().map(|cell| cell.stress).collect(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn only_what_differs_is_stressed() {
        let [first, second] = row(&["1", "2", "3"]).differing(row(&["1", "0", "3"]));
        assert_eq!(stresses(&first), [Stress::None, Stress::Differs, Stress::None]);
        assert_eq!(stresses(&first), stresses(&second));
        let values = |n: i128| {
            let answer = Answer::new().with("n", crate::answer::Field::Number(n));
            Scene::values([("base", "10".to_owned())], Some(&answer))
        };
        let [first, _] = values(1).differing(values(2));
        let stresses: Vec<Stress> = first.lines.iter().map(|line| line.content().stress).collect();
        assert_eq!(stresses, [Stress::None, Stress::Differs]);
    }

    #[test]
    fn facts_keep_what_is_given_and_hide_what_is_open() {
        let given = Cell::label("7", Role::Given);
        let cell = |token: &str| Cell::new(token, Role::Ground);
        let board = Scene::board(Grid::new(1, 3, vec![given.clone(), cell("."), cell(".")]));
        let answer = Scene::board(Grid::new(1, 3, vec![given, cell("1"), cell("2")]));
        let fact = |cell| if cell == 1 { Fact::Known } else { Fact::Open("?") };
        let facts = board.clone().facts(&answer, fact);
        assert_eq!(facts.text(false), "7 1 ?\n");
        assert_eq!(stresses(&facts), [Stress::None, Stress::Forced, Stress::Open]);
        let land = board.facts(&answer, |_| Fact::Partly("land".to_owned()));
        assert_eq!(land.text(false), "   7 land land\n");
    }

    #[test]
    fn faults_are_stressed_where_they_are() {
        let scene = row(&["1", "2"]).wrong_at(&[Place { row: 0, column: 1 }, Place { row: 9, column: 9 }]);
        assert_eq!(stresses(&scene), [Stress::None, Stress::Wrong]);
    }
}
