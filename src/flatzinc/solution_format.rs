//! The formats in which solutions of instances are printed and read.

use std::collections::HashMap;
use std::fmt::Write as _;

use gordian_encodings::Value;
use gordian_flatzinc::instance::{Instance, Operand, Output, VarId};
use gordian_flatzinc::output;

use crate::dimacs::solver_output::{self, UnknownLines};
use crate::format::{InputError, Source, Span, Syntax, dzn, quote};
use crate::rules::{Field, Solution};
use crate::solution;

/// The width at which `v` lines are broken, as in other solvers.
const WIDTH: usize = 78;

/// The format in which the solutions of an instance are printed and read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SolutionFormat {
    /// `x = 3;`, as FlatZinc solvers print solutions.
    #[default]
    FlatZinc,
    /// `v x1 -x2`, as in the pseudo-Boolean competitions.
    PseudoBoolean,
    /// `v 1 -2 0`, as in the SAT competitions.
    Sat,
    /// `v 10`, with one digit for each variable, as in the MaxSAT evaluations.
    MaxSat,
}

impl SolutionFormat {
    /// Returns the format for instances in a syntax.
    #[must_use]
    pub fn of(syntax: Syntax) -> Self {
        match syntax {
            Syntax::Opb => Self::PseudoBoolean,
            Syntax::Cnf | Syntax::Knf => Self::Sat,
            Syntax::Wcnf => Self::MaxSat,
            _ => Self::FlatZinc,
        }
    }

    /// Returns whether the format is that of a competition, with lines such as `s SATISFIABLE`.
    pub(super) fn has_status_lines(self) -> bool {
        self != Self::FlatZinc
    }

    /// Returns the lines for a solution.
    pub(super) fn write(self, instance: &Instance, value: impl Fn(VarId) -> Value) -> String {
        let is_true = |output: &Output| match output.elements[..] {
            [Operand::Var(variable)] => value(variable) == 1,
            _ => false,
        };
        let words = instance.output.iter().map(|output| {
            let name = match self {
                Self::Sat => output.name.strip_prefix('x').unwrap_or(&output.name),
                _ => &output.name,
            };
            (is_true(output), name)
        });
        match self {
            Self::FlatZinc => {
                let mut text = Vec::new();
                // Writing to memory never fails.
                let _ = output::write_solution(&mut text, instance, value);
                String::from_utf8_lossy(&text).into_owned()
            }
            Self::PseudoBoolean => lines(words),
            Self::Sat => lines(words.chain([(true, "0")])),
            Self::MaxSat => {
                let digits = instance.output.iter().map(|output| if is_true(output) { '1' } else { '0' });
                format!("v {}\n", digits.collect::<String>())
            }
        }
    }

    /// Reads a solution. Lines of a solver's output that contain no values are skipped.
    pub(super) fn read(self, instance: &Instance, source: &Source) -> Result<Solution, InputError> {
        match self {
            Self::FlatZinc => {
                // Each mark of the end of a solution is replaced by a comment of the same length, so errors keep their
                // positions.
                let text = source.text().replace("\n-", "\n%").replace("\n=", "\n%");
                solution::from_record(&dzn::read(&Source::new(source.name(), text))?)
            }
            Self::PseudoBoolean => named_literals(source),
            Self::MaxSat if instance.output.len() == 1 => match only_digit(source) {
                Some(value) => {
                    Ok(Solution::new().with(instance.output[0].name.to_string(), Field::Number(value)))
                }
                None => numbered_literals(instance, source),
            },
            Self::Sat | Self::MaxSat => numbered_literals(instance, source),
        }
    }
}

/// Returns `v` lines with the given names, each with its value.
fn lines<'n>(words: impl Iterator<Item = (bool, &'n str)>) -> String {
    let mut text = "v".to_owned();
    let mut start = 0;
    for (value, name) in words {
        if text.len() - start + name.len() + 2 > WIDTH {
            text.push('\n');
            start = text.len();
            text.push('v');
        }
        // Writing to a string never fails.
        let _ = write!(text, " {}{name}", if value { "" } else { "-" });
    }
    text.push('\n');
    text
}

/// Reads `v` lines with names of variables, such as `v x1 -x2`.
fn named_literals(source: &Source) -> Result<Solution, InputError> {
    let mut solution = Solution::new();
    let mut known = HashMap::new();
    let mut start = 0;
    for line in source.text().split_inclusive('\n') {
        let offset = start;
        start += line.len();
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("v") => {}
            None | Some("s" | "o" | "c") => continue,
            Some(word) => {
                let at = offset + (line.len() - line.trim_start().len());
                let span = Span::new(at, at + word.len());
                return Err(InputError::new(source, span, "a line `v`, `s`, `o` or `c`", quote(word)));
            }
        }
        for word in words {
            let (name, value) = match word.strip_prefix(['-', '~']) {
                Some(name) => (name, 0),
                None => (word, 1),
            };
            let at = offset + (word.as_ptr() as usize - line.as_ptr() as usize);
            let span = Span::new(at, at + word.len());
            match known.insert(name, value) {
                None => solution = solution.with(name.to_owned(), Field::Number(value)),
                Some(before) if before == value => {}
                Some(_) => {
                    let found = format!("both values of {}", quote(name));
                    return Err(InputError::new(source, span, "one value for each variable", found));
                }
            }
        }
    }
    Ok(solution)
}

/// Returns the digit on the line `v 0` or `v 1`. As literals, these words would have another meaning.
fn only_digit(source: &Source) -> Option<Value> {
    match source.text().lines().find_map(|line| line.strip_prefix("v "))?.trim() {
        "0" => Some(0),
        "1" => Some(1),
        _ => None,
    }
}

/// Reads literals with numbers of variables, or one digit for each variable.
fn numbered_literals(instance: &Instance, source: &Source) -> Result<Solution, InputError> {
    let number =
        |output: &Output| output.name.strip_prefix('x').and_then(|number| number.parse::<u32>().ok());
    let greatest = instance.output.iter().filter_map(number).max().unwrap_or(0);
    let read = solver_output::read(source, greatest, UnknownLines::Reject)?;
    let mut solution = Solution::new();
    for output in &instance.output {
        let value = number(output).and_then(|number| *read.values.get(number as usize - 1)?);
        if let Some(value) = value {
            solution = solution.with(output.name.to_string(), Field::Number(value.into()));
        }
    }
    Ok(solution)
}
