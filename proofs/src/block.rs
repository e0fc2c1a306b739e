//! The names of variables, and the blocks of a formula. The rows and variables of a block are computed when they are
//! written.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;
use std::{fmt, io};

use rustc_hash::FxBuildHasher;
use rustsat::types::Lit;

use crate::line::{LineWriter, push_number};

/// A group of rows and variables of a formula. Large formulas consist mostly of rows that few proofs use, and a block
/// can compute them instead of storing them.
pub trait Block: fmt::Debug + Send + Sync {
    /// Writes the rows in the order of their numbers.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    fn write(&self, rows: &mut RowWriter<'_, '_>) -> io::Result<()>;

    /// Appends the name of a variable to a text. The variables of the block are numbered from 0. Their names start with
    /// `flow_` or `root_` and end with a digit.
    fn push_name(&self, variable: u32, text: &mut Vec<u8>);
}

/// The position of a block in a formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockPlace {
    /// The number of the block, counted from 1.
    pub number: u32,
    /// The number of the first row.
    pub first_row: u32,
    /// The index of the first variable.
    pub first_variable: u32,
}

/// Writes the rows of a block: for each row, first the terms and then the bound.
pub struct RowWriter<'w, 'o> {
    line: &'w mut LineWriter<&'o mut dyn io::Write>,
    names: &'w mut Names,
}

impl fmt::Debug for RowWriter<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RowWriter").finish_non_exhaustive()
    }
}

impl<'w, 'o> RowWriter<'w, 'o> {
    pub(crate) fn new(line: &'w mut LineWriter<&'o mut dyn io::Write>, names: &'w mut Names) -> Self {
        Self { line, names }
    }

    /// Writes a term with a positive coefficient and a literal of the solver.
    pub fn term(&mut self, coefficient: u64, lit: Lit) {
        let text = self.line.buffer();
        push_number(text, coefficient);
        text.push(b' ');
        self.names.push(lit, text);
        text.push(b' ');
    }

    /// Writes a term with a positive coefficient and a variable of the block.
    pub fn own_term(&mut self, coefficient: u64, block: &impl Block, variable: u32, negated: bool) {
        let text = self.line.buffer();
        push_number(text, coefficient);
        text.extend_from_slice(if negated { b" ~" } else { b" " });
        block.push_name(variable, text);
        text.push(b' ');
    }

    /// Writes terms that are already formatted. Each term ends with a space.
    pub fn terms(&mut self, text: &[u8]) {
        self.line.buffer().extend_from_slice(text);
    }

    /// Ends the row, which states that the sum of the terms is at least `bound`.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn end(&mut self, bound: u64) -> io::Result<()> {
        let text = self.line.buffer();
        text.extend_from_slice(b">= ");
        push_number(text, bound);
        text.extend_from_slice(b" ;\n");
        self.line.flush_if_full()
    }
}

/// The lowest index of a variable that occurs in a formula but not in the solver. The variables of a solver have
/// smaller indices.
pub(crate) const FIRST_OWN: u32 = 1 << 30;

/// The prefixes of the names of variables in [blocks](Block).
const OF_BLOCKS: [&str; 2] = ["flow_", "root_"];

/// The names of variables. No two variables have the same name.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    /// The names of the solver's variables.
    of: Vec<Option<Box<str>>>,
    /// The hash values of the names. They are computed with [`DefaultHasher`], because the value stands for the name:
    /// a faster function can have the same value for similar names.
    taken: HashSet<u64, FxBuildHasher>,
    /// The blocks, each with the index of its first variable.
    blocks: Vec<(u32, Arc<dyn Block>)>,
}

impl Names {
    /// Names a variable of the solver. A variable that already has a name keeps this name.
    pub(crate) fn set(&mut self, variable: u32, name: &str) {
        let index = variable as usize;
        if self.of.len() <= index {
            self.of.resize(index + 1, None);
        }
        if self.of[index].is_some() {
            return;
        }
        // The checker accepts letters, digits and underscores. `sea(2,5)` becomes `sea_2_5`.
        let word = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let mut name: String = name.trim_end_matches(')').chars().map(word).collect();
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            name.insert(0, 'v');
        }
        // The underscore prevents a clash with the names of variables in blocks, which end with a digit.
        if OF_BLOCKS.iter().any(|start| name.starts_with(start)) {
            name.push('_');
        }
        // Underscores are appended until no other name has the same hash value.
        let hash = |name: &str| {
            let mut hasher = DefaultHasher::new();
            name.hash(&mut hasher);
            hasher.finish()
        };
        while !self.taken.insert(hash(&name)) {
            name.push('_');
        }
        self.of[index] = Some(name.into());
    }

    /// Returns the name of a variable of the solver, or `None` if it has no name.
    pub(crate) fn of(&self, variable: u32) -> Option<&str> {
        self.of.get(variable as usize)?.as_deref()
    }

    /// Adds a block of variables with consecutive indices from `first`.
    pub(crate) fn add_block(&mut self, first: u32, block: Arc<dyn Block>) {
        self.blocks.push((first, block));
    }

    /// Appends a literal to a text. A variable of the solver without a name is named `x` followed by its number,
    /// counted from 1.
    pub(crate) fn push(&mut self, lit: Lit, text: &mut Vec<u8>) {
        if lit.is_neg() {
            text.push(b'~');
        }
        let variable = lit.vidx32();
        if variable >= FIRST_OWN {
            let block = self.blocks.partition_point(|&(first, _)| first <= variable).checked_sub(1);
            if let Some((first, block)) = block.map(|block| &self.blocks[block]) {
                block.push_name(variable - first, text);
            }
            return;
        }
        let known = |names: &Self| names.of.get(variable as usize).is_some_and(Option::is_some);
        if !known(self) {
            self.set(variable, &format!("x{}", variable + 1));
        }
        text.extend_from_slice(self.of[variable as usize].as_deref().unwrap_or_default().as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_in_digits_stay_as_they_are() {
        let mut names = Names::default();
        for value in 0..10_000 {
            names.set(value, &format!("h_le_{value}"));
            assert_eq!(names.of(value), Some(&*format!("h_le_{value}")));
        }
        names.set(10_000, "h_le_1");
        assert_eq!(names.of(10_000), Some("h_le_1_"));
    }
}
