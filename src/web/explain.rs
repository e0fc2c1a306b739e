//! Answers the requests for explanations.

use gordian_encodings::{FALSE, Lit};

use super::answer::{Answer, BoardText, Stop, read_board};
use super::check::no_marks;
use super::event::{Drawing, Event, Problem};
use crate::backend::BackendError;
use crate::explain::{Argument, Explainer, Next, ReasonText, Step, StepText, Why, call_limits, scenes};
use crate::puzzle::play::Marks;
use crate::puzzle::{Fact, Plain, Puzzle};
use crate::render::Highlight;

/// The maximum number of steps of a hint.
const MOST_STEPS: usize = 100;

impl From<BackendError> for Stop {
    fn from(error: BackendError) -> Self {
        Self::Problem(Problem::new(error.to_string()))
    }
}

/// Returns the marks that state what an argument derives.
fn marks_of(puzzle: &dyn Puzzle, plain: &Plain, argument: &Argument) -> Vec<(usize, usize, i64)> {
    let Some(play) = puzzle.play() else { return Vec::new() };
    let facts = argument.deductions.iter().filter_map(|deduction| plain.place_and_value(deduction.lit));
    facts.flat_map(|(place, value)| play.marks_of_fact(&place, value)).collect()
}

/// Reads a board. Returns the board and its [`Plain`] formulation.
fn plain_of(board: &BoardText) -> Result<(Box<dyn Puzzle>, Plain), Stop> {
    let puzzle = read_board(board)?.puzzle;
    if puzzle.unbounded().is_empty() {
        let plain = puzzle.plain();
        return Ok((puzzle, plain));
    }
    Err(Stop::Problem(Problem::new("models with unbounded variables have no explanation")))
}

impl Answer<'_> {
    /// Sends the steps that derive all forced facts of a board.
    pub(super) fn explain(&mut self, board: &BoardText) -> Result<(), Stop> {
        let (puzzle, plain) = plain_of(board)?;
        let (config, conflicts) = call_limits(self.config.clone());
        let mut explainer = Explainer::new(&plain, &config, Some(conflicts))?;
        explainer.set_puzzle(&*puzzle);
        loop {
            let known = explainer.known().to_vec();
            match explainer.next_step()? {
                Next::Done => return Ok(()),
                Next::Contradiction => return Ok(self.send(&Event::None)?),
                Next::Stopped => {
                    self.stopped = true;
                    return Ok(());
                }
                Next::Step(step) => self.step(&*puzzle, &plain, &known, &step)?,
            }
        }
    }

    /// Sends a step.
    fn step(&mut self, puzzle: &dyn Puzzle, plain: &Plain, known: &[Lit], step: &Step) -> Result<(), Stop> {
        let scenes = scenes(plain, known, std::slice::from_ref(step));
        let drawing = scenes.and_then(|scenes| Some(Drawing::new("a step", scenes.first()?)));
        let marks = step.arguments.iter().flat_map(|argument| marks_of(puzzle, plain, argument)).collect();
        self.send(&Event::Step { lines: StepText::of(plain, step).lines(), marks, drawing })?;
        Ok(())
    }

    /// Sends the easiest next step from the user's marks.
    pub(super) fn hint(&mut self, board: &BoardText, marks: &Marks) -> Result<(), Stop> {
        let (puzzle, plain) = plain_of(board)?;
        let facts = puzzle.play().ok_or_else(no_marks)?.facts(marks);
        let known: Vec<Lit> = facts.iter().flat_map(|(at, value)| plain.lits_of_value(at, *value)).collect();
        let (config, conflicts) = call_limits(self.config.clone());
        let mut explainer = Explainer::new(&plain, &config, Some(conflicts))?;
        explainer.set_puzzle(&*puzzle);
        explainer.know(known.iter().copied());
        // Some steps only exclude numbers, which can't be marked.
        for _ in 0..MOST_STEPS {
            let known = explainer.known().to_vec();
            match explainer.next_step()? {
                Next::Done => return Ok(self.send(&Event::NoReason)?),
                Next::Contradiction => return Ok(self.send(&Event::None)?),
                Next::Stopped => {
                    self.stopped = true;
                    return Ok(());
                }
                Next::Step(mut step) => {
                    let is_marked = |argument: &Argument| !marks_of(&*puzzle, &plain, argument).is_empty();
                    if let Some(first) = step.arguments.iter().position(is_marked) {
                        step.arguments = vec![step.arguments.swap_remove(first)];
                        return self.step(&*puzzle, &plain, &known, &step);
                    }
                    self.step(&*puzzle, &plain, &known, &step)?;
                }
            }
        }
        Ok(())
    }

    /// Sends the reason why the value of a cell is forced or, without a cell, why a board has no solution.
    pub(super) fn why(&mut self, board: &BoardText, cell: Option<usize>) -> Result<(), Stop> {
        let (_, plain) = plain_of(board)?;
        let (config, conflicts) = call_limits(self.config.clone());
        let mut explainer = Explainer::new(&plain, &config, Some(conflicts))?;
        let here: Vec<&Fact> = match cell {
            Some(cell) => {
                let of_cell: Vec<&Fact> = plain.facts.iter().filter(|fact| fact.cells == [cell]).collect();
                // If there is none, a line at the cell stands for it.
                let beside = || plain.facts.iter().filter(|fact| fact.cells.contains(&cell)).collect();
                if of_cell.is_empty() { beside() } else { of_cell }
            }
            None => Vec::new(),
        };
        // Positive facts are tried first, because they determine more about a cell than negated facts do.
        let facts = here.iter().map(|fact| fact.lit).chain(here.iter().map(|fact| !fact.lit));
        let facts: Vec<Lit> = if cell.is_some() { facts.collect() } else { vec![FALSE] };
        for fact in facts {
            let assumed: &[Lit] = if fact == FALSE { &[] } else { &[!fact] };
            match explainer.why(assumed, true)? {
                Why::Possible => {}
                Why::Stopped => {
                    self.stopped = true;
                    return Ok(());
                }
                Why::Reason(reason) => {
                    let rules = reason.rules.iter().flat_map(|&rule| &plain.rules[rule].cells);
                    let mut shown: Vec<_> = rules.map(|&cell| (cell, Highlight::Rule)).collect();
                    shown.extend(cell.map(|cell| (cell, Highlight::Conclusion)));
                    let scene = plain.draw(&|_| None).map(|scene| scene.highlighted(&shown));
                    let drawing = scene.map(|scene| Drawing::new("a reason", &scene));
                    let fact = plain.fact_of(fact).map(|(fact, holds)| fact.text(holds));
                    let ReasonText { rules, size, .. } = ReasonText::of(&plain, &reason);
                    return Ok(self.send(&Event::Reason { fact, rules, size, drawing })?);
                }
            }
        }
        Ok(self.send(&Event::NoReason)?)
    }
}
