//! Values by cases: a variable has a value of one of several cases, at least one of which applies.
//!
//! If each literal of a clause implies that x is in some set, x is in the union of these sets (*constructive
//! disjunction*). The same holds for a literal and its negation. If a literal c implies `x = v`, and its negation
//! implies `x = w`, then x is `w + (v - w) c`. This equation replaces one of the implications, so that x can be replaced
//! in other sums and in the objective.
//!
//! Paper: Van Hentenryck, Saraswat, Deville: *Design, implementation, and evaluation of the constraint language cc(FD)*,
//! Journal of Logic Programming 37, 1998.

use std::collections::{BTreeMap, HashMap};

use gordian_encodings::Value;
use gordian_encodings::constraint::Comparison;

use super::{Presolved, Set, Store};
use crate::constraint::{Constraint, Ref, Relation, Sum, When};
use crate::instance::VarId;

/// An implied equation of two variables is not used if the domain of one of them has more intervals.
const MOST_INTERVALS: usize = 20;

/// The largest absolute value of a choice that is replaced in sums. With larger values, a sum could exceed 128 bits.
const LARGEST: u128 = 1 << 60;

/// A set of values that a literal implies for a variable.
struct Implied {
    values: Set,
    /// The index of the constraint if it is the implication `x = value`.
    equation: Option<usize>,
}

/// The sets that literals imply.
#[derive(Default)]
struct Cases {
    sets: HashMap<(Ref, VarId), Implied>,
    /// The variables for which a literal implies a set.
    variables: BTreeMap<Ref, Vec<VarId>>,
}

impl Cases {
    fn new(constraints: &[Constraint], store: &Store) -> Self {
        let mut this = Self::default();
        for (index, constraint) in constraints.iter().enumerate() {
            match constraint.when {
                When::Always => {}
                When::If(lit) => this.add(lit, &constraint.relation, Some(index), store),
                When::Iff(lit) => {
                    this.add(lit, &constraint.relation, None, store);
                    if let Some(negation) = constraint.relation.negation() {
                        this.add(!lit, &negation, None, store);
                    }
                }
            }
        }
        this
    }

