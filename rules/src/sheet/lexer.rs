//! The tokens of rule sheets.

use super::SheetError;
use super::syntax::Span;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    Word(String),
    Number(i64),
    /// A text in double quotes.
    Text(String),
    /// A symbol in single quotes.
    Symbol(String),
    Sign(&'static str),
    End,
}

/// The signs, each before its own prefixes.
const SIGNS: [&str; 20] = [
    "<=>", "=>", "!=", "<=", ">=", "..", "=", "<", ">", "+", "-", "*", "#", "(", ")", ",", ":", "{", "}", ";",
];

/// Splits a sheet into tokens. `%` starts a comment up to the end of the line. The last token is [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, Span)>, SheetError> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let start = text.len() - rest.len();
        let length = |is_inside: fn(char) -> bool| rest.find(|c| !is_inside(c)).unwrap_or(rest.len());
        let (token, length) = if c == '%' {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
            continue;
        } else if c.is_whitespace() {
            rest = rest.trim_start();
            continue;
        } else if c.is_alphabetic() || c == '_' {
            let length = length(|c| c.is_alphanumeric() || c == '_');
            (Token::Word(rest[..length].to_owned()), length)
        } else if c.is_ascii_digit() {
            let length = length(|c| c.is_ascii_digit());
            let number = rest[..length].parse().ok().filter(|number| *number <= i64::from(u32::MAX));
            let span = start..start + length;
            let number =
                number.ok_or_else(|| SheetError::new(span, "a number up to 4294967295", &rest[..length]))?;
            (Token::Number(number), length)
        } else if c == '"' || c == '\'' {
            let line = &rest[1..rest.find('\n').unwrap_or(rest.len())];
            let Some(end) = line.find(c) else {
                let span = start..start + 1 + line.trim_end().len();
                return Err(SheetError::new(
                    span,
                    format!("`{c}` at the end of the text"),
                    "the end of the line",
                ));
            };
            let inside = line[..end].to_owned();
            (if c == '"' { Token::Text(inside) } else { Token::Symbol(inside) }, end + 2)
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (Token::Sign(sign), sign.len())
        } else {
            let length = c.len_utf8();
            return Err(SheetError::new(
                start..start + length,
                "a statement or an expression",
                &rest[..length],
            ));
        };
        tokens.push((token, start..start + length));
        rest = &rest[length..];
    }
    tokens.push((Token::End, text.len()..text.len()));
    Ok(tokens)
}
