//! The solution checker, which evaluates the constraints of an instance for given values of the variables.
//!
//! The checker interprets the calls of the input directly, so it can detect mistakes in the translation. Every solution
//! is checked before it is printed.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use gordian_encodings::Value;

use crate::instance::{Argument, Call, Instance, Operand, Origin, VarDomain};

mod global;

/// The reason why the given values are not accepted as a solution.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// The number of values differs from the number of variables.
    #[error("{found} values for {expected} variables")]
    Length {
        /// The number of variables.
        expected: usize,
        /// The number of given values.
        found: usize,
    },
    /// The value of a variable is outside its declared domain, or differs from the right-hand side of its declaration.
    #[error("the variable `{}` cannot have the value {value}", .origin.name)]
    Variable {
        /// The name and location of the variable.
        origin: Origin,
        /// The value of the variable.
        value: Value,
    },
    /// A constraint that does not hold, is unknown, or needs numbers beyond 128 bits.
    #[error("the constraint `{}` does not hold", .0.name)]
    Constraint(Origin),
}

impl Violation {
    /// Returns the location of the declaration or constraint.
    #[must_use]
    pub fn place(&self) -> Option<crate::instance::Place> {
        match self {
            Self::Length { .. } => None,
            Self::Variable { origin, .. } | Self::Constraint(origin) => Some(origin.place),
        }
    }
}

/// Checks the values of all variables against every domain and every constraint of the instance. Booleans have the
/// values 0 and 1.
///
/// # Errors
/// Returns the first violation that the checker finds.
pub fn holds(instance: &Instance, values: &[Value]) -> Result<(), Violation> {
    if values.len() != instance.variables.len() {
        return Err(Violation::Length { expected: instance.variables.len(), found: values.len() });
    }
    for (variable, &value) in instance.variables.iter().zip(values) {
        let allowed = match &variable.domain {
            VarDomain::Bool => (0..=1).contains(&value),
            VarDomain::Unbounded => true,
            VarDomain::Int(domain) => domain.contains(value),
        };
        let right = variable.value.as_ref().is_none_or(|right| evaluate(right, values) == Some(value));
        if !allowed || !right {
            let origin = Origin { name: variable.name.clone(), place: variable.place };
            return Err(Violation::Variable { origin, value });
        }
    }
    for call in &instance.constraints {
        if call_holds(call, values) != Some(true) {
            return Err(Violation::Constraint(Origin { name: call.name.clone(), place: call.place }));
        }
    }
    Ok(())
}

/// Returns the indices of the constraints that the given values of all variables violate. A constraint is treated as
/// violated if it is unknown, or if a number in its evaluation exceeds 128 bits.
#[must_use]
pub fn violated(instance: &Instance, values: &[Value]) -> Vec<usize> {
    let calls = instance.constraints.iter().enumerate();
    calls.filter(|(_, call)| call_holds(call, values) != Some(true)).map(|(index, _)| index).collect()
}

/// Returns the names of the constraints that the checker knows, except the variants that end with `_reif` or `_imp`.
pub fn names() -> impl Iterator<Item = &'static str> {
    ROWS.iter().map(|&(name, _)| name)
}

/// Returns the value of an operand, or `None` if the operand is a set.
fn evaluate(operand: &Operand, values: &[Value]) -> Option<Value> {
    match *operand {
        Operand::Bool(value) => Some(Value::from(value)),
        Operand::Int(value) => Some(value),
        Operand::Set(_) => None,
        Operand::Var(x) => values.get(x.0 as usize).copied(),
    }
}

/// Returns whether a constraint holds, or `None` if it is unknown or malformed, or if a number overflows.
fn call_holds(call: &Call, values: &[Value]) -> Option<bool> {
    let all = Values { arguments: &call.arguments, values };
    if let Some(check) = CHECKS.get(&*call.name) {
        return check(&all);
    }
    let (last, rest) = call.arguments.split_last()?;
    let Argument::One(condition) = last else { return None };
    let condition = evaluate(condition, values)? == 1;
    let (base, full) = match call.name.strip_suffix("_reif") {
        Some(base) => (base, true),
        None => (call.name.strip_suffix("_imp")?, false),
    };
    let check = CHECKS.get(base)?;
    if !full && !condition {
        return Some(true);
    }
    Some(check(&Values { arguments: rest, values })? == condition)
}

