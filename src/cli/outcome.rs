//! Prints the outcome of a board, as text or as JSON (`docs/json.md`).
//!
//! This file has over 400 lines because the text and the JSON must contain the same results.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use gordian_counting::Progress;
use gordian_encodings::sink::SizeRow;
use gordian_encodings::{Fallback, Sense, Value};

use super::exit::ExitStatus;
use super::found::Found;
use super::input::subject;
use super::json::{ConstraintSize, Json, Pairs, ProcessUsage, Stats, write_json};
use super::look::Shown;
use super::report::Failure;
use super::watch::SoFar;
use crate::puzzle::{ObjectiveRow, Puzzle};
use crate::query::{Improvement, Observer, Outcome, Status, StepTimes};
use crate::render::Scene;
use crate::rules::{Field, Place, Solution};
use crate::search::Gap;

impl Status {
    /// Returns the exit status for the outcome of a query.
    pub(super) fn ending(self) -> ExitStatus {
        match self {
            Self::Solved | Self::Optimal => ExitStatus::Answered,
            Self::None => ExitStatus::NoSolution,
            Self::Stopped => ExitStatus::Stopped,
        }
    }

    /// Returns the name of the status in JSON.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Optimal => "optimal",
            Self::None => "none",
            Self::Stopped => "stopped",
        }
    }
}

/// Returns the time of each step and the total, in milliseconds rounded to microseconds.
pub(super) fn milliseconds(times: &StepTimes) -> Vec<(&'static str, f64)> {
    let rounded = |time: Duration| (time.as_secs_f64() * 1e6).round() / 1e3;
    let steps = times.steps().into_iter().chain([("total", times.total())]);
    steps.map(|(step, time)| (step, rounded(time))).collect()
}

/// The schedule for reporting the bounds on the objective.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProgressReports {
    Never,
    /// The next report is due at the given time. This schedule is used on terminals.
    After(Instant),
    /// The bounds are reported whenever they change.
    Always,
}

impl ProgressReports {
    /// The minimum time between two reports on a terminal.
    const PAUSE: Duration = Duration::from_millis(500);

    /// Creates the schedule of reports on a terminal. The first report is due after the minimum time.
    pub(super) fn for_person() -> Self {
        Self::After(Instant::now() + Self::PAUSE)
    }

    /// Returns whether a report is due now. If a report is due, schedules the next report.
    pub(super) fn is_due(&mut self) -> bool {
        let now = Instant::now();
        match *self {
            Self::Never => return false,
            Self::Always => {}
            Self::After(moment) if now < moment => return false,
            Self::After(_) => *self = Self::After(now + Self::PAUSE),
        }
        true
    }
}

/// Prints the progress and the outcome of a query on a board.
pub(super) struct Printer<'a> {
    /// The name of the board, as given on the command line.
    pub(super) source: &'a str,
    /// True if the outcome is printed as JSON.
    pub(super) json: bool,
    /// True if there are several boards. Messages then contain the name of the board.
    pub(super) among_others: bool,
    /// The schedule for reporting the bounds on the objective.
    pub(super) progress: ProgressReports,
    /// How the board is printed.
    pub(super) shown: Shown<'a>,
    /// The outcome so far.
    pub(super) found: Found,
    /// The writer for the outcome and the solutions.
    pub(super) out: &'a mut dyn Write,
    /// The writer for reports and messages. Its errors are ignored.
    pub(super) err: &'a mut dyn Write,
}

