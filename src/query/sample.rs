//! Samples solutions uniformly.
//!
//! A model counter compiles the model into a circuit. Projections of solutions are sampled from the circuit. The
//! solver extends each sampled projection to an assignment, so every sampled solution passes the same checks as other
//! solutions.

use std::collections::HashSet;

use gordian_counting::components::{self, Options};
use gordian_counting::sweep::Sweep;
use gordian_counting::{Circuit, Random};
use gordian_encodings::{Cnf, Fallback};

use super::count::memory;
use super::{Observer, Outcome, QueryError, QueryRun, Status, timed};
use crate::backend::Verdict;
use crate::puzzle::{Formulation, Puzzle, Query, StageOutcome};
use crate::rules::Violation;
use crate::search::Config;

/// Draws the given number of solutions independently and reports each to the observer. All solutions are equally
/// likely, and a solution may occur several times. Equal seeds in the configuration yield equal solutions.
///
/// # Errors
/// Returns an error if variables of the model are unbounded, if the solver fails, or if a solution violates the rules
/// (a bug in gordian).
pub fn sample(
    puzzle: &dyn Puzzle,
    number: usize,
    config: &Config,
    observer: &mut dyn Observer,
) -> Result<Outcome, QueryError> {
    let mut run = QueryRun::new(puzzle, None, config, None, observer);
    let limits = run.limits.clone();
    let compiled = limits.within(|| compile(puzzle, config));
    let mut found = 0;
    let mut status = Status::Stopped;
    if let Some(compiled) = compiled {
        let (formulation, circuit) = compiled.ok_or(QueryError::Unbounded)?;
        let mut session =
            timed(&mut run.outcome.times.encode, || config.session(&formulation.model, limits.clone()))?;
        let projection: HashSet<usize> =
            formulation.model.projection().iter().map(|lit| lit.vidx()).collect();
        let mut random = Random::new(config.seed.into());
        status = Status::Solved;
        while found < number {
            let Some(mut lits) = circuit.sample(&mut random) else {
                status = Status::None;
                break;
            };
            lits.retain(|lit| projection.contains(&lit.vidx()));
            match timed(&mut run.outcome.times.solve, || session.satisfy(&lits))? {
                Verdict::Satisfiable => {}
                Verdict::Stopped => {
                    status = Status::Stopped;
                    break;
                }
                Verdict::Unsatisfiable => {
                    return Err(QueryError::WrongSolution(Violation::new("the sample is not a solution")));
                }
            }
            let solution = run.solution(&formulation, &session.assignment())?;
            found += 1;
            run.observer.solution(puzzle, &solution, found, None)?;
        }
        run.end(&formulation, &session);
    }
    run.outcome.status = status;
    run.outcome.count = Some(found.into());
    Ok(run.outcome)
}

/// Returns a formulation and a circuit that represents its solutions, or `None` if no single formulation contains all
/// solutions.
fn compile(puzzle: &dyn Puzzle, config: &Config) -> Option<(Formulation, Circuit)> {
    if let Some(formulation) = puzzle.formulate_for_sweep(&Query::Count)
        && let Some(sweep) = Sweep::new(&formulation.model)
        && let Ok(circuit) = sweep.circuit(memory(config), &mut |_| ())
    {
        return Some((formulation, circuit));
    }
    let mut stages = puzzle.stages(&Query::Count);
    let formulation = stages(&StageOutcome::None)?;
    if !formulation.model.assumed().is_empty() || stages(&StageOutcome::Several).is_some() {
        return None;
    }
    let mut cnf = Cnf::default();
    let encoded = formulation.model.encode(&config.encodings.clone().keep_count(), &mut cnf);
    let lost = encoded.fallbacks().iter().any(|fallback| matches!(fallback, Fallback::CountLost { .. }));
    let projected = lost || !puzzle.one_assignment_per_solution();
    let projection = projected.then(|| formulation.model.projection().to_vec());
    let options = Options { cache: memory(config), projection };
    let circuit = components::compile(&cnf, &options, &mut |_| ());
    Some((formulation, circuit))
}
