//! Pseudo-Boolean formulas that state the rules of a puzzle as plainly as possible.
//!
//! A certificate proves a statement about such a formula. A proof checker does not check that the formula states the
//! rules. Therefore, each puzzle has a short function in this crate, [`RulesFormula::formula`], that writes the formula
//! and uses no encoding. On small boards, tests compare the models of the formula with the solutions that the rules
//! checker accepts. `gordian prove-check` compares the formula of a certificate with the formula that this function
//! writes.
//!
//! [`Opb`] writes the OPB format: one linear inequality per line, and comments that name the rules.

use std::collections::HashMap;
use std::fmt;
use std::ops::Not;

use crate::{Place, Solution, Violation};

mod clauses;
mod compare;
mod flow;
mod integer;
mod read;
mod truth;

pub use clauses::Clauses;
pub use compare::{Difference, unstated};
pub use flow::{Graph, Vertex};
pub(crate) use integer::{
    Column, all_different, columns, digit_literals, digits, find_digits, multiple, zeros,
};
pub use integer::{Integer, Sum, literal_name};
pub use read::{Malformed, read};
pub use truth::Truth;

/// A puzzle whose rules can be written as a pseudo-Boolean formula.
pub trait RulesFormula {
    /// Returns a formula whose models represent the solutions of the board: for each solution, at least one model
    /// satisfies its [`RulesFormula::literals`], and each model satisfies the literals of exactly one solution. The
    /// models of a solution may differ in auxiliary variables.
    ///
    /// # Errors
    /// Returns the reason if the board has no formula.
    fn formula(&self) -> Result<Opb, NoFormula>;

    /// Returns literals of the formula that are all true in a model if and only if the model represents `solution`.
    ///
    /// # Errors
    /// Returns an error if a field of `solution` is missing or does not fit the board.
    fn literals(&self, opb: &Opb, solution: &Solution) -> Result<Vec<Literal>, Violation>;

    /// Returns literals that are all true in a model only if the model represents `solution`. They are some of the literals
    /// of [`RulesFormula::literals`], and by default all of them.
    ///
    /// # Errors
    /// Returns an error if a field of `solution` is missing or does not fit the board.
    fn identifying(&self, opb: &Opb, solution: &Solution) -> Result<Vec<Literal>, Violation> {
        self.literals(opb, solution)
    }

    /// Returns the number of unseen values that a solution has, as a sum. A value is unseen if some part of the solution,
    /// such as a cell, can have this value but does not have it in any given solution.
    ///
    /// # Errors
    /// Returns an error if a field of a solution is missing or does not fit the board. By default, the solutions of a
    /// puzzle have no parts, and the function always returns an error.
    fn unseen(&self, opb: &Opb, solutions: &[Solution]) -> Result<Sum, Violation> {
        let _ = (opb, solutions);
        Err(Violation::new("the solutions of this puzzle have no parts, so there is no backbone"))
    }

    /// Returns the terms of an objective, or `None` if the puzzle has no objective with this name. The sum of the terms
    /// is to be minimised; to maximise an objective, its terms are negated.
    fn cost(&self, opb: &Opb, objective: &str) -> Option<Vec<(i128, Literal)>> {
        let _ = (opb, objective);
        None
    }

    /// Returns a formula whose models represent the solutions with a better value of the objective than `solution`. By
    /// default, returns `None`, and the [`RulesFormula::formula`] with an inequality about the [`RulesFormula::cost`] is
    /// this formula.
    ///
    /// # Errors
    /// Returns the reason if there is no formula.
    fn better(&self, objective: &str, solution: &Solution) -> Result<Option<Opb>, NoFormula> {
        let _ = (objective, solution);
        Ok(None)
    }

    /// Returns literals that are true in a solution and determine its [`RulesFormula::cost`]. By default, these are the
    /// literals of [`RulesFormula::literals`].
    ///
    /// # Errors
    /// Returns an error if a field of `solution` is missing or does not fit the board.
    fn cost_literals(&self, opb: &Opb, solution: &Solution) -> Result<Vec<Literal>, Violation> {
        self.literals(opb, solution)
    }
}

/// The reason why a board has no formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoFormula(pub String);

