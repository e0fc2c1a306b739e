//! A solution found by propagation alone.
//!
//! The value of a solution bounds the objective, and this bound often makes large domains much smaller. A schedule whose
//! end is only bounded by the total duration of all tasks is an example.

use gordian_encodings::Value;

use super::Presolved;
use crate::constraint::Ref;
use crate::instance::VarId;

/// The maximum number of values that are tried and fail.
const MOST_FAILURES: usize = 50;
/// The maximum of the number of constraints times the number of variables without a value.
const MOST_WORK: usize = 5_000_000;
/// A domain with more values is large.
const LARGE: u128 = 1_000;

impl Presolved {
    /// Returns whether a variable other than the objective has a large domain.
    pub(crate) fn has_large_domain(&self, objective: Ref) -> bool {
        let root = self.store.resolve(objective).variable();
        self.open().any(|x| Some(x) != root && self.store.domain(x).size() > LARGE)
    }

    /// Returns the roots whose domains have more than one value.
    fn open(&self) -> impl Iterator<Item = VarId> + '_ {
        let all = (0..self.store.variables() as u32).map(VarId);
        all.filter(|&x| self.store.is_root(x) && self.store.domain(x).only().is_none())
    }

    /// Searches for values of all variables: assigns the variable with the smallest minimum to this minimum, and
    /// propagates. Literals and the objective are assigned last; the objective gets its maximum if `maximise` is true.
    /// The values may violate constraints that do not propagate. All domains must be finite.
    pub(crate) fn dive(&self, objective: Ref, maximise: bool) -> Option<Vec<Value>> {
        if self.constraints.len().saturating_mul(self.open().count()) > MOST_WORK {
            return None;
        }
        let mut this = self.clone();
        let root = self.store.resolve(objective).variable();
        let mut failures = 0;
        while !this.store.infeasible {
            let key = |x: &VarId| {
                let domain = this.store.domain(*x);
                (Some(*x) == root, domain.is_boolean(), domain.first(), domain.last())
            };
            let Some(x) = this.open().min_by_key(key) else {
                let value = |x: u32| this.store.value(Ref::Var(VarId(x)));
                return (0..this.store.variables() as u32).map(value).collect();
            };
            let domain = this.store.domain(x);
            let value = if Some(x) == root && maximise { domain.last() } else { domain.first() };
            let mut next = this.clone();
            next.store.assign(Ref::Var(x), value);
            next.propagate();
            if next.store.infeasible {
                failures += 1;
                if failures > MOST_FAILURES {
                    return None;
                }
                this.store.remove(Ref::Var(x), value);
                this.propagate();
            } else {
                this = next;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use crate::problem::Problem;
    use crate::text;

    /// Two tasks of durations 400 and 700 whose order is open, and the end of both.
    const TEXT: &str = "var 0..5000: x;\nvar 0..5000: y;\nvar 0..9000: end;\n\
        constraint fzn_disjunctive([x,y],[400,700]);\nconstraint int_lin_le([1,-1],[x,end],-400);\n\
        constraint int_lin_le([1,-1],[y,end],-700);\nsolve minimize end;\n";

    fn problem(text: &str) -> (crate::Instance, Problem) {
        let instance = text::read(text).expect("valid text");
        let problem = Problem::new(&instance).expect("a problem");
        (instance, problem)
    }

    #[test]
    fn a_solution_bounds_the_domains() {
        let (instance, problem) = problem(TEXT);
        let bounded = problem.bounded(&instance).expect("a solution");
        assert!(bounded.allows(&[0, 400, 1100]), "an optimal solution");
        assert!(bounded.allows(&[700, 0, 1100]), "another optimal solution");
        assert!(!bounded.allows(&[0, 401, 1101]), "a solution that is worse");
        assert!(bounded.bounded(&instance).is_none(), "no domain is large");
    }

    #[test]
    fn values_that_violate_a_constraint_bound_nothing() {
        // The constraint `lex_less` does not propagate. It requires y < x, but the smallest values are 0.
        let text = TEXT.replace("solve", "constraint fzn_lex_less_int([y],[x]);\nsolve");
        let (instance, problem) = problem(&text);
        assert!(problem.bounded(&instance).is_none());
        let (instance, problem) = self::problem(&TEXT.replace("solve minimize end", "solve satisfy"));
        assert!(problem.bounded(&instance).is_none(), "there is no objective");
    }
}
