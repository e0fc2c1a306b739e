//! Propagation of constraints over lists: elements, tables, counts and permutations.

use std::collections::HashSet;

use gordian_encodings::constraint::Comparison;
use gordian_encodings::{Domain, Value};

use super::{LISTED, Set, Status, Store};
use crate::constraint::{Automaton, Ref};
use crate::instance::Operand;

/// Propagates `value = array[index]`.
pub(super) fn element(index: Ref, first: Value, array: &[Operand], value: Ref, store: &mut Store) -> Status {
    let Some(last) = first.checked_add(array.len() as Value - 1) else { return Status::Open };
    store.intersect(index, &Set::interval(first, last));
    if store.infeasible {
        return Status::True;
    }
    let at = |index: Value| Ref::of(&array[(index - first) as usize]);
    let values = store.set(value);
    let mut gone = Vec::new();
    let (mut least, mut greatest) = (Value::MAX, Value::MIN);
    let mut constants = Some(Vec::new());
    for index in store.set(index).values() {
        let element = store.resolve(at(index));
        let possible = match element {
            Ref::Const(value) => values.contains(value),
            element => values.meets(store.set(element).intervals()),
        };
        if !possible {
            gone.push(index);
            continue;
        }
        let (low, high) = store.range(element);
        least = least.min(low);
        greatest = greatest.max(high);
        constants = match (constants, element) {
            (Some(mut list), Ref::Const(value)) if list.len() < LISTED => {
                list.push(value);
                Some(list)
            }
            _ => None,
        };
    }
    if !gone.is_empty() {
        let gone = Set::from(&Domain::from_values(gone)).complement();
        store.intersect(index, &gone);
    }
    if store.infeasible {
        return Status::True;
    }
    match constants {
        Some(constants) => store.intersect(value, &Set::from(&Domain::from_values(constants))),
        None => store.within(value, (least, greatest)),
    }
    match store.value(index) {
        Some(index) => {
            store.merge(at(index), value);
            Status::True
        }
        None => Status::Open,
    }
}

/// Propagates all-different: removes the known value of each fixed operand from the domains of the other operands.
pub(super) fn all_different(list: &[Ref], except: &Domain, store: &mut Store) -> Status {
    let known = |store: &Store| -> Vec<Option<Value>> { list.iter().map(|&x| store.value(x)).collect() };
    let before = known(store);
    let mut seen = HashSet::new();
    for value in before.iter().flatten().filter(|&&value| !except.contains(value)) {
        if !seen.insert(*value) {
            store.infeasible = true;
            return Status::True;
        }
    }
    // Removing all known values from all other domains takes quadratic time. Long lists are left to the SAT solver
    // instead.
    if seen.len().saturating_mul(list.len()) <= LISTED * LISTED && !seen.is_empty() {
        for (&x, _) in list.iter().zip(&before).filter(|(_, value)| value.is_none()) {
            for &value in &seen {
                store.remove(x, value);
            }
        }
    }
    if before.iter().all(Option::is_some) { Status::True } else { Status::Open }
}

/// Propagates a table by removing values that no row supports.
pub(super) fn table(columns: &[Ref], rows: &[Operand], store: &mut Store) -> Status {
    if columns.is_empty() {
        store.infeasible = true;
        return Status::True;
    }
    // In a table, `None` is a wildcard for any value.
    let value = |operand: &Operand| match Ref::of(operand) {
        Ref::Const(value) if !matches!(operand, Operand::Set(_)) => Some(value),
        _ => None,
    };
    let domains: Vec<Set> = columns.iter().map(|&x| store.set(x)).collect();
    let sizes: Vec<u128> = domains.iter().map(Set::size).collect();
    // For each column that may contain unsupported values, the supported values. A wildcard supports all
    // values.
    let mut open: Vec<(usize, HashSet<Value>)> =
        (0..columns.len()).map(|column| (column, HashSet::new())).collect();
    for row in rows.chunks(columns.len()) {
        let fits =
            |(entry, domain): (&Operand, &Set)| value(entry).is_none_or(|value| domain.contains(value));
        if row.iter().zip(&domains).all(fits) {
            open.retain_mut(|(column, supported)| {
                value(&row[*column]).is_some_and(|value| {
                    supported.insert(value);
                    (supported.len() as u128) < sizes[*column]
                })
            });
        }
        if open.is_empty() {
            break;
        }
    }
    for (column, supported) in open {
        store.intersect(columns[column], &Set::from(&Domain::from_values(supported)));
    }
    if columns.len() == 1 { Status::True } else { Status::Open }
}

