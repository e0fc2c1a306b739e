//! Drawing of boards and solutions.
//!
//! A puzzle describes its drawing as a [`Scene`]: cells and their content, nodes and connections, tables, and lines
//! of text. Scenes have three renderers. [`Scene::text`] writes rows of tokens, which
//! [`Puzzle::read_solution`](crate::puzzle::Puzzle::read_solution) can read. [`Scene::boxes`] draws boards with
//! box-drawing characters on a terminal. [`picture`] returns an SVG picture of one or more scenes in rows.

mod around;
mod boxes;
mod highlight;
mod layout;
mod scene;
mod svg;
mod text;

pub use around::{Outside, Point};
pub use scene::{
    Block, Cell, CellStatus, Chain, DOWN, Diagram, DiagramEdge, DiagramNode, Figure, Ground, Heat, Highlight,
    LEFT, Line, RIGHT, Role, SIDE_TOKENS, Scene, Sign, Text, UP,
};
pub use svg::picture;
pub(crate) use svg::{STYLE, escaped, picture_without_style};
