//! Removal of literals that are not needed, by the polarity of their occurrences.
//!
//! MiniZinc introduces Booleans for the parts of expressions. For `if c then x = 1 else x = 2 endif`, Booleans a and b
//! imply `x = 1` and `x = 2`, and the clauses `not c or a` and `c or b` require them. Here, a can be replaced by c,
//! and b by the negation of c.
//!
//! A clause *requires* each of its literals. A condition literal is only a restriction: if it is false, the constraint
//! need not hold. Let l be a literal that at most one clause and no other constraint requires. Without such a clause,
//! l is assigned false. If the clause is `l or m`, adding the clause `not l or not m` preserves satisfiability: it is
//! *blocked*, because its resolvent with the only clause that contains l is a tautology. Therefore l is replaced by the
//! negation of m. If the clause contains several other literals, and another Boolean d is equivalent to their
//! disjunction, l is replaced by the negation of d.
//!
//! Some solutions are lost, but for each lost solution, another one has the same values of all other variables. This rule
//! replaces no variable that [`Instance::kept`](crate::Instance::kept) returns, such as an output.
//!
//! Paper: Kullmann: *On a generalization of extended resolution*, Discrete Applied Mathematics 96–97, 1999.

use std::collections::{HashMap, HashSet};

use gordian_encodings::Value;
use gordian_encodings::constraint::Comparison;

use super::{Presolved, Store};
use crate::constraint::{Ref, Relation, Sum, When};
use crate::instance::VarId;

/// No literal is replaced because of a longer clause: each replacement reads the whole clause.
const LONGEST: usize = 100;

/// The constraints that require a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Required {
    Never,
    /// Only the clause with this index requires the literal.
    By(usize),
    Often,
}

/// For each variable, the constraints that require the variable, and those that require its negation.
struct Requirements {
    of: Vec<[Required; 2]>,
}

impl Requirements {
    fn new(presolved: &Presolved) -> Self {
        let Presolved { constraints, store } = presolved;
        let mut this = Self { of: vec![[Required::Never; 2]; store.variables()] };
        for (index, constraint) in constraints.iter().enumerate() {
            match (&constraint.relation, constraint.when) {
                (Relation::Clause(lits), When::Always) => {
                    for &lit in lits {
                        this.require(store.resolve(lit), Required::By(index));
                    }
                    continue;
                }
                (Relation::And(lits), When::If(_)) => {
                    for &lit in lits {
                        this.require(store.resolve(lit), Required::Often);
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
                            this.require(if factor > 0 { !x } else { x }, Required::Often);
                        }
                    }
                }
                (relation, _) => relation.operands(&mut |operand| this.require_both(store.resolve(operand))),
            }
            match constraint.when {
                When::Always => {}
                When::If(condition) => this.require(store.resolve(!condition), Required::Often),
                When::Iff(condition) => this.require_both(store.resolve(condition)),
            }
        }
        this
    }

    fn require(&mut self, lit: Ref, by: Required) {
        let Some(required) = self.get_mut(lit) else { return };
        *required = if *required == Required::Never || *required == by { by } else { Required::Often };
    }

    fn require_both(&mut self, operand: Ref) {
        if let Some(x) = operand.variable() {
            self.of[x.0 as usize] = [Required::Often; 2];
        }
    }

    fn get_mut(&mut self, lit: Ref) -> Option<&mut Required> {
        let x = lit.variable()?;
        Some(&mut self.of[x.0 as usize][usize::from(lit == Ref::Not(x))])
    }
}

/// A relation that defines a literal. Equal keys stand for the same relation.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    /// The sorted literals of a clause.
    Clause(Vec<Ref>),
    /// `sum = bound` or, if the flag is true, `sum <= bound`. The terms are sorted.
    Sum(Vec<(Value, Ref)>, bool, Value),
}

impl Key {
    /// Returns the key of a relation, and whether the key stands for the negation of the relation.
    fn of(relation: &Relation, store: &Store) -> Option<(Self, bool)> {
        match relation {
            Relation::Clause(lits) => Some((Self::clause(lits, store), false)),
            Relation::Sum(sum) => {
                let Sum { mut terms, comparison, bound } = sum.merged(store)?;
                if terms.iter().any(|&(factor, _)| factor == Value::MIN) {
                    return None;
                }
                terms.sort_unstable_by_key(|&(_, x)| x);
                // An equation does not change if both sides are multiplied by -1.
                let is_equation = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
                let turned = is_equation && terms.first().is_some_and(|&(factor, _)| factor < 0);
                let (terms, bound) = if turned {
                    (terms.into_iter().map(|(factor, x)| (-factor, x)).collect(), bound.checked_neg()?)
                } else {
                    (terms, bound)
                };
                match comparison {
                    Comparison::Equal => Some((Self::Sum(terms, false, bound), false)),
                    Comparison::NotEqual => Some((Self::Sum(terms, false, bound), true)),
                    Comparison::AtMost => Some((Self::Sum(terms, true, bound), false)),
                    Comparison::AtLeast => Some((Self::Sum(terms, true, bound.checked_sub(1)?), true)),
                }
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
    fn merge_definitions(&mut self) -> HashMap<Key, Ref> {
        let Self { constraints, store } = self;
        let mut defined: HashMap<Key, Ref> = HashMap::new();
        constraints.retain(|constraint| {
            let When::Iff(lit) = constraint.when else { return true };
            let Some((key, negated)) = Key::of(&constraint.relation, store) else { return true };
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

    /// Merges literals with the same definition, and removes literals that are not needed. The variables in `kept` keep
    /// all their values. Returns whether a variable was merged or assigned.
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
                    Some(Required::Never) => store.assign(lit, 0),
                    Some(&mut Required::By(index)) => {
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
                            _ => defined.get(&Key::clause(&rest, store)).map(|&lit| store.resolve(lit)),
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
}
