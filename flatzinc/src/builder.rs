//! The instance builder, which the readers of FlatZinc text and FlatZinc JSON share.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use gordian_encodings::{Domain, Value};

use crate::cursor::{ReadError, is_word, quote};
use crate::instance::{
    Annotation, Argument, BOUNDS, Call, Goal, Instance, Operand, Output, Place, VarDomain, VarId, Variable,
};

/// The declaration of a name: an operand, an array or a floating-point parameter.
#[derive(Clone)]
pub(crate) enum Symbol {
    Operand(Operand),
    Array(Arc<[Operand]>),
    /// A floating-point parameter, or an array of floating-point numbers.
    Float,
}

/// The type of an operand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OperandType {
    Bool,
    Int,
    Set,
}

impl OperandType {
    pub(crate) fn expected(self) -> &'static str {
        match self {
            Self::Bool => "a Boolean",
            Self::Int => "an integer",
            Self::Set => "a set of integers",
        }
    }
}

/// A name in the input.
pub(crate) struct Name<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) span: Range<usize>,
}

impl<'a> Name<'a> {
    /// Checks that `text` can be the name of a variable or parameter.
    pub(crate) fn new(text: Cow<'a, str>, span: Range<usize>) -> Result<Self, ReadError> {
        if is_word(text.as_bytes()) && !matches!(&*text, "true" | "false") {
            Ok(Self { text, span })
        } else {
            Err(ReadError::new(span, "a name", quote(&text)))
        }
    }

    fn place(&self) -> Place {
        Place(self.span.start)
    }
}

/// The name, arguments and annotations of a constraint.
pub(crate) struct Parts {
    pub(crate) name: Arc<str>,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) annotations: Vec<Annotation>,
}

/// The declarations and constraints read so far.
#[derive(Default)]
pub(crate) struct Builder<'a> {
    symbols: HashMap<Cow<'a, str>, Symbol>,
    /// The names of constraints and annotations. Equal names share one copy of the text.
    words: HashSet<Arc<str>>,
    variables: Vec<Variable>,
    constraints: Vec<Call>,
    output: Vec<Output>,
}

impl<'a> Builder<'a> {
    /// Returns the name of a constraint or annotation as a shared string.
    pub(crate) fn word(&mut self, word: &str) -> Arc<str> {
        if let Some(known) = self.words.get(word) {
            return Arc::clone(known);
        }
        let new: Arc<str> = word.into();
        self.words.insert(Arc::clone(&new));
        new
    }

    /// Returns the declaration of a name, or `None` if the name is not declared.
    pub(crate) fn find(&self, name: &str) -> Option<&Symbol> {
        self.symbols.get(name)
    }

    /// Returns the declaration of a name, or an error if the name is not declared.
    pub(crate) fn resolve(&self, name: &str, span: Range<usize>) -> Result<&Symbol, ReadError> {
        self.find(name).ok_or_else(|| ReadError::new(span, "a declared name", quote(name)))
    }

    /// Returns the type of an operand.
    pub(crate) fn type_of(&self, operand: &Operand) -> OperandType {
        match operand {
            Operand::Bool(_) => OperandType::Bool,
            Operand::Int(_) => OperandType::Int,
            Operand::Set(_) => OperandType::Set,
            Operand::Var(id) => match self.variables[id.0 as usize].domain {
                VarDomain::Bool => OperandType::Bool,
                VarDomain::Unbounded | VarDomain::Int(_) => OperandType::Int,
            },
        }
    }

    /// Declares a name.
    pub(crate) fn declare(&mut self, name: Name<'a>, symbol: Symbol) -> Result<(), ReadError> {
        if self.symbols.contains_key(&name.text) {
            let found = format!("{}, which is declared already", quote(&name.text));
            return Err(ReadError::new(name.span, "a new name", found));
        }
        self.symbols.insert(name.text, symbol);
        Ok(())
    }

