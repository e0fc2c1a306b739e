//! The output of `gordian backbone --counts`: for each cell and each value, the number of solutions with this value in
//! the cell.

use std::io::{self, Write};

use num_bigint::BigUint;
use serde::Serialize;

use super::input::subject;
use super::json::{Pairs, PartsJson, to_line, write_json};
use super::look::drawn;
use super::outcome::milliseconds;
use super::watch::SoFar;
use crate::drawing::{self, per_mille};
use crate::puzzle::Puzzle;
use crate::puzzle::plain::part_name;
use crate::query::{FieldCounts, Outcome, Status};
use crate::render::{Line, Role, Scene, Text};
use crate::rules::{Content, Field};

/// The object that `--counts --json` prints.
#[derive(Serialize)]
struct CountsJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    puzzle: Option<&'a str>,
    source: &'a str,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<Field>,
    #[serde(skip_serializing_if = "Pairs::is_empty")]
    counts: Pairs<'a, PartsJson<Vec<ValueJson<'a>>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<Statistics>,
}

#[derive(Serialize)]
struct Statistics {
    ms: Pairs<'static, f64>,
}

/// A value of a cell or of another part of the solution, and the number of solutions in which the part has this value.
#[derive(Serialize)]
struct ValueJson<'a> {
    value: &'a Content,
    count: Field,
}

/// Returns, for each part of a field, the values of the part, each with the number of solutions in which it occurs.
fn parts(counts: &FieldCounts) -> PartsJson<Vec<ValueJson<'_>>> {
    fn part(values: &[(Content, BigUint)]) -> Vec<ValueJson<'_>> {
        values.iter().map(|(value, count)| ValueJson { value, count: count.clone().into() }).collect()
    }
    PartsJson::new(counts.columns, counts.parts.iter().map(|values| part(values)))
}

/// Returns the fields with their counts.
fn fields(outcome: &Outcome) -> impl Iterator<Item = (&str, &FieldCounts)> {
    outcome.values.iter().flatten().map(|(name, counts)| (name.as_str(), counts))
}

/// Prints the counts as JSON or as a table.
pub(super) fn print(
    puzzle: &dyn Puzzle,
    source: &str,
    outcome: &Outcome,
    json: bool,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<()> {
    if json {
        let counts = fields(outcome).map(|(name, counts)| (name, parts(counts))).collect();
        let json = CountsJson {
            puzzle: Some(puzzle.puzzle_type().name),
            source,
            status: outcome.status.word(),
            count: outcome.count.clone().map(Field::from),
            counts: Pairs(counts),
            stats: Some(Statistics { ms: Pairs(milliseconds(&outcome.times)) }),
        };
        return write_json(out, &json);
    }
    let count = outcome.count.clone().unwrap_or_default();
    match outcome.status {
        Status::None => writeln!(out, "no solution: the {} is contradictory", subject(puzzle))?,
        Status::Stopped => {
            write!(out, "{}", at_least_text(&count))?;
            writeln!(err, "{STOPPED}")?;
        }
        Status::Solved | Status::Optimal => {
            writeln!(out, "{count} {}", if count == BigUint::from(1_u8) { "solution" } else { "solutions" })?;
            write_table(&table(outcome), out)?;
        }
    }
    out.flush()
}

const STOPPED: &str = "stopped: the counts of the values are not known";

fn at_least_text(count: &BigUint) -> String {
    format!("at least {count} solutions\n")
}

/// Returns the output if a limit ends the process after `count` solutions were counted. If the board has not been read,
/// its puzzle type is not known.
pub(super) fn at_least(source: &str, puzzle: Option<&str>, count: &BigUint, json: bool) -> SoFar {
    if json {
        let status = Status::Stopped.word();
        let (count, counts) = (Some(Field::from(count.clone())), Pairs(Vec::new()));
        return SoFar::out(to_line(&CountsJson { puzzle, source, status, count, counts, stats: None }));
    }
    SoFar { err: format!("{STOPPED}\n"), ..SoFar::out(at_least_text(count)) }
}

/// Returns the rows of the table. Each row contains a cell, a value, the number of solutions with this value, and their
/// share of all solutions.
fn table(outcome: &Outcome) -> Vec<[String; 4]> {
    let total = outcome.count.clone().unwrap_or_default();
    let mut rows = vec![["cell", "value", "solutions", "share"].map(str::to_owned)];
    for (name, counts) in fields(outcome) {
        for (index, values) in counts.parts.iter().enumerate() {
            let cell = part_name(name, index, counts.columns, counts.parts.len() == 1);
            let shares = per_mille(&values.iter().map(|(_, count)| count).collect::<Vec<_>>(), &total);
            for ((value, count), share) in values.iter().zip(shares) {
                let share = format!("{}.{} %", share / 10, share % 10);
                rows.push([cell.clone(), value.to_string(), count.to_string(), share]);
            }
        }
    }
    rows
}

/// Writes the rows of a table. The first column is aligned to the left, and all others to the right.
fn write_table(rows: &[[String; 4]], out: &mut dyn Write) -> io::Result<()> {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let [cell, value, solutions, share] = [0, 1, 2, 3].map(width);
    for [a, b, c, d] in rows {
        writeln!(out, "{a:cell$}  {b:>value$}  {c:>solutions$}  {d:>share$}")?;
    }
    Ok(())
}

/// Draws the counts as a heat map, with one scene for each field.
pub(super) fn picture(puzzle: &dyn Puzzle, source: &str, outcome: &Outcome) -> String {
    let mut scenes = drawing::heat_maps(puzzle, outcome);
    if scenes.is_empty() {
        let count = outcome.count.clone().unwrap_or_default();
        let rows = if outcome.values.is_some() { table(outcome) } else { Vec::new() };
        let line = |row: &[String; 4]| Line::Remark(Text::new(row.join("  "), Role::Plain));
        let caption = match outcome.status {
            Status::None => "no solution".to_owned(),
            Status::Stopped => format!("at least {count} solutions"),
            Status::Solved | Status::Optimal => format!("{count} solutions"),
        };
        scenes.push((puzzle.draw(None).with_lines(rows.iter().map(line)), caption));
    }
    let scenes: Vec<(&Scene, &str)> = scenes.iter().map(|(scene, caption)| (scene, &**caption)).collect();
    drawn(puzzle, source, &scenes)
}
