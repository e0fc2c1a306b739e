//! Data formats: from bytes to data, with line and column in every error.
//!
//! A format knows no puzzle: it gives named values, rows of tokens or the clues of an address, each with its place, so that
//! the reader of a puzzle type can point to what is wrong. Parsing takes time and memory linear in the input, and its
//! recursion has a fixed limit.

pub mod dzn;
mod grammar;
pub mod json;
pub mod param;
pub mod pzpr;
mod record;
mod syntax;
pub mod text;

pub use crate::source::{InputError, Position, Source, Span, Spanned};
pub(crate) use crate::source::{counted, quote};
pub use record::{DataValue, NamedValue, Record};
pub use syntax::Syntax;