/// The arguments of a call, and the values of all variables.
struct Values<'a> {
    arguments: &'a [Argument],
    values: &'a [Value],
}

impl Values<'_> {
    fn int(&self, index: usize) -> Option<Value> {
        match self.arguments.get(index)? {
            Argument::One(operand) => evaluate(operand, self.values),
            Argument::Array(_) => None,
        }
    }

    fn bool(&self, index: usize) -> Option<bool> {
        Some(self.int(index)? == 1)
    }

    /// Returns the result of a Boolean function: the argument at `index`, or true if the call does not have this
    /// argument.
    fn result(&self, index: usize) -> Option<bool> {
        if self.arguments.len() == index { Some(true) } else { self.bool(index) }
    }

    fn ints(&self, index: usize) -> Option<Vec<Value>> {
        match self.arguments.get(index)? {
            Argument::One(_) => None,
            Argument::Array(array) => array.iter().map(|operand| evaluate(operand, self.values)).collect(),
        }
    }

    /// Returns whether the set that is the argument at index `set` contains the value, or `None` if this argument is
    /// not a set.
    fn in_set(&self, set: usize, value: Value) -> Option<bool> {
        match self.arguments.get(set)? {
            Argument::One(Operand::Set(set)) => Some(set.contains(value)),
            _ => None,
        }
    }

    /// Returns the difference between the left and the right side of a linear constraint.
    fn sum(&self) -> Option<Value> {
        let (coefficients, operands) = (self.ints(0)?, self.ints(1)?);
        let products = coefficients.iter().zip(&operands).map(|(a, x)| a.checked_mul(*x));
        let sum = products.sum_checked()?;
        sum.checked_sub(self.int(2)?)
    }

    /// Returns whether the array has the given value at the index. The first element of the array has the index
    /// `first`.
    fn element(&self, first: Value, array: usize) -> Option<bool> {
        let (elements, value) = (self.ints(array)?, self.int(array + 1)?);
        let position = self.int(0)?.checked_sub(first).and_then(|index| usize::try_from(index).ok());
        Some(position.and_then(|index| elements.get(index)) == Some(&value))
    }

    fn count(&self, of: usize, value: Value) -> Option<Value> {
        Some(self.ints(of)?.into_iter().filter(|&x| x == value).count() as Value)
    }

    fn all_different(&self, excepted: impl Fn(Value) -> Option<bool>) -> Option<bool> {
        let mut seen = HashSet::new();
        for x in self.ints(0)? {
            if !seen.insert(x) && !excepted(x)? {
                return Some(false);
            }
        }
        Some(true)
    }

    fn table(&self) -> Option<bool> {
        let (columns, Argument::Array(rows)) = (self.ints(0)?, self.arguments.get(1)?) else { return None };
        let fits = |(entry, value): (&Operand, &Value)| match entry {
            Operand::Set(set) => set.contains(*value),
            constant => evaluate(constant, self.values) == Some(*value),
        };
        let matches = |row: &[Operand]| row.iter().zip(&columns).all(fits);
        Some(!columns.is_empty() && rows.chunks(columns.len()).any(matches))
    }
}

/// Adds up the items of an iterator. The sum is `None` if an item is `None` or the sum overflows.
trait SumChecked {
    fn sum_checked(self) -> Option<Value>;
}

impl<I: Iterator<Item = Option<Value>>> SumChecked for I {
    fn sum_checked(mut self) -> Option<Value> {
        self.try_fold(0, |sum: Value, term| sum.checked_add(term?))
    }
}

/// Returns whether `x ^ y = z`.
fn is_power(x: Value, y: Value, z: Value) -> bool {
    let sign = if x < 0 && y % 2 != 0 { -1 } else { 1 };
    match x {
        0 => y >= 0 && z == Value::from(y == 0),
        1 | -1 => z == sign,
        _ if y < 0 => z == 0,
        // A power that exceeds 128 bits differs from z.
        _ => u32::try_from(y).ok().and_then(|y| x.checked_pow(y)) == Some(z),
    }
}

