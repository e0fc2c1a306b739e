//! The reader of FlatZinc text.
//!
//! The [specification](https://docs.minizinc.dev/en/stable/fzn-spec.html) defines the grammar. The reader reads one
//! item at a time, with one token of lookahead. The reader also accepts input beyond the specification: declarations
//! and constraints may be in any order, as long as names are declared before they are used; an operand can be an
//! element of an array (`a[3]`); and a set can be a union (`1..3 union 7..9`).

mod annotation;
mod operand;

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use gordian_encodings::{Domain, Value};
use operand::Literal;

use crate::builder::{Builder, Name, OperandType, Parts, Symbol};
use crate::cursor::{Cursor, Number, ReadError, Syntax, quote};
use crate::instance::{Annotation, Argument, Goal, Instance, Place, VarDomain};

/// Reads an instance in FlatZinc.
///
/// # Errors
/// Returns an error if the text is not FlatZinc, if a name is undeclared or declared twice, or if a variable is a set
/// or a floating-point number.
pub fn read(text: &str) -> Result<Instance, ReadError> {
    let mut reader = Reader {
        cursor: Cursor::new(text, Syntax::FlatZinc),
        builder: Builder::default(),
        predicates: HashSet::new(),
    };
    let (goal, search) = loop {
        if let Some(solve) = reader.item()? {
            break solve;
        }
    };
    reader.cursor.require_end()?;
    Ok(reader.builder.finish(goal, search))
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    builder: Builder<'a>,
    predicates: HashSet<&'a str>,
}

/// The type of a variable, a parameter, or the elements of an array.
enum Type {
    Bool,
    Int,
    Within(Domain),
    Set,
    Float,
}

impl Type {
    /// Returns the type of the operands, or `None` if they are floating-point numbers.
    fn operand_type(&self) -> Option<OperandType> {
        match self {
            Self::Bool => Some(OperandType::Bool),
            Self::Int | Self::Within(_) => Some(OperandType::Int),
            Self::Set => Some(OperandType::Set),
            Self::Float => None,
        }
    }
}

impl<'a> Reader<'a> {
    /// Reads an item. If it is the solve item, returns the goal and its annotations, and otherwise `None`.
    fn item(&mut self) -> Result<Option<(Goal, Vec<Annotation>)>, ReadError> {
        let start = self.cursor.offset();
        match self.cursor.word() {
            Some("predicate") => self.predicate()?,
            Some("constraint") => self.constraint(start)?,
            Some("solve") => {
                let solve = self.solve()?;
                self.cursor.require(";")?;
                return Ok(Some(solve));
            }
            Some("array") => self.array(start)?,
            Some("var") => self.variable()?,
            Some("bool" | "int" | "float" | "set") => {
                self.cursor.go_to(start);
                self.parameter()?;
            }
            _ => {
                self.cursor.go_to(start);
                return Err(self.cursor.error("a declaration, `constraint` or `solve`"));
            }
        }
        self.cursor.require(";")?;
        Ok(None)
    }

    /// Reads the rest of a predicate item, after its first word. The declared types are ignored, because the
    /// translation checks the arguments of constraints.
    fn predicate(&mut self) -> Result<(), ReadError> {
        let name = self.name()?;
        let Cow::Borrowed(text) = name.text else { return Ok(()) };
        if !self.predicates.insert(text) {
            let found = format!("{}, which is declared already", quote(text));
            return Err(ReadError::new(name.span, "a new predicate", found));
        }
        self.cursor.require("(")?;
        let mut list = self.cursor.list(")")?;
        while self.cursor.next_item(&mut list)? {
            if self.cursor.accept_word("array") {
                self.cursor.require("[")?;
                if !self.cursor.accept_word("int") {
                    self.literal()?;
                }
                self.cursor.require("]")?;
                self.keyword("of")?;
            }
            self.cursor.accept_word("var");
            self.type_of()?;
            self.cursor.require(":")?;
            self.name()?;
            self.annotations()?;
        }
        self.annotations()?;
        Ok(())
    }

    fn keyword(&mut self, word: &'static str) -> Result<(), ReadError> {
        if self.cursor.accept_word(word) { Ok(()) } else { Err(self.cursor.error(format!("`{word}`"))) }
    }

