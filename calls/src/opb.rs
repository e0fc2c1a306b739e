//! Pseudo-Boolean formulas that state constraint models as plainly as possible.
//!
//! A certificate proves a statement about such a formula. [`formula`] writes the formula from the declared domains and
//! the calls of an instance. It uses no presolve and no encoding, so that readers can compare it with the page
//! `docs/proofs.md`, which describes the rows. Tests compare the models of the formula with the solutions that the
//! checker [`holds`](crate::holds()) accepts.

use gordian_encodings::Value;
use gordian_encodings::constraint::Comparison;
use gordian_rules::opb::{Integer, Literal, Opb, Sum, literal_name};

use crate::instance::{Call, Instance, Operand, Origin, VarDomain, VarId};

mod cases;
mod linear;
mod rows;
mod statement;

use linear::{Ranged, Stated};
use statement::Statement;

/// The reason why an instance has no formula.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoFormula {
    /// A variable that is unbounded, or that has too many or too large values.
    #[error(
        "the variable `{}` has no formula; declare a domain of at most {MOST_VALUES} values with absolute values up to \
         2^46", .0.name
    )]
    Variable(Origin),
    /// A constraint without a formula, with numbers that are too large, or with wrong arguments.
    #[error("the constraint `{}` has no formula", .0.name)]
    Constraint(Origin),
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
        let terms = [(1, &Operand::Var(VarId(index))), (-1, value)];
        writer.equals(&always(), &terms, 0).ok_or(NoFormula::Variable(origin))?;
    }
    for call in &instance.constraints {
        writer.opb.comment(&call.name);
        let origin = || Origin { name: call.name.clone(), place: call.place };
        writer.call(call).ok_or_else(|| NoFormula::Constraint(origin()))?;
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
    let name = formula_name(instance, index);
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

/// Returns the name of a variable in the formula.
#[must_use]
pub fn formula_name(instance: &Instance, index: usize) -> String {
    let name = &instance.variables[index].name;
    let is_plain = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|other| other.is_ascii_alphanumeric() || other == '_');
    if is_plain && !name.starts_with("variable_") {
        name.to_string()
    } else {
        format!("variable_{}", index + 1)
    }
}

/// The term 1, for constraints without a condition.
fn always() -> Sum {
    constant(true)
}

/// Returns the term 1 if `holds` is true, and the term 0 otherwise.
fn constant(holds: bool) -> Sum {
    Sum { terms: Vec::new(), constant: holds.into() }
}

/// Returns the value of an integer as a sum.
fn value(integer: &Integer) -> Sum {
    Sum::of_integers([(1, integer)])
}

/// Writes the rows of constraints. Methods return `None` if there are no rows for a constraint.
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

impl Writer {
    /// States a call. The last argument of a name with `_reif` or `_imp`, or of a Boolean function, is its condition.
    fn call(&mut self, call: &Call) -> Option<()> {
        let arguments = &call.arguments;
        let is_full = !call.name.ends_with("_imp");
        let base = |suffix| rows::row_of(call.name.strip_suffix(suffix)?);
        let (row, is_conditional) = match rows::row_of(&call.name) {
            Some(row) => (row, row.is_function && arguments.len() == row.arguments + 1),
            None => (base("_reif").or_else(|| base("_imp"))?, true),
        };
        if arguments.len() != row.arguments + usize::from(is_conditional) {
            return None;
        }
        let mut statement = Statement { arguments, condition: always(), otherwise: None };
        if is_conditional {
            statement.condition = self.term(statement.operand(row.arguments)?)?;
            statement.otherwise = is_full.then(|| statement.condition.complement());
            statement.arguments = &arguments[..row.arguments];
        }
        (row.state)(self, &statement)
    }

    /// Returns an operand as an integer.
    fn integer(&self, operand: &Operand) -> Option<Integer> {
        match operand {
            Operand::Var(x) => self.variables.get(x.0 as usize).cloned(),
            _ => Some(Integer::of([operand.constant()?], |_| None)),
        }
    }

    fn integers(&self, operands: &[&Operand]) -> Option<Vec<Integer>> {
        operands.iter().map(|operand| self.integer(operand)).collect()
    }

    /// Returns a Boolean operand as a term.
    fn term(&self, operand: &Operand) -> Option<Sum> {
        let integer = self.integer(operand)?;
        integer.values().iter().all(|value| (0..=1).contains(value)).then(|| value(&integer))
    }

    fn terms(&self, operands: &[&Operand]) -> Option<Vec<Sum>> {
        operands.iter().map(|operand| self.term(operand)).collect()
    }

    /// States that at least one of the terms is 1 if the condition is 1.
    fn clause(&mut self, condition: &Sum, terms: impl IntoIterator<Item = Sum>) {
        let mut sum = condition.complement();
        terms.into_iter().for_each(|term| sum.add(1, &term));
        sum.at_least(&mut self.opb, 1);
    }