impl Observer for Printer<'_> {
    fn fallback(&mut self, fallback: Fallback) {
        let board = self.board();
        let _ = writeln!(self.err, "gordian: {board}{fallback}");
    }

    fn gap(&mut self, puzzle: &dyn Puzzle, row: &'static ObjectiveRow, gap: Gap) -> io::Result<()> {
        self.found.gap(row, gap);
        if !self.progress.is_due() {
            return Ok(());
        }
        let ends = ends(row.sense, gap);
        if self.json {
            let json = Json {
                objective: gap.best.map(Field::Number),
                bounds: Some(ends.map(|end| end.map(Field::Number))),
                ..self.json_head(puzzle, SEARCHING)
            };
            return write_json(self.out, &json);
        }
        let [low, high] = ends.map(|end| end.map_or_else(|| "?".to_owned(), |value| value.to_string()));
        let board = self.board();
        let _ = match gap.best {
            Some(best) => writeln!(self.err, "{board}{}: {best} ({low} to {high})", row.name),
            None => writeln!(self.err, "{board}{}: {low} to {high}", row.name),
        };
        Ok(())
    }

    /// Returns true, because each solution must be known if a limit ends the process, and each printed bound must be
    /// about a checked solution.
    fn wants_better(&self) -> bool {
        true
    }

    fn better(&mut self, improvement: Improvement<'_>) -> io::Result<()> {
        self.found.better(improvement);
        if self.json || !improvement.puzzle.has_status_lines() {
            return Ok(());
        }
        writeln!(self.out, "o {}", improvement.value)?;
        self.out.flush()
    }

    fn first(&mut self, solution: &Solution) {
        self.found.solution(solution);
    }

    fn counting(&mut self, progress: &Progress) {
        self.found.count(progress.at_least.clone());
        if self.progress.is_due() {
            let Progress { at_least, share, .. } = progress;
            let board = self.board();
            let _ = writeln!(
                self.err,
                "{board}at least {at_least} solutions; {:.0} % of the search",
                100.0 * share
            );
        }
    }

    fn solution(
        &mut self,
        puzzle: &dyn Puzzle,
        solution: &Solution,
        number: usize,
        orbit: Option<u128>,
    ) -> io::Result<()> {
        self.found.printing(number);
        if self.json {
            let json = Json {
                number: Some(number),
                orbit: orbit.map(exact),
                solution: Some(solution),
                ..self.json_head(puzzle, Status::Solved.word())
            };
            write_json(self.out, &json)?;
        } else {
            let scene = puzzle.draw(Some(solution));
            write!(self.out, "{}", self.shown.look.show(&scene))?;
            if number == 1 {
                self.tell_width(&scene);
            }
            if let Some(orbit) = orbit {
                writeln!(self.out, "one of {orbit}")?;
            }
            writeln!(self.out)?;
            self.out.flush()?;
        }
        self.shown.one_of_many(puzzle, self.source, solution, number)
    }
}

impl<'a> Printer<'a> {
    /// Returns the prefix of messages: the name of the board if there are several boards.
    fn board(&self) -> String {
        if self.among_others { format!("{}: ", self.source) } else { String::new() }
    }

    /// Prints the symmetries that the query breaks.
    pub(super) fn symmetries(&mut self, names: &[String]) {
        let found = if names.is_empty() { "none".to_owned() } else { names.join("; ") };
        let board = self.board();
        let _ = writeln!(self.err, "{board}symmetries: {found}");
    }

    /// Prints a message if the terminal is too narrow for the board.
    fn tell_width(&mut self, scene: &Scene) {
        if let Some(note) = self.shown.look.too_wide(scene) {
            let _ = writeln!(self.err, "{note}");
        }
    }

    /// Prints the reason why solving failed, and returns the exit status.
    pub(super) fn failure(&mut self, failure: &Failure) -> ExitStatus {
        // If the outcome has already been printed, only its picture could not be written. In this case, no second JSON
        // object is printed.
        if self.json && !self.shown.printed {
            let error = Some(failure.to_string());
            let json = Json { source: self.source, status: "error", error, ..Json::default() };
            // An error that occurs while writing to standard output is ignored here, because the caller detects this
            // error.
            let _ = write_json(self.out, &json);
        }
        failure.report(self.among_others.then_some(self.source), self.err)
    }

    /// Prints what was found before a limit ended the query.
    pub(super) fn stopped(&mut self) -> io::Result<()> {
        let SoFar { out, err, .. } = self.found.so_far(self.source, self.json, self.shown.look);
        let _ = self.err.write_all(err.as_bytes());
        self.out.write_all(out.as_bytes())?;
        self.out.flush()
    }

    /// Prints the outcome of a query.
    pub(super) fn outcome(&mut self, puzzle: &dyn Puzzle, outcome: &Outcome) -> io::Result<()> {
        self.shown.printed = true;
        if self.json {
            self.json(puzzle, outcome)?;
        } else {
            self.text(puzzle, outcome)?;
        }
        self.out.flush()
    }

