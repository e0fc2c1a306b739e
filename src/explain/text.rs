//! Explanations as text.

use gordian_encodings::{FALSE, Lit};
use gordian_explain::Effort;

use super::{Argument, Deduction, Link, Reason, Size, Step};
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
    /// The opposite of the fact, such as `r3c4=island`.
    #[cfg_attr(feature = "tool", serde(skip))]
    pub opposite: String,
    /// The known facts that, together with the rules of the argument, imply this fact.
    pub because: Vec<String>,
    /// The conclusions, in order, that refute the opposite of the fact, see
    /// [`Deduction::chain`](super::Deduction::chain).
    #[cfg_attr(feature = "tool", serde(skip_serializing_if = "Vec::is_empty"))]
    pub chain: Vec<LinkText>,
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
        let link = |link: &Link| LinkText {
            fact: fact(plain, link.lit.unwrap_or(FALSE)),
            rules: rules(plain, &link.rules),
        };
        let deduction = |Deduction { lit, because, chain }: &Deduction| DeductionText {
            fact: fact(plain, *lit),
            opposite: fact(plain, !*lit),
            because: facts(plain, because),
            chain: chain.iter().map(link).collect(),
        };
        let argument = |argument: &Argument| ArgumentText {
            rules: rules(plain, &argument.rules),
            effort: argument.effort.name(),
            size: argument.size.name(),
            deductions: argument.deductions.iter().map(deduction).collect(),
        };
        Self { arguments: step.arguments.iter().map(argument).collect(), open: step.open }
    }

    /// Returns the lines of the text. An argument has one line for each group of facts that follow from the same known
    /// facts. The conclusions of the facts' chains follow on indented lines, one for each group of conclusions in a row
    /// that follow from the same rules. A chain is left out if the contradiction follows without another fact.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        self.arguments.iter().flat_map(ArgumentText::lines).collect()
    }
}

impl ArgumentText {
    fn lines(&self) -> Vec<String> {
        let Self { rules, effort, size, deductions } = self;
        let remark = match (*effort, *size) {
            ("propagation", "smallest") => String::new(),
            (effort, size) => format!(" ({effort}, {size})"),
        };
        let is_unreduced = *size == Size::Unreduced.name();
        let mut groups: Vec<Vec<&DeductionText>> = Vec::new();
        for deduction in deductions {
            match groups.iter_mut().find(|group| group[0].because == deduction.because) {
                Some(group) => group.push(deduction),
                None => groups.push(vec![deduction]),
            }
        }
        let mut lines = Vec::new();
        for (number, group) in groups.iter().enumerate() {
            let facts = group.iter().map(|deduction| &*deduction.fact).collect::<Vec<_>>().join(", ");
            let because = group[0].because.join(", ");
            let reason = match (&rules[..], &*because) {
                _ if is_unreduced => "all rules and known facts".to_owned(),
                ([], "") => "known facts".to_owned(),
                ([], because) => because.to_owned(),
                (rules, because) => {
                    let known =
                        if because.is_empty() { String::new() } else { format!("; known: {because}") };
                    let rules = if number == 0 { rules.join("; ") } else { "the same rules".to_owned() };
                    rules + &known
                }
            };
            lines.push(format!("{facts}, from: {reason}{remark}"));
        }
        // The chain of a deduction may use the deductions before it.
        for deduction in deductions.iter().filter(|deduction| deduction.chain.len() > 1) {
            lines.extend(self.chain_lines(deduction));
        }
        lines
    }

    /// Returns the lines of the chain that refutes the opposite of a fact.
    fn chain_lines(&self, deduction: &DeductionText) -> Vec<String> {
        let DeductionText { fact, opposite, chain, .. } = deduction;
        let by_assumption = self.effort == Effort::Assumption.name();
        let mut lines = vec![match (fact == CONTRADICTION, by_assumption) {
            (true, false) => "  in steps:".to_owned(),
            (true, true) => "  in steps, each because its opposite fails:".to_owned(),
            (false, false) => format!("  otherwise, {opposite}:"),
            (false, true) => {
                format!("  otherwise, {opposite}, and each of these because its opposite fails:")
            }
        }];
        for group in chain.chunk_by(|a, b| a.rules == b.rules) {
            let facts: Vec<&str> = group.iter().map(|link| &*link.fact).collect();
            let from = if group[0].rules.is_empty() { "the facts above" } else { &group[0].rules.join("; ") };
            lines.push(format!("  {}, from: {from}", facts.join(", ")));
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
