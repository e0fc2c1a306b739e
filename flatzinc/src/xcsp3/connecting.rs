//! The constraints `minimum`, `maximum`, `element`, `channel` and `circuit`, which relate values to their positions in
//! lists.

use gordian_encodings::{Domain, Value};

use super::builder::{Lit, array, int, one};
use super::error::Result;
use super::expr::{Expr, Op};
use super::reader::{Constraint, Reader, expr, number};
use super::sum::{Sign, Sum};
use crate::instance::Operand;

/// Reads `minimum`: a condition on the smallest item and, optionally, the index of this item.
pub(super) fn minimum(reader: &mut Reader, c: Constraint<'_, '_>) -> Result<()> {
    min_max(reader, c, false)
}

/// Reads `maximum`: a condition on the largest item and, optionally, the index of this item.
pub(super) fn maximum(reader: &mut Reader, c: Constraint<'_, '_>) -> Result<()> {
    min_max(reader, c, true)
}

fn min_max(reader: &mut Reader, c: Constraint<'_, '_>, greatest: bool) -> Result<()> {
    let list = reader.list(c)?;
    if list.is_empty() {
        return Err(c.element.refuse("at least one item"));
    }
    let items = reader.builder.operands(&list)?;
    let best = reader.builder.min_max(items.clone(), greatest);
    let (index, has_condition) = (c.element.child("index")?, c.element.child("condition")?.is_some());
    if index.is_none() && !has_condition {
        return Err(c.element.refuse("`<index>` or `<condition>` in this element"));
    }
    if let Some(index) = index {
        let rank = Rank::of(index.attribute("rank")).ok_or_else(|| refuse_rank(index))?;
        let index = single(reader, c, "index")?;
        let first = number(c.element.need("list")?, "startIndex", 0)?;
        position(reader, &items, &best, &index, first, rank)?;
    }
    if has_condition { reader.require(c, expr(&best)) } else { Ok(()) }
}

/// Reads `minimumArg`: a condition on the index of the smallest item.
pub(super) fn minimum_arg(reader: &mut Reader, c: Constraint<'_, '_>) -> Result<()> {
    min_max_index(reader, c, false)
}

/// Reads `maximumArg`: a condition on the index of the largest item.
pub(super) fn maximum_arg(reader: &mut Reader, c: Constraint<'_, '_>) -> Result<()> {
    min_max_index(reader, c, true)
}

fn min_max_index(reader: &mut Reader, c: Constraint<'_, '_>, greatest: bool) -> Result<()> {
    let list = reader.list(c)?;
    if list.is_empty() {
        return Err(c.element.refuse("at least one item"));
    }
    let items = reader.builder.operands(&list)?;
    let best = reader.builder.min_max(items.clone(), greatest);
    let rank = Rank::of(c.element.attribute("rank")).ok_or_else(|| refuse_rank(c.element))?;
    let first = number(c.element.need("list")?, "startIndex", 0)?;
    let last = first.checked_add(items.len() as Value - 1).ok_or_else(|| reader.builder.overflow())?;
    let index = reader.builder.within(Some((first, last)));
    position(reader, &items, &best, &index, first, rank)?;
    reader.require(c, expr(&index))
}

fn refuse_rank(element: super::element::Element<'_>) -> super::error::ReadError {
    element.refuse_attribute("rank", "one of any, first, last")
}

/// The position that is selected if a value occurs at several positions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rank {
    Any,
    First,
    Last,
}

impl Rank {
    fn of(name: Option<&str>) -> Option<Self> {
        match name {
            None | Some("any") => Some(Self::Any),
            Some("first") => Some(Self::First),
            Some("last") => Some(Self::Last),
            _ => None,
        }
    }
}

/// Adds the constraint that `index` is the position of an item that equals `value`. The value is the minimum or maximum
/// of the items.
fn position(
    reader: &mut Reader,
    items: &[Operand],
    value: &Operand,
    index: &Operand,
    first: Value,
    rank: Rank,
) -> Result<()> {
    let builder = &mut reader.builder;
    builder.call(
        "gordian_element_int",
        vec![one(index.clone()), int(first), array(items.iter().cloned()), one(value.clone())],
    );
    if rank == Rank::Any {
        return Ok(());
    }
    // The literal `seen` is true if the value occurs before the current position (for `Rank::Last`, after it).
    let mut seen = Lit::Const(false);
    let mut order: Vec<usize> = (0..items.len()).collect();
    if rank == Rank::Last {
        order.reverse();
    }
    for at in order {
        let here = first.checked_add(at as Value).ok_or_else(|| builder.overflow())?;
        let here = builder.equals(index, here);
        builder.clause(&[!here, !seen]);
        let equal = builder.literal(&Expr::eq(expr(&items[at]), expr(value)))?;
        seen = builder.any(&[seen, equal]);
    }
    Ok(())
}