    /// States that at least one of the terms is 1.
    fn any(&mut self, statement: &Statement, terms: Option<impl AsRef<[Sum]>>) -> Option<()> {
        let terms = terms?;
        let terms = terms.as_ref();
        self.clause(&statement.condition, terms.iter().cloned());
        if let Some(otherwise) = &statement.otherwise {
            for term in terms {
                self.clause(otherwise, [term.complement()]);
            }
        }
        Some(())
    }

    /// States that all terms are 1.
    fn all(&mut self, statement: &Statement, terms: Option<impl AsRef<[Sum]>>) -> Option<()> {
        let terms = terms?;
        let terms = terms.as_ref();
        // The negation of a conjunction is a clause.
        if let Some(otherwise) = &statement.otherwise {
            self.clause(otherwise, terms.iter().map(Sum::complement));
        }
        for term in terms {
            self.clause(&statement.condition, [term.clone()]);
        }
        Some(())
    }

    /// States a comparison of a sum.
    fn sum(
        &mut self,
        statement: &Statement,
        terms: &[(Value, &Operand)],
        comparison: Comparison,
        bound: Value,
    ) -> Option<()> {
        let stated = self.linear(terms, comparison, bound)?;
        self.state(&stated, &statement.condition, statement.otherwise.as_ref());
        Some(())
    }

    /// States that the number of operands with certain values compares with an operand.
    fn count(
        &mut self,
        statement: &Statement,
        of: &[&Operand],
        is_counted: &dyn Fn(Value) -> bool,
        comparison: Comparison,
        times: &Operand,
    ) -> Option<()> {
        self.weigh(statement, of, &vec![1; of.len()], is_counted, comparison, times)
    }

    /// States that the total weight of the operands with certain values compares with an operand.
    fn weigh(
        &mut self,
        statement: &Statement,
        of: &[&Operand],
        weights: &[Value],
        is_counted: &dyn Fn(Value) -> bool,
        comparison: Comparison,
        times: &Operand,
    ) -> Option<()> {
        let mut sum = Ranged::number(&self.integers(of)?, weights, is_counted)?;
        if let Some(number) = sum.constant() {
            return self.sum(statement, &[(-1, times)], comparison, -number);
        }
        sum.add_integer(-1, &self.integer(times)?);
        let stated = Stated::Compare(sum, comparison, 0);
        self.state(&stated, &statement.condition, statement.otherwise.as_ref());
        Some(())
    }

    /// States that the operands have different values, except for some values.
    fn all_different(
        &mut self,
        statement: &Statement,
        list: &[&Operand],
        is_excepted: &dyn Fn(Value) -> bool,
    ) -> Option<()> {
        let condition = statement.unless_reified()?;
        let list = self.integers(list)?;
        let mut values: Vec<Value> = list.iter().flat_map(|x| x.values().iter().copied()).collect();
        values.sort_unstable();
        values.dedup();
        for value in values.into_iter().filter(|&value| !is_excepted(value)) {
            let number = Ranged::number(&list, &vec![1; list.len()], &|other| other == value)?;
            self.compare(condition, &number, Comparison::AtMost, 1);
        }
        Some(())
    }

    /// States that `value` is the maximum or the minimum of the operands.
    fn min_max(
        &mut self,
        statement: &Statement,
        of: &[&Operand],
        value: &Operand,
        greatest: bool,
    ) -> Option<()> {
        let condition = statement.unless_reified()?;
        let sign = if greatest { 1 } else { -1 };
        for &x in of {
            self.sum(statement, &[(sign, x), (-sign, value)], Comparison::AtMost, 0)?;
        }
        let (of, value) = (self.integers(of)?, self.integer(value)?);
        for &v in value.values() {
            // If the maximum is at least v, some operand is at least v.
            let reaches = |x: &Integer| if greatest { x.at_most(v - 1).complement() } else { x.at_most(v) };
            self.clause(condition, of.iter().map(reaches).chain([reaches(&value).complement()]));
        }
        Some(())
    }

    /// States the parity of the number of true literals.
    fn parity(&mut self, statement: &Statement, mut terms: Vec<Sum>, mut odd: bool) -> Option<()> {
        let mut condition = statement.condition.clone();
        if statement.otherwise.is_some() {
            // The condition is equivalent to the parity: together, they have the other one.
            terms.push(std::mem::replace(&mut condition, always()));
            odd = !odd;
        }
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
            self.clause(&condition, differs);
        }
        Some(())
    }

    /// States that an integer has a value in a set.
    fn inside(&mut self, statement: &Statement, x: &Integer, contains: &dyn Fn(Value) -> bool) {
        let (condition, otherwise) = (&statement.condition, statement.otherwise.as_ref());
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
    fn not_in_any_run(&mut self, condition: &Sum, x: &Integer, values: &[Value]) {
        for run in values.chunk_by(|value, next| value + 1 == *next) {
            let (first, last) = (run[0], run[run.len() - 1]);
            self.clause(condition, [x.at_most(first - 1), x.at_most(last).complement()]);
        }
    }
}
