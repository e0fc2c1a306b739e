//! Results with a proof.
//!
//! [`run`] answers a query and records the search. If the result claims that certain solutions do not exist, [`run`]
//! also returns a [`Certificate`], which can write a formula and a proof. The formula has no solution if and only if
//! the result is correct. The checker VeriPB can use the proof to verify that the formula has no solution.

use std::io::Write;

use gordian_encodings::{Lit, constant};
use gordian_proofs::{ClausalFiles, ProofError, Summary};

use super::{Observer, Outcome, QueryError, QueryRun, Status};
use crate::backend::Verdict;
use crate::puzzle::{Formulation, Puzzle, Query, StageOutcome, Stages};
use crate::rules::Violation;
use crate::search::{CORE_GUIDED, Config, Recorder};

/// The claim of a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// The puzzle has no solution. The formula consists of the rules.
    NoSolution,
    /// The solutions in [`Outcome::witnesses`] contain every value that a part has in any solution. The formula
    /// consists of the rules and the constraint that some part has a value that it has in no witness.
    Backbone,
    /// No solution has a better value of the objective. The formula consists of the rules and the constraint that the
    /// objective has a better value.
    Optimal,
    /// The puzzle has exactly one solution. The formula consists of the rules and a clause that excludes the
    /// solution.
    Unique,
}

impl Claim {
    /// Returns the name of the claim as written in the file `claim.json`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NoSolution => "no-solution",
            Self::Backbone => "backbone",
            Self::Optimal => "optimal",
            Self::Unique => "unique",
        }
    }
}

/// A proven claim about a puzzle.
#[derive(Debug)]
pub struct Certificate {
    /// The claim.
    pub claim: Claim,
    recorder: Recorder,
}

impl Certificate {
    /// Writes the formula and the proof.
    ///
    /// # Errors
    /// Returns an error if the recorded search is not a proof (a bug in gordian), or if writing fails.
    pub fn write(&self, formula: &mut dyn Write, proof: &mut dyn Write) -> Result<Summary, ProofError> {
        self.recorder.log().write(formula, proof)
    }

    /// Checks that the certificate can be written in clausal form.
    ///
    /// # Errors
    /// Returns an error if the proof of an optimum consists of cores, because [`Config::clausal_proofs`] was false, or if
    /// the formula contains integers.
    pub fn check_clausal(&self) -> Result<(), ProofError> {
        self.recorder.log().check_clausal()
    }

    /// Writes the formula and the proof in clausal form.
    ///
    /// # Errors
    /// Returns the errors of [`Certificate::write`] and [`Certificate::check_clausal`].
    pub fn write_clausal(&self, files: ClausalFiles<'_>) -> Result<Summary, ProofError> {
        self.recorder.log().write_clausal(files)
    }
}

/// Runs a query, and returns a certificate of its result. There is no certificate if the result needs no proof other
/// than its solutions, or if a limit stopped the query or the search for the proof of optimality or uniqueness.
///
/// # Errors
/// Returns [`QueryError::NoProof`] if the query, the puzzle or the solver does not support proofs, and the errors of
/// [`query::run()`](super::run()).
pub fn run(
    puzzle: &dyn Puzzle,
    query: Query,
    config: &Config,
    observer: &mut dyn Observer,
) -> Result<(Outcome, Option<Certificate>), QueryError> {
    if config.threads > 1 {
        return Err(QueryError::NoProof("proofs are written with one thread only".to_owned()));
    }
    let recorder = Recorder::new();
    recorder.log().clausal = config.clausal_proofs;
    if query == Query::Unique
        && let Some(formulate) = puzzle.formulate_other()
    {
        let run = QueryRun::new(puzzle, None, config, None, &mut *observer);
        let outcome = run.enumerate(puzzle.stages(&query), query)?;
        if outcome.status == Status::None {
            return self::run(puzzle, Query::Satisfy, config, observer);
        }
        let only = outcome.solution.as_ref().filter(|_| outcome.unique == Some(true));
        let proven = match only {
            Some(solution) => refute(&formulate(solution), config, &recorder)?,
            None => false,
        };
        return Ok((outcome, proven.then_some(Certificate { claim: Claim::Unique, recorder })));
    }
    // If proofs do not support the puzzle, this is reported before the search.
    let mut stages = stages(puzzle, &query)?;
    if let Query::Optimise(_) = query {
        let optimising = QueryRun::new(puzzle, None, config, None, &mut *observer);
        let outcome = optimising.satisfy(puzzle.stages(&query), query.objective())?;
        if outcome.status == Status::None {
            return self::run(puzzle, Query::Satisfy, config, observer);
        }
        let proven = outcome.status == Status::Optimal
            && prove_optimum(puzzle, query, &mut stages, &outcome, config, &recorder)?;
        return Ok((outcome, proven.then_some(Certificate { claim: Claim::Optimal, recorder })));
    }
    let has_parts = query != Query::Backbone || !puzzle.formulate(&query).parts.is_empty();
    let mut run = QueryRun::new(puzzle, None, config, None, observer);
    run.recorder = Some(recorder.clone());
    let outcome = match query {
        Query::Satisfy => run.satisfy(stages, None)?,
        Query::Backbone => run.backbone(stages)?,
        Query::Unique => run.enumerate(stages, query)?,
        _ => {
            let supported = "use `--unique`, `--objective`, or `gordian backbone`";
            return Err(QueryError::NoProof(format!("the query does not support proofs; {supported}")));
        }
    };
    let claim = match (outcome.status, outcome.unique) {
        (Status::None, _) if recorder.models() == 0 => {
            return Err(QueryError::NoProof(
                "the puzzle has no formulation, because it excludes all values".to_owned(),
            ));
        }
        (Status::None, _) => Some(Claim::NoSolution),
        (Status::Solved, _) if query == Query::Backbone && has_parts => Some(Claim::Backbone),
        (Status::Solved, Some(true)) => Some(Claim::Unique),
        (Status::Solved, _) if query == Query::Backbone => {
            return Err(QueryError::NoProof(
                "there are several solutions, and they have no parts, so there is no backbone".to_owned(),
            ));
        }
        _ => None,
    };
    Ok((outcome, claim.map(|claim| Certificate { claim, recorder })))
}

