//! Drawing of boards and solutions.
//!
//! A puzzle describes what to draw as a [`Scene`]: cells and their content, nodes and connections, tables, lines of text.
//! Three renderers draw it: [`Scene::text`] writes rows of tokens, which
//! [`Puzzle::read_solution`](crate::puzzle::Puzzle::read_solution) reads back; [`Scene::boxes`] draws on terminals;
//! [`picture`] makes an SVG of one scene, or of several side by side.

mod boxes;
mod highlight;
mod layout;
mod scene;
mod svg;
mod text;

pub use scene::{
    Cell, CellStatus, Connection, DOWN, Diagram, Figure, Ground, Highlight, LEFT, Line, Node, RIGHT, Role,
    SIDE_TOKENS, Scene, Sign, Text, UP,
};
pub use svg::picture;
