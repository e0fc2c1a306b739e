//! Parsers for number crosswords. The data consists of the schema (the black and white cells), the definitions, and
//! optional tables of entries. The tables are redundant, and must agree with the schema.

use std::collections::BTreeMap;

use super::{Entry, entries};
use crate::format::text::TextDocument;
use crate::format::{InputError, Record, Spanned, counted};
use crate::puzzle::{Options, PuzzleType, Read};
use crate::rules::Grid;
use crate::rules::numcross::Numcross;

const NAMES: [&str; 10] = ["r", "s", "n", "m", "schema", "S", "orizzontali", "verticali", "no", "nv"];

/// Reads the native text, which consists of named values. The schema is a named value or is given by rows of `.` and
/// `#`.
pub(super) fn from_text(document: &TextDocument, _: &'static PuzzleType, _: &Options) -> Read {
    let record = &document.record;
    if document.rows.is_empty() {
        return read(record, schema(record)?);
    }
    if let Some(schema) = record.get("schema") {
        let expected = "the schema once, as rows or by name";
        return Err(InputError::new(&record.source, schema.span, expected, "a second one"));
    }
    let white = document.grid(|token| match token.value.as_str() {
        "." => Ok(true),
        "#" => Ok(false),
        _ => Err("`.` (white) or `#` (black)".to_owned()),
    })?;
    read(record, white)
}

pub(super) fn from_record(record: &Record, _: &'static PuzzleType, _: &Options) -> Read {
    read(record, schema(record)?)
}

/// Reads the matrix `schema`, in which 0 represents a white cell and 1 a black cell. If `n` and `m` are given, checks
/// that they match the size of the matrix.
fn schema(record: &Record) -> Result<Grid<bool>, InputError> {
    record.only(&NAMES)?;
    let rows = record.matrix("schema")?;
    let columns = rows.first().map_or(0, Vec::len);
    if columns == 0 {
        let span = record.required("schema")?.span;
        return Err(InputError::new(&record.source, span, "a cell", "an empty matrix"));
    }
    let white = |cell: &Spanned<i128>| match cell.value {
        0 => Ok(true),
        1 => Ok(false),
        _ => Err(InputError::at(&record.source, cell, "0 (white) or 1 (black)")),
    };
    let cells = rows.iter().flatten().map(white).collect::<Result<_, _>>()?;
    Ok(Grid::new(rows.len(), columns, cells))
}

fn read(record: &Record, white: Grid<bool>) -> Read {
    record.only(&NAMES)?;
    for (name, of, count) in [("n", "rows", white.rows()), ("m", "columns", white.columns())] {
        expect_count(record, name, count, || format!("{count}, the {of} of the schema"))?;
    }
    let [across, down] = entries(&white);
    for (direction, table, count, entries) in
        [("across", "orizzontali", "no", &across), ("down", "verticali", "nv", &down)]
    {
        check_table(record, &white, direction, table, entries)?;
        let expected = || format!("{}, the entries {direction} in the schema", entries.len());
        expect_count(record, count, entries.len(), expected)?;
    }
    let numbers = record.integer("r")?.value..=record.integer("s")?.value;
    let definitions = record.integers("S")?.into_iter().map(|definition| definition.value).collect();
    let numcross = Numcross::new(white, numbers, definitions).map_err(|invalid| record.refused(&invalid))?;
    Ok(Box::new(numcross))
}

/// Checks that a redundant number in the data equals the value that follows from the schema.
fn expect_count(
    record: &Record,
    name: &str,
    count: usize,
    expected: impl Fn() -> String,
) -> Result<(), InputError> {
    match record.optional_integer(name)? {
        Some(given) if given.value != count as i128 => {
            Err(InputError::at(&record.source, &given, expected()))
        }
        _ => Ok(()),
    }
}

/// Checks that a table of entries, each with its number, row, column and length, agrees with the schema.
fn check_table(
    record: &Record,
    white: &Grid<bool>,
    direction: &str,
    table: &str,
    entries: &[Entry],
) -> Result<(), InputError> {
    let Some(given) = record.get(table) else {
        return Ok(());
    };
    let mut missing: BTreeMap<i128, &Entry> = entries.iter().map(|entry| (entry.number, entry)).collect();
    for row in record.matrix(table)? {
        let [number, values @ ..] = &row[..] else {
            return Err(InputError::new(
                &record.source,
                given.span,
                "entries of four numbers",
                "an empty row",
            ));
        };
        if values.len() != 3 {
            let expected = format!("number, row, column and length of an entry {direction}");
            return Err(InputError::new(&record.source, number.span, expected, counted(row.len(), "value")));
        }
        let Some(entry) = missing.remove(&number.value) else {
            let twice = entries.iter().any(|entry| entry.number == number.value);
            let expected = if twice {
                format!("the entry {} {direction} once", number.value)
            } else {
                let numbers: Vec<_> = missing.keys().map(ToString::to_string).collect();
                format!(
                    "the number of an entry {direction} in the schema, still to come {}",
                    numbers.join(" ")
                )
            };
            return Err(InputError::at(&record.source, number, expected));
        };
        let place = white.place(entry.cells[0]);
        let expected = [("row", place.row + 1), ("column", place.column + 1), ("length", entry.cells.len())];
        for ((what, expected), value) in expected.into_iter().zip(values) {
            if value.value != expected as i128 {
                let expected =
                    format!("{what} {expected} for the entry {} {direction}, as in the schema", entry.number);
                return Err(InputError::at(&record.source, value, expected));
            }
        }
    }
    match missing.first_key_value() {
        None => Ok(()),
        Some((number, entry)) => {
            let place = white.place(entry.cells[0]);
            let expected = format!("the entry {number} {direction} at {place} too");
            Err(InputError::new(&record.source, given.span, expected, "a table without it"))
        }
    }
}
