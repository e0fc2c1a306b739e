//! Reads formulas in the OPB format.

use super::{Literal, Opb, OpbRow};

/// An error in a file in the OPB format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed {
    /// The line, counted from 1.
    pub line: usize,
    /// The expected input.
    pub expected: &'static str,
    /// The actual input.
    pub found: String,
}

impl std::fmt::Display for Malformed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: expected {}, found `{}`", self.line, self.expected, self.found)
    }
}

impl std::error::Error for Malformed {}

/// Reads a formula. Each line is a comment, a row or an objective. A row with `=` is read as two rows.
///
/// # Errors
/// Returns an error if the text is malformed, or if the numbers of a row are so large that a proof checker with 64-bit
/// numbers may overflow.
pub fn read(text: &str) -> Result<Opb, Malformed> {
    let mut opb = Opb::new();
    for (line, content) in (1..).zip(text.lines()) {
        let content = content.trim();
        if content.is_empty() || content.starts_with('*') {
            continue;
        }
        let fail = |expected, found: &str| Malformed { line, expected, found: found.to_owned() };
        let Some(content) = content.strip_suffix(';') else {
            return Err(fail("`;` at the end of the line", content));
        };
        let mut words = content.split_ascii_whitespace().peekable();
        let is_objective = words.next_if_eq(&"min:").is_some();
        let number = |word: &str| word.parse::<i128>().map_err(|_| fail("an integer", word));
        let mut terms = Vec::new();
        while let Some(word) = words.next_if(|word| !word.ends_with('=')) {
            let coefficient = number(word)?;
            let Some(literal) = words.next() else { return Err(fail("a variable", "the end of the line")) };
            let name = literal.trim_start_matches('~');
            let negated = match literal.len() - name.len() {
                _ if !is_name(name) => return Err(fail("a variable", literal)),
                0 => false,
                1 => true,
                _ => return Err(fail("at most one `~`", literal)),
            };
            terms.push((coefficient, Literal { negated, ..opb.variable(name) }));
        }
        if is_objective {
            if let Some(word) = words.next() {
                return Err(fail("the end of the objective", word));
            }
            if opb.objective.is_some() {
                return Err(fail("a row", "a second objective"));
            }
            opb.minimise(terms);
            continue;
        }
        let relation = words.next().unwrap_or_default();
        let bound = number(words.next().unwrap_or_default())?;
        if let Some(word) = words.next() {
            return Err(fail("`;`", word));
        }
        let too_large = || fail("numbers whose absolute values add up to less than 2^62", content);
        let mut numbers = terms.iter().map(|&(coefficient, _)| coefficient).chain([bound]);
        let total = numbers.try_fold(0_u128, |total, number| total.checked_add(number.unsigned_abs()));
        if total.is_none_or(|total| total >= 1 << 62) {
            return Err(too_large());
        }
        let opposite = |(coefficient, literal): (i128, Literal)| Some((coefficient.checked_neg()?, literal));
        if !matches!(relation, ">=" | "<=" | "=") {
            return Err(fail("`>=`, `<=` or `=`", relation));
        }
        if relation != "<=" {
            opb.rows.push(OpbRow::at_least(terms.iter().copied(), bound).ok_or_else(too_large)?);
        }
        if relation != ">=" {
            let terms: Option<Vec<_>> = terms.into_iter().map(opposite).collect();
            let row =
                terms.zip(bound.checked_neg()).and_then(|(terms, bound)| OpbRow::at_least(terms, bound));
            opb.rows.push(row.ok_or_else(too_large)?);
        }
    }
    Ok(opb)
}

/// Returns whether a word is the name of a variable.
fn is_name(word: &str) -> bool {
    word.len() >= 2
        && word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
