//! Writes proofs in the format of VeriPB, version 3.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::io;

use rustsat::types::Lit;

use crate::hash::{BuildMultiply, hash};
use crate::row::Row;

/// The number of a row of the formula or of a derived inequality, from 1. Derived inequalities continue the numbers of
/// the formula.
pub type Id = u32;

/// The names of variables. No two variables have the same name.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    of: HashMap<u32, String, BuildMultiply>,
    /// The hash values of the names.
    taken: HashSet<u64, BuildMultiply>,
}

impl Names {
    /// Names a variable. A variable that already has a name keeps it.
    pub(crate) fn set(&mut self, variable: u32, name: &str) {
        if self.of.contains_key(&variable) {
            return;
        }
        // The checker accepts letters, digits and underscores. `sea(2,5)` becomes `sea_2_5`.
        let word = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let mut name: String = name.trim_end_matches(')').chars().map(word).collect();
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            name.insert(0, 'v');
        }
        // A different name with the same hash value also gets an underscore. Such collisions are rare and do no harm.
        while !self.taken.insert(hash(&name)) {
            name.push('_');
        }
        self.of.insert(variable, name);
    }

    /// Returns the name of a variable. A variable without a name gets the name `x` and its number from 1.
    pub(crate) fn get(&mut self, variable: u32) -> &str {
        if !self.of.contains_key(&variable) {
            self.set(variable, &format!("x{}", variable + 1));
        }
        &self.of[&variable]
    }
}

/// A buffer for lines.
#[derive(Debug)]
pub(crate) struct LineWriter<O> {
    out: O,
    buffer: String,
    bytes: u64,
}

/// The size in bytes at which a buffer is written.
const FULL: usize = 1 << 16;

impl<O: io::Write> LineWriter<O> {
    pub(crate) fn new(out: O) -> Self {
        Self { out, buffer: String::new(), bytes: 0 }
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.buffer.push_str(text);
    }

    fn number(&mut self, number: impl std::fmt::Display) {
        // Writing to a string can't fail.
        let _ = write!(self.buffer, " {number}");
    }

    fn lit(&mut self, lit: Lit, names: &mut Names) {
        self.buffer.push_str(if lit.is_pos() { " " } else { " ~" });
        self.buffer.push_str(names.get(lit.vidx32()));
    }

    /// Appends an inequality without a newline.
    pub(crate) fn row(&mut self, row: &Row, names: &mut Names) {
        let start = self.buffer.len();
        for &(coefficient, lit) in row.terms() {
            // Numbers of 64 bits are written faster than those of 128 bits.
            match u64::try_from(coefficient) {
                Ok(coefficient) => self.number(coefficient),
                Err(_) => self.number(coefficient),
            }
            self.lit(lit, names);
        }
        let _ = write!(self.buffer, " >= {}", row.bound());
        self.buffer.remove(start);
    }

    pub(crate) fn flush_if_full(&mut self) -> io::Result<()> {
        if self.buffer.len() >= FULL { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(self.buffer.as_bytes())?;
        self.bytes += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// Writes the rest and returns the number of bytes.
    pub(crate) fn finish(mut self) -> io::Result<u64> {
        self.flush()?;
        self.out.flush()?;
        Ok(self.bytes)
    }
}

/// A writer of the lines of a proof. It numbers the derived inequalities.
pub struct Writer<'a> {
    line: LineWriter<&'a mut dyn io::Write>,
    names: &'a mut Names,
    last: Id,
}

impl std::fmt::Debug for Writer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").field("last", &self.last).finish_non_exhaustive()
    }
}

/// A cutting-planes derivation in reverse Polish notation, which adds up inequalities.
#[derive(Debug, Clone, Default)]
pub struct Line {
    text: String,
    terms: usize,
    only: Option<Id>,
}

impl Line {
    /// Adds an inequality.
    pub fn add(&mut self, id: Id) {
        let _ = write!(self.text, " {id}{}", if self.terms == 0 { "" } else { " +" });
        self.only = (self.terms == 0).then_some(id);
        self.terms += 1;
    }

    /// Adds an inequality, multiplied with `factor`, which must be positive.
    pub fn add_times(&mut self, id: Id, factor: u64) {
        if factor == 1 {
            return self.add(id);
        }
        let _ = write!(self.text, " {id} {factor} *{}", if self.terms == 0 { "" } else { " +" });
        self.only = None;
        self.terms += 1;
    }

    /// Divides the sum by a positive number, and rounds up.
    pub(crate) fn divide(&mut self, divisor: u64) {
        let _ = write!(self.text, " {divisor} d");
        self.only = None;
    }

    /// Returns whether nothing was added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms == 0
    }
}

impl<'a> Writer<'a> {
    /// Starts a proof about a formula with `rows` rows.
    pub(crate) fn new(out: &'a mut dyn io::Write, names: &'a mut Names, rows: Id) -> Self {
        let mut line = LineWriter::new(out);
        line.text(&format!("pseudo-Boolean proof version 3.0\nf {rows};\n"));
        Self { line, names, last: rows }
    }

    /// Ends a line that derives an inequality.
    fn end(&mut self) -> io::Result<Id> {
        self.line.text(";\n");
        self.line.flush_if_full()?;
        self.last += 1;
        Ok(self.last)
    }

    /// Derives the result of a cutting-planes derivation. If the derivation is a single inequality, writes nothing
    /// and returns its number.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn pol(&mut self, sum: &Line) -> io::Result<Id> {
        if let Some(id) = sum.only {
            return Ok(id);
        }
        self.line.text("pol");
        self.line.text(&sum.text);
        self.end()
    }

    /// Derives a clause by unit propagation from its negation and the inequalities `hints`.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn rup(&mut self, clause: &[Lit], hints: &[Id]) -> io::Result<Id> {
        self.line.text("rup");
        for &lit in clause {
            self.line.text(" 1");
            self.line.lit(lit, self.names);
        }
        self.line.text(" >= 1 : ~");
        for &hint in hints {
            self.line.number(hint);
        }
        self.end()
    }

    /// Derives an inequality by redundance-based strengthening. The checker must be able to verify this condition: if
    /// an assignment satisfies all other inequalities but not this one, it satisfies all of them after `witness` is
    /// made true.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn red(&mut self, row: &Row, witness: Lit) -> io::Result<Id> {
        self.line.text("red ");
        self.line.row(row, self.names);
        self.line.text(" : ");
        self.line.text(self.names.get(witness.vidx32()));
        self.line.text(if witness.is_pos() { " -> 1" } else { " -> 0" });
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
            self.line.number(id);
        }
        self.line.text(";\n");
        self.line.flush_if_full()
    }

    /// Returns the number of the last inequality.
    #[must_use]
    pub fn last(&self) -> Id {
        self.last
    }

    /// Concludes that the formula is unsatisfiable, because inequality `contradiction` is never satisfied. Returns the
    /// size of the proof in bytes.
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
