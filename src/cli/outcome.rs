//! What came of a board, as text for people and as JSON for programs (`docs/json.md`).

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use gordian_encodings::sink::SizeRow;
use gordian_encodings::{Sense, Sizes, Value};
use serde::{Serialize, Serializer};

use super::Ending;
use super::report::Failure;
use crate::answer::{Answer, Field, Number};
use crate::backend::Statistics;
use crate::grid::Place;
use crate::puzzle::{ObjectiveRow, Puzzle};
use crate::search::Session;

/// How a question ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Status {
    /// With an answer, or with as many as were asked for.
    Solved,
    /// With an answer that is proven to be the best.
    Optimal,
    /// With the proof that there is no answer.
    None,
    /// By a limit.
    Stopped,
}

impl Status {
    pub(super) fn ending(self) -> Ending {
        match self {
            Self::Solved | Self::Optimal => Ending::Answered,
            Self::None => Ending::NoAnswer,
            Self::Stopped => Ending::Stopped,
        }
    }
}

/// How long each step took.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Times {
    pub(super) parse: Duration,
    pub(super) model: Duration,
    pub(super) encode: Duration,
    pub(super) solve: Duration,
    pub(super) decode: Duration,
    pub(super) check: Duration,
}

impl Times {
    /// Milliseconds, to the microsecond, of each step and of all.
    pub(super) fn milliseconds(&self) -> Vec<(&'static str, f64)> {
        let steps = [
            ("parse", self.parse),
            ("model", self.model),
            ("encode", self.encode),
            ("solve", self.solve),
            ("decode", self.decode),
            ("check", self.check),
        ];
        let total = ("total", steps.iter().map(|(_, time)| *time).sum());
        let rounded = |time: Duration| (time.as_secs_f64() * 1e6).round() / 1e3;
        steps.into_iter().chain([total]).map(|(step, time)| (step, rounded(time))).collect()
    }
}

/// Runs a step and notes how long it took.
pub(super) fn timed<R>(time: &mut Duration, step: impl FnOnce() -> R) -> R {
    let start = Instant::now();
    let result = step();
    *time += start.elapsed();
    result
}

/// What came of a board.
pub(super) struct Outcome<'a> {
    pub(super) puzzle: &'a dyn Puzzle,
    source: &'a str,
    json: bool,
    pub(super) status: Status,
    pub(super) answer: Option<Answer>,
    /// A second answer, to show that there is more than one.
    pub(super) other: Option<Answer>,
    /// The value of the answer, and one that none is better than.
    pub(super) objective: Option<(&'static ObjectiveRow, Value, Value)>,
    pub(super) count: Option<usize>,
    /// The sizes of the orbits of all answers together, if symmetries are broken and the sum can be told.
    pub(super) orbits: Option<u128>,
    pub(super) unique: Option<bool>,
    pub(super) times: Times,
    sizes: Sizes,
    statistics: Statistics,
}

impl<'a> Outcome<'a> {
    pub(super) fn new(puzzle: &'a dyn Puzzle, source: &'a str, json: bool, times: Times) -> Self {
        Self {
            puzzle,
            source,
            json,
            status: Status::Stopped,
            answer: None,
            other: None,
            objective: None,
            count: None,
            orbits: None,
            unique: None,
            times,
            sizes: Sizes::default(),
            statistics: Statistics::default(),
        }
    }

    /// Takes over what a session that is over wrote and did. Where there were several, the sizes are the last one's.
    pub(super) fn add_statistics(&mut self, session: &Session) {
        self.sizes = session.sizes().clone();
        let before = self.statistics.conflicts;
        self.statistics = session.statistics();
        if let (Some(conflicts), Some(before)) = (&mut self.statistics.conflicts, before) {
            *conflicts += before;
        }
    }

    /// Tells a person who waits that there is a better answer.
    pub(super) fn improved(&self, row: &ObjectiveRow, value: Value) {
        if !self.json && std::io::stderr().is_terminal() {
            eprintln!("{}: {value}", row.name);
        }
    }

    /// Prints one of many answers as soon as it is found.
    pub(super) fn print_one_of_many(
        &self,
        answer: &Answer,
        number: usize,
        orbit: Option<u128>,
    ) -> Result<(), Failure> {
        if self.json {
            return write_json(&Json {
                number: Some(number),
                orbit: orbit.map(exact),
                answer: Some(answer),
                ..self.json_head(Status::Solved)
            });
        }
        let mut out = anstream::stdout().lock();
        write!(out, "{}", self.puzzle.draw(Some(answer)).text(true))?;
        if let Some(orbit) = orbit {
            writeln!(out, "one of {orbit}")?;
        }
        writeln!(out)?;
        out.flush()?;
        Ok(())
    }

    pub(super) fn print(&self) -> Result<(), Failure> {
        if self.json { self.print_json() } else { self.print_text() }
    }

