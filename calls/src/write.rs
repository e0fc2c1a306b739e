//! The output of instances and constants as FlatZinc text.

use std::collections::{HashMap, HashSet};
use std::fmt::{self, Display, Formatter, Write as _};
use std::sync::Arc;

use gordian_encodings::Domain;

use crate::instance::{Annotation, Argument, Goal, Instance, Operand, Output, VarDomain};

/// The maximum size of a set with gaps that is written as a list. A larger set is written as a union of ranges, which
/// `gordian_flatzinc::text::read` accepts although FlatZinc does not allow it.
const LONGEST_LIST: u128 = 1 << 16;

/// Writes the instance as FlatZinc text.
///
/// If all names are valid in FlatZinc, `gordian_flatzinc::text::read` converts the text back to an equal instance,
/// except for the locations.
impl Display for Instance {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let writer = Writer::new(self);
        let mut arrays = writer.arrays.iter().peekable();
        let all = self.variables.len();
        for index in 0..=all {
            while let Some(array) = arrays.next_if(|array| array.after <= index) {
                writer.array(f, array)?;
            }
            if index < all {
                writer.variable(f, index)?;
            }
        }
        for call in &self.constraints {
            write!(f, "constraint {}(", call.name)?;
            separated(f, &call.arguments, |f, argument| match argument {
                Argument::One(operand) => writer.operand(f, operand),
                Argument::Array(elements) => writer.elements(f, elements, all),
            })?;
            f.write_char(')')?;
            writer.annotations(f, &call.annotations, all)?;
            f.write_str(";\n")?;
        }
        f.write_str("solve")?;
        writer.annotations(f, &self.search, all)?;
        match &self.goal {
            Goal::Satisfy => f.write_str(" satisfy")?,
            Goal::Minimise(objective) => {
                f.write_str(" minimize ")?;
                writer.operand(f, objective)?;
            }
            Goal::Maximise(objective) => {
                f.write_str(" maximize ")?;
                writer.operand(f, objective)?;
            }
        }
        f.write_str(";\n")
    }
}

/// An array that is declared with a name.
struct NamedArray<'a> {
    name: String,
    elements: &'a Arc<[Operand]>,
    output: Option<&'a Output>,
    /// The number of variable declarations that must precede the declaration of the array.
    after: usize,
}

struct Writer<'a> {
    instance: &'a Instance,
    /// The output arrays and all arrays that are used more than once, sorted by [`NamedArray::after`].
    arrays: Vec<NamedArray<'a>>,
    /// Maps the memory address of each array to its index in `arrays`.
    names: HashMap<*const Operand, usize>,
    /// The names of the output variables that are not arrays.
    printed: HashSet<&'a str>,
}

impl<'a> Writer<'a> {
    fn new(instance: &'a Instance) -> Self {
        let mut uses = Uses::default();
        let calls = instance.constraints.iter();
        uses.annotations(instance.variables.iter().flat_map(|variable| &variable.annotations));
        for call in calls {
            for argument in &call.arguments {
                if let Argument::Array(elements) = argument {
                    uses.array(elements);
                }
            }
            uses.annotations(&call.annotations);
        }
        uses.annotations(&instance.search);
        uses.names.extend(instance.variables.iter().map(|variable| &*variable.name));
        uses.names.extend(instance.output.iter().map(|output| &*output.name));

        let mut writer =
            Self { instance, arrays: Vec::new(), names: HashMap::new(), printed: HashSet::new() };
        // The output arrays must be declared in the order in which they are printed.
        let (mut after, mut own) = (0, HashSet::new());
        for output in &instance.output {
            after = after.max(declared_before(&output.elements));
            if output.dimensions.is_some() {
                let (name, elements) = (output.name.to_string(), &output.elements);
                own.insert(address(elements));
                writer.arrays.push(NamedArray { name, elements, output: Some(output), after });
            } else {
                writer.printed.insert(&output.name);
            }
        }
        let mut number = 0;
        for (elements, count) in uses.arrays {
            let is_shared = count > 1 && !elements.is_empty() && !own.contains(&address(elements));
            if is_shared && writer.type_of(elements).is_some() {
                let name = loop {
                    number += 1;
                    let name = format!("X_ARRAY_{number}_");
                    if !uses.names.contains(&*name) {
                        break name;
                    }
                };
                let after = declared_before(elements);
                writer.arrays.push(NamedArray { name, elements, output: None, after });
            }
        }
        writer.arrays.sort_by_key(|array| array.after);
        for (index, array) in writer.arrays.iter().enumerate() {
            writer.names.entry(address(array.elements)).or_insert(index);
        }
        writer
    }