    /// Declares a variable and returns it. The bounds of the domain must not be -2^127 or 2^127 - 1.
    pub(crate) fn declare_variable(
        &mut self,
        name: Name<'a>,
        domain: VarDomain,
        value: Option<Operand>,
        annotations: Vec<Annotation>,
    ) -> Result<VarId, ReadError> {
        let Ok(index) = u32::try_from(self.variables.len()) else {
            return Err(ReadError::new(name.span, "at most 4294967296 variables", "more"));
        };
        let is_infinite = |(first, last)| first == Value::MIN || last == Value::MAX;
        if let VarDomain::Int(domain) = &domain
            && domain.intervals().any(is_infinite)
        {
            return Err(ReadError::new(
                name.span,
                BOUNDS,
                format!("{} with other bounds", quote(&name.text)),
            ));
        }
        let id = VarId(index);
        let (written, place) = (Arc::from(&*name.text), name.place());
        self.declare(name, Symbol::Operand(Operand::Var(id)))?;
        self.variables.push(Variable { name: written, domain, value, annotations, place });
        Ok(id)
    }

    /// Restricts the elements of an array to a domain. Only elements whose declared domain may contain values outside
    /// `domain` get a constraint.
    pub(crate) fn restrict(&mut self, elements: &[Operand], domain: Domain, place: Place) {
        let domain = Arc::new(domain);
        // This check considers only the first interval of the domain, so an element may get a redundant constraint.
        // Such constraints are rare, because MiniZinc declares no domains for the elements of an array.
        let contains =
            |first, last| domain.intervals().next().is_some_and(|(from, to)| from <= first && last <= to);
        let name = self.word("set_in");
        for element in elements {
            let is_inside = match element {
                Operand::Int(value) => domain.contains(*value),
                Operand::Var(id) => match &self.variables[id.0 as usize].domain {
                    VarDomain::Int(own) => own.is_empty() || contains(own.min(), own.max()),
                    VarDomain::Bool | VarDomain::Unbounded => false,
                },
                Operand::Bool(_) | Operand::Set(_) => true,
            };
            if !is_inside {
                let set = Operand::Set(Arc::clone(&domain));
                let arguments = vec![Argument::One(element.clone()), Argument::One(set)];
                let name = Arc::clone(&name);
                self.constraints.push(Call { name, arguments, annotations: Vec::new(), place });
            }
        }
    }

    /// Adds a constraint.
    pub(crate) fn constrain(&mut self, parts: Parts, place: Place) {
        let Parts { name, arguments, annotations } = parts;
        self.constraints.push(Call { name, arguments, annotations, place });
    }

    /// Adds a variable to the output.
    pub(crate) fn print_variable(&mut self, id: VarId) {
        let variable = &self.variables[id.0 as usize];
        self.output.push(Output {
            name: Arc::clone(&variable.name),
            is_bool: variable.domain == VarDomain::Bool,
            dimensions: None,
            elements: Arc::new([Operand::Var(id)]),
        });
    }

    /// Adds an array to the output.
    pub(crate) fn print_array(
        &mut self,
        name: Arc<str>,
        dimensions: Vec<(Value, Value)>,
        elements: Arc<[Operand]>,
    ) {
        let is_bool = elements.first().is_some_and(|first| self.type_of(first) == OperandType::Bool);
        self.output.push(Output { name, is_bool, dimensions: Some(dimensions), elements });
    }

    /// Returns the finished instance.
    pub(crate) fn finish(self, goal: Goal, search: Vec<Annotation>) -> Instance {
        let Self { variables, constraints, output, .. } = self;
        Instance { variables, constraints, goal, search, output }
    }
}

/// Converts an array in an annotation. If all elements are constants or variables, the result is
/// [`Annotation::Operands`].
pub(crate) fn annotation_array(elements: Vec<Annotation>) -> Annotation {
    if !elements.iter().all(|element| matches!(element, Annotation::Operand(_))) {
        return Annotation::Array(elements);
    }
    let operands = elements.into_iter().filter_map(|element| match element {
        Annotation::Operand(operand) => Some(operand),
        _ => None,
    });
    Annotation::Operands(operands.collect())
}

/// Converts a declared name that is an argument of an annotation. Returns `None` for floating-point numbers.
pub(crate) fn annotation_of(symbol: &Symbol) -> Option<Annotation> {
    match symbol {
        Symbol::Operand(operand) => Some(Annotation::Operand(operand.clone())),
        Symbol::Array(elements) => Some(Annotation::Operands(Arc::clone(elements))),
        Symbol::Float => None,
    }
}
