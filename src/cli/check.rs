//! `gordian check`: is this an answer to that board?

use std::io::Write;

use clap::Args;

use super::report::Failure;
use super::{Ending, input};
use crate::answer::Answer;
use crate::format::{self, Document, Syntax};

/// Check an answer against the rules.
///
/// The answer may be a line of `solve --json`, the JSON of an answer alone, or the board as `solve` prints it. Exit code
/// 0: it is an answer; 1: it breaks a rule, which is said.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gordian check board.txt answer.txt
  gordian solve board.txt --json | gordian check board.txt -")]
pub(super) struct Check {
    #[command(flatten)]
    board: input::Board,
    /// The answer: a file, or `-` for standard input
    answer: String,
}

impl Check {
    pub(super) fn run(&self) -> Result<Ending, Failure> {
        if self.board.name() == "-" && self.answer == "-" {
            return Err(Failure::Usage("board and answer can't both be standard input".to_owned()));
        }
        let puzzle = self.board.read()?;
        let source = input::read(&self.answer)?;
        let answer = if source.text().trim_start().starts_with('{') {
            match format::read(&source, Some(Syntax::Json))? {
                Document::Record(record) => Answer::from_record(&record)?,
                Document::Text(_) | Document::Address(_) => unreachable!("JSON is read as a record"),
            }
        } else {
            puzzle.read_answer(&source)?
        };
        let mut out = anstream::stdout();
        match puzzle.check(&answer) {
            Ok(()) => {
                writeln!(out, "correct")?;
                Ok(Ending::Answered)
            }
            Err(violation) => {
                writeln!(out, "wrong: {violation}")?;
                Ok(Ending::NoAnswer)
            }
        }
    }
}
