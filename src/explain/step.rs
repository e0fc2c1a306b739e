//! The steps of explanations, the arguments in them, and their difficulty.

use gordian_encodings::Lit;
use gordian_explain::Effort;

/// Facts that follow from the same rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// The rules, as indices of [`Plain::rules`].
    pub rules: Vec<usize>,
    /// The derived facts.
    pub deductions: Vec<Deduction>,
    /// The effort of the hardest deduction.
    pub effort: Effort,
    /// What is known about the number of rules.
    pub size: Size,
    /// How unit propagation refutes the negation of the first fact, if it does and the argument has several rules.
    pub chain: Vec<Link>,
}

/// A conclusion of unit propagation from the negation of a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The fact that follows, or `None` for the contradiction at the end.
    pub lit: Option<Lit>,
    /// The rules from which it follows, given the known facts and the earlier conclusions.
    pub rules: Vec<usize>,
}

/// A derived fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deduction {
    /// The literal of the fact, or `FALSE` for a contradiction.
    pub lit: Lit,
    /// The known facts from which it follows, together with the rules.
    pub because: Vec<Lit>,
}

/// What is known about the number of rules of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Size {
    /// A limit was reached, so a rule or a known fact may be superfluous.
    Limited,
    /// No rule and no known fact of the argument can be left out.
    Minimal,
    /// No argument derives the facts from fewer rules, even with other known facts. No rule and no known fact can be
    /// left out.
    Smallest,
}

impl Size {
    /// Returns the word for the size.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Limited => "within the limit",
            Self::Minimal => "minimal",
            Self::Smallest => "smallest",
        }
    }
}

/// Arguments that do not depend on each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The arguments. Those with the fewest known facts are first.
    pub arguments: Vec<Argument>,
    /// The number of facts that unit propagation on all rules derives at this point, each on its own.
    pub open: usize,
}

/// The next step, if there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// The next step.
    Step(Step),
    /// Nothing else follows from the rules and the known facts.
    Done,
    /// The rules and the known facts are contradictory.
    Contradiction,
    /// A limit was reached.
    Stopped,
}

/// Rules and assumed facts that contradict each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// The rules, as indices of [`Plain::rules`].
    pub rules: Vec<usize>,
    /// The assumed facts that are needed.
    pub because: Vec<Lit>,
    /// What is known about the number of rules.
    pub size: Size,
    /// The effort of the contradiction.
    pub effort: Effort,
}

/// The result of asking why some facts cannot hold together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// The rules and the facts contradict each other.
    Reason(Reason),
    /// The facts are possible: some solution has them.
    Possible,
    /// A limit was reached.
    Stopped,
}

/// The difficulty of a whole explanation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difficulty {
    /// The effort of the hardest argument.
    pub effort: Effort,
    /// The number of steps with an argument of this effort.
    pub hardest: usize,
    /// The largest number of rules of an argument.
    pub rules: usize,
    /// The number of steps.
    pub steps: usize,
    /// The smallest number of facts that unit propagation derives, each on its own, at the start of a step.
    pub open: usize,
}

impl Difficulty {
    /// Returns the difficulty of a list of steps.
    #[must_use]
    pub fn of(steps: &[Step]) -> Self {
        let arguments = || steps.iter().flat_map(|step| &step.arguments);
        let effort = arguments().map(|argument| argument.effort).max().unwrap_or(Effort::Propagation);
        let is_hardest = |step: &&Step| step.arguments.iter().any(|argument| argument.effort == effort);
        Self {
            effort,
            hardest: steps.iter().filter(is_hardest).count(),
            rules: arguments().map(|argument| argument.rules.len()).max().unwrap_or(0),
            steps: steps.len(),
            open: steps.iter().map(|step| step.open).min().unwrap_or(0),
        }
    }
}
