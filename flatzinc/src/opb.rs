//! Pseudo-Boolean formulas that state constraint models as plainly as possible.
//!
//! A certificate proves a statement about such a formula. [`formula`] writes the formula from the declared domains and
//! the typed constraints of an instance. It uses no presolve and no encoding, so that readers can compare it with the
//! page `docs/proofs.md`, which describes the rows. Tests compare the models of the formula with the solutions that the
//! checker [`holds`](crate::holds()) accepts.

use gordian_encodings::Value;
use gordian_encodings::constraint::Comparison;
use gordian_rules::opb::{Integer, Literal, Opb, Sum as Total, literal_name};

use crate::builtins;
use crate::constraint::{Constraint, Origin, Ref, Relation, Sum, When};
use crate::error::TranslateError;
use crate::instance::{Instance, VarDomain, VarId};

mod cases;
mod linear;

use linear::{Ranged, Stated};

/// The reason why an instance has no formula.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoFormula {
    /// A variable that is unbounded, or that has too many or too large values.
    #[error(
        "the variable `{}` has no formula; declare a domain of at most {MOST_VALUES} values with absolute values up to \
         2^46", .0.name
    )]
    Variable(Origin),
    /// A constraint without a formula, or with numbers that are too large.
    #[error("the constraint `{}` has no formula", .0.name)]
    Constraint(Origin),
    /// A constraint that is unknown or has wrong arguments.
    #[error(transparent)]
    Translate(#[from] TranslateError),
}

/// The maximum number of values of a variable.
const MOST_VALUES: u128 = 10_000;
/// The maximum absolute value of a constant, a coefficient, or a value of a variable. Sums of fewer than 2^30 products of
/// two such numbers fit in 128 bits.
const LARGEST: u128 = 1 << 46;
/// The maximum number of literals in a parity constraint, which has a clause for every second assignment.
const MOST_PARITY: usize = 4;

/// Returns a formula whose models, restricted to the literals of the [integers](integer()), are the solutions of the
/// instance.
///
/// # Errors
/// Returns the first variable or constraint that has no formula.
pub fn formula(instance: &Instance) -> Result<Opb, NoFormula> {
    let mut writer = Writer { opb: Opb::new(), variables: Vec::new(), differences: 0, tables: 0, pairs: 0 };
    for (index, variable) in (0..).zip(&instance.variables) {
        let opb = &mut writer.opb;
        let Some(integer) = integer(instance, VarId(index), |name| Some(opb.variable(name))) else {
            let origin = Origin { name: variable.name.clone(), place: variable.place };
            return Err(NoFormula::Variable(origin));
        };
        integer.state_order(&mut writer.opb);
        if integer.values().is_empty() {
            writer.opb.clause([]);
        }
        writer.variables.push(integer);
    }
    for (index, variable) in (0..).zip(&instance.variables) {
        let Some(value) = &variable.value else { continue };
        let origin = Origin { name: variable.name.clone(), place: variable.place };
        let terms = vec![(1, Ref::Var(VarId(index))), (-1, Ref::of(value))];
        writer.equals(&always(), terms, 0).ok_or(NoFormula::Variable(origin))?;
    }
    for Constraint { relation, when, origin, .. } in builtins::constraints(instance)? {
        writer.opb.comment(&origin.name);
        writer.relation(&relation, when).ok_or(NoFormula::Constraint(origin))?;
    }
    Ok(writer.opb)
}

