//! Data formats: parsers that turn bytes into data and report errors with line and column.
//!
//! The formats are independent of the puzzle types. A parser returns named values, rows of tokens or the clues of an
//! address, each with its position, so that the reader of a puzzle type can point to an error. Parsing takes time and
//! memory linear in the input, and the nesting depth is limited.

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