    fn print_text(&self) -> Result<(), Failure> {
        let mut out = anstream::stdout().lock();
        if let Some(count) = self.count {
            // The number of answers is the whole answer; where answers were printed, it is the last line.
            writeln!(out, "{count}")?;
            if let Some(orbits) = self.orbits {
                eprintln!("{orbits} with those that symmetries turn them into");
            }
            if self.status == Status::Stopped {
                eprintln!("stopped: there may be more");
            }
            return Ok(());
        }
        match (self.status, self.unique) {
            (Status::None, _) => writeln!(out, "no answer: the board is contradictory")?,
            (_, Some(true)) => writeln!(out, "unique")?,
            (_, Some(false)) => writeln!(out, "not unique{}", self.difference())?,
            (Status::Stopped, None) if self.answer.is_none() => {
                writeln!(out, "stopped before an answer was found")?;
            }
            (Status::Stopped | Status::Solved | Status::Optimal, None) => {}
        }
        for answer in self.answer.iter().chain(&self.other) {
            if self.other.as_ref().is_some_and(|other| std::ptr::eq(other, answer)) {
                writeln!(out)?;
            }
            write!(out, "{}", self.puzzle.draw(Some(answer)).text(true))?;
        }
        if let Some((row, value, bound)) = self.objective {
            match self.status {
                Status::Optimal => writeln!(out, "{}: {value}, proven optimal", row.name)?,
                _ => writeln!(out, "{}: {value}, not proven optimal; none is better than {bound}", row.name)?,
            }
        }
        Ok(())
    }

    /// Where the two answers differ, if they are grids.
    fn difference(&self) -> String {
        let grid = |answer: &Option<Answer>| match answer.as_ref().and_then(|answer| answer.get("grid")) {
            Some(Field::Grid(grid)) => Some(grid.clone()),
            _ => None,
        };
        let Some((first, second)) = grid(&self.answer).zip(grid(&self.other)) else { return String::new() };
        let places =
            (0..first.len()).filter(|&cell| first[cell] != second[cell]).map(|cell| first.place(cell));
        let places: Vec<String> = places.map(|place: Place| place.to_string()).collect();
        format!("; two answers differ at {}", places.join(" "))
    }

    pub(super) fn print_statistics(&self) -> Result<(), Failure> {
        let mut out = anstream::stderr().lock();
        writeln!(
            out,
            "{:14} {:>11} {:>10} {:>10} {:>10}",
            "", "constraints", "variables", "clauses", "literals"
        )?;
        for row in self.sizes.rows().iter().chain([&self.sizes.total()]) {
            let SizeRow { meaning, constraints, variables, clauses, literals } = row;
            writeln!(out, "{meaning:14} {constraints:11} {variables:10} {clauses:10} {literals:10}")?;
        }
        if let Some(conflicts) = self.statistics.conflicts {
            writeln!(out, "{:14} {conflicts:11}", "conflicts")?;
        }
        for (step, milliseconds) in self.times.milliseconds() {
            writeln!(out, "{step:14} {milliseconds:11.3} ms")?;
        }
        Ok(())
    }

    fn print_json(&self) -> Result<(), Failure> {
        let total = self.sizes.total();
        write_json(&Json {
            answer: self.answer.as_ref(),
            other: self.other.as_ref(),
            objective: self.objective.map(|(_, value, _)| Number(value)),
            bounds: self.objective.map(|(row, value, bound)| match row.sense {
                Sense::Minimise => [Number(bound), Number(value)],
                Sense::Maximise => [Number(value), Number(bound)],
            }),
            count: self.count,
            orbits: self.orbits.map(exact),
            unique: self.unique,
            stats: Some(Stats {
                variables: total.variables,
                clauses: total.clauses,
                literals: total.literals,
                conflicts: self.statistics.conflicts,
                meanings: Pairs(self.sizes.rows().iter().map(|row| (row.meaning, Size::from(row))).collect()),
                ms: Pairs(self.times.milliseconds()),
            }),
            ..self.json_head(self.status)
        })
    }

    fn json_head(&self, status: Status) -> Json<'_> {
        Json { puzzle: self.puzzle.kind().name, source: self.source, status, ..Json::EMPTY }
    }
}

fn exact(number: u128) -> Field {
    i128::try_from(number).map_or_else(|_| Field::Natural(number.into()), Field::Number)
}

/// Writes an object as a line of standard output.
pub(super) fn write_json(json: &impl Serialize) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    serde_json::to_writer(&mut out, json).map_err(std::io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

/// The object that `--json` prints. Keys that say nothing are left out.
#[derive(Serialize)]
struct Json<'a> {
    puzzle: &'a str,
    source: &'a str,
    status: Status,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'a Answer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<&'a Answer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    objective: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<[Number; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    orbit: Option<Field>,
    #[serde(skip_serializing_if = "Option::is_none")]
    orbits: Option<Field>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unique: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<Stats>,
}

impl Json<'_> {
    const EMPTY: Self = Self {
        puzzle: "",
        source: "",
        status: Status::Stopped,
        number: None,
        answer: None,
        other: None,
        objective: None,
        bounds: None,
        count: None,
        orbit: None,
        orbits: None,
        unique: None,
        stats: None,
    };
}

#[derive(Serialize)]
struct Stats {
    variables: u64,
    clauses: u64,
    literals: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    conflicts: Option<u64>,
    meanings: Pairs<'static, Size>,
    ms: Pairs<'static, f64>,
}

#[derive(Serialize)]
struct Size {
    constraints: u64,
    variables: u64,
    clauses: u64,
    literals: u64,
}

impl From<&SizeRow> for Size {
    fn from(row: &SizeRow) -> Self {
        let &SizeRow { constraints, variables, clauses, literals, .. } = row;
        Self { constraints, variables, clauses, literals }
    }
}

/// An object whose keys keep their order.
pub(super) struct Pairs<'a, T>(pub(super) Vec<(&'a str, T)>);

impl<T> Pairs<'_, T> {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T: Serialize> Serialize for Pairs<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}
