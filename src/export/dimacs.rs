//! DIMACS CNF, the input format of SAT solvers and model counters.

use gordian_encodings::{Collect, FALSE, Lit};

use super::text::FormulaText;
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
    writer: |text| Box::new(ClauseWriter { text, start: b"" }),
    end: |_, _| {},
};

fn begin(survey: &Survey, text: &mut FormulaText<'_>) {
    text.line(format_args!("p cnf {} {}", survey.variables, survey.constraints));
}

/// Writes one clause per line.
pub(super) struct ClauseWriter<'t, 'w> {
    pub(super) text: &'t mut FormulaText<'w>,
    /// The text at the start of each line.
    pub(super) start: &'static [u8],
}

impl Collect for ClauseWriter<'_, '_> {
    fn clause(&mut self, clause: &[Lit]) {
        self.text.bytes(self.start);
        for &lit in clause {
            self.text.lit(lit);
        }
        self.text.end_constraint(b"0\n");
    }

    fn reserve(&mut self, _: u32) {}
}

impl Target for ClauseWriter<'_, '_> {
    fn query(&mut self, about: &str, assumptions: &[Lit]) {
        // The format has no constants, so a call under the assumption `FALSE` is left out. Its result would be
        // unsatisfiable anyway.
        if assumptions.contains(&FALSE) {
            return;
        }
        self.text.line(format_args!("c {about}"));
        self.text.bytes(b"a ");
        for &lit in assumptions {
            self.text.lit(lit);
        }
        self.text.bytes(b"0\n");
    }
}
