//! The constraints `noOverlap`, `cumulative`, `binPacking`, `knapsack` and `flow` on resources.

use std::collections::{BTreeMap, BTreeSet};

use gordian_encodings::{Domain, Value};

use super::builder::{array, one};
use super::counting::possible_values;
use super::element::Element;
use super::error::Result;
use super::expr::{Expr, Op};
use super::reader::{Constraint, Reader, expr, flag, number};
use super::text::Condition;
use crate::instance::Operand;

/// Reads `noOverlap`: intervals, or boxes in several dimensions, do not overlap.
pub(super) fn no_overlap(reader: &mut Reader, c: Constraint<'_, '_>) -> Result<()> {
    let zero_ignored = flag(c.element, "zeroIgnored", true)?;
    let [origins, lengths] =
        [c.element.need("origins")?, c.element.need("lengths")?].map(|element| boxes(reader, c.at(element)));
    let (origins, mut lengths) = (origins?, lengths?);
    let dimensions = origins.first().map_or(0, Vec::len);
    if let ([lengths_of_all], true) = (&lengths[..], dimensions > 1) {
        // For boxes in several dimensions, a single tuple of lengths applies to all boxes.
        let lengths_of_all = lengths_of_all.clone();
        lengths.resize(origins.len(), lengths_of_all);
    }
    if origins.len() != lengths.len() || origins.iter().chain(&lengths).any(|of| of.len() != dimensions) {
        return Err(c.element.refuse("an origin and a length for each interval, in as many dimensions"));
    }
    reader.names.expand(origins.len().saturating_mul(origins.len()), c.element.span())?;
    let columns = [reader.builder.operands(&origins.concat())?, reader.builder.operands(&lengths.concat())?];
    let is_nonnegative = |length| reader.builder.bounds(length).is_some_and(|(least, _)| least >= 0);
    if dimensions == 1 && columns[1].iter().all(is_nonnegative) {
        let name = if zero_ignored { "fzn_disjunctive" } else { "fzn_disjunctive_strict" };
        reader.builder.call(name, columns.map(array).into());
    } else if !origins.is_empty() {
        let name = if zero_ignored { "gordian_diffn_nonstrict" } else { "gordian_diffn" };
        let [origins, sizes] = columns.map(array);
        let dimensions = one(Operand::Int(dimensions as Value));
        reader.builder.call(name, vec![dimensions, origins, sizes]);
    }
    Ok(())
}

/// Reads the origins or the lengths: a number for each interval, or a tuple for each box.
fn boxes(reader: &Reader, c: Constraint<'_, '_>) -> Result<Vec<Vec<Expr>>> {
    if c.element.text()?.0.trim_start().starts_with('(') {
        reader.scan(c, |text| text.tuples())
    } else {
        Ok(reader.scan(c, |text| text.items())?.into_iter().map(|item| vec![item]).collect())
    }
}

/// Reads `cumulative`: at each time, the total height of the running tasks satisfies a condition.
pub(super) fn cumulative(reader: &mut Reader, c: Constraint<'_, '_>) -> Result<()> {
    let mut columns = Vec::new();
    for name in ["origins", "lengths", "heights"] {
        let items = reader.optional(c, name)?.ok_or_else(|| c.element.refuse(format!("`<{name}>`")))?;
        columns.push(reader.values(&items)?);
    }
    let count = columns[0].len();
    if columns.iter().any(|column| column.len() != count) {
        return Err(c.element.refuse("an origin, a length and a height for each task"));
    }
    let condition = reader.condition(c)?;
    if !matches!(condition.op, Op::Le | Op::Lt) {
        return Err(c.element.need("condition")?.refuse("a condition with `le` or `lt`"));
    }
    let (origins, lengths, heights) = (&columns[0], &columns[1], &columns[2]);
    for (name, column) in [("lengths", lengths), ("heights", heights)] {
        for item in column {
            let item = reader.builder.operand(item)?;
            if reader.builder.bounds(&item).is_none_or(|(least, _)| least < 0) {
                return Err(c.element.need(name)?.refuse("values of at least 0 in this element"));
            }
        }
    }
    if let Some(ends) = reader.optional(c, "ends")? {
        if ends.len() != count {
            return Err(c.element.refuse("an end for each task"));
        }
        for ((start, length), end) in origins.iter().zip(lengths).zip(ends) {
            reader.builder.post(&Expr::eq(Expr::add(start.clone(), length.clone()), end), true)?;
        }
    }
    let limit = match condition.op {
        Op::Lt => Expr::binary(Op::Sub, condition.operand, Expr::Int(1)),
        _ => condition.operand,
    };
    let mut arguments = Vec::with_capacity(4);
    for column in &columns {
        arguments.push(array(reader.builder.operands(column)?));
    }
    arguments.push(one(reader.builder.operand(&limit)?));
    reader.builder.call("fzn_cumulative", arguments);
    Ok(())
}

