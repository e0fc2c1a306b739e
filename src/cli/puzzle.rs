//! `gordian puzzle`: prints the description of a puzzle type, or lists the puzzle types.

use std::io::{IsTerminal, Write, stdout};

use clap::Args;
use gordian_encodings::Sense;
use textwrap::core::display_width;

use super::exit::ExitStatus;
use super::input::puzzle_type;
use super::report::Failure;
use super::suggested::{self, Suggested};
use crate::format::{Source, Syntax};
use crate::puzzle::{self, Group, PuzzleType, Reader, Shape};
use crate::read::{self, Board, ReadOptions};

/// Explain a puzzle type: its rules, objectives, options and formats, with an example board in each format.
///
/// Without a name, or if several puzzle types have the given text in their names, the command lists puzzle types by what a
/// solver does: on a terminal with a picture of each.
#[derive(Debug, Args)]
#[command(
    name = "puzzle",
    after_help = "Examples:
  gordian puzzle
  gordian puzzle nurikabe
  gordian puzzle light up
  gordian puzzle 数独
  gordian puzzle loop
  gordian puzzle masyu --rules"
)]
pub(super) struct PuzzlePage {
    /// A name of the puzzle type, in English, Japanese or addresses, or a part of it
    #[arg(value_name = "NAME", value_parser = Suggested(suggested::puzzle_types), hide_possible_values = true)]
    name: Vec<String>,
    /// Print only the rule sheet that states the puzzle type
    #[arg(long, requires = "name")]
    rules: bool,
}

impl PuzzlePage {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let mut out = anstream::stdout().lock();
        let name = self.name.join(" ");
        let is_whole = self.rules || puzzle::find(&name).is_some();
        match if is_whole { Vec::new() } else { puzzle::search(&name) }[..] {
            [] => {
                let puzzle_type = puzzle_type("puzzle", &name)?;
                match (&puzzle_type.sheet, self.rules) {
                    (Some(sheet), true) => out.write_all(sheet.text.as_bytes())?,
                    (None, true) => {
                        let message = format!("`{}` is not stated by a rule sheet", puzzle_type.name);
                        return Err(Failure::Usage(message));
                    }
                    (_, false) => write(puzzle_type, &mut out)?,
                }
            }
            [puzzle_type] => write(puzzle_type, &mut out)?,
            ref several => write_list(several, &mut out)?,
        }
        out.flush()?;
        Ok(ExitStatus::Answered)
    }
}

