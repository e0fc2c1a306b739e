//! iCNF, the incremental variant of DIMACS: clauses and solver calls in any order. A line that starts with `a` is a
//! solver call under assumptions.
//!
//! Without an objective, there is one solver call, which has no assumptions. With an objective, there is one call for
//! each bound, from the loosest to the tightest. The clauses that a solver call needs come before the call.

use super::dimacs::ClauseWriter;
use super::{Format, ObjectiveAs};

pub(super) static ICNF: Format = Format {
    name: "icnf",
    extension: "icnf",
    summary: "CNF with queries under assumptions for incremental solvers",
    objective: ObjectiveAs::Queries,
    sums: false,
    comment: "c ",
    head: |_, _| {},
    begin: |_, text| text.line(format_args!("p inccnf")),
    writer: |text| Box::new(ClauseWriter { text, start: b"" }),
    end: |_, _| {},
};
