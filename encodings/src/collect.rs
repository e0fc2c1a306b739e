//! Receivers of clauses: solvers, files, and formulas in memory.

use gordian_proofs::Log;
use rustsat::encodings::CollectClauses;

use crate::int::Value;
use crate::lit::Lit;

/// A receiver for the clauses of a formula.
///
/// Clauses are borrowed: a receiver that needs them later must copy them.
pub trait Collect {
    /// Adds a clause. The empty clause makes the formula unsatisfiable.
    ///
    /// The given clauses contain neither constant literals nor repeated variables.
    fn clause(&mut self, clause: &[Lit]);

    /// Announces that variables `0..variables` exist, whether or not a clause uses them.
    fn reserve(&mut self, variables: u32);

    /// Returns the receiver of linear inequalities, or `None` if only clauses are supported. If inequalities are
    /// supported, linear constraints become inequalities; all other constraints become clauses.
    fn sums(&mut self) -> Option<&mut dyn CollectSums> {
        None
    }

    /// Returns the proof log, or `None` if no proof is logged. Encodings log the definitions of their literals, and
    /// the receiver logs the clauses.
    fn log(&mut self) -> Option<&mut Log> {
        None
    }
}

/// A receiver of linear inequalities over literals (pseudo-Boolean constraints).
pub trait CollectSums {
    /// Adds a constraint: the sum of the coefficients of the true literals is at least `bound`, or exactly `bound` if
    /// `equal` is true.
    ///
    /// The given terms contain no constant literals, no repeated variables and no zero coefficients.
    fn sum(&mut self, terms: &[(Value, Lit)], equal: bool, bound: Value);
}

/// Every solver and every formula type of rustsat can receive clauses.
///
/// [`Collect::reserve`] does nothing, because rustsat creates a variable at the first clause that contains it.
/// Therefore, a solver may leave variables unassigned if they occur in no clause;
/// [`Encoded::assignment`](crate::Encoded::assignment) treats them as false.
///
/// # Panics
/// [`Collect::clause`] panics if the solver is out of memory.
impl<C: CollectClauses> Collect for C {
    fn clause(&mut self, clause: &[Lit]) {
        self.add_clause(clause.iter().copied().collect()).expect("the solver has enough memory");
    }

    fn reserve(&mut self, _: u32) {}
}

/// A receiver that discards all clauses.
pub(crate) struct Discard;

impl Collect for Discard {
    fn clause(&mut self, _: &[Lit]) {}

    fn reserve(&mut self, _: u32) {}
}

/// A formula in memory. One array contains the literals of all clauses, and another array the end of each clause.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cnf {
    lits: Vec<Lit>,
    ends: Vec<usize>,
    variables: u32,
}

impl Cnf {
    /// Returns the number of variables. All variable indices in the clauses are less than this number.
    #[must_use]
    pub fn variables(&self) -> u32 {
        self.variables
    }

    /// Returns the number of clauses.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether the formula has no clauses.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the total number of literals in all clauses.
    #[must_use]
    pub fn literals(&self) -> usize {
        self.lits.len()
    }

    /// Returns the clause at position `index`.
    ///
    /// # Panics
    /// Panics if `index` is not less than the number of clauses.
    #[must_use]
    pub fn clause_at(&self, index: usize) -> &[Lit] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.lits[start..self.ends[index]]
    }

    /// Returns all clauses in the order in which they were added.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[Lit]> {
        (0..self.len()).map(|index| self.clause_at(index))
    }
}

/// Writes the clauses in DIMACS format without the header: one line for each clause, terminated by 0. Variables are
/// numbered from 1.
impl std::fmt::Display for Cnf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for clause in self.iter() {
            for lit in clause {
                write!(f, "{}{} ", if lit.is_neg() { "-" } else { "" }, lit.vidx() + 1)?;
            }
            writeln!(f, "0")?;
        }
        Ok(())
    }
}

impl Collect for Cnf {
    fn clause(&mut self, clause: &[Lit]) {
        self.lits.extend_from_slice(clause);
        self.ends.push(self.lits.len());
        let used = clause.iter().map(|lit| lit.vidx32() + 1).max().unwrap_or(0);
        self.variables = self.variables.max(used);
    }

    fn reserve(&mut self, variables: u32) {
        self.variables = self.variables.max(variables);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::{Cardinality, Clause};
    use crate::{Encodings, Model};
    use rustsat::solvers::{Solve, SolverResult};
    use rustsat_batsat::BasicSolver;

    /// Returns a model in which exactly two of three literals are true, and the first literal is false. The model has
    /// a fourth Boolean variable, which occurs in no clause.
    fn model() -> (Model, Vec<Lit>) {
        let mut model = Model::new();
        let lits: Vec<Lit> = (0..3).map(|_| model.boolean()).collect();
        model.boolean();
        model.post(Cardinality::exactly(lits.clone(), 2));
        model.post(Clause::new([!lits[0]]));
        (model, lits)
    }

    #[test]
    fn rustsat_solvers_receive_clauses() {
        let (model, lits) = model();
        let mut solver = BasicSolver::default();
        let encoded = model.encode(&Encodings::auto(), &mut solver);
        assert_eq!(solver.solve().unwrap(), SolverResult::Sat);
        let assignment =
            encoded.assignment(|lit| solver.lit_val(lit).ok().map(|value| value.to_bool_with_def(false)));
        assert!(model.holds(&assignment));
        assert_eq!(lits.iter().map(|&lit| assignment.lit(lit)).collect::<Vec<_>>(), [false, true, true]);
        solver.clause(&[!lits[1], !lits[2]]);
        assert_eq!(solver.solve().unwrap(), SolverResult::Unsat);
    }

    #[test]
    fn rustsat_formulas_receive_clauses() {
        let (model, _) = model();
        let (mut theirs, mut ours) = (rustsat::instances::Cnf::new(), Cnf::default());
        model.encode(&Encodings::auto(), &mut theirs);
        model.encode(&Encodings::auto(), &mut ours);
        assert!(theirs.iter().map(AsRef::<[Lit]>::as_ref).eq(ours.iter()));
    }

    #[test]
    fn cnf_keeps_clauses_apart() {
        let (a, b) = (Lit::positive(0), Lit::negative(4));
        let mut cnf = Cnf::default();
        cnf.clause(&[a, b]);
        cnf.clause(&[]);
        cnf.clause(&[b]);
        assert_eq!(cnf.iter().collect::<Vec<_>>(), [&[a, b][..], &[], &[b]]);
        assert_eq!((cnf.len(), cnf.literals(), cnf.variables()), (3, 3, 5));
        assert_eq!(cnf.to_string(), "1 -5 0\n0\n-5 0\n");
        cnf.reserve(9);
        assert_eq!(cnf.variables(), 9);
    }
}
