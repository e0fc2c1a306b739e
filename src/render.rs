//! Boards and solutions to look at.
//!
//! A puzzle says once what there is to see, as a [`Scene`]: cells with what is in them, nodes and connections, tables,
//! lines of text. Three renderers take it from there: [`Scene::text`] writes rows of tokens, which
//! [`Puzzle::read_solution`](crate::puzzle::Puzzle::read_solution) reads back; [`Scene::boxes`] draws for terminals;
//! [`picture`] makes an SVG of one scene or of several side by side.

mod boxes;
mod layout;
mod scene;
mod stress;
mod svg;
mod text;

pub use scene::{
    Cell, Connection, DOWN, Diagram, Fact, Figure, Ground, LEFT, Line, Node, RIGHT, Role, SIDE_TOKENS, Scene,
    Sign, Stress, Text, UP,
};
pub use svg::picture;
