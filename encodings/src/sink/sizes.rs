//! The sizes of formulas.

/// The sizes of the formula by type of constraint.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sizes {
    pub(super) rows: Vec<SizeRow>,
}

/// The numbers of variables, clauses and literals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SizeRow {
    /// The type of constraint; `model` for the model's own variables, `integers` for the views of integer variables.
    pub constraint: &'static str,
    /// The number of constraints of this type.
    pub constraints: u64,
    /// The number of variables created for these constraints.
    pub variables: u64,
    /// The number of clauses.
    pub clauses: u64,
    /// The number of literals in these clauses.
    pub literals: u64,
}

impl Sizes {
    /// Returns one row for each type of constraint that wrote something.
    #[must_use]
    pub fn rows(&self) -> &[SizeRow] {
        &self.rows
    }

    /// Returns the totals over all rows.
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

    /// Returns the index of the row of a type of constraint, and creates the row if necessary.
    pub(super) fn row(&mut self, constraint: &'static str) -> usize {
        self.rows.iter().position(|row| row.constraint == constraint).unwrap_or_else(|| {
            self.rows.push(SizeRow { constraint, ..SizeRow::default() });
            self.rows.len() - 1
        })
    }
}
