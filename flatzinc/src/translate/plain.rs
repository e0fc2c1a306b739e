//! The translation of an instance for proofs: without presolve, and with constraints that the formula of a proof
//! contains literally.
//!
//! The model consists of clauses, of linear constraints, possibly under conditions, and of all-different constraints.
//! Other relations become conjunctions of these: for example, `array[index] = value` becomes one equation for each
//! value of the index. For a disequality S != k, the model has a literal *less*. It implies S < k, and its negation
//! implies S > k. The page docs/proofs.md lists the resulting inequalities.

use std::collections::BTreeMap;
use std::sync::Arc;

use gordian_calls::opb::formula_name;
use gordian_encodings::constraint::{Comparison, Constraint as Encodable, Linear, Reified, Term};
use gordian_encodings::{FALSE, Lit, Objective, Sense, TRUE, Value};

use super::post::Condition;
use super::{Builder, Overflow, Representation, Translation};
use crate::builtins;
use crate::constraint::{Constraint, Ref, Relation, Sum, When};
use crate::error::TranslateError;
use crate::instance::{Goal, Instance, Origin, Place, VarId};
use crate::presolve::Presolved;

mod cases;

/// The maximum number of literals of a parity constraint. A longer one would need auxiliary variables.
const MOST_IN_PARITY: usize = 4;
/// The maximum number of values of an integer variable.
const MOST_VALUES: u128 = 10_000;

/// A relation that can't be stated.
enum Unstated {
    /// The formula of a proof can't express the relation.
    NoFormula,
    Overflow,
}

impl From<Overflow> for Unstated {
    fn from(_: Overflow) -> Self {
        Self::Overflow
    }
}

impl Translation {
    /// Translates an instance for a proof. The names of literals and integers are those of the formula. If `better_than`
    /// is a value, the objective must have a better value; otherwise, the model has the objective of the instance.
    ///
    /// # Errors
    /// Returns a message if proofs do not support a variable or a constraint, if a constraint is unknown or has wrong
    /// arguments, or if numbers exceed 128 bits.
    pub fn for_proof(instance: &Instance, better_than: Option<Value>) -> Result<Self, String> {
        let mut constraints: Vec<Constraint> = aliases(instance).collect();
        constraints.extend(builtins::constraints(instance).map_err(|error| error.to_string())?);
        let Presolved { constraints, store } = Presolved::declared(instance, constraints);
        for index in 0..store.variables() {
            let x = VarId(index as u32);
            if !store.is_infeasible() && store.domain(x).size() > MOST_VALUES {
                let name = &instance.variables[index].name;
                let which = if store.domain(x).is_bounded() {
                    format!("with more than {MOST_VALUES} values")
                } else {
                    "without finite bounds".to_owned()
                };
                return Err(format!("proofs do not support variables {which}, such as `{name}`"));
            }
        }
        let mut builder = Builder::new(&store);
        if store.is_infeasible() {
            builder.clause(Vec::new());
            return Ok(builder.finish());
        }
        builder.create_integers();
        builder.define_literals(&[]);
        for index in 0..store.variables() {
            let name = formula_name(instance, index);
            match builder.representations[index] {
                Some(Representation::Literal(lit)) => builder.model.name(lit, format!("{name}_is_1")),
                Some(Representation::Integer(x)) => builder.model.name_integer(x, name),
                _ => {}
            }
        }
        let mut plain = Plain { builder, disequalities: 0, tables: 0, pairs: 0 };
        for Constraint { relation, when, origin, .. } in &constraints {
            plain.post(relation, *when).map_err(|unstated| match unstated {
                Unstated::Overflow => TranslateError::Overflow(origin.clone()).to_string(),
                Unstated::NoFormula => format!("proofs do not support the constraint `{}`", origin.name),
            })?;
        }
        let Plain { mut builder, .. } = plain;
        let (sense, operand) = match &instance.goal {
            Goal::Satisfy => return Ok(builder.finish()),
            Goal::Minimise(operand) => (Sense::Minimise, Ref::of(operand)),
            Goal::Maximise(operand) => (Sense::Maximise, Ref::of(operand)),
        };
        match better_than {
            None => builder.model.set_objective(Objective::of(sense, builder.expr(operand))),
            Some(value) => builder.post_better(sense, operand, value),
        }
        Ok(builder.finish())
    }
}

