//! The parser of `MiniZinc` data: `name = value;` items, in any order.
//!
//! A value is an integer, `true` or `false`, a string in double quotes, an array `[1, 2]`, a range `2..11`, a set
//! `{1, 2}`, a matrix `[| 1, 2 | 3, 4 |]`, `array1d(1..2, [1, 2])` or `array2d(1..2, 1..2, [1, 2, 3, 4])`. The bounds
//! of an index set may be names of integers defined earlier. A comment is enclosed by `/*` and `*/`, or extends from
//! `%` to the end of the line. `//` also starts a comment: `MiniZinc` does not allow this, but it occurs in published
//! data. Whitespace is allowed between any two tokens, and within `[|` and `|]`. The last semicolon is optional.

use winnow::Result;

use super::grammar::{
    Input, ListSyntax, SyntaxError, accept, input_at, integer, name, nested, next, number_follows, offset,
    quoted, remaining, require, run,
};
use super::record::{DataValue, NamedValue, Record};
use super::syntax::Syntax;
use crate::source::{InputError, Source, Span, Spanned, counted, quote};

const LIST: ListSyntax = ListSyntax { blank, item: value, trailing_comma: true };

/// Parses `MiniZinc` data.
///
/// # Errors
/// Returns an error if the text does not follow the grammar in the module documentation, or if a name occurs twice.
pub fn read(source: &Source) -> Result<Record, InputError> {
    let mut record = Record::new(source, Syntax::Dzn);
    let mut input = input_at(source, 0);
    loop {
        match item(&mut input).map_err(|error| error.into_error(source))? {
            Some(entry) => record.insert(entry)?,
            None => return Ok(record),
        }
    }
}

/// Parses the value at byte `start` of a source. Returns the value and the offset of its end.
pub(super) fn read_value(source: &Source, start: usize) -> Result<(Spanned<DataValue>, usize), InputError> {
    let mut input = input_at(source, start);
    let read = blank(&mut input).and_then(|()| value(&mut input));
    let read = read.map_err(|error| error.into_error(source))?;
    Ok((read, offset(&input)))
}

/// Parses `name = value` and the semicolon after it. Returns `None` at the end of the file.
fn item(input: &mut Input<'_>) -> Result<Option<NamedValue>, SyntaxError> {
    blank(input)?;
    if next(input).is_none() {
        return Ok(None);
    }
    let name = name(input, "a name")?;
    blank(input)?;
    require(input, "=")?;
    blank(input)?;
    let value = value(input)?;
    blank(input)?;
    if next(input).is_some() {
        require(input, ";")?;
    }
    if let DataValue::Integer(number) = value.value {
        input.state.integers.insert(name.value.clone(), number);
    }
    Ok(Some(NamedValue { name, value }))
}

/// Skips whitespace and comments.
pub(super) fn blank(input: &mut Input<'_>) -> Result<(), SyntaxError> {
    loop {
        run(input, char::is_whitespace)?;
        let rest = remaining(input);
        if rest.starts_with('%') || rest.starts_with("//") {
            run(input, |c| c != '\n')?;
        } else if rest.starts_with("/*") {
            let start = offset(input);
            require(input, "/*")?;
            while !accept(input, "*/") {
                if next(input).is_none() {
                    let span = Span::new(start, start + 2);
                    return Err(SyntaxError::at(
                        span,
                        "`*/` at the end of the comment",
                        "the end of the file",
                    ));
                }
                // Skips a star inside the comment, or all characters before the next star.
                if !accept(input, "*") {
                    run(input, |c| c != '*')?;
                }
            }
        } else {
            return Ok(());
        }
    }
}

fn value(input: &mut Input<'_>) -> Result<Spanned<DataValue>, SyntaxError> {
    if number_follows(input) {
        return number_or_range(input);
    }
    let start = offset(input);
    let value = match next(input) {
        Some('"') => DataValue::Text(quoted(input)?.value),
        Some('[') => nested(input, array)?,
        Some('{') => nested(input, set)?,
        _ => return word(input),
    };
    Ok(Spanned::new(value, Span::new(start, offset(input))))
}

/// Parses an integer such as `5` or a range such as `5..7`.
fn number_or_range(input: &mut Input<'_>) -> Result<Spanned<DataValue>, SyntaxError> {
    let low = integer(input)?;
    // Blanks before `..` are skipped only if `..` is on the same line. The native text format, which uses the same
    // parser, requires this because its values end at the end of the line.
    let gap = remaining(input).trim_start_matches([' ', '\t']);
    if !gap.starts_with("..") {
        return Ok(Spanned::new(DataValue::Integer(low.value), low.span));
    }
    run(input, |c| matches!(c, ' ' | '\t'))?;
    require(input, "..")?;
    blank(input)?;
    let high = integer(input)?;
    Ok(Spanned::new(DataValue::Range(low.value, high.value), Span::new(low.span.start, high.span.end)))
}

