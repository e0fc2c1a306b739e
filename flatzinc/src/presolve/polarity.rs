//! Replaces literals that only one clause requires, and assigns literals that no constraint requires.
//!
//! MiniZinc introduces Booleans for subexpressions. For `if c then x = 1 else x = 2 endif`, a Boolean a implies `x = 1`, a
//! Boolean b implies `x = 2`, and there are the clauses `not c or a` and `c or b`. In this case, a can be replaced by c,
//! and b by the negation of c.
//!
//! A constraint *requires* a literal if making the literal false may violate the constraint. For example, a clause
//! requires its literals, and `c -> x = 1` requires the negation of c.
//!
//! * If no constraint requires a literal, the literal is assigned false.
//! * If only the clause `l or m` requires l, then l is replaced by the negation of m. This is sound because the clause
//!   `not l or not m` is *blocked*: its resolvent with `l or m`, the only clause that contains l, is a tautology. Adding a
//!   blocked clause preserves satisfiability.
//! * If only the clause `l or m1 or ... or mk` requires l, and a Boolean d is equivalent to `m1 or ... or mk`, then l is
//!   replaced by the negation of d.
//!
//! These rules can remove solutions. For each removed solution, a solution with the same values of all other variables
//! remains. The rules replace no variable that [`Instance::kept`](crate::Instance::kept) returns, such as an output.
//!
//! Paper: Kullmann: *On a generalization of extended resolution*, Discrete Applied Mathematics 96–97, 1999.

use std::collections::{HashMap, HashSet};

use gordian_encodings::Value;
use gordian_encodings::constraint::Comparison;

use super::{Presolved, Store};
use crate::constraint::{Ref, Relation, Sum, When};
use crate::instance::VarId;

/// The maximum length of a clause in which a literal is replaced. Without this limit, the time would be quadratic in the
/// length of a clause, because each replacement reads the whole clause.
const LONGEST: usize = 100;

/// The constraints that require a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RequiredBy {
    None,
    /// Only the clause with this index requires the literal.
    One(usize),
    /// Several clauses, or another constraint, require the literal.
    Several,
}

/// For each variable, the constraints that require the variable, and those that require its negation.
struct Requirements {
    of: Vec<[RequiredBy; 2]>,
}

impl Requirements {
    fn new(presolved: &Presolved) -> Self {
        let Presolved { constraints, store } = presolved;
        let mut this = Self { of: vec![[RequiredBy::None; 2]; store.variables()] };
        for (index, constraint) in constraints.iter().enumerate() {
            match (&constraint.relation, constraint.when) {
                (Relation::Clause(lits), When::Always) => {
                    for &lit in lits {
                        this.require(store.resolve(lit), RequiredBy::One(index));
                    }
                    continue;
                }
                (Relation::And(lits), When::If(_)) => {
                    for &lit in lits {
                        this.require(store.resolve(lit), RequiredBy::Several);
                    }
                }
                // Reducing a term never violates the comparison.
                (
                    Relation::Sum(Sum { terms, comparison: Comparison::AtMost, .. }),
                    When::Always | When::If(_),
                ) => {
                    for &(factor, x) in terms {
                        let x = store.resolve(x);
                        if store.is_boolean(x) {
                            this.require(if factor > 0 { !x } else { x }, RequiredBy::Several);
                        }
                    }
                }
                (relation, _) => relation.operands(&mut |operand| this.require_both(store.resolve(operand))),
            }
            match constraint.when {
                When::Always => {}
                When::If(condition) => this.require(store.resolve(!condition), RequiredBy::Several),
                When::Iff(condition) => this.require_both(store.resolve(condition)),
            }
        }
        this
    }

    fn require(&mut self, lit: Ref, by: RequiredBy) {
        let Some(required) = self.get_mut(lit) else { return };
        *required = if *required == RequiredBy::None || *required == by { by } else { RequiredBy::Several };
    }

    fn require_both(&mut self, operand: Ref) {
        if let Some(x) = operand.variable() {
            self.of[x.0 as usize] = [RequiredBy::Several; 2];
        }
    }

