//! The format WCNF of the MaxSAT evaluations since 2022. Hard clauses start with `h`, and soft clauses start with
//! their weight. There is no header.

use gordian_encodings::{Collect, Lit};

use super::text::Text;
use super::{Format, ObjectiveAs, Survey, Target};

pub(super) static WCNF: Format = Format {
    name: "wcnf",
    extension: "wcnf",
    summary: "hard and soft clauses for MaxSAT solvers, as of 2022",
    objective: ObjectiveAs::Cost,
    sums: false,
    comment: "c ",
    head: |_, _| {},
    begin: |_, _| {},
    writer: |text| Box::new(Hard(text)),
    end,
};

struct Hard<'t, 'w>(&'t mut Text<'w>);

impl Collect for Hard<'_, '_> {
    fn clause(&mut self, clause: &[Lit]) {
        self.0.bytes(b"h ");
        for &lit in clause {
            self.0.lit(lit);
        }
        self.0.end_constraint(b"0\n");
    }

    fn reserve(&mut self, _: u32) {}
}

impl Target for Hard<'_, '_> {
    fn query(&mut self, _: &str, _: &[Lit]) {}
}

fn end(survey: &Survey, text: &mut Text<'_>) {
    for &(weight, lit) in survey.cost.iter().flat_map(|cost| &cost.weights) {
        text.line(format_args!("{weight} {} 0", (!lit).to_ipasir()));
    }
}
