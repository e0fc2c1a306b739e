//! Declarations of variables and arrays.

use std::sync::Arc;

use gordian_encodings::{Domain, Value, tick};

use super::builder::{Builder, int, one};
use super::element::Element;
use super::error::{Result, error};
use super::text::{Arguments, Scanner};
use super::variables::{Array, Declared, Variables, positions, ranges};
use crate::instance::{Operand, Output, Place, VarDomain, VarId, Variable};

/// The maximum number of variables in an instance.
const MAX_VARIABLES: usize = 1_000_000;

impl Variables {
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
            let mut others = None;
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
                    if others.replace(given.len() - 1).is_some() {
                        return Err(child.refuse_attribute("for", "`others` only once"));
                    }
                    continue;
                }
                let start =
                    child.node.attribute_node("for").map_or(0, |attribute| attribute.range_value().start);
                let mut scanner = Scanner::new(of, start, self, Arguments::default());
                while !scanner.at_end() {
                    let (indices, span) = scanner.reference(id)?;
                    let ranges = ranges(&sizes, &indices, &span)?;
                    self.expand(ranges.iter().map(|range| range.len()).product(), span.clone())?;
                    for position in positions(&sizes, &ranges) {
                        if domains[position].replace(given.len() - 1).is_some() {
                            let name = element_name(id, &sizes, position);
                            return Err(error(span, format!("two domains of `{name}`"), "one domain"));
                        }
                    }
                }
            }
            for domain in &mut domains {
                *domain = domain.or(others);
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
    tick(8);
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

fn element_name(id: &str, sizes: &[usize], mut position: usize) -> String {
    let mut indices = vec![0; sizes.len()];
    for (index, &size) in indices.iter_mut().zip(sizes).rev() {
        *index = position % size;
        position /= size;
    }
    indices.iter().fold(id.to_owned(), |name, index| format!("{name}[{index}]"))
}
