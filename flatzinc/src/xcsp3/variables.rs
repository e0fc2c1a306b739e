//! Declarations of variables and arrays, and references to variables and elements.

use std::cell::Cell;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use gordian_encodings::{Domain, Value};

use super::builder::{Builder, int, one};
use super::element::Element;
use super::error::{Result, error, quoting};
use super::expr::Expr;
use super::text::{Arguments, Scanner};
use crate::instance::{Operand, Output, Place, VarDomain, VarId, Variable};

/// The maximum number of variables in an instance.
const MAX_VARIABLES: usize = 1_000_000;
/// The maximum number of elements that short forms (such as `x[]` and `1x1000`) and decompositions may produce in
/// total. The limit is a constant plus a multiple of the input length.
const MAX_EXPANSION: (usize, usize) = (8_000_000, 64);

/// An index in an array reference.
#[derive(Debug, Clone, Copy)]
pub(super) enum Index {
    /// `[]`: all indices.
    All,
    /// `[1..3]`.
    Interval(Value, Value),
    /// `[2]`.
    One(Value),
}

/// The names of variables and arrays.
#[derive(Debug)]
pub(super) struct Variables {
    names: HashMap<String, Declared>,
    /// The number of elements that further expansions and decompositions may produce.
    left: Cell<usize>,
}

#[derive(Debug)]
enum Declared {
    One(VarId),
    Array(Array),
}

#[derive(Debug)]
struct Array {
    sizes: Vec<usize>,
    /// The elements in row-major order; `None` for elements that have no domain.
    elements: Vec<Option<VarId>>,
}

impl Variables {
    pub(super) fn new(input_length: usize) -> Self {
        let (constant, factor) = MAX_EXPANSION;
        let left = Cell::new(input_length.saturating_mul(factor).saturating_add(constant));
        Self { names: HashMap::new(), left }
    }

    /// Counts the elements that a short form or a decomposition produces. Returns an error if the total becomes too
    /// large.
    pub(super) fn expand(&self, count: usize, span: Range<usize>) -> Result<()> {
        let left =
            self.left.get().checked_sub(count).ok_or_else(|| {
                error(span, format!("{count} elements in short form"), "a smaller instance")
            })?;
        self.left.set(left);
        Ok(())
    }

    /// Returns the variable with the given name.
    pub(super) fn single(&self, name: &str, span: Range<usize>) -> Result<VarId> {
        match self.names.get(name) {
            Some(Declared::One(x)) => Ok(*x),
            Some(Declared::Array(_)) => Err(quoting(span, name, "indices after the name of an array")),
            None => Err(quoting(span, name, "the name of a variable")),
        }
    }

    /// Appends the elements at the given indices of an array. Elements without a domain do not exist, so intervals of
    /// indices skip them.
    pub(super) fn elements(
        &self,
        name: &str,
        indices: &[Index],
        span: Range<usize>,
        items: &mut Vec<Expr>,
    ) -> Result<()> {
        let Some(Declared::Array(array)) = self.names.get(name) else {
            return Err(quoting(span, name, "the name of an array"));
        };
        let ranges = ranges(&array.sizes, indices, &span)?;
        let single = indices.iter().all(|index| matches!(index, Index::One(_)));
        if !single {
            self.expand(ranges.iter().map(|range| range.len()).product(), span.clone())?;
        }
        for position in positions(&array.sizes, &ranges) {
            match array.elements[position] {
                Some(x) => items.push(Expr::Var(x)),
                None if single => return Err(quoting(span, name, "an element with a domain")),
                None => {}
            }
        }
        Ok(())
    }

    /// Returns the numbers of rows and columns of a matrix. These are the lengths of the two dimensions that are not
    /// fixed to a single index.
    pub(super) fn shape(&self, name: &str, indices: &[Index]) -> Option<(usize, usize)> {
        let Some(Declared::Array(array)) = self.names.get(name) else { return None };
        let mut lengths = indices.iter().zip(&array.sizes).filter_map(|(index, &size)| match *index {
            Index::All => Some(size),
            Index::Interval(first, last) => usize::try_from(last - first + 1).ok(),
            Index::One(_) => None,
        });
        let shape = (lengths.next()?, lengths.next()?);
        lengths.next().is_none().then_some(shape)
    }

