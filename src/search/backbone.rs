//! Finds the backbone, and the values that the parts of a solution can take.
//!
//! The *backbone* is the set of literals that are true in every solution. The module `backbone` generalises literals to
//! *parts* of the solution, for example the digit of a cell. A part has one of several values, and each value is
//! expressed by one or more conjunctions of literals. A value is possible if the part has it in some solution; a part
//! is forced if only one value is possible. The algorithm, which tests a chunk of candidates with one disjunction, is
//! from Janota, Lynce, Marques-Silva: *Algorithms for computing backbones of propositional formulae*, AI Communications
//! 28, 2015. A candidate is a value of a part that has not occurred in any solution found so far. Each solver call
//! searches for a solution with at least one of the candidates. If there is such a solution, its values are removed
//! from the candidates. Otherwise, every candidate of the chunk is impossible, and unit clauses exclude these
//! candidates. Candidates whose literal is false at level 0 are removed without a solver call.
//!
//! The algorithm differs from the algorithm in the paper in two ways: the candidates for the backbone are values of
//! parts, not literals, and each chunk contains all candidates (see [`CHUNK`]).

use gordian_encodings::{Assignment, Lit};

use super::Session;
use crate::backend::{BackendError, Verdict};

/// The maximum number of candidates in a solver call. For the four Nurikabe boards with the slowest backbones in a
/// public collection, BatSat takes 12.1 s with all candidates in one chunk, and 13.4 s, 14.2 s, 15.5 s and 14.8 s
/// with chunks of 64, 16, 4 and 1.
const CHUNK: usize = usize::MAX;

/// One way in which a part of the solution takes a value: a conjunction of literals. A part has a value if and only if
/// at least one of the conjunctions for this value is true. An empty conjunction always holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// The index of the value within the part, from 0.
    pub value: usize,
    /// The literals of the conjunction.
    pub lits: Vec<Lit>,
}

/// The status of a value of a part: possible, impossible or undecided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ValueStatus {
    /// The part has the value in some solution.
    Possible,
    /// The part does not have the value in any solution.
    Impossible,
    /// The search was stopped before it decided whether the value is possible, or the value is impossible only under the
    /// literals of [`Model::assume`](gordian_encodings::Model::assume).
    Open,
}

/// The status of all values of all parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PossibleValues {
    /// The verdict of the search, which is [`Verdict::Stopped`] if a limit was reached while some value was undecided.
    pub verdict: Verdict,
    /// The status of each value of each part.
    pub parts: Vec<Vec<ValueStatus>>,
}

impl PossibleValues {
    fn of(&mut self, candidate: Candidate) -> &mut ValueStatus {
        &mut self.parts[candidate.part][candidate.value]
    }
}

/// A candidate for the backbone: a value of a part that has not occurred in any solution so far.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    part: usize,
    value: usize,
    /// A literal that is equivalent to the conjunction.
    lit: Lit,
}

impl Session {
    /// Finds the values that the parts of a solution can have. Each part is described by conjunctions of literals,
    /// each with the value that the part has if the conjunction is true. The search calls `found` after each
    /// solution. Every possible value occurs in at least one of the solutions passed to `found`.
    ///
    /// # Errors
    /// Returns an error if the solver fails.
    pub fn backbone(
        &mut self,
        parts: &[Vec<Way>],
        found: impl FnMut(&Assignment),
    ) -> Result<PossibleValues, BackendError> {
        self.backbone_by_chunks(parts, CHUNK, found)
    }

    fn backbone_by_chunks(
        &mut self,
        parts: &[Vec<Way>],
        chunk: usize,
        mut found: impl FnMut(&Assignment),
    ) -> Result<PossibleValues, BackendError> {
        let values = |part: &Vec<Way>| part.iter().map(|way| way.value + 1).max().unwrap_or(0);
        let open = parts.iter().map(|part| vec![ValueStatus::Open; values(part)]).collect();
        let mut backbone = PossibleValues { verdict: Verdict::Stopped, parts: open };
        let mut see = |session: &Self, backbone: &mut PossibleValues| {
            found(&session.assignment());
            for (part, backbone) in parts.iter().zip(&mut backbone.parts) {
                for way in part.iter().filter(|way| way.lits.iter().all(|&lit| session.holds(lit))) {
                    backbone[way.value] = ValueStatus::Possible;
                }
            }
        };
        match self.satisfy(&[])? {
            Verdict::Satisfiable => see(self, &mut backbone),
            Verdict::Stopped => return Ok(backbone),
            Verdict::Unsatisfiable => {
                backbone.verdict = Verdict::Unsatisfiable;
                backbone.parts.iter_mut().flatten().for_each(|fact| *fact = ValueStatus::Impossible);
                return Ok(backbone);
            }
        }
        let mut candidates = self.candidates(parts, &backbone);
        loop {
            let left = |candidate: &Candidate| self.backend.fixed(candidate.lit) != Some(false);
            candidates.retain(|&candidate| *backbone.of(candidate) == ValueStatus::Open && left(&candidate));
            if candidates.is_empty() {
                settle(&mut backbone, &[]);
                backbone.verdict = Verdict::Satisfiable;
                return Ok(backbone);
            }
            let asked = chunk.min(candidates.len());
            let lits: Vec<Lit> = candidates[..asked].iter().map(|candidate| candidate.lit).collect();
            let any = self.with_sink(|sink| sink.implies_one_of(&lits));
            let (verdict, is_relative) = self.satisfy_without_assumed(&[any])?;
            if verdict == Verdict::Satisfiable {
                see(self, &mut backbone);
            }
            if verdict == Verdict::Stopped || is_relative {
                settle(&mut backbone, &candidates);
                if is_relative {
                    backbone.verdict = Verdict::Satisfiable;
                }
                return Ok(backbone);
            }
            let refuted = self.recorder.as_ref().and_then(|recorder| recorder.log().last_learnt());
            // This unit clause disables the clause that requires one of the candidates. The unit clause is not logged,
            // because it does not follow from the formula of a proof.
            self.encoded.sink(&mut *self.backend).clause(&[!any]);
            if verdict == Verdict::Unsatisfiable {
                for candidate in candidates.drain(..asked) {
                    if let Some(recorder) = &self.recorder {
                        recorder.refuted_one_of(refuted, any, candidate.lit);
                    }
                    self.with_sink(|sink| sink.clause(&[!candidate.lit]));
                }
            }
        }
    }

    /// Returns the candidates: the conjunctions that represent undecided values.
    fn candidates(&mut self, parts: &[Vec<Way>], backbone: &PossibleValues) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for (part, (ways, backbone)) in parts.iter().zip(&backbone.parts).enumerate() {
            for way in ways.iter().filter(|way| backbone[way.value] == ValueStatus::Open) {
                let lit = self.with_sink(|sink| sink.and(&way.lits));
                candidates.push(Candidate { part, value: way.value, lit });
            }
        }
        candidates
    }
}

/// Marks all undecided values as impossible, except the values in `candidates`.
fn settle(backbone: &mut PossibleValues, candidates: &[Candidate]) {
    let before = backbone.clone();
    backbone
        .parts
        .iter_mut()
        .flatten()
        .filter(|fact| **fact == ValueStatus::Open)
        .for_each(|fact| *fact = ValueStatus::Impossible);
    for &candidate in candidates {
        *backbone.of(candidate) = before.parts[candidate.part][candidate.value];
    }
}