/// Returns a variable of the instance as an integer of the formula. `literal` returns the literal with a given name.
/// Returns `None` if the variable is unbounded, or if it has too many or too large values.
#[must_use]
pub fn integer(
    instance: &Instance,
    variable: VarId,
    mut literal: impl FnMut(String) -> Option<Literal>,
) -> Option<Integer> {
    let index = variable.0 as usize;
    let variable = &instance.variables[index];
    let values: Vec<Value> = match &variable.domain {
        VarDomain::Bool => vec![0, 1],
        VarDomain::Int(domain) if domain.size() <= MOST_VALUES => domain.values().collect(),
        VarDomain::Unbounded | VarDomain::Int(_) => return None,
    };
    if values.iter().any(|value| value.unsigned_abs() > LARGEST) {
        return None;
    }
    let is_plain = variable.name.starts_with(|first: char| first.is_ascii_alphabetic())
        && variable.name.chars().all(|other| other.is_ascii_alphanumeric() || other == '_')
        && !variable.name.starts_with("variable_");
    let name = if is_plain { variable.name.to_string() } else { format!("variable_{}", index + 1) };
    let is_binary = values == [0, 1];
    Some(Integer::of(values, |value| {
        if is_binary {
            // The literal is true if the value is 1, so its negation is true if the value is at most 0.
            literal(format!("{name}_is_1")).map(|literal| !literal)
        } else {
            literal(literal_name(&name, value))
        }
    }))
}

/// Writes the rows of constraints. A *term* is a sum whose value is 0 or 1. Methods return `None` if there are no rows for
/// a constraint.
struct Writer {
    opb: Opb,
    variables: Vec<Integer>,
    /// The number of literals `less_K` so far.
    differences: usize,
    /// The number of tables so far.
    tables: usize,
    /// The number of pairs of boxes so far that must not overlap.
    pairs: usize,
}

/// The term 1, for constraints without a condition.
fn always() -> Total {
    Total { terms: Vec::new(), constant: 1 }
}

/// Returns the term 1 if `holds` is true, and the term 0 otherwise.
fn constant(holds: bool) -> Total {
    Total { terms: Vec::new(), constant: holds.into() }
}

/// Returns the value of an integer as a sum.
fn value(integer: &Integer) -> Total {
    Total::of_integers([(1, integer)])
}

impl Writer {
    /// Returns an operand as an integer.
    fn integer(&self, operand: Ref) -> Integer {
        match operand {
            Ref::Const(value) => Integer::of([value], |_| None),
            Ref::Var(x) => self.variables[x.0 as usize].clone(),
            Ref::Not(x) => self.variables[x.0 as usize].complement(),
        }
    }

    fn integers(&self, operands: &[Ref]) -> Vec<Integer> {
        operands.iter().map(|&operand| self.integer(operand)).collect()
    }

    /// Returns Boolean operands as terms.
    fn terms(&self, operands: &[Ref]) -> Vec<Total> {
        operands.iter().map(|&operand| value(&self.integer(operand))).collect()
    }

    /// States that at least one of the terms is 1 if the condition is 1.
    fn clause(&mut self, condition: &Total, terms: impl IntoIterator<Item = Total>) {
        let mut sum = condition.complement();
        terms.into_iter().for_each(|term| sum.add(1, &term));
        sum.at_least(&mut self.opb, 1);
    }

