//! `gordian solve`: answers to a board.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use gordian_encodings::{Assignment, Departure, Encodings};

use super::outcome::{Outcome, Status, Times, timed};
use super::report::Failure;
use super::{Ending, input};
use crate::answer::Answer;
use crate::backend::{self, Limits, Solver, Verdict};
use crate::puzzle::{Formulation, ObjectiveRow, Puzzle, Request, Symmetry};
use crate::search::{EnumerateError, OptimiseError, Session};

/// Find an answer to a board, all of them, the best one, or their number.
///
/// Without a question: one answer, or the best where the kind of puzzle asks for it, or the proof that there is none.
///
/// Exit code 0: answered; 1: no answer exists; 2: the board can't be read; 3: stopped by a limit (what was found so far
/// is printed).
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gordian solve board.txt
  gordian solve 'https://puzz.link/p?nurikabe/3/3/1g1i1g1'
  gordian solve board.txt --unique
  gordian solve rooks.txt --objective fewest --timeout 10
  gordian solve - --puzzle rooks --count < rooks.txt")]
pub(super) struct Solve {
    #[command(flatten)]
    board: input::Board,
    #[command(flatten)]
    question: Question,
    /// `break`: of the answers that a symmetry of the board turns into one another, only one each, with their number
    #[arg(long, value_name = "HOW", value_enum, conflicts_with = "unique")]
    symmetry: Option<SymmetryUse>,
    #[command(flatten)]
    means: Means,
    /// Print JSON, an object a line
    #[arg(long)]
    json: bool,
    /// Print sizes, conflicts and times to standard error
    #[arg(long)]
    stats: bool,
}

/// What is asked of the board.
#[derive(Debug, Args)]
struct Question {
    /// Every answer, each as soon as it is found
    #[arg(long, group = "question")]
    all: bool,
    /// At most this many answers
    #[arg(long, value_name = "NUMBER", group = "question")]
    limit: Option<usize>,
    /// The number of answers
    #[arg(long, group = "question")]
    count: bool,
    /// Whether there is exactly one answer; if not, two of them and where they differ
    #[arg(long, group = "question")]
    unique: bool,
    /// The best answer by this objective of the kind, as in `gordian list`; `none` for any answer
    #[arg(long, value_name = "NAME", group = "question")]
    objective: Option<String>,
}

/// What to do about symmetries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum SymmetryUse {
    /// Break them.
    Break,
    /// Leave them.
    Keep,
}

/// How it is answered.
#[derive(Debug, Args)]
pub(super) struct Means {
    /// The SAT solver, as in `gordian list`
    #[arg(long, value_name = "NAME", default_value = backend::SOLVERS[0].name)]
    solver: String,
    /// The technique for a meaning, both as in `gordian list` [repeatable]
    #[arg(long, value_name = "MEANING=TECHNIQUE")]
    encode: Vec<String>,
    /// Stop after this time, as in `10`, `0.5` or `10s`
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
    /// Stop a search after this many conflicts
    #[arg(long, value_name = "NUMBER")]
    conflicts: Option<u64>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.strip_suffix('s').unwrap_or(text).parse::<f64>();
    let time = number.ok().and_then(|number| Duration::try_from_secs_f64(number).ok());
    time.ok_or_else(|| "expected a number of seconds, as in `10` or `0.5`".to_owned())
}

impl Means {
    /// The choice of techniques.
    pub(super) fn encodings(&self) -> Result<Encodings, Failure> {
        input::encodings(&self.encode)
    }

    /// Refuses a choice of techniques where there is nothing to encode.
    pub(super) fn encodings_unused(&self) -> Result<(), Failure> {
        match self.encode.first() {
            None => Ok(()),
            Some(choice) => Err(Failure::Usage(format!("--encode {choice}: there is nothing to encode"))),
        }
    }

    /// The solver.
    pub(super) fn solver(&self) -> Result<&'static Solver, Failure> {
        Ok(backend::find(&self.solver)?)
    }

    /// The limits asked for, and Ctrl-C where the solver can be stopped without being told beforehand.
    pub(super) fn limits(&self, solver: &Solver) -> Option<Limits> {
        // A timeout too long for the clock is none.
        let deadline = self.timeout.and_then(|time| Instant::now().checked_add(time));
        if solver.limits_first && deadline.is_none() && self.conflicts.is_none() {
            return None;
        }
        Some(Limits { conflicts: self.conflicts, deadline, stop: stop_on_interrupt() })
    }
}

