//! WCNF, as used in the MaxSAT evaluations since 2022. Hard clauses start with `h`, and soft clauses start with their
//! weight. There is no header.

use super::dimacs::ClauseWriter;
use super::text::FormulaText;
use super::{Format, ObjectiveAs, Survey};

pub(super) static WCNF: Format = Format {
    name: "wcnf",
    extension: "wcnf",
    summary: "hard and soft clauses for MaxSAT solvers, as of 2022",
    objective: ObjectiveAs::Cost,
    sums: false,
    comment: "c ",
    head: |_, _| {},
    begin: |_, _| {},
    writer: |text| Box::new(ClauseWriter { text, start: b"h " }),
    end,
};

fn end(survey: &Survey, text: &mut FormulaText<'_>) {
    for &(weight, lit) in survey.cost.iter().flat_map(|cost| &cost.weights) {
        text.line(format_args!("{weight} {} 0", (!lit).to_ipasir()));
    }
}
