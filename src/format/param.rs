//! The parser of Essence Prime parameters: `letting name be value` statements.
//!
//! The first line may be `language ESSENCE' 1.0`. A value is an integer, `true` or `false`, a range `int(1..5)` or an
//! array `[1, 2]`. Arrays may be nested and may end with the domain of their indices, as in `[1, 2; int(1..2)]`. `=`
//! may be written instead of `be`. A comment starts with `$` and extends to the end of the line.

use winnow::Result;

use super::dzn::bound;
use super::grammar::{
    Input, ListSyntax, SyntaxError, accept, input_at, integer, name, nested, next, number_follows, offset,
    require, run,
};
use super::record::{DataValue, NamedValue, Record};
use super::syntax::Syntax;
use crate::source::{InputError, Source, Span, Spanned, counted, quote};

const LIST: ListSyntax = ListSyntax { blank, item: value, trailing_comma: false };

/// Parses Essence Prime parameters.
///
/// # Errors
/// Returns an error if the text does not follow the grammar of the module, or a name occurs twice.
pub fn read(source: &Source) -> Result<Record, InputError> {
    let mut record = Record::new(source, Syntax::Param);
    let mut input = input_at(source, 0);
    let mut first = true;
    loop {
        match statement(&mut input, first).map_err(|error| error.into_error(source))? {
            Statement::Language => {}
            Statement::Letting(entry) => record.insert(entry)?,
            Statement::End => return Ok(record),
        }
        first = false;
    }
}

enum Statement {
    Language,
    Letting(NamedValue),
    End,
}

fn statement(input: &mut Input<'_>, first: bool) -> Result<Statement, SyntaxError> {
    blank(input)?;
    if next(input).is_none() {
        return Ok(Statement::End);
    }
    let word = name(input, "`letting`")?;
    match word.value.as_str() {
        "language" if first => {
            blank(input)?;
            require(input, "ESSENCE")?;
            accept(input, "'");
            run(input, |c| matches!(c, ' ' | '\t'))?;
            run(input, |c| c.is_ascii_digit() || c == '.')?;
            Ok(Statement::Language)
        }
        "letting" => letting(input).map(Statement::Letting),
        other => Err(SyntaxError::at(word.span, "`letting`", quote(other))),
    }
}

/// Parses `name be value` after `letting`.
fn letting(input: &mut Input<'_>) -> Result<NamedValue, SyntaxError> {
    blank(input)?;
    let name = name(input, "a name")?;
    blank(input)?;
    if !accept(input, "=") {
        let error = SyntaxError::here(input, "`be`");
        match self::name(input, "`be`") {
            Ok(word) if word.value == "be" => {}
            _ => return Err(error),
        }
    }
    blank(input)?;
    let value = value(input)?;
    if let DataValue::Integer(number) = value.value {
        input.state.integers.insert(name.value.clone(), number);
    }
    Ok(NamedValue { name, value })
}

/// Skips whitespace and comments.
fn blank(input: &mut Input<'_>) -> Result<(), SyntaxError> {
    run(input, char::is_whitespace)?;
    while next(input) == Some('$') {
        run(input, |c| c != '\n')?;
        run(input, char::is_whitespace)?;
    }
    Ok(())
}

fn value(input: &mut Input<'_>) -> Result<Spanned<DataValue>, SyntaxError> {
    if number_follows(input) {
        return integer(input).map(|number| Spanned::new(DataValue::Integer(number.value), number.span));
    }
    if next(input) == Some('[') {
        let start = offset(input);
        let items = nested(input, array)?;
        return Ok(Spanned::new(DataValue::Array(items), Span::new(start, offset(input))));
    }
    let word = name(input, "a value")?;
    let value = match word.value.as_str() {
        "true" => DataValue::Boolean(true),
        "false" => DataValue::Boolean(false),
        "int" => match bounds(input)? {
            (Some(low), Some(high)) => DataValue::Range(low, high),
            _ => return Err(SyntaxError::at(word.span, "a domain with two bounds", "`int`")),
        },
        other => return Err(SyntaxError::at(word.span, "a value", quote(other))),
    };
    Ok(Spanned::new(value, Span::new(word.span.start, offset(input))))
}

fn array(input: &mut Input<'_>) -> Result<Vec<Spanned<DataValue>>, SyntaxError> {
    let start = offset(input);
    require(input, "[")?;
    let items = LIST.items(input, &[']', ';'], "]")?;
    let size = if accept(input, ";") { index_domain(input)? } else { None };
    require(input, "]")?;
    match size {
        Some(size) if usize::try_from(size) != Ok(items.len()) => {
            let expected = format!("{size} values as the index domain says");
            Err(SyntaxError::at(Span::new(start, offset(input)), expected, counted(items.len(), "value")))
        }
        _ => Ok(items),
    }
}

/// Parses the index domain after the semicolon of an array, such as `int(1..2)`. Returns the size of the index domain
/// if both bounds are given.
fn index_domain(input: &mut Input<'_>) -> Result<Option<i128>, SyntaxError> {
    blank(input)?;
    let error = SyntaxError::here(input, "`int` or `bool`");
    let size = match name(input, "`int` or `bool`") {
        Ok(word) if word.value == "int" => match bounds(input)? {
            (Some(low), Some(high)) => Some(high.saturating_sub(low).saturating_add(1).max(0)),
            _ => None,
        },
        Ok(word) if word.value == "bool" => Some(2),
        _ => return Err(error),
    };
    blank(input)?;
    Ok(size)
}

/// Parses the optional bounds after `int`, such as `(1..2)` or `(1..)`.
fn bounds(input: &mut Input<'_>) -> Result<(Option<i128>, Option<i128>), SyntaxError> {
    blank(input)?;
    if !accept(input, "(") {
        return Ok((None, None));
    }
    blank(input)?;
    let low = bound(input)?.value;
    blank(input)?;
    require(input, "..")?;
    blank(input)?;
    let high = if next(input) == Some(')') { None } else { Some(bound(input)?.value) };
    blank(input)?;
    require(input, ")")?;
    Ok((Some(low), high))
}

#[cfg(test)]
mod tests;
