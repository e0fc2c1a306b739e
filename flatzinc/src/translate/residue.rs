//! Posts the equations on unbounded variables modulo small numbers. This refutes some equations for all values of the
//! variables, not only for the values in their windows (see [`translate`](super::translate)).
//!
//! For example, `x x = y y + 2` has no solution, because squares are 0, 1 or 4 modulo 8. For each unbounded variable x
//! and each modulus m, the model contains an integer variable from 0 to m - 1, the residue of x. The equations modulo m
//! do not depend on windows. The constraint that x is congruent to its residue modulo m is enforced only together with
//! the window of x.

use std::collections::HashMap;

use gordian_encodings::constraint::{
    Comparison, Constraint as Encodable, Entry, Linear, Reified, Table, Term,
};
use gordian_encodings::{IntVar, Lit, TRUE, Value};

use super::{Builder, Overflow, Representation};
use crate::constraint::{Constraint, Ref, Relation, Sum, When};
use crate::instance::VarId;

/// The moduli for which residues are used.
const MODULI: [Value; 4] = [8, 9, 5, 7];
/// The maximum number of equations for which residues are used.
const MOST_EQUATIONS: usize = 300;

/// Posts the equations that contain variables with windows, modulo small numbers.
pub(super) fn post(builder: &mut Builder<'_>, constraints: &[Constraint]) -> Result<(), Overflow> {
    let on_windows = |constraint: &&Constraint| {
        let is_equation = match &constraint.relation {
            Relation::Sum(sum) => match sum.comparison {
                Comparison::Equal => true,
                Comparison::NotEqual => matches!(constraint.when, When::Iff(_)),
                Comparison::AtMost | Comparison::AtLeast => false,
            },
            Relation::Product(_) | Relation::Power(_) | Relation::Remainder(_) => true,
            _ => false,
        };
        is_equation && !builder.windows_of(constraint).is_empty()
    };
    let equations: Vec<&Constraint> = constraints.iter().filter(on_windows).collect();
    // Systems of linear equations need no residues, because presolve has solved them exactly.
    let is_linear = |constraint: &&Constraint| {
        matches!(constraint.relation, Relation::Sum(_)) && constraint.when == When::Always
    };
    if equations.len() > MOST_EQUATIONS || equations.iter().all(is_linear) {
        return Ok(());
    }
    for modulus in MODULI {
        let mut residues = Residues { builder: &mut *builder, modulus, known: HashMap::new() };
        for constraint in &equations {
            residues.equation(constraint)?;
        }
    }
    Ok(())
}

/// The residues of all variables modulo one number.
struct Residues<'b, 'a> {
    builder: &'b mut Builder<'a>,
    modulus: Value,
    known: HashMap<VarId, IntVar>,
}

