//! The parser of JSON data: one object whose members are the named values.
//!
//! The parser follows [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259).
//! `serde_json` is not used because every value needs its position in the source.

use std::collections::HashSet;

use winnow::Result;
use winnow::stream::Stream;

use super::grammar::{
    Input, ListSyntax, SyntaxError, accept, input_at, integer, name, nested, next, number_follows, offset,
    quoted, require, run,
};
use super::record::{DataValue, NamedValue, Record};
use super::syntax::Syntax;
use crate::source::{InputError, Source, Span, Spanned, quote};

const LIST: ListSyntax = ListSyntax { blank, item: value, trailing_comma: false };

/// Parses a JSON object.
///
/// # Errors
/// Returns an error if the text does not follow the grammar of the module, or a name occurs twice.
pub fn read(source: &Source) -> Result<Record, InputError> {
    let entries = document(&mut input_at(source, 0)).map_err(|error| error.into_error(source))?;
    let mut record = Record::new(source, Syntax::Json);
    for entry in entries {
        record.insert(entry)?;
    }
    Ok(record)
}

fn document(input: &mut Input<'_>) -> Result<Vec<NamedValue>, SyntaxError> {
    blank(input)?;
    let entries = nested(input, object)?;
    blank(input)?;
    if next(input).is_some() {
        return Err(SyntaxError::here(input, "the end of the file"));
    }
    Ok(entries)
}

fn blank(input: &mut Input<'_>) -> Result<(), SyntaxError> {
    run(input, |c| matches!(c, ' ' | '\t' | '\r' | '\n'))?;
    Ok(())
}

fn object(input: &mut Input<'_>) -> Result<Vec<NamedValue>, SyntaxError> {
    require(input, "{")?;
    let mut entries = Vec::new();
    let mut names = HashSet::new();
    blank(input)?;
    if accept(input, "}") {
        return Ok(entries);
    }
    loop {
        if next(input) != Some('"') {
            return Err(SyntaxError::here(input, "a name in double quotes"));
        }
        let name = quoted(input)?;
        if !names.insert(name.value.clone()) {
            let expected = format!("one value for {}", quote(&name.value));
            return Err(SyntaxError::at(name.span, expected, "a second one"));
        }
        blank(input)?;
        require(input, ":")?;
        blank(input)?;
        let value = value(input)?;
        entries.push(NamedValue { name, value });
        blank(input)?;
        if accept(input, "}") {
            return Ok(entries);
        }
        if !accept(input, ",") {
            return Err(SyntaxError::here(input, "`,` or `}`"));
        }
        blank(input)?;
    }
}

fn array(input: &mut Input<'_>) -> Result<Vec<Spanned<DataValue>>, SyntaxError> {
    require(input, "[")?;
    let items = LIST.items(input, &[']'], "]")?;
    require(input, "]")?;
    Ok(items)
}

fn value(input: &mut Input<'_>) -> Result<Spanned<DataValue>, SyntaxError> {
    if number_follows(input) {
        if let Some(decimal) = decimal(input)? {
            return Ok(decimal);
        }
        return integer(input).map(|number| Spanned::new(DataValue::Integer(number.value), number.span));
    }
    let start = offset(input);
    let value = match next(input) {
        Some('"') => DataValue::Text(quoted(input)?.value),
        Some('[') => DataValue::Array(nested(input, array)?),
        Some('{') => DataValue::Object(nested(input, object)?),
        _ => {
            let word = name(input, "a value")?;
            match word.value.as_str() {
                "true" => DataValue::Boolean(true),
                "false" => DataValue::Boolean(false),
                "null" => DataValue::Null,
                other => return Err(SyntaxError::at(word.span, "a value", quote(other))),
            }
        }
    };
    Ok(Spanned::new(value, Span::new(start, offset(input))))
}

/// Parses a number with a fraction or an exponent. No puzzle uses such numbers, but results in JSON contain them, for
/// example as times.
fn decimal(input: &mut Input<'_>) -> Result<Option<Spanned<DataValue>>, SyntaxError> {
    let before = input.checkpoint();
    let start = offset(input);
    let written = run(input, |c| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E'))?;
    if written.contains(['.', 'e', 'E']) && written.parse::<f64>().is_ok() {
        return Ok(Some(Spanned::new(
            DataValue::Decimal(written.to_owned()),
            Span::new(start, offset(input)),
        )));
    }
    input.reset(&before);
    Ok(None)
}

#[cfg(test)]
mod tests;