/// Returns the formulations for a query that needs a proof.
fn stages<'a>(puzzle: &'a dyn Puzzle, query: &'a Query) -> Result<Stages<'a>, QueryError> {
    Ok(match puzzle.formulate_for_proof(query).map_err(QueryError::NoProof)? {
        Some(formulation) => {
            let mut formulation = Some(formulation);
            Box::new(move |_| formulation.take())
        }
        None => puzzle.stages(query),
    })
}

/// Records a second search, which proves that the value of the objective in `outcome` is optimal. Returns `false` if a
/// limit stops the search.
fn prove_optimum(
    puzzle: &dyn Puzzle,
    query: Query,
    stages: &mut Stages<'_>,
    outcome: &Outcome,
    config: &Config,
    recorder: &Recorder,
) -> Result<bool, QueryError> {
    let Some((mut formulation, (_, value, _))) = stages(&StageOutcome::None).zip(outcome.objective) else {
        return Ok(false);
    };
    let better = puzzle.formulate_better(&query, value, config.clausal_proofs);
    if let Some(formulation) = better.map_err(QueryError::NoProof)? {
        return refute(&formulation, config, recorder);
    }
    if stages(&StageOutcome::None).is_some() {
        return Err(QueryError::NoProof(SEVERAL_FORMULATIONS.to_owned()));
    }
    if config.clausal_proofs {
        formulation.require_better(value);
        return refute(&formulation, config, recorder);
    }
    let model = &formulation.model;
    let Some(objective) = model.objective() else { return Ok(false) };
    let mut session = config.recorded(model, config.limits(), recorder.clone())?;
    check(recorder, config)?;
    let optimum = session.optimise(objective, &CORE_GUIDED, |_| ())?;
    check(recorder, config)?;
    let found = optimum.best.filter(|_| optimum.proven).map(|(_, found)| found);
    if found.is_some_and(|found| found != value) {
        return Err(other_result());
    }
    Ok(found.is_some())
}

/// Records a search which proves that a formulation has no solution. Returns `false` if a limit stops the search.
fn refute(formulation: &Formulation, config: &Config, recorder: &Recorder) -> Result<bool, QueryError> {
    let mut session = config.recorded(&formulation.model, config.limits(), recorder.clone())?;
    check(recorder, config)?;
    let verdict = session.satisfy(&[])?;
    check(recorder, config)?;
    match verdict {
        Verdict::Unsatisfiable => Ok(true),
        Verdict::Satisfiable => Err(other_result()),
        Verdict::Stopped => Ok(false),
    }
}

fn other_result() -> QueryError {
    QueryError::WrongSolution(Violation::new("the formulation for the proof has another result".to_owned()))
}

/// Adds a clause to the formula: at least one of the conjunctions must be true.
///
/// # Errors
/// Returns an error if a conjunction does not consist of exactly one literal, because the formula would need a variable
/// for it.
pub(super) fn require_one<'a>(
    recorder: &Recorder,
    conjunctions: impl Iterator<Item = &'a [Lit]>,
) -> Result<(), QueryError> {
    let mut clause = Vec::new();
    for lits in conjunctions {
        match *lits {
            [] => return Ok(()),
            [lit] if constant(lit) == Some(true) => return Ok(()),
            [lit] if constant(lit).is_none() => clause.push(lit),
            [_] => {}
            _ => {
                return Err(QueryError::NoProof("values with several literals are not supported".to_owned()));
            }
        }
    }
    // Several parts may share a literal, but the formula has each literal once.
    clause.sort_unstable();
    clause.dedup();
    recorder.log().require("another value", &clause);
    Ok(())
}

const SEVERAL_FORMULATIONS: &str = "proofs of puzzles with several formulations are not supported";

/// Returns an error if no proof can be written from the recorded search.
pub(super) fn check(recorder: &Recorder, config: &Config) -> Result<(), QueryError> {
    let reason = if recorder.is_unsupported() {
        format!("the solver `{}` does not log proofs", config.solver.name)
    } else if recorder.models() > 1 {
        SEVERAL_FORMULATIONS.to_owned()
    } else if let Some(failure) = recorder.log().failure() {
        failure.to_string()
    } else {
        return Ok(());
    };
    Err(QueryError::NoProof(reason))
}