/// A flag that Ctrl-C sets. The second Ctrl-C ends the process.
fn stop_on_interrupt() -> Option<Arc<AtomicBool>> {
    const KILLED_BY_INTERRUPT: i32 = 130;
    let stop = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&stop);
    let handler = move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(KILLED_BY_INTERRUPT);
        }
    };
    // Where no handler can be set, Ctrl-C kills, as without one.
    ctrlc::set_handler(handler).ok().map(|()| stop)
}

impl Solve {
    pub(super) fn run(&self) -> Result<Ending, Failure> {
        let solver = self.means.solver()?;
        let encodings = self.means.encodings()?;
        let mut times = Times::default();
        let puzzle = timed(&mut times.parse, || self.board.read())?;
        let question = &self.question;
        let every = question.all || question.limit.is_some() || question.count || question.unique;
        let objective = input::objective(puzzle.kind(), question.objective.as_deref())?;
        let request = Request { objective: objective.filter(|_| !every), every };
        let mut asked = Asked {
            solver,
            encodings,
            limits: self.means.limits(solver),
            objective: request.objective,
            symmetry: self.symmetry(&*puzzle)?,
            departures: Vec::new(),
            outcome: Outcome::new(&*puzzle, self.board.name(), self.json, times),
        };
        if every {
            asked.every(puzzle.stages(&request), question)?;
        } else {
            asked.one(puzzle.stages(&request))?;
        }
        let outcome = asked.outcome;
        outcome.print()?;
        if self.stats {
            outcome.print_statistics()?;
        }
        Ok(outcome.status.ending())
    }

    /// The symmetries to break, if that was asked for; says which there are.
    fn symmetry(&self, puzzle: &dyn Puzzle) -> Result<Option<Rc<dyn Symmetry>>, Failure> {
        if self.symmetry != Some(SymmetryUse::Break) {
            return Ok(None);
        }
        let Some(symmetry) = puzzle.symmetry() else {
            let kind = puzzle.kind().name;
            return Err(Failure::Usage(format!("--symmetry break: no symmetries are known of `{kind}`")));
        };
        let names = symmetry.names();
        let found = if names.is_empty() { "none".to_owned() } else { names.join("; ") };
        eprintln!("symmetries: {found}");
        Ok(Some(symmetry.into()))
    }
}

/// A board on its way to its outcome.
struct Asked<'a> {
    solver: &'static Solver,
    encodings: Encodings,
    limits: Option<Limits>,
    objective: Option<&'static ObjectiveRow>,
    /// The symmetries to break.
    symmetry: Option<Rc<dyn Symmetry>>,
    /// What was said about techniques that do not apply.
    departures: Vec<Departure>,
    outcome: Outcome<'a>,
}

/// The formulations of a board, one after the other.
type Stages<'a> = Box<dyn Iterator<Item = Formulation> + 'a>;

