//! The table of FlatZinc constraints: their names, numbers of arguments, and relations.
//!
//! A row for the constraint `p` with n arguments also defines the constraints `p_reif` and `p_imp`. They have one
//! more argument: a literal that is equivalent to the relation (`p_reif`) or implies it (`p_imp`). A Boolean function
//! such as `bool_and(a, b)` also accepts its result as an additional last argument: `bool_and(a, b, r)`.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use gordian_encodings::Domain;
use gordian_encodings::constraint::Comparison::{AtLeast, AtMost, Equal, NotEqual};

use self::arguments::{Arguments, Built};
use crate::constraint::{Constraint, Relation, Sum, When};
use crate::error::TranslateError;
use crate::instance::{Annotation, Instance, Origin};

mod arguments;

/// A row of the table of constraints.
struct Row {
    name: &'static str,
    arguments: usize,
    /// True for a Boolean function, whose result may be an additional last argument, as in `bool_and(a, b, r)`.
    defines: bool,
    build: fn(&Arguments<'_>) -> Built<Relation>,
}

/// Creates a row of the table of constraints.
const fn row(name: &'static str, arguments: usize, build: fn(&Arguments<'_>) -> Built<Relation>) -> Row {
    Row { name, arguments, defines: false, build }
}

/// Creates the row of a constraint that is a Boolean function.
const fn defines(name: &'static str, arguments: usize, build: fn(&Arguments<'_>) -> Built<Relation>) -> Row {
    Row { name, arguments, defines: true, build }
}