/// Reads the single expression in the child element with the given name.
fn single(reader: &mut Reader, c: Constraint<'_, '_>, name: &str) -> Result<Operand> {
    let element = c.element.need(name)?;
    let item = reader.scan(c.at(element), |text| text.whole())?;
    reader.builder.operand(&item)
}

/// Reads `element`: a condition on the item at an index or, without an index, the constraint that some item has a given
/// value.
pub(super) fn element(reader: &mut Reader, c: Constraint<'_, '_>) -> Result<()> {
    let index = c.element.child("index")?;
    if let Some(index) = index.filter(|index| index.attribute("rank").is_some_and(|rank| rank != "any")) {
        return Err(index.refuse_attribute("rank", "`any`"));
    }
    if c.element.child("matrix")?.is_some() {
        return element_of_matrix(reader, c);
    }
    let list = reader.list(c)?;
    if index.is_none() {
        let value = single(reader, c, "value")?;
        let equal = list.into_iter().map(|x| Expr::eq(x, expr(&value))).collect();
        return reader.builder.post(&Expr::any(equal), true);
    }
    let first = number(c.element.need("list")?, "startIndex", 0)?;
    let items = reader.builder.operands(&list)?;
    let index = single(reader, c, "index")?;
    select(reader, c, items, index, first)
}

/// Adds the constraint that the item at the index equals the child `<value>` of `c`. If `c` has no such child, the item
/// must satisfy the condition of `c`.
fn select(
    reader: &mut Reader,
    c: Constraint<'_, '_>,
    items: Vec<Operand>,
    index: Operand,
    first: Value,
) -> Result<()> {
    let has_value = c.element.child("value")?.is_some();
    let value = if has_value {
        single(reader, c, "value")?
    } else {
        let bounds: Option<Vec<(Value, Value)>> = items.iter().map(|x| reader.builder.bounds(x)).collect();
        let hull =
            bounds.and_then(|all| Some((all.iter().map(|b| b.0).min()?, all.iter().map(|b| b.1).max()?)));
        reader.builder.within(hull)
    };
    let arguments = vec![one(index), int(first), array(items), one(value.clone())];
    reader.builder.call("gordian_element_int", arguments);
    if has_value { Ok(()) } else { reader.require(c, expr(&value)) }
}

fn element_of_matrix(reader: &mut Reader, c: Constraint<'_, '_>) -> Result<()> {
    let matrix = c.element.need("matrix")?;
    let rows = reader.scan(Constraint { element: matrix, ..c }, |text| text.matrix())?;
    let columns = rows.first().map_or(0, Vec::len);
    if columns == 0 || rows.iter().any(|row| row.len() != columns) {
        return Err(matrix.refuse("rows of the same length, at least 1, in this element"));
    }
    let Some([row, column]) =
        reader.optional(c, "index")?.and_then(|index| <[Expr; 2]>::try_from(index).ok())
    else {
        return Err(c.element.refuse("`<index>` with two values"));
    };
    let first_row = number(matrix, "startRowIndex", 0)?;
    let first_column = number(matrix, "startColIndex", 0)?;
    // In row-major order, the position is `columns * (row - first_row) + column - first_column`.
    let (row, column) = (reader.builder.operand(&row)?, reader.builder.operand(&column)?);
    for (index, first, count) in [(&row, first_row, rows.len()), (&column, first_column, columns)] {
        let last = first.checked_add(count as Value - 1).ok_or_else(|| reader.builder.overflow())?;
        let inside = Expr::member(expr(index), Domain::interval(first, last));
        reader.builder.post(&inside, true)?;
    }
    let cells: Vec<Expr> = rows.into_iter().flatten().collect();
    let cells = reader.builder.operands(&cells)?;
    let position = reader.builder.within(Some((0, cells.len() as Value - 1)));
    let row = Expr::binary(Op::Sub, expr(&row), Expr::Int(first_row));
    let column = Expr::binary(Op::Sub, expr(&column), Expr::Int(first_column));
    let row_start = Expr::binary(Op::Mul, Expr::Int(columns as Value), row);
    reader.builder.post(&Expr::eq(expr(&position), Expr::add(row_start, column)), true)?;
    select(reader, c, cells, position, 0)
}

