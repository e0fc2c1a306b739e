//! The difficulty of generated boards.

use gordian_explain::{Effort, Set};

use super::draft::Search;
use super::{MakeError, Maker};
use crate::explain::{Difficulty, Explainer, Next, Step};
use crate::puzzle::{Plain, Puzzle};
use crate::search::Config;

/// What is known about the difficulty of a board.
#[derive(Debug, Clone, Copy)]
pub(super) enum Rating {
    Difficulty(Difficulty),
    /// The effort, or `None` if it is greater than [`Effort::Propagation`].
    Effort(Option<Effort>),
}

/// The effort of a board, then the number of steps with this effort, then the largest number of rules.
pub(super) type Hardness = (Option<Effort>, usize, usize);

impl Rating {
    pub(super) fn effort(self) -> Option<Effort> {
        match self {
            Self::Difficulty(difficulty) => Some(difficulty.effort),
            Self::Effort(effort) => effort,
        }
    }

    pub(super) fn hardness(self) -> Hardness {
        match self {
            Self::Difficulty(of) => (Some(of.effort), of.hardest, of.rules),
            Self::Effort(effort) => (effort, 0, 0),
        }
    }
}

impl Maker<'_> {
    /// Returns the difficulty of a board or, if a quick test shows that explaining the board does not require exactly
    /// `effort`, the result of this test.
    pub(super) fn rating(&self, board: &dyn Puzzle, effort: Effort) -> Result<Search<Rating>, MakeError> {
        self.limits.within(|| self.rate(board, effort)).unwrap_or(Ok(Search::Stopped))
    }

    fn rate(&self, board: &dyn Puzzle, effort: Effort) -> Result<Search<Rating>, MakeError> {
        let plain = board.plain();
        let mut explainer = self.explainer(&plain)?;
        // These tests reject most boards that do not have the requested difficulty. They are much faster than a search
        // for an explanation.
        let found = if explainer.propagates(&Set::full(plain.rules.len())) {
            Some(Effort::Propagation)
        } else if effort == Effort::Propagation {
            None
        } else if explainer.follows_by_assumption() {
            Some(Effort::Assumption)
        } else {
            Some(Effort::Search)
        };
        // If a limit was reached, the formula of the explainer may be incomplete.
        if self.stopped() {
            return Ok(Search::Stopped);
        }
        if found != Some(effort) {
            return Ok(Search::Found(Rating::Effort(found)));
        }
        let Some(steps) = explanation(&mut explainer)? else {
            return Ok(self.limit_reached());
        };
        Ok(Search::Found(Rating::Difficulty(Difficulty::of(&steps))))
    }

    /// Returns the indices of lists of clues with which unit propagation derives the solution, and of which none can be left
    /// out. Tries to leave out the lists in the given order. Returns `None` if unit propagation does not derive the
    /// solution from all rules, or if a limit was reached. Unit propagation has no conflict limit; if another limit is
    /// reached, the check of the difficulty reports it.
    pub(super) fn needed_for_propagation(
        &self,
        plain: &Plain,
        clues: &[Vec<usize>],
    ) -> Result<Option<Vec<usize>>, MakeError> {
        let needed = || {
            let mut explainer = self.explainer(plain)?;
            let mut kept = Set::full(plain.rules.len());
            if !explainer.propagates(&kept) {
                return Ok(None);
            }
            let mut needed = Vec::new();
            for (group, rules) in clues.iter().enumerate() {
                let fewer = rules.iter().fold(kept.clone(), |kept, &rule| kept.without(rule));
                if explainer.propagates(&fewer) {
                    kept = fewer;
                } else {
                    needed.push(group);
                }
            }
            Ok(Some(needed))
        };
        self.limits.within(needed).unwrap_or(Ok(None))
    }

    /// Returns an explainer with the limits of the generator.
    pub(super) fn explainer<'p>(&self, plain: &'p Plain) -> Result<Explainer<'p>, MakeError> {
        let deadline = self.limits.deadline;
        let config = Config { timeout: None, deadline, seed: 0, conflicts: None, ..self.config.clone() };
        Ok(Explainer::new(plain, &config, self.limits.conflicts)?)
    }
}

/// Returns the steps that derive the solution, or `None` if a limit is reached.
fn explanation(explainer: &mut Explainer<'_>) -> Result<Option<Vec<Step>>, MakeError> {
    let mut steps = Vec::new();
    loop {
        match explainer.next_step()? {
            Next::Step(step) => steps.push(step),
            Next::Done => return Ok(Some(steps)),
            Next::Contradiction | Next::Stopped => return Ok(None),
        }
    }
}
