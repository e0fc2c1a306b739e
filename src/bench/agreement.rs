//! Detects contradictions between the results of different runs on the same board.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value as Json;

use super::flatzinc_solver::FlatZincSolver;
use super::record::RunRecord;
use crate::file;
use crate::puzzle::Query;

/// Returns a sentence, without its full stop, that explains how two results on the same board contradict each other.
/// Returns `None` if the results are consistent.
///
/// If the queries differ, only the values that both results contain are compared. Runs with different additional
/// arguments are not compared, because the arguments may change the board.
#[must_use]
pub fn contradiction(a: &RunRecord, b: &RunRecord) -> Option<String> {
    if a.content != b.content || a.puzzle != b.puzzle || a.settings.arguments != b.settings.arguments {
        return None;
    }
    existence(a, b).or_else(|| number(a, b)).or_else(|| objective(a, b)).or_else(|| backbone(a, b))
}

fn backbone(a: &RunRecord, b: &RunRecord) -> Option<String> {
    let differ = a.backbone.as_ref()? != b.backbone.as_ref()?;
    differ.then(|| "the backbones differ".into())
}

/// Returns whether the board has a solution, or `None` if the run has not determined this.
fn has_solution(record: &RunRecord) -> Option<bool> {
    match record.status.as_deref() {
        Some("solved" | "optimal") => Some(true),
        Some("none") => Some(false),
        _ if record.objective.is_some() => Some(true),
        _ => None,
    }
}

fn existence(a: &RunRecord, b: &RunRecord) -> Option<String> {
    // If a counting query finds that there are no solutions, its status may be `solved` or `none`.
    let any = |record: &RunRecord| {
        has_solution(record).map(|any| any && counted(record).is_none_or(|(count, _)| count > 0))
    };
    match (any(a)?, any(b)?) {
        (true, false) => Some("the first has a solution, the second reports that there is none".into()),
        (false, true) => Some("the first reports that there is no solution, the second has one".into()),
        _ => None,
    }
}

/// Returns the number of solutions found, and whether there may be further solutions.
fn counted(record: &RunRecord) -> Option<(i128, bool)> {
    if record.status.as_deref() == Some("none") {
        return Some((0, false));
    }
    match record.unique {
        Some(true) => return Some((1, false)),
        Some(false) => return Some((2, true)),
        None => {}
    }
    let count = record.count.as_ref().and_then(integer)?;
    let limited = matches!(record.settings.query, Query::Enumerate { limit: Some(_) });
    Some((count, limited || record.status.as_deref() != Some("solved")))
}

fn number(a: &RunRecord, b: &RunRecord) -> Option<String> {
    let ((first, first_more), (second, second_more)) = (counted(a)?, counted(b)?);
    let impossible = match (first_more, second_more) {
        (false, false) => first != second,
        (false, true) => first < second,
        (true, false) => second < first,
        (true, true) => false,
    };
    let words = |count: i128, more: bool| format!("{}{count}", if more { "at least " } else { "" });
    impossible.then(|| {
        let (first, second) = (words(first, first_more), words(second, second_more));
        format!("the number of solutions is {first} in the first result, {second} in the second")
    })
}

fn objective(a: &RunRecord, b: &RunRecord) -> Option<String> {
    let same = matches!(a.settings.query, Query::Optimise(_)) && a.settings.query == b.settings.query;
    if !same {
        return None;
    }
    let (first, second) = (bounds(a)?, bounds(b)?);
    let apart = first[1] < second[0] || second[1] < first[0];
    apart.then(|| {
        let words =
            |[low, high]: [i128; 2]| if low == high { low.to_string() } else { format!("{low} to {high}") };
        format!("the best objective is {} in the first result, {} in the second", words(first), words(second))
    })
}

fn bounds(record: &RunRecord) -> Option<[i128; 2]> {
    let [low, high] = record.bounds.as_ref()?;
    // An unknown bound is `null` in JSON.
    Some([integer(low).unwrap_or(i128::MIN), integer(high).unwrap_or(i128::MAX)])
}

/// Converts a JSON value to an integer. In result files, large integers are strings.
pub(super) fn integer(json: &Json) -> Option<i128> {
    match json {
        Json::Number(number) => number.as_i128(),
        Json::String(digits) => digits.parse().ok(),
        _ => None,
    }
}

/// Writes files for reproducing a contradiction: the board, the results, and a script that executes both runs.
/// Returns the path of the script.
///
/// # Errors
/// Returns an error if a file can't be written.
pub fn write_reproducers(
    directory: &Path,
    program: &Path,
    reason: &str,
    records: &[&RunRecord],
) -> std::io::Result<PathBuf> {
    std::fs::create_dir_all(directory)?;
    let instance = &records[0].instance;
    let extension = Path::new(instance).extension().map(|e| format!(".{}", e.to_string_lossy()));
    let board = format!("board{}", extension.unwrap_or_default());
    let board = match std::fs::copy(instance, directory.join(&board)) {
        Ok(_) => board,
        // A board given by its address needs no file.
        Err(_) if !Path::new(instance).exists() => instance.clone(),
        Err(error) => return Err(error),
    };
    let lines: String = records.iter().map(|record| record.line()).collect();
    file::write(&directory.join("results.jsonl"), |out| out.write_all(lines.as_bytes()))?;
    let quoted = |words: &[String]| {
        let words = words.iter().map(|word| shlex::try_quote(word).unwrap_or(word.into()).into_owned());
        words.collect::<Vec<_>>().join(" ")
    };
    let mut script = format!("#!/bin/sh\n# {instance}: {reason}.\n# GORDIAN=other/gordian sh reproduce.sh\n");
    script += "cd \"$(dirname \"$0\")\"\n";
    let program = quoted(&[program.display().to_string()]);
    let _ = writeln!(script, "GORDIAN=${{GORDIAN:-{program}}}");
    for (record, which) in records.iter().zip(["The first", "The second"]) {
        let command = match FlatZincSolver::find(&record.settings.solver) {
            Some(Ok(solver)) => {
                let timeout = Duration::from_secs_f64(record.settings.timeout);
                // The command may contain paths relative to the directory of the benchmark.
                let board = std::path::absolute(directory.join(&board))?.display().to_string();
                let words = solver.command(instance, &board, timeout, record.settings.seed);
                let directory = std::env::current_dir()?.display().to_string();
                format!("(cd {} && {})", quoted(&[directory]), quoted(&words))
            }
            _ => format!("\"$GORDIAN\" {}", quoted(&record.settings.command(&board))),
        };
        let _ = writeln!(script, "\n# {which}.\n{command}");
    }
    let path = directory.join("reproduce.sh");
    file::write(&path, |out| out.write_all(script.as_bytes()))?;
    Ok(path)
}

#[cfg(test)]
mod tests;
