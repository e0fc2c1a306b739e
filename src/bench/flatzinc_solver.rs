//! Other FlatZinc solvers in a benchmark: their command lines, and the results in their output.
//!
//! The output of a FlatZinc solver is a list of solutions and a final status, as the chapter "FlatZinc" of the MiniZinc
//! handbook describes it. The solutions are not checked; a wrong one is detected only if it contradicts the result of
//! another run.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use gordian_encodings::{Sense, Value};
use serde_json::{Value as Json, json};

use super::instance::BenchInstance;
use super::record::{SolutionTime, milliseconds};
use super::settings::{FLATZINC, flatzinc_command};
use crate::backend::BackendError;
use crate::backend::external::program_exists;
use crate::process::cleanup::TemporaryFile;
use crate::process::{Finished, Termination};

/// A FlatZinc solver as an external program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlatZincSolver {
    /// The program and its arguments, with the placeholders `{fzn}` for the model, `{name}` for the file name of the
    /// model without its extension, `{timeout}` for the time limit in milliseconds, and `{seed}`.
    words: Vec<String>,
}

impl FlatZincSolver {
    /// Returns the FlatZinc solver `flatzinc:COMMAND` or `NAME=flatzinc:COMMAND`, or `None` if `name` has neither form.
    ///
    /// # Errors
    /// Returns an error if the command can't be parsed or the program does not exist.
    #[must_use]
    pub fn find(name: &str) -> Option<Result<Self, BackendError>> {
        let (_, command) = flatzinc_command(name)?;
        let failed = |reason: String| Err(BackendError::NoProgram { name: name.to_owned(), reason });
        let Some(words) = shlex::split(command) else {
            return Some(failed("the command has an unclosed quotation mark".into()));
        };
        Some(match words.first() {
            None => failed(format!("the command is missing; use `{FLATZINC}COMMAND {{fzn}}`")),
            Some(program) if !program_exists(program) => {
                failed(format!("the program `{program}` was not found"))
            }
            Some(_) => Ok(Self { words }),
        })
    }

    /// Returns whether the command contains the seed.
    #[must_use]
    pub fn takes_seed(&self) -> bool {
        self.words.iter().any(|word| word.contains("{seed}"))
    }

    /// Returns the program and its arguments for a run on the file `model`, which belongs to the instance `name`.
    #[must_use]
    pub fn command(&self, name: &str, model: &str, timeout: Duration, seed: u32) -> Vec<String> {
        let stem = Path::new(name).file_stem().map_or(Cow::Borrowed(name), |stem| stem.to_string_lossy());
        let filled = |word: &String| {
            let word = word.replace("{fzn}", model).replace("{name}", &stem);
            word.replace("{timeout}", &timeout.as_millis().to_string()).replace("{seed}", &seed.to_string())
        };
        self.words.iter().map(filled).collect()
    }

    /// Returns the command of a run on an instance. If the model does not print its objective, the command uses a
    /// temporary copy that does. The copy is deleted when the returned file is dropped.
    pub(super) fn prepare(
        &self,
        instance: &BenchInstance,
        timeout: Duration,
        seed: u32,
    ) -> io::Result<(Command, Option<TemporaryFile>)> {
        let copy = match instance.objective() {
            Some(_) if self.words.iter().any(|word| word.contains("{fzn}")) => {
                let read = std::fs::read_to_string(&instance.name);
                let text = read
                    .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", instance.name)))?;
                copy_with_objective(&text)?
            }
            _ => None,
        };
        let model =
            copy.as_ref().map_or(Cow::Borrowed(&instance.name[..]), |copy| copy.path().to_string_lossy());
        let words = self.command(&instance.name, &model, timeout, seed);
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        Ok((command, copy))
    }
}

/// Returns a copy of a FlatZinc model whose objective is an output variable, or `None` if the objective already is one,
/// or is not found.
fn copy_with_objective(text: &str) -> io::Result<Option<TemporaryFile>> {
    let Some((_, end)) = objective(text).filter(|&(_, end)| {
        let declaration = text[end..].split(';').next().unwrap_or_default();
        !declaration.contains("output_var")
    }) else {
        return Ok(None);
    };
    let mut copy = TemporaryFile::new(".fzn")?;
    for part in [&text[..end], " :: output_var", &text[end..]] {
        copy.write_all(part.as_bytes())?;
    }
    copy.flush()?;
    Ok(Some(copy))
}

