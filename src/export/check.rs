//! Checks whether an assignment satisfies the formula of a file.

use std::fmt;

use gordian_encodings::{Collect, CollectSums, Lit, Value};

use super::Target;
use super::about::Label;

/// A violated constraint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// The number of the constraint in the file. Numbers start at 1, and comments are not counted.
    pub number: u64,
    /// The terms of the constraint, each with a coefficient and a literal. All coefficients of a clause are 1.
    pub terms: Vec<(Value, Lit)>,
    /// The bound on the sum of the coefficients of true literals.
    pub bound: Value,
    /// True if the sum must equal the bound, false if it must be at least the bound.
    pub equal: bool,
    /// True if some variables of the constraint have no value. Such variables count as false.
    pub open: bool,
}

impl Broken {
    /// Formats the constraint with variable names.
    #[must_use]
    pub fn with_names(&self, labels: &[Label]) -> String {
        let clause = self.is_clause();
        let terms = self.terms.iter().map(|&(coefficient, lit)| {
            let label = labels.iter().find(|label| label.lit.var() == lit.var());
            let lit = match label {
                None => return self.term(coefficient, lit),
                Some(label) if label.lit == lit => label.to_string(),
                Some(label) => format!("not {label}"),
            };
            if clause { lit } else { format!("{coefficient:+} {lit}") }
        });
        let terms: Vec<String> = terms.collect();
        match (clause, terms.is_empty()) {
            (true, true) => "the empty clause".to_owned(),
            (true, false) => terms.join(" or "),
            (false, _) => format!("{} {}", terms.join(" "), self.relation()),
        }
    }

    fn is_clause(&self) -> bool {
        !self.equal && self.bound == 1 && self.terms.iter().all(|&(coefficient, _)| coefficient == 1)
    }

    fn term(&self, coefficient: Value, lit: Lit) -> String {
        if self.is_clause() {
            lit.to_ipasir().to_string()
        } else {
            format!("{coefficient:+} x{}", lit.to_ipasir())
        }
    }

    fn relation(&self) -> String {
        format!("{} {}", if self.equal { "=" } else { ">=" }, self.bound)
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for &(coefficient, lit) in &self.terms {
            write!(f, "{} ", self.term(coefficient, lit))?;
        }
        if self.is_clause() { f.write_str("0") } else { f.write_str(&self.relation()) }
    }
}

/// Returns the value of a literal, or `None` if its variable has no value.
pub(super) fn value(values: &[Option<bool>], lit: Lit) -> Option<bool> {
    let value = values.get(lit.vidx()).copied().flatten()?;
    Some(value == lit.is_pos())
}

/// A receiver that checks constraints as they are encoded, and stores a violated constraint.
pub(super) struct Check<'v> {
    values: &'v [Option<bool>],
    sums: bool,
    seen: u64,
    broken: Option<Broken>,
}

impl<'v> Check<'v> {
    pub(super) fn new(values: &'v [Option<bool>], sums: bool) -> Self {
        Self { values, sums, seen: 0, broken: None }
    }

    pub(super) fn into_broken(self) -> Option<Broken> {
        self.broken
    }

    fn holds(&self, lit: Lit) -> bool {
        value(self.values, lit).unwrap_or(lit.is_neg())
    }

    fn is_open(&self, lit: Lit) -> bool {
        value(self.values, lit).is_none()
    }

    /// Records a violated constraint if it is the first one, or the first one without unassigned variables. Assigning
    /// more variables can't satisfy such a constraint.
    fn note(&mut self, terms: Vec<(Value, Lit)>, equal: bool, bound: Value) {
        let open = terms.iter().any(|&(_, lit)| self.is_open(lit));
        if self.broken.as_ref().is_none_or(|broken| broken.open && !open) {
            self.broken = Some(Broken { number: self.seen, terms, bound, equal, open });
        }
    }
}

impl Collect for Check<'_> {
    fn clause(&mut self, clause: &[Lit]) {
        self.seen += 1;
        if !clause.iter().any(|&lit| self.holds(lit)) {
            self.note(clause.iter().map(|&lit| (1, lit)).collect(), false, 1);
        }
    }

    fn reserve(&mut self, _: u32) {}

    fn sums(&mut self) -> Option<&mut dyn CollectSums> {
        if self.sums { Some(self) } else { None }
    }
}

impl CollectSums for Check<'_> {
    fn sum(&mut self, terms: &[(Value, Lit)], equal: bool, bound: Value) {
        self.seen += 1;
        let sum: Value =
            terms.iter().filter(|&&(_, lit)| self.holds(lit)).map(|&(coefficient, _)| coefficient).sum();
        if if equal { sum != bound } else { sum < bound } {
            self.note(terms.to_vec(), equal, bound);
        }
    }
}

impl Target for Check<'_> {}
