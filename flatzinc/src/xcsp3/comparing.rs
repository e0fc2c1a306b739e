//! The constraints `allDifferent`, `allEqual`, `ordered`, `lex` and `precedence`, which compare the items of lists.

use std::collections::BTreeSet;

use gordian_encodings::Value;

use super::builder::array;
use super::counting::{self, possible_values};
use super::error::Result;
use super::expr::{Expr, Op};
use super::reader::{Constraint, Reader, expr};
use crate::instance::Operand;

/// Reads `allDifferent`. One of the following must be pairwise different: the items of a list, several lists of the
/// same length, or the items in each row and in each column of a matrix.
pub(super) fn all_different(reader: &mut Reader, c: Constraint<'_, '_>) -> Result<()> {
    if let Some(element) = c.element.child("matrix")? {
        let rows = reader.scan(c.at(element), |text| text.matrix())?;
        let except = except(reader, c)?;
        for line in lines(c, &rows)? {
            counting::all_different(reader, &line, &except)?;
        }
        return Ok(());
    }
    let lists = reader.lists(c, "list")?;
    if lists.len() < 2 {
        let except = except(reader, c)?;
        let list = reader.list(c)?;
        return counting::all_different(reader, &list, &except);
    }
    if lists.iter().any(|list| list.len() != lists[0].len()) {
        return Err(c.element.refuse("lists of the same length"));
    }
    let excepted = match c.element.child("except")? {
        Some(element) => reader.scan(c.at(element), |text| text.tuples())?,
        None => Vec::new(),
    };
    if excepted.iter().any(|tuple| tuple.len() != lists[0].len()) {
        return Err(c.element.refuse("tuples as long as the lists in `<except>`"));
    }
    let lists = lists.iter().map(|list| reader.values(list)).collect::<Result<Vec<_>>>()?;
    reader.names.expand(lists.len().saturating_mul(lists.len()), c.element.span())?;
    for (index, left) in lists.iter().enumerate() {
        for right in &lists[index + 1..] {
            let pairs = left.iter().zip(right);
            let mut different: Vec<Expr> =
                pairs.map(|(x, y)| Expr::binary(Op::Ne, x.clone(), y.clone())).collect();
            for tuple in &excepted {
                let pairs = left.iter().zip(tuple);
                different.push(Expr::all(pairs.map(|(x, v)| Expr::eq(x.clone(), v.clone())).collect()));
            }
            reader.builder.post(&Expr::any(different), true)?;
        }
    }
    Ok(())
}

fn except(reader: &Reader, c: Constraint<'_, '_>) -> Result<Vec<Value>> {
    if c.element.child("except")?.is_some() { reader.constants(c, "except") } else { Ok(Vec::new()) }
}

/// Returns the rows and the columns of a matrix.
fn lines(c: Constraint<'_, '_>, rows: &[Vec<Expr>]) -> Result<Vec<Vec<Expr>>> {
    let columns = rows.first().map_or(0, Vec::len);
    if rows.iter().any(|row| row.len() != columns) {
        return Err(c.element.refuse("rows of the same length"));
    }
    let column = |index: usize| rows.iter().map(|row| row[index].clone()).collect();
    Ok(rows.iter().cloned().chain((0..columns).map(column)).collect())
}

/// Reads `allEqual`: all items of a list are equal, or several lists are equal.
pub(super) fn all_equal(reader: &mut Reader, c: Constraint<'_, '_>) -> Result<()> {
    let lists = reader.lists(c, "list")?;
    let lists = if lists.len() < 2 {
        reader.list(c)?.into_iter().map(|item| vec![item]).collect()
    } else if lists.iter().any(|list| list.len() != lists[0].len()) {
        return Err(c.element.refuse("lists of the same length"));
    } else {
        lists
    };
    let pairs = lists.windows(2).flat_map(|pair| pair[0].iter().zip(&pair[1]));
    pairs.into_iter().try_for_each(|(x, y)| reader.builder.post(&Expr::eq(x.clone(), y.clone()), true))
}

/// Reads `notAllEqual`: at least two items are different.
pub(super) fn not_all_equal(reader: &mut Reader, c: Constraint<'_, '_>) -> Result<()> {
    let list = reader.list(c)?;
    let list = reader.values(&list)?;
    let different = list.windows(2).map(|pair| Expr::binary(Op::Ne, pair[0].clone(), pair[1].clone()));
    reader.builder.post(&Expr::any(different.collect()), true)
}