/// Lists puzzle types by group: on a terminal with pictures, otherwise one per line.
fn write_list(types: &[&'static PuzzleType], out: &mut impl Write) -> Result<(), Failure> {
    let bold = anstyle::Style::new().bold();
    let width = stdout().is_terminal().then(textwrap::termwidth);
    let of_group = |group| types.iter().copied().filter(move |row| row.group == group).collect::<Vec<_>>();
    for (group, mut rows) in Group::ALL.map(|group| (group, of_group(group))) {
        if rows.is_empty() {
            continue;
        }
        rows.sort_by_key(|row| row.name);
        writeln!(out, "{bold}{}{bold:#}", group.heading())?;
        let Some(width) = width else {
            for row in rows {
                let mut formats: Vec<_> = row.readers.iter().map(Reader::format).collect();
                formats.dedup();
                write_puzzle_type(out, row.name, row.aliases, &formats)?;
            }
            continue;
        };
        let mut tiles = Vec::new();
        for row in rows {
            let reader = row.readers.first();
            let picture = reader.map(|reader| sample(row, reader)).transpose()?;
            let picture = picture.map_or_else(String::new, |board| board.puzzle.draw(None).boxes(width));
            tiles.push(format!("{}\n{picture}", row.name));
        }
        out.write_all(side_by_side(&tiles, width).as_bytes())?;
    }
    Ok(())
}

/// Puts texts beside each other, as many as fit into the width of a terminal, and the others below. Each row of texts ends
/// with an empty line.
fn side_by_side(texts: &[String], width: usize) -> String {
    const BETWEEN: usize = 3;
    let widest = |text: &String| BETWEEN + text.lines().map(display_width).max().unwrap_or(0);
    let (mut joined, mut rest) = (String::new(), texts);
    while !rest.is_empty() {
        let mut end = 0;
        let fits = |text: &&String| {
            end += widest(text);
            end <= width
        };
        let (row, others) = rest.split_at(rest.iter().take_while(fits).count().max(1));
        rest = others;
        for line in 0..row.iter().map(|text| text.lines().count()).max().unwrap_or(0) {
            for text in row {
                let part = text.lines().nth(line).unwrap_or("");
                joined += part;
                joined += &" ".repeat(widest(text) - display_width(part));
            }
            joined.truncate(joined.trim_end().len());
            joined.push('\n');
        }
        joined.push('\n');
    }
    joined
}

/// Prints the line of a puzzle type in a list, with its names and formats.
pub(super) fn write_puzzle_type(
    out: &mut impl Write,
    name: &str,
    aliases: &[&str],
    formats: &[&str],
) -> std::io::Result<()> {
    let bold = anstyle::Style::new().bold();
    let names: Vec<_> = std::iter::once(name).chain(aliases.iter().copied()).collect();
    writeln!(out, "  {bold}{:24}{bold:#} {}", names.join(", "), formats.join(", "))
}

fn write(puzzle_type: &'static PuzzleType, out: &mut impl Write) -> Result<(), Failure> {
    let bold = anstyle::Style::new().bold();
    write!(out, "{bold}{}{bold:#}", puzzle_type.name)?;
    match puzzle_type.aliases {
        [] => writeln!(out)?,
        aliases => writeln!(out, " (also {})", aliases.join(", "))?,
    }
    writeln!(out, "{}", wrapped(puzzle_type.rules, "  ", "  "))?;
    if stdout().is_terminal()
        && let Some(reader) = puzzle_type.readers.first()
    {
        let picture = sample(puzzle_type, reader)?.puzzle.draw(None).boxes(textwrap::termwidth());
        writeln!(out, "\n{}", textwrap::indent(&picture, "  ").trim_end())?;
    }
    if !puzzle_type.objectives.is_empty() {
        writeln!(out, "\n{bold}OBJECTIVES{bold:#}")?;
        for (number, row) in puzzle_type.objectives.iter().enumerate() {
            let sense = match row.sense {
                Sense::Minimise => "minimise",
                Sense::Maximise => "maximise",
            };
            let default = if puzzle_type.optimises && number == 0 { " (the default)" } else { "" };
            let line = format!("--objective {}: {sense} {}{default}", row.name, row.summary);
            writeln!(out, "{}", wrapped(&line, "  ", "      "))?;
        }
    }
    if !puzzle_type.options.is_empty() {
        writeln!(out, "\n{bold}OPTIONS{bold:#}, on the first line of a text board or with --option")?;
        for row in puzzle_type.options {
            let values: Vec<_> = match row.values {
                [] => vec![format!("{}=VALUE", row.name)],
                [default, others @ ..] => {
                    let others = others.iter().map(|value| format!("{}={value}", row.name));
                    std::iter::once(format!("{}={default} (default)", row.name)).chain(others).collect()
                }
            };
            let line = format!("{}: {}", values.join(", "), row.summary);
            writeln!(out, "{}", wrapped(&line, "  ", "      "))?;
        }
    }
    writeln!(out, "\n{bold}SOLUTION{bold:#} in JSON")?;
    for row in puzzle_type.fields {
        let shape = match row.shape {
            Shape::Number => "a number",
            Shape::List => "a list",
            Shape::Rows => "a list of rows",
        };
        let only = if row.backbone_only { "with `gordian backbone`: " } else { "" };
        writeln!(
            out,
            "{}",
            wrapped(&format!("{}, {shape}: {only}{}", row.name, row.summary), "  ", "      ")
        )?;
    }
    for reader in puzzle_type.readers {
        writeln!(out, "\n{bold}FORMAT{bold:#} {}{}", reader.format(), remark(puzzle_type, reader)?)?;
        for line in reader.sample().lines() {
            writeln!(out, "  {line}")?;
        }
    }
    if let Some(symmetries) = symmetries(puzzle_type)? {
        writeln!(out, "\n{bold}SYMMETRIES{bold:#}, with --symmetry break")?;
        let line = format!("for the first board above: {symmetries}");
        writeln!(out, "{}", wrapped(&line, "  ", "  "))?;
    }
    Ok(())
}

/// Returns a remark for the heading of a format, for example that the format requires the option `--puzzle`.
fn remark(puzzle_type: &'static PuzzleType, reader: &Reader) -> Result<String, Failure> {
    let Board { puzzle, candidates } = sample(puzzle_type, reader)?;
    let written = reader.syntax() == Syntax::Address && puzzle.address().is_ok();
    Ok(match candidates.first() {
        Some(first) if first.name != puzzle_type.name => {
            format!(", with `--puzzle {}`; otherwise it is read as `{}`", puzzle_type.name, first.name)
        }
        _ if written => "; `gordian show BOARD --url` writes it".to_owned(),
        _ => String::new(),
    })
}

/// Returns the symmetries of the first example board, or `None` if the puzzle type does not support symmetries.
fn symmetries(puzzle_type: &'static PuzzleType) -> Result<Option<String>, Failure> {
    let Some(reader) = puzzle_type.readers.first() else { return Ok(None) };
    let names = sample(puzzle_type, reader)?.puzzle.symmetry().map(|symmetry| symmetry.names());
    Ok(names.map(|names| if names.is_empty() { "none".to_owned() } else { names.join("; ") }))
}

/// Reads the example board of a format.
fn sample(puzzle_type: &'static PuzzleType, reader: &Reader) -> Result<Board, Failure> {
    let source = Source::new(reader.format(), reader.sample());
    let options = ReadOptions { syntax: Some(reader.syntax()), ..ReadOptions::of_type(puzzle_type) };
    Ok(read::board(&source, &options)?)
}

/// Wraps text to the width of the terminal. If the output is not a terminal, the text stays on one line, for `grep`
/// and editors.
pub(super) fn wrapped(text: &str, first: &str, others: &str) -> String {
    const WIDEST: usize = 100;
    if !stdout().is_terminal() {
        return format!("{first}{text}");
    }
    let options = textwrap::Options::new(textwrap::termwidth().min(WIDEST))
        .initial_indent(first)
        .subsequent_indent(others)
        .break_words(false)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::fill(text, options)
}
