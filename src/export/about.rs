//! The metadata of an exported file: comment lines in the file, and JSON in a second file.

use std::collections::BTreeSet;
use std::fmt;

use gordian_encodings::int::AtomicConstraint;
use gordian_encodings::{CONSTRAINTS, Encoded, Lit, Model, Name, Sense};

use super::text::FormulaText;
use super::{Export, ObjectiveAs, opb};

/// Metadata that the model does not contain.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// The puzzle type of the board.
    pub puzzle: &'a str,
    /// The name of the board, as given on the command line.
    pub source: &'a str,
    /// The name of the objective.
    pub objective: Option<&'a str>,
}

/// A literal with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The labelled literal.
    pub lit: Lit,
    text: LabelText,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum LabelText {
    Named(Name),
    OfInteger(Name, AtomicConstraint),
    /// A literal without a name. The number is the literal's position, counted from 1, among the literals that
    /// determine the solution.
    Solution(usize),
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.text {
            LabelText::Named(name) => write!(f, "{name}"),
            LabelText::OfInteger(name, AtomicConstraint::AtMost(value)) => write!(f, "{name}<={value}"),
            LabelText::OfInteger(name, AtomicConstraint::Equal(value)) => write!(f, "{name}={value}"),
            LabelText::OfInteger(name, AtomicConstraint::Bit { number, least: 0 }) => {
                write!(f, "{name}[bit {number}]")
            }
            LabelText::OfInteger(name, AtomicConstraint::Bit { number, least }) => {
                let (sign, least) = (if *least < 0 { '+' } else { '-' }, least.unsigned_abs());
                write!(f, "({name}{sign}{least})[bit {number}]")
            }
            LabelText::Solution(number) => write!(f, "solution({number})"),
        }
    }
}

/// Returns the labels of all named literals, in the order of their variables. Every variable that determines the
/// solution has a label.
pub(super) fn labels(model: &Model, encoded: &Encoded, solution: &[Lit]) -> Vec<Label> {
    let named =
        model.names().iter().map(|(lit, name)| Label { lit: *lit, text: LabelText::Named(name.clone()) });
    let mut labels: Vec<Label> = named.collect();
    let mut integers: Vec<Option<Name>> = Vec::new();
    for (x, name) in model.integer_names() {
        integers.resize(integers.len().max(x.index() + 1), None);
        integers[x.index()] = Some(name.clone());
    }
    labels.extend(encoded.literals_of_integers().into_iter().filter_map(|(lit, x, atomic)| {
        let name = integers.get(x.index()).cloned().flatten()?;
        Some(Label { lit, text: LabelText::OfInteger(name, atomic) })
    }));
    let known: BTreeSet<_> = labels.iter().map(|label| label.lit.var()).collect();
    let nameless = (1..).zip(solution).filter(|(_, lit)| !known.contains(&lit.var()));
    labels.extend(nameless.map(|(number, &lit)| Label { lit, text: LabelText::Solution(number) }));
    labels.sort_by_key(|label| label.lit.vidx32());
    labels
}

impl About<'_> {
    /// Writes the metadata as comment lines.
    pub(super) fn write(&self, export: &Export, comment: &str, text: &mut FormulaText<'_>) {
        let survey = export.survey();
        text.line(format_args!("{comment}gordian {}", env!("CARGO_PKG_VERSION")));
        text.line(format_args!("{comment}puzzle {}", self.puzzle));
        // Line breaks are removed from the name, because a line break ends a comment.
        text.line(format_args!("{comment}source {}", self.source.escape_default()));
        let purpose = if export.encodings.keeps_count() { "counting" } else { "solving" };
        text.line(format_args!("{comment}for {purpose}"));
        for (constraint, encoding, constraints) in &survey.encodings {
            text.line(format_args!(
                "{comment}encoding {constraint} = {encoding} ({constraints} constraints)"
            ));
        }
        for note in self.replaced(export) {
            text.line(format_args!("{comment}{note}"));
        }
        for row in survey.sizes.rows().iter().chain([&survey.sizes.total()]) {
            text.line(format_args!(
                "{comment}size {}: {} constraints, {} variables, {} clauses, {} literals",
                row.constraint, row.constraints, row.variables, row.clauses, row.literals
            ));
        }
        if let Some((cost, name)) = survey.cost.as_ref().zip(self.objective) {
            let (sense, unit) = match cost.sense {
                Sense::Minimise => ("minimised", cost.unit),
                Sense::Maximise => ("maximised, so its negation is minimised", cost.unit),
            };
            // Solvers report the cost on `o` lines. In OPB, this cost does not include the constant part.
            let shift = if export.format.name == opb::OPB.name { opb::constant(survey) } else { 0 };
            let offset = cost.offset + unit * shift;
            text.line(format_args!("{comment}objective {name}, {sense}"));
            if export.format.objective == ObjectiveAs::Cost {
                text.line(format_args!("{comment}{name} = {offset} {unit:+} * o"));
            }
        }
        for label in &survey.labels {
            let not = if label.lit.is_neg() { "not " } else { "" };
            text.line(format_args!("{comment}var {} = {not}{label}", label.lit.vidx32() + 1));
        }
        if comment == "c " {
            if export.encodings.keeps_count() {
                text.line(format_args!("c t pmc"));
            }
            for what in ["p show", "ind"] {
                text.bytes(format!("c {what} ").as_bytes());
                for &lit in &survey.solution {
                    text.lit(lit);
                }
                text.bytes(b"0\n");
            }
        }
    }

    /// Returns a message for each chosen encoding that was replaced. For example, a lazy encoding is replaced, because
    /// a file needs a complete encoding.
    #[must_use]
    pub fn replaced(&self, export: &Export) -> Vec<String> {
        let used = &export.survey().encodings;
        let of_constraint =
            |name: &str| -> Vec<&str> { used.iter().filter(|row| row.0 == name).map(|row| row.1).collect() };
        let notes = CONSTRAINTS.iter().filter_map(|constraint| {
            let chosen = export.encodings.chosen(constraint.name)?;
            let used = of_constraint(constraint.name);
            let deferred = (constraint.encodings)()
                .iter()
                .any(|row| row.name == chosen && row.strength == gordian_encodings::Strength::Lazy);
            let why = if deferred {
                ", because a file needs a complete encoding"
            } else {
                " where it does not apply"
            };
            let others: Vec<_> =
                used.iter().filter(|&&used| used != chosen && used != "sums").copied().collect();
            (!others.is_empty())
                .then(|| format!("{} = {chosen} is replaced by {}{why}", constraint.name, others.join(", ")))
        });
        notes.collect()
    }
}