impl Asked<'_> {
    /// The next formulation, encoded.
    fn next(&mut self, stages: &mut Stages<'_>) -> Result<Option<(Formulation, Session)>, Failure> {
        let times = &mut self.outcome.times;
        let Some(mut formulation) = timed(&mut times.model, || stages.next()) else { return Ok(None) };
        if let Some(symmetry) = &self.symmetry {
            timed(&mut times.model, || symmetry.break_in(&mut formulation.model));
        }
        let session = timed(&mut times.encode, || {
            Session::new(&formulation.model, &self.encodings, self.solver, self.limits.clone())
        })?;
        self.say_departures(&session);
        Ok(Some((formulation, session)))
    }

    /// Says, once, where a technique that was chosen does not apply.
    fn say_departures(&mut self, session: &Session) {
        for &departure in session.departures() {
            if !self.departures.contains(&departure) {
                eprintln!("gordian: {departure}");
                self.departures.push(departure);
            }
        }
    }

    /// The answer of an assignment, checked.
    fn answer(&mut self, formulation: &Formulation, assignment: &Assignment) -> Result<Answer, Failure> {
        let times = &mut self.outcome.times;
        let answer = timed(&mut times.decode, || (formulation.decode)(assignment));
        timed(&mut times.check, || self.outcome.puzzle.check(&answer))
            .map_err(|violation| Failure::WrongAnswer(violation.to_string()))?;
        Ok(answer)
    }

    /// One answer, or the best: of the first formulation that has any.
    fn one(&mut self, mut stages: Stages<'_>) -> Result<(), Failure> {
        self.outcome.status = Status::None;
        while let Some((formulation, mut session)) = self.next(&mut stages)? {
            let start = Instant::now();
            let (status, found) = self.best_or_any(&formulation, &mut session)?;
            self.outcome.times.solve += start.elapsed();
            self.outcome.status = status;
            self.outcome.answer =
                found.map(|assignment| self.answer(&formulation, &assignment)).transpose()?;
            self.say_departures(&session);
            self.outcome.add_statistics(&session);
            if status != Status::None {
                break;
            }
        }
        Ok(())
    }

    fn best_or_any(
        &mut self,
        formulation: &Formulation,
        session: &mut Session,
    ) -> Result<(Status, Option<Assignment>), Failure> {
        let Some((objective, row)) = formulation.model.objective().zip(self.objective) else {
            return Ok(match session.satisfy(&[])? {
                Verdict::Satisfiable => (Status::Solved, Some(session.assignment())),
                Verdict::Unsatisfiable => (Status::None, None),
                Verdict::Stopped => (Status::Stopped, None),
            });
        };
        let optimum =
            session.optimise(objective, |_, value| self.outcome.improved(row, value)).map_err(|error| {
                match error {
                    OptimiseError::Backend(error) => Failure::Backend(error),
                    OptimiseError::TooGreat(error) => Failure::Usage(error.to_string()),
                }
            })?;
        let status = match (optimum.proven, &optimum.best) {
            (true, Some(_)) => Status::Optimal,
            (true, None) => Status::None,
            (false, _) => Status::Stopped,
        };
        let found = optimum.best.map(|(assignment, value)| {
            self.outcome.objective = Some((row, value, optimum.bound));
            assignment
        });
        Ok((status, found))
    }

    /// All answers, so many of them, their number, or whether there is just one.
    fn every(&mut self, mut stages: Stages<'_>, question: &Question) -> Result<(), Failure> {
        let most = if question.unique { 2 } else { question.limit.unwrap_or(usize::MAX) };
        let shown = !question.count && !question.unique;
        let (mut count, mut stopped) = (0_usize, false);
        let symmetry = self.symmetry.clone();
        let mut census = symmetry.as_ref().map(|symmetry| symmetry.census());
        self.outcome.orbits = census.is_some().then_some(0);
        while count < most && !stopped {
            let Some((formulation, session)) = self.next(&mut stages)? else { break };
            let mut assignments = session.into_assignments();
            while count < most {
                let next = timed(&mut self.outcome.times.solve, || assignments.next());
                let assignment = match next {
                    None => break,
                    Some(Ok(assignment)) => assignment,
                    Some(Err(EnumerateError::Stopped)) => {
                        stopped = true;
                        break;
                    }
                    Some(Err(EnumerateError::Backend(error))) => return Err(error.into()),
                };
                let answer = self.answer(&formulation, &assignment)?;
                let mut orbit = None;
                if let Some(census) = &mut census {
                    // Where the constraints don't break every symmetry, an orbit may come again.
                    let Some(kept) = census.keep(&answer) else { continue };
                    orbit = kept.orbit;
                    let orbits = self.outcome.orbits.zip(orbit);
                    self.outcome.orbits = orbits.and_then(|(before, orbit)| before.checked_add(orbit));
                }
                count += 1;
                if shown {
                    self.outcome.print_one_of_many(&answer, count, orbit)?;
                } else if question.unique && count == 1 {
                    self.outcome.answer = Some(answer);
                } else if question.unique {
                    self.outcome.other = Some(answer);
                }
            }
            self.outcome.add_statistics(&assignments.into_session());
        }
        self.outcome.status = match (count, stopped) {
            // Two answers are enough to know that there is more than one.
            (2, _) if question.unique => Status::Solved,
            (_, true) => Status::Stopped,
            (0, false) if most > 0 => Status::None,
            (_, false) => Status::Solved,
        };
        if question.unique {
            self.outcome.unique = (self.outcome.status == Status::Solved).then_some(count == 1);
        } else {
            self.outcome.count = Some(count);
        }
        Ok(())
    }
}