    fn get_mut(&mut self, lit: Ref) -> Option<&mut RequiredBy> {
        let x = lit.variable()?;
        Some(&mut self.of[x.0 as usize][usize::from(lit == Ref::Not(x))])
    }
}

/// The normal form of a relation that is equivalent to a literal.
#[derive(PartialEq, Eq, Hash)]
enum DefinedAs {
    /// The sorted literals of a clause.
    Clause(Vec<Ref>),
    /// The equation `sum = bound` if the flag is true, and `sum <= bound` otherwise. The terms are sorted, and the first
    /// coefficient is positive.
    Sum(Vec<(Value, Ref)>, bool, Value),
}

impl DefinedAs {
    /// Returns the normal form of a relation or of its negation. The flag is true for the negation.
    fn of(relation: &Relation, store: &Store) -> Option<(Self, bool)> {
        match relation {
            Relation::Clause(lits) => Some((Self::clause(lits, store), false)),
            Relation::Sum(sum) => {
                let Sum { mut terms, comparison, bound } = sum.merged(store)?;
                let (is_equation, negated, bound) = match comparison {
                    Comparison::Equal => (true, false, bound),
                    Comparison::NotEqual => (true, true, bound),
                    Comparison::AtMost => (false, false, bound),
                    Comparison::AtLeast => (false, true, bound.checked_sub(1)?),
                };
                terms.sort_unstable_by_key(|&(_, x)| x);
                if terms.first().is_none_or(|&(factor, _)| factor > 0) {
                    return Some((Self::Sum(terms, is_equation, bound), negated));
                }
                // The first coefficient becomes positive: `-sum = bound` is `sum = -bound`, and `-sum <= bound` is
                // the negation of `sum <= -bound - 1`.
                for (factor, _) in &mut terms {
                    *factor = factor.checked_neg()?;
                }
                let bound = bound.checked_neg()?;
                Some(if is_equation {
                    (Self::Sum(terms, true, bound), negated)
                } else {
                    (Self::Sum(terms, false, bound.checked_sub(1)?), !negated)
                })
            }
            _ => None,
        }
    }

    fn clause(lits: &[Ref], store: &Store) -> Self {
        let mut lits: Vec<Ref> = lits.iter().map(|&lit| store.resolve(lit)).collect();
        lits.sort_unstable();
        lits.dedup();
        Self::Clause(lits)
    }
}

impl Presolved {
    /// Merges literals that are equivalent to the same relation. Returns the literal of each relation.
    fn merge_definitions(&mut self) -> HashMap<DefinedAs, Ref> {
        let Self { constraints, store } = self;
        let mut defined: HashMap<DefinedAs, Ref> = HashMap::new();
        constraints.retain(|constraint| {
            let When::Iff(lit) = constraint.when else { return true };
            let Some((key, negated)) = DefinedAs::of(&constraint.relation, store) else { return true };
            let lit = if negated { !lit } else { lit };
            if let Some(&known) = defined.get(&key) {
                store.merge(known, lit);
                return false;
            }
            defined.insert(key, lit);
            true
        });
        defined
    }

