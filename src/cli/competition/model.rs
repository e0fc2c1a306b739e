//! Solves an instance of a constraint model with the output and the exit codes of solver competitions.

use std::io::{self, Write};
use std::sync::Arc;

use gordian_encodings::Value;
use gordian_flatzinc::xcsp3::competition::{Status as Answer, objective_line};

use crate::cli::exit::ExitStatus;
use crate::cli::report::Failure;
use crate::cli::watch::{SoFar, Watch};
use crate::flatzinc::Flat;
use crate::puzzle::Puzzle;
use crate::query::{self, Improvement, Observer, Status};
use crate::rules::Solution;
use crate::search::Config;

/// Returns the lines for a solution, given its objective value and whether it is optimal.
pub(in crate::cli) type SolutionLines = fn(&Flat, &Solution, Option<Value>, bool) -> String;

/// Prints the objective value of each better solution.
struct Values<'w> {
    watch: &'w Watch,
    flat: &'w Arc<Flat>,
    solution_lines: SolutionLines,
}

/// Returns the status line and, if there is a solution, the solution.
fn lines(
    flat: &Flat,
    answer: Answer,
    solution: Option<&Solution>,
    cost: Option<Value>,
    solution_lines: SolutionLines,
) -> String {
    let mut text = answer.line().to_string() + "\n";
    if let Some(solution) = solution {
        text += &solution_lines(flat, solution, cost, answer == Answer::OptimumFound);
    }
    text
}

impl Observer for Values<'_> {
    fn wants_better(&self) -> bool {
        true
    }

    fn better(&mut self, Improvement { solution, value, .. }: Improvement<'_>) -> io::Result<()> {
        let (flat, solution, solution_lines) = (Arc::clone(self.flat), solution.clone(), self.solution_lines);
        self.watch.keep(move || {
            let text = lines(&flat, Answer::Satisfiable, Some(&solution), Some(value), solution_lines);
            SoFar { status: ExitStatus::Satisfiable, ..SoFar::out(text) }
        });
        let mut out = self.watch.plain();
        writeln!(out, "{}", objective_line(value))?;
        out.flush()
    }
}

/// Answers the default query of an instance: to optimise, if there is an objective, and to find a solution otherwise.
pub(in crate::cli) fn solve(
    flat: Flat,
    config: &Config,
    watch: &Watch,
    solution_lines: SolutionLines,
) -> Result<ExitStatus, Failure> {
    let flat = Arc::new(flat);
    let mut out = watch.plain();
    let mut values = Values { watch, flat: &flat, solution_lines };
    let outcome = query::run(&*flat, flat.puzzle_type().default_query(), config, &mut values)?;
    let (answer, exit) = match (outcome.status, &outcome.solution) {
        (Status::Optimal, _) => (Answer::OptimumFound, ExitStatus::Optimum),
        (Status::None, _) => (Answer::Unsatisfiable, ExitStatus::Unsatisfiable),
        (_, Some(_)) => (Answer::Satisfiable, ExitStatus::Satisfiable),
        (_, None) => (Answer::Unknown, ExitStatus::Answered),
    };
    let cost = outcome.objective.map(|(_, value, _)| value);
    watch.result(|| {
        let text = lines(&flat, answer, outcome.solution.as_ref(), cost, solution_lines);
        out.write_all(text.as_bytes())?;
        out.flush()
    })?;
    Ok(watch.ended(exit))
}
