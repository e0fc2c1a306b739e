//! Formulas of linear inequalities, which state what a proof is about.

use std::collections::{HashMap, HashSet};
use std::io;

use rustsat::types::Lit;

use crate::hash::{BuildMultiply, hash};
use crate::row::Row;
use crate::veripb::{Id, LineWriter, Names};

/// The index of the first variable that occurs in a formula but not in the solver. The variables of a solver have
/// smaller indices.
const FIRST_OWN: u32 = 1 << 30;

/// A list of linear inequalities over named Boolean variables, without repeated or trivial inequalities.
#[derive(Debug, Clone, Default)]
pub struct Formula {
    rows: Vec<Row>,
    /// The number of each row, from 1, by the hash value of the row.
    ids: HashMap<u64, Id, BuildMultiply>,
    names: Names,
    own: u32,
    /// The disjunctions that replace literals in the rows.
    disjunctions: HashMap<Lit, Vec<Lit>, BuildMultiply>,
    /// The original form of each inequality in which literals were replaced, with the number of the resulting row.
    sums: Vec<(Id, Row)>,
    /// True if a row was left out because a literal in it can't be replaced by its disjunction.
    incomplete: bool,
    /// For each sort of object, the last number that [`Formula::next_number`] returned.
    numbers: HashMap<&'static str, u32>,
    /// The comments, each with the number of rows before it.
    comments: Vec<(usize, String)>,
}

impl Formula {
    /// Sets the name of a variable. Call this function before a row with the variable is written. A negative literal
    /// and a variable that already has a name are ignored.
    pub fn name(&mut self, lit: Lit, name: &str) {
        if lit.is_pos() {
            self.names.set(lit.vidx32(), name);
        }
    }

    /// Creates a variable that the solver does not have.
    ///
    /// # Panics
    /// Panics if more than 2^30 - 2 variables are created.
    pub fn variable(&mut self, name: &str) -> Lit {
        let lit = Lit::positive(FIRST_OWN + self.own);
        self.own += 1;
        self.names.set(lit.vidx32(), name);
        lit
    }

    /// Returns the next number, counted from 1, for objects of the given sort. Such numbers make the names of
    /// variables distinct.
    pub fn next_number(&mut self, sort: &'static str) -> u32 {
        let last = self.numbers.entry(sort).or_default();
        *last += 1;
        *last
    }

    /// Adds a comment before the next row.
    pub fn comment(&mut self, text: &str) {
        if !text.is_empty() {
            self.comments.push((self.rows.len(), text.replace(['\n', '\r'], " ")));
        }
    }

    /// Replaces a literal by the disjunction of `lits` in all clauses that are added from now on.
    pub(crate) fn replace(&mut self, lit: Lit, lits: &[Lit]) {
        if !lits.is_empty() {
            self.disjunctions.insert(lit, lits.to_vec());
        }
    }

    /// Returns the disjunction that replaces a literal, if there is one.
    pub(crate) fn disjunction(&self, lit: Lit) -> Option<&[Lit]> {
        self.disjunctions.get(&lit).map(Vec::as_slice)
    }

    /// Returns whether a row was left out because a literal in it can't be replaced by its disjunction.
    pub(crate) fn is_incomplete(&self) -> bool {
        self.incomplete
    }

    /// Replaces literals in a row by their disjunctions. Returns the new row, and whether the proof must derive the
    /// original row from it. Returns `None` if a literal can't be replaced.
    fn replaced(&self, row: &Row) -> Option<(Row, bool)> {
        let replaces = |&(_, lit): &(i128, Lit)| self.disjunction(lit).or(self.disjunction(!lit)).is_some();
        if self.disjunctions.is_empty() || !row.terms().iter().any(replaces) {
            return Some((row.clone(), false));
        }
        let lits: Vec<Lit> = row.terms().iter().map(|&(_, lit)| lit).collect();
        if *row != Row::clause(&lits) {
            return Some((self.replaced_sum(row)?, true));
        }
        let mut clause = Vec::new();
        for &lit in &lits {
            match (self.disjunction(lit), self.disjunction(!lit)) {
                (Some(disjunction), _) => clause.extend(disjunction),
                (_, Some(disjunction)) if disjunction.iter().all(|lit| lits.contains(lit)) => {
                    return Some((Row::at_least([], 0).ok()?, false));
                }
                (_, Some(_)) => return Some((self.replaced_sum(row)?, true)),
                (None, None) => clause.push(lit),
            }
        }
        Some((Row::clause(&clause), false))
    }