    /// Reads the elements `<var>` and `<array>`, which declare variables.
    pub(super) fn declare(&mut self, element: Element<'_>, builder: &mut Builder) -> Result<Vec<Output>> {
        builder.span = element.span();
        let is_array = match element.name() {
            "var" => false,
            "array" => true,
            _ => return Err(element.refuse("`<var>` or `<array>`")),
        };
        element.only_attributes(if is_array { &["size", "type"] } else { &["type"] })?;
        if element.attribute("type").is_some_and(|kind| kind != "integer") {
            return Err(element.refuse_attribute("type", "variables of type `integer`"));
        }
        let Some(id) = element.attribute("id") else { return Err(element.refuse("an attribute `id`")) };
        if !id.starts_with(char::is_alphabetic) || !id.chars().all(|c| c.is_alphanumeric() || c == '_') {
            let expected = "an identifier of a letter and further letters, digits and `_`";
            return Err(element.refuse_attribute("id", expected));
        }
        let (declared, outputs) =
            if is_array { self.array(element, id, builder)? } else { self.var(element, id, builder)? };
        if self.names.insert(id.to_owned(), declared).is_some() {
            return Err(element.refuse_attribute("id", "an identifier that is not used twice"));
        }
        Ok(outputs)
    }

    fn var(&self, element: Element<'_>, id: &str, builder: &mut Builder) -> Result<(Declared, Vec<Output>)> {
        let domain = self.domain(element)?;
        let x = add(builder, id.into(), &domain)?;
        Ok((Declared::One(x), vec![output(id.into(), None, vec![Operand::Var(x)])]))
    }

    fn array(
        &self,
        element: Element<'_>,
        id: &str,
        builder: &mut Builder,
    ) -> Result<(Declared, Vec<Output>)> {
        let sizes = sizes(element)?;
        let count = sizes.iter().try_fold(1_usize, |count, &size| count.checked_mul(size));
        let count = count.filter(|count| builder.variables.len().saturating_add(*count) <= MAX_VARIABLES);
        let Some(count) = count else {
            let expected = format!("at most {MAX_VARIABLES} variables");
            return Err(element.refuse_attribute("size", &expected));
        };
        let mut domains: Vec<Option<usize>> = vec![None; count];
        let mut given: Vec<Bounded> = Vec::new();
        if element.has_children()? {
            for child in element.children()? {
                if child.name() != "domain" {
                    return Err(child.refuse("`<domain>`"));
                }
                child.only_attributes(&["for"])?;
                given.push(self.domain(child)?);
                let Some(of) = child.attribute("for") else {
                    return Err(child.refuse("an attribute `for`"));
                };
                if of.trim() == "others" {
                    domains
                        .iter_mut()
                        .filter(|known| known.is_none())
                        .for_each(|known| *known = Some(given.len() - 1));
                    continue;
                }
                let start =
                    child.node.attribute_node("for").map_or(0, |attribute| attribute.range_value().start);
                let mut scanner = Scanner::new(of, start, self, Arguments::default());
                while !scanner.at_end() {
                    let (indices, span) = scanner.reference(id)?;
                    let ranges = ranges(&sizes, &indices, &span)?;
                    self.expand(ranges.iter().map(|range| range.len()).product(), span)?;
                    for position in positions(&sizes, &ranges) {
                        domains[position] = Some(given.len() - 1);
                    }
                }
            }
        } else {
            given.push(self.domain(element)?);
            domains.fill(Some(0));
        }
        let mut elements = Vec::with_capacity(count);
        let mut named = Vec::new();
        for (position, domain) in domains.iter().enumerate() {
            let Some(domain) = domain else {
                elements.push(None);
                continue;
            };
            let name: Arc<str> = element_name(id, &sizes, position).into();
            let x = add(builder, Arc::clone(&name), &given[*domain])?;
            elements.push(Some(x));
            named.push((name, Operand::Var(x)));
        }
        let outputs = if named.len() == count {
            let dimensions = sizes.iter().map(|&size| (0, size as Value - 1)).collect();
            vec![output(id.into(), Some(dimensions), named.into_iter().map(|(_, x)| x).collect())]
        } else {
            named.into_iter().map(|(name, x)| output(name, None, vec![x])).collect()
        };
        Ok((Declared::Array(Array { sizes, elements }), outputs))
    }

