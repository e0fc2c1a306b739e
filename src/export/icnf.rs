//! The format iCNF, the incremental variant of DIMACS: clauses interleaved with queries. A line that starts with `a`
//! is a query under assumptions.
//!
//! Without an objective, there is one query, which has no assumptions. With an objective, there is one query for each
//! bound, from the loosest to the tightest. Each query follows the clauses that it needs.

use gordian_encodings::{Collect, FALSE, Lit};

use super::dimacs::Clauses;
use super::text::Text;
use super::{Format, ObjectiveAs, Target};

pub(super) static ICNF: Format = Format {
    name: "icnf",
    extension: "icnf",
    summary: "CNF with queries under assumptions for incremental solvers",
    objective: ObjectiveAs::Queries,
    sums: false,
    comment: "c ",
    head: |_, _| {},
    begin: |_, text| text.line(format_args!("p inccnf")),
    writer: |text| Box::new(Incremental(Clauses(text))),
    end: |_, _| {},
};

struct Incremental<'t, 'w>(Clauses<'t, 'w>);

impl Collect for Incremental<'_, '_> {
    fn clause(&mut self, clause: &[Lit]) {
        self.0.clause(clause);
    }

    fn reserve(&mut self, _: u32) {}
}

impl Target for Incremental<'_, '_> {
    fn query(&mut self, about: &str, assumptions: &[Lit]) {
        let text: &mut Text<'_> = self.0.0;
        // A query that assumes `FALSE` is unsatisfiable and can't be written.
        if assumptions.contains(&FALSE) {
            return;
        }
        text.line(format_args!("c {about}"));
        text.bytes(b"a ");
        for &lit in assumptions {
            text.lit(lit);
        }
        text.bytes(b"0\n");
    }
}
