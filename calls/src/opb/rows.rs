//! The table of the constraints that have a formula.

use std::collections::HashMap;
use std::sync::LazyLock;

use gordian_encodings::constraint::Comparison::{self, AtLeast, AtMost, Equal, NotEqual};
use gordian_encodings::{Domain, Value};
use gordian_rules::opb::Sum;

use super::cases::power;
use super::{Statement, Writer};
use crate::instance::Operand;

/// A constraint that has a formula.
pub(super) struct Row {
    name: &'static str,
    pub(super) arguments: usize,
    /// True for a Boolean function, whose result may be an additional last argument.
    pub(super) is_function: bool,
    pub(super) state: fn(&mut Writer, &Statement) -> Option<()>,
}

const fn row(name: &'static str, arguments: usize, state: fn(&mut Writer, &Statement) -> Option<()>) -> Row {
    Row { name, arguments, is_function: false, state }
}

const fn function(
    name: &'static str,
    arguments: usize,
    state: fn(&mut Writer, &Statement) -> Option<()>,
) -> Row {
    Row { name, arguments, is_function: true, state }
}

/// Returns the row of a constraint.
pub(super) fn row_of(name: &str) -> Option<&'static Row> {
    static BY_NAME: LazyLock<HashMap<&str, &Row>> =
        LazyLock::new(|| ROWS.iter().map(|row| (row.name, row)).collect());
    BY_NAME.get(name).copied()
}

