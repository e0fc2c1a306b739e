//! Formulas of linear inequalities, which state the problem that a proof refers to.

use std::collections::HashMap;
use std::hash::BuildHasher as _;
use std::io;
use std::sync::Arc;

use rustc_hash::FxBuildHasher;
use rustsat::types::Lit;

use crate::block::{Block, BlockPlace, FIRST_OWN, Names, RowWriter};
use crate::line::LineWriter;
use crate::row::Row;
use crate::veripb::{Id, push_row};

/// A list of linear inequalities over named Boolean variables, without repeated or trivial inequalities.
#[derive(Debug, Clone, Default)]
pub struct Formula {
    /// The rows outside blocks, each with its number, counted from 1.
    rows: Vec<(Id, Row)>,
    /// Maps the hash value of each row outside blocks to the number of the row.
    ids: HashMap<u64, Id, FxBuildHasher>,
    /// The blocks, each with the number of preceding rows that belong to no block.
    blocks: Vec<(usize, Arc<dyn Block>)>,
    /// The total numbers of rows and of new variables in all blocks.
    in_blocks: (Id, u32),
    names: Names,
    /// The disjunctions that replace literals in the rows.
    disjunctions: HashMap<Lit, Vec<Lit>, FxBuildHasher>,
    /// The original inequalities whose literals were replaced, each with the number of the resulting row.
    sums: Vec<(Id, Row)>,
    /// True if a row was left out because a literal in it can't be replaced by its disjunction.
    incomplete: bool,
    /// The comments, each with the number of preceding rows that belong to no block.
    comments: Vec<(usize, String)>,
    /// The terms whose sum is the rank of an assignment; see [`Formula::set_rank`].
    rank: Vec<(i128, Lit)>,
}

impl Formula {
    /// Sets the name of a variable. Call this function before a row with the variable is written. Calls with a negative
    /// literal, or for a variable that already has a name, are ignored.
    pub fn name(&mut self, lit: Lit, name: &str) {
        if lit.is_pos() {
            self.names.set(lit.vidx32(), name);
        }
    }

    /// Returns the position of the block that will be added next.
    #[must_use]
    pub fn next_block(&self) -> BlockPlace {
        let number = self.blocks.len() as u32 + 1;
        BlockPlace { number, first_row: self.len() + 1, first_variable: FIRST_OWN + self.in_blocks.1 }
    }

    /// Adds a block. The argument `rows` is the number of its rows, `variables` is the number of its variables that do
    /// not exist in the solver, and `lits` contains the literals of the solver that occur in the rows.
    pub fn add_block(&mut self, block: Arc<dyn Block>, rows: Id, variables: u32, lits: &[Lit]) {
        // The rows of a block can't be changed, so their literals can't be replaced by disjunctions.
        self.incomplete |= lits.iter().any(|&lit| self.disjunction(lit).or(self.disjunction(!lit)).is_some());
        self.names.add_block(self.next_block().first_variable, Arc::clone(&block));
        self.blocks.push((self.rows.len(), block));
        self.in_blocks = (self.in_blocks.0 + rows, self.in_blocks.1 + variables);
    }

    /// Sets the rank of an assignment, for [dominance](crate::Writer::dom): the sum of the terms. All coefficients must be
    /// positive.
    pub fn set_rank(&mut self, terms: &[(i128, Lit)]) {
        self.rank = terms.to_vec();
    }

    /// Returns the rank of an assignment.
    pub(crate) fn rank(&self) -> &[(i128, Lit)] {
        &self.rank
    }

    /// Adds a comment before the next row.
    pub fn comment(&mut self, text: &str) {
        if !text.is_empty() {
            self.comments.push((self.rows.len(), text.replace(['\n', '\r'], " ")));
        }
    }

    /// Replaces a literal by the disjunction of `lits` in all rows that are added from now on.
    pub(crate) fn replace(&mut self, lit: Lit, lits: &[Lit]) {
        if !lits.is_empty() {
            self.disjunctions.insert(lit, lits.to_vec());
        }
    }

    /// Returns the disjunction that replaces a literal, if any.
    pub(crate) fn disjunction(&self, lit: Lit) -> Option<&[Lit]> {
        self.disjunctions.get(&lit).map(Vec::as_slice)
    }

    /// Returns whether a row was left out because a literal in it can't be replaced by its disjunction.
    pub(crate) fn is_incomplete(&self) -> bool {
        self.incomplete
    }

