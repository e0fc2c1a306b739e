//! The state of the reader, and the parts of constraints: lists, constants, conditions and attributes.

use std::collections::HashMap;
use std::sync::Arc;

use gordian_encodings::Value;
use roxmltree::NodeId;

use super::builder::Builder;
use super::element::Element;
use super::error::Result;
use super::expr::Expr;
use super::text::{Arguments, Condition, Scanner};
use super::variables::Variables;
use crate::instance::Operand;

/// The state of the reader: the declared names, and the instance that is being built.
pub(super) struct Reader {
    pub(super) names: Variables,
    pub(super) builder: Builder,
    /// The tables that were read earlier. If several constraints of a group share a table, the table is read only
    /// once.
    pub(super) tables: HashMap<(NodeId, usize), Arc<[Operand]>>,
}

/// A constraint: an XML element, and the arguments of the group that contains the element.
#[derive(Clone, Copy)]
pub(super) struct Constraint<'a, 'b> {
    pub(super) element: Element<'a>,
    pub(super) arguments: Arguments<'b>,
}

impl<'a> Constraint<'a, '_> {
    /// Returns a copy of the constraint with `element` as its XML element.
    pub(super) fn at(self, element: Element<'a>) -> Self {
        Self { element, ..self }
    }

    /// Returns the child with the given name. If the constraint has no children, the constraint itself takes the place
    /// of the child.
    pub(super) fn first(self, name: &str) -> Result<Element<'a>> {
        if self.element.has_children()? { self.element.need(name) } else { Ok(self.element) }
    }

    /// Reads an attribute with the value `true` or `false`, which either the constraint or its child `values` has.
    pub(super) fn flag(self, name: &str) -> Result<bool> {
        match self.element.child("values")?.filter(|values| values.attribute(name).is_some()) {
            Some(values) if self.element.attribute(name).is_some() => {
                Err(values.refuse_attribute(name, &format!("the attribute `{name}` only once")))
            }
            Some(values) => flag(values, name, false),
            None => flag(self.element, name, false),
        }
    }
}

impl Reader {
    pub(super) fn new(input_length: usize) -> Self {
        Self { names: Variables::new(input_length), builder: Builder::default(), tables: HashMap::new() }
    }

    /// Reads the text of an element with the function `read`.
    pub(super) fn scan<T>(
        &self,
        c: Constraint<'_, '_>,
        read: impl FnOnce(&mut Scanner<'_>) -> Result<T>,
    ) -> Result<T> {
        let (text, start) = c.element.text()?;
        let mut scanner = Scanner::new(&text, start, &self.names, c.arguments);
        read(&mut scanner)
    }

    /// Reads the list of expressions in the child `list`, or in the constraint itself if it has no children.
    pub(super) fn list(&self, c: Constraint<'_, '_>) -> Result<Vec<Expr>> {
        self.scan(c.at(c.first("list")?), |text| text.items())
    }

    /// Reads the list of expressions in the child with the given name, or returns `None` if there is no such child.
    pub(super) fn optional(&self, c: Constraint<'_, '_>, name: &str) -> Result<Option<Vec<Expr>>> {
        let Some(element) = c.element.child(name)? else { return Ok(None) };
        self.scan(c.at(element), |text| text.items()).map(Some)
    }

    /// Reads the lists of expressions in all children with the given name.
    pub(super) fn lists(&self, c: Constraint<'_, '_>, name: &str) -> Result<Vec<Vec<Expr>>> {
        c.element.all(name)?.map(|element| self.scan(c.at(element), |text| text.items())).collect()
    }

    /// Reads the integer constants in the child with the given name.
    pub(super) fn constants(&self, c: Constraint<'_, '_>, name: &str) -> Result<Vec<Value>> {
        let element = c.element.need(name)?;
        let items = self.scan(c.at(element), |text| text.items())?;
        let constant = |item| if let Expr::Int(value) = item { Some(value) } else { None };
        let constants: Option<Vec<Value>> = items.into_iter().map(constant).collect();
        constants.ok_or_else(|| element.refuse("integers in this element"))
    }

    /// Reads the element `<condition>`, which must contain exactly one condition.
    pub(super) fn condition(&self, c: Constraint<'_, '_>) -> Result<Condition> {
        self.condition_in(c.at(c.element.need("condition")?))
    }

    /// Reads the text of an element, which must be exactly one condition.
    pub(super) fn condition_in(&self, c: Constraint<'_, '_>) -> Result<Condition> {
        let mut conditions = self.scan(c, |text| text.conditions())?;
        match (conditions.pop(), conditions.len()) {
            (Some(condition), 0) => Ok(condition),
            _ => Err(c.element.refuse("one condition such as `(le,5)`")),
        }
    }

    /// Adds the constraint that a value satisfies the condition in the element `<condition>` of the constraint `c`.
    pub(super) fn require(&mut self, c: Constraint<'_, '_>, value: Expr) -> Result<()> {
        let condition = self.condition(c)?;
        self.builder.post(&condition.of(value), true)
    }

    /// Returns, for each item of a list, a variable or constant that equals it.
    pub(super) fn values(&mut self, items: &[Expr]) -> Result<Vec<Expr>> {
        Ok(self.builder.operands(items)?.iter().map(expr).collect())
    }
}

/// Converts an operand to an expression.
pub(super) fn expr(operand: &Operand) -> Expr {
    match operand {
        Operand::Bool(value) => Expr::Int(Value::from(*value)),
        Operand::Int(value) => Expr::Int(*value),
        Operand::Set(set) => Expr::Set(Arc::clone(set)),
        Operand::Var(x) => Expr::Var(*x),
    }
}

/// Reads an attribute with the value `true` or `false`.
pub(super) fn flag(element: Element<'_>, name: &str, default: bool) -> Result<bool> {
    match element.attribute(name) {
        None => Ok(default),
        Some("true") => Ok(true),
        Some("false") => Ok(false),
        Some(_) => Err(element.refuse_attribute(name, "`true` or `false`")),
    }
}

/// Reads an attribute with an integer value.
pub(super) fn number(element: Element<'_>, name: &str, default: Value) -> Result<Value> {
    let Some(text) = element.attribute(name) else { return Ok(default) };
    text.trim().parse().map_err(|_| element.refuse_attribute(name, "an integer"))
}
