//! The sizes of encoded formulas.

/// The sizes of a formula by type of constraint.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sizes {
    pub(super) rows: Vec<SizeRow>,
}

/// The numbers of variables, clauses and literals written for one type of constraint.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SizeRow {
    /// The type of constraint. The row `model` counts the variables of the model, and the row `integers` counts the
    /// literals of integer variables and the clauses between them.
    pub constraint: &'static str,
    /// The number of constraints of the type.
    pub constraints: u64,
    /// The number of variables created for constraints of the type.
    pub variables: u64,
    /// The number of clauses written for constraints of the type.
    pub clauses: u64,
    /// The total number of literals in the clauses.
    pub literals: u64,
}

impl Sizes {
    /// Returns one row for each type of constraint that occurs in the formula.
    #[must_use]
    pub fn rows(&self) -> &[SizeRow] {
        &self.rows
    }

    /// Returns the total of all rows.
    #[must_use]
    pub fn total(&self) -> SizeRow {
        let mut total = SizeRow { constraint: "total", ..SizeRow::default() };
        for row in &self.rows {
            total.constraints += row.constraints;
            total.variables += row.variables;
            total.clauses += row.clauses;
            total.literals += row.literals;
        }
        total
    }

    /// Returns the index of the row for a type of constraint. Creates the row if it does not exist.
    pub(super) fn row(&mut self, constraint: &'static str) -> usize {
        self.rows.iter().position(|row| row.constraint == constraint).unwrap_or_else(|| {
            self.rows.push(SizeRow { constraint, ..SizeRow::default() });
            self.rows.len() - 1
        })
    }
}