// Closures are necessary, because the method paths are not generic over the lifetime of `Arguments`.
#[allow(clippy::redundant_closure_for_method_calls)]
static ROWS: &[Row] = &[
    defines("array_bool_and", 1, |a| Ok(Relation::And(a.bools(0)?))),
    defines("array_bool_or", 1, |a| Ok(Relation::Clause(a.bools(0)?))),
    row("array_bool_xor", 1, |a| Ok(Relation::Parity(a.bools(0)?, true))),
    defines("bool_and", 2, |a| Ok(Relation::And(vec![a.bool(0)?, a.bool(1)?]))),
    defines("bool_or", 2, |a| Ok(Relation::Clause(vec![a.bool(0)?, a.bool(1)?]))),
    defines("bool_xor", 2, |a| Ok(Relation::Parity(vec![a.bool(0)?, a.bool(1)?], true))),
    row("bool_not", 2, |a| Ok(Relation::Parity(vec![a.bool(0)?, a.bool(1)?], true))),
    row("bool_ne", 2, |a| Ok(Relation::Parity(vec![a.bool(0)?, a.bool(1)?], true))),
    row("bool_eq", 2, |a| Ok(Relation::Parity(vec![a.bool(0)?, a.bool(1)?], false))),
    row("bool_le", 2, |a| Ok(Relation::Clause(vec![!a.bool(0)?, a.bool(1)?]))),
    row("bool_lt", 2, |a| Ok(Relation::And(vec![!a.bool(0)?, a.bool(1)?]))),
    row("bool_clause", 2, |a| {
        let negative = a.bools(1)?;
        Ok(Relation::Clause(a.bools(0)?.into_iter().chain(negative.into_iter().map(|lit| !lit)).collect()))
    }),
    row("bool2int", 2, |a| Ok(Relation::compare(a.bool(0)?, Equal, a.int(1)?, 0))),
    row("bool_lin_eq", 3, |a| a.sum(Arguments::bools, Equal)),
    row("bool_lin_ne", 3, |a| a.sum(Arguments::bools, NotEqual)),
    row("bool_lin_le", 3, |a| a.sum(Arguments::bools, AtMost)),
    row("int_lin_eq", 3, |a| a.sum(Arguments::ints, Equal)),
    row("int_lin_ne", 3, |a| a.sum(Arguments::ints, NotEqual)),
    row("int_lin_le", 3, |a| a.sum(Arguments::ints, AtMost)),
    row("int_eq", 2, |a| Ok(Relation::compare(a.int(0)?, Equal, a.int(1)?, 0))),
    row("int_ne", 2, |a| Ok(Relation::compare(a.int(0)?, NotEqual, a.int(1)?, 0))),
    row("int_le", 2, |a| Ok(Relation::compare(a.int(0)?, AtMost, a.int(1)?, 0))),
    row("int_lt", 2, |a| Ok(Relation::compare(a.int(0)?, AtMost, a.int(1)?, -1))),
    row("int_plus", 3, |a| {
        let terms = vec![(1, a.int(0)?), (1, a.int(1)?), (-1, a.int(2)?)];
        Ok(Relation::Sum(Sum { terms, comparison: Equal, bound: 0 }))
    }),
    row("int_times", 3, |a| Ok(Relation::Product(a.three()?))),
    row("int_div", 3, |a| Ok(Relation::Quotient(a.three()?))),
    row("int_mod", 3, |a| Ok(Relation::Remainder(a.three()?))),
    row("int_pow", 3, |a| Ok(Relation::Power(a.three()?))),
    row("int_pow_fixed", 3, |a| Ok(Relation::Power(a.three()?))),
    row("int_abs", 2, |a| Ok(Relation::Absolute([a.int(0)?, a.int(1)?]))),
    row("int_max", 3, |a| a.min_max(vec![a.int(0)?, a.int(1)?], 2, true)),
    row("int_min", 3, |a| a.min_max(vec![a.int(0)?, a.int(1)?], 2, false)),
    row("array_int_maximum", 2, |a| a.min_max(a.ints(1)?, 0, true)),
    row("array_int_minimum", 2, |a| a.min_max(a.ints(1)?, 0, false)),
    row("set_in", 2, |a| Ok(Relation::In(a.int(0)?, a.set(1)?))),
    row("array_bool_element", 3, |a| a.element(1, 1, Arguments::bool)),
    row("array_var_bool_element", 3, |a| a.element(1, 1, Arguments::bool)),
    row("array_int_element", 3, |a| a.element(1, 1, Arguments::int)),
    row("array_var_int_element", 3, |a| a.element(1, 1, Arguments::int)),
    row("gordian_element_bool", 4, |a| a.element(a.first(1)?, 2, Arguments::bool)),
    row("gordian_element_int", 4, |a| a.element(a.first(1)?, 2, Arguments::int)),
    row("fzn_all_different_int", 1, |a| {
        Ok(Relation::AllDifferent(a.ints(0)?, Arc::new(Domain::interval(1, 0))))
    }),
    row("fzn_alldifferent_except", 2, |a| Ok(Relation::AllDifferent(a.ints(0)?, a.set(1)?))),
    row("fzn_alldifferent_except_0", 1, |a| {
        Ok(Relation::AllDifferent(a.ints(0)?, Arc::new(Domain::interval(0, 0))))
    }),
    row("fzn_all_equal_int", 1, |a| {
        let list = a.ints(0)?;
        let pairs = list.windows(2).map(|pair| Relation::compare(pair[0], Equal, pair[1], 0));
        Ok(Relation::All(pairs.collect()))
    }),
    row("gordian_table_int", 2, |a| a.table(a.ints(0)?)),
    row("gordian_table_bool", 2, |a| a.table(a.bools(0)?)),
    row("fzn_count_eq", 3, |a| a.count(Equal)),
    row("fzn_count_neq", 3, |a| a.count(NotEqual)),
    // In `fzn_count_geq` and `fzn_count_leq`, the last argument is the left side of the comparison, and the count is
    // the right side.
    row("fzn_count_geq", 3, |a| a.count(AtMost)),
    row("fzn_count_leq", 3, |a| a.count(AtLeast)),
    row("fzn_at_most_int", 3, |a| a.count_first(AtMost)),
    row("fzn_at_least_int", 3, |a| a.count_first(AtLeast)),
    row("fzn_exactly_int", 3, |a| a.count_first(Equal)),
    row("fzn_among", 3, |a| Ok(Relation::Among { of: a.ints(1)?, values: a.set(2)?, times: a.int(0)? })),
    row("fzn_global_cardinality", 3, |a| a.cardinality(false)),
    row("fzn_global_cardinality_closed", 3, |a| a.cardinality(true)),
    row("fzn_global_cardinality_low_up", 4, |a| a.cardinality_between(false)),
    row("fzn_global_cardinality_low_up_closed", 4, |a| a.cardinality_between(true)),
    row("gordian_bin_packing_load", 4, |a| a.bin_packing(Equal)),
    row("gordian_bin_packing_capa", 4, |a| a.bin_packing(AtMost)),
    row("fzn_lex_less_int", 2, |a| a.lexicographic(Arguments::ints, true)),
    row("fzn_lex_lesseq_int", 2, |a| a.lexicographic(Arguments::ints, false)),
    row("fzn_lex_less_bool", 2, |a| a.lexicographic(Arguments::bools, true)),
    row("fzn_lex_lesseq_bool", 2, |a| a.lexicographic(Arguments::bools, false)),
    row("gordian_inverse", 4, |a| {
        Ok(Relation::Inverse { left: a.ints(0)?, right: a.ints(2)?, first: [a.first(1)?, a.first(3)?] })
    }),
    row("gordian_circuit", 2, |a| a.circuit(false)),
    row("gordian_subcircuit", 2, |a| a.circuit(true)),
    row("gordian_connected", 2, |a| a.connected()),
    row("gordian_automaton", 4, |a| a.automaton()),
    row("fzn_value_precede_int", 3, |a| {
        Ok(Relation::ValuePrecedence(a.ints(2)?, [a.value(0)?, a.value(1)?].into()))
    }),
    row("fzn_value_precede_chain_int", 2, |a| Ok(Relation::ValuePrecedence(a.ints(1)?, a.values(0)?.into()))),
    row("fzn_seq_precede_chain_int", 1, |a| a.sequence_precedence()),
    row("fzn_cumulative", 4, |a| a.cumulative()),
    row("fzn_disjunctive", 2, |a| a.disjunctive(false)),
    row("fzn_disjunctive_strict", 2, |a| a.disjunctive(true)),
    row("gordian_diffn", 3, |a| a.diffn(true)),
    row("gordian_diffn_nonstrict", 3, |a| a.diffn(false)),
    row("symmetry_breaking_constraint", 1, |a| Ok(Relation::And(vec![a.bool(0)?]))),
    row("redundant_constraint", 1, |a| Ok(Relation::And(vec![a.bool(0)?]))),
    // The literals of `fzn_assume` are not constraints but assumptions of the search (`Instance::assumptions`).
    row("fzn_assume", 1, |a| a.bools(0).map(|_| Relation::All(Vec::new()))),
    // `restart::Restarts` sets the results of calls of `fzn_on_restart_*` before each run. Without restarts, the
    // results may have any values in their ranges.
    row("fzn_on_restart_status", 1, |a| Ok(Relation::In(a.int(0)?, Arc::new(Domain::interval(1, 5))))),
    row("fzn_on_restart_complete", 1, |a| a.bool(0).map(|_| Relation::All(Vec::new()))),
    row("fzn_on_restart_last_val_int", 2, |a| a.int(0).and(a.int(1)).map(|_| Relation::All(Vec::new()))),
    row("fzn_on_restart_last_val_bool", 2, |a| a.bool(0).and(a.bool(1)).map(|_| Relation::All(Vec::new()))),
    row("fzn_on_restart_sol_int", 2, |a| a.int(0).and(a.int(1)).map(|_| Relation::All(Vec::new()))),
    row("fzn_on_restart_sol_bool", 2, |a| a.bool(0).and(a.bool(1)).map(|_| Relation::All(Vec::new()))),
    row("fzn_on_restart_uniform_int", 3, |a| {
        Ok(Relation::In(a.int(2)?, Arc::new(Domain::interval(a.value(0)?, a.value(1)?))))
    }),
];

