//! The constraints `extension` and `instantiation`, which list allowed or forbidden values.

use std::sync::Arc;

use gordian_encodings::{Domain, Value};

use super::builder::{Lit, array, one};
use super::error::Result;
use super::reader::{Constraint, Reader};
use crate::instance::{Argument, Operand};

/// Reads `extension`: the list of variables equals one of the listed tuples (supports), or none of them (conflicts).
pub(super) fn extension(reader: &mut Reader, c: Constraint<'_, '_>) -> Result<()> {
    let list = reader.list(c)?;
    let list = reader.builder.operands(&list)?;
    let (supports, conflicts) = (c.element.child("supports")?, c.element.child("conflicts")?);
    let (rows, positive) = match (supports, conflicts) {
        (Some(supports), None) => (supports, true),
        (None, Some(conflicts)) => (conflicts, false),
        _ => return Err(c.element.refuse("either `<supports>` or `<conflicts>`")),
    };
    let rows = Constraint { element: rows, ..c };
    match &list[..] {
        [] => Err(c.element.refuse("at least one variable")),
        [x] => unary(reader, rows, x, positive),
        _ => {
            let table = table(reader, rows, list.len())?;
            if positive {
                reader.builder.call("gordian_table_int", vec![array(list), Argument::Array(table)]);
            } else {
                for row in table.chunks(list.len()) {
                    let mut differ: Vec<Lit> = Vec::with_capacity(list.len());
                    for (x, value) in list.iter().zip(row) {
                        if let Operand::Int(value) = value {
                            differ.push(!reader.builder.equals(x, *value));
                        }
                    }
                    reader.builder.clause(&differ);
                }
            }
            Ok(())
        }
    }
}

/// Reads a table with one column, which consists of values and intervals, such as `2 4 6..9`.
fn unary(reader: &mut Reader, rows: Constraint<'_, '_>, x: &Operand, positive: bool) -> Result<()> {
    let intervals = reader.scan(rows, |text| text.domain())?;
    let finite: Option<Vec<(Value, Value)>> =
        intervals.into_iter().map(|(first, last)| Some((first?, last?))).collect();
    let finite = finite.ok_or_else(|| rows.element.refuse("finite intervals in this element"))?;
    let set = Arc::new(Domain::from_intervals(finite));
    if positive {
        reader.builder.call("set_in", vec![one(x.clone()), one(Operand::Set(set))]);
    } else {
        let member = reader.builder.within_set(x, &set);
        reader.builder.clause(&[!member]);
    }
    Ok(())
}

/// Reads the rows of a table. A table that all constraints of a group share is read only once.
fn table(reader: &mut Reader, rows: Constraint<'_, '_>, columns: usize) -> Result<Arc<[Operand]>> {
    let key = (rows.element.node.id(), columns);
    if let Some(known) = reader.tables.get(&key) {
        return Ok(Arc::clone(known));
    }
    let any = Operand::Set(Arc::new(Domain::interval(Value::MIN, Value::MAX)));
    let entries = reader.scan(rows, |scanner| scanner.table(columns))?;
    let table: Arc<[Operand]> =
        entries.into_iter().map(|entry| entry.map_or_else(|| any.clone(), Operand::Int)).collect();
    reader.tables.insert(key, Arc::clone(&table));
    Ok(table)
}

/// Reads `instantiation`: each variable has the given value, where `*` allows any value.
pub(super) fn instantiation(reader: &mut Reader, c: Constraint<'_, '_>) -> Result<()> {
    let list = reader.list(c)?;
    let element = c.element.need("values")?;
    let values = reader.scan(c.at(element), |text| text.constants())?;
    if list.len() != values.len() {
        let expected = format!("{} values, one for each variable", list.len());
        return Err(element.refuse(expected));
    }
    let list = reader.builder.operands(&list)?;
    for (x, value) in list.into_iter().zip(values) {
        if let Some(value) = value {
            reader.builder.call("int_eq", vec![one(x), one(Operand::Int(value))]);
        }
    }
    Ok(())
}