    /// Returns the type of the elements of an array, or `None` if the elements have different types.
    fn type_of(&self, elements: &[Operand]) -> Option<&'static str> {
        let one = |operand: &Operand| match operand {
            Operand::Bool(_) => "bool",
            Operand::Int(_) => "int",
            Operand::Set(_) => "set of int",
            Operand::Var(id) => match self.instance.variables[id.0 as usize].domain {
                VarDomain::Bool => "bool",
                VarDomain::Unbounded | VarDomain::Int(_) => "int",
            },
        };
        let first = elements.first().map_or("int", one);
        elements.iter().all(|element| one(element) == first).then_some(first)
    }

    fn variable(&self, f: &mut Formatter<'_>, index: usize) -> fmt::Result {
        let variable = &self.instance.variables[index];
        match &variable.domain {
            VarDomain::Bool => f.write_str("var bool")?,
            VarDomain::Unbounded => f.write_str("var int")?,
            VarDomain::Int(domain) => write!(f, "var {}", Set(domain))?,
        }
        write!(f, ": {}", variable.name)?;
        if self.printed.contains(&*variable.name) {
            f.write_str(" :: output_var")?;
        }
        self.annotations(f, &variable.annotations, index)?;
        if let Some(value) = &variable.value {
            f.write_str(" = ")?;
            self.operand(f, value)?;
        }
        f.write_str(";\n")
    }

    fn array(&self, f: &mut Formatter<'_>, array: &NamedArray<'_>) -> fmt::Result {
        let variable =
            if array.output.is_some() || declared_before(array.elements) > 0 { "var " } else { "" };
        let type_of = self.type_of(array.elements).unwrap_or("int");
        write!(f, "array [1..{}] of {variable}{type_of}: {}", array.elements.len(), array.name)?;
        if let Some(dimensions) = array.output.and_then(|output| output.dimensions.as_ref()) {
            f.write_str(" :: output_array([")?;
            separated(f, dimensions, |f, (first, last)| write!(f, "{first}..{last}"))?;
            f.write_str("])")?;
        }
        f.write_str(" = ")?;
        self.literal(f, array.elements)?;
        f.write_str(";\n")
    }

    /// Writes the name of an array, or its elements if it is not declared. The argument `declared` is the number of
    /// variables declared so far.
    fn elements(&self, f: &mut Formatter<'_>, elements: &Arc<[Operand]>, declared: usize) -> fmt::Result {
        match self.names.get(&address(elements)) {
            Some(&index) if !elements.is_empty() && self.arrays[index].after <= declared => {
                f.write_str(&self.arrays[index].name)
            }
            _ => self.literal(f, elements),
        }
    }

    fn literal(&self, f: &mut Formatter<'_>, elements: &[Operand]) -> fmt::Result {
        f.write_char('[')?;
        separated(f, elements, |f, element| self.operand(f, element))?;
        f.write_char(']')
    }

    fn operand(&self, f: &mut Formatter<'_>, operand: &Operand) -> fmt::Result {
        match operand {
            Operand::Var(id) => f.write_str(&self.instance.variables[id.0 as usize].name),
            constant => write_constant(f, constant),
        }
    }

    fn annotations(&self, f: &mut Formatter<'_>, annotations: &[Annotation], declared: usize) -> fmt::Result {
        annotations.iter().try_for_each(|annotation| {
            f.write_str(" :: ")?;
            self.annotation(f, annotation, declared)
        })
    }

    fn annotation(&self, f: &mut Formatter<'_>, annotation: &Annotation, declared: usize) -> fmt::Result {
        let list = |f: &mut Formatter<'_>, open: &str, items: &[Annotation], close| {
            f.write_str(open)?;
            separated(f, items, |f, item| self.annotation(f, item, declared))?;
            f.write_char(close)
        };
        match annotation {
            Annotation::Name(text) | Annotation::Float(text) => f.write_str(text),
            Annotation::Call(name, arguments) => {
                f.write_str(name)?;
                list(f, "(", arguments, ')')
            }
            Annotation::Operand(operand) => self.operand(f, operand),
            Annotation::Text(text) => write_string(f, text),
            Annotation::Operands(elements) => self.elements(f, elements, declared),
            Annotation::Array(elements) => list(f, "[", elements, ']'),
        }
    }
}

