//! The data of a number crossword: its schema, its definitions, and the tables of its entries, which follow from the
//! schema and may be left out.

use std::collections::{BTreeMap, BTreeSet};

use super::{Entry, Numcross, entries};
use crate::format::text::TextDocument;
use crate::format::{InputError, Record, Spanned, counted};
use crate::puzzle::{Options, Read};
use crate::rules::Grid;

const NAMES: [&str; 10] = ["r", "s", "n", "m", "schema", "S", "orizzontali", "verticali", "no", "nv"];

/// The greatest number in a cell: each value may become a literal.
const GREATEST: i128 = 1_000_000;
/// The greatest definition: partial products times a value are within 128 bits.
const GREATEST_DEFINITION: i128 = 10_i128.pow(30);

/// The native text: named values, the schema among them or as rows of `.` and `#`.
pub(super) fn from_text(document: &TextDocument, _: &Options) -> Read {
    let record = &document.record;
    if document.rows.is_empty() {
        return read(record, schema(record)?);
    }
    if let Some(schema) = record.get("schema") {
        let expected = "the schema once, as rows or by name";
        return Err(InputError::new(&record.source, schema.span, expected, "a second one"));
    }
    let rows = document.grid()?;
    let white = |token: &Spanned<String>| match token.value.as_str() {
        "." => Ok(true),
        "#" => Ok(false),
        found => {
            let found = format!("`{found}`");
            Err(InputError::new(&document.source, token.span, "`.` (white) or `#` (black)", found))
        }
    };
    let cells = rows.iter().copied().flatten().map(white).collect::<Result<_, _>>()?;
    read(record, Grid::new(rows.len(), rows[0].len(), cells))
}

pub(super) fn from_record(record: &Record, _: &Options) -> Read {
    read(record, schema(record)?)
}

/// The matrix `schema`, of n rows and m columns where these are given: 0 is white and 1 black.
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
        found => {
            let found = format!("`{found}`");
            Err(InputError::new(&record.source, cell.span, "0 (white) or 1 (black)", found))
        }
    };
    let cells = rows.iter().flatten().map(white).collect::<Result<_, _>>()?;
    Ok(Grid::new(rows.len(), columns, cells))
}

fn read(record: &Record, white: Grid<bool>) -> Read {
    record.only(&NAMES)?;
    for (name, of, count) in [("n", "rows", white.rows()), ("m", "columns", white.columns())] {
        expect_count(record, name, count, || format!("{count}, the {of} of the schema"))?;
    }
    let least = record.integer_in("r", "the least number of a cell", 1..=GREATEST)?;
    let greatest = record.integer_in("s", "the greatest number of a cell", 1..=GREATEST)?;
    if greatest < least {
        let span = record.integer("s")?.span;
        let expected = format!("a number from {least}, the least of a cell");
        return Err(InputError::new(&record.source, span, expected, format!("`{greatest}`")));
    }
    let [across, down] = entries(&white);
    for (direction, table, count, entries) in
        [("across", "orizzontali", "no", &across), ("down", "verticali", "nv", &down)]
    {
        check_table(record, &white, direction, table, entries)?;
        let expected = || format!("{}, the entries {direction} in the schema", entries.len());
        expect_count(record, count, entries.len(), expected)?;
    }
    let definitions = definitions(record, across.len() + down.len())?;
    Ok(Box::new(Numcross { white, least, greatest, definitions, across, down }))
}

/// A number that is given although it follows from the schema.
fn expect_count(
    record: &Record,
    name: &str,
    count: usize,
    expected: impl Fn() -> String,
) -> Result<(), InputError> {
    match record.optional_integer(name)? {
        Some(given) if given.value != count as i128 => {
            let found = format!("`{}`", given.value);
            Err(InputError::new(&record.source, given.span, expected(), found))
        }
        _ => Ok(()),
    }
}

fn definitions(record: &Record, entries: usize) -> Result<Vec<i128>, InputError> {
    let given = record.integers("S")?;
    let mut seen = BTreeSet::new();
    for definition in &given {
        let error = |expected: String| {
            InputError::new(&record.source, definition.span, expected, format!("`{}`", definition.value))
        };
        if !(1..=GREATEST_DEFINITION).contains(&definition.value) {
            return Err(error(format!("a definition from 1 to {GREATEST_DEFINITION}")));
        }
        if !seen.insert(definition.value) {
            return Err(error("each definition once".to_owned()));
        }
    }
    if given.len() != entries {
        let span = record.required("S")?.span;
        let expected = format!("as many definitions as the schema has entries, {entries}");
        return Err(InputError::new(&record.source, span, expected, given.len().to_string()));
    }
    Ok(given.into_iter().map(|definition| definition.value).collect())
}

/// Checks a table of entries, each with its number, row, column and length, against those of the schema.
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
            let found = format!("`{}`", number.value);
            return Err(InputError::new(&record.source, number.span, expected, found));
        };
        let place = white.place(entry.cells[0]);
        let expected = [("row", place.row + 1), ("column", place.column + 1), ("length", entry.cells.len())];
        for ((what, expected), value) in expected.into_iter().zip(values) {
            if value.value != expected as i128 {
                let expected =
                    format!("{what} {expected} for the entry {} {direction}, as in the schema", entry.number);
                let found = format!("`{}`", value.value);
                return Err(InputError::new(&record.source, value.span, expected, found));
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
