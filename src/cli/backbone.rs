//! `gordian backbone`: shows what all solutions to a board have in common.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::certificate::{self, CertifiedBoard, ProofFormat};
use super::config::{ConfigArgs, LimitArgs};
use super::counts;
use super::exit::ExitStatus;
use super::found::Found;
use super::given::GivenArgs;
use super::input::{self, subject};
use super::json::{Pairs, PartsJson, write_json};
use super::look::{Look, Looks, Pictures, Shown, drawn, file_name};
use super::outcome::{Printer, ProgressReports, milliseconds};
use super::report::Failure;
use super::watch::{Limited, SoFar, Watch};
use crate::drawing::{self, SEVERAL, UNKNOWN};
use crate::puzzle::Query;
use crate::query::{self, FieldValues, Outcome, PartValues, Status, StepTimes, timed};
use crate::rules::{Content, Field};
use crate::search::Config;

/// Show what all solutions to a board have in common.
///
/// If a cell has the same value in all solutions, the value is printed. `?` marks a cell that differs between
/// solutions. `*` marks a value that may differ between solutions: a limit stopped the search, or the search does not
/// look for other values of the field, such as the length of a path.
///
/// With `--counts`, prints for each cell and each of its values the number of solutions with this value. The numbers
/// are exact, even if there are too many solutions to list. With `--svg`, draws the numbers as a heat map.
///
/// Exit code 0: the backbone is complete; 1: no solution exists; 2: the board can't be read; 3: stopped by a limit.
#[derive(Debug, Args)]
#[command(
    alias = "facts",
    after_help = "Examples:
  gordian backbone board.txt
  gordian backbone board.txt --json
  gordian backbone rooks.txt --counts
  gordian backbone board.txt --timeout 10
  gordian backbone board.txt --proof certificate"
)]
pub(super) struct BackboneCommand {
    #[command(flatten)]
    board: input::BoardArguments,
    #[command(flatten)]
    given: GivenArgs,
    /// For each cell and value, print the number of solutions in which the cell has the value
    #[arg(long, conflicts_with = "proof")]
    counts: bool,
    #[command(flatten)]
    config: ConfigArgs,
    #[command(flatten)]
    looks: Looks,
    /// Write a certificate to this directory: the board, solutions that together contain all possible values, and a
    /// formula with a proof, for the checker VeriPB, that no other values are possible
    #[arg(long, value_name = "DIR", conflicts_with = "given")]
    proof: Option<PathBuf>,
    /// The form of the certificate's formula and proof
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "veripb", requires = "proof")]
    proof_format: ProofFormat,
    /// Print JSON: for each cell, all values that it has in some solution
    #[arg(long)]
    json: bool,
}

impl Limited for BackboneCommand {
    fn limits(&self) -> LimitArgs {
        self.config.limits
    }

    fn nothing(&self) -> SoFar {
        if self.counts {
            counts::at_least(self.board.name(), None, &0_u8.into(), self.json)
        } else {
            Found::default().so_far(self.board.name(), self.json, Look::Plain)
        }
    }