/// Reads `binPacking`: the total size of the items in each bin satisfies a condition, is at most the limit of the
/// bin, or equals the load of the bin.
pub(super) fn bin_packing(reader: &mut Reader, c: Constraint<'_, '_>) -> Result<()> {
    let list = reader.list(c)?;
    let list = reader.builder.operands(&list)?;
    let sizes = reader.optional(c, "sizes")?.ok_or_else(|| c.element.refuse("`<sizes>`"))?;
    if sizes.len() != list.len() {
        return Err(c.element.refuse("a size for each item"));
    }
    let first = number(c.element.need("list")?, "startIndex", 0)?;
    // The map `bins` contains the condition of each bin; the key is the value that stands for the bin. The list `given`
    // contains the conditions in the input, in the order of the bins.
    let mut bins: BTreeMap<Value, Condition> = BTreeMap::new();
    let mut given = Vec::new();
    for (name, op) in [("limits", Op::Le), ("loads", Op::Eq)] {
        let operands = reader.optional(c, name)?.unwrap_or_default();
        given.extend(operands.into_iter().map(|operand| Condition { op, operand }));
    }
    if let Some(element) = c.element.child("conditions")? {
        given.extend(reader.scan(c.at(element), |text| text.conditions())?);
    }
    let has_condition = c.element.child("condition")?.is_some();
    if has_condition != given.is_empty() {
        return Err(c.element.refuse("one of `<condition>`, `<conditions>`, `<limits>` and `<loads>`"));
    }
    if has_condition {
        let condition = reader.condition(c)?;
        let mut values = BTreeSet::new();
        for x in &list {
            values.extend(possible_values(reader, c, x)?.values());
        }
        bins.extend(values.into_iter().map(|value| (value, condition.clone())));
    } else {
        let last = first.checked_add(given.len() as Value).ok_or_else(|| reader.builder.overflow())?;
        bins.extend((first..last).zip(given));
        for x in &list {
            reader.builder.post(&Expr::member(expr(x), Domain::interval(first, last - 1)), true)?;
        }
    }
    reader.names.expand(list.len().saturating_mul(bins.len()), c.element.span())?;
    for (bin, condition) in bins {
        let here = list.iter().map(|x| Expr::eq(expr(x), Expr::Int(bin))).collect();
        reader.builder.post(&condition.of(Expr::weighted(here, sizes.clone())), true)?;
    }
    Ok(())
}

/// Reads `knapsack`: a condition on the total weight, and a condition on the total profit.
pub(super) fn knapsack(reader: &mut Reader, c: Constraint<'_, '_>) -> Result<()> {
    let list = reader.list(c)?;
    let list = reader.values(&list)?;
    // Each condition is on the weights or profits before it.
    let mut factors: Option<Element<'_>> = None;
    for element in c.element.children()? {
        let condition = match element.name() {
            "weights" | "profits" if factors.is_none() => {
                factors = Some(element);
                continue;
            }
            "limit" => Condition { op: Op::Le, operand: reader.scan(c.at(element), |text| text.whole())? },
            "condition" => reader.condition_in(c.at(element))?,
            "list" => continue,
            _ => return Err(element.refuse("`<condition>` after the weights, and after the profits")),
        };
        let of = factors.take().filter(|of| element.name() == "condition" || of.name() == "weights");
        let of = of.ok_or_else(|| element.refuse("`<weights>` or `<profits>` before this element"))?;
        let factors = reader.scan(c.at(of), |text| text.items())?;
        if factors.len() != list.len() {
            return Err(of.refuse("a value for each item in this element"));
        }
        reader.builder.post(&condition.of(Expr::weighted(factors, list.clone())), true)?;
    }
    match factors {
        Some(of) => Err(of.refuse("`<condition>` after this element")),
        None => Ok(()),
    }
}

/// Reads `flow`: at each node, the outgoing flow minus the incoming flow equals the balance of the node. If arcs have
/// weights, the total cost satisfies a condition.
pub(super) fn flow(reader: &mut Reader, c: Constraint<'_, '_>) -> Result<()> {
    let list = reader.list(c)?;
    let list = reader.values(&list)?;
    let balance = reader.optional(c, "balance")?.ok_or_else(|| c.element.refuse("`<balance>`"))?;
    let element = c.element.need("arcs")?;
    let first = number(element, "startIndex", 0)?;
    let arcs = reader.scan(c.at(element), |text| text.tuples())?;
    if arcs.len() != list.len() {
        return Err(element.refuse("an arc for each variable"));
    }
    let mut sums: Vec<Vec<Expr>> = vec![Vec::new(); balance.len()];
    for (x, arc) in list.iter().zip(&arcs) {
        let [Expr::Int(from), Expr::Int(to)] = arc[..] else {
            return Err(element.refuse("arcs such as `(0,1)` in this element"));
        };
        for (node, flow) in [(from, x.clone()), (to, Expr::unary(Op::Neg, x.clone()))] {
            let index = node.checked_sub(first).and_then(|index| usize::try_from(index).ok());
            let sum = index.and_then(|index| sums.get_mut(index));
            sum.ok_or_else(|| element.refuse("arcs between nodes with a balance"))?.push(flow);
        }
    }
    for (sum, balance) in sums.into_iter().zip(balance) {
        reader.builder.post(&Expr::eq(Expr::sum(sum), balance), true)?;
    }
    let weights = reader.optional(c, "weights")?;
    match (weights, c.element.child("condition")?) {
        (None, None) => Ok(()),
        (Some(weights), Some(_)) if weights.len() == list.len() => {
            reader.require(c, Expr::weighted(weights, list))
        }
        _ => Err(c.element.refuse("a weight for each variable, and a condition on the total cost")),
    }
}
