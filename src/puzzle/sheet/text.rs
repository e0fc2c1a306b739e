//! The native text of boards: blocks of tokens, as the sheet lists them.

use std::sync::Arc;

use super::block::{self, Filling, NO_AREA, NOTHING, Rows, letters};
use super::size::{self, Blocks, SourceRow, StatedSize};
use crate::format::text::TextDocument;
use crate::format::{InputError, Source, Span, Spanned};
use crate::puzzle::{Editor, Tokens};
use crate::rules::sheet::{DataBlock, Scheme, Sheet, SheetBoard, Value};

/// Reads a board.
pub(super) fn read(
    sheet: &Arc<Sheet>,
    document: &TextDocument,
    stated: Option<&StatedSize>,
) -> Result<SheetBoard, InputError> {
    let source = &document.source;
    let numbers = sheet.blocks.iter().filter(|block| block.scheme == Scheme::Number);
    let names: Vec<&str> = numbers.map(|block| sheet.data[block.fields[0]].name.as_str()).collect();
    document.record.only(&names)?;
    let rows = document.rows.iter().map(|row| SourceRow { tokens: row.cells.len(), span: row.span });
    let rows: Vec<SourceRow> = rows.collect();
    let size = Blocks { sheet, source, rows: &rows, counts: None }.size(stated)?;
    let mut filling = Filling::new(sheet, source, size);
    let mut rest = &document.rows[..];
    for block in &sheet.blocks {
        if block.scheme == Scheme::Number {
            let number = document.record.integer(&sheet.data[block.fields[0]].name)?;
            filling.field(block, 0, &vec![vec![whole(source, &number)?]])?;
            continue;
        }
        let (rows, others) = rest.split_at(size::rows_of(block.scheme, size));
        rest = others;
        let mut fields: Vec<Rows<Spanned<Value>>> = vec![Vec::new(); block.fields.len()];
        for row in rows {
            for field in &mut fields {
                field.push(Vec::with_capacity(row.cells.len()));
            }
            for token in &row.cells {
                let values = values(block, source, token)?;
                for (field, value) in fields.iter_mut().zip(values) {
                    field.last_mut().expect("a row").push(value);
                }
            }
        }
        for (field, rows) in fields.iter().enumerate() {
            filling.field(block, field, rows)?;
        }
    }
    filling.finish()
}

/// Converts a number of the source.
pub(super) fn whole(source: &Source, number: &Spanned<i128>) -> Result<Spanned<Value>, InputError> {
    let value = i64::try_from(number.value);
    let value = value.map_err(|_| InputError::at(source, number, "a number within 64 bits"))?;
    Ok(Spanned::new(Value::Number(value), number.span))
}

/// Returns the values of a token: one for each name of the block.
fn values(
    block: &DataBlock,
    source: &Source,
    token: &Spanned<String>,
) -> Result<Vec<Spanned<Value>>, InputError> {
    let text = token.value.as_str();
    let at = |value| Spanned::new(value, token.span);
    let count = block.fields.len();
    match block.scheme {
        Scheme::Areas if text == NO_AREA => Ok(vec![at(Value::None)]),
        Scheme::Areas => Ok(vec![at(Value::symbol(text))]),
        _ if text == NOTHING => Ok(vec![at(Value::None); count]),
        Scheme::Sums => sums(source, token),
        Scheme::Grid if count > 1 => shared(source, token, count),
        _ => Ok(vec![scalar(source, token)?]),
    }
}

/// Returns a number, or a symbol for every other token.
fn scalar(source: &Source, token: &Spanned<String>) -> Result<Spanned<Value>, InputError> {
    let digits = token.value.strip_prefix('-').unwrap_or(&token.value);
    let value = if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        Value::symbol(&token.value)
    } else {
        let number =
            token.value.parse().map_err(|_| InputError::at(source, token, "a number within 64 bits"))?;
        Value::Number(number)
    };
    Ok(Spanned::new(value, token.span))
}