    /// Records the sets that a relation implies for its variables.
    fn add(&mut self, lit: Ref, relation: &Relation, index: Option<usize>, store: &Store) {
        match relation {
            Relation::In(x, values) => self.insert(lit, *x, Set::from(&**values), None, store),
            Relation::Sum(sum) => {
                let Some(Sum { terms, comparison, bound }) = sum.merged(store) else { return };
                // A merged sum with a single term has the coefficient 1 or -1.
                match (&terms[..], comparison) {
                    (&[(factor, x)], comparison) => {
                        let Some(value) = bound.checked_mul(factor) else { return };
                        let (values, equation) = match (comparison, factor > 0) {
                            (Comparison::Equal, _) => (Set::interval(value, value), index),
                            (Comparison::NotEqual, _) => (Set::interval(value, value).complement(), None),
                            (Comparison::AtMost, true) | (Comparison::AtLeast, false) => {
                                (Set::interval(Value::MIN, value), None)
                            }
                            (Comparison::AtMost, false) | (Comparison::AtLeast, true) => {
                                (Set::interval(value, Value::MAX), None)
                            }
                        };
                        self.insert(lit, x, values, equation, store);
                    }
                    (&[(1, x), (-1, y)] | &[(-1, y), (1, x)], Comparison::Equal) => {
                        for (x, y, difference) in [(x, y, Some(bound)), (y, x, bound.checked_neg())] {
                            let values = store.set(y);
                            if let Some(difference) = difference
                                && values.intervals().len() <= MOST_INTERVALS
                            {
                                self.insert(lit, x, values.shifted(difference), None, store);
                            }
                        }
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// Restricts each variable for which all literals imply a set to the union of these sets. At least one of the literals
    /// must be true. Returns these variables.
    fn unite(&self, lits: &[Ref], store: &mut Store) -> Vec<VarId> {
        let variables = |lit: &Ref| self.variables.get(lit).map_or(&[][..], Vec::as_slice);
        let Some(fewest) = lits.iter().map(variables).min_by_key(|variables| variables.len()) else {
            return Vec::new();
        };
        let mut united = Vec::new();
        for &x in fewest {
            let sets: Option<Vec<&Set>> =
                lits.iter().map(|&lit| Some(&self.sets.get(&(lit, x))?.values)).collect();
            if let Some(sets) = sets {
                store.intersect(Ref::Var(x), &Set::union(sets));
                united.push(x);
            }
        }
        united
    }

    fn insert(&mut self, lit: Ref, x: Ref, values: Set, equation: Option<usize>, store: &Store) {
        let (lit, x) = (store.resolve(lit), store.resolve(x));
        let (Some(_), Ref::Var(x)) = (lit.variable(), x) else { return };
        if let Some(known) = self.sets.get_mut(&(lit, x)) {
            known.values.intersect(values.intervals());
            known.equation = known.equation.or(equation);
        } else {
            self.sets.insert((lit, x), Implied { values, equation });
            self.variables.entry(lit).or_default().push(x);
        }
    }
}

impl Presolved {
    /// Restricts variables to the values of the cases that apply. Returns whether a domain or a constraint changed.
    pub(super) fn apply_cases(&mut self) -> bool {
        let Self { constraints, store } = self;
        store.changed.clear();
        let cases = Cases::new(constraints, store);
        for constraint in constraints.iter() {
            if let (Relation::Clause(lits), When::Always) = (&constraint.relation, constraint.when) {
                let mut lits: Vec<Ref> = lits.iter().map(|&lit| store.resolve(lit)).collect();
                lits.retain(|&lit| lit != Ref::Const(0));
                cases.unite(&lits, store);
            }
        }
        let mut choices: BTreeMap<VarId, Choice> = BTreeMap::new();
        for &lit in cases.variables.keys().filter(|&lit| matches!(lit, Ref::Var(_))) {
            for x in cases.unite(&[lit, !lit], store) {
                let [case, other] = [lit, !lit].map(|lit| &cases.sets[&(lit, x)]);
                if let (Some(index), Some(_), Some(value), Some(otherwise)) =
                    (case.equation, other.equation, case.values.only(), other.values.only())
                    && let Some(step) = value.checked_sub(otherwise)
                    && value.unsigned_abs().max(otherwise.unsigned_abs()) <= LARGEST
                {
                    choices.entry(x).or_insert(Choice { lit, step, otherwise, index });
                }
            }
        }
        for constraint in constraints.iter_mut() {
            if let Relation::Sum(sum) = &mut constraint.relation
                && let Some(replaced) = replaced(sum, &choices, store)
            {
                *sum = replaced;
            }
        }
        for (&x, &Choice { lit, step, otherwise, index }) in &choices {
            let terms = vec![(1, Ref::Var(x)), (-step, lit)];
            let constraint = &mut constraints[index];
            constraint.relation =
                Relation::Sum(Sum { terms, comparison: Comparison::Equal, bound: otherwise });
            constraint.when = When::Always;
        }
        !store.changed.is_empty() || !choices.is_empty()
    }
}

/// An integer with the value `otherwise + step * lit`.
struct Choice {
    lit: Ref,
    step: Value,
    otherwise: Value,
    /// The index of the constraint that `lit` implies the value of the integer.
    index: usize,
}

/// Returns the sum of two or more terms with choices replaced by their literals. Returns `None` if there are none, or on
/// overflow.
fn replaced(sum: &Sum, choices: &BTreeMap<VarId, Choice>, store: &Store) -> Option<Sum> {
    if sum.terms.len() < 2 || choices.is_empty() {
        return None;
    }
    let mut sum = sum.clone();
    let mut found = false;
    for (factor, x) in &mut sum.terms {
        let Ref::Var(root) = store.resolve(*x) else { continue };
        if let Some(choice) = choices.get(&root) {
            sum.bound = sum.bound.checked_sub(factor.checked_mul(choice.otherwise)?)?;
            (*factor, *x) = (factor.checked_mul(choice.step)?, choice.lit);
            found = true;
        }
    }
    found.then_some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    /// Presolves an instance with the Booleans a, b and c and the integers x and y, which are outputs.
    fn presolved(constraints: &str) -> Presolved {
        let variables = "var bool: a :: output_var;\nvar bool: b :: output_var;\nvar bool: c :: output_var;\n\
            var 0..99: x :: output_var;\nvar 0..9: y :: output_var;\n";
        let instance = text::read(&format!("{variables}{constraints}solve satisfy;\n")).expect("valid text");
        Presolved::new(&instance, crate::builtins::constraints(&instance).expect("valid constraints"))
    }

    fn values(constraints: &str) -> Vec<Value> {
        presolved(constraints).store.set(Ref::Var(VarId(3))).values().collect()
    }

    #[test]
    fn a_variable_has_a_value_of_one_of_the_cases() {
        let equal = "constraint int_eq_imp(x,7,a);\nconstraint int_eq_imp(x,40,b);\n";
        let clause = "constraint bool_clause([a,b],[]);\n";
        assert_eq!(values(&format!("{equal}{clause}")), [7, 40]);
        assert_eq!(values(equal).len(), 100, "no case is required");
        let third = "constraint bool_clause([a,b,c],[]);\n";
        assert_eq!(values(&format!("{equal}{third}")).len(), 100, "c implies nothing");
        let plus = "constraint int_lin_eq_imp([1,-1],[x,y],60,c);\n";
        assert_eq!(values(&format!("{equal}{third}{plus}")).len(), 12);
        let range = "constraint int_le_imp(x,2,c);\n";
        assert_eq!(values(&format!("{equal}{third}{range}")), [0, 1, 2, 7, 40]);
        let range = "constraint int_le_imp(97,x,c);\nconstraint set_in_imp(x,{3,98},c);\n";
        assert_eq!(values(&format!("{equal}{third}{range}")), [7, 40, 98]);
        // The literals are each other's negation, so no clause remains.
        let negations =
            "constraint int_eq_imp(x,5,a);\nconstraint set_in_imp(x,1..2,b);\nconstraint bool_not(a,b);\n";
        assert_eq!(values(negations), [1, 2, 5]);
    }

    #[test]
    fn two_cases_of_a_literal_become_an_equation() {
        let Presolved { constraints, store } = presolved(
            "constraint int_eq_imp(x,7,a);\nconstraint int_eq_imp(x,40,b);\nconstraint bool_not(a,b);\n\
             constraint int_lin_le([1,2],[x,y],30);\n",
        );
        assert_eq!(store.set(Ref::Var(VarId(3))).values().collect::<Vec<_>>(), [7], "x = 40 is too large");
        assert!(constraints.iter().all(|constraint| constraint.when == When::Always));
        let Presolved { constraints, store } = presolved(
            "constraint int_eq_imp(x,7,a);\nconstraint int_eq_imp(x,40,b);\nconstraint bool_not(a,b);\n\
             constraint int_lin_le([1,9],[x,y],50);\n",
        );
        let a = store.resolve(Ref::Var(VarId(0)));
        let sums: Vec<&Sum> = constraints
            .iter()
            .filter_map(|constraint| match (&constraint.relation, constraint.when) {
                (Relation::Sum(sum), When::Always) => Some(sum),
                _ => None,
            })
            .collect();
        let step = if let Ref::Var(_) = a { 33 } else { -33 };
        let has = |sum: &Sum, factor: Value, x: Ref| sum.terms.contains(&(factor, x));
        let lit = Ref::Var(a.variable().expect("a is open"));
        assert!(sums.iter().any(|sum| has(sum, step, lit) && has(sum, 1, Ref::Var(VarId(3)))), "{sums:?}");
        // In the comparison, x is replaced.
        assert!(sums.iter().any(|sum| has(sum, -step, lit) && has(sum, 9, Ref::Var(VarId(4)))), "{sums:?}");
    }

    #[test]
    fn numbers_near_the_limits_do_not_overflow() {
        let presolved = |text: &str| {
            let instance = text::read(text).expect("valid text");
            let constraints = crate::builtins::constraints(&instance).expect("valid constraints");
            Presolved::new(&instance, constraints)
        };
        // The values of x are so large that replacing x could make the sum too large.
        let large = 1_i128 << 120;
        let text = format!(
            "var bool: a :: output_var;\nvar bool: b :: output_var;\nvar -{large}..{large}: x :: output_var;\n\
             var 0..3: y :: output_var;\nconstraint int_eq_imp(x,-{large},a);\nconstraint int_eq_imp(x,{large},b);\n\
             constraint bool_not(a,b);\nconstraint int_lin_ne([1,1],[x,y],2);\nsolve satisfy;\n"
        );
        let Presolved { store, .. } = presolved(&text);
        assert_eq!(store.set(Ref::Var(VarId(2))).values().collect::<Vec<_>>(), [-large, large]);
        let instance = text::read(&text).expect("valid text");
        assert!(crate::problem::Problem::new(&instance).and_then(|problem| problem.translate()).is_ok());
        // The constraint is `x = y - 2^127`.
        let (least, first, last) = (Value::MIN, Value::MAX - 4, Value::MAX - 3);
        let Presolved { store, .. } = presolved(&format!(
            "var bool: a :: output_var;\nvar bool: b :: output_var;\nvar -6..-5: x :: output_var;\n\
             var {first}..{last}: y :: output_var;\n\
             constraint int_lin_eq_imp([1,-1],[x,y],{least},a);\n\
             constraint int_lin_eq_imp([1,-1],[x,y],{least},b);\nconstraint bool_not(a,b);\nsolve satisfy;\n"
        ));
        assert!(!store.is_infeasible());
        assert!(store.allows(Ref::Var(VarId(2)), -5) && store.allows(Ref::Var(VarId(3)), first));
    }
}