    /// Prints the outcome of `gordian decode`. It contains no search statistics.
    pub(super) fn decoded(&mut self, puzzle: &dyn Puzzle, outcome: &Outcome) -> io::Result<()> {
        self.shown.printed = true;
        if self.json {
            let json = self.of_outcome(puzzle, outcome);
            return write_json(self.out, &json);
        }
        self.text(puzzle, outcome)?;
        self.out.flush()
    }

    /// Writes a picture of the outcome, unless pictures of all solutions have been written already.
    pub(super) fn picture(&mut self, puzzle: &dyn Puzzle, outcome: &Outcome) -> Result<(), Failure> {
        self.out.flush()?;
        if outcome.count.is_none() { self.shown.outcome(puzzle, self.source, outcome) } else { Ok(()) }
    }

    fn text(&mut self, puzzle: &dyn Puzzle, outcome: &Outcome) -> io::Result<()> {
        let board = self.board();
        let out = &mut *self.out;
        if let Some(count) = &outcome.count {
            // The last line of an enumeration contains the number of solutions.
            let stopped = outcome.status == Status::Stopped;
            let at_least = if stopped { "at least " } else { "" };
            writeln!(out, "{at_least}{count}")?;
            if let Some(orbits) = outcome.orbits {
                let _ = writeln!(self.err, "{board}{at_least}{orbits} including their symmetric images");
            }
            if stopped {
                let _ = writeln!(self.err, "{board}stopped: there may be more solutions");
            }
            return Ok(());
        }
        let has_status_lines = puzzle.has_status_lines();
        match (outcome.status, outcome.unique) {
            (status, None) if has_status_lines => writeln!(out, "{}", status_line(status, outcome))?,
            (Status::None, _) if has_status_lines => writeln!(out, "{}", status_line(Status::None, outcome))?,
            (Status::None, _) => {
                writeln!(out, "no solution: the {} is contradictory", subject(puzzle))?;
            }
            (_, Some(true)) => writeln!(out, "unique")?,
            (_, Some(false)) => writeln!(out, "not unique{}", difference(outcome))?,
            (Status::Stopped, None) if outcome.solution.is_none() => {
                writeln!(out, "stopped before a solution was found")?;
            }
            (Status::Stopped | Status::Solved | Status::Optimal, None) => {}
        }
        let mut scenes: Vec<Scene> = outcome
            .solution
            .iter()
            .chain(&outcome.other)
            .map(|solution| puzzle.draw(Some(solution)))
            .collect();
        if let Some((first, second)) =
            scenes.pop_if(|_| outcome.other.is_some()).and_then(|second| Some((scenes.pop()?, second)))
        {
            scenes.extend(first.differing(second));
        }
        for (index, scene) in scenes.iter().enumerate() {
            if index > 0 {
                writeln!(self.out)?;
            }
            write!(self.out, "{}", self.shown.look.show(scene))?;
        }
        if let Some(scene) = scenes.first() {
            self.tell_width(scene);
        }
        // The values of the objective are on the lines that start with `o`.
        if let Some((row, value, bound)) = outcome.objective.filter(|_| !has_status_lines) {
            let out = &mut *self.out;
            match outcome.status {
                Status::Optimal => writeln!(out, "{}: {value}, proven optimal", row.name)?,
                _ => writeln!(
                    out,
                    "{}: {value}, not proven optimal; no solution is better than {bound}",
                    row.name
                )?,
            }
        }
        Ok(())
    }

    /// Prints formula sizes, conflicts and times to standard error.
    pub(super) fn statistics(&mut self, outcome: &Outcome) -> io::Result<()> {
        let out = &mut *self.err;
        if self.among_others {
            writeln!(out, "{}:", self.source)?;
        }
        writeln!(
            out,
            "{:14} {:>11} {:>10} {:>10} {:>10}",
            "", "constraints", "variables", "clauses", "literals"
        )?;
        for row in outcome.sizes.rows().iter().chain([&outcome.sizes.total()]) {
            let SizeRow { constraint, constraints, variables, clauses, literals } = row;
            writeln!(out, "{constraint:14} {constraints:11} {variables:10} {clauses:10} {literals:10}")?;
        }
        if let Some(conflicts) = outcome.statistics.conflicts {
            writeln!(out, "{:14} {conflicts:11}", "conflicts")?;
        }
        for (step, milliseconds) in milliseconds(&outcome.times) {
            writeln!(out, "{step:14} {milliseconds:11.3} ms")?;
        }
        Ok(())
    }

