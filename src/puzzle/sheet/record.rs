//! Boards as JSON: a value for each name of data.
//!
//! The value of a name is what its block contains: a matrix for cells or corners, a list for columns or rows, a list of
//! lists for lists and views, a number, or `true` for an option. `null` is an absent value. If a name occurs in several
//! blocks, its value is the list of their values.

use std::sync::Arc;

use super::block::{self, Filling, NO_AREA, NOTHING, Rows};
use super::size::{self, Blocks, SourceRow, StatedSize};
use super::text::whole;
use crate::format::{DataValue, InputError, Record, Span, Spanned};
use crate::puzzle::Options;
use crate::rules::sheet::{DataBlock, DataSort, Scheme, Sheet, SheetBoard, Value};

/// The name of the value that names the puzzle type.
const PUZZLE: &str = "puzzle";

/// Reads a board.
pub(super) fn read(sheet: &Arc<Sheet>, record: &Record, options: &Options) -> Result<SheetBoard, InputError> {
    let names = sheet.data.iter().map(|data| data.name.as_str());
    record.only(&names.chain([PUZZLE, size::OPTION]).collect::<Vec<_>>())?;
    let own = own_size(sheet, record)?;
    let stated = StatedSize::of_options(options)?.or(own);
    let source = &record.source;
    // The rows of each name of each block.
    let mut blocks: Vec<Vec<Rows<Spanned<Value>>>> = Vec::new();
    let mut rows = Vec::new();
    let mut counts = Vec::new();
    let mut seen = vec![0; sheet.data.len()];
    let is_stated = |data: &usize| {
        let given = record.get(&sheet.data[*data].name);
        given.is_some_and(|given| given.value != DataValue::Null)
    };
    let present = sheet.blocks.iter();
    let present: Vec<&DataBlock> =
        present.filter(|block| !block.is_optional || block.fields.iter().any(is_stated)).collect();
    for block in &present {
        let mut fields = Vec::new();
        for (number, &data) in block.fields.iter().enumerate() {
            if block.scheme == Scheme::Option {
                counts.push(0);
                continue;
            }
            let given = part(sheet, record, data, seen[data])?;
            seen[data] += 1;
            let read = values(record, block, number, given)?;
            if number == 0 && block.scheme.has_rows() {
                counts.push(read.len());
                rows.extend(read.iter().map(|(row, span)| SourceRow { tokens: row.len(), span: *span }));
            } else if number == 0 {
                counts.push(0);
            }
            fields.push((read, given.span));
        }
        check_same(record, sheet, block, &fields)?;
        blocks.push(
            fields.into_iter().map(|(rows, _)| rows.into_iter().map(|(row, _)| row).collect()).collect(),
        );
    }
    let size = Blocks { sheet, source, present: &present, rows: &rows, counts: Some(&counts) }
        .size(stated.as_ref())?;
    let mut filling = Filling::new(sheet, source, size, options);
    for (block, fields) in present.into_iter().zip(&blocks) {
        if block.scheme == Scheme::Option {
            let data = block.fields[0];
            if let Some(chosen) = record.optional_boolean(&sheet.data[data].name)? {
                filling.option(data, chosen.value);
            }
        }
        for (field, rows) in fields.iter().enumerate() {
            filling.field(block, field, rows)?;
        }
    }
    filling.finish()
}

/// Returns the size in the record, unless it is data.
fn own_size(sheet: &Sheet, record: &Record) -> Result<Option<StatedSize>, InputError> {
    if sheet.data.iter().any(|data| data.name == size::OPTION) {
        return Ok(None);
    }
    let text = record.optional_text(size::OPTION)?;
    text.map(|text| StatedSize::read(&record.source, &Spanned::new(text.value.to_owned(), text.span)))
        .transpose()
}

/// Returns the value of a name in one of its blocks.
fn part<'r>(
    sheet: &Sheet,
    record: &'r Record,
    data: usize,
    number: usize,
) -> Result<&'r Spanned<DataValue>, InputError> {
    let name = &sheet.data[data].name;
    let given = record.required(name)?;
    let count = sheet.blocks.iter().flat_map(|block| &block.fields).filter(|field| **field == data).count();
    if count == 1 {
        return Ok(given);
    }
    match &given.value {
        DataValue::Array(parts) if parts.len() == count => Ok(&parts[number]),
        _ => {
            let expected = format!("a list with a value for each of the {count} blocks of `{name}`");
            Err(InputError::new(&record.source, given.span, expected, given.value.description()))
        }
    }
}

type SpannedRows = Vec<(Vec<Spanned<Value>>, Span)>;

/// Returns the rows of a name.
fn values(
    record: &Record,
    block: &DataBlock,
    field: usize,
    given: &Spanned<DataValue>,
) -> Result<SpannedRows, InputError> {
    let unfit = |given: &Spanned<DataValue>, expected: &str| {
        InputError::new(&record.source, given.span, expected, given.value.description())
    };
    let row = |row: &Spanned<DataValue>| {
        let DataValue::Array(items) = &row.value else { return Err(unfit(row, "a list of values")) };
        let items = items.iter().map(|item| scalar(record, block.scheme, field, item));
        Ok((items.collect::<Result<Vec<_>, _>>()?, row.span))
    };
    match (block.scheme, &given.value) {
        (Scheme::Number, DataValue::Integer(number)) => {
            let number = Spanned::new(*number, given.span);
            Ok(vec![(vec![whole(&record.source, &number)?], given.span)])
        }
        (Scheme::Number, _) => Err(unfit(given, "a number")),
        (Scheme::Columns | Scheme::Rows, _) => Ok(vec![row(given)?]),
        (_, DataValue::Array(rows)) => rows.iter().map(row).collect(),
        _ => Err(unfit(given, "a list of lists of values")),
    }
}

