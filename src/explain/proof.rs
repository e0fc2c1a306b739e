//! Facts that a solver proves from all rules together.
//!
//! A selector for each rule makes a formula harder to solve. If the session with selectors reaches a limit, the explainer
//! uses a solver without selectors, which finds a solution and proves which facts all solutions share. Such a proof does
//! not say which rules it needs. So the explainer first looks for the fact that makes the following steps easiest.

use std::cmp::Reverse;

use gordian_encodings::Lit;
use gordian_explain::{Answer, Effort, Oracle};

use super::argument::FoundBy;
use super::{Argument, Deduction, Explainer, Next, Size, Step, never};
use crate::backend::{BackendError, Verdict};
use crate::puzzle::{Fact, model_with_facts};
use crate::search::{Session, ValueStatus, Way};

/// A solver for a model without selectors.
#[derive(Debug)]
pub(super) struct Proof {
    session: Session,
    /// The literal of each fact of the board in the model.
    lits: Vec<Lit>,
    /// The facts that all solutions share, if they are known.
    shared: Option<Vec<Lit>>,
}

impl Explainer<'_> {
    /// Finds a solution in which all known facts hold, unless one is already known. Returns `true` if no such solution
    /// exists, and `None` if a limit was reached.
    pub(super) fn look_for_solution(&mut self) -> Result<Option<bool>, BackendError> {
        if self.possible.is_some() {
            return Ok(Some(false));
        }
        match self.session.check(&self.allowed, &self.known)? {
            Answer::Contradiction(_) => return Ok(Some(true)),
            Answer::Consistent(witness) => {
                let facts = self.plain.facts.iter().map(|fact| fact.lit);
                let holds = |lit| if witness.contains(lit) { lit } else { !lit };
                self.possible = Some(facts.map(holds).collect());
                self.witnesses[0].push(witness);
                return Ok(Some(false));
            }
            Answer::Stopped if self.session.stopped() => return Ok(None),
            Answer::Stopped => {}
        }
        self.use_implied();
        let facts = &self.plain.facts;
        let Proof { session, lits, .. } = self.proof()?;
        match session.satisfy(&[])? {
            Verdict::Stopped => Ok(None),
            Verdict::Unsatisfiable => Ok((!session.relied_on_assumed()).then_some(true)),
            Verdict::Satisfiable => {
                let assignment = session.assignment();
                let holds = |(fact, &lit): (&Fact, &Lit)| {
                    if assignment.lit(lit) { fact.lit } else { !fact.lit }
                };
                self.possible = Some(facts.iter().zip(&*lits).map(holds).collect());
                Ok(Some(false))
            }
        }
    }

    /// Returns the solver without selectors, in which all known facts hold. It uses the formulation for solving, or the
    /// plain formulation if the formulation for solving does not determine all facts.
    fn proof(&mut self) -> Result<&mut Proof, BackendError> {
        if self.proof.is_none() {
            let facts = &self.plain.facts;
            let of_fact = |known: &Lit, lits: &[Lit]| {
                let index = facts.iter().position(|fact| fact.lit.var() == known.var())?;
                Some(if facts[index].lit == *known { lits[index] } else { !lits[index] })
            };
            let with_known = |(model, lits): (_, Vec<Lit>)| {
                let known: Option<Vec<Lit>> = self.known.iter().map(|known| of_fact(known, &lits)).collect();
                Some((model, lits, known?))
            };
            let formulated =
                self.puzzle.and_then(|puzzle| model_with_facts(puzzle, facts)).and_then(with_known);
            let (mut session, lits, known) = if let Some((model, lits, known)) = formulated {
                (self.session.session_of(&model, &self.config)?, lits, known)
            } else {
                let lits = facts.iter().map(|fact| fact.lit).collect();
                (self.session.session_of(&self.plain.model, &self.config)?, lits, self.known.clone())
            };
            for lit in known {
                session.add_clause(&[lit]);
            }
            self.proof = Some(Proof { session, lits, shared: None });
        }
        Ok(self.proof.as_mut().expect("a proof was created"))
    }

    /// Returns the facts that all solutions share, or `None` if a limit was reached.
    fn shared(&mut self) -> Result<Option<&[Lit]>, BackendError> {
        let facts = &self.plain.facts;
        let Proof { session, lits, shared } = self.proof()?;
        if shared.is_none() {
            let way = |value, lit| Way { value, lits: vec![lit] };
            let parts: Vec<Vec<Way>> = lits.iter().map(|&lit| vec![way(0, !lit), way(1, lit)]).collect();
            let backbone = session.backbone(&parts, |_| ())?;
            if backbone.verdict != Verdict::Satisfiable || session.relied_on_assumed() {
                return Ok(None);
            }
            let forced = |(fact, values): (&Fact, &Vec<ValueStatus>)| match values[..] {
                [ValueStatus::Impossible, _] => Some(fact.lit),
                [_, ValueStatus::Impossible] => Some(!fact.lit),
                _ => None,
            };
            *shared = Some(facts.iter().zip(&backbone.parts).filter_map(forced).collect());
        }
        Ok(shared.as_deref())
    }

    /// Derives one of the targets from all rules and all known facts.
    pub(super) fn reveal(&mut self, targets: &[Lit]) -> Result<Next, BackendError> {
        let Some(shared) = self.shared()? else { return Ok(Next::Stopped) };
        let implied: Vec<Lit> = targets.iter().copied().filter(|lit| shared.contains(lit)).collect();
        // The search took long, so the next searches get less time.
        self.patience /= 2;
        let Some(&lit) = self.by_consequences(&implied, |lit| lit).first() else { return Ok(Next::Done) };
        let (allowed, because) = (self.allowed.clone(), self.known.clone());
        let mut argument = if self.effort(&allowed, &[&because[..], &[!lit]].concat()) < Effort::Search {
            self.argument(lit, &allowed, because, FoundBy::Assumption)?
        } else {
            Argument {
                rules: allowed.iter().collect(),
                deductions: vec![Deduction { lit, because, chain: Vec::new() }],
                effort: Effort::Search,
                size: Size::Unreduced,
            }
        };
        self.leave_out_known(&mut argument);
        self.known.push(lit);
        Ok(Next::Step(Step { arguments: vec![argument], open: Some(0) }))
    }

    /// Sorts literals by the number of literals that unit propagation derives from them.
    pub(super) fn by_consequences(&mut self, targets: &[Lit], assumed: impl Fn(Lit) -> Lit) -> Vec<Lit> {
        let allowed = self.allowed.clone();
        let mut ranked: Vec<(usize, Lit)> = targets
            .iter()
            .map(|&lit| {
                let lits: Vec<Lit> = self.known.iter().copied().chain([assumed(lit)]).collect();
                let number = match never(self.propagation.check(&allowed, &lits)) {
                    Answer::Consistent(witness) => witness.lits.len(),
                    _ => usize::MAX,
                };
                (number, lit)
            })
            .collect();
        ranked.sort_by_key(|&(number, _)| Reverse(number));
        ranked.into_iter().map(|(_, lit)| lit).collect()
    }
}
