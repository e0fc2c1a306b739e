//! The format DIMACS CNF, which SAT solvers and model counters read.

use gordian_encodings::{Collect, Lit};

use super::text::Text;
use super::{Format, ObjectiveAs, Survey, Target};

pub(super) static DIMACS: Format = Format {
    name: "dimacs",
    extension: "cnf",
    summary: "CNF for SAT solvers and model counters",
    objective: ObjectiveAs::Nothing,
    sums: false,
    comment: "c ",
    head: |_, _| {},
    begin,
    writer: |text| Box::new(Clauses(text)),
    end: |_, _| {},
};

fn begin(survey: &Survey, text: &mut Text<'_>) {
    text.line(format_args!("p cnf {} {}", survey.variables, survey.constraints));
}

/// Writes each clause on a line.
pub(super) struct Clauses<'t, 'w>(pub(super) &'t mut Text<'w>);

impl Collect for Clauses<'_, '_> {
    fn clause(&mut self, clause: &[Lit]) {
        for &lit in clause {
            self.0.lit(lit);
        }
        self.0.end_constraint(b"0\n");
    }

    fn reserve(&mut self, _: u32) {}
}

impl Target for Clauses<'_, '_> {
    fn query(&mut self, _: &str, _: &[Lit]) {}
}