static BY_NAME: LazyLock<HashMap<&'static str, &'static Row>> =
    LazyLock::new(|| ROWS.iter().map(|row| (row.name, row)).collect());

/// Returns the names of all constraints, except the variants that end with `_reif` or `_imp`.
pub fn names() -> impl Iterator<Item = &'static str> {
    ROWS.iter().map(|row| row.name)
}

/// The form of a call: a relation, a half-reified relation or a reified relation.
enum Form {
    Plain,
    Half,
    Full,
}

/// Returns the row for a constraint name, which may end with `_reif` or `_imp`, and the form of the call.
fn find(name: &str) -> Option<(&'static Row, Form)> {
    let by_name = |name: &str| BY_NAME.get(name).copied();
    let suffixed = |suffix, form| Some((by_name(name.strip_suffix(suffix)?)?, form));
    by_name(name)
        .map(|row| (row, Form::Plain))
        .or_else(|| suffixed("_reif", Form::Full))
        .or_else(|| suffixed("_imp", Form::Half))
}

/// Converts the calls of an instance to typed constraints.
///
/// # Errors
/// Returns an error if a constraint is unknown or has wrong arguments.
pub(crate) fn constraints(instance: &Instance) -> Result<Vec<Constraint>, TranslateError> {
    let mut unknown: Vec<Origin> = Vec::new();
    let mut built = Vec::with_capacity(instance.constraints.len());
    for call in &instance.constraints {
        let origin = Origin { name: Arc::clone(&call.name), place: call.place };
        let Some((row, form)) = find(&call.name) else {
            if unknown.iter().all(|known| known.name != origin.name) {
                unknown.push(origin);
            }
            continue;
        };
        // The translation fails if a constraint is unknown. The loop then continues only to collect the names of other
        // unknown constraints.
        if !unknown.is_empty() {
            continue;
        }
        let arguments = Arguments { call, instance };
        let bad = |(argument, expected)| TranslateError::Argument {
            origin: origin.clone(),
            argument: argument + 1,
            expected,
        };
        let conditional = call.arguments.len() == row.arguments + 1;
        let when = match form {
            Form::Plain if call.arguments.len() == row.arguments => When::Always,
            Form::Full if conditional => When::Iff(arguments.bool(row.arguments).map_err(bad)?),
            Form::Plain if conditional && row.defines => {
                When::Iff(arguments.bool(row.arguments).map_err(bad)?)
            }
            Form::Half if conditional => When::If(arguments.bool(row.arguments).map_err(bad)?),
            _ => return Err(TranslateError::Arity { origin, found: call.arguments.len() }),
        };
        let relation = (row.build)(&arguments).map_err(bad)?;
        let is_domain =
            |annotation: &Annotation| matches!(annotation, Annotation::Name(name) if &**name == "domain");
        let domain_consistent = call.annotations.iter().any(is_domain);
        built.push(Constraint { relation, when, domain_consistent, origin });
    }
    if unknown.is_empty() { Ok(built) } else { Err(TranslateError::Unknown(unknown)) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn the_checker_knows_the_same_constraints() {
        let all: BTreeSet<&str> = super::names().collect();
        assert_eq!(all, gordian_calls::holds::names().collect());
        assert_eq!(all.len(), super::names().count());
    }
}