    /// Merges literals with the same definition, and replaces or assigns literals by the rules of this
    /// [module](self), except the variables in `kept`. Returns whether a variable was merged or assigned.
    pub(super) fn remove_literals(&mut self, kept: &[VarId]) -> bool {
        self.store.merged.clear();
        self.store.changed.clear();
        let defined = self.merge_definitions();
        let mut requirements = Requirements::new(self);
        let Self { constraints, store } = self;
        let kept: HashSet<VarId> =
            kept.iter().filter_map(|&x| store.resolve(Ref::Var(x)).variable()).collect();
        for index in 0..store.variables() as u32 {
            let x = VarId(index);
            for lit in [Ref::Var(x), Ref::Not(x)] {
                let is_open = store.is_root(x) && store.domain(x).only().is_none();
                if !is_open || !store.domain(x).is_boolean() || kept.contains(&x) {
                    break;
                }
                match requirements.get_mut(lit) {
                    Some(RequiredBy::None) => store.assign(lit, 0),
                    Some(&mut RequiredBy::One(index)) => {
                        let Relation::Clause(lits) = &mut constraints[index].relation else { continue };
                        if lits.len() > LONGEST {
                            continue;
                        }
                        let mut rest: Vec<Ref> = lits.iter().map(|&lit| store.resolve(lit)).collect();
                        rest.retain(|&other| other != lit && other != Ref::Const(0));
                        rest.sort_unstable();
                        rest.dedup();
                        let other = match rest[..] {
                            [other] => Some(other),
                            _ => defined.get(&DefinedAs::clause(&rest, store)).map(|&lit| store.resolve(lit)),
                        };
                        let Some(other) =
                            other.filter(|other| other.variable().is_some_and(|other| other != x))
                        else {
                            continue;
                        };
                        *lits = vec![lit, other];
                        store.merge(!other, lit);
                        // The constraints that contained `!lit` now contain `other`.
                        requirements.require_both(other);
                    }
                    _ => {}
                }
            }
        }
        !self.store.merged.is_empty() || !self.store.changed.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    /// Presolves an instance with the Booleans a, b, c, d and the integers x and y, and the output c. Returns the
    /// operand that replaces each variable.
    fn presolved(constraints: &str) -> impl Fn(&str) -> Ref + use<> {
        let variables = "var bool: a;\nvar bool: b;\nvar bool: c :: output_var;\nvar bool: d :: output_var;\n\
            var 0..9: x;\nvar 0..9: y;\n";
        let instance = text::read(&format!("{variables}{constraints}solve satisfy;\n")).expect("valid text");
        let constraints = crate::builtins::constraints(&instance).expect("valid constraints");
        let Presolved { store, .. } = Presolved::new(&instance, constraints);
        move |name| {
            let index = ["a", "b", "c", "d", "x", "y"].iter().position(|known| *known == name);
            store.resolve(Ref::Var(VarId(index.expect("a variable") as u32)))
        }
    }

    #[test]
    fn a_literal_that_one_clause_requires_is_replaced() {
        let of = presolved(
            "constraint int_le_imp(x,y,a);\nconstraint int_le_imp(y,x,b);\n\
             constraint bool_clause([a],[c]);\nconstraint bool_clause([b,c],[]);\n",
        );
        assert_eq!([of("a"), of("b")], [of("c"), !of("c")]);
        // The literal is negative, and another literal depends on it.
        let of = presolved(
            "constraint int_le_imp(x,y,b);\nconstraint bool_clause([],[a,c]);\nconstraint bool_clause([a,b],[]);\n",
        );
        assert_eq!([of("a"), of("b")], [!of("c"), of("c")]);
        // The literals c and d are equivalent to `x <= 3` and `not a`. The clause `b or a or c` becomes `b or not d`.
        let of = presolved(
            "constraint array_bool_or([a,c],d);\nconstraint int_le_imp(x,y,b);\n\
             constraint bool_clause([b,a,c],[]);\nconstraint int_le_reif(x,3,a);\n",
        );
        assert_eq!(of("b"), !of("d"));
    }

    #[test]
    fn a_literal_that_no_clause_requires_is_false() {
        let of = presolved("constraint int_le_imp(x,y,a);\nconstraint int_lin_le([1,1],[x,b],5);\n");
        assert_eq!([of("a"), of("b")], [Ref::Const(0); 2]);
        let of = presolved("constraint int_lin_le([-1,-1],[a,x],-5);\n");
        assert_eq!(of("a"), Ref::Const(1), "the comparison does not require the negation of a");
    }

    #[test]
    fn literals_with_the_same_definition_are_merged() {
        for (first, second, is_negated) in [
            ("int_eq_reif(x,3,a)", "int_ne_reif(x,3,b)", true),
            ("int_lin_eq_reif([1,-1],[x,y],2,a)", "int_lin_eq_reif([-1,1],[x,y],-2,b)", false),
            ("int_lin_le_reif([1,1],[x,y],2,a)", "int_lin_le_reif([1,1],[y,x],2,b)", false),
            ("int_le_reif(x,3,a)", "int_le_reif(4,x,b)", true),
            ("int_lin_le_reif([1,-1],[x,y],2,a)", "int_lin_le_reif([-1,1],[x,y],-3,b)", true),
            ("array_bool_or([c,d],a)", "array_bool_or([d,c],b)", false),
        ] {
            let required = "constraint int_le_imp(x,y,a);\nconstraint int_le_imp(y,x,b);\n\
                constraint bool_clause([c],[a,b]);\nconstraint bool_clause([a,b,d],[]);\n";
            let of = presolved(&format!("{required}constraint {first};\nconstraint {second};\n"));
            let expected = if is_negated { !of("b") } else { of("b") };
            assert_eq!(of("a"), expected, "{first} and {second}");
        }
    }

    #[test]
    fn other_literals_remain() {
        for constraints in [
            // Two clauses require a.
            "constraint bool_clause([a,c],[]);\nconstraint bool_clause([a,d],[]);\n",
            // The clause has several other literals.
            "constraint bool_clause([a,c,d],[]);\n",
            // Another constraint requires a.
            "constraint bool_clause([a,c],[]);\nconstraint array_bool_and_imp([a,d],c);\n",
            "constraint bool_clause([a,c],[]);\nconstraint int_lin_le([-1,-1],[a,x],-5);\n",
            "constraint bool_clause([a,c],[]);\nconstraint int_lin_eq([1,1],[a,x],5);\n",
        ] {
            let of = presolved(&format!("{constraints}constraint int_le_imp(x,y,a);\n"));
            assert_eq!(of("a"), Ref::Var(VarId(0)), "{constraints}");
        }
        // Output variables are not replaced.
        let of = presolved("constraint bool_clause([c],[d]);\nconstraint int_le_imp(x,y,c);\n");
        assert_ne!(of("c"), of("d"));
    }
    #[test]
    fn kept_variables_are_not_replaced() {
        let resolved = |constraints: &str, goal: &str| {
            let text = format!(
                "var 0..1: a;\nvar bool: b;\nvar 0..9: x;\n{constraints}constraint int_lin_le([1,1],[a,x],4);\n\
                 solve {goal};\n"
            );
            let instance = text::read(&text).expect("valid text");
            let constraints = crate::builtins::constraints(&instance).expect("valid constraints");
            let Presolved { store, .. } = Presolved::new(&instance, constraints);
            [0, 1].map(|index| store.resolve(Ref::Var(VarId(index))))
        };
        let open = [0, 1].map(|index| Ref::Var(VarId(index)));
        assert_eq!(resolved("", "satisfy"), [Ref::Const(0); 2]);
        assert_eq!(resolved("", "maximize a")[0], open[0], "the objective");
        assert_eq!(resolved("constraint fzn_assume([b]);\n", "satisfy")[1], open[1], "an assumption");
        let restarted = resolved("constraint fzn_on_restart_complete(b);\n", "satisfy");
        assert_eq!(restarted[1], open[1], "an argument of a restart");
    }

    #[test]
    fn literals_of_long_clauses_remain() {
        for (others, is_replaced) in [(LONGEST - 1, true), (LONGEST, false)] {
            let names: Vec<String> = (0..others).map(|index| format!("c{index}")).collect();
            let declarations: String =
                names.iter().flat_map(|name| ["var bool: ", name, " :: output_var;\n"]).collect();
            let list = names.join(",");
            let text = format!(
                "var bool: a;\nvar bool: d :: output_var;\nvar 0..9: x :: output_var;\n\
                 var 0..9: y :: output_var;\n{declarations}constraint array_bool_or([{list}],d);\n\
                 constraint bool_clause([a,{list}],[]);\nconstraint int_le_imp(x,y,a);\nsolve satisfy;\n"
            );
            let instance = text::read(&text).expect("valid text");
            let constraints = crate::builtins::constraints(&instance).expect("valid constraints");
            let Presolved { store, .. } = Presolved::new(&instance, constraints);
            let [a, d] = [0, 1].map(|index| store.resolve(Ref::Var(VarId(index))));
            assert_eq!(a == !d, is_replaced, "{others} other literals");
        }
    }
}