    /// Reads a domain: integers and intervals.
    fn domain(&self, element: Element<'_>) -> Result<Bounded> {
        let (text, start) = element.text()?;
        let mut scanner = Scanner::new(&text, start, self, Arguments::default());
        let intervals = scanner.domain()?;
        let finite = intervals.iter().map(|&(first, last)| Some((first?, last?))).collect::<Option<Vec<_>>>();
        match (finite, &intervals[..]) {
            (Some(finite), [_, ..]) => Ok(Bounded::Finite(Domain::from_intervals(finite))),
            (None, &[(first, last)]) => Ok(Bounded::Infinite(first, last)),
            (None, _) => Err(element.refuse("an infinite domain of a single interval")),
            (Some(_), []) => Err(element.refuse("a domain: integers and intervals")),
        }
    }
}

/// A domain, or the bounds of an infinite domain.
enum Bounded {
    Finite(Domain),
    Infinite(Option<Value>, Option<Value>),
}

fn output(name: Arc<str>, dimensions: Option<Vec<(Value, Value)>>, elements: Vec<Operand>) -> Output {
    Output { name, is_bool: false, dimensions, elements: elements.into() }
}

/// Adds a variable to the instance.
fn add(builder: &mut Builder, name: Arc<str>, domain: &Bounded) -> Result<VarId> {
    if builder.variables.len() >= MAX_VARIABLES {
        return Err(builder.refuse("another variable", format!("at most {MAX_VARIABLES} variables")));
    }
    let x = VarId(builder.variables.len() as u32);
    let kind = match domain {
        Bounded::Finite(domain) => VarDomain::Int(domain.clone()),
        Bounded::Infinite(..) => VarDomain::Unbounded,
    };
    let place = Place(builder.span.start);
    builder.variables.push(Variable { name, domain: kind, value: None, annotations: Vec::new(), place });
    if let Bounded::Infinite(first, last) = *domain {
        if let Some(first) = first {
            builder.call("int_le", vec![int(first), one(Operand::Var(x))]);
        }
        if let Some(last) = last {
            builder.call("int_le", vec![one(Operand::Var(x)), int(last)]);
        }
    }
    Ok(x)
}

/// Reads the attribute `size`, such as `[3][4]`.
fn sizes(element: Element<'_>) -> Result<Vec<usize>> {
    let wrong = || element.refuse_attribute("size", "the attribute `size` with sizes such as `[3][4]`");
    let text = element.attribute("size").ok_or_else(wrong)?.trim();
    let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).ok_or_else(wrong)?;
    inner.split("][").map(|size| size.trim().parse().map_err(|_| wrong())).collect()
}

/// Returns the selected positions in each dimension of an array.
fn ranges(sizes: &[usize], indices: &[Index], span: &Range<usize>) -> Result<Vec<Range<usize>>> {
    if sizes.len() != indices.len() {
        let found = format!("{} indices", indices.len());
        return Err(error(span.clone(), found, format!("{}, one for each dimension", sizes.len())));
    }
    let mut ranges = Vec::with_capacity(sizes.len());
    for (&size, &index) in sizes.iter().zip(indices) {
        let (first, last) = match index {
            Index::All => (0, size as Value - 1),
            Index::Interval(first, last) => (first, last),
            Index::One(index) => (index, index),
        };
        if !matches!(index, Index::All) && (first < 0 || last >= size as Value) {
            let found = format!("the index {}", if first < 0 { first } else { last });
            return Err(error(span.clone(), found, format!("an index from 0, below {size}")));
        }
        ranges.push(first as usize..(last + 1) as usize);
    }
    Ok(ranges)
}

/// Returns the positions of the selected elements in row-major order.
fn positions(sizes: &[usize], ranges: &[Range<usize>]) -> impl Iterator<Item = usize> {
    let count: usize = ranges.iter().map(|range| range.len()).product();
    (0..count).map(move |mut rank| {
        let (mut position, mut step) = (0, 1);
        for (size, range) in sizes.iter().zip(ranges).rev() {
            position += (range.start + rank % range.len()) * step;
            rank /= range.len();
            step *= size;
        }
        position
    })
}

fn element_name(id: &str, sizes: &[usize], mut position: usize) -> String {
    let mut indices = vec![0; sizes.len()];
    for (index, &size) in indices.iter_mut().zip(sizes).rev() {
        *index = position % size;
        position /= size;
    }
    indices.iter().fold(id.to_owned(), |name, index| format!("{name}[{index}]"))
}