/// Splits a token for several names: a part without letters, then a letter for each further name. `-` stands for a
/// letter that is missing before another one.
fn shared(source: &Source, token: &Spanned<String>, count: usize) -> Result<Vec<Spanned<Value>>, InputError> {
    let text = &token.value;
    let split = text.find(char::is_alphabetic).unwrap_or(text.len());
    let first = &text[..split];
    let dashes = if split < text.len() { first.len() - first.trim_end_matches('-').len() } else { 0 };
    let (first, rest) = text.split_at(split - dashes);
    let part =
        |start: usize, text: &str| Span::new(token.span.start + start, token.span.start + start + text.len());
    let mut values = Vec::with_capacity(count);
    values.push(if first.is_empty() {
        Spanned::new(Value::None, part(0, ""))
    } else {
        scalar(source, &Spanned::new(first.to_owned(), part(0, first)))?
    });
    for (at, c) in rest.char_indices() {
        let letter = c.encode_utf8(&mut [0; 4]).to_owned();
        let is_letter = c.is_alphabetic() || c == '-';
        if !is_letter || values.len() == count {
            let expected = match count {
                2 => "a number and a letter, either of which can be missing".to_owned(),
                _ => format!("a number and up to {} letters", count - 1),
            };
            return Err(InputError::at(source, token, expected));
        }
        let span = part(first.len() + at, &letter);
        values.push(Spanned::new(if c == '-' { Value::None } else { Value::symbol(&letter) }, span));
    }
    values.resize(count, Spanned::new(Value::None, token.span));
    Ok(values)
}

/// Splits a token `down\across`.
fn sums(source: &Source, token: &Spanned<String>) -> Result<Vec<Spanned<Value>>, InputError> {
    let expected = "`.`, or `DOWN\\ACROSS` with numbers that can be missing";
    let Some((down, across)) = token.value.split_once('\\') else {
        return Err(InputError::at(source, token, expected));
    };
    let start = token.span.start;
    let number = |text: &str, start: usize| {
        let span = Span::new(start, start + text.len());
        if text.is_empty() {
            return Ok(Spanned::new(Value::None, span));
        }
        let number = scalar(source, &Spanned::new(text.to_owned(), span))?;
        match number.value {
            Value::Number(_) => Ok(number),
            _ => Err(InputError::at(source, token, expected)),
        }
    };
    let down_value = number(down, start)?;
    let across_value = number(across, start + down.len() + 1)?;
    Ok(vec![down_value, across_value, Spanned::new(Value::Bool(true), token.span)])
}

/// Returns the rows of tokens of each block with rows.
pub(super) fn blocks(board: &SheetBoard) -> Vec<Rows<String>> {
    let blocks = board.sheet().blocks.iter().filter(|block| block.scheme != Scheme::Number);
    blocks.map(|block| tokens(board, block)).collect()
}

/// Returns the rows of tokens of a block.
pub(super) fn tokens(board: &SheetBoard, block: &DataBlock) -> Rows<String> {
    let mut fields: Vec<Rows<Value>> =
        (0..block.fields.len()).map(|field| block::rows(board, block, field)).collect();
    let rest = fields.split_off(1);
    let first = fields.remove(0).into_iter().enumerate().map(|(row, values)| {
        let values = values.into_iter().enumerate().map(|(column, value)| {
            let others = rest.iter().map(|rows| &rows[row][column]);
            token(block.scheme, &value, &others.collect::<Vec<_>>())
        });
        values.collect()
    });
    let mut rows: Rows<String> = first.collect();
    if matches!(block.scheme, Scheme::ColumnLists | Scheme::RowLists) {
        rows.iter_mut().filter(|row| row.is_empty()).for_each(|row| row.push("0".to_owned()));
    }
    rows
}

fn token(scheme: Scheme, first: &Value, others: &[&Value]) -> String {
    let text = |value: &Value| if *value == Value::None { String::new() } else { value.to_string() };
    match (scheme, first, others) {
        (Scheme::Sums, down, [across, closed]) => match closed {
            Value::None => NOTHING.to_owned(),
            _ => format!("{}\\{}", text(down), text(across)),
        },
        (Scheme::Areas, Value::None, _) => NO_AREA.to_owned(),
        (Scheme::Areas, Value::Number(number), _) => label(*number),
        _ => {
            let last = others.iter().rposition(|value| **value != Value::None).map_or(0, |last| last + 1);
            let letters = others[..last]
                .iter()
                .map(|value| if **value == Value::None { "-".into() } else { text(value) });
            let token = text(first) + &letters.collect::<String>();
            if token.is_empty() { NOTHING.to_owned() } else { token }
        }
    }
}