type Check = fn(&Values<'_>) -> Option<bool>;

static CHECKS: LazyLock<HashMap<&'static str, Check>> = LazyLock::new(|| ROWS.iter().copied().collect());

static ROWS: &[(&str, Check)] = &[
    ("array_bool_and", |v| Some(v.ints(0)?.iter().all(|&x| x == 1) == v.result(1)?)),
    ("array_bool_or", |v| Some(v.ints(0)?.contains(&1) == v.result(1)?)),
    ("array_bool_xor", |v| Some(v.ints(0)?.iter().filter(|&&x| x == 1).count() % 2 == 1)),
    ("bool_and", |v| Some((v.bool(0)? && v.bool(1)?) == v.result(2)?)),
    ("bool_or", |v| Some((v.bool(0)? || v.bool(1)?) == v.result(2)?)),
    ("bool_xor", |v| Some((v.bool(0)? != v.bool(1)?) == v.result(2)?)),
    ("bool_not", |v| Some(v.bool(0)? != v.bool(1)?)),
    ("bool_ne", |v| Some(v.bool(0)? != v.bool(1)?)),
    ("bool_eq", |v| Some(v.bool(0)? == v.bool(1)?)),
    ("bool_le", |v| Some(v.bool(0)? <= v.bool(1)?)),
    ("bool_lt", |v| Some(!v.bool(0)? && v.bool(1)?)),
    ("bool_clause", |v| Some(v.ints(0)?.contains(&1) || v.ints(1)?.contains(&0))),
    ("bool2int", |v| Some(v.int(0)? == v.int(1)?)),
    ("bool_lin_eq", |v| Some(v.sum()? == 0)),
    ("bool_lin_ne", |v| Some(v.sum()? != 0)),
    ("bool_lin_le", |v| Some(v.sum()? <= 0)),
    ("int_lin_eq", |v| Some(v.sum()? == 0)),
    ("int_lin_ne", |v| Some(v.sum()? != 0)),
    ("int_lin_le", |v| Some(v.sum()? <= 0)),
    ("int_eq", |v| Some(v.int(0)? == v.int(1)?)),
    ("int_ne", |v| Some(v.int(0)? != v.int(1)?)),
    ("int_le", |v| Some(v.int(0)? <= v.int(1)?)),
    ("int_lt", |v| Some(v.int(0)? < v.int(1)?)),
    ("int_plus", |v| Some(v.int(0)?.checked_add(v.int(1)?) == Some(v.int(2)?))),
    ("int_times", |v| Some(v.int(0)?.checked_mul(v.int(1)?) == Some(v.int(2)?))),
    ("int_div", |v| Some(v.int(1)? != 0 && v.int(0)?.checked_div(v.int(1)?)? == v.int(2)?)),
    ("int_mod", |v| Some(v.int(1)? != 0 && v.int(0)?.checked_rem(v.int(1)?).unwrap_or(0) == v.int(2)?)),
    ("int_pow", |v| Some(is_power(v.int(0)?, v.int(1)?, v.int(2)?))),
    ("int_pow_fixed", |v| Some(is_power(v.int(0)?, v.int(1)?, v.int(2)?))),
    ("int_abs", |v| Some(v.int(0)?.checked_abs() == Some(v.int(1)?))),
    ("int_max", |v| Some(v.int(0)?.max(v.int(1)?) == v.int(2)?)),
    ("int_min", |v| Some(v.int(0)?.min(v.int(1)?) == v.int(2)?)),
    ("array_int_maximum", |v| Some(v.ints(1)?.into_iter().max() == Some(v.int(0)?))),
    ("array_int_minimum", |v| Some(v.ints(1)?.into_iter().min() == Some(v.int(0)?))),
    ("set_in", |v| v.in_set(1, v.int(0)?)),
    ("array_bool_element", |v| v.element(1, 1)),
    ("array_var_bool_element", |v| v.element(1, 1)),
    ("array_int_element", |v| v.element(1, 1)),
    ("array_var_int_element", |v| v.element(1, 1)),
    ("gordian_element_bool", |v| v.element(v.int(1)?, 2)),
    ("gordian_element_int", |v| v.element(v.int(1)?, 2)),
    ("fzn_all_different_int", |v| v.all_different(|_| Some(false))),
    ("fzn_alldifferent_except", |v| v.all_different(|x| v.in_set(1, x))),
    ("fzn_alldifferent_except_0", |v| v.all_different(|x| Some(x == 0))),
    ("fzn_all_equal_int", |v| Some(v.ints(0)?.windows(2).all(|pair| pair[0] == pair[1]))),
    ("gordian_table_int", |v| v.table()),
    ("gordian_table_bool", |v| v.table()),
    ("fzn_count_eq", |v| Some(v.count(0, v.int(1)?)? == v.int(2)?)),
    ("fzn_count_neq", |v| Some(v.count(0, v.int(1)?)? != v.int(2)?)),
    ("fzn_count_geq", |v| Some(v.int(2)? >= v.count(0, v.int(1)?)?)),
    ("fzn_count_leq", |v| Some(v.int(2)? <= v.count(0, v.int(1)?)?)),
    ("fzn_at_most_int", |v| Some(v.count(1, v.int(2)?)? <= v.int(0)?)),
    ("fzn_at_least_int", |v| Some(v.count(1, v.int(2)?)? >= v.int(0)?)),
    ("fzn_exactly_int", |v| Some(v.count(1, v.int(2)?)? == v.int(0)?)),
    ("fzn_among", |v| {
        let inside: Option<Vec<bool>> = v.ints(1)?.into_iter().map(|x| v.in_set(2, x)).collect();
        Some(inside?.into_iter().filter(|&inside| inside).count() as Value == v.int(0)?)
    }),
    ("fzn_global_cardinality", |v| v.counts(false)),
    ("fzn_global_cardinality_closed", |v| v.counts(true)),
    ("fzn_global_cardinality_low_up", |v| v.counts_between(false)),
    ("fzn_global_cardinality_low_up_closed", |v| v.counts_between(true)),
    ("gordian_bin_packing_load", |v| v.bin_packing(|weight, load| weight == load)),
    ("gordian_bin_packing_capa", |v| v.bin_packing(|weight, capacity| weight <= capacity)),
    ("fzn_lex_less_int", |v| Some(v.ints(0)? < v.ints(1)?)),
    ("fzn_lex_lesseq_int", |v| Some(v.ints(0)? <= v.ints(1)?)),
    ("fzn_lex_less_bool", |v| Some(v.ints(0)? < v.ints(1)?)),
    ("fzn_lex_lesseq_bool", |v| Some(v.ints(0)? <= v.ints(1)?)),
    ("gordian_inverse", |v| v.inverse()),
    ("gordian_circuit", |v| v.circuit()),
    ("gordian_subcircuit", |v| v.subcircuit()),
    ("gordian_connected", |v| v.connected()),
    ("gordian_automaton", |v| v.automaton()),
    ("fzn_value_precede_int", |v| v.value_precedence(&[v.int(0)?, v.int(1)?], 2)),
    ("fzn_value_precede_chain_int", |v| v.value_precedence(&v.ints(0)?, 1)),
    ("fzn_seq_precede_chain_int", |v| v.sequence_precedence()),
    ("fzn_cumulative", |v| v.cumulative()),
    ("fzn_disjunctive", |v| v.disjunctive(false)),
    ("fzn_disjunctive_strict", |v| v.disjunctive(true)),
    ("gordian_diffn", |v| v.diffn(true)),
    ("gordian_diffn_nonstrict", |v| v.diffn(false)),
    ("symmetry_breaking_constraint", |v| v.bool(0)),
    ("redundant_constraint", |v| v.bool(0)),
    ("fzn_assume", |_| Some(true)),
    ("fzn_on_restart_status", |v| Some((1..=5).contains(&v.int(0)?))),
    ("fzn_on_restart_complete", |_| Some(true)),
    ("fzn_on_restart_last_val_int", |_| Some(true)),
    ("fzn_on_restart_last_val_bool", |_| Some(true)),
    ("fzn_on_restart_sol_int", |_| Some(true)),
    ("fzn_on_restart_sol_bool", |_| Some(true)),
    ("fzn_on_restart_uniform_int", |v| Some((v.int(0)?..=v.int(1)?).contains(&v.int(2)?))),
];