/// Returns, for each variable whose declaration contains its value, the constraint that the variable has this value.
fn aliases(instance: &Instance) -> impl Iterator<Item = Constraint> {
    instance.variables.iter().enumerate().filter_map(|(index, variable)| {
        let value = Ref::of(variable.value.as_ref()?);
        Some(Constraint {
            relation: Relation::compare(Ref::Var(VarId(index as u32)), Comparison::Equal, value, 0),
            when: When::Always,
            domain_consistent: false,
            origin: Origin { name: variable.name.clone(), place: Place::default() },
        })
    })
}

impl Builder<'_> {
    /// Returns whether a value is between the minimum and the maximum of a sum.
    fn can_equal(&self, terms: &[(Value, Term)], value: Value) -> bool {
        let range = |&(coefficient, term): &(Value, Term)| {
            let (first, last) = match term {
                Term::Int(x) => (self.model.domain(x).min(), self.model.domain(x).max()),
                Term::Lit(_) => (0, 1),
            };
            (coefficient * first, coefficient * last)
        };
        let least: Value = terms.iter().map(range).map(|(a, b)| a.min(b)).sum();
        let greatest: Value = terms.iter().map(range).map(|(a, b)| a.max(b)).sum();
        (least..=greatest).contains(&value)
    }

    /// Posts the constraint that the objective has a better value than the given one.
    fn post_better(&mut self, sense: Sense, objective: Ref, value: Value) {
        let (comparison, bound) = match sense {
            Sense::Minimise => (Comparison::AtMost, value.checked_sub(1)),
            Sense::Maximise => (Comparison::AtLeast, value.checked_add(1)),
        };
        match (self.representation(objective), bound) {
            (Representation::Integer(x), Some(bound)) => {
                self.add(Box::new(Linear::new([(1, x.into())], comparison, bound)));
            }
            (_, Some(bound)) => {
                let relation = Relation::Sum(Sum { terms: vec![(1, objective)], comparison, bound });
                let lit = self.comparison(&relation).unwrap_or(!TRUE);
                self.clause(vec![lit]);
            }
            (_, None) => self.clause(Vec::new()),
        }
    }
}

/// Moves the constant literals of a linear constraint to the bound.
fn without_constants(mut linear: Linear) -> Linear {
    linear.terms.retain(|&(coefficient, term)| match term {
        Term::Lit(TRUE) => {
            linear.bound -= coefficient;
            false
        }
        Term::Lit(FALSE) => false,
        _ => true,
    });
    linear
}

/// Returns the total weight of the true literals if it is the same in all assignments. The weights must not overflow.
fn constant_weight(lits: &[(Value, Lit)]) -> Option<Value> {
    let mut constant = 0;
    let mut open: BTreeMap<u32, Value> = BTreeMap::new();
    for &(weight, lit) in lits {
        match lit {
            TRUE => constant += weight,
            FALSE => {}
            _ if lit.is_pos() => *open.entry(lit.vidx32()).or_default() += weight,
            _ => {
                constant += weight;
                *open.entry(lit.vidx32()).or_default() -= weight;
            }
        }
    }
    open.values().all(|&weight| weight == 0).then_some(constant)
}

/// Posts relations as clauses and linear constraints.
struct Plain<'a> {
    builder: Builder<'a>,
    /// The number of disequalities so far that have a literal.
    disequalities: usize,
    /// The number of tables so far.
    tables: usize,
    /// The number of pairs of boxes so far that must not overlap.
    pairs: usize,
}

