//! Explanations as text.

use gordian_encodings::{FALSE, Lit};
use gordian_explain::Effort;

use super::{Argument, Reason, Size, Step};
use crate::puzzle::Plain;

/// A step as text, for printing and JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "tool", derive(serde::Serialize))]
pub struct StepText {
    /// The arguments.
    pub arguments: Vec<ArgumentText>,
    /// The number of new facts that unit propagation derives from all rules and the facts known before the step. `None`
    /// in the derivation of a contradiction.
    #[cfg_attr(feature = "tool", serde(skip_serializing_if = "Option::is_none"))]
    pub open: Option<usize>,
}

/// An argument as text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "tool", derive(serde::Serialize))]
pub struct ArgumentText {
    /// The names of the rules.
    pub rules: Vec<String>,
    /// The effort: `propagation`, `assumption` or `search`.
    pub effort: &'static str,
    /// `smallest` if the argument is minimal and no other argument for these facts uses fewer rules, `minimal` if none
    /// of its rules and known facts is superfluous, `within the limit` if neither was proved, and `not reduced` if the
    /// argument contains all rules and all known facts.
    pub size: &'static str,
    /// The derived facts.
    pub deductions: Vec<DeductionText>,
    /// The conclusions, in order, that refute the negation of the first fact, see
    /// [`Argument::chain`](super::Argument::chain).
    #[cfg_attr(feature = "tool", serde(skip_serializing_if = "Vec::is_empty"))]
    pub chain: Vec<LinkText>,
}

/// A conclusion of a chain as text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "tool", derive(serde::Serialize))]
pub struct LinkText {
    /// The fact that follows, or `contradiction`.
    pub fact: String,
    /// The names of the rules that, together with the known facts and the earlier conclusions, imply the fact.
    pub rules: Vec<String>,
}

/// A derived fact as text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "tool", derive(serde::Serialize))]
pub struct DeductionText {
    /// The fact, such as `r3c4=sea`, or `contradiction`.
    pub fact: String,
    /// The known facts that, together with the rules of the argument, imply this fact.
    pub because: Vec<String>,
}

/// The reason for a contradiction, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "tool", derive(serde::Serialize))]
pub struct ReasonText {
    /// The names of the rules.
    pub rules: Vec<String>,
    /// The assumed facts that contradict the rules.
    pub because: Vec<String>,
    /// `smallest`, `minimal` or `within the limit`, as in [`ArgumentText::size`].
    pub size: &'static str,
    /// The effort: `propagation`, `assumption` or `search`. `None` for constraint models.
    #[cfg_attr(feature = "tool", serde(skip_serializing_if = "Option::is_none"))]
    pub effort: Option<&'static str>,
}

/// The word for a contradiction.
const CONTRADICTION: &str = "contradiction";

fn fact(plain: &Plain, lit: Lit) -> String {
    match plain.fact_of(lit) {
        Some((fact, holds)) => fact.text(holds),
        None if lit == FALSE => CONTRADICTION.to_owned(),
        None => lit.to_string(),
    }
}

fn facts(plain: &Plain, lits: &[Lit]) -> Vec<String> {
    // Facts are listed in the order of the board.
    let mut sorted = lits.to_vec();
    sorted.sort_unstable_by_key(|lit| plain.facts.iter().position(|fact| fact.lit.var() == lit.var()));
    sorted.into_iter().map(|lit| fact(plain, lit)).collect()
}

fn rules(plain: &Plain, rules: &[usize]) -> Vec<String> {
    rules.iter().map(|&rule| plain.rules[rule].name.clone()).collect()
}

impl StepText {
    /// Creates the text of a step.
    #[must_use]
    pub fn of(plain: &Plain, step: &Step) -> Self {
        let argument = |argument: &Argument| ArgumentText {
            rules: rules(plain, &argument.rules),
            effort: argument.effort.name(),
            size: argument.size.name(),
            deductions: argument
                .deductions
                .iter()
                .map(|deduction| DeductionText {
                    fact: fact(plain, deduction.lit),
                    because: facts(plain, &deduction.because),
                })
                .collect(),
            chain: argument
                .chain
                .iter()
                .map(|link| LinkText {
                    fact: fact(plain, link.lit.unwrap_or(FALSE)),
                    rules: rules(plain, &link.rules),
                })
                .collect(),
        };
        Self { arguments: step.arguments.iter().map(argument).collect(), open: step.open }
    }

    /// Returns the lines of the text. An argument has one line for each group of facts that follow from the same known
    /// facts. The conclusions of a chain follow on indented lines, unless unit propagation derives the contradiction
    /// without another fact.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for ArgumentText { rules, effort, size, deductions, chain } in &self.arguments {
            let remark = match (*effort, *size) {
                ("propagation", "smallest") => String::new(),
                (effort, size) => format!(" ({effort}, {size})"),
            };
            let is_unreduced = *size == Size::Unreduced.name();
            let rules = match &rules[..] {
                [] => "known facts".to_owned(),
                _ if is_unreduced => "all rules and known facts".to_owned(),
                rules => rules.join("; "),
            };
            for same in deductions.chunk_by(|a, b| a.because == b.because) {
                let facts: Vec<&str> = same.iter().map(|deduction| &*deduction.fact).collect();
                let because = match &same[0].because[..] {
                    [] => String::new(),
                    _ if is_unreduced => String::new(),
                    because => format!("; known: {}", because.join(", ")),
                };
                lines.push(format!("{}, from: {rules}{because}{remark}", facts.join(", ")));
            }
            let by_assumption = *effort == Effort::Assumption.name();
            if (by_assumption && !chain.is_empty()) || chain.len() > 1 {
                let fact = &deductions[0].fact;
                lines.push(match (fact == CONTRADICTION, by_assumption) {
                    (true, false) => "  in steps:".to_owned(),
                    (true, true) => "  in steps, each because its opposite fails:".to_owned(),
                    (false, false) => format!("  otherwise, not {fact}:"),
                    (false, true) => {
                        format!("  otherwise, not {fact}, and each of these because its opposite fails:")
                    }
                });
                let of = |rules: &[String]| match rules {
                    [] => "the facts above".to_owned(),
                    rules => rules.join("; "),
                };
                lines.extend(chain.iter().map(|link| format!("  {}, from: {}", link.fact, of(&link.rules))));
            }
        }
        lines
    }
}

impl ReasonText {
    /// Creates the text of a reason.
    #[must_use]
    pub fn of(plain: &Plain, reason: &Reason) -> Self {
        Self {
            rules: rules(plain, &reason.rules),
            because: facts(plain, &reason.because),
            size: reason.size.name(),
            effort: Some(reason.effort.name()),
        }
    }
}