impl fmt::Display for NoFormula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoFormula {}

/// Returns the row and the column of a cell, counted from 1, for use in variable names.
pub(crate) fn cell_name(Place { row, column }: Place) -> String {
    format!("{}_{}", row + 1, column + 1)
}

/// A variable of a formula, or its negation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal {
    /// The index of the variable.
    pub variable: usize,
    /// True for the negation.
    pub negated: bool,
}

impl Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        Self { negated: !self.negated, ..self }
    }
}

/// A linear inequality: the sum of the terms is at least the bound. All coefficients are positive, each variable occurs
/// once, and the terms are sorted by variable.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OpbRow {
    /// Coefficients and literals.
    pub terms: Vec<(i128, Literal)>,
    /// The bound.
    pub bound: i128,
}

impl OpbRow {
    /// Creates the inequality `sum of terms >= bound` in normal form. Returns `None` if a number overflows.
    #[must_use]
    pub fn at_least(terms: impl IntoIterator<Item = (i128, Literal)>, mut bound: i128) -> Option<Self> {
        let mut terms: Vec<_> = terms.into_iter().collect();
        for (coefficient, literal) in &mut terms {
            // Negated literals are replaced using c ~x = c - c x.
            if literal.negated {
                bound = bound.checked_sub(*coefficient)?;
                *coefficient = coefficient.checked_neg()?;
                literal.negated = false;
            }
        }
        terms.sort_unstable_by_key(|&(_, literal)| literal);
        let mut sums: Vec<(i128, Literal)> = Vec::with_capacity(terms.len());
        for (coefficient, literal) in terms {
            match sums.last_mut() {
                Some(last) if last.1 == literal => last.0 = last.0.checked_add(coefficient)?,
                _ => sums.push((coefficient, literal)),
            }
        }
        sums.retain(|&(coefficient, _)| coefficient != 0);
        for (coefficient, literal) in &mut sums {
            if *coefficient < 0 {
                *coefficient = coefficient.checked_neg()?;
                bound = bound.checked_add(*coefficient)?;
                literal.negated = true;
            }
        }
        Some(Self { terms: sums, bound })
    }
}

/// A pseudo-Boolean formula with named variables.
#[derive(Debug, Clone, Default)]
pub struct Opb {
    names: Vec<String>,
    indices: HashMap<String, usize>,
    rows: Vec<OpbRow>,
    /// Comments, each with the number of rows before it.
    comments: Vec<(usize, String)>,
    objective: Option<Vec<(i128, Literal)>>,
    graphs: Vec<Graph>,
}

impl Opb {
    /// Creates an empty formula.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the variable with the given name, and creates it if necessary. A name consists of letters, digits and
    /// underscores, starts with a letter and has at least two characters.
    pub fn variable(&mut self, name: impl fmt::Display) -> Literal {
        let name = name.to_string();
        let next = self.names.len();
        let variable = *self.indices.entry(name).or_insert_with_key(|name| {
            self.names.push(name.clone());
            next
        });
        Literal { variable, negated: false }
    }

