//! Writes proofs in the format of VeriPB, version 3.

use std::collections::HashMap;
use std::io::{self, Write as _};

use rustc_hash::FxBuildHasher;
use rustsat::types::Lit;

use crate::block::Names;
use crate::line::{LineWriter, push_number};
use crate::row::Row;
use crate::substitution::Substitution;

/// The number of a formula row or of a derived inequality, counted from 1. Derived inequalities are numbered after the
/// rows.
pub type Id = u32;

/// Appends an inequality without a newline.
pub(crate) fn push_row(text: &mut Vec<u8>, row: &Row, names: &mut Names) {
    for &(coefficient, lit) in row.terms() {
        push_wide(text, coefficient);
        text.push(b' ');
        names.push(lit, text);
        text.push(b' ');
    }
    text.extend_from_slice(b">= ");
    push_wide(text, row.bound());
}

fn push_wide(text: &mut Vec<u8>, number: i128) {
    match u64::try_from(number) {
        Ok(number) => push_number(text, number),
        // Writing to a buffer can't fail.
        Err(_) => drop(write!(text, "{number}")),
    }
}

/// Writes the lines of a proof, and numbers the derived inequalities.
pub struct Writer<'a> {
    line: LineWriter<&'a mut dyn io::Write>,
    names: &'a mut Names,
    last: Id,
    kept: HashMap<Box<[Lit]>, Id, FxBuildHasher>,
    sums: HashMap<Id, Vec<(Vec<u64>, Id)>, FxBuildHasher>,
}

impl std::fmt::Debug for Writer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").field("last", &self.last).finish_non_exhaustive()
    }
}

/// A cutting-planes derivation, which adds up inequalities.
#[derive(Debug, Clone, Default)]
pub struct Line {
    /// The numbers of the inequalities, each with a positive factor.
    terms: Vec<(Id, u64)>,
    divisor: Option<u64>,
}

impl Line {
    /// Adds an inequality.
    pub fn add(&mut self, id: Id) {
        self.terms.push((id, 1));
    }

    /// Adds `factor` times an inequality. The factor must be positive.
    pub fn add_times(&mut self, id: Id, factor: u64) {
        self.terms.push((id, factor));
    }

    /// Divides the sum by a positive number, and rounds up. No inequality may be added afterwards.
    pub(crate) fn divide(&mut self, divisor: u64) {
        self.divisor = Some(divisor);
    }

    /// Returns whether the derivation has no inequalities yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Returns the number of the inequality if the derivation changes nothing.
    fn only(&self) -> Option<Id> {
        match self.terms[..] {
            [(id, 1)] if self.divisor.is_none() => Some(id),
            _ => None,
        }
    }
}

/// Appends a sum in reverse Polish notation. Both halves are added up first: in a chain of additions, the checker would
/// merge each inequality with the sum of all inequalities before it.
fn push_sum(text: &mut Vec<u8>, terms: &[(Id, u64)]) {
    match *terms {
        [] => {}
        [(id, factor)] => {
            text.push(b' ');
            push_number(text, id.into());
            if factor != 1 {
                text.push(b' ');
                push_number(text, factor);
                text.extend_from_slice(b" *");
            }
        }
        _ => {
            let (first, second) = terms.split_at(terms.len() / 2);
            push_sum(text, first);
            push_sum(text, second);
            text.extend_from_slice(b" +");
        }
    }
}

impl<'a> Writer<'a> {
    /// Starts a proof about a formula with `rows` rows.
    pub(crate) fn new(out: &'a mut dyn io::Write, names: &'a mut Names, rows: Id) -> Self {
        let mut line = LineWriter::new(out);
        line.text(&format!("pseudo-Boolean proof version 3.0\nf {rows};\n"));
        Self { line, names, last: rows, kept: HashMap::default(), sums: HashMap::default() }
    }

    /// Ends a line that derives an inequality.
    fn end(&mut self) -> io::Result<Id> {
        self.line.text(";\n");
        self.line.flush_if_full()?;
        self.last += 1;
        Ok(self.last)
    }

