//! The steps of an explanation, their arguments, and the difficulty of the explanation.

use gordian_encodings::Lit;
use gordian_explain::Effort;

/// Facts that follow from the same rules with the same effort.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// The rules, as indices of [`Plain::rules`](crate::puzzle::plain::Plain::rules).
    pub rules: Vec<usize>,
    /// The derived facts.
    pub deductions: Vec<Deduction>,
    /// The effort of each deduction.
    pub effort: Effort,
    /// Whether the argument has been proven to be minimal, or to have the smallest size.
    pub size: Size,
}

/// A conclusion from the negation of a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The fact that follows, or `None` for the contradiction at the end.
    pub lit: Option<Lit>,
    /// The rules that, together with the known facts and the earlier conclusions, imply the fact.
    pub rules: Vec<usize>,
}

/// A derived fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deduction {
    /// The literal of the fact, or `FALSE` for a contradiction.
    pub lit: Lit,
    /// The known facts that, together with the rules of the argument, imply this fact.
    pub because: Vec<Lit>,
    /// The chain of conclusions that refutes the negation of the fact. The conclusions follow from the rules, the facts
    /// in `because`, and the earlier deductions of the argument. If the effort is propagation, these are the conclusions
    /// of unit propagation, and the list is empty if the argument has only one rule. If the effort is assumption, these
    /// are the negations of failed literals. For a search, the list is empty. Facts that are known before the step are left out.
    pub chain: Vec<Link>,
}

/// Whether an argument is proven to be minimal or smallest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Size {
    /// A solver has derived the facts from all rules and all known facts. No search for fewer of them succeeded within
    /// the limit.
    Unreduced,
    /// A limit was reached, so a rule or a known fact may be superfluous.
    Limited,
    /// No rule and no known fact of the argument can be left out. If the effort is propagation or assumption, this means
    /// only that the same method needs all of them.
    Minimal,
    /// The argument is minimal, and no argument of any effort derives the facts from fewer rules, even with other known
    /// facts.
    Smallest,
}

impl Size {
    /// Returns the name in the output: `smallest`, `minimal`, `within the limit` or `not reduced`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unreduced => "not reduced",
            Self::Limited => "within the limit",
            Self::Minimal => "minimal",
            Self::Smallest => "smallest",
        }
    }
}

/// The order in which an explanation prefers arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "tool", derive(clap::ValueEnum))]
pub enum Order {
    /// Arguments with less effort come first; among equals, arguments with few rules
    Effort,
    /// Arguments with the fewest rules come first; among equals, arguments that unit propagation finds
    Size,
}

/// A step of an explanation: arguments that do not depend on each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The arguments, sorted by effort, then by the number of rules, then by the number of known facts.
    pub arguments: Vec<Argument>,
    /// The number of new facts that unit propagation derives from all rules and the facts known before the step. `None`
    /// in the derivation of a contradiction.
    pub open: Option<usize>,
}

/// The result of a search for the next step.
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
    /// The rules, as indices of [`Plain::rules`](crate::puzzle::plain::Plain::rules).
    pub rules: Vec<usize>,
    /// The assumed facts that contradict the rules.
    pub because: Vec<Lit>,
    /// Whether the reason is proven to be minimal or smallest.
    pub size: Size,
    /// The effort to derive the contradiction.
    pub effort: Effort,
}

/// The result of [`Explainer::why`](super::Explainer::why).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// The rules and the facts are contradictory.
    Reason(Reason),
    /// The facts are possible: they hold in some solution.
    Possible,
    /// A limit was reached.
    Stopped,
}

/// The difficulty of a whole explanation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difficulty {
    /// The effort of the hardest argument.
    pub effort: Effort,
    /// The number of steps that contain an argument of this effort.
    pub hardest: usize,
    /// The largest number of rules in any argument.
    pub rules: usize,
    /// The number of steps.
    pub steps: usize,
    /// The minimum of [`Step::open`] over all steps.
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
            open: steps.iter().filter_map(|step| step.open).min().unwrap_or(0),
        }
    }
}