    /// Replaces literals in a sum by their disjunctions. A disjunction of n literals is replaced by the sum of the
    /// literals. Its negation is replaced by the sum of the negated literals, minus n - 1. This is correct if at most
    /// one of the literals is true. Returns `None` if the formula does not state this.
    fn replaced_sum(&self, row: &Row) -> Option<Row> {
        let mut terms = Vec::new();
        let mut bound = row.bound();
        for &(coefficient, lit) in row.terms() {
            match (self.disjunction(lit), self.disjunction(!lit)) {
                (Some(lits), _) => terms.extend(lits.iter().map(|&lit| (coefficient, lit))),
                (None, None) => terms.push((coefficient, lit)),
                (None, Some(lits)) => {
                    if lits.len() > 1 {
                        self.at_most_one(lits)?;
                    }
                    terms.extend(lits.iter().map(|&lit| (coefficient, !lit)));
                    let more = i128::try_from(lits.len() - 1).ok()?;
                    bound = bound.checked_add(coefficient.checked_mul(more)?)?;
                }
            }
        }
        Row::at_least(terms, bound).ok()
    }

    /// Returns the number of the row which states that at most one of the literals is true, if the formula has this
    /// row.
    pub(crate) fn at_most_one(&self, lits: &[Lit]) -> Option<Id> {
        self.find(&Row::at_most(lits.iter().map(|&lit| (1, lit)), 1).ok()?)
    }

    /// Returns the original form of each inequality in which literals were replaced, with the number of the resulting
    /// row.
    pub(crate) fn sums(&self) -> &[(Id, Row)] {
        &self.sums
    }

    /// Adds a row and returns its number. A trivial row is not added. A row that is already in the formula keeps its
    /// number.
    pub fn add(&mut self, row: Row) -> Option<Id> {
        if row.is_trivial() {
            return None;
        }
        let Some((replaced, is_sum)) = self.replaced(&row) else {
            self.incomplete = true;
            return None;
        };
        if replaced.is_trivial() {
            return None;
        }
        let sum = is_sum.then_some(row);
        let row = replaced;
        let id = self.find(&row).unwrap_or_else(|| {
            self.ids.insert(hash(&row), self.len() + 1);
            self.rows.push(row);
            self.len()
        });
        self.sums.extend(sum.map(|sum| (id, sum)));
        Some(id)
    }

    /// Returns the number of a row, or `None` if the formula does not have it.
    #[must_use]
    pub fn find(&self, row: &Row) -> Option<Id> {
        self.ids.get(&hash(row)).copied().filter(|&id| self.row(id) == row)
    }

    /// Returns a row by its number, which counts from 1.
    ///
    /// # Panics
    /// Panics if there is no such row.
    #[must_use]
    pub fn row(&self, id: Id) -> &Row {
        &self.rows[id as usize - 1]
    }

    pub(crate) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Returns the number of rows.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "memory holds fewer rows")]
    pub fn len(&self) -> Id {
        Id::try_from(self.rows.len()).expect("a formula has fewer than 2^32 rows")
    }

    /// Returns whether the formula has no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub(crate) fn names(&mut self) -> &mut Names {
        &mut self.names
    }

    /// Writes the formula in OPB format and returns its size in bytes.
    ///
    /// # Errors
    /// Returns an error if writing to `out` fails.
    pub fn write(&mut self, out: &mut dyn io::Write) -> io::Result<u64> {
        let Self { rows, names, comments, .. } = self;
        let variables: HashSet<u32, BuildMultiply> =
            rows.iter().flat_map(Row::terms).map(|(_, lit)| lit.vidx32()).collect();
        let mut line = LineWriter::new(out);
        line.text(&format!("* #variable= {} #constraint= {}\n", variables.len(), rows.len()));
        let mut comments = comments.iter().peekable();
        for (index, row) in rows.iter().enumerate() {
            while let Some((_, text)) = comments.next_if(|(before, _)| *before == index) {
                line.text(&format!("* {text}\n"));
            }
            line.row(row, names);
            line.text(" ;\n");
            line.flush_if_full()?;
        }
        line.finish()
    }
}