impl Plain<'_> {
    fn post(&mut self, relation: &Relation, when: When) -> Result<(), Unstated> {
        let condition = match when {
            When::Always => Condition::Always,
            When::If(condition) => Condition::If(self.builder.lit(condition)),
            When::Iff(condition) => Condition::Iff(self.builder.lit(condition)),
        };
        let then = condition.then();
        match relation {
            Relation::Sum(sum) => {
                self.sum(sum, then)?;
                if let Condition::Iff(lit) = condition {
                    self.sum(&sum.negation().ok_or(Overflow)?, !lit)?;
                }
            }
            Relation::Parity(lits, _) => {
                let is_equivalence = matches!(condition, Condition::Iff(_));
                if lits.len() + usize::from(is_equivalence) > MOST_IN_PARITY {
                    return Err(Unstated::NoFormula);
                }
                self.builder.post_when(relation, condition)?;
            }
            Relation::Clause(_) | Relation::And(_) | Relation::In(..) => {
                self.builder.post_when(relation, condition)?;
            }
            Relation::Count { of, value, comparison, times } => {
                let Ref::Const(value) = self.builder.store.resolve(*value) else {
                    return Err(Unstated::NoFormula);
                };
                let lits = of.iter().map(|&(weight, x)| (weight, self.builder.equals(x, value)));
                let lits: Vec<(Value, Lit)> = lits.collect();
                self.count(lits, *comparison, *times, when, condition)?;
            }
            Relation::Among { of, values, times } => {
                let mut lits: Vec<(Value, Lit)> = Vec::new();
                for &x in of {
                    let set = self.builder.store.set(x);
                    let counted: Vec<Value> = set.values().filter(|&value| values.contains(value)).collect();
                    if counted.len() as u128 == set.size() {
                        lits.push((1, TRUE));
                    } else {
                        lits.extend(counted.into_iter().map(|value| (1, self.builder.equals(x, value))));
                    }
                }
                self.count(lits, Comparison::Equal, *times, when, condition)?;
            }
            _ if matches!(condition, Condition::Iff(_)) => return Err(Unstated::NoFormula),
            Relation::All(relations) => {
                for relation in relations {
                    self.post(relation, when)?;
                }
            }
            _ => self.post_under(relation, then)?,
        }
        Ok(())
    }

    /// Posts the constraint that the total weight of the true literals compares with an operand.
    fn count(
        &mut self,
        lits: Vec<(Value, Lit)>,
        comparison: Comparison,
        times: Ref,
        when: When,
        condition: Condition,
    ) -> Result<(), Unstated> {
        if let Some(number) = constant_weight(&lits) {
            // The domain of `times` may have a hole at this number.
            let terms = vec![(-1, times)];
            return self.post(&Relation::Sum(Sum { terms, comparison, bound: -number }), when);
        }
        let linear = without_constants(self.builder.counted(lits, comparison, times)?);
        self.post_linear(linear.clone(), condition.then())?;
        if let Condition::Iff(lit) = condition {
            self.post_linear(linear.negated(), !lit)?;
        }
        Ok(())
    }

    /// Posts a relation under a condition, which must not be an equivalence.
    fn post_under(&mut self, relation: &Relation, then: Lit) -> Result<(), Unstated> {
        match relation {
            Relation::AllDifferent(list, except) => {
                let mut by_value: BTreeMap<Value, Vec<Lit>> = BTreeMap::new();
                for &x in list {
                    for value in self.builder.store.set(x).values() {
                        if !except.contains(value) {
                            let lit = self.builder.equals(x, value);
                            by_value.entry(value).or_default().push(lit);
                        }
                    }
                }
                for lits in by_value.into_values() {
                    let at_most_one = Linear::at_most(lits.into_iter().map(|lit| (1, lit.into())), 1);
                    self.linear(without_constants(at_most_one), then);
                }
            }
            Relation::MinMax { of, value, greatest } => self.min_max(of, *value, *greatest, then)?,
            Relation::Quotient(operands) => self.by_pairs(operands, then, Value::checked_div)?,
            Relation::Remainder(operands) => self.by_pairs(operands, then, Value::checked_rem)?,
            Relation::Power(operands) => self.by_pairs(operands, then, cases::power)?,
            Relation::Table(columns, rows) => self.table(columns, rows, then)?,
            Relation::Inverse { left, right, first } => {
                self.inverse(left, right, *first, then)?;
                self.inverse(right, left, [first[1], first[0]], then)?;
            }
            Relation::Diffn { boxes, strict } => self.diffn(boxes, *strict, then)?,
            Relation::ValuePrecedence(list, chain) => self.value_precedence(list, chain, then)?,
            _ if then != TRUE => return Err(Unstated::NoFormula),
            Relation::Cumulative { tasks, capacity } => self.cumulative(tasks, *capacity)?,
            Relation::Disjunctive { tasks, strict, .. } => self.disjunctive(tasks, *strict)?,
            Relation::Element { index, first, array, value } => {
                for at in self.builder.store.set(*index).values() {
                    let here = self.builder.equals(*index, at);
                    let element = at.checked_sub(*first).and_then(|at| array.get(usize::try_from(at).ok()?));
                    match element {
                        Some(element) => self.equal(*value, Ref::of(element), here)?,
                        None => self.builder.clause(vec![!here]),
                    }
                }
            }
            Relation::Absolute([x, y]) => {
                for value in self.builder.store.set(*x).values() {
                    let here = self.builder.equals(*x, value);
                    self.equal(*y, Ref::Const(value.checked_abs().ok_or(Overflow)?), here)?;
                }
            }
            Relation::Product([x, y, z]) => {
                let [of_x, of_y] = [x, y].map(|&x| self.builder.store.set(x).size());
                let (cases, other) = if of_x <= of_y { (*x, *y) } else { (*y, *x) };
                for value in self.builder.store.set(cases).values() {
                    let here = self.builder.equals(cases, value);
                    let product = if x == y {
                        (value.checked_mul(value).ok_or(Overflow)?, Ref::Const(-1))
                    } else {
                        (-value, other)
                    };
                    let terms = vec![(1, *z), product];
                    self.sum(&Sum { terms, comparison: Comparison::Equal, bound: 0 }, here)?;
                }
            }
            _ => return Err(Unstated::NoFormula),
        }
        Ok(())
    }

    /// Posts `condition -> left = right`.
    fn equal(&mut self, left: Ref, right: Ref, condition: Lit) -> Result<(), Unstated> {
        let terms = vec![(1, left), (-1, right)];
        self.sum(&Sum { terms, comparison: Comparison::Equal, bound: 0 }, condition)
    }

    /// Posts a comparison of a sum under a condition.
    fn sum(&mut self, sum: &Sum, condition: Lit) -> Result<(), Unstated> {
        let merged = sum.merged(self.builder.store).ok_or(Overflow)?;
        if merged.terms.len() < 2 {
            let relation = Relation::Sum(merged.clone());
            let holds = match merged.terms[..] {
                [] => {
                    let holds = match merged.comparison {
                        Comparison::AtMost => 0 <= merged.bound,
                        Comparison::AtLeast => 0 >= merged.bound,
                        Comparison::Equal => 0 == merged.bound,
                        Comparison::NotEqual => 0 != merged.bound,
                    };
                    gordian_encodings::lit::from_bool(holds)
                }
                _ => self.builder.comparison(&relation).ok_or(Overflow)?,
            };
            self.builder.clause(vec![!condition, holds]);
            return Ok(());
        }
        let linear = self.builder.linear(&merged)?;
        self.post_linear(linear, condition)
    }

    /// Posts a linear constraint under a condition. A disequality gets a literal.
    fn post_linear(&mut self, linear: Linear, condition: Lit) -> Result<(), Unstated> {
        if linear.comparison != Comparison::NotEqual {
            self.linear(linear, condition);
            return Ok(());
        }
        let Linear { terms, bound, .. } = linear;
        if !self.builder.can_equal(&terms, bound) {
            return Ok(());
        }
        self.disequalities += 1;
        let less = self.builder.model.boolean();
        self.builder.model.name(less, format!("less_{}", self.disequalities));
        let below = Linear::at_most(terms.clone(), bound.checked_sub(1).ok_or(Overflow)?);
        let above = Linear::at_least(terms, bound.checked_add(1).ok_or(Overflow)?);
        self.reified(Arc::new(Reified::implies(less, below)), condition);
        self.reified(Arc::new(Reified::implies(!less, above)), condition);
        Ok(())
    }

    fn linear(&mut self, linear: Linear, condition: Lit) {
        self.reified(Arc::new(linear), condition);
    }

    fn reified(&mut self, constraint: Arc<dyn Encodable>, condition: Lit) {
        // The guard is empty, so the condition needs no conjunction.
        self.builder.add(Box::new(Reified { condition, then: Some(constraint), otherwise: None }));
    }
}