/// All arrays and names of an instance, and how often each array is used.
#[derive(Default)]
struct Uses<'a> {
    /// The arrays in the order of their first use, each with its number of uses.
    arrays: Vec<(&'a Arc<[Operand]>, usize)>,
    positions: HashMap<*const Operand, usize>,
    names: HashSet<&'a str>,
}

impl<'a> Uses<'a> {
    fn array(&mut self, elements: &'a Arc<[Operand]>) {
        let position = *self.positions.entry(address(elements)).or_insert_with(|| {
            self.arrays.push((elements, 0));
            self.arrays.len() - 1
        });
        self.arrays[position].1 += 1;
    }

    fn annotations(&mut self, annotations: impl IntoIterator<Item = &'a Annotation>) {
        for annotation in annotations {
            match annotation {
                Annotation::Name(name) => drop(self.names.insert(name)),
                Annotation::Call(name, arguments) => {
                    self.names.insert(name);
                    self.annotations(arguments);
                }
                Annotation::Array(elements) => self.annotations(elements),
                Annotation::Operands(elements) => self.array(elements),
                Annotation::Operand(_) | Annotation::Float(_) | Annotation::Text(_) => {}
            }
        }
    }
}

/// Returns the memory address of an array. The address distinguishes a shared array from an equal copy.
fn address(elements: &Arc<[Operand]>) -> *const Operand {
    Arc::as_ptr(elements).cast()
}

/// Returns the number of variable declarations that must precede the declaration of an array.
fn declared_before(elements: &[Operand]) -> usize {
    let variables = elements.iter().map(|element| match element {
        Operand::Var(id) => id.0 as usize + 1,
        Operand::Bool(_) | Operand::Int(_) | Operand::Set(_) => 0,
    });
    variables.max().unwrap_or(0)
}

fn separated<T>(
    f: &mut Formatter<'_>,
    items: &[T],
    mut write: impl FnMut(&mut Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        write(f, item)?;
    }
    Ok(())
}

/// Writes a constant as in FlatZinc. Writes nothing for a variable.
///
/// # Errors
/// Returns an error if `f` does.
pub fn write_constant(f: &mut impl fmt::Write, operand: &Operand) -> fmt::Result {
    match operand {
        Operand::Bool(value) => write!(f, "{value}"),
        Operand::Int(value) => write!(f, "{value}"),
        Operand::Set(domain) => write!(f, "{}", Set(domain)),
        Operand::Var(_) => Ok(()),
    }
}

/// A wrapper that displays a set as FlatZinc text.
struct Set<'a>(&'a Domain);

impl Display for Set<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let intervals: Vec<_> = self.0.intervals().collect();
        match intervals[..] {
            [] => f.write_str("1..0"),
            [(first, last)] => write!(f, "{first}..{last}"),
            _ if self.0.size() > LONGEST_LIST => {
                intervals.iter().enumerate().try_for_each(|(index, (first, last))| {
                    write!(f, "{}{first}..{last}", if index > 0 { " union " } else { "" })
                })
            }
            _ => {
                f.write_char('{')?;
                for (index, value) in self.0.values().enumerate() {
                    write!(f, "{}{value}", if index > 0 { ", " } else { "" })?;
                }
                f.write_char('}')
            }
        }
    }
}

fn write_string(f: &mut Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' | '\\' => write!(f, "\\{c}")?,
            '\n' => f.write_str("\\n")?,
            '\t' => f.write_str("\\t")?,
            '\r' => f.write_str("\\r")?,
            c if c.is_ascii_control() => write!(f, "\\{:03o}", u32::from(c))?,
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}