/// Returns the name of the objective in a FlatZinc model, and the position after the name in its declaration.
fn objective(text: &str) -> Option<(&str, usize)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    // The solve item is the last item.
    let (_, goal) = text.rsplit_once("solve")?;
    let (_, goal) = goal.rsplit_once("minimize").or_else(|| goal.rsplit_once("maximize"))?;
    let name = goal.trim_start().split(|c| !is_part(c)).next().filter(|name| !name.is_empty())?;
    let mut declarations = text.match_indices(name).filter(|&(at, _)| {
        let type_of = text[..at].trim_end().strip_suffix(':').filter(|before| !before.ends_with(':'));
        let item = type_of.and_then(|before| before.rsplit([';', '\n']).next());
        item.is_some_and(|item| item.trim_start().starts_with("var "))
            && !text[at + name.len()..].starts_with(is_part)
    });
    declarations.next().map(|(at, _)| (name, at + name.len()))
}

/// Returns the outcome of a run in the form of `docs/json.md`, and the solutions, each better than the one before.
///
/// # Errors
/// Returns an error if the model can't be read, if the solver printed a solution without the value of the objective, or if
/// it ended before the time limit, which is given in seconds, without a result.
pub(super) fn reported(
    finished: &Finished,
    instance: &BenchInstance,
    timeout: f64,
) -> Result<(Json, Vec<SolutionTime>), String> {
    let text =
        std::fs::read_to_string(&instance.name).map_err(|error| format!("{}: {error}", instance.name))?;
    let name = instance.objective().and_then(|_| Some(objective(&text)?.0));
    let (mut solutions, mut best) = (Vec::new(), None::<Value>);
    let (mut value, mut found, mut status) = (None::<Value>, false, None);
    let mut bytes = 0;
    for line in finished.output.split_inclusive(|&byte| byte == b'\n') {
        bytes += line.len() as u64;
        let line = String::from_utf8_lossy(line);
        match (line.trim(), instance.objective()) {
            ("----------", None) => (found, status) = (true, Some("solved")),
            ("----------", Some(sense)) => {
                let new = value.take().ok_or_else(|| {
                    let name = name.unwrap_or("objective");
                    let number = solutions.len() + 1;
                    format!(
                        "solution {number} has no value of the objective; expected `{name} = INTEGER;` or \
                         `%%%mzn-stat: objective=INTEGER` before `----------`; annotate `{name}` with `output_var`"
                    )
                })?;
                found = true;
                if best.is_none_or(|best| sense.is_better(new, best)) {
                    best = Some(new);
                    let (wall, cpu) = finished.time_of(bytes);
                    let [wall, cpu] = [wall, cpu].map(milliseconds);
                    solutions.push(SolutionTime { objective: json_number(new), wall, cpu });
                }
            }
            ("==========", Some(_)) if found => status = Some("optimal"),
            ("=====UNSATISFIABLE=====", _) => status = Some("none"),
            ("=====UNKNOWN=====", _) => status = Some("stopped"),
            (line, Some(_)) => {
                let assigned = line.strip_suffix(';').and_then(|line| line.split_once('='));
                let printed = match (assigned, line.strip_prefix("%%%mzn-stat: objective=")) {
                    (Some((left, right)), _) if left.trim() == "_objective" || Some(left.trim()) == name => {
                        Some(right)
                    }
                    (_, statistic) => statistic,
                };
                value = printed.and_then(|printed| printed.trim().parse().ok()).or(value);
            }
            _ => {}
        }
    }
    if let (None, false, Termination::Exited(exit)) = (status, found, &finished.termination)
        && exit.success()
        && finished.wall.as_secs_f64() < timeout
    {
        let output = String::from_utf8_lossy(&finished.output);
        let last = output.trim().lines().next_back().unwrap_or_default();
        return Err(format!(
            "the solver ended without a result; expected `----------`, `==========`, `=====UNSATISFIABLE=====` or \
             `=====UNKNOWN=====`, but the last line of its output is `{last}`"
        ));
    }
    let status = status.unwrap_or("stopped");
    let mut outcome = json!({ "status": status });
    if let Some((best, sense)) = best.zip(instance.objective()) {
        let (best, proven) = (json_number(best), status == "optimal");
        let bound = if proven { best.clone() } else { Json::Null };
        outcome["bounds"] = match sense {
            Sense::Minimise => json!([bound, best]),
            Sense::Maximise => json!([best, bound]),
        };
        outcome["objective"] = best;
    }
    Ok((outcome, solutions))
}

/// Returns an integer as in `docs/json.md`: integers beyond 2^53 are strings.
fn json_number(value: Value) -> Json {
    json!(crate::rules::Field::Number(value))
}

#[cfg(test)]
mod tests;
