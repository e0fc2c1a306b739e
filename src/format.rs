//! Parsers of the data formats. Parse errors have a line and a column.
//!
//! The formats are independent of the puzzle types. A parser returns named values, rows of tokens, or the clues in a
//! puzz.link address. Each value has a position, so the reader of each puzzle type can report the position of an error.
//! Parsers take linear time and memory, and limit the nesting depth.

pub mod dzn;
pub(crate) mod fpuzzles;
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
