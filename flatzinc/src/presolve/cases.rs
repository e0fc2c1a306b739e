//! Restricts variables to the values that a case distinction allows (*constructive disjunction*).
//!
//! If each literal of a clause implies that x is in some set, x is in the union of these sets. The same holds for a
//! literal and its negation, because one of them is true.
//!
//! If a literal c implies `x = v`, and its negation implies `x = w`, then `x = w + (v - w) c`. In other sums, x is
//! replaced by this expression. The equation takes the place of the implication `c -> x = v`, and the translation
//! replaces x in the objective by means of the equation.
//!
//! Paper: Van Hentenryck, Saraswat, Deville: *Design, implementation, and evaluation of the constraint language cc(FD)*,
//! Journal of Logic Programming 37, 1998.

use std::collections::{BTreeMap, HashMap};

use gordian_encodings::Value;
use gordian_encodings::constraint::Comparison;

use super::{Presolved, Set, Store};
use crate::constraint::{Constraint, Ref, Relation, Sum, When};
use crate::instance::VarId;

/// The maximum number of intervals in the domain of y for which `x = y + k` is used to restrict x. The limit bounds the
/// memory, because a set is stored for each implied equation.
const MOST_INTERVALS: usize = 20;

/// The largest absolute value of v, w and the coefficient of x with which x is replaced in a sum. With larger numbers, the
/// new sum could exceed 128 bits although the old sum does not.
const LARGEST: u128 = 1 << 50;

/// The values that a variable can have if a literal is true.
struct Implied {
    values: Set,
    /// The index of a constraint `lit -> x = value`, if there is one.
    equation: Option<usize>,
}

/// The values of variables that literals imply.
#[derive(Default)]
struct Cases {
    sets: HashMap<(Ref, VarId), Implied>,
    /// For each literal, the variables for which `sets` has an entry.
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

    /// Restricts variables, given literals of which at least one is true: if every literal implies a set for a variable,
    /// the variable is in the union of these sets. Returns the restricted variables.
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
    /// Applies the rules of this [module](self). Returns whether a domain or a constraint changed.
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
        let mut expressions: BTreeMap<VarId, TwoValues> = BTreeMap::new();
        for &lit in cases.variables.keys().filter(|&lit| matches!(lit, Ref::Var(_))) {
            for x in cases.unite(&[lit, !lit], store) {
                let [case, other] = [lit, !lit].map(|lit| &cases.sets[&(lit, x)]);
                if let (Some(index), Some(_), Some(value), Some(otherwise)) =
                    (case.equation, other.equation, case.values.only(), other.values.only())
                    && let Some(step) = value.checked_sub(otherwise)
                    && value.unsigned_abs().max(otherwise.unsigned_abs()) <= LARGEST
                {
                    expressions.entry(x).or_insert(TwoValues { lit, step, otherwise, index });
                }
            }
        }
        for constraint in constraints.iter_mut() {
            if let Relation::Sum(sum) = &mut constraint.relation
                && let Some(replaced) = replaced(sum, &expressions, store)
            {
                *sum = replaced;
            }
        }
        for (&x, &TwoValues { lit, step, otherwise, index }) in &expressions {
            let terms = vec![(1, Ref::Var(x)), (-step, lit)];
            let constraint = &mut constraints[index];
            constraint.relation =
                Relation::Sum(Sum { terms, comparison: Comparison::Equal, bound: otherwise });
            constraint.when = When::Always;
        }
        !store.changed.is_empty() || !expressions.is_empty()
    }
}

/// The expression `otherwise + step * lit`, which equals an integer.
struct TwoValues {
    lit: Ref,
    step: Value,
    otherwise: Value,
    /// The index of the constraint `lit -> x = otherwise + step`, where x is the integer.
    index: usize,
}

/// Replaces the integers in `expressions` in a sum by their expressions. Returns `None` if nothing changes, which includes
/// sums with a single term and with large numbers.
fn replaced(sum: &Sum, expressions: &BTreeMap<VarId, TwoValues>, store: &Store) -> Option<Sum> {
    if sum.terms.len() < 2 || expressions.is_empty() {
        return None;
    }
    let mut sum = sum.clone();
    let mut found = false;
    for (factor, x) in &mut sum.terms {
        let Ref::Var(root) = store.resolve(*x) else { continue };
        if let Some(expression) = expressions.get(&root) {
            if factor.unsigned_abs() > LARGEST {
                return None;
            }
            sum.bound = sum.bound.checked_sub(factor.checked_mul(expression.otherwise)?)?;
            (*factor, *x) = (factor.checked_mul(expression.step)?, expression.lit);
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
        assert!(constraints.is_empty(), "{constraints:?}");
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
    fn domains_with_many_holes_imply_no_set() {
        for (holes, values) in [(MOST_INTERVALS - 1, MOST_INTERVALS), (MOST_INTERVALS, 100)] {
            let domain: Vec<String> = (0..=holes).map(|index| (3 * index).to_string()).collect();
            let text = format!(
                "var bool: a :: output_var;\nvar bool: b :: output_var;\nvar 0..99: x :: output_var;\n\
                 var {{{}}}: y :: output_var;\nconstraint int_lin_eq_imp([1,-1],[x,y],0,a);\n\
                 constraint int_lin_eq_imp([1,-1],[x,y],0,b);\nconstraint bool_not(a,b);\nsolve satisfy;\n",
                domain.join(",")
            );
            let instance = text::read(&text).expect("valid text");
            let constraints = crate::builtins::constraints(&instance).expect("valid constraints");
            let Presolved { store, .. } = Presolved::new(&instance, constraints);
            assert_eq!(store.set(Ref::Var(VarId(2))).size(), values as u128, "{holes} holes");
        }
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