    fn name(&mut self) -> Result<Name<'a>, ReadError> {
        let start = self.cursor.offset();
        match self.cursor.word() {
            Some(word) => Name::new(Cow::Borrowed(word), self.cursor.span_from(start)),
            None => Err(self.cursor.error("a name")),
        }
    }

    fn type_of(&mut self) -> Result<Type, ReadError> {
        let expected = "`bool`, `int`, `float`, `set of` or a domain";
        let start = self.cursor.offset();
        match self.cursor.word() {
            Some("bool") => Ok(Type::Bool),
            Some("int") => Ok(Type::Int),
            Some("float") => Ok(Type::Float),
            Some("set") => {
                self.keyword("of")?;
                if !self.cursor.accept_word("int") {
                    self.literal()?;
                }
                Ok(Type::Set)
            }
            Some(_) => Err(self.cursor.error_from(start, expected)),
            None if !matches!(self.cursor.peek(), Some(b'{' | b'-' | b'0'..=b'9')) => {
                Err(self.cursor.error(expected))
            }
            None => match self.literal()? {
                Literal::Set(domain) => Ok(Type::Within(domain)),
                Literal::Float(_) => Ok(Type::Float),
                Literal::Int(_) => Err(self.cursor.error("`..`")),
            },
        }
    }

    /// Reads the rest of a variable declaration, after its first word.
    fn variable(&mut self) -> Result<(), ReadError> {
        let start = self.cursor.offset();
        let domain = match self.type_of()? {
            Type::Bool => VarDomain::Bool,
            Type::Int => VarDomain::Unbounded,
            Type::Within(domain) => VarDomain::Int(domain),
            Type::Set => {
                let expected =
                    "a Boolean or integer variable (`include \"nosets.mzn\"` replaces set variables)";
                return Err(self.cursor.error_from(start, expected));
            }
            Type::Float => {
                let expected = "a Boolean or integer variable (floating-point variables are not supported)";
                return Err(self.cursor.error_from(start, expected));
            }
        };
        self.cursor.require(":")?;
        let name = self.name()?;
        let annotations = self.declaration_annotations()?;
        let operand_type = if domain == VarDomain::Bool { OperandType::Bool } else { OperandType::Int };
        let value = if self.cursor.accept("=") { Some(self.operand_of(operand_type)?) } else { None };
        let id = self.builder.declare_variable(name, domain, value, annotations.others)?;
        if annotations.is_output {
            self.builder.print_variable(id);
        }
        Ok(())
    }

    /// Reads the declaration of a parameter that is not an array.
    fn parameter(&mut self) -> Result<(), ReadError> {
        let operand_type = self.type_of()?.operand_type();
        self.cursor.require(":")?;
        let name = self.name()?;
        self.declaration_annotations()?;
        self.cursor.require("=")?;
        let symbol = match operand_type {
            Some(operand_type) => Symbol::Operand(self.constant(operand_type)?),
            None => self.float()?,
        };
        self.builder.declare(name, symbol)
    }

    /// Reads a floating-point constant.
    fn float(&mut self) -> Result<Symbol, ReadError> {
        let start = self.cursor.offset();
        match self.literal()? {
            Literal::Float(_) | Literal::Int(_) => Ok(Symbol::Float),
            Literal::Set(_) => Err(self.cursor.error_from(start, "a floating-point number")),
        }
    }

    /// Reads the rest of an array declaration, after its first word.
    fn array(&mut self, start: usize) -> Result<(), ReadError> {
        self.cursor.require("[")?;
        let length = self.length()?;
        self.cursor.require("]")?;
        self.keyword("of")?;
        let is_var = self.cursor.accept_word("var");
        let type_start = self.cursor.offset();
        let element = self.type_of()?;
        if is_var && element.operand_type().is_none() {
            let expected = "Boolean or integer variables (floating-point variables are not supported)";
            return Err(self.cursor.error_from(type_start, expected));
        }
        self.cursor.require(":")?;
        let name = self.name()?;
        let annotations_start = self.cursor.offset();
        let annotations = self.declaration_annotations()?;
        let annotations_span = self.cursor.span_from(annotations_start);
        self.cursor.require("=")?;
        let value_start = self.cursor.offset();
        let Some(operand_type) = element.operand_type() else {
            let count = self.floats()?;
            self.check_length(length, count, value_start)?;
            return self.builder.declare(name, Symbol::Float);
        };
        let elements = if self.cursor.peek() == Some(b'[') {
            self.elements(|reader| {
                if is_var { reader.operand_of(operand_type) } else { reader.constant(operand_type) }
            })?
        } else {
            match self.operands()? {
                Argument::Array(elements) => elements,
                Argument::One(_) => return Err(self.cursor.error_from(value_start, "an array")),
            }
        };
        self.check_length(length, elements.len(), value_start)?;
        if let Type::Within(domain) = element {
            self.builder.restrict(&elements, domain, Place(start));
        }
        let printed = Arc::from(&*name.text);
        self.builder.declare(name, Symbol::Array(Arc::clone(&elements)))?;
        if let Some(dimensions) = annotations.dimensions {
            let size = dimensions.iter().try_fold(1, |size: Value, &(first, last)| {
                size.checked_mul(last.checked_sub(first)?.checked_add(1)?)
            });
            if size != Some(elements.len() as Value) {
                let found = format!(
                    "index sets of {} elements",
                    size.map_or("more".to_owned(), |size| size.to_string())
                );
                let expected = format!("index sets of {} elements", elements.len());
                return Err(ReadError::new(annotations_span, expected, found));
            }
            self.builder.print_array(printed, dimensions, elements);
        }
        Ok(())
    }

    /// Reads the index set of an array, and returns the number of elements.
    fn length(&mut self) -> Result<Value, ReadError> {
        let start = self.cursor.offset();
        let expected = "an index set `1..n`";
        let Ok(Number::Int(1)) = self.cursor.number() else {
            self.cursor.go_to(start);
            return Err(self.cursor.error(expected));
        };
        self.cursor.require("..")?;
        match self.cursor.number()? {
            Number::Int(last) => Ok(last.max(0)),
            Number::Float(_) => Err(self.cursor.error_from(start, expected)),
        }
    }

    fn check_length(&self, length: Value, count: usize, start: usize) -> Result<(), ReadError> {
        if length == count as Value {
            return Ok(());
        }
        let span = self.cursor.span_from(start);
        Err(ReadError::new(span, format!("an array of length {length}"), format!("length {count}")))
    }

    /// Reads an array of floating-point constants, and returns their number.
    fn floats(&mut self) -> Result<usize, ReadError> {
        self.cursor.require("[")?;
        let mut list = self.cursor.list("]")?;
        let mut count = 0;
        while self.cursor.next_item(&mut list)? {
            self.float()?;
            count += 1;
        }
        Ok(count)
    }

    /// Reads the rest of a constraint item, after its first word.
    fn constraint(&mut self, start: usize) -> Result<(), ReadError> {
        let name = self.name()?;
        let name = self.builder.word(&name.text);
        self.cursor.require("(")?;
        let mut list = self.cursor.list(")")?;
        let mut arguments = Vec::new();
        while self.cursor.next_item(&mut list)? {
            arguments.push(if self.cursor.peek() == Some(b'[') {
                Argument::Array(self.elements(Self::operand)?)
            } else {
                self.operands()?
            });
        }
        let annotations = self.annotations()?;
        self.builder.constrain(Parts { name, arguments, annotations }, Place(start));
        Ok(())
    }

    /// Reads the rest of the solve item, after its first word.
    fn solve(&mut self) -> Result<(Goal, Vec<Annotation>), ReadError> {
        let annotations = self.annotations()?;
        let goal = match self.cursor.peek_word() {
            Some("satisfy") => {
                self.cursor.word();
                Goal::Satisfy
            }
            Some("minimize") => {
                self.cursor.word();
                Goal::Minimise(self.operand_of(OperandType::Int)?)
            }
            Some("maximize") => {
                self.cursor.word();
                Goal::Maximise(self.operand_of(OperandType::Int)?)
            }
            _ => return Err(self.cursor.error("`satisfy`, `minimize` or `maximize`")),
        };
        Ok((goal, annotations))
    }
}