/// Propagates a count by bounding the total weight of the operands with the value.
pub(super) fn count(
    of: &[(Value, Ref)],
    value: Ref,
    comparison: Comparison,
    times: Ref,
    store: &mut Store,
) -> Status {
    let (mut least, mut most): (Value, Value) = (0, 0);
    for &(weight, x) in of {
        let certain = match (store.value(value), store.value(x)) {
            (Some(value), Some(x)) => value == x,
            _ => store.resolve(x) == store.resolve(value),
        };
        let possible = match store.value(value) {
            Some(value) => store.allows(x, value),
            None => store.set(x).meets(store.set(value).intervals()),
        };
        let (low, high) = match (certain, possible) {
            (true, _) => (weight, weight),
            (false, true) => (weight.min(0), weight.max(0)),
            (false, false) => (0, 0),
        };
        let (Some(low), Some(high)) = (least.checked_add(low), most.checked_add(high)) else {
            return Status::Open;
        };
        (least, most) = (low, high);
    }
    bound_count((least, most), comparison, times, store)
}

/// Propagates a count by bounding the number of operands with a value in the set.
pub(super) fn among(of: &[Ref], values: &Domain, times: Ref, store: &mut Store) -> Status {
    let values = Set::from(values);
    let (mut least, mut most) = (0, 0);
    for &x in of {
        let set = store.set(x);
        least += Value::from(set.is_within(values.intervals()));
        most += Value::from(set.meets(values.intervals()));
    }
    bound_count((least, most), Comparison::Equal, times, store)
}

fn bound_count(
    (least, most): (Value, Value),
    comparison: Comparison,
    times: Ref,
    store: &mut Store,
) -> Status {
    match comparison {
        Comparison::Equal => store.within(times, (least, most)),
        Comparison::AtMost => store.raise(times, least),
        Comparison::AtLeast => store.lower(times, most),
        Comparison::NotEqual => {}
    }
    Status::Open
}

/// Propagates inverse lists: restricts the elements of each list to the indices of the other list.
pub(super) fn inverse(lists: [&[Ref]; 2], first: [Value; 2], store: &mut Store) -> Status {
    for (list, other, first) in [(lists[0], lists[1], first[1]), (lists[1], lists[0], first[0])] {
        let Some(last) = first.checked_add(other.len() as Value - 1) else { return Status::Open };
        for &x in list {
            store.intersect(x, &Set::interval(first, last));
        }
    }
    Status::Open
}

/// Propagates a circuit: restricts the successors to the nodes and, unless nodes may be off the circuit, removes
/// self-loops.
pub(super) fn circuit(successors: &[Ref], first: Value, optional: bool, store: &mut Store) -> Status {
    let Some(last) = first.checked_add(successors.len() as Value - 1) else { return Status::Open };
    for (own, &x) in (first..).zip(successors) {
        store.intersect(x, &Set::interval(first, last));
        if successors.len() > 1 && !optional {
            store.remove(x, own);
        }
    }
    Status::Open
}

/// Propagates an automaton: removes a value of an operand if no accepted sequence contains it at this position.
pub(super) fn automaton(list: &[Ref], automaton: &Automaton, store: &mut Store) -> Status {
    if automaton.transitions.len().saturating_mul(list.len()) > LISTED * LISTED {
        return Status::Open;
    }
    let mut states = HashSet::from([automaton.start]);
    let mut layers = Vec::with_capacity(list.len());
    for &x in list {
        let domain = store.set(x);
        let possible =
            |&&(from, value, _): &&(usize, Value, usize)| states.contains(&from) && domain.contains(value);
        let layer: Vec<_> = automaton.transitions.iter().filter(possible).copied().collect();
        states = layer.iter().map(|&(.., to)| to).collect();
        layers.push(layer);
    }
    states.retain(|state| automaton.accepting.contains(state));
    if states.is_empty() {
        store.infeasible = true;
        return Status::True;
    }
    for (&x, mut layer) in list.iter().zip(layers).rev() {
        layer.retain(|(.., to)| states.contains(to));
        let values = layer.iter().map(|&(_, value, _)| value);
        store.intersect(x, &Set::from(&Domain::from_values(values)));
        states = layer.into_iter().map(|(from, ..)| from).collect();
    }
    if list.len() <= 1 { Status::True } else { Status::Open }
}

/// Propagates value precedence: removes the k-th value of the chain from an operand if fewer than k - 1 values of the
/// chain can occur before this operand.
pub(super) fn value_precedence(list: &[Ref], chain: &[Value], store: &mut Store) -> Status {
    if chain.len().saturating_mul(list.len()) > LISTED * LISTED {
        return Status::Open;
    }
    // An upper bound on the number of different chain values among the operands visited so far.
    let mut longest = 0;
    for &x in list {
        for &value in chain.iter().skip(longest + 1) {
            store.remove(x, value);
        }
        if chain.get(longest).is_some_and(|&next| store.allows(x, next)) {
            longest += 1;
        }
    }
    Status::Open
}