/// Parses `true`, `false`, `array1d(...)` or `array2d(...)`.
fn word(input: &mut Input<'_>) -> Result<Spanned<DataValue>, SyntaxError> {
    let word = name(input, "a value")?;
    let value = match word.value.as_str() {
        "true" => DataValue::Boolean(true),
        "false" => DataValue::Boolean(false),
        "array1d" => nested(input, |input| indexed(input, 1))?,
        "array2d" => nested(input, |input| indexed(input, 2))?,
        _ => return Err(SyntaxError::at(word.span, "a value", quote(&word.value))),
    };
    Ok(Spanned::new(value, Span::new(word.span.start, offset(input))))
}

fn set(input: &mut Input<'_>) -> Result<DataValue, SyntaxError> {
    require(input, "{")?;
    let items = LIST.items(input, &['}'], "}")?;
    require(input, "}")?;
    Ok(DataValue::Set(items))
}

fn array(input: &mut Input<'_>) -> Result<DataValue, SyntaxError> {
    require(input, "[")?;
    blank(input)?;
    if accept(input, "|") {
        return nested(input, matrix);
    }
    let items = LIST.items(input, &[']'], "]")?;
    require(input, "]")?;
    Ok(DataValue::Array(items))
}

/// Parses the rows of a matrix after `[|`.
fn matrix(input: &mut Input<'_>) -> Result<DataValue, SyntaxError> {
    let mut rows: Vec<Spanned<DataValue>> = Vec::new();
    loop {
        blank(input)?;
        // The bar before `]` has already been consumed as the end of the last row.
        if accept(input, "]") {
            return Ok(DataValue::Array(rows));
        }
        let start = offset(input);
        let row = LIST.items(input, &['|'], "|")?;
        let end = row.last().map_or(start, |last| last.span.end);
        require(input, "|")?;
        if row.is_empty() {
            // `[||]` and `[| |]` are matrices without rows.
            blank(input)?;
            if rows.is_empty() && accept(input, "]") {
                return Ok(DataValue::Array(rows));
            }
            return Err(SyntaxError::at(Span::new(start, start + 1), "a value", "`|`"));
        }
        rows.push(Spanned::new(DataValue::Array(row), Span::new(start, end)));
    }
}

/// Parses the index sets and the values of `array1d` or `array2d`.
fn indexed(input: &mut Input<'_>, dimensions: usize) -> Result<DataValue, SyntaxError> {
    blank(input)?;
    require(input, "(")?;
    let mut sizes = Vec::new();
    for _ in 0..dimensions {
        blank(input)?;
        sizes.push(index_set(input)?);
        blank(input)?;
        require(input, ",")?;
    }
    blank(input)?;
    let start = offset(input);
    if next(input) != Some('[') {
        return Err(SyntaxError::here(input, "`[`"));
    }
    let DataValue::Array(items) = nested(input, array)? else {
        return Err(SyntaxError::here(input, "`[`"));
    };
    let span = Span::new(start, offset(input));
    blank(input)?;
    require(input, ")")?;
    shaped(items, span, &sizes)
}

/// Parses an index set such as `1..n`, and returns its size.
fn index_set(input: &mut Input<'_>) -> Result<usize, SyntaxError> {
    let low = bound(input)?;
    blank(input)?;
    require(input, "..")?;
    blank(input)?;
    let high = bound(input)?;
    let size = high.value.checked_sub(low.value).and_then(|distance| distance.checked_add(1));
    size.and_then(|size| usize::try_from(size.max(0)).ok()).ok_or_else(|| {
        let span = Span::new(low.span.start, high.span.end);
        let found = format!("{}..{}", low.value, high.value);
        SyntaxError::at(span, "a shorter range", quote(&found))
    })
}

/// Parses a bound of an index set: an integer, or the name of an integer defined earlier.
pub(super) fn bound(input: &mut Input<'_>) -> Result<Spanned<i128>, SyntaxError> {
    const EXPECTED: &str = "a number or the name of one given before";
    if number_follows(input) {
        return integer(input);
    }
    let name = name(input, EXPECTED)?;
    match input.state.integers.get(&name.value) {
        Some(&number) => Ok(Spanned::new(number, name.span)),
        None => Err(SyntaxError::at(name.span, EXPECTED, quote(&name.value))),
    }
}

/// Checks that the number of values is the product of the index set sizes. Splits a matrix into rows.
fn shaped(items: Vec<Spanned<DataValue>>, span: Span, sizes: &[usize]) -> Result<DataValue, SyntaxError> {
    let size = sizes.iter().try_fold(1_usize, |product, &size| product.checked_mul(size));
    if size != Some(items.len()) {
        let sizes = sizes.iter().map(usize::to_string).collect::<Vec<_>>().join(" x ");
        return Err(SyntaxError::at(span, format!("{sizes} values"), counted(items.len(), "value")));
    }
    let &[_, columns] = sizes else {
        return Ok(DataValue::Array(items));
    };
    let mut rows = Vec::new();
    let mut items = items.into_iter().peekable();
    while items.peek().is_some() {
        let row: Vec<_> = items.by_ref().take(columns).collect();
        let start = row.first().map_or(span.start, |first| first.span.start);
        let end = row.last().map_or(span.end, |last| last.span.end);
        rows.push(Spanned::new(DataValue::Array(row), Span::new(start, end)));
    }
    Ok(DataValue::Array(rows))
}

#[cfg(test)]
mod tests;
