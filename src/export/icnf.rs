//! The format iCNF, the incremental variant of DIMACS: clauses interleaved with queries. A line that starts with `a`
//! is a query under assumptions.
//!
//! Without an objective, there is one query, which has no assumptions. With an objective, there is one query for each
//! bound, from the loosest to the tightest. Each query follows the clauses that it needs.

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
