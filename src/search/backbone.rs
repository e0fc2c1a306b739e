//! What is the same in every solution, and what is not: the values that parts of the solution can have.
//!
//! A literal that all solutions agree on is in the *backbone*. A part of a solution has one of several values, each said
//! by literals, so its remaining values are those of which no literal contradicts the backbone; a part is decided when
//! one is left. They are found together, by the algorithm with a disjunction for each chunk of candidates of Mikolas
//! Janota, Ines Lynce, Joao Marques-Silva: *Algorithms for computing backbones of propositional formulae*, AI
//! Communications 28, 2015. A candidate is a value that no solution so far has. The solver is asked for a solution with
//! one of them, whichever it likes: all values of that solution are candidates no longer; if there is none, no candidate
//! is left, and the negations of all are added to the formula. Values against which there is a unit clause are dropped
//! without a question.
//!
//! Differs from the paper in: what is looked for is values, of which a Boolean variable has two; the chunk is all
//! candidates, see [`CHUNK`].

use gordian_encodings::{Assignment, Lit};

use super::Session;
use crate::backend::{BackendError, Verdict};

/// How many candidates a question is about. For all at once, 64, 16, 4 and one, seconds of BatSat on the four Nurikabe
/// boards of a public collection whose backbone take longest: 12.1, 13.4, 14.2, 15.5, 14.8.
const CHUNK: usize = usize::MAX;

/// A way for a part of the solution to have a value: the literals that all hold then, and only then or in another way to
/// have that value. No literals mean that it has the value always.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// The number of the value, from zero.
    pub value: usize,
    /// What holds.
    pub lits: Vec<Lit>,
}

/// Whether some solution has a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ValueStatus {
    /// Some solution has it.
    Possible,
    /// No solution has it.
    Impossible,
    /// The search was stopped before either was known.
    Open,
}

/// The values that parts have in solutions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PossibleValues {
    /// Whether there is a solution; [`Verdict::Stopped`] if something is still open.
    pub verdict: Verdict,
    /// For each part the status of each of its values.
    pub parts: Vec<Vec<ValueStatus>>,
}

impl PossibleValues {
    fn of(&mut self, candidate: Candidate) -> &mut ValueStatus {
        &mut self.parts[candidate.part][candidate.value]
    }
}

/// A way to a value that no solution so far has.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    part: usize,
    value: usize,
    /// Holds exactly where what this way says does.
    lit: Lit,
}

impl Session {
    /// Finds out which values parts of the solution can have. A part is the ways in which it has its values. `found` hears
    /// of each solution on the way; together these have every value that is possible.
    ///
    /// # Errors
    /// If the solver fails.
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
        let mut see = |assignment: &Assignment, backbone: &mut PossibleValues| {
            found(assignment);
            for (part, backbone) in parts.iter().zip(&mut backbone.parts) {
                for way in part.iter().filter(|way| way.lits.iter().all(|&lit| assignment.lit(lit))) {
                    backbone[way.value] = ValueStatus::Possible;
                }
            }
        };
        match self.satisfy(&[])? {
            Verdict::Satisfiable => see(&self.assignment(), &mut backbone),
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
            let mut sink = self.encoded.sink(&mut *self.backend);
            let any = sink.fresh();
            sink.clause_of(candidates[..asked].iter().map(|candidate| candidate.lit).chain([!any]));
            let verdict = self.satisfy(&[any])?;
            if verdict == Verdict::Satisfiable {
                see(&self.assignment(), &mut backbone);
            }
            if verdict == Verdict::Stopped {
                settle(&mut backbone, &candidates);
                return Ok(backbone);
            }
            let mut sink = self.encoded.sink(&mut *self.backend);
            // The clause of this question is done with.
            sink.clause(&[!any]);
            if verdict == Verdict::Unsatisfiable {
                for candidate in candidates.drain(..asked) {
                    sink.clause(&[!candidate.lit]);
                }
            }
        }
    }

    /// The ways to have a value that no solution has had so far.
    fn candidates(&mut self, parts: &[Vec<Way>], backbone: &PossibleValues) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for (part, (ways, backbone)) in parts.iter().zip(&backbone.parts).enumerate() {
            for way in ways.iter().filter(|way| backbone[way.value] == ValueStatus::Open) {
                let lit = self.encoded.sink(&mut *self.backend).and(&way.lits);
                candidates.push(Candidate { part, value: way.value, lit });
            }
        }
        candidates
    }
}

/// Marks as impossible what is open and no candidate.
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