    /// States a constraint.
    fn relation(&mut self, relation: &Relation, when: When) -> Option<()> {
        let mut is_small = true;
        let small = |value: Value| value.unsigned_abs() <= LARGEST;
        relation.operands(&mut |operand| is_small &= !matches!(operand, Ref::Const(value) if !small(value)));
        if let Relation::Sum(sum) = relation {
            is_small &= small(sum.bound) && sum.terms.iter().all(|&(factor, _)| small(factor));
        }
        if !is_small {
            return None;
        }
        let condition = when.condition().map_or_else(always, |condition| value(&self.integer(condition)));
        let complement = condition.complement();
        let otherwise = matches!(when, When::Iff(_)).then_some(&complement);
        match relation {
            Relation::Clause(list) => self.either(&condition, &self.terms(list), otherwise),
            Relation::And(list) => {
                // The negation of a conjunction is a clause.
                let negated: Vec<Total> = self.terms(list).iter().map(Total::complement).collect();
                if let Some(otherwise) = otherwise {
                    self.clause(otherwise, negated.iter().cloned());
                }
                for term in negated {
                    self.clause(&condition, [term.complement()]);
                }
            }
            Relation::Parity(list, odd) => match when {
                When::Iff(literal) => self.parity(&always(), &[&list[..], &[literal]].concat(), !odd)?,
                _ => self.parity(&condition, list, *odd)?,
            },
            Relation::Sum(sum) => {
                let stated = self.linear(sum)?;
                self.state(&stated, &condition, otherwise);
            }
            Relation::In(x, set) => {
                self.inside(&self.integer(*x), &|value| set.contains(value), &condition, otherwise);
            }
            Relation::Count { of, value, comparison, times } => {
                let value = self.integer(*value);
                let &[value] = value.values() else { return None };
                let (weights, of): (Vec<Value>, Vec<Ref>) = of.iter().copied().unzip();
                let mut sum = Ranged::number(&self.integers(&of), &weights, value)?;
                let stated = if let Some(number) = sum.constant() {
                    let terms = vec![(-1, *times)];
                    self.linear(&Sum { terms, comparison: *comparison, bound: -number })?
                } else {
                    sum.add_integer(-1, &self.integer(*times));
                    Stated::Compare(sum, *comparison, 0)
                };
                self.state(&stated, &condition, otherwise);
            }
            Relation::All(relations) if otherwise.is_none() => {
                relations.iter().try_for_each(|relation| self.relation(relation, when))?;
            }
            Relation::AllDifferent(list, except) if otherwise.is_none() => {
                let list = self.integers(list);
                let mut values: Vec<Value> = list.iter().flat_map(|x| x.values().iter().copied()).collect();
                values.sort_unstable();
                values.dedup();
                for value in values.into_iter().filter(|&value| !except.contains(value)) {
                    self.compare(
                        &condition,
                        &Ranged::number(&list, &vec![1; list.len()], value)?,
                        Comparison::AtMost,
                        1,
                    );
                }
            }
            Relation::MinMax { of, value, greatest } if otherwise.is_none() => {
                self.min_max(of, *value, *greatest, &condition)?;
            }
            Relation::Quotient(operands) if otherwise.is_none() => {
                self.by_pairs(operands, &condition, Value::checked_div)?;
            }
            Relation::Remainder(operands) if otherwise.is_none() => {
                self.by_pairs(operands, &condition, Value::checked_rem)?;
            }
            Relation::Power(operands) if otherwise.is_none() => {
                self.by_pairs(operands, &condition, cases::power)?;
            }
            Relation::Table(columns, rows) if otherwise.is_none() => self.table(columns, rows, &condition)?,
            Relation::Inverse { left, right, first: [first, other] } if otherwise.is_none() => {
                let (left, right) = (self.integers(left), self.integers(right));
                self.inverse((&left, *first), (&right, *other), &condition);
                self.inverse((&right, *other), (&left, *first), &condition);
            }
            Relation::Diffn { boxes, strict } if otherwise.is_none() => {
                self.diffn(boxes, *strict, &condition)?;
            }
            _ if otherwise.is_none() && condition == always() => self.function(relation)?,
            _ => return None,
        }
        Some(())
    }

    /// States a relation with a result, without a condition.
    fn function(&mut self, relation: &Relation) -> Option<()> {
        match relation {
            Relation::Element { index, first, array, value } => {
                let index = self.integer(*index);
                for &i in index.values() {
                    let position = i.checked_sub(*first).and_then(|position| usize::try_from(position).ok());
                    match position.and_then(|position| array.get(position)) {
                        None => self.clause(&always(), [index.is(i).complement()]),
                        Some(element) => {
                            self.equals(&index.is(i), vec![(1, *value), (-1, Ref::of(element))], 0)?;
                        }
                    }
                }
            }
            Relation::Absolute([x, y]) => {
                let x = self.integer(*x);
                for &v in x.values() {
                    self.equals(&x.is(v), vec![(1, *y)], v.abs())?;
                }
            }
            &Relation::Product([x, y, z]) => {
                let [first, second] = [x, y].map(|operand| self.integer(operand));
                let is_first = first.values().len() <= second.values().len();
                let (factor, other) = if is_first { (first, y) } else { (second, x) };
                for &v in factor.values() {
                    let (terms, square) =
                        if x == y { (vec![(1, z)], v * v) } else { (vec![(1, z), (-v, other)], 0) };
                    self.equals(&factor.is(v), terms, square)?;
                }
            }
            Relation::Cumulative { tasks, capacity } => self.cumulative(tasks, *capacity)?,
            Relation::Disjunctive { tasks, strict, .. } => self.disjunctive(tasks, *strict)?,
            _ => return None,
        }
        Some(())
    }