    /// Returns the variable with the given name, if any.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Literal> {
        self.indices.get(name).map(|&variable| Literal { variable, negated: false })
    }

    /// Returns the name of a literal's variable.
    ///
    /// # Panics
    /// Panics if the formula does not have the variable.
    #[must_use]
    pub fn name(&self, literal: Literal) -> &str {
        &self.names[literal.variable]
    }

    /// Returns the number of variables.
    #[must_use]
    pub fn variables(&self) -> usize {
        self.names.len()
    }

    /// Returns the rows in order.
    #[must_use]
    pub fn rows(&self) -> &[OpbRow] {
        &self.rows
    }

    /// Returns the graphs of the connectivity constraints. In each graph, rows of the formula require that a set of
    /// vertices is connected.
    #[must_use]
    pub fn graphs(&self) -> &[Graph] {
        &self.graphs
    }

    /// Returns the objective, which is to be minimised.
    #[must_use]
    pub fn objective(&self) -> Option<&[(i128, Literal)]> {
        self.objective.as_deref()
    }

    /// Adds a comment before the next row.
    pub fn comment(&mut self, text: impl fmt::Display) {
        self.comments.push((self.rows.len(), text.to_string().replace(['\n', '\r'], " ")));
    }

    /// Adds a row over the variables of the formula.
    pub fn add(&mut self, row: OpbRow) {
        self.rows.push(row);
    }

    /// Adds the row `sum of terms >= bound`, unless every assignment satisfies it.
    ///
    /// # Panics
    /// Panics if a number overflows. The numbers in the formula of a board are too small to overflow.
    pub fn at_least(&mut self, terms: impl IntoIterator<Item = (i128, Literal)>, bound: i128) {
        let row = OpbRow::at_least(terms, bound).expect("the numbers of a board are small");
        self.rows.extend(Some(row).filter(|row| row.bound > 0));
    }

    /// Adds the constraint `sum of terms <= bound` as a row, unless every assignment satisfies it.
    ///
    /// # Panics
    /// Panics if a number overflows. The numbers in the formula of a board are too small to overflow.
    pub fn at_most(&mut self, terms: impl IntoIterator<Item = (i128, Literal)>, bound: i128) {
        self.at_least(terms.into_iter().map(|(coefficient, literal)| (-coefficient, literal)), -bound);
    }

    /// Adds a clause as the row `l1 + l2 + ... >= 1`, which states that at least one of the literals is true.
    pub fn clause(&mut self, literals: impl IntoIterator<Item = Literal>) {
        self.at_least(literals.into_iter().map(|literal| (1, literal)), 1);
    }

    /// Adds two rows which state that exactly `count` literals are true.
    pub fn exactly(&mut self, literals: impl IntoIterator<Item = Literal>, count: i128) {
        let terms: Vec<_> = literals.into_iter().map(|literal| (1, literal)).collect();
        self.at_least(terms.iter().copied(), count);
        self.at_most(terms, count);
    }

    /// Adds rows which state that exactly two of the literals are true if `condition` is true, and that none of them is
    /// true otherwise.
    pub(crate) fn two_if(&mut self, condition: Literal, literals: &[Literal]) {
        self.at_most(literals.iter().map(|&literal| (1, literal)), 2);
        if literals.is_empty() {
            self.clause([!condition]);
        }
        for &literal in literals {
            self.clause([!literal, condition]);
            // If `condition` is true, at least one literal other than `literal` is true.
            self.clause(literals.iter().copied().filter(|&other| other != literal).chain([!condition]));
        }
    }

    /// Sets the objective, which is to minimise the sum of the terms.
    pub fn minimise(&mut self, terms: impl IntoIterator<Item = (i128, Literal)>) {
        self.objective = Some(terms.into_iter().collect());
    }

    /// Returns a row in the OPB format.
    #[must_use]
    pub fn row_text(&self, row: &OpbRow) -> String {
        struct Text<'a>(&'a Opb, &'a OpbRow);
        impl fmt::Display for Text<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.write_row(f, self.1)
            }
        }
        Text(self, row).to_string()
    }

    fn write_row(&self, f: &mut fmt::Formatter<'_>, row: &OpbRow) -> fmt::Result {
        self.write_sum(f, &row.terms)?;
        write!(f, ">= {} ;", row.bound)
    }

    /// Writes a sum.
    fn write_sum(&self, f: &mut fmt::Formatter<'_>, terms: &[(i128, Literal)]) -> fmt::Result {
        terms.iter().try_for_each(|&(coefficient, literal)| {
            write!(f, "{coefficient} {}{} ", if literal.negated { "~" } else { "" }, self.name(literal))
        })
    }
}

/// Writes the formula in the OPB format.
impl fmt::Display for Opb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "* #variable= {} #constraint= {}", self.names.len(), self.rows.len())?;
        if let Some(objective) = &self.objective {
            f.write_str("min: ")?;
            self.write_sum(f, objective)?;
            f.write_str(";\n")?;
        }
        let mut comments = self.comments.iter().peekable();
        for (index, row) in self.rows.iter().enumerate() {
            while let Some((_, text)) = comments.next_if(|(before, _)| *before <= index) {
                writeln!(f, "* {text}")?;
            }
            self.write_row(f, row)?;
            f.write_str("\n")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
