//! The native text of boards: blocks of tokens, as the sheet lists them.

use std::sync::Arc;

use super::block::{self, Filling, NO_AREA, NOTHING, Rows, YES, letters};
use super::size::{self, Blocks, SourceRow, StatedSize};
use crate::format::text::{Row, TextDocument};
use crate::format::{InputError, Source, Span, Spanned, quote};
use crate::puzzle::{Editor, Options, Tokens};
use crate::rules::sheet::{DataBlock, Scheme, Sheet, SheetBoard, Size, Value};

/// Reads a board. `options` contains those on its first line, too.
pub(super) fn read(
    sheet: &Arc<Sheet>,
    document: &TextDocument,
    options: &Options,
) -> Result<SheetBoard, InputError> {
    let source = &document.source;
    let numbers = sheet.blocks.iter().filter(|block| block.scheme == Scheme::Number);
    let names: Vec<&str> = numbers.map(|block| sheet.data[block.fields[0]].name.as_str()).collect();
    document.record.only(&names)?;
    let parts = Parts::of(sheet, document)?;
    let stated = StatedSize::of_options(options)?;
    let size = parts.size(sheet, source, stated.as_ref())?;
    let mut filling = Filling::new(sheet, source, size, options);
    let mut rest = &parts.rows[..];
    for block in parts.blocks {
        if block.scheme == Scheme::Number {
            let number = document.record.integer(&sheet.data[block.fields[0]].name)?;
            filling.field(block, 0, &vec![vec![whole(source, &number)?]])?;
            continue;
        }
        if block.scheme == Scheme::Option {
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

/// The blocks of a text.
struct Parts<'a> {
    /// The blocks that the text has, in its order: first those without a label.
    blocks: Vec<&'a DataBlock>,
    /// The rows of all blocks.
    rows: Vec<&'a Row>,
    /// The number of rows of each block, if the text has labels and only one block has none.
    counts: Option<Vec<usize>>,
}

impl<'a> Parts<'a> {
    fn of(sheet: &'a Sheet, document: &'a TextDocument) -> Result<Self, InputError> {
        let source = &document.source;
        let mut labelled: Vec<(&DataBlock, usize)> = Vec::new();
        let mut rows = Vec::new();
        let mut first = document.rows.len();
        for row in &document.rows {
            let Some(label) = label_of(sheet, row) else {
                rows.push(row);
                continue;
            };
            let names: Vec<&str> = blocks_with_rows(sheet).map(|block| name(sheet, block)).collect();
            let labels = || names.iter().map(|name| quote(&label_for(name))).collect::<Vec<_>>().join(", ");
            let Some(block) = blocks_with_rows(sheet).find(|block| name(sheet, block) == label) else {
                let error = InputError::at(source, &row.cells[0], format!("one of {}", labels()));
                return Err(error.with_suggestion(label, &names));
            };
            if labelled.iter().any(|(other, _)| std::ptr::eq(*other, block)) {
                let expected = format!("{} only once", quote(&row.cells[0].value));
                return Err(InputError::at(source, &row.cells[0], expected));
            }
            first = first.min(rows.len());
            labelled.push((block, rows.len()));
        }
        let is_labelled = |block: &&DataBlock| labelled.iter().any(|(other, _)| std::ptr::eq(*other, *block));
        let others = sheet.blocks.iter().filter(|block| !block.is_optional && !is_labelled(block));
        let mut blocks: Vec<&DataBlock> = others.collect();
        let with_rows = blocks.iter().filter(|block| block.scheme.has_rows()).count();
        if let Some(missing) = blocks.iter().find(|block| block.scheme.has_rows())
            && first == 0
            && !labelled.is_empty()
        {
            let expected = format!("the block {}", quote(&label_for(name(sheet, missing))));
            return Err(InputError::new(source, source.end(), expected, "the end of the file"));
        }
        let counts = (with_rows < 2 && !labelled.is_empty()).then(|| {
            let first = first.min(rows.len());
            let unlabelled = blocks.iter().map(|block| if block.scheme.has_rows() { first } else { 0 });
            let ends = labelled.iter().skip(1).map(|(_, start)| *start).chain([rows.len()]);
            unlabelled.chain(labelled.iter().zip(ends).map(|((_, start), end)| end - start)).collect()
        });
        blocks.extend(labelled.iter().map(|(block, _)| *block));
        Ok(Self { blocks, rows, counts })
    }

    fn size(&self, sheet: &Sheet, source: &Source, stated: Option<&StatedSize>) -> Result<Size, InputError> {
        let rows = self.rows.iter().map(|row| SourceRow { tokens: row.cells.len(), span: row.span });
        let rows: Vec<SourceRow> = rows.collect();
        let counts = self.counts.as_deref();
        Blocks { sheet, source, present: &self.blocks, rows: &rows, counts }.size(stated)
    }
}

/// Returns the label before the rows of a block, from the first name of its data.
fn label_for(name: &str) -> String {
    format!("{name}:")
}

/// Returns the name in a label, if a row of a text is one. Only sheets with optional blocks have labels.
fn label_of<'a>(sheet: &Sheet, row: &'a Row) -> Option<&'a str> {
    let has_labels = sheet.blocks.iter().any(|block| block.is_optional);
    let [token] = &row.cells[..] else { return None };
    token.value.strip_suffix(':').filter(|name| has_labels && !name.is_empty())
}

fn blocks_with_rows(sheet: &Sheet) -> impl Iterator<Item = &DataBlock> {
    sheet.blocks.iter().filter(|block| block.scheme.has_rows())
}

fn name<'a>(sheet: &'a Sheet, block: &DataBlock) -> &'a str {
    &sheet.data[block.fields[0]].name
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

/// Returns the rows of tokens of each block with rows that a board has, with its label if the board has optional blocks.
pub(super) fn blocks(board: &SheetBoard) -> Vec<(Option<String>, Rows<String>)> {
    let present = block::present(board);
    let has_labels = present.iter().any(|block| block.is_optional);
    let label = |block: &DataBlock| has_labels.then(|| label_for(name(board.sheet(), block)));
    let blocks = present.into_iter().filter(|block| block.scheme.has_rows());
    blocks.map(|block| (label(block), tokens(board, block))).collect()
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

/// Returns the first line of a board: the name of the puzzle type, the size if it does not follow from the blocks, and the
/// options that are chosen.
fn header(board: &SheetBoard, blocks: &[(Option<String>, Rows<String>)]) -> String {
    let mut header = board.sheet().name().to_owned();
    let rows = || blocks.iter().map(|(_, rows)| rows);
    let lengths: Vec<usize> = rows().flatten().map(Vec::len).collect();
    let is_labelled = blocks.iter().any(|(label, _)| label.is_some());
    let counts = is_labelled.then(|| block::counts(board));
    if !size::follows(board, &lengths, counts.as_deref()) {
        header.extend([" ", size::OPTION, "=", &size::written(board.size())]);
    }
    for option in board.options() {
        header.extend([" ", &board.sheet().data[option].name, "=", YES]);
    }
    header
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
    for (index, (label, rows)) in blocks.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        if let Some(label) = label {
            text.extend([label, "\n"]);
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
    let mut numbers =
        first.is_none() || board.most_possible(block.fields[0]).is_ok_and(|most| most.is_some());
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
