//! iCNF, the incremental variant of DIMACS: clauses and questions in turn. A line `a` asks under assumptions.
//!
//! Without an objective there is one question, without assumptions. With one, its bounds are asked for from the loosest to
//! the tightest, each after the clauses that it needs.

use gordian_encodings::{Collect, FALSE, Lit};

use super::dimacs::Clauses;
use super::text::Text;
use super::{Format, ObjectiveAs, Target};

pub(super) static ICNF: Format = Format {
    name: "icnf",
    extension: "icnf",
    summary: "CNF with questions under assumptions, for incremental solvers",
    objective: ObjectiveAs::Questions,
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
    fn question(&mut self, about: &str, assumptions: &[Lit]) {
        let text: &mut Text<'_> = self.0.0;
        // What can't be needs no question.
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
