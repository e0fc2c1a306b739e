//! `gordian list`: lists the puzzle types, encodings, solvers, strategies and formats.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write, stdout};

use clap::{Args, ValueEnum};
use gordian_encodings::registry::choosable;
use serde::Serialize;

use super::exit::ExitStatus;
use super::json::write_json;
use super::puzzle::{wrapped, write_puzzle_type};
use super::report::Failure;
use crate::backend::SOLVERS;
use crate::backend::external::PROGRAMS;
use crate::export::FORMATS;
use crate::nearest::did_you_mean;
use crate::puzzle::{self, Reader};
use crate::search::STRATEGIES;

/// List puzzle types, encodings, solvers, strategies, and formula formats.
///
/// Without KIND, the command lists only their names.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gordian list
  gordian list puzzles
  gordian list encodings linear
  gordian list solvers --json")]
pub(super) struct List {
    /// What to list in detail
    kind: Option<Kind>,
    /// List only what has this name: a puzzle type, the encodings of a constraint, a solver, a strategy or a format
    name: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A kind of things that the command line chooses by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
enum Kind {
    #[serde(rename = "puzzle")]
    Puzzles,
    #[serde(rename = "encoding")]
    Encodings,
    #[serde(rename = "solver")]
    Solvers,
    #[serde(rename = "strategy")]
    Strategies,
    #[serde(rename = "format")]
    Formats,
}

/// A line of the list. As JSON, it is described in `docs/list.schema.json`.
#[derive(Serialize)]
struct ListItem {
    kind: Kind,
    /// The constraint of an encoding.
    #[serde(skip_serializing_if = "Option::is_none")]
    constraint: Option<&'static str>,
    name: Cow<'static, str>,
    #[serde(flatten)]
    about: About,
}

/// What the list says about an item.
#[derive(Serialize)]
#[serde(untagged)]
enum About {
    Puzzle { aliases: &'static [&'static str], formats: Vec<&'static str> },
    Encoding { strength: &'static str, count: &'static str, paper: &'static str },
    Solver { version: &'static str, summary: &'static str },
    Program { summary: &'static str },
    Strategy { summary: &'static str, paper: &'static str },
    Format { extension: &'static str, summary: &'static str },
}

impl Kind {
    /// Returns the heading of the list, without its first word.
    fn heading(self) -> &'static str {
        match self {
            Self::Puzzles => "explained by `gordian puzzle NAME`",
            Self::Encodings => "chosen with --encode CONSTRAINT=ENCODING; `auto` chooses by size",
            Self::Solvers => "chosen with --solver NAME",
            Self::Strategies => "for optimisation, chosen with --strategy NAME",
            Self::Formats => "for formulas, chosen with export --format NAME",
        }
    }

    /// Returns the word on the command line.
    fn word(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    fn items(self) -> Vec<ListItem> {
        let item = |name: Cow<'static, str>, about| ListItem { kind: self, constraint: None, name, about };
        match self {
            Self::Puzzles => puzzle::all()
                .map(|row| {
                    let mut formats: Vec<_> = row.readers.iter().map(Reader::format).collect();
                    formats.dedup();
                    item(row.name.into(), About::Puzzle { aliases: row.aliases, formats })
                })
                .collect(),
            Self::Encodings => choosable()
                .flat_map(|constraint| {
                    (constraint.encodings)().into_iter().map(move |row| {
                        let (strength, count) = (row.strength.name(), row.count.name());
                        let about = About::Encoding { strength, count, paper: row.paper };
                        ListItem { constraint: Some(constraint.name), ..item(row.name.into(), about) }
                    })
                })
                .collect(),
            Self::Solvers => {
                let solvers = SOLVERS.iter().map(|solver| {
                    let about = About::Solver { version: solver.version, summary: solver.summary };
                    item(solver.name.clone(), about)
                });
                let any = ("external:COMMAND", "any solver of the SAT competitions, as in `kissat {cnf}`");
                let programs = PROGRAMS.iter().map(|program| (program.name, program.summary));
                let programs = [any].into_iter().chain(programs);
                solvers
                    .chain(programs.map(|(name, summary)| item(name.into(), About::Program { summary })))
                    .collect()
            }
            Self::Strategies => STRATEGIES
                .iter()
                .map(|row| item(row.name.into(), About::Strategy { summary: row.summary, paper: row.paper }))
                .collect(),
            Self::Formats => FORMATS
                .iter()
                .map(|row| {
                    item(row.name.into(), About::Format { extension: row.extension, summary: row.summary })
                })
                .collect(),
        }
    }
}

impl ListItem {
    /// Returns the name by which the command line selects the item: an encoding by its constraint.
    fn key(&self) -> &str {
        self.constraint.unwrap_or(&self.name)
    }

    fn is_called(&self, name: &str) -> bool {
        let aliases = if let About::Puzzle { aliases, .. } = &self.about { *aliases } else { &[] };
        self.key() == name || aliases.contains(&name)
    }
}

impl List {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let mut out = anstream::stdout().lock();
        let kinds = self.kind.as_ref().map_or(Kind::value_variants(), std::slice::from_ref);
        for (number, &kind) in kinds.iter().enumerate() {
            let mut items = kind.items();
            if let Some(name) = &self.name {
                let known: Vec<String> = items.iter().map(|item| item.key().to_owned()).collect();
                items.retain(|item| item.is_called(name));
                if items.is_empty() {
                    let known: Vec<&str> = known.iter().map(String::as_str).collect();
                    let near = did_you_mean(name, &known);
                    let of = if kind == Kind::Encodings { " of a constraint" } else { "" };
                    let message = format!("`{name}` is not among the {}{of}{near}", kind.word());
                    return Err(Failure::Usage(message));
                }
            }
            if self.json {
                items.iter().try_for_each(|item| write_json(&mut out, item))?;
                continue;
            }
            if number > 0 {
                writeln!(out)?;
            }
            let (bold, word) = (anstyle::Style::new().bold(), kind.word().to_uppercase());
            if self.kind.is_none() {
                write_names(&mut out, &word, kind, &items)?;
            } else {
                writeln!(out, "{bold}{word}{bold:#}, {}", kind.heading())?;
                write_items(&mut out, &items)?;
            }
        }
        Ok(ExitStatus::Answered)
    }
}

/// Prints the names of the items, for encodings those of their constraints.
fn write_names(out: &mut impl Write, word: &str, kind: Kind, items: &[ListItem]) -> io::Result<()> {
    let bold = anstyle::Style::new().bold();
    let about = match kind {
        Kind::Encodings => {
            " of these constraints, described by `gordian list encodings CONSTRAINT`".to_owned()
        }
        kind => format!(", described by `gordian list {}`", kind.word()),
    };
    writeln!(out, "{bold}{word}{bold:#}{about}")?;
    let mut names: Vec<&str> = Vec::new();
    for item in items {
        if !names.contains(&item.key()) {
            names.push(item.key());
        }
    }
    writeln!(out, "{}", wrapped(&names.join(", "), "  ", "  "))
}

/// Prints the items in detail.
fn write_items(out: &mut impl Write, items: &[ListItem]) -> io::Result<()> {
    let widest = |word: fn(&ListItem) -> &str| items.iter().map(|item| word(item).len()).max().unwrap_or(0);
    let names = widest(|item| &item.name);
    let strengths =
        widest(|item| if let About::Encoding { strength, .. } = item.about { strength } else { "" });
    let bold = anstyle::Style::new().bold();
    let mut heading = None;
    for item in items {
        let ListItem { constraint, name, about, .. } = item;
        if *constraint != heading {
            if heading.is_none() {
                let legend = "strength: how much unit propagation derives; count: whether the encoding keeps the \
                              number of solutions";
                writeln!(out, "{}", wrapped(legend, "  ", "  "))?;
            }
            heading = *constraint;
            if let Some(row) = choosable().find(|row| Some(row.name) == heading) {
                writeln!(out, "  {bold}{}{bold:#}: {}", row.name, row.summary)?;
            }
        }
        match about {
            About::Puzzle { aliases, formats } => write_puzzle_type(out, name, aliases, formats)?,
            About::Encoding { strength, count, paper } => {
                write!(out, "      {name:names$} strength {strength:strengths$} count {count:10}")?;
                // If the output is not a terminal, each encoding is printed on one line for `grep`.
                let (before, indent) =
                    if stdout().is_terminal() { ("\n", " ".repeat(10)) } else { ("  ", String::new()) };
                writeln!(out, "{before}{}", wrapped(paper, &indent, &indent))?;
            }
            About::Solver { version, summary } => {
                writeln!(out, "{}", entry(name, &format!(" {version}: {summary}")))?;
            }
            About::Program { summary } => writeln!(out, "{}", entry(name, &format!(": {summary}")))?,
            About::Strategy { summary, paper } => {
                writeln!(out, "{}", entry(name, &format!(": {summary}")))?;
                writeln!(out, "{}", wrapped(paper, "      ", "      "))?;
            }
            About::Format { extension, summary } => {
                writeln!(out, "{}", entry(name, &format!(" (.{extension}): {summary}")))?;
            }
        }
    }
    Ok(())
}

/// Formats a name in bold with its description.
fn entry(name: &str, about: &str) -> String {
    let bold = anstyle::Style::new().bold();
    let lines = wrapped(&format!("{name}{about}"), "  ", "      ");
    lines.replacen(name, &format!("{bold}{name}{bold:#}"), 1)
}
