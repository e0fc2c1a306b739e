//! The constraints `sum`, `count`, `nValues` and `cardinality`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use gordian_encodings::{Domain, Value};

use super::builder::{array, one};
use super::error::Result;
use super::expr::{Expr, Op};
use super::reader::{Constraint, Reader, expr};
use crate::instance::Operand;

/// Reads `sum`: a condition on a weighted sum.
pub(super) fn sum(reader: &mut Reader, c: Constraint<'_, '_>) -> Result<()> {
    let list = reader.list(c)?;
    let sum = match reader.optional(c, "coeffs")? {
        None => Expr::sum(list),
        Some(coefficients) if coefficients.len() == list.len() => Expr::weighted(coefficients, list),
        Some(coefficients) => {
            let expected = format!("{} coefficients instead of {}", list.len(), coefficients.len());
            return Err(c.element.refuse(expected));
        }
    };
    reader.require(c, sum)
}

/// Reads `count`: a condition on the number of items whose value is in a list.
pub(super) fn count(reader: &mut Reader, c: Constraint<'_, '_>) -> Result<()> {
    let list = reader.list(c)?;
    let values = reader.optional(c, "values")?.ok_or_else(|| c.element.refuse("`<values>`"))?;
    let list = reader.values(&list)?;
    let members = list.into_iter().map(|x| member(x, &values)).collect();
    reader.require(c, Expr::sum(members))
}

/// Returns a Boolean expression that is true if and only if an item equals one of several values.
fn member(x: Expr, values: &[Expr]) -> Expr {
    match values {
        [Expr::Set(set)] => Expr::binary(Op::In, x, Expr::Set(Arc::clone(set))),
        [value] => Expr::eq(x, value.clone()),
        _ => {
            let constant = |value: &Expr| match value {
                Expr::Int(value) => Some(*value),
                _ => None,
            };
            let set = match values.iter().map(constant).collect::<Option<Vec<Value>>>() {
                Some(values) => Expr::Set(Arc::new(Domain::from_values(values))),
                None => Expr::Apply(Op::Set, values.to_vec()),
            };
            Expr::binary(Op::In, x, set)
        }
    }
}

/// Reads `nValues`: a condition on the number of distinct values.
pub(super) fn n_values(reader: &mut Reader, c: Constraint<'_, '_>) -> Result<()> {
    let list = reader.list(c)?;
    let except =
        if c.element.child("except")?.is_some() { reader.constants(c, "except")? } else { Vec::new() };
    let used = used_values(reader, c, &list, &except)?;
    reader.require(c, Expr::sum(used))
}

/// Returns a Boolean expression for each value v that an item can have, except for the values in `except`. The
/// expression is true if and only if some item equals v.
pub(super) fn used_values(
    reader: &mut Reader,
    c: Constraint<'_, '_>,
    list: &[Expr],
    except: &[Value],
) -> Result<Vec<Expr>> {
    let list = reader.builder.operands(list)?;
    let mut equal: BTreeMap<Value, Vec<Expr>> = BTreeMap::new();
    for x in &list {
        for value in possible_values(reader, c, x)?.values() {
            equal.entry(value).or_default().push(Expr::eq(expr(x), Expr::Int(value)));
        }
    }
    Ok(equal
        .into_iter()
        .filter(|(value, _)| !except.contains(value))
        .map(|(_, equal)| Expr::any(equal))
        .collect())
}

/// Returns the domain of an operand, or an error if the domain has too many values to enumerate.
pub(super) fn possible_values(reader: &Reader, c: Constraint<'_, '_>, x: &Operand) -> Result<Domain> {
    let domain = reader.builder.values(x).ok_or_else(|| c.element.refuse("variables with finite domains"))?;
    let size = usize::try_from(domain.size()).unwrap_or(usize::MAX);
    reader.names.expand(size, c.element.span())?;
    Ok(domain)
}

/// Reads `cardinality`: a condition on how often each value occurs.
pub(super) fn cardinality(reader: &mut Reader, c: Constraint<'_, '_>) -> Result<()> {
    let list = reader.list(c)?;
    let list = reader.builder.operands(&list)?;
    let closed = c.flag("closed")?;
    let values = reader.optional(c, "values")?.unwrap_or_default();
    let occurs = reader.optional(c, "occurs")?.ok_or_else(|| c.element.refuse("`<occurs>`"))?;
    if values.len() != occurs.len() {
        let found = format!("{} values and {} numbers of occurrences", values.len(), occurs.len());
        return Err(reader.builder.refuse(found, "one number for each value"));
    }
    let items: Vec<Expr> = list.iter().map(expr).collect();
    if closed {
        for x in &items {
            reader.builder.post(&member(x.clone(), &values), true)?;
        }
    }
    let cover: Option<Vec<Operand>> = values
        .iter()
        .map(|value| if let Expr::Int(value) = value { Some(Operand::Int(*value)) } else { None })
        .collect();
    let distinct: BTreeSet<Value> = values
        .iter()
        .filter_map(|value| if let Expr::Int(value) = value { Some(*value) } else { None })
        .collect();
    let intervals = occurs.iter().any(|occurs| matches!(occurs, Expr::Set(_)));
    if let (Some(cover), false) = (cover, intervals || distinct.len() < values.len()) {
        let counts = reader.builder.operands(&occurs)?;
        let arguments = vec![array(list), array(cover), array(counts)];
        reader.builder.call("fzn_global_cardinality", arguments);
        return Ok(());
    }
    for (value, occurs) in values.into_iter().zip(occurs) {
        let count = Expr::sum(items.iter().map(|x| Expr::eq(x.clone(), value.clone())).collect());
        let op = if matches!(occurs, Expr::Set(_)) { Op::In } else { Op::Eq };
        reader.builder.post(&Expr::binary(op, count, occurs), true)?;
    }
    Ok(())
}

/// Adds the constraint that the items are pairwise different, except that the values in `except` may occur several
/// times.
pub(super) fn all_different(reader: &mut Reader, list: &[Expr], except: &[Value]) -> Result<()> {
    let list = reader.builder.operands(list)?;
    if except.is_empty() {
        reader.builder.call("fzn_all_different_int", vec![array(list)]);
    } else {
        let set = Operand::Set(Arc::new(Domain::from_values(except.iter().copied())));
        reader.builder.call("fzn_alldifferent_except", vec![array(list), one(set)]);
    }
    Ok(())
}
