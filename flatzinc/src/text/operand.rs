//! The reader of constants, names and arrays in FlatZinc text.

use std::sync::Arc;

use gordian_encodings::{Domain, Value};

use super::Reader;
use crate::builder::{OperandType, Symbol};
use crate::cursor::{Number, ReadError};
use crate::instance::{Argument, Operand};

/// A constant of the input.
pub(super) enum Literal<'a> {
    Int(Value),
    Set(Domain),
    /// A floating-point number, or a set of floating-point numbers.
    Float(&'a str),
}

impl<'a> Reader<'a> {
    pub(super) fn constant(&mut self, operand_type: OperandType) -> Result<Operand, ReadError> {
        let start = self.cursor.offset();
        match self.operand_of(operand_type)? {
            Operand::Var(_) => Err(self.cursor.error_from(start, "a constant")),
            constant => Ok(constant),
        }
    }

    /// Reads an array literal.
    pub(super) fn elements(
        &mut self,
        element: impl Fn(&mut Self) -> Result<Operand, ReadError>,
    ) -> Result<Arc<[Operand]>, ReadError> {
        self.cursor.require("[")?;
        let mut list = self.cursor.list("]")?;
        let mut elements = Vec::new();
        while self.cursor.next_item(&mut list)? {
            elements.push(element(self)?);
        }
        Ok(elements.into())
    }

    /// Reads an operand of the given type.
    pub(super) fn operand_of(&mut self, operand_type: OperandType) -> Result<Operand, ReadError> {
        let start = self.cursor.offset();
        let operand = self.operand()?;
        if self.builder.type_of(&operand) == operand_type {
            Ok(operand)
        } else {
            Err(self.cursor.error_from(start, operand_type.expected()))
        }
    }

    /// Reads an operand that is not an array.
    pub(super) fn operand(&mut self) -> Result<Operand, ReadError> {
        let start = self.cursor.offset();
        match self.operands()? {
            Argument::One(operand) => Ok(operand),
            Argument::Array(_) => Err(self.cursor.error_from(start, "an element, not an array")),
        }
    }

    /// Reads a constant, an element of an array, or the name of a variable, parameter or array.
    pub(super) fn operands(&mut self) -> Result<Argument, ReadError> {
        let start = self.cursor.offset();
        let not_float = "an integer, Boolean or set of integers (floating-point numbers are not supported)";
        let Some(word) = self.cursor.word() else {
            return match self.literal()? {
                Literal::Int(value) => Ok(Argument::One(Operand::Int(value))),
                Literal::Set(set) => Ok(Argument::One(Operand::Set(Arc::new(set)))),
                Literal::Float(_) => Err(self.cursor.error_from(start, not_float)),
            };
        };
        if let Some(value) = boolean(word) {
            return Ok(Argument::One(value));
        }
        match self.builder.resolve(word, self.cursor.span_from(start))? {
            Symbol::Operand(operand) => Ok(Argument::One(operand.clone())),
            Symbol::Array(elements) if self.cursor.peek() == Some(b'[') => {
                let elements = Arc::clone(elements);
                self.index(&elements).map(Argument::One)
            }
            Symbol::Array(elements) => Ok(Argument::Array(Arc::clone(elements))),
            Symbol::Float => Err(self.cursor.error_from(start, not_float)),
        }
    }

    /// Reads an index in brackets, and returns the element of the array.
    pub(super) fn index(&mut self, elements: &[Operand]) -> Result<Operand, ReadError> {
        self.cursor.require("[")?;
        let start = self.cursor.offset();
        let element = match self.cursor.number()? {
            Number::Int(index) => {
                usize::try_from(index).ok().and_then(|index| elements.get(index.checked_sub(1)?))
            }
            Number::Float(_) => None,
        };
        let Some(element) = element else {
            return Err(self.cursor.error_from(start, format!("an index from 1 to {}", elements.len())));
        };
        self.cursor.require("]")?;
        Ok(element.clone())
    }

    /// Reads a number or a set.
    pub(super) fn literal(&mut self) -> Result<Literal<'a>, ReadError> {
        let literal = self.simple_literal()?;
        let Literal::Set(first) = &literal else { return Ok(literal) };
        if self.cursor.peek_word() != Some("union") {
            return Ok(literal);
        }
        let mut intervals: Vec<_> = first.intervals().collect();
        while self.cursor.accept_word("union") {
            let start = self.cursor.offset();
            match self.simple_literal()? {
                Literal::Set(set) => intervals.extend(set.intervals()),
                _ => return Err(self.cursor.error_from(start, "a set of integers")),
            }
        }
        Ok(Literal::Set(Domain::from_intervals(intervals)))
    }

    /// Reads a number, a range or a set in braces.
    fn simple_literal(&mut self) -> Result<Literal<'a>, ReadError> {
        let start = self.cursor.offset();
        if self.cursor.accept("{") {
            let mut list = self.cursor.list("}")?;
            let (mut values, mut is_float) = (Vec::new(), false);
            while self.cursor.next_item(&mut list)? {
                match self.cursor.number()? {
                    Number::Int(value) => values.push(value),
                    Number::Float(_) => is_float = true,
                }
            }
            return Ok(if is_float {
                Literal::Float(self.cursor.text_from(start))
            } else {
                Literal::Set(Domain::from_values(values))
            });
        }
        if !matches!(self.cursor.peek(), Some(b'-' | b'0'..=b'9')) {
            return Err(self.cursor.error("a value"));
        }
        let first = self.cursor.number()?;
        if !self.cursor.accept("..") {
            return Ok(match first {
                Number::Int(value) => Literal::Int(value),
                Number::Float(text) => Literal::Float(text),
            });
        }
        match (first, self.cursor.number()?) {
            (Number::Int(first), Number::Int(last)) => Ok(Literal::Set(Domain::interval(first, last))),
            _ => Ok(Literal::Float(self.cursor.text_from(start))),
        }
    }
}

pub(super) fn boolean(word: &str) -> Option<Operand> {
    match word {
        "true" => Some(Operand::Bool(true)),
        "false" => Some(Operand::Bool(false)),
        _ => None,
    }
}
