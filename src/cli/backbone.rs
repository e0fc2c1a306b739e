//! `gordian backbone`: what all solutions to a board have in common.

use std::io::Write;

use clap::Args;
use serde::{Serialize, Serializer};

use super::config::ConfigArgs;
use super::exit::ExitStatus;
use super::input;
use super::json::{Pairs, write_json};
use super::look::{Looks, Pictures, Shown, drawn, file_name};
use super::outcome::{Printer, Progress, milliseconds};
use super::report::Failure;
use crate::ask::backbone::{Backbone as Found, Known, SEVERAL, UNKNOWN, Values, backbone};
use crate::ask::{Status, Times, timed};
use crate::rules::Content;

/// Show what all solutions to a board have in common: its cells with the value that each solution has there, and `?` where
/// solutions differ.
///
/// `*` stands where it is not known whether solutions differ: after a limit, or for what is not looked at alone, such as the
/// length of a path, of which only one value was seen.
///
/// Exit code 0: all that can be told of each part is known; 1: no solution exists; 2: the board can't be read; 3: stopped by a
/// limit.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gordian backbone board.txt
  gordian backbone board.txt --json
  gordian backbone board.txt --timeout 10")]
pub(super) struct Backbone {
    #[command(flatten)]
    board: input::BoardArguments,
    #[command(flatten)]
    config: ConfigArgs,
    #[command(flatten)]
    looks: Looks,
    /// Print JSON: the remaining values of each cell
    #[arg(long)]
    json: bool,
}

impl Backbone {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let config = self.config.chosen()?;
        let pictures = self.looks.pictures().map(Pictures::beside_output).transpose()?;
        let mut times = Times::default();
        let puzzle = timed(&mut times.parse, || self.board.read())?;
        let mut out = anstream::stdout();
        let mut err = anstream::stderr();
        let (source, json) = (self.board.name(), self.json);
        let look = self.looks.on_stdout();
        let mut printer = Printer {
            source,
            json,
            progress: Progress::Never,
            among_others: false,
            shown: Shown::of(look, None, source, None),
            out: &mut out,
            err: &mut err,
        };
        let mut found = backbone(&*puzzle, &config, &mut printer)?;
        found.outcome.times.parse = times.parse;
        let status = found.outcome.status;
        if json {
            let json = Json {
                puzzle: puzzle.puzzle_type().name,
                source,
                status: status.word(),
                unique: found.outcome.unique,
                remaining: fields(&found, possible),
                open: fields(&found, open),
                stats: Stats { ms: Pairs(milliseconds(&found.outcome.times)) },
            };
            write_json(&mut out, &json)?;
        } else {
            match (status, &found.outcome.solution) {
                (Status::None, _) => writeln!(out, "no solution: the board is contradictory")?,
                (_, None) => writeln!(out, "stopped before a solution was found")?,
                (_, Some(_)) => {
                    let scene = found.draw(&*puzzle);
                    write!(out, "{}", look.show(&scene))?;
                    if let Some(note) = look.too_wide(&scene) {
                        writeln!(err, "{note}")?;
                    }
                }
            }
            let stopped = status == Status::Stopped && found.outcome.solution.is_some();
            if stopped || found.has_unknown() {
                let stopped = if stopped { "stopped: " } else { "" };
                writeln!(
                    err,
                    "{stopped}{SEVERAL} is what solutions differ in, {UNKNOWN} what they may differ in"
                )?;
            }
        }
        if let Some(pictures) = pictures {
            let caption = if status == Status::None { "no solution" } else { "backbone" };
            pictures
                .write(&file_name(source), &drawn(&*puzzle, source, &[(&found.draw(&*puzzle), caption)]))?;
        }
        Ok(status.ending())
    }
}

/// The object that `--json` prints.
#[derive(Serialize)]
struct Json<'a> {
    puzzle: &'a str,
    source: &'a str,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    unique: Option<bool>,
    #[serde(skip_serializing_if = "Pairs::is_empty")]
    remaining: Pairs<'a, Cells<'a>>,
    #[serde(skip_serializing_if = "Pairs::is_empty")]
    open: Pairs<'a, Cells<'a>>,
    stats: Stats,
}

#[derive(Serialize)]
struct Stats {
    ms: Pairs<'static, f64>,
}

/// A list of values for each part of a field, in rows if the field is a grid; or what is known of the whole field.
enum Cells<'a> {
    Grid(Vec<Vec<&'a [Content]>>),
    List(Vec<&'a [Content]>),
    Whole(&'a [crate::rules::Field]),
    WholeIsOpen,
}

impl Serialize for Cells<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Grid(rows) => rows.serialize(serializer),
            Self::List(parts) => parts.serialize(serializer),
            Self::Whole(values) => values.serialize(serializer),
            Self::WholeIsOpen => serializer.serialize_bool(true),
        }
    }
}

fn fields<'a>(found: &'a Found, cells: impl Fn(&'a Known) -> Option<Cells<'a>>) -> Pairs<'a, Cells<'a>> {
    let fields = found.fields.iter().filter_map(|(name, known)| Some((name.as_str(), cells(known)?)));
    Pairs(fields.collect())
}

fn of_parts(known: &Known, values: impl Fn(&Values) -> &[Content]) -> Option<Cells<'_>> {
    let Known::Parts { columns, parts } = known else { return None };
    let parts: Vec<&[Content]> = parts.iter().map(values).collect();
    Some(match columns {
        Some(columns) => Cells::Grid(parts.chunks((*columns).max(1)).map(<[_]>::to_vec).collect()),
        None => Cells::List(parts),
    })
}

fn possible(known: &Known) -> Option<Cells<'_>> {
    match known {
        Known::Whole { possible, .. } => Some(Cells::Whole(possible)),
        Known::Parts { .. } => of_parts(known, |values| &values.possible),
    }
}

fn open(known: &Known) -> Option<Cells<'_>> {
    match known {
        Known::Whole { complete, .. } => (!complete).then_some(Cells::WholeIsOpen),
        Known::Parts { parts, .. } if parts.iter().all(|values| values.open.is_empty()) => None,
        Known::Parts { .. } => of_parts(known, |values| &values.open),
    }
}
