//! Names the constraints of a `MiniZinc` model by their places.

use std::path::Path;

use crate::format::Source;

/// The maximum number of characters of a constraint in its name.
const MOST_CHARACTERS: usize = 60;

/// Returns a model in which every constraint item without an annotation is named by its place and its start, as in
/// `model.mzn:8:1: forall (i in 1..3) (x[i] < x[i + 1])`. Constraints inside of other items have no name. `file` is the
/// name of the model, and `directory` the directory from which it includes files; their names become absolute.
pub(super) fn named(text: &str, file: &str, directory: &Path) -> String {
    let source = Source::new(file, text);
    let mut named = String::with_capacity(2 * text.len());
    let mut offset = 0;
    let tokens = tokens(text);
    for item in tokens.split_inclusive(|token| token.kind == Kind::End) {
        let mut code = item.iter().enumerate().filter(|(_, token)| token.kind != Kind::Blank);
        let (first, second) = (code.next(), code.next());
        let replaced = match (first, second) {
            (Some((index, first)), Some((_, second)))
                if first.text == "constraint" && second.text != "::" =>
            {
                let start = offset + length(&item[..index]);
                let place = source.position(start);
                let name = format!("{file}:{}:{}: {}", place.line, place.column, excerpt(&item[index + 1..]));
                Some((index, format!("constraint :: {}", quoted(&name))))
            }
            (Some((_, first)), Some((index, second))) if first.text == "include" => {
                let path = directory.join(second.text.trim_matches('"'));
                path.is_file().then(|| (index, quoted(&path.to_string_lossy())))
            }
            _ => None,
        };
        for (index, token) in item.iter().enumerate() {
            match &replaced {
                Some((at, text)) if *at == index => named.push_str(text),
                _ => named.push_str(token.text),
            }
        }
        offset += length(item);
    }
    named
}

fn length(tokens: &[Token<'_>]) -> usize {
    tokens.iter().map(|token| token.text.len()).sum()
}

/// Returns the start of an item on one line, without comments.
fn excerpt(tokens: &[Token<'_>]) -> String {
    let words: String = tokens
        .iter()
        .map(|token| match token.kind {
            Kind::Blank => " ",
            Kind::End => "",
            Kind::Code => token.text,
        })
        .collect();
    let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= MOST_CHARACTERS {
        return line;
    }
    line.chars().take(MOST_CHARACTERS).chain("...".chars()).collect()
}

/// Returns the string literal for a text.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A part of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Token<'t> {
    text: &'t str,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// White space or a comment.
    Blank,
    /// The semicolon at the end of an item.
    End,
    /// Anything else.
    Code,
}

/// Splits a model into tokens, of which it is the concatenation.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(c) = text[at..].chars().next() {
        let end = end_of_token(text, at);
        let mut kind = Kind::Code;
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ';' if depth == 0 => kind = Kind::End,
            _ if c.is_whitespace() || is_comment(&text[at..]) => kind = Kind::Blank,
            _ => {}
        }
        tokens.push(Token { text: &text[at..end], kind });
        at = end;
    }
    tokens
}

fn is_comment(text: &str) -> bool {
    text.starts_with('%') || text.starts_with("/*")
}

/// Returns the end of the token that starts at `at`.
fn end_of_token(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let length = match rest.chars().next() {
        Some('"') => return end_of_string(text, at),
        // A quoted name.
        Some('\'') => rest[1..].find('\'').map(|end| end + 2),
        Some('%') => rest.find('\n'),
        Some('/') if is_comment(rest) => rest[2..].find("*/").map(|end| end + 4),
        Some(c) if is_word(c) => rest.find(|c| !is_word(c)),
        Some(c) if c.is_whitespace() => rest.find(|c: char| !c.is_whitespace()),
        Some(':') if rest.starts_with("::") => Some(2),
        c => c.map(char::len_utf8),
    };
    at + length.unwrap_or(rest.len())
}

/// Returns the end of the string literal that starts at `at`. A literal may contain expressions, as in `"\(x)"`, which
/// may contain other literals.
fn end_of_string(text: &str, start: usize) -> usize {
    let mut at = start + 1;
    // The number of open parentheses of each expression around `at`, from the outside.
    let mut expressions: Vec<usize> = Vec::new();
    let mut in_string = true;
    while let Some(c) = text[at..].chars().next() {
        let mut end = at + c.len_utf8();
        match c {
            '"' if in_string && expressions.is_empty() => return end,
            '"' => in_string = !in_string,
            '\\' if in_string => {
                let escaped = text[end..].chars().next();
                end += escaped.map_or(0, char::len_utf8);
                if escaped == Some('(') {
                    expressions.push(1);
                    in_string = false;
                }
            }
            _ if in_string => {}
            '(' | ')' => {
                if let Some(open) = expressions.last_mut() {
                    *open = if c == '(' { *open + 1 } else { *open - 1 };
                    if *open == 0 {
                        expressions.pop();
                        in_string = true;
                    }
                }
            }
            _ => end = end_of_token(text, at),
        }
        at = end;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> String {
        named(text, "m.mzn", Path::new("/no/such/directory"))
    }

    #[test]
    fn constraint_items_get_their_place_as_a_name() {
        assert_eq!(name("constraint x < 3;"), "constraint :: \"m.mzn:1:1: x < 3\" x < 3;");
        let model = "int: n; % constraint a;\n  constraint/* 1; */forall(i in 1..n)(\n\tx[i] = 1 );\nsolve satisfy;\n";
        let expected = "int: n; % constraint a;\n  constraint :: \"m.mzn:2:3: forall(i in 1..n)( x[i] = 1 )\"/* 1; */\
                        forall(i in 1..n)(\n\tx[i] = 1 );\nsolve satisfy;\n";
        assert_eq!(name(model), expected);
        let long = name(&format!("constraint {};", "abc+".repeat(40)));
        assert!(
            long.starts_with(&format!("constraint :: \"m.mzn:1:1: {}...\" abc+", "abc+".repeat(15))),
            "{long}"
        );
    }

    #[test]
    fn other_text_stays_as_it_is() {
        for text in [
            "",
            "constraint",
            "constraint :: \"mine\" x = 1;\nsolve satisfy;",
            "var int: y = let { constraint x > 1; } in x;",
            "output [\"a; constraint b;\", \"\\(show(\"; constraint c\")) \\\" ; constraint d\"];",
            "include \"globals.mzn\";",
            "int: 'constraint x; constraint y' = 1;",
            "int: constraint_number;",
            "% no end",
            "/* no end",
            "\"no end \\(",
            "'no end",
            "int: ä = 1; )) ;",
        ] {
            assert_eq!(name(text), text);
        }
    }

    #[test]
    fn strings_in_constraints_are_quoted() {
        assert_eq!(
            name("constraint assert(n > 1, \"\\(n);\", x = 1);"),
            "constraint :: \"m.mzn:1:1: assert(n > 1, \\\"\\\\(n);\\\", x = 1)\" assert(n > 1, \"\\(n);\", x = 1);"
        );
    }

    #[test]
    fn includes_become_absolute() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("own.mzn"), "").unwrap();
        let own = directory.path().join("own.mzn");
        assert_eq!(
            named("include \"own.mzn\";include \"globals.mzn\";", "m.mzn", directory.path()),
            format!("include \"{}\";include \"globals.mzn\";", own.display())
        );
    }
}