    /// Writes a cutting-planes derivation, and returns the number of the derived inequality. If the derivation consists
    /// of a single inequality, writes nothing and returns the number of this inequality.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn pol(&mut self, sum: &Line) -> io::Result<Id> {
        if let Some(id) = sum.only() {
            return Ok(id);
        }
        self.line.text("pol");
        push_sum(self.line.buffer(), &sum.terms);
        if let Some(divisor) = sum.divisor {
            self.line.text(" ");
            push_number(self.line.buffer(), divisor);
            self.line.text(" d");
        }
        self.end()
    }

    /// Derives a clause by unit propagation from its negation and the inequalities `hints`.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn rup(&mut self, clause: &[Lit], hints: &[Id]) -> io::Result<Id> {
        self.line.text("rup");
        for &lit in clause {
            self.line.text(" 1 ");
            self.names.push(lit, self.line.buffer());
        }
        self.line.text(" >= 1 : ~");
        for &hint in hints {
            self.line.text(" ");
            push_number(self.line.buffer(), hint.into());
        }
        self.end()
    }

    /// Derives an inequality by redundance-based strengthening. The checker must be able to verify this condition: if
    /// an assignment violates only this inequality, then making `witness` true yields an assignment that satisfies all
    /// inequalities.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn red(&mut self, row: &Row, witness: Lit) -> io::Result<Id> {
        self.line.text("red ");
        push_row(self.line.buffer(), row, self.names);
        self.line.text(" : ");
        self.names.push(witness.var().pos_lit(), self.line.buffer());
        self.line.text(if witness.is_pos() { " -> 1" } else { " -> 0" });
        self.end()
    }

    /// Defines and loads the order for dominance steps: u precedes v if the sum of the terms for u is at most the sum for v.
    /// All coefficients must be positive. Must precede all derivations.
    pub(crate) fn order(&mut self, terms: &[(i128, Lit)]) -> io::Result<()> {
        let [left, right, fresh] = ["u", "v", "w"]
            .map(|name| (0..terms.len()).map(|at| [" ", name, &at.to_string()].concat()).collect::<String>());
        self.line.text(&format!("def_order rank\nvars\nleft{left};\nright{right};\naux;\nend;\ndef\n"));
        for (at, (coefficient, _)) in terms.iter().enumerate() {
            self.line.text(&format!("{coefficient} ~u{at} {coefficient} v{at} "));
        }
        let bound = terms.iter().fold(0, |sum: i128, term| sum.saturating_add(term.0));
        self.line
            .text(&format!(">= {bound};\nend;\ntransitivity\nvars\nfresh_right{fresh};\nfresh_aux_1;\n"));
        self.line
            .text("fresh_aux_2;\nend;\nproof\nproofgoal #1\npol 1 2 + 3 +;\nqed : -1;\nqed;\nend;\nend;\n");
        self.line.text("load_order rank");
        for &(_, lit) in terms {
            self.line.text(" ");
            self.names.push(lit, self.line.buffer());
        }
        self.line.text(";\n");
        self.line.flush_if_full()
    }

    /// Derives a clause by dominance-based strengthening (Bogaerts, Gocht, `McCreesh`, Nordström: *Certified dominance and
    /// symmetry breaking for combinatorial optimisation*, JAIR 2023).
    ///
    /// `change` must map every assignment that satisfies all rows and violates the clause to an assignment that satisfies
    /// all rows and has a smaller [rank](crate::Formula::set_rank). So an assignment of the smallest rank satisfies the
    /// clause. The checker verifies the changed rows by unit propagation. `goals` lists the exceptions: for each pair
    /// (r, s), row s contradicts the negation of the changed row r.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn dom(&mut self, clause: &[Lit], change: &Substitution, goals: &[(Id, Id)]) -> io::Result<Id> {
        self.line.text("dom");
        for &lit in clause {
            self.line.text(" 1 ");
            self.names.push(lit, self.line.buffer());
        }
        self.line.text(" >= 1 :");
        for &lit in &change.made_true {
            self.line.text(" ");
            self.names.push(lit.var().pos_lit(), self.line.buffer());
            self.line.text(if lit.is_pos() { " -> 1" } else { " -> 0" });
        }
        for &(lit, by) in &change.replaced {
            self.line.text(" ");
            self.names.push(lit.var().pos_lit(), self.line.buffer());
            self.line.text(" -> ");
            self.names.push(if lit.is_pos() { by } else { !by }, self.line.buffer());
        }
        if !goals.is_empty() {
            self.line.text(" : subproof\n");
            for (row, by) in goals {
                self.line.text(&format!("proofgoal {row}\npol -1 {by} +;\nqed : -1;\n"));
            }
            self.line.text("qed");
            // The checker also numbers the negations of the clause and of the rows, and the sums.
            self.last += 1 + 2 * goals.len() as Id;
        }
        self.end()
    }

    /// Deletes derived inequalities.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn delete(&mut self, ids: &[Id]) -> io::Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        self.line.text("del id");
        for &id in ids {
            self.line.text(" ");
            push_number(self.line.buffer(), id.into());
        }
        self.line.text(";\n");
        self.line.flush_if_full()
    }

    /// Keeps a derived clause for later derivations. The clause must not be deleted.
    pub fn keep(&mut self, clause: &[Lit], id: Id) {
        self.kept.insert(clause.into(), id);
    }

    /// Returns the number of the clause if it was [kept](Self::keep) with the same literals in the same order.
    #[must_use]
    pub fn kept(&self, clause: &[Lit]) -> Option<Id> {
        self.kept.get(clause).copied()
    }

    /// Returns the derived sums that are kept for later derivations. Each sum adds up some rows of the constraint with
    /// the first row `first`. It is stored as a bit set of these rows, with the number of the derived inequality.
    pub fn sums(&mut self, first: Id) -> &mut Vec<(Vec<u64>, Id)> {
        self.sums.entry(first).or_default()
    }

    /// Returns the number of the last inequality.
    #[must_use]
    pub fn last(&self) -> Id {
        self.last
    }

    /// Concludes that the formula is unsatisfiable, because no assignment satisfies inequality `contradiction`. Returns
    /// the size of the proof in bytes.
    pub(crate) fn conclude(mut self, contradiction: Id) -> io::Result<u64> {
        self.line
            .text(&format!("output NONE;\nconclusion UNSAT : {contradiction};\nend pseudo-Boolean proof;\n"));
        self.line.finish()
    }

    /// Ends the proof without a conclusion about the formula.
    pub(crate) fn conclude_nothing(mut self) -> io::Result<u64> {
        self.line.text("output NONE;\nconclusion NONE;\nend pseudo-Boolean proof;\n");
        self.line.finish()
    }
}