impl Residues<'_, '_> {
    fn equation(&mut self, constraint: &Constraint) -> Result<(), Overflow> {
        let differs =
            matches!(&constraint.relation, Relation::Sum(Sum { comparison: Comparison::NotEqual, .. }));
        let condition = match constraint.when {
            When::Always => TRUE,
            When::Iff(condition) if differs => !self.builder.lit(condition),
            When::If(condition) | When::Iff(condition) => self.builder.lit(condition),
        };
        match &constraint.relation {
            Relation::Sum(sum) => {
                let sum = sum.merged(self.builder.store).ok_or(Overflow)?;
                self.sum(&sum.terms, sum.bound, condition)?;
            }
            Relation::Remainder([x, y, z]) => {
                // `x mod y = z` implies that `x - z` is a multiple of y.
                if let Some(divisor) = self.builder.store.value(*y) {
                    let multiple = self.builder.model.integer(0..=self.modulus - 1);
                    let multiple = (divisor.rem_euclid(self.modulus), multiple.into());
                    let terms = [self.term(*x)?, self.term(*z)?];
                    self.congruence(&[(1, terms[0]), (self.modulus - 1, terms[1]), multiple], 0, condition);
                }
            }
            Relation::Product([x, y, z]) => {
                let columns = [self.term(*x)?, self.term(*y)?, self.term(*z)?];
                let all = || 0..self.modulus;
                let rows =
                    all().flat_map(|x| all().map(move |y| [x, y])).map(|[x, y]| [x, y, x * y % self.modulus]);
                self.table(columns, rows.collect(), condition);
            }
            Relation::Power([x, y, z]) => {
                if let Some(exponent) = self.builder.store.value(*y).filter(|&y| y >= 1) {
                    let columns = [self.term(*x)?, self.term(*x)?, self.term(*z)?];
                    // Modulo 5, 7, 8 and 9, the powers of a number eventually repeat with a period that divides 12,
                    // so large exponents can be reduced.
                    let exponent = if exponent > 12 { 12 + exponent % 12 } else { exponent };
                    let power = |x: Value| (0..exponent).fold(1, |power, _| power * x % self.modulus);
                    let rows = (0..self.modulus).map(|x| [x, x, power(x)]).collect();
                    self.table(columns, rows, condition);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the residue of an operand: a literal, or an integer from 0 to m - 1.
    fn term(&mut self, x: Ref) -> Result<Term, Overflow> {
        let integer = match self.builder.representation(x) {
            Representation::Constant(value) => {
                return Ok(self.builder.int(Ref::Const(value.rem_euclid(self.modulus))).into());
            }
            Representation::Literal(lit) => return Ok(lit.into()),
            Representation::Integer(integer) => integer,
        };
        let Some(root) = self.builder.store.resolve(x).variable() else { return Err(Overflow) };
        if let Some(&residue) = self.known.get(&root) {
            return Ok(residue.into());
        }
        let (first, last) = self.builder.store.range(x);
        let residue = self.builder.model.integer(0..=self.modulus - 1);
        self.known.insert(root, residue);
        let multiple =
            self.builder.model.integer(first.div_euclid(self.modulus)..=last.div_euclid(self.modulus));
        let terms = [(1, integer.into()), (-1, residue.into()), (-self.modulus, multiple.into())];
        let window = self.builder.windows.get(&root).copied().unwrap_or(TRUE);
        self.add(Linear::equal(terms, 0), window);
        Ok(residue.into())
    }

    /// Posts the constraint that a sum is congruent to a bound modulo m.
    fn sum(&mut self, terms: &[(Value, Ref)], bound: Value, condition: Lit) -> Result<(), Overflow> {
        let mut reduced = Vec::with_capacity(terms.len());
        for &(factor, x) in terms {
            let factor = factor.rem_euclid(self.modulus);
            if factor != 0 {
                reduced.push((factor, self.term(x)?));
            }
        }
        self.congruence(&reduced, bound.rem_euclid(self.modulus), condition);
        Ok(())
    }

    /// Posts the constraint that a sum is congruent to a bound modulo m. The coefficients and the bound lie between 0
    /// and m - 1.
    fn congruence(&mut self, terms: &[(Value, Term)], bound: Value, condition: Lit) {
        let greatest = terms.iter().map(|&(factor, _)| factor * (self.modulus - 1)).sum::<Value>();
        let multiple = self.builder.model.integer(-1..=greatest / self.modulus);
        let terms = terms.iter().copied().chain([(-self.modulus, multiple.into())]);
        self.add(Linear::equal(terms, bound), condition);
    }

    fn table(&mut self, columns: [Term; 3], rows: Vec<[Value; 3]>, condition: Lit) {
        let rows: Vec<Vec<Entry>> = rows.into_iter().map(|row| row.map(Entry::Is).to_vec()).collect();
        self.add(Table::new(columns, rows), condition);
    }

    fn add(&mut self, constraint: impl Encodable, condition: Lit) {
        if condition == TRUE {
            self.builder.model.post(constraint);
        } else {
            self.builder.model.post(Reified::implies(condition, constraint));
        }
    }
}
