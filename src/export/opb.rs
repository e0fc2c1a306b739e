//! OPB, the format of the pseudo-Boolean competitions: linear inequalities over 0/1 variables, and an objective
//! `min:`.
//!
//! Linear constraints become inequalities, in which sums of literals replace the integer variables. All other
//! constraints become clauses, which are also inequalities. The literal `!x` becomes `1 - x`.

use gordian_encodings::{Collect, CollectSums, Lit, Value};

use super::text::FormulaText;
use super::{Format, ObjectiveAs, Survey, Target};

pub(super) static OPB: Format = Format {
    name: "opb",
    extension: "opb",
    summary: "linear inequalities over 0/1 variables for pseudo-Boolean solvers",
    objective: ObjectiveAs::Cost,
    sums: true,
    comment: "* ",
    head: |survey, text| {
        let variables = survey.variables.max(1);
        text.line(format_args!("* #variable= {variables} #constraint= {}", survey.constraints));
    },
    begin,
    writer: |text| Box::new(Inequalities(text)),
    end: |_, _| {},
};

fn begin(survey: &Survey, text: &mut FormulaText<'_>) {
    let Some(cost) = &survey.cost else { return };
    text.bytes(b"min: ");
    for &(weight, lit) in &cost.weights {
        term(text, if lit.is_pos() { weight } else { -weight }, lit);
    }
    text.bytes(b";\n");
}

/// Returns the constant part of the cost, which comes from negated literals: `!x` becomes `1 - x`. The objective `min:`
/// omits this constant, because the format does not allow constants there.
pub(super) fn constant(survey: &Survey) -> Value {
    let cost = survey.cost.iter().flat_map(|cost| &cost.weights);
    cost.filter(|(_, lit)| lit.is_neg()).map(|&(weight, _)| weight).sum()
}

fn term(text: &mut FormulaText<'_>, coefficient: Value, lit: Lit) {
    match coefficient {
        1 => text.bytes(b"+1 x"),
        -1 => text.bytes(b"-1 x"),
        _ => text.bytes(format!("{coefficient:+} x").as_bytes()),
    }
    text.natural(lit.vidx32() + 1);
    text.bytes(b" ");
}

struct Inequalities<'t, 'w>(&'t mut FormulaText<'w>);

impl Inequalities<'_, '_> {
    /// Writes a false constraint over `x1`, because the format does not allow empty sums.
    fn never(&mut self) {
        self.0.bytes(b"+1 x1 ");
        self.end(">= ", 2);
    }

    fn always(&mut self) {
        self.0.bytes(b"+1 x1 ");
        self.end(">= ", 0);
    }

    fn end(&mut self, relation: &str, bound: Value) {
        self.0.bytes(relation.as_bytes());
        match u32::try_from(bound) {
            Ok(bound) => self.0.natural(bound),
            Err(_) => self.0.bytes(bound.to_string().as_bytes()),
        }
        self.0.end_constraint(b" ;\n");
    }
}

impl Collect for Inequalities<'_, '_> {
    fn clause(&mut self, clause: &[Lit]) {
        if clause.is_empty() {
            return self.never();
        }
        let mut bound = 1;
        for &lit in clause {
            let coefficient = if lit.is_pos() { 1 } else { -1 };
            bound -= Value::from(lit.is_neg());
            term(self.0, coefficient, lit);
        }
        self.end(">= ", bound);
    }

    fn reserve(&mut self, _: u32) {}

    fn sums(&mut self) -> Option<&mut dyn CollectSums> {
        Some(self)
    }
}

impl CollectSums for Inequalities<'_, '_> {
    fn sum(&mut self, terms: &[(Value, Lit)], equal: bool, bound: Value) {
        let mut rest = bound;
        if terms.is_empty() {
            let holds = if equal { bound == 0 } else { bound <= 0 };
            return if holds { self.always() } else { self.never() };
        }
        for &(coefficient, lit) in terms {
            let negated = lit.is_neg();
            rest -= if negated { coefficient } else { 0 };
            term(self.0, if negated { -coefficient } else { coefficient }, lit);
        }
        self.end(if equal { "= " } else { ">= " }, rest);
    }
}

impl Target for Inequalities<'_, '_> {}