    /// Replaces literals in a row by their disjunctions. Returns the new row, and whether the proof must derive the
    /// original row from the new one. Returns `None` if a literal can't be replaced.
    fn replaced(&self, row: &Row) -> Option<(Row, bool)> {
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

    /// Replaces literals in a sum by their disjunctions. A literal with a disjunction of n literals becomes the sum of
    /// these literals. The negation of such a literal becomes the sum of the n negated literals, minus `n - 1`. The
    /// latter is correct only if at most one of the n literals is true, so the result is `None` if the formula has no
    /// row that states this.
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

    /// Returns the number of the row stating that at most one of the literals is true, or `None` if the formula does
    /// not contain this row.
    pub(crate) fn at_most_one(&self, lits: &[Lit]) -> Option<Id> {
        self.find(&Row::at_most(lits.iter().map(|&lit| (1, lit)), 1).ok()?)
    }

    /// Returns the original inequalities whose literals were replaced, each with the number of the resulting row.
    pub(crate) fn sums(&self) -> &[(Id, Row)] {
        &self.sums
    }

    /// Adds a row and returns its number. A trivial row is not added. A row that is already in the formula keeps its
    /// number.
    pub fn add(&mut self, row: Row) -> Option<Id> {
        if row.is_trivial() {
            return None;
        }
        let replaces = |&(_, lit): &(i128, Lit)| self.disjunction(lit).or(self.disjunction(!lit)).is_some();
        let (row, sum) = if self.disjunctions.is_empty() || !row.terms().iter().any(replaces) {
            (row, None)
        } else {
            let Some((replaced, is_sum)) = self.replaced(&row) else {
                self.incomplete = true;
                return None;
            };
            if replaced.is_trivial() {
                return None;
            }
            (replaced, is_sum.then_some(row))
        };
        let id = self.find(&row).unwrap_or_else(|| {
            let id = self.len() + 1;
            self.ids.insert(FxBuildHasher.hash_one(&row), id);
            self.rows.push((id, row));
            id
        });
        self.sums.extend(sum.map(|sum| (id, sum)));
        Some(id)
    }

    /// Returns the number of a row outside blocks, or `None` if the formula does not contain it.
    #[must_use]
    pub fn find(&self, row: &Row) -> Option<Id> {
        self.ids.get(&FxBuildHasher.hash_one(row)).copied().filter(|&id| self.row(id) == row)
    }

    /// Returns the row outside blocks with the given number, counted from 1.
    ///
    /// # Panics
    /// Panics if there is no such row, or if it belongs to a block.
    #[must_use]
    pub fn row(&self, id: Id) -> &Row {
        let found = self.rows.binary_search_by_key(&id, |&(id, _)| id);
        &self.rows[found.expect("a row outside blocks")].1
    }

    /// Returns the rows outside blocks, each with its number.
    pub(crate) fn rows(&self) -> &[(Id, Row)] {
        &self.rows
    }

    /// Returns the number of rows.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "memory holds fewer rows")]
    pub fn len(&self) -> Id {
        Id::try_from(self.rows.len()).expect("a formula has fewer than 2^32 rows") + self.in_blocks.0
    }

    /// Returns whether the formula has no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the name of a variable of the solver, if it has one.
    pub(crate) fn name_of(&self, variable: u32) -> Option<&str> {
        self.names.of(variable)
    }

    pub(crate) fn names(&mut self) -> &mut Names {
        &mut self.names
    }

    /// Writes the formula in OPB format and returns its size in bytes.
    ///
    /// # Errors
    /// Returns an error if writing to `out` fails.
    pub fn write(&mut self, out: &mut dyn io::Write) -> io::Result<u64> {
        let constraints = self.len();
        let Self { rows, blocks, names, comments, in_blocks, .. } = self;
        let mut occurs = Vec::new();
        for &(_, lit) in rows.iter().flat_map(|(_, row)| row.terms()) {
            occurs.resize(occurs.len().max(lit.vidx() + 1), false);
            occurs[lit.vidx()] = true;
        }
        let variables = occurs.iter().filter(|&&occurs| occurs).count() + in_blocks.1 as usize;
        let mut line = LineWriter::new(out);
        line.text(&format!("* #variable= {variables} #constraint= {constraints}\n"));
        let mut comments = comments.iter().peekable();
        let mut blocks = blocks.iter().peekable();
        for index in 0..=rows.len() {
            while let Some((_, text)) = comments.next_if(|(before, _)| *before == index) {
                line.text(&format!("* {text}\n"));
            }
            while let Some((_, block)) = blocks.next_if(|(before, _)| *before == index) {
                block.write(&mut RowWriter::new(&mut line, names))?;
            }
            if let Some((_, row)) = rows.get(index) {
                push_row(line.buffer(), row, names);
                line.text(" ;\n");
                line.flush_if_full()?;
            }
        }
        line.finish()
    }
}
