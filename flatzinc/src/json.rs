//! The reader of FlatZinc JSON, which MiniZinc writes for solvers with `"inputType": "JSON"`.
//!
//! The [specification](https://docs.minizinc.dev/en/stable/fzn-spec.html) defines the format. Members of objects may
//! be in any order, and unknown members are ignored.

mod object;

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use gordian_encodings::{Domain, Value};
use object::Members;

use crate::builder::{Builder, Name, OperandType, Parts, Symbol, annotation_array, annotation_of};
use crate::cursor::{Cursor, Number, ReadError, Syntax, quote};
use crate::instance::{Annotation, Argument, DEFINED, Goal, Instance, Operand, Place, VarDomain};

const NOT_FLOAT: &str = "an integer, Boolean or set of integers (floating-point numbers are not supported)";

/// Reads an instance in FlatZinc JSON.
///
/// # Errors
/// Returns an error if the text is not FlatZinc JSON, if a name is undeclared or declared twice, or if a variable is
/// a set or a floating-point number.
pub fn read(text: &str) -> Result<Instance, ReadError> {
    let mut reader = Reader { cursor: Cursor::new(text, Syntax::Json), builder: Builder::default() };
    let members = reader.members()?;
    reader.cursor.require_end()?;
    let missing =
        |key| ReadError::new(text.len()..text.len(), format!("a member \"{key}\""), "the end of the file");
    if reader.enter(&members, "version") {
        reader.version()?;
    }
    // The members are read in a fixed order, not in file order, because names must be declared before they are used.
    if !reader.enter(&members, "variables") {
        return Err(missing("variables"));
    }
    reader.each_member(Reader::variable)?;
    if reader.enter(&members, "arrays") {
        reader.each_member(Reader::array)?;
    }
    if !reader.enter(&members, "constraints") {
        return Err(missing("constraints"));
    }
    reader.each_item(Reader::constraint)?;
    if reader.enter(&members, "output") {
        let mut printed = HashSet::new();
        reader.each_item(|reader| reader.output(&mut printed))?;
    }
    if !reader.enter(&members, "solve") {
        return Err(missing("solve"));
    }
    let (goal, search) = reader.solve()?;
    Ok(reader.builder.finish(goal, search))
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    builder: Builder<'a>,
}

