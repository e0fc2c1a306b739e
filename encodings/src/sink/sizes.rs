//! The sizes of encoded formulas.

/// The sizes of a formula by type of constraint.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sizes {
    pub(super) rows: Vec<SizeRow>,
}

/// The size of the output for one type of constraint: the numbers of variables, clauses and literals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SizeRow {
    /// The type of constraint; `model` for the model's own variables, `integers` for the views of integer variables.
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
    /// Returns one row for each type of constraint for which something was written.
    #[must_use]
    pub fn rows(&self) -> &[SizeRow] {
        &self.rows
    }

    /// Returns the sums over all rows.
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

    /// Returns the index of the row of a type of constraint. If the row does not exist, creates it.
    pub(super) fn row(&mut self, constraint: &'static str) -> usize {
        self.rows.iter().position(|row| row.constraint == constraint).unwrap_or_else(|| {
            self.rows.push(SizeRow { constraint, ..SizeRow::default() });
            self.rows.len() - 1
        })
    }
}
