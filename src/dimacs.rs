//! Reads formulas in DIMACS CNF, KNF and WCNF clause by clause, and the [output of solvers](solver_output).
//!
//! Both WCNF formats are supported: the format of 2022, with `h` for hard clauses and no header, and the earlier
//! format, with the header `p wcnf VARIABLES CLAUSES TOP`.
//!
//! KNF is CNF with the header `p knf VARIABLES CONSTRAINTS` and cardinality constraints: the line `k 2 1 -3 4 0` states that
//! at least 2 of the literals are true.
//!
//! Paper: Reeves, Heule, Bryant: [From Clauses to Klauses](https://doi.org/10.1007/978-3-031-65627-9_6), CAV 2024.

mod projection;
pub mod solver_output;
mod words;

use std::fmt;
use std::io::{self, Read};

use crate::source::counted;

use words::Words;

/// The maximum number of variables in a formula. A limit is needed because solvers allocate memory for all variables up
/// to the largest variable number.
pub const MAX_VARIABLES: u32 = 100_000_000;

/// The maximum weight of a soft clause. The weights of 2^40 clauses add up to at most 2^120, so sums do not overflow.
pub const MAX_WEIGHT: u128 = 1 << 80;

/// An error that occurs while a formula is read.
#[derive(Debug, thiserror::Error)]
pub enum FormulaError {
    /// The file can't be read.
    #[error("{name}: {error}")]
    File {
        /// The name of the file.
        name: String,
        /// The error from the operating system.
        error: io::Error,
    },
    /// The file is not a valid formula.
    #[error("{name}:{line}:{column}: expected {expected}, found {found}")]
    Malformed {
        /// The name of the file.
        name: String,
        /// The line, counted from 1.
        line: u64,
        /// The column in bytes, counted from 1.
        column: u64,
        /// The expected input.
        expected: String,
        /// The actual input.
        found: String,
    },
}

/// The format of a formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormulaFormat {
    /// DIMACS CNF, which has only hard clauses.
    Cnf,
    /// KNF, which has clauses and cardinality constraints.
    Knf,
    /// WCNF, which has hard and soft clauses.
    Wcnf,
}

/// A clause of a formula, in which each variable occurs at most once, or a cardinality constraint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DimacsClause<'a> {
    /// The literals in DIMACS notation: 3 is the third variable, and -3 is its negation. The literals of a clause are
    /// sorted by variable. Those of a cardinality constraint are in the order of the file, and may be repeated.
    pub literals: &'a [i32],
    /// The cost of violating a soft clause, or `None` for a hard clause.
    pub weight: Option<u128>,
    /// The number of literals that must be true in a cardinality constraint, or `None` for a clause.
    pub bound: Option<u64>,
    /// The number of the line on which the clause starts.
    pub line: u64,
}

/// What a formula contains besides its clauses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DimacsFormula {
    /// The number of variables.
    pub variables: u32,
    /// The variables onto which models are projected when they are counted, or `None` for all variables. Lines such as
    /// `c p show 1 2 3 0`, or `c ind 1 2 3 0`, list them.
    pub projection: Option<Vec<u32>>,
    /// The line and column of the first weight for weighted counting, or `None` if there is no such weight. Lines such
    /// as `c p weight 1 0.5 0` state weights, and the line `c t wmc` announces them.
    pub weights: Option<(u64, u64)>,
}

/// Reads a formula, and calls `each` with every clause that is not a tautology.
///
/// # Errors
/// Returns an error if the input can't be read or is malformed.
pub fn read(
    name: &str,
    format: FormulaFormat,
    input: impl Read,
    mut each: impl FnMut(DimacsClause<'_>),
) -> Result<DimacsFormula, FormulaError> {
    let mut words = Words::new(name, input);
    words.byte_order_mark()?;
    let header = words.header(format)?;
    let (mut greatest, mut clauses) = (0_u32, 0_u64);
    let mut clause = Vec::new();
    while let Some(word) = words.next()? {
        if word == "%" && format == FormulaFormat::Cnf {
            words.end_of_satlib()?;
            break;
        }
        let (line, weight) = (words.place.0, words.weight(format, header.as_ref(), &word)?);
        let bound = if format == FormulaFormat::Knf && word == "k" {
            Some(words.number("the number of literals that must be true", u64::MAX)?)
        } else {
            None
        };
        clause.clear();
        let is_first = format != FormulaFormat::Wcnf && bound.is_none();
        let mut word = if is_first { Some(word) } else { words.next()? };
        loop {
            let Some(text) = word else { return Err(words.error("0, the end of the clause", "")) };
            let lit =
                words.literal(&text, header.as_ref().map_or(MAX_VARIABLES, |header| header.variables))?;
            let Some(lit) = lit else { break };
            greatest = greatest.max(lit.unsigned_abs());
            // Duplicates are removed before the vector grows, so repeated literals take no memory.
            if bound.is_none() && clause.len() == clause.capacity() {
                normalise(&mut clause);
            }
            clause.push(lit);
            word = words.next()?;
        }
        clauses += 1;
        if let Some(header) = header.as_ref().filter(|header| clauses > header.clauses) {
            let expected = format!("{}, as the header says", counted(header.clauses, "clause"));
            return Err(words.error(&expected, "one more clause"));
        }
        if bound.is_none() {
            normalise(&mut clause);
        }
        let is_tautology = || clause.windows(2).any(|pair| pair[0].unsigned_abs() == pair[1].unsigned_abs());
        if bound.is_some() || !is_tautology() {
            each(DimacsClause { literals: &clause, weight, bound, line });
        }
    }
    let variables = match header {
        None => greatest,
        Some(header) if header.clauses == clauses => header.variables,
        Some(header) => {
            let expected = format!("{}, as the header says", counted(header.clauses, "clause"));
            return Err(words.error(&expected, &counted(clauses, "clause")));
        }
    };
    let shown = words.shown.take().filter(|_| !words.counts_all);
    let projection = shown.map(|shown| shown.up_to(variables)).transpose();
    let projection = projection.map_err(|(word, place)| {
        words.place = place;
        words.error(&format!("a variable from 1 to {variables}, or 0"), &word)
    })?;
    Ok(DimacsFormula { variables, projection, weights: words.weights })
}

/// Returns the error for a formula with weights, whose models gordian does not count.
#[cfg(feature = "flatzinc")]
pub(crate) fn weighted(name: String, (line, column): (u64, u64)) -> FormulaError {
    let expected = "a formula without weights; to count models without weights, remove the lines `c p weight` and write \
                    `c t mc` or `c t pmc`";
    let found = "weighted model counting".to_owned();
    FormulaError::Malformed { name, line, column, expected: expected.to_owned(), found }
}

/// Sorts the literals by variable, positive literals first, and removes duplicates.
fn normalise(clause: &mut Vec<i32>) {
    clause.sort_unstable_by_key(|literal| (literal.unsigned_abs(), *literal < 0));
    clause.dedup();
}

impl FormulaFormat {
    /// Returns the name of the format in headers.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cnf => "cnf",
            Self::Knf => "knf",
            Self::Wcnf => "wcnf",
        }
    }
}

impl fmt::Display for FormulaFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests;
