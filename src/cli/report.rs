//! Prints the errors that end a command.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use gordian_proofs::ProofError;
use miette::{LabeledSpan, MietteDiagnostic};

mod excerpt;

use excerpt::Excerpt;

use super::exit::ExitStatus;
use crate::backend::BackendError;
use crate::dimacs::FormulaError;
use crate::format::InputError;
use crate::query::QueryError;
use crate::read::ReadError;
use crate::rules::Violation;
use crate::search::SolveError;

/// An error that ends a command.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// The input is wrong.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A file can't be read or written.
    #[error("{path}: {error}")]
    File {
        /// The path as given on the command line.
        path: String,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The command line refers to something that does not exist or is not supported.
    #[error("{0}")]
    Usage(String),
    /// A limit was reached. The command prints what it has found so far.
    #[error("stopped by a limit")]
    Stopped,
    /// The solver is not available or failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The input is not a valid formula.
    #[error(transparent)]
    Formula(#[from] FormulaError),
    /// The result can't be written to standard output.
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
    /// The program found a solution that breaks the rules.
    #[error("this is a bug in gordian: its solution breaks the rules: {0}")]
    WrongSolution(Violation),
    /// Two counts of the same solutions contradict each other.
    #[error("this is a bug in gordian: {0}")]
    WrongCount(String),
    /// The proof of a result can't be written.
    #[error("this is a bug in gordian: {0}")]
    Proof(ProofError),
    /// The program panicked. The panic message has already been printed.
    #[error("this is a bug in gordian; please report it with the board and the command line")]
    Panic,
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        Self::Input(error.into())
    }
}

impl From<QueryError> for Failure {
    fn from(error: QueryError) -> Self {
        match error {
            QueryError::NoThread => Self::Usage(format!("--threads: {error}")),
            QueryError::Search(SolveError::Backend(error)) => Self::Backend(error),
            QueryError::Search(error) => Self::Usage(error.to_string()),
            QueryError::Proof(error) => Self::Proof(error),
            QueryError::NoProof(_) | QueryError::Unbounded => Self::Usage(error.to_string()),
            QueryError::Observer(error) => Self::Output(error),
            QueryError::WrongSolution(violation) => Self::WrongSolution(violation),
            QueryError::WrongCount(reason) => Self::WrongCount(reason),
        }
    }
}

impl Failure {
    /// Returns a function that converts an operating-system error into a failure that names the file.
    pub(super) fn file(path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::File { path: path.as_ref().display().to_string(), error }
    }

    /// Prints the failure to `err`, and returns the exit status. If the command runs on several boards, `board` is the
    /// name of the board on which it failed.
    pub(super) fn report(&self, board: Option<&str>, err: &mut dyn Write) -> ExitStatus {
        match self {
            // The message already quotes the command-line argument, so no excerpt is needed.
            Self::Input(error) if error.source().is_word() => {
                let help = error.help().map(|help| format!("; {help}")).unwrap_or_default();
                let _ = writeln!(err, "gordian: {error}{help}");
                return ExitStatus::BadInput;
            }
            Self::Input(error) => {
                show_whole_lines_in_files();
                let _ = writeln!(err, "{:?}", input_report(error));
                return ExitStatus::BadInput;
            }
            // The program that reads the output has closed the pipe, as in `gordian list | head`.
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => return ExitStatus::Answered,
            _ => {}
        }
        let board = match (board, self) {
            (None, _) | (_, Self::File { .. }) => String::new(),
            (Some(board), _) => format!("{board}: "),
        };
        let _ = writeln!(err, "gordian: {board}{self}");
        match self {
            Self::Backend(BackendError::Failed { .. })
            | Self::WrongSolution(_)
            | Self::WrongCount(_)
            | Self::Proof(_)
            | Self::Panic => ExitStatus::Bug,
            Self::Stopped => ExitStatus::Stopped,
            _ => ExitStatus::BadInput,
        }
    }
}

/// Returns the error message for a model with unbounded variables. The message lists at most five of the given names.
pub(super) fn unbounded(names: &[String]) -> String {
    const MOST: usize = 5;
    let mut listed: Vec<_> = names.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    if names.len() > MOST {
        listed.push(format!("and {} more", names.len() - MOST));
    }
    format!("no bounds are known for {}; add bounds to the model", listed.join(", "))
}

/// Turns off line wrapping in messages if standard error is not a terminal. `grep` and editors then find whole
/// messages.
fn show_whole_lines_in_files() {
    const UNBROKEN: usize = 1000;
    if !io::stderr().is_terminal() {
        let handler = |_: &_| {
            Box::new(miette::MietteHandlerOpts::new().width(UNBROKEN).build())
                as Box<dyn miette::ReportHandler>
        };
        // A program that uses `gordian` as a library may already have set a report handler, which then remains in
        // use.
        let _ = miette::set_hook(Box::new(handler));
    }
}

/// Returns a report of an [`InputError`] with an excerpt of the input around the error.
fn input_report(error: &InputError) -> miette::Report {
    let excerpt = Excerpt::of(error);
    let label = format!("expected {}", error.expected());
    let help = error.help().map(str::to_owned);
    let diagnostic = MietteDiagnostic { help, ..MietteDiagnostic::new(error.to_string()) };
    let labelled = diagnostic.with_label(LabeledSpan::new_with_span(Some(label), excerpt.marked()));
    let report = miette::Report::new(labelled);
    if excerpt.is_blank() { report } else { report.with_source_code(excerpt) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unbounded_variables_are_listed() {
        let names = |count: usize| unbounded(&(1..=count).map(|i| format!("x{i}")).collect::<Vec<_>>());
        assert_eq!(names(2), "no bounds are known for `x1`, `x2`; add bounds to the model");
        assert!(names(7).contains("`x5`, and 2 more;"), "{}", names(7));
    }
}