    /// States a clause under a condition. Under the other condition, if any, all terms are 0.
    fn either(&mut self, condition: &Total, terms: &[Total], otherwise: Option<&Total>) {
        self.clause(condition, terms.iter().cloned());
        if let Some(otherwise) = otherwise {
            for term in terms {
                self.clause(otherwise, [term.complement()]);
            }
        }
    }

    /// States that `value` is the maximum or the minimum of the operands.
    fn min_max(&mut self, of: &[Ref], value: Ref, greatest: bool, condition: &Total) -> Option<()> {
        let sign = if greatest { 1 } else { -1 };
        for &x in of {
            let sum =
                Sum { terms: vec![(sign, x), (-sign, value)], comparison: Comparison::AtMost, bound: 0 };
            self.state(&self.linear(&sum)?, condition, None);
        }
        let (of, value) = (self.integers(of), self.integer(value));
        for &v in value.values() {
            // If the maximum is at least v, some operand is at least v.
            let reaches = |x: &Integer| if greatest { x.at_most(v - 1).complement() } else { x.at_most(v) };
            self.clause(condition, of.iter().map(reaches).chain([reaches(&value).complement()]));
        }
        Some(())
    }

    /// States the parity of the number of true literals.
    fn parity(&mut self, condition: &Total, list: &[Ref], mut odd: bool) -> Option<()> {
        let mut terms = self.terms(list);
        terms.retain(|term| {
            let is_constant = term.terms.is_empty();
            odd ^= is_constant && term.constant == 1;
            !is_constant
        });
        if terms.len() > MOST_PARITY {
            return None;
        }
        for assignment in (0..1_u32 << terms.len()).filter(|ones| (ones.count_ones() % 2 == 1) != odd) {
            let differs = (0..).zip(&terms).map(|(position, term)| {
                if assignment >> position & 1 == 1 { term.complement() } else { term.clone() }
            });
            self.clause(condition, differs);
        }
        Some(())
    }

    /// States that an integer has a value in a set.
    fn inside(
        &mut self,
        x: &Integer,
        contains: &dyn Fn(Value) -> bool,
        condition: &Total,
        otherwise: Option<&Total>,
    ) {
        let (inside, outside): (Vec<Value>, Vec<Value>) =
            x.values().iter().partition(|&&value| contains(value));
        let term = match (&inside[..], &outside[..]) {
            ([], _) => constant(false),
            (_, []) => constant(true),
            ([.., last], [first, ..]) if last < first => x.at_most(*last),
            ([first, ..], [.., last]) if last < first => x.at_most(first - 1).complement(),
            (&[value], _) => x.is(value),
            (_, &[value]) => x.is(value).complement(),
            _ => {
                self.not_in_any_run(condition, x, &outside);
                if let Some(otherwise) = otherwise {
                    self.not_in_any_run(otherwise, x, &inside);
                }
                return;
            }
        };
        self.state(&Stated::Term(term), condition, otherwise);
    }

    /// States for each maximal run of consecutive integers in `values` that an integer is not in the run.
    fn not_in_any_run(&mut self, condition: &Total, x: &Integer, values: &[Value]) {
        for run in values.chunk_by(|value, next| value + 1 == *next) {
            let (first, last) = (run[0], run[run.len() - 1]);
            self.clause(condition, [x.at_most(first - 1), x.at_most(last).complement()]);
        }
    }
}