static ROWS: &[Row] = &[
    function("array_bool_and", 1, |w, s| w.all(s, w.terms(&s.operands(0)?))),
    function("array_bool_or", 1, |w, s| w.any(s, w.terms(&s.operands(0)?))),
    row("array_bool_xor", 1, |w, s| w.parity(s, w.terms(&s.operands(0)?)?, true)),
    function("bool_and", 2, |w, s| w.all(s, w.pair(s))),
    function("bool_or", 2, |w, s| w.any(s, w.pair(s))),
    function("bool_xor", 2, |w, s| w.parity(s, w.pair(s)?.into(), true)),
    row("bool_not", 2, |w, s| w.parity(s, w.pair(s)?.into(), true)),
    row("bool_ne", 2, |w, s| w.parity(s, w.pair(s)?.into(), true)),
    row("bool_eq", 2, |w, s| w.parity(s, w.pair(s)?.into(), false)),
    row("bool_le", 2, |w, s| {
        let [a, b] = w.pair(s)?;
        w.any(s, Some([a.complement(), b]))
    }),
    row("bool_lt", 2, |w, s| {
        let [a, b] = w.pair(s)?;
        w.all(s, Some([a.complement(), b]))
    }),
    row("bool_clause", 2, |w, s| {
        let mut terms = w.terms(&s.operands(0)?)?;
        terms.extend(w.terms(&s.operands(1)?)?.iter().map(Sum::complement));
        w.any(s, Some(terms))
    }),
    row("bool2int", 2, |w, s| w.compare_two(s, Equal, 0)),
    row("bool_lin_eq", 3, |w, s| w.weighted(s, Equal)),
    row("bool_lin_ne", 3, |w, s| w.weighted(s, NotEqual)),
    row("bool_lin_le", 3, |w, s| w.weighted(s, AtMost)),
    row("int_lin_eq", 3, |w, s| w.weighted(s, Equal)),
    row("int_lin_ne", 3, |w, s| w.weighted(s, NotEqual)),
    row("int_lin_le", 3, |w, s| w.weighted(s, AtMost)),
    row("int_eq", 2, |w, s| w.compare_two(s, Equal, 0)),
    row("int_ne", 2, |w, s| w.compare_two(s, NotEqual, 0)),
    row("int_le", 2, |w, s| w.compare_two(s, AtMost, 0)),
    row("int_lt", 2, |w, s| w.compare_two(s, AtMost, -1)),
    row("int_plus", 3, |w, s| {
        w.sum(s, &[(1, s.operand(0)?), (1, s.operand(1)?), (-1, s.operand(2)?)], Equal, 0)
    }),
    row("int_times", 3, |w, s| {
        s.unconditional()?;
        w.product(s.operand(0)?, s.operand(1)?, s.operand(2)?)
    }),
    row("int_div", 3, |w, s| w.by_pairs(s, Value::checked_div)),
    row("int_mod", 3, |w, s| w.by_pairs(s, Value::checked_rem)),
    row("int_pow", 3, |w, s| w.by_pairs(s, power)),
    row("int_pow_fixed", 3, |w, s| w.by_pairs(s, power)),
    row("int_abs", 2, |w, s| {
        s.unconditional()?;
        let x = w.integer(s.operand(0)?)?;
        x.values().iter().try_for_each(|&v| w.equals(&x.is(v), &[(1, s.operand(1)?)], v.abs()))
    }),
    row("int_max", 3, |w, s| w.min_max(s, &[s.operand(0)?, s.operand(1)?], s.operand(2)?, true)),
    row("int_min", 3, |w, s| w.min_max(s, &[s.operand(0)?, s.operand(1)?], s.operand(2)?, false)),
    row("array_int_maximum", 2, |w, s| w.min_max(s, &s.operands(1)?, s.operand(0)?, true)),
    row("array_int_minimum", 2, |w, s| w.min_max(s, &s.operands(1)?, s.operand(0)?, false)),
    row("set_in", 2, |w, s| w.in_set(s, s.operand(0)?, s.set(1)?)),
    row("array_bool_element", 3, |w, s| w.element(s, 1, &s.operands(1)?, s.operand(2)?)),
    row("array_var_bool_element", 3, |w, s| w.element(s, 1, &s.operands(1)?, s.operand(2)?)),
    row("array_int_element", 3, |w, s| w.element(s, 1, &s.operands(1)?, s.operand(2)?)),
    row("array_var_int_element", 3, |w, s| w.element(s, 1, &s.operands(1)?, s.operand(2)?)),
    row("gordian_element_bool", 4, |w, s| w.element(s, s.number(1)?, &s.operands(2)?, s.operand(3)?)),
    row("gordian_element_int", 4, |w, s| w.element(s, s.number(1)?, &s.operands(2)?, s.operand(3)?)),
    row("fzn_all_different_int", 1, |w, s| w.all_different(s, &s.operands(0)?, &|_| false)),
    row("fzn_alldifferent_except", 2, |w, s| {
        let set = s.set(1)?;
        w.all_different(s, &s.operands(0)?, &|value| set.contains(value))
    }),
    row("fzn_alldifferent_except_0", 1, |w, s| w.all_different(s, &s.operands(0)?, &|value| value == 0)),
    row("fzn_all_equal_int", 1, |w, s| {
        s.unless_reified()?;
        s.operands(0)?.windows(2).try_for_each(|two| w.sum(s, &[(1, two[0]), (-1, two[1])], Equal, 0))
    }),
    row("gordian_table_int", 2, Writer::table),
    row("gordian_table_bool", 2, Writer::table),
    row("fzn_count_eq", 3, |w, s| w.times(s, [0, 1, 2], Equal)),
    row("fzn_count_neq", 3, |w, s| w.times(s, [0, 1, 2], NotEqual)),
    // The last argument is the left side of the comparison.
    row("fzn_count_geq", 3, |w, s| w.times(s, [0, 1, 2], AtMost)),
    row("fzn_count_leq", 3, |w, s| w.times(s, [0, 1, 2], AtLeast)),
    row("fzn_at_most_int", 3, |w, s| w.times(s, [1, 2, 0], AtMost)),
    row("fzn_at_least_int", 3, |w, s| w.times(s, [1, 2, 0], AtLeast)),
    row("fzn_exactly_int", 3, |w, s| w.times(s, [1, 2, 0], Equal)),
    row("fzn_among", 3, |w, s| {
        let set = s.set(2)?;
        w.count(s, &s.operands(1)?, &|value| set.contains(value), Equal, s.operand(0)?)
    }),
    row("fzn_global_cardinality", 3, |w, s| w.cardinality(s, &[(2, Equal)], false)),
    row("fzn_global_cardinality_closed", 3, |w, s| w.cardinality(s, &[(2, Equal)], true)),
    row("fzn_global_cardinality_low_up", 4, |w, s| w.cardinality(s, &[(2, AtLeast), (3, AtMost)], false)),
    row("fzn_global_cardinality_low_up_closed", 4, |w, s| {
        w.cardinality(s, &[(2, AtLeast), (3, AtMost)], true)
    }),
    row("gordian_bin_packing_load", 4, |w, s| w.bin_packing(s, true)),
    row("gordian_bin_packing_capa", 4, |w, s| w.bin_packing(s, false)),
    row("gordian_inverse", 4, |w, s| {
        let condition = s.unless_reified()?;
        let (left, right) = (w.integers(&s.operands(0)?)?, w.integers(&s.operands(2)?)?);
        let (first, other) = (s.number(1)?, s.number(3)?);
        w.inverse(condition, (&left, first), (&right, other));
        w.inverse(condition, (&right, other), (&left, first));
        Some(())
    }),
    row("fzn_value_precede_int", 3, |w, s| {
        w.value_precedence(s, &s.operands(2)?, &[s.number(0)?, s.number(1)?])
    }),
    row("fzn_value_precede_chain_int", 2, |w, s| w.value_precedence(s, &s.operands(1)?, &s.numbers(0)?)),
    row("fzn_seq_precede_chain_int", 1, |w, s| {
        s.unless_reified()?;
        let list = s.operands(0)?;
        // The values 1 to k - 1 must occur before the value k, so no value exceeds the number of operands.
        let count = Value::try_from(list.len()).ok()?;
        list.iter().try_for_each(|x| w.sum(s, &[(1, x)], AtMost, count))?;
        w.value_precedence(s, &list, &(1..=count).collect::<Vec<_>>())
    }),
    row("fzn_cumulative", 4, |w, s| {
        s.unconditional()?;
        w.cumulative(&s.operands(0)?, &s.operands(1)?, &s.operands(2)?, s.operand(3)?)
    }),
    row("fzn_disjunctive", 2, |w, s| w.disjunctive(s, false)),
    row("fzn_disjunctive_strict", 2, |w, s| w.disjunctive(s, true)),
    row("gordian_diffn", 3, |w, s| w.diffn(s, true)),
    row("gordian_diffn_nonstrict", 3, |w, s| w.diffn(s, false)),
    row("symmetry_breaking_constraint", 1, |w, s| w.all(s, w.terms(&[s.operand(0)?]))),
    row("redundant_constraint", 1, |w, s| w.all(s, w.terms(&[s.operand(0)?]))),
    row("fzn_assume", 1, |w, s| nothing(s, w.terms(&s.operands(0)?))),
    row("fzn_on_restart_status", 1, |w, s| w.in_set(s, s.operand(0)?, &Domain::interval(1, 5))),
    row("fzn_on_restart_complete", 1, |w, s| nothing(s, w.term(s.operand(0)?))),
    row("fzn_on_restart_last_val_int", 2, |_, s| nothing(s, s.operand(0).zip(s.operand(1)))),
    row("fzn_on_restart_last_val_bool", 2, |w, s| nothing(s, w.pair(s))),
    row("fzn_on_restart_sol_int", 2, |_, s| nothing(s, s.operand(0).zip(s.operand(1)))),
    row("fzn_on_restart_sol_bool", 2, |w, s| nothing(s, w.pair(s))),
    row("fzn_on_restart_uniform_int", 3, |w, s| {
        w.in_set(s, s.operand(2)?, &Domain::interval(s.number(0)?, s.number(1)?))
    }),
];

