//! Recognises formulas in formats of solvers by their first lines.

#[cfg(feature = "flatzinc")]
use crate::format::Syntax;
use crate::format::{InputError, Source, Span};

/// A format of formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Formula {
    Cnf,
    Knf,
    Wcnf,
    /// OPB or WBO.
    Opb,
    /// CNF with assumptions, which only incremental solvers read.
    Icnf,
}

impl Formula {
    /// Guesses the format of a formula from its first line that is neither blank nor a comment. Also returns the
    /// location of the line. Returns `None` if the text does not look like a formula.
    pub(crate) fn guess(text: &str) -> Option<(Self, Span)> {
        let mut offset = 0;
        let mut has_stars = false;
        for line in text.split_inclusive('\n') {
            let start = offset + (line.len() - line.trim_start().len());
            let span = Span::new(start, offset + line.trim_end().len());
            offset += line.len();
            let words: Vec<&str> = line.split_whitespace().take(2).collect();
            let formula = match words[..] {
                [] => continue,
                ["p", "cnf", ..] => Self::Cnf,
                ["p", "knf", ..] => Self::Knf,
                ["p", "wcnf", ..] => Self::Wcnf,
                ["p", "inccnf", ..] => Self::Icnf,
                ["h", ..] if line.trim_end().ends_with(" 0") => Self::Wcnf,
                ["*", header, ..] if header.starts_with("#variable=") => Self::Opb,
                // A comment in OPB.
                [star, ..] if star.starts_with('*') => {
                    has_stars = true;
                    continue;
                }
                _ if is_pseudo_boolean(line.trim()) => Self::Opb,
                // A comment in DIMACS formats.
                ["c", ..] if line.starts_with('c') && !has_stars => continue,
                _ => return None,
            };
            return Some((formula, span));
        }
        None
    }

    /// Returns the syntax of the formula, or `None` if it is not one of models.
    #[cfg(feature = "flatzinc")]
    pub(crate) fn syntax(self) -> Option<Syntax> {
        match self {
            Self::Cnf => Some(Syntax::Cnf),
            Self::Knf => Some(Syntax::Knf),
            Self::Wcnf => Some(Syntax::Wcnf),
            Self::Opb => Some(Syntax::Opb),
            Self::Icnf => None,
        }
    }

    /// Returns the extension of files with such formulas, or `None` if they are not read.
    pub(super) fn extension(self) -> Option<&'static str> {
        match self {
            Self::Cnf => Some("cnf"),
            Self::Knf => Some("knf"),
            Self::Wcnf => Some("wcnf"),
            Self::Opb => Some("opb"),
            Self::Icnf => None,
        }
    }

    /// Returns the error for a formula where a board or a model is expected. The error names the command that solves the
    /// formula.
    pub(super) fn error(self, source: &Source, span: Span) -> InputError {
        let name = match self {
            Self::Cnf => "CNF",
            Self::Knf => "KNF",
            Self::Wcnf => "WCNF",
            Self::Opb => "OPB",
            Self::Icnf => "iCNF",
        };
        let help = if self == Self::Icnf { "other solvers solve it" } else { "`gordian solve` solves it" };
        InputError::new(source, span, "a board or a model", format!("a formula in {name}")).with_help(help)
    }
}

/// Returns whether a line looks like the start of a pseudo-Boolean formula: an objective or a constraint.
fn is_pseudo_boolean(line: &str) -> bool {
    let has_colon = |rest: &str| rest.trim_start().starts_with(':');
    let is_objective =
        ["min", "max", "soft"].iter().any(|word| line.strip_prefix(word).is_some_and(has_colon));
    let starts = line.starts_with(|first: char| first.is_ascii_digit() || "+-[@".contains(first));
    is_objective || (starts && line.contains(['=', '>', '<']) && line.ends_with(';'))
}