    fn json(&mut self, puzzle: &dyn Puzzle, outcome: &Outcome) -> io::Result<()> {
        let total = outcome.sizes.total();
        let json = Json {
            stats: Some(Stats {
                variables: total.variables,
                clauses: total.clauses,
                literals: total.literals,
                conflicts: outcome.statistics.conflicts,
                decisions: outcome.statistics.decisions,
                propagations: outcome.statistics.propagations,
                encodings: encodings(outcome),
                constraints: Pairs(
                    outcome
                        .sizes
                        .rows()
                        .iter()
                        .map(|row| (row.constraint, ConstraintSize::from(row)))
                        .collect(),
                ),
                ms: Pairs(milliseconds(&outcome.times)),
                process: ProcessUsage::now(),
            }),
            ..self.of_outcome(puzzle, outcome)
        };
        write_json(self.out, &json)
    }

    /// Returns the JSON object for the outcome, without statistics.
    fn of_outcome<'b>(&self, puzzle: &dyn Puzzle, outcome: &'b Outcome) -> Json<'b>
    where
        'a: 'b,
    {
        Json {
            solution: outcome.solution.as_ref(),
            other: outcome.other.as_ref(),
            objective: outcome.objective.map(|(_, value, _)| Field::Number(value)),
            bounds: outcome.objective.map(|(row, value, bound)| {
                ends(row.sense, Gap { best: Some(value), bound }).map(|end| end.map(Field::Number))
            }),
            count: outcome.count.clone().map(Field::from),
            orbits: outcome.orbits.map(exact),
            unique: outcome.unique,
            ..self.json_head(puzzle, outcome.status.word())
        }
    }

    fn json_head(&self, puzzle: &dyn Puzzle, status: &'static str) -> Json<'a> {
        Json { puzzle: Some(puzzle.puzzle_type().name), source: self.source, status, ..Json::default() }
    }
}

/// Returns the line with the status of an outcome, as in the competitions of solvers.
fn status_line(status: Status, outcome: &Outcome) -> &'static str {
    match status {
        Status::None => "s UNSATISFIABLE",
        Status::Optimal => "s OPTIMUM FOUND",
        Status::Stopped if outcome.solution.is_none() => "s UNKNOWN",
        Status::Solved | Status::Stopped => "s SATISFIABLE",
    }
}

/// The JSON status of a search that is still running.
const SEARCHING: &str = "searching";

/// Returns the lower and the upper bound on the optimum. An unknown bound is `None`.
fn ends(sense: Sense, Gap { best, bound }: Gap) -> [Option<Value>; 2] {
    match sense {
        Sense::Minimise => [Some(bound), best],
        Sense::Maximise => [best, Some(bound)],
    }
}

/// Returns text that lists the cells in which two solutions differ, if the solutions are grids.
fn difference(outcome: &Outcome) -> String {
    let grid = |solution: &Option<Solution>| match solution.as_ref().and_then(|solution| solution.get("grid"))
    {
        Some(Field::Grid(grid)) => Some(grid.clone()),
        _ => None,
    };
    let Some((first, second)) = grid(&outcome.solution).zip(grid(&outcome.other)) else {
        return String::new();
    };
    let places = (0..first.len()).filter(|&cell| first[cell] != second[cell]).map(|cell| first.place(cell));
    let places: Vec<String> = places.map(|place: Place| place.to_string()).collect();
    format!("; two solutions differ at {}", places.join(" "))
}

fn exact(number: u128) -> Field {
    i128::try_from(number).map_or_else(|_| Field::Natural(number.into()), Field::Number)
}

/// Returns the encodings used for each constraint type, each with the number of constraints.
fn encodings(outcome: &Outcome) -> Pairs<'static, Pairs<'static, u64>> {
    let mut constraints: Vec<(&'static str, Pairs<'static, u64>)> = Vec::new();
    for &(constraint, encoding, count) in &outcome.encodings {
        match constraints.iter_mut().find(|(name, _)| *name == constraint) {
            Some((_, encodings)) => encodings.0.push((encoding, count)),
            None => constraints.push((constraint, Pairs(vec![(encoding, count)]))),
        }
    }
    Pairs(constraints)
}