/// Reads the comparison operator of `ordered` and `lex`: the element `operator` or the attribute `case`.
fn comparison(c: Constraint<'_, '_>) -> Result<Op> {
    if let Some(element) = c.element.child("operator")? {
        if c.element.attribute("case").is_some() {
            return Err(element.refuse("either `<operator>` or the attribute `case`"));
        }
        let (name, _) = element.text()?;
        return match Op::find(name.trim()) {
            Some((op @ (Op::Lt | Op::Le | Op::Ge | Op::Gt), ..)) => Ok(op),
            _ => Err(element.refuse("one of lt, le, ge, gt in this element")),
        };
    }
    match c.element.attribute("case") {
        Some("strictlyIncreasing") => Ok(Op::Lt),
        Some("increasing") => Ok(Op::Le),
        Some("decreasing") => Ok(Op::Ge),
        Some("strictlyDecreasing") => Ok(Op::Gt),
        Some(_) => Err(c.element.refuse_attribute("case", "one of increasing, strictlyIncreasing, ...")),
        None => Err(c.element.refuse("`<operator>` or the attribute `case`")),
    }
}

/// Reads `ordered`: each item is compared with the next item. If lengths are given, the length of an item is added to
/// the item before the comparison.
pub(super) fn ordered(reader: &mut Reader, c: Constraint<'_, '_>) -> Result<()> {
    let op = comparison(c)?;
    let list = reader.list(c)?;
    let lengths = reader.optional(c, "lengths")?;
    if lengths.as_ref().is_some_and(|lengths| lengths.len() + 1 != list.len()) {
        return Err(c.element.need("lengths")?.refuse("a length for each item except the last"));
    }
    let lengths = lengths.unwrap_or_default();
    for (index, pair) in list.windows(2).enumerate() {
        let left = match lengths.get(index) {
            Some(length) => Expr::add(pair[0].clone(), length.clone()),
            None => pair[0].clone(),
        };
        reader.builder.post(&Expr::binary(op, left, pair[1].clone()), true)?;
    }
    Ok(())
}

/// Reads `lex`: several lists, or the rows and the columns of a matrix, are in lexicographic order.
pub(super) fn lex(reader: &mut Reader, c: Constraint<'_, '_>) -> Result<()> {
    let op = comparison(c)?;
    let Some(element) = c.element.child("matrix")? else {
        let lists = reader.lists(c, "list")?;
        return lexicographic(reader, c, &lists, op);
    };
    let rows = reader.scan(c.at(element), |text| text.matrix())?;
    let lines = lines(c, &rows)?;
    let (rows, columns) = lines.split_at(rows.len());
    lexicographic(reader, c, rows, op)?;
    lexicographic(reader, c, columns, op)
}

fn lexicographic(reader: &mut Reader, c: Constraint<'_, '_>, lists: &[Vec<Expr>], op: Op) -> Result<()> {
    for pair in lists.windows(2) {
        if pair[0].len() != pair[1].len() {
            return Err(c.element.refuse("lists of the same length"));
        }
        let mut lists = [reader.builder.operands(&pair[0])?, reader.builder.operands(&pair[1])?];
        if matches!(op, Op::Ge | Op::Gt) {
            lists.reverse();
        }
        let name = if matches!(op, Op::Lt | Op::Gt) { "fzn_lex_less_int" } else { "fzn_lex_lesseq_int" };
        reader.builder.call(name, lists.map(array).to_vec());
    }
    Ok(())
}

/// Reads `precedence`: a listed value may occur only after the preceding listed value. If a listed value does not
/// occur, none of the later listed values may occur. With the attribute `covered`, all listed values must occur.
pub(super) fn precedence(reader: &mut Reader, c: Constraint<'_, '_>) -> Result<()> {
    let list = reader.list(c)?;
    let list = reader.builder.operands(&list)?;
    let covered = c.flag("covered")?;
    let values: Vec<Value> = if c.element.child("values")?.is_some() {
        reader.constants(c, "values")?
    } else {
        let mut values = BTreeSet::new();
        for x in &list {
            values.extend(possible_values(reader, c, x)?.values());
        }
        values.into_iter().collect()
    };
    let chain = array(values.iter().map(|&value| Operand::Int(value)));
    reader.builder.call("fzn_value_precede_chain_int", vec![chain, array(list.iter().cloned())]);
    if let (true, Some(&last)) = (covered, values.last()) {
        let occurs = list.iter().map(|x| Expr::eq(expr(x), Expr::Int(last))).collect();
        reader.builder.post(&Expr::any(occurs), true)?;
    }
    Ok(())
}
