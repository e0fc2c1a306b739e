//! Where clauses go: a solver, a file, or a formula in memory.

use rustsat::encodings::CollectClauses;

use crate::int::Value;
use crate::lit::Lit;

/// Receives clauses in the order they are made.
///
/// A clause is lent, not given: it is copied at most once, by the receiver that keeps it.
pub trait Collect {
    /// Takes one clause. The empty clause makes the formula unsatisfiable.
    ///
    /// No literal is a constant and no variable repeats within a clause.
    fn clause(&mut self, clause: &[Lit]);

    /// Announces that variables `0..variables` exist, whether or not a clause uses them.
    fn reserve(&mut self, variables: u32);

    /// The receiver of linear inequalities, if this one takes them as they are: then constraints that are linear are
    /// given so, and only the others are put into clauses.
    fn sums(&mut self) -> Option<&mut dyn CollectSums> {
        None
    }
}

/// Receives linear inequalities over literals: pseudo-Boolean constraints.
pub trait CollectSums {
    /// Takes one constraint: the coefficients of the literals that hold add up to at least `bound`, or to exactly
    /// `bound` if `equal`.
    ///
    /// No literal is a constant, no variable repeats, no coefficient is 0.
    fn sum(&mut self, terms: &[(Value, Lit)], equal: bool, bound: Value);
}

/// Every rustsat solver and rustsat's formulas receive clauses.
///
/// [`Collect::reserve`] does nothing: they learn of a variable from the first clause with it. A variable that is in no
/// clause may have no value in their solutions, which [`Encoded::assignment`](crate::Encoded::assignment) allows.
///
/// # Panics
/// [`Collect::clause`] panics if the solver is out of memory.
impl<C: CollectClauses> Collect for C {
    fn clause(&mut self, clause: &[Lit]) {
        self.add_clause(clause.iter().copied().collect()).expect("the solver has enough memory");
    }

    fn reserve(&mut self, _: u32) {}
}

/// Drops every clause, where only their number matters.
pub(crate) struct Discard;

impl Collect for Discard {
    fn clause(&mut self, _: &[Lit]) {}

    fn reserve(&mut self, _: u32) {}
}

/// A formula in memory: all literals in one array, with the end of each clause.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cnf {
    lits: Vec<Lit>,
    ends: Vec<usize>,
    variables: u32,
}

impl Cnf {
    /// The number of variables: all indices below it may occur.
    #[must_use]
    pub fn variables(&self) -> u32 {
        self.variables
    }

    /// The number of clauses.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no clause.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of literals in all clauses together.
    #[must_use]
    pub fn literals(&self) -> usize {
        self.lits.len()
    }

    /// Clause number `index`.
    ///
    /// # Panics
    /// If there are not that many clauses.
    #[must_use]
    pub fn clause_at(&self, index: usize) -> &[Lit] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.lits[start..self.ends[index]]
    }

    /// All clauses in the order they came.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[Lit]> {
        (0..self.len()).map(|index| self.clause_at(index))
    }
}

/// The clauses as DIMACS has them, without the header: a line each, variables counted from 1, a 0 at the end.
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

    /// Two of three literals, of which the first does not hold, and a literal in no clause.
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