/// Reads `channel`. Two lists x and y are inverse to each other: `x[i] = j` if and only if `y[j] = i`. If the lists
/// differ in length, only the implication from the shorter list to the longer one is required. A single list is inverse
/// to itself, unless the constraint has a value.
pub(super) fn channel(reader: &mut Reader, c: Constraint<'_, '_>) -> Result<()> {
    let (mut lists, mut firsts) = (Vec::new(), Vec::new());
    let children = if c.element.has_children()? { c.element.all("list")?.collect() } else { vec![c.element] };
    for element in children {
        let list = reader.scan(c.at(element), |text| text.items())?;
        lists.push(reader.builder.operands(&list)?);
        firsts.push(number(element, "startIndex", 0)?);
    }
    let has_value = c.element.child("value")?.is_some();
    match (&lists[..], &firsts[..]) {
        ([list], [first]) if has_value => {
            // In `channel` with a list and a value, exactly one item of the list is 1, and the value is the index of
            // this item.
            let index = single(reader, c, "value")?;
            let mut sum = Sum { terms: Vec::new(), constant: -1 };
            for (at, x) in list.iter().enumerate() {
                let literal = reader.builder.literal(&expr(x))?;
                reader.builder.add_literal(literal, 1, &mut sum)?;
                let here = first.checked_add(at as Value).ok_or_else(|| reader.builder.overflow())?;
                let here = reader.builder.equals(&index, here);
                reader.builder.equate(literal, here);
            }
            reader.builder.compare(Sign::Equal, sum)
        }
        ([list], [first]) => inverse(reader, c, list, *first, list, *first),
        ([left, right], [first, second]) if !has_value => {
            if left.len() <= right.len() {
                inverse(reader, c, left, *first, right, *second)
            } else {
                inverse(reader, c, right, *second, left, *first)
            }
        }
        _ => Err(c.element.refuse("one or two lists, or a list and a value")),
    }
}

/// Adds the constraint that `left[i] = j` implies `right[j] = i`. If the lists have the same length, `right[j] = i`
/// also implies `left[i] = j`.
fn inverse(
    reader: &mut Reader,
    c: Constraint<'_, '_>,
    left: &[Operand],
    first_left: Value,
    right: &[Operand],
    first_right: Value,
) -> Result<()> {
    let builder = &mut reader.builder;
    if left.len() == right.len() {
        let arguments = vec![
            array(left.iter().cloned()),
            int(first_left),
            array(right.iter().cloned()),
            int(first_right),
        ];
        builder.call("gordian_inverse", arguments);
        return Ok(());
    }
    reader.names.expand(left.len().saturating_mul(right.len()), c.element.span())?;
    let end = first_right.checked_add(right.len() as Value - 1).ok_or_else(|| builder.overflow())?;
    for (i, x) in left.iter().enumerate() {
        let i = first_left.checked_add(i as Value).ok_or_else(|| builder.overflow())?;
        builder.post(&Expr::member(expr(x), Domain::interval(first_right, end)), true)?;
        for (j, y) in right.iter().enumerate() {
            let there = builder.equals(x, first_right + j as Value);
            if there != Lit::Const(false) {
                let back = builder.equals(y, i);
                builder.clause(&[!there, back]);
            }
        }
    }
    Ok(())
}

/// Reads `circuit`: the successors form one cycle of at least two nodes. Every node outside the cycle is its own
/// successor.
pub(super) fn circuit(reader: &mut Reader, c: Constraint<'_, '_>) -> Result<()> {
    let (list, first) = (reader.list(c)?, number(c.first("list")?, "startIndex", 0)?);
    let successors = reader.builder.operands(&list)?;
    let n = successors.len();
    first.checked_add(n as Value).ok_or_else(|| reader.builder.overflow())?;
    let size = if c.element.child("size")?.is_some() { Some(single(reader, c, "size")?) } else { None };
    let mut inside = Vec::with_capacity(n);
    for (x, node) in successors.iter().zip(first..) {
        inside.push(!reader.builder.equals(x, node));
    }
    let all_inside = inside.iter().all(|&inside| inside == Lit::Const(true));
    if all_inside || size == Some(Operand::Int(n as Value)) {
        if n < 2 {
            reader.builder.clause(&[]);
        }
        reader.builder.call("gordian_circuit", vec![array(successors), int(first)]);
    } else {
        reader.builder.clause(&inside);
        reader.builder.call("gordian_subcircuit", vec![array(successors), int(first)]);
    }
    if let Some(size) = size {
        let mut sum = Sum::default();
        for &literal in &inside {
            reader.builder.add_literal(literal, 1, &mut sum)?;
        }
        reader.builder.add_operand(&size, -1, &mut sum)?;
        reader.builder.compare(Sign::Equal, sum)?;
    }
    Ok(())
}