fn scalar(
    record: &Record,
    scheme: Scheme,
    field: usize,
    given: &Spanned<DataValue>,
) -> Result<Spanned<Value>, InputError> {
    let value = match (&given.value, scheme) {
        (DataValue::Null, _) => Value::None,
        (DataValue::Text(text), Scheme::Areas) if text == NO_AREA => Value::None,
        (DataValue::Text(text), _) if text == NOTHING && scheme != Scheme::Areas => Value::None,
        (DataValue::Integer(number), Scheme::Areas) => Value::symbol(&number.to_string()),
        (DataValue::Integer(0) | DataValue::Boolean(false), Scheme::Sums) if field == 2 => Value::None,
        (DataValue::Integer(1) | DataValue::Boolean(true), Scheme::Sums) if field == 2 => Value::Bool(true),
        (_, Scheme::Sums) if field == 2 => {
            return Err(InputError::new(&record.source, given.span, "0 or 1", given.value.description()));
        }
        (DataValue::Integer(number), _) => {
            return whole(&record.source, &Spanned::new(*number, given.span));
        }
        (DataValue::Text(text), _) if is_token(text, scheme, field) => Value::symbol(text),
        (DataValue::Text(_), _) => {
            let letter = scheme == Scheme::Grid && field > 0;
            let expected = if letter { "a letter" } else { "a symbol without blanks, `%` and `=`" };
            return Err(InputError::new(&record.source, given.span, expected, "another text"));
        }
        (value, _) => {
            let expected = "a number, a symbol in quotes, or `null`";
            return Err(InputError::new(&record.source, given.span, expected, value.description()));
        }
    };
    Ok(Spanned::new(value, given.span))
}

/// Returns whether the native text can contain a symbol.
fn is_token(text: &str, scheme: Scheme, field: usize) -> bool {
    if scheme == Scheme::Grid && field > 0 {
        return text.chars().count() == 1 && text.chars().all(char::is_alphabetic);
    }
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    !is_number && !text.contains(|c: char| c.is_whitespace() || matches!(c, '%' | '='))
}

/// Checks that all names of a block have rows of the same lengths.
fn check_same(
    record: &Record,
    sheet: &Sheet,
    block: &DataBlock,
    fields: &[(SpannedRows, Span)],
) -> Result<(), InputError> {
    let lengths = |rows: &SpannedRows| rows.iter().map(|(row, _)| row.len()).collect::<Vec<_>>();
    let Some(((first, _), others)) = fields.split_first() else { return Ok(()) };
    match others.iter().find(|(rows, _)| lengths(rows) != lengths(first)) {
        None => Ok(()),
        Some((_, span)) => {
            let name = &sheet.data[block.fields[0]].name;
            let expected = format!("as many rows and values as in `{name}`");
            Err(InputError::new(&record.source, *span, expected, "rows of other lengths"))
        }
    }
}

/// Writes a board as JSON that [`read`] reads back.
pub(super) fn write(board: &SheetBoard) -> String {
    let sheet = board.sheet();
    let present = block::present(board);
    let mut entries = vec![format!("\"{PUZZLE}\": {}", json(&Value::symbol(sheet.name())))];
    for (data, entry) in sheet.data.iter().enumerate() {
        if entry.sort == DataSort::Option {
            if board.options().any(|option| option == data) {
                entries.push(format!("{}: true", json(&Value::symbol(&entry.name))));
            }
            continue;
        }
        let of_data = |block: &'_ DataBlock| block.fields.iter().position(|field| *field == data);
        let blocks = present.iter().filter_map(|block| Some(json_block(board, block, of_data(block)?)));
        let blocks: Vec<String> = blocks.collect();
        if blocks.is_empty() {
            continue;
        }
        let value = if blocks.len() == 1 { blocks.concat() } else { format!("[{}]", blocks.join(", ")) };
        entries.push(format!("{}: {value}", json(&Value::symbol(&entry.name))));
    }
    let with_rows = present.iter().filter(|block| block.scheme.has_rows());
    let lengths = with_rows.flat_map(|block| block::rows(board, block, 0)).map(|row| row.len());
    let lengths: Vec<usize> = lengths.collect();
    if !size::follows(board, &lengths, Some(&block::counts(board))) {
        let size = size::written(board.size());
        entries.push(format!("\"{}\": {}", size::OPTION, json(&Value::symbol(&size))));
    }
    format!("{{{}}}\n", entries.join(", "))
}

fn json_block(board: &SheetBoard, block: &DataBlock, field: usize) -> String {
    let list = |row: &Vec<Value>| format!("[{}]", row.iter().map(json).collect::<Vec<_>>().join(", "));
    let rows = block::rows(board, block, field);
    match block.scheme {
        Scheme::Number => json(&rows[0][0]),
        Scheme::Columns | Scheme::Rows => list(&rows[0]),
        _ => format!("[{}]", rows.iter().map(list).collect::<Vec<_>>().join(", ")),
    }
}

fn json(value: &Value) -> String {
    match value {
        Value::None => "null".to_owned(),
        Value::Bool(value) => i32::from(*value).to_string(),
        Value::Number(number) => number.to_string(),
        value => quoted(&value.to_string()),
    }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                quoted.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