impl<'a> Reader<'a> {
    fn name(&mut self) -> Result<Name<'a>, ReadError> {
        let (text, span) = self.string()?;
        Name::new(text, span)
    }

    fn version(&mut self) -> Result<(), ReadError> {
        let (version, span) = self.string()?;
        if version.split('.').next() == Some("1") {
            Ok(())
        } else {
            Err(ReadError::new(span, "version \"1.0\"", quote(&version)))
        }
    }

    fn variable(&mut self, name: Cow<'a, str>, span: Range<usize>) -> Result<(), ReadError> {
        let name = Name::new(name, span.clone())?;
        self.object(|reader, members| {
            if !reader.enter(&members, "type") {
                return Err(ReadError::new(span, "a variable with a \"type\"", quote(&name.text)));
            }
            let (operand_type, type_span) = reader.string()?;
            let has_domain = reader.enter(&members, "domain");
            let mut value = None;
            let (operand_type, domain) = match &*operand_type {
                "bool" => {
                    // A Boolean domain may consist of a single value: `[true, true]`.
                    if has_domain {
                        let (mut has_true, mut has_false) = (false, false);
                        reader.each_item(|reader| {
                            let is_true = reader.boolean()?;
                            (has_true, has_false) = (has_true || is_true, has_false || !is_true);
                            Ok(())
                        })?;
                        value = (has_true != has_false).then_some(Operand::Bool(has_true));
                    }
                    (OperandType::Bool, VarDomain::Bool)
                }
                "int" if has_domain => (OperandType::Int, VarDomain::Int(reader.ranges()?)),
                "int" => (OperandType::Int, VarDomain::Unbounded),
                "set of int" => {
                    let expected =
                        "a Boolean or integer variable (`include \"nosets.mzn\"` replaces set variables)";
                    return Err(ReadError::new(type_span, expected, quote(&operand_type)));
                }
                "float" => {
                    let expected =
                        "a Boolean or integer variable (floating-point variables are not supported)";
                    return Err(ReadError::new(type_span, expected, quote(&operand_type)));
                }
                _ => {
                    return Err(ReadError::new(
                        type_span,
                        "a type \"bool\" or \"int\"",
                        quote(&operand_type),
                    ));
                }
            };
            if reader.enter(&members, "rhs") {
                value = Some(reader.operand_of(operand_type)?);
            }
            let annotations = reader.annotations_of(&members)?;
            reader.builder.declare_variable(name, domain, value, annotations).map(drop)
        })
    }

    /// Reads the annotations of an object. An annotation of a constraint or variable is a name or an object.
    fn annotations_of(&mut self, members: &Members) -> Result<Vec<Annotation>, ReadError> {
        let mut annotations = Vec::new();
        for (key, name) in [("introduced", "var_is_introduced"), ("defined", DEFINED)] {
            if self.enter(members, key) && self.boolean()? {
                annotations.push(Annotation::Name(self.builder.word(name)));
            }
        }
        if self.enter(members, "ann") {
            self.each_item(|reader| {
                let start = reader.cursor.offset();
                let annotation = if reader.cursor.peek() == Some(b'"') {
                    Annotation::Name(reader.annotation_name()?)
                } else {
                    reader.annotation_object()?
                };
                if let Annotation::Operand(_) = annotation {
                    return Err(reader.cursor.error_from(start, "an annotation"));
                }
                annotations.push(annotation);
                Ok(())
            })?;
        }
        if self.enter(members, "defines") {
            let name = self.builder.word("defines_var");
            annotations.push(Annotation::Call(name, vec![self.annotation_argument()?]));
        }
        Ok(annotations)
    }

    /// Reads a set as a list of ranges.
    fn ranges(&mut self) -> Result<Domain, ReadError> {
        let mut ranges = Vec::new();
        self.each_item(|reader| {
            let start = reader.cursor.offset();
            let mut ends = Vec::new();
            reader.each_item(|reader| {
                let start = reader.cursor.offset();
                match reader.cursor.number()? {
                    Number::Int(end) => ends.push(end),
                    Number::Float(_) => return Err(reader.cursor.error_from(start, "an integer")),
                }
                Ok(())
            })?;
            let [first, last] = ends[..] else {
                return Err(reader.cursor.error_from(start, "a range of two integers"));
            };
            ranges.push((first, last));
            Ok(())
        })?;
        Ok(Domain::from_intervals(ranges))
    }

    fn array(&mut self, name: Cow<'a, str>, span: Range<usize>) -> Result<(), ReadError> {
        let name = Name::new(name, span.clone())?;
        self.object(|reader, members| {
            if !reader.enter(&members, "a") {
                return Err(ReadError::new(span, "an array with elements \"a\"", quote(&name.text)));
            }
            let (mut elements, mut is_float) = (Vec::new(), false);
            reader.each_item(|reader| {
                if !matches!(reader.cursor.peek(), Some(b'-' | b'0'..=b'9')) {
                    elements.push(reader.operand()?);
                    return Ok(());
                }
                match reader.cursor.number()? {
                    Number::Int(value) => elements.push(Operand::Int(value)),
                    Number::Float(_) => is_float = true,
                }
                Ok(())
            })?;
            let symbol = if is_float { Symbol::Float } else { Symbol::Array(elements.into()) };
            reader.builder.declare(name, symbol)
        })
    }

    fn elements(&mut self) -> Result<Arc<[Operand]>, ReadError> {
        let mut elements = Vec::new();
        self.each_item(|reader| {
            elements.push(reader.operand()?);
            Ok(())
        })?;
        Ok(elements.into())
    }

    fn operand_of(&mut self, operand_type: OperandType) -> Result<Operand, ReadError> {
        let start = self.cursor.offset();
        let operand = self.operand()?;
        if self.builder.type_of(&operand) == operand_type {
            Ok(operand)
        } else {
            Err(self.cursor.error_from(start, operand_type.expected()))
        }
    }

    fn operand(&mut self) -> Result<Operand, ReadError> {
        let start = self.cursor.offset();
        match self.operands()? {
            Argument::One(operand) => Ok(operand),
            Argument::Array(_) => Err(self.cursor.error_from(start, "an element, not an array")),
        }
    }

    /// Reads an argument of a constraint.
    fn operands(&mut self) -> Result<Argument, ReadError> {
        let start = self.cursor.offset();
        match self.cursor.peek() {
            Some(b'[') => self.elements().map(Argument::Array),
            Some(b'"') => {
                let (text, span) = self.string()?;
                match self.builder.resolve(&text, span.clone())? {
                    Symbol::Operand(operand) => Ok(Argument::One(operand.clone())),
                    Symbol::Array(elements) => Ok(Argument::Array(Arc::clone(elements))),
                    Symbol::Float => Err(ReadError::new(span, NOT_FLOAT, quote(&text))),
                }
            }
            Some(b'{') => self.object(|reader, members| {
                if reader.enter(&members, "set") {
                    return Ok(Argument::One(Operand::Set(Arc::new(reader.ranges()?))));
                }
                reader.cursor.go_to(start);
                Err(reader.cursor.error("an integer, Boolean or set of integers"))
            }),
            Some(b'-' | b'0'..=b'9') => match self.cursor.number()? {
                Number::Int(value) => Ok(Argument::One(Operand::Int(value))),
                Number::Float(_) => Err(self.cursor.error_from(start, NOT_FLOAT)),
            },
            _ => self.boolean().map(|value| Argument::One(Operand::Bool(value))),
        }
    }

    fn constraint(&mut self) -> Result<(), ReadError> {
        let place = Place(self.cursor.offset());
        self.object(|reader, members| {
            if !reader.enter(&members, "id") {
                return Err(ReadError::new(place.0..place.0 + 1, "a constraint with an \"id\"", "`{`"));
            }
            let name = reader.name()?;
            let name = reader.builder.word(&name.text);
            let mut arguments = Vec::new();
            if reader.enter(&members, "args") {
                reader.each_item(|reader| {
                    arguments.push(reader.operands()?);
                    Ok(())
                })?;
            }
            let annotations = reader.annotations_of(&members)?;
            reader.builder.constrain(Parts { name, arguments, annotations }, place);
            Ok(())
        })
    }

    /// Reads a name in the list of output variables.
    fn output(&mut self, printed: &mut HashSet<Cow<'a, str>>) -> Result<(), ReadError> {
        let (name, span) = self.string()?;
        match self.builder.resolve(&name, span.clone())? {
            &Symbol::Operand(Operand::Var(id)) => self.builder.print_variable(id),
            Symbol::Array(elements) => {
                let elements = Arc::clone(elements);
                self.builder.print_array(Arc::from(&*name), vec![(1, elements.len() as Value)], elements);
            }
            _ => return Err(ReadError::new(span, "the name of a variable or array", quote(&name))),
        }
        let found = format!("{} again", quote(&name));
        if printed.insert(name) { Ok(()) } else { Err(ReadError::new(span, "a new name", found)) }
    }

    fn solve(&mut self) -> Result<(Goal, Vec<Annotation>), ReadError> {
        let start = self.cursor.offset();
        self.object(|reader, members| {
            if !reader.enter(&members, "method") {
                return Err(ReadError::new(start..start + 1, "an object with a \"method\"", "`{`"));
            }
            let (method, span) = reader.string()?;
            let objective = |reader: &mut Self| {
                if reader.enter(&members, "objective") {
                    return reader.operand_of(OperandType::Int);
                }
                Err(ReadError::new(span.clone(), "an object with an \"objective\"", quote(&method)))
            };
            let goal = match &*method {
                "satisfy" => Goal::Satisfy,
                "minimize" => Goal::Minimise(objective(reader)?),
                "maximize" => Goal::Maximise(objective(reader)?),
                _ => {
                    let expected = "\"satisfy\", \"minimize\" or \"maximize\"";
                    return Err(ReadError::new(span, expected, quote(&method)));
                }
            };
            Ok((goal, reader.annotations_of(&members)?))
        })
    }

    fn annotation_name(&mut self) -> Result<Arc<str>, ReadError> {
        let name = self.name()?;
        Ok(self.builder.word(&name.text))
    }

    /// Reads an object in an annotation: a call, a string or a set.
    fn annotation_object(&mut self) -> Result<Annotation, ReadError> {
        let start = self.cursor.offset();
        self.object(|reader, members| {
            if reader.enter(&members, "string") {
                let (text, _) = reader.string()?;
                return Ok(Annotation::Text(text.into()));
            }
            if reader.enter(&members, "set") {
                return Ok(Annotation::Operand(Operand::Set(Arc::new(reader.ranges()?))));
            }
            if !reader.enter(&members, "id") {
                return Err(ReadError::new(start..start + 1, "an object with an \"id\"", "`{`"));
            }
            let name = reader.annotation_name()?;
            let mut arguments = Vec::new();
            if reader.enter(&members, "args") {
                arguments = reader.annotation_arguments()?;
            }
            Ok(Annotation::Call(name, arguments))
        })
    }

    fn annotation_arguments(&mut self) -> Result<Vec<Annotation>, ReadError> {
        let mut arguments = Vec::new();
        self.each_item(|reader| {
            arguments.push(reader.annotation_argument()?);
            Ok(())
        })?;
        Ok(arguments)
    }

    /// Reads an argument of an annotation. An undeclared name becomes an annotation without arguments.
    fn annotation_argument(&mut self) -> Result<Annotation, ReadError> {
        match self.cursor.peek() {
            Some(b'[') => self.annotation_arguments().map(annotation_array),
            Some(b'{') => self.annotation_object(),
            Some(b'"') => {
                let name = self.name()?;
                match self.builder.find(&name.text).and_then(annotation_of) {
                    Some(annotation) => Ok(annotation),
                    None => Ok(Annotation::Name(self.builder.word(&name.text))),
                }
            }
            Some(b'-' | b'0'..=b'9') => Ok(match self.cursor.number()? {
                Number::Int(value) => Annotation::Operand(Operand::Int(value)),
                Number::Float(text) => Annotation::Float(text.into()),
            }),
            _ => self.boolean().map(|value| Annotation::Operand(Operand::Bool(value))),
        }
    }
}