/// Returns the label of an area, from its number from 1: a letter, or two and more.
pub(super) fn label(number: i64) -> String {
    usize::try_from(number - 1).map_or_else(|_| number.to_string(), letters)
}

/// Returns the first line of a board: the name of the puzzle type, and the size if it does not follow from the blocks.
fn header(board: &SheetBoard, blocks: &[Rows<String>]) -> String {
    let name = board.sheet().name();
    let lengths: Vec<usize> = blocks.iter().flatten().map(Vec::len).collect();
    if size::follows(board, &lengths, None) {
        name.to_owned()
    } else {
        format!("{name} {}={}", size::OPTION, size::written(board.size()))
    }
}

/// Returns the `name = number` lines of a board.
pub(super) fn numbers(board: &SheetBoard) -> Vec<(String, String)> {
    let sheet = board.sheet();
    let numbers = sheet.blocks.iter().filter(|block| block.scheme == Scheme::Number);
    let line = |block: &DataBlock| {
        let value = &block::rows(board, block, 0)[0][0];
        (sheet.data[block.fields[0]].name.clone(), value.to_string())
    };
    numbers.map(line).collect()
}

/// Writes a board as text that [`read`] reads back.
pub(super) fn write(board: &SheetBoard) -> String {
    let blocks = blocks(board);
    let mut text = header(board, &blocks);
    text.push('\n');
    for (name, number) in numbers(board) {
        text.extend([name.as_str(), " = ", &number, "\n"]);
    }
    for (index, rows) in blocks.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        let width = rows.iter().flatten().map(|token| token.chars().count()).max().unwrap_or(0);
        for row in rows {
            let row: Vec<String> = row.iter().map(|token| format!("{token:>width$}")).collect();
            text.push_str(&row.join(" "));
            text.push('\n');
        }
    }
    text
}

/// The greatest number of numbers that an editor lists.
const MOST_LISTED: usize = 12;

/// The greatest number that an editor lists together with each letter.
const MOST_COMBINED: i64 = 9;

/// Returns the block that an editor shows as cells: the last block, if it has a token for each cell. The blocks before it
/// belong to the header.
pub(super) fn edited(sheet: &Sheet) -> Option<&DataBlock> {
    sheet.blocks.last().filter(|block| block.scheme == Scheme::Grid)
}

/// Returns the tokens that an editor offers, if it can show the board as cells.
pub(super) fn editor(board: &SheetBoard) -> Option<Editor> {
    let sheet = board.sheet();
    let block = edited(sheet).filter(|block| block.fields.len() <= 2)?;
    let possible = |data: usize| board.possible(data).ok();
    let first = possible(block.fields[0])?;
    let mut words = vec![NOTHING.to_owned()];
    let mut numbers = first.is_none();
    let values = first.as_ref().map_or(&[][..], Value::items);
    let count = values.iter().filter(|value| value.number().is_some()).count();
    if let [_, second] = block.fields[..] {
        let letters = possible(second)?.map_or(Vec::new(), |values| values.items().to_vec());
        let few = values.iter().filter(|value| value.number().is_none_or(|number| number <= MOST_COMBINED));
        let few: Vec<&Value> = few.collect();
        numbers |= few.len() < values.len();
        words.extend(letters.iter().map(Value::to_string));
        words.extend(few.iter().map(ToString::to_string));
        words.extend(
            few.iter().flat_map(|value| letters.iter().map(move |letter| format!("{value}{letter}"))),
        );
    } else {
        let listed = values.iter().filter(|value| count <= MOST_LISTED || value.number().is_none());
        words.extend(listed.map(Value::to_string));
        numbers |= count > MOST_LISTED;
    }
    let marks = super::solution::marks(board);
    let text = write(board);
    let lines: Vec<&str> = text.lines().collect();
    let header = lines[..lines.len() - usize::from(board.size().rows)].join("\n");
    Some(Editor { header: header.trim_end().to_owned(), clues: Tokens { words, numbers }, marks })
}

#[cfg(test)]
mod tests;
