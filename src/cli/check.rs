//! `gordian check`: checks a solution against the rules.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::config::LimitArgs;
use super::exit::ExitStatus;
use super::input;
use super::json::{CORRECT, Json, WRONG, write_json};
use super::look::{Pictures, drawn, file_name};
use super::report::Failure;
use super::watch::{Limited, SoFar, Watch};
use crate::format::json;
use crate::puzzle::Puzzle;
use crate::rules::{Solution, Violation};
use crate::solution;

/// Check a solution against the rules of the puzzle.
///
/// The solution may be a line printed by `solve --json`, the `solution` object of such a line, or a board printed by
/// `solve`.
///
/// Exit code 0: the solution is correct; 1: it breaks a rule, which is printed; 2: the board or the solution can't be
/// read; 3: stopped by a limit.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gordian check board.txt solution.txt
  gordian check board.txt solution.txt --json
  gordian solve board.txt --json | gordian check board.txt -")]
pub(super) struct CheckArgs {
    #[command(flatten)]
    board: input::BoardArguments,
    /// The solution: a file, or `-` for standard input
    solution: String,
    /// Draw the board with the solution as an SVG picture, with errors in colour
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Limited for CheckArgs {
    fn limits(&self) -> LimitArgs {
        self.limits
    }

    fn nothing(&self) -> SoFar {
        SoFar::of_board(self.board.name(), self.json, "stopped before the solution was checked")
    }

    fn run(&self, watch: &Watch) -> Result<ExitStatus, Failure> {
        if self.board.name() == "-" && self.solution == "-" {
            return Err(Failure::Usage("board and solution can't both be standard input".to_owned()));
        }
        let pictures = self.svg.as_deref().map(|path| Pictures::at(path).beside_output()).transpose()?;
        let puzzle = self.board.read(&watch.limits())?;
        let solution = read_solution(&*puzzle, &self.solution)?;
        let result = puzzle.check(&solution);
        let mut out = watch.out();
        watch.result(|| {
            match &result {
                _ if self.json => write_json(&mut out, &self.json(&*puzzle, result.as_ref().err()))?,
                Ok(()) => writeln!(out, "correct")?,
                Err(violation) => writeln!(out, "wrong: {violation}")?,
            }
            out.flush()
        })?;
        if let Some(pictures) = pictures {
            let scene = puzzle.draw(Some(&solution));
            let (scene, caption) = match &result {
                Ok(()) => (scene, "correct".to_owned()),
                Err(violation) => {
                    (scene.wrong_at(violation.places()), format!("wrong: {}", violation.rule()))
                }
            };
            let name = self.board.name();
            pictures.write(&file_name(name), &drawn(&*puzzle, name, &[(&scene, &caption)]))?;
        }
        Ok(watch.ended(if result.is_ok() { ExitStatus::Answered } else { ExitStatus::NoSolution }))
    }
}

impl CheckArgs {
    fn json(&self, puzzle: &dyn Puzzle, violation: Option<&Violation>) -> Json<'_> {
        let places = violation.map(Violation::places).unwrap_or_default();
        let places: Vec<_> = places.iter().map(|place| [place.row + 1, place.column + 1]).collect();
        Json {
            puzzle: Some(puzzle.puzzle_type().name),
            source: self.board.name(),
            status: if violation.is_some() { WRONG } else { CORRECT },
            reason: violation.map(|violation| violation.rule().to_owned()),
            places: Some(places).filter(|places| !places.is_empty()),
            ..Json::default()
        }
    }
}

/// Reads a solution from a file, or from standard input if `name` is `-`.
pub(super) fn read_solution(puzzle: &dyn Puzzle, name: &str) -> Result<Solution, Failure> {
    let source = input::source(name)?;
    if !source.text().trim_start().starts_with('{') {
        return Ok(puzzle
            .read_solution(&solution::without_objective(&source, puzzle.puzzle_type().objective_names()))?);
    }
    Ok(solution::from_record(&json::read(&source)?)?)
}
