//! Reads the output of solvers: status, values and costs.
//!
//! Three formats are accepted: the format of the SAT, MaxSAT and pseudo-Boolean competitions (lines that start with
//! `s`, `v`, `o` or `c`), the format of MiniSat's result files (`SAT` or `UNSAT`, and literals), and a plain list of
//! literals. Values are literals (`-1 2 0`), literals with an `x` (`-x1 x2`), or one digit for each variable (`01`).

use std::str::FromStr;

use crate::source::{InputError, Source, Span};

/// The status that a solver reports for a formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SolverStatus {
    /// The formula is satisfiable. The last assignment is not necessarily optimal.
    Satisfiable,
    /// The formula is satisfiable, and the last assignment has minimum cost.
    Optimum,
    /// The formula is unsatisfiable.
    Unsatisfiable,
    /// The solver stopped without a result.
    Unknown,
}

/// The output of a solver.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SolverOutput {
    /// The reported status, or `None` if the output contains no status.
    pub status: Option<SolverStatus>,
    /// The value of each variable of the formula, or `None` if the output does not contain the value.
    pub values: Vec<Option<bool>>,
    /// The largest variable with a value, counted from 1, or 0 if no variable has a value. It may exceed the number
    /// of variables in the formula.
    pub greatest: u64,
    /// The cost on the last `o` line.
    pub cost: Option<i128>,
}

impl SolverOutput {
    /// Returns whether the output contains the value of at least one variable.
    #[must_use]
    pub fn has_values(&self) -> bool {
        self.greatest > 0
    }

    /// Returns the number of variables in the formula that have no value in the output.
    #[must_use]
    pub fn unassigned(&self) -> usize {
        self.values.iter().filter(|value| value.is_none()).count()
    }
}

/// How to handle a line in an unknown format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownLines {
    /// An unknown line is an error.
    Reject,
    /// An unknown line is skipped. Some solvers print statistics in other formats.
    Skip,
}

const LINE: &str = "a line `s`, `v`, `o` or `c`, a verdict, or literals";

/// Reads the output of a solver for a formula with the given number of variables.
///
/// # Errors
/// Returns an error if a line is malformed or unknown, or if a variable has contradictory values.
pub fn read(source: &Source, variables: u32, unknown: UnknownLines) -> Result<SolverOutput, InputError> {
    let mut output = SolverOutput { values: vec![None; variables as usize], ..SolverOutput::default() };
    let mut start = 0;
    // Some solvers print every assignment that improves the cost. Values after an `o` line belong to a new assignment.
    let mut costed = false;
    for line in source.text().split_inclusive('\n') {
        let mut words = words(line, start);
        start += line.len();
        let Some((word, span)) = words.next() else { continue };
        match word {
            "c" => {}
            "s" => output.read_status(source, words, span)?,
            "o" => {
                let (cost, span) = words.next().unwrap_or(("", Span::new(span.end, span.end)));
                let number = i128::from_str(cost).map_err(|_| error(source, span, "a cost", cost))?;
                output.cost = Some(number);
                costed = true;
            }
            "v" => {
                if std::mem::take(&mut costed) {
                    output.values.fill(None);
                    output.greatest = 0;
                }
                output.values(source, words)?;
            }
            "SAT" | "SATISFIABLE" => output.status = Some(SolverStatus::Satisfiable),
            "UNSAT" | "UNSATISFIABLE" => output.status = Some(SolverStatus::Unsatisfiable),
            "INDET" | "INDETERMINATE" | "UNKNOWN" => output.status = Some(SolverStatus::Unknown),
            _ if literal(word).is_some() || is_digits(word) => {
                output.values(source, std::iter::once((word, span)).chain(words))?;
            }
            _ if unknown == UnknownLines::Skip => {}
            // Some solvers print no space after the `c` of a comment.
            _ if word.starts_with('c') => {}
            _ => return Err(error(source, span, LINE, word)),
        }
    }
    Ok(output)
}

/// Returns the words of the line that starts at the given offset.
fn words(line: &str, start: usize) -> impl Iterator<Item = (&str, Span)> {
    line.split_ascii_whitespace().map(move |word| {
        let at = start + (word.as_ptr() as usize - line.as_ptr() as usize);
        (word, Span::new(at, at + word.len()))
    })
}

fn error(source: &Source, span: Span, expected: &str, found: &str) -> InputError {
    let found = if found.is_empty() { "the end of the line".to_owned() } else { format!("`{found}`") };
    InputError::new(source, span, expected, found)
}

/// Parses a literal: `-3`, `x3`, `-x3` or `~x3`.
fn literal(word: &str) -> Option<(bool, u64)> {
    let (positive, rest) = match word.strip_prefix(['-', '~']) {
        Some(rest) => (false, rest),
        None => (true, word.strip_prefix('+').unwrap_or(word)),
    };
    let digits = rest.strip_prefix('x').unwrap_or(rest);
    let number = digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()?;
    Some((positive, number))
}

fn is_digits(word: &str) -> bool {
    word.bytes().all(|byte| byte == b'0' || byte == b'1')
}

impl SolverOutput {
    fn read_status<'s>(
        &mut self,
        source: &Source,
        mut words: impl Iterator<Item = (&'s str, Span)>,
        after: Span,
    ) -> Result<(), InputError> {
        let (word, span) = words.next().unwrap_or(("", Span::new(after.end, after.end)));
        self.status = Some(match word {
            "SATISFIABLE" => SolverStatus::Satisfiable,
            "OPTIMUM" => SolverStatus::Optimum,
            "UNSATISFIABLE" => SolverStatus::Unsatisfiable,
            "UNKNOWN" | "INDETERMINATE" => SolverStatus::Unknown,
            _ => {
                let expected = "SATISFIABLE, OPTIMUM FOUND, UNSATISFIABLE or UNKNOWN";
                return Err(error(source, span, expected, word));
            }
        });
        Ok(())
    }

    /// Reads the values on one line.
    fn values<'s>(
        &mut self,
        source: &Source,
        words: impl Iterator<Item = (&'s str, Span)>,
    ) -> Result<(), InputError> {
        for (word, span) in words {
            // A word such as `11` is ambiguous: it may be a literal or the values of two variables. A word of digits is
            // read as values if it starts with 0, has one digit for each variable of the formula, or is too long for a
            // number.
            let leads = word.starts_with('0') || word.len() == self.values.len() || word.len() > 18;
            if word.len() > 1 && is_digits(word) && leads {
                for (number, digit) in (1..).zip(word.bytes()) {
                    self.set(source, span, number, digit == b'1')?;
                }
                continue;
            }
            match literal(word) {
                Some((_, 0)) => {}
                Some((value, number)) => self.set(source, span, number, value)?,
                None => return Err(error(source, span, "a literal", word)),
            }
        }
        Ok(())
    }

    fn set(&mut self, source: &Source, span: Span, number: u64, value: bool) -> Result<(), InputError> {
        self.greatest = self.greatest.max(number);
        let index = usize::try_from(number - 1).unwrap_or(usize::MAX);
        let Some(known) = self.values.get_mut(index) else { return Ok(()) };
        if known.is_some_and(|known| known != value) {
            let found = format!("both values of {number}");
            return Err(InputError::new(source, span, "one value for each variable", found));
        }
        *known = Some(value);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