    fn run(&self, watch: &Watch) -> Result<ExitStatus, Failure> {
        let clausal_proofs = self.proof_format == ProofFormat::Clausal;
        let config = Config { clausal_proofs, ..self.config.chosen(&watch.limits())? };
        let pictures = self.looks.pictures().map(Pictures::beside_output).transpose()?;
        let mut times = StepTimes::default();
        let text = self.board.source(&watch.limits())?;
        let puzzle = timed(&mut times.parse, || self.given.add_to(self.board.read_from(&text)?))?;
        let mut out = watch.out();
        let mut err = anstream::stderr();
        let (source, json) = (self.board.name(), self.json);
        let look = self.looks.on_stdout();
        let mut printer = Printer {
            source,
            json,
            progress: ProgressReports::Never,
            among_others: false,
            shown: Shown::of(look, None, source, None),
            found: Found::default(),
            out: &mut out,
            err: &mut err,
        };
        if self.counts {
            if !json && std::io::stderr().is_terminal() {
                printer.progress = ProgressReports::for_person();
            }
            let (found, name, puzzle_type) = (printer.found.clone(), source.to_owned(), puzzle.puzzle_type());
            watch.keep(move || counts::at_least(&name, Some(puzzle_type.name), &found.counted(), json));
            let mut outcome = query::run(&*puzzle, Query::CountValues, &config, &mut printer)?;
            outcome.times.parse = times.parse;
            watch.result(|| counts::print(&*puzzle, source, &outcome, json, &mut out, &mut err))?;
            if let Some(pictures) = pictures {
                pictures.write(&file_name(source), &counts::picture(&*puzzle, source, &outcome))?;
            }
            return Ok(watch.ended(outcome.status.ending()));
        }
        let mut certificate = None;
        let mut outcome = if self.proof.is_some() {
            let (outcome, proof) = query::certificate::run(&*puzzle, Query::Backbone, &config, &mut printer)?;
            certificate = proof;
            outcome
        } else {
            query::run(&*puzzle, Query::Backbone, &config, &mut printer)?
        };
        outcome.times.parse = times.parse;
        let status = outcome.status;
        watch.result(|| {
            if json {
                let json = BackboneJson {
                    puzzle: puzzle.puzzle_type().name,
                    source,
                    status: status.word(),
                    unique: outcome.unique,
                    remaining: fields(&outcome, possible),
                    open: fields(&outcome, open),
                    stats: BackboneStats { ms: Pairs(milliseconds(&outcome.times)) },
                };
                return write_json(&mut out, &json);
            }
            match (status, &outcome.solution) {
                (Status::None, _) => {
                    writeln!(out, "no solution: the {} is contradictory", subject(&*puzzle))?;
                }
                (_, None) => writeln!(out, "stopped before a solution was found")?,
                (_, Some(_)) => {
                    let scene = drawing::backbone(&*puzzle, &outcome);
                    write!(out, "{}", look.show(&scene))?;
                    if let Some(note) = look.too_wide(&scene) {
                        writeln!(err, "{note}")?;
                    }
                }
            }
            out.flush()?;
            let stopped = status == Status::Stopped && outcome.solution.is_some();
            if stopped || drawing::fields(&outcome).any(|(_, values)| values.has_unknown()) {
                let stopped = if stopped { "stopped: " } else { "" };
                writeln!(
                    err,
                    "{stopped}{SEVERAL} marks values that differ between solutions, {UNKNOWN} values that may differ"
                )?;
            }
            Ok(())
        })?;
        if let Some(directory) = &self.proof {
            let board = CertifiedBoard { puzzle: &*puzzle, source: &text, arguments: self.board.words() };
            let summary =
                certificate::write((directory, self.proof_format), &board, &outcome, certificate.as_ref())?;
            certificate::report(directory, &outcome, summary, &mut err)?;
        }
        if let Some(pictures) = pictures {
            let caption = if status == Status::None { "no solution" } else { "backbone" };
            pictures.write(
                &file_name(source),
                &drawn(&*puzzle, source, &[(&drawing::backbone(&*puzzle, &outcome), caption)]),
            )?;
        }
        Ok(watch.ended(status.ending()))
    }
}

/// The object that `--json` prints.
#[derive(Serialize)]
struct BackboneJson<'a> {
    puzzle: &'a str,
    source: &'a str,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    unique: Option<bool>,
    #[serde(skip_serializing_if = "Pairs::is_empty")]
    remaining: Pairs<'a, FieldJson<'a>>,
    #[serde(skip_serializing_if = "Pairs::is_empty")]
    open: Pairs<'a, FieldJson<'a>>,
    stats: BackboneStats,
}

#[derive(Serialize)]
struct BackboneStats {
    ms: Pairs<'static, f64>,
}

/// The values of one field in the JSON output.
#[derive(Serialize)]
#[serde(untagged)]
enum FieldJson<'a> {
    /// A list of values for each part of the field, such as a cell of a grid.
    Parts(PartsJson<&'a [Content]>),
    Whole(&'a [Field]),
    /// For a field without parts: true if the field may have further values.
    Open(bool),
}

fn fields<'a>(
    outcome: &'a Outcome,
    values: impl Fn(&'a FieldValues) -> Option<FieldJson<'a>>,
) -> Pairs<'a, FieldJson<'a>> {
    let fields = drawing::fields(outcome).filter_map(|(name, of_field)| Some((name, values(of_field)?)));
    Pairs(fields.collect())
}

fn of_parts(known: &FieldValues, values: impl Fn(&PartValues) -> &[Content]) -> Option<FieldJson<'_>> {
    let FieldValues::Parts { columns, parts } = known else { return None };
    Some(FieldJson::Parts(PartsJson::new(*columns, parts.iter().map(values))))
}

fn possible(known: &FieldValues) -> Option<FieldJson<'_>> {
    match known {
        FieldValues::Whole { possible, .. } => Some(FieldJson::Whole(possible)),
        FieldValues::Parts { .. } => of_parts(known, |values| &values.possible),
    }
}

fn open(known: &FieldValues) -> Option<FieldJson<'_>> {
    match known {
        FieldValues::Whole { complete, .. } => (!complete).then_some(FieldJson::Open(true)),
        FieldValues::Parts { parts, .. } if parts.iter().all(|values| values.open.is_empty()) => None,
        FieldValues::Parts { .. } => of_parts(known, |values| &values.open),
    }
}
