//! The reader of annotations.

use std::sync::Arc;

use gordian_encodings::Value;

use super::Reader;
use super::operand::{Literal, boolean};
use crate::builder::{Symbol, annotation_array, annotation_of};
use crate::cursor::ReadError;
use crate::instance::{Annotation, Operand};

/// The annotations of a declaration.
#[derive(Default)]
pub(super) struct Annotations {
    /// True if `output_var` is one of the annotations.
    pub(super) is_output: bool,
    /// The index sets of `output_array`.
    pub(super) dimensions: Option<Vec<(Value, Value)>>,
    pub(super) others: Vec<Annotation>,
}

impl Reader<'_> {
    /// Reads the annotations of a declaration.
    pub(super) fn declaration_annotations(&mut self) -> Result<Annotations, ReadError> {
        let mut annotations = Annotations::default();
        while self.cursor.accept("::") {
            let start = self.cursor.offset();
            match self.annotation()? {
                Annotation::Name(name) if &*name == "output_var" => annotations.is_output = true,
                Annotation::Call(name, arguments) if &*name == "output_array" => {
                    let dimensions = dimensions(&arguments);
                    let expected = "`output_array` with an array of index sets";
                    annotations.dimensions =
                        Some(dimensions.ok_or_else(|| self.cursor.error_from(start, expected))?);
                }
                other => annotations.others.push(other),
            }
        }
        Ok(annotations)
    }

    pub(super) fn annotations(&mut self) -> Result<Vec<Annotation>, ReadError> {
        let mut annotations = Vec::new();
        while self.cursor.accept("::") {
            annotations.push(self.annotation()?);
        }
        Ok(annotations)
    }

    /// Reads the annotation that follows `::`.
    pub(super) fn annotation(&mut self) -> Result<Annotation, ReadError> {
        if self.cursor.peek() == Some(b'"') {
            return Ok(Annotation::Text(self.cursor.string(escape)?.into()));
        }
        let Some(word) = self.cursor.word() else { return Err(self.cursor.error("an annotation")) };
        let name = self.builder.word(word);
        if self.cursor.accept("(") { self.annotation_call(name) } else { Ok(Annotation::Name(name)) }
    }

    pub(super) fn annotation_call(&mut self, name: Arc<str>) -> Result<Annotation, ReadError> {
        Ok(Annotation::Call(name, self.annotation_arguments(")")?))
    }

    pub(super) fn annotation_arguments(&mut self, close: &'static str) -> Result<Vec<Annotation>, ReadError> {
        let mut list = self.cursor.list(close)?;
        let mut arguments = Vec::new();
        while self.cursor.next_item(&mut list)? {
            arguments.push(self.annotation_argument()?);
        }
        Ok(arguments)
    }

    /// Reads an argument of an annotation. An undeclared name becomes an annotation without arguments.
    pub(super) fn annotation_argument(&mut self) -> Result<Annotation, ReadError> {
        match self.cursor.peek() {
            Some(b'"') => return Ok(Annotation::Text(self.cursor.string(escape)?.into())),
            Some(b'[') => {
                self.cursor.accept("[");
                return self.annotation_arguments("]").map(annotation_array);
            }
            _ => {}
        }
        let Some(word) = self.cursor.word() else {
            return Ok(match self.literal()? {
                Literal::Int(value) => Annotation::Operand(Operand::Int(value)),
                Literal::Set(set) => Annotation::Operand(Operand::Set(Arc::new(set))),
                Literal::Float(text) => Annotation::Float(text.into()),
            });
        };
        if let Some(value) = boolean(word) {
            return Ok(Annotation::Operand(value));
        }
        if self.cursor.accept("(") {
            let name = self.builder.word(word);
            return self.annotation_call(name);
        }
        match self.builder.find(word) {
            Some(Symbol::Array(elements)) if self.cursor.peek() == Some(b'[') => {
                let elements = Arc::clone(elements);
                self.index(&elements).map(Annotation::Operand)
            }
            symbol => match symbol.and_then(annotation_of) {
                Some(annotation) => Ok(annotation),
                None => Ok(Annotation::Name(self.builder.word(word))),
            },
        }
    }
}

/// Returns the first and last index of each dimension from the arguments of `output_array`.
fn dimensions(arguments: &[Annotation]) -> Option<Vec<(Value, Value)>> {
    let [Annotation::Operands(sets)] = arguments else { return None };
    if sets.is_empty() {
        return None;
    }
    sets.iter()
        .map(|set| match set {
            Operand::Set(set) if set.is_empty() => Some((1, 0)),
            Operand::Set(set) if set.intervals().count() == 1 => Some((set.min(), set.max())),
            _ => None,
        })
        .collect()
}

/// Reads the part of a C escape sequence that follows the backslash.
fn escape(bytes: &[u8]) -> Option<(char, usize)> {
    let c = match bytes.first()? {
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'a' => '\u{7}',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'v' => '\u{b}',
        &byte @ (b'"' | b'\'' | b'\\' | b'?') => byte.into(),
        b'x' => {
            let digits = bytes.iter().skip(1).take(2).take_while(|byte| byte.is_ascii_hexdigit()).count();
            return number_escape(bytes.get(1..1 + digits)?, 16).map(|c| (c, 1 + digits));
        }
        b'0'..=b'7' => {
            let digits = bytes.iter().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
            return number_escape(bytes.get(..digits)?, 8).map(|c| (c, digits));
        }
        _ => return None,
    };
    Some((c, 1))
}

fn number_escape(digits: &[u8], radix: u32) -> Option<char> {
    char::from_u32(u32::from_str_radix(std::str::from_utf8(digits).ok()?, radix).ok()?)
}