/// States a call that always holds, if it has the right arguments.
fn nothing<T>(statement: &Statement, arguments: Option<T>) -> Option<()> {
    statement.unless_reified().and(arguments).map(drop)
}

impl Writer {
    /// Returns two Boolean arguments as terms.
    fn pair(&self, statement: &Statement) -> Option<[Sum; 2]> {
        Some([self.term(statement.operand(0)?)?, self.term(statement.operand(1)?)?])
    }

    /// States that the first argument compares with the second argument plus `bound`.
    fn compare_two(&mut self, statement: &Statement, comparison: Comparison, bound: Value) -> Option<()> {
        self.sum(statement, &[(1, statement.operand(0)?), (-1, statement.operand(1)?)], comparison, bound)
    }

    /// States a linear constraint: the arguments are the coefficients, the operands and the bound.
    fn weighted(&mut self, statement: &Statement, comparison: Comparison) -> Option<()> {
        let (factors, operands, bound) =
            (statement.numbers(0)?, statement.operands(1)?, statement.operand(2)?);
        if factors.len() != operands.len() {
            return None;
        }
        let terms: Vec<(Value, &Operand)> = factors.into_iter().zip(operands).chain([(-1, bound)]).collect();
        self.sum(statement, &terms, comparison, 0)
    }

    fn in_set(&mut self, statement: &Statement, x: &Operand, set: &Domain) -> Option<()> {
        self.inside(statement, &self.integer(x)?, &|value| set.contains(value));
        Some(())
    }

    /// States how often a value occurs: the arguments at the given indices are the operands, the value and the number.
    fn times(
        &mut self,
        statement: &Statement,
        [of, value, times]: [usize; 3],
        comparison: Comparison,
    ) -> Option<()> {
        let value = self.integer(statement.operand(value)?)?;
        let &[value] = value.values() else { return None };
        let of = statement.operands(of)?;
        self.count(statement, &of, &|other| other == value, comparison, statement.operand(times)?)
    }

    /// States how often each value of the cover occurs. `bounds` are the indices of the arguments with the numbers.
    fn cardinality(
        &mut self,
        statement: &Statement,
        bounds: &[(usize, Comparison)],
        closed: bool,
    ) -> Option<()> {
        statement.unless_reified()?;
        let (operands, cover) = (statement.operands(0)?, statement.numbers(1)?);
        for &(index, comparison) in bounds {
            let times = statement.operands(index)?;
            if times.len() != cover.len() {
                return None;
            }
            for (&value, times) in cover.iter().zip(times) {
                self.count(statement, &operands, &|other| other == value, comparison, times)?;
            }
        }
        if closed {
            for x in operands {
                self.inside(statement, &self.integer(x)?, &|value| cover.contains(&value));
            }
        }
        Some(())
    }
}
