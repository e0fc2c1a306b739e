//! Tests that automata accept exactly the solutions of their constraints, for several variable orders.

use std::collections::BTreeMap;

use crate::formula::{Case, each_choice};
use crate::samples::cases;
use gordian_encodings::frontier::Frontier;
use gordian_encodings::{Assignment, Var};

/// Returns four variable orders: ascending, descending, and two shuffled orders.
fn orders(variables: &[Var]) -> Vec<Vec<Var>> {
    let mixed = |factor: usize| {
        let mut order = variables.to_vec();
        order.sort_by_key(|variable| ((variable.idx() + 3) * factor % 101, variable.idx()));
        order
    };
    let descending = variables.iter().rev().copied().collect();
    vec![variables.to_vec(), descending, mixed(37), mixed(64)]
}

/// Checks that the automaton for a variable order accepts an assignment if and only if it satisfies the constraint.
fn check(case: &Case, frontier: &dyn Frontier, order: &[Var]) {
    let automaton = frontier.automaton(order).expect("samples have small states");
    let mut first = vec![0; automaton.width()];
    let opens = automaton.open(&mut first);
    // For each number of variables read so far, maps each state to true if the automaton accepts some continuation from
    // this state.
    let mut accepts: Vec<BTreeMap<Vec<u8>, bool>> = vec![BTreeMap::new(); order.len() + 1];
    each_choice(&vec![2; order.len()], &mut |choice| {
        let mut booleans = vec![false; case.model.variables() as usize];
        for (variable, &value) in order.iter().zip(choice) {
            booleans[variable.idx()] = value == 1;
        }
        let mut path = vec![first.clone()];
        let mut state = first.clone();
        let accepted = opens
            && choice.iter().enumerate().all(|(index, &value)| {
                let possible = automaton.read(index, value == 1, &mut state);
                if possible {
                    path.push(state.clone());
                }
                possible
            });
        let expected = case.constraint.holds(&Assignment::new(booleans, vec![]));
        assert_eq!(accepted, expected, "{}, {choice:?} in the order {order:?}", case.label());
        assert!(!accepted || state.iter().all(|&byte| byte == 0), "{}, a state remains", case.label());
        for (states, state) in accepts.iter_mut().zip(path) {
            *states.entry(state).or_default() |= accepted;
        }
    });
    // The automata of sums are minimal, so an accepting state can be reached from each of their states.
    if opens && automaton.width() == 1 && frontier.parts().len() == 1 && !order.is_empty() {
        let dead = accepts.iter().flatten().filter(|&(_, &accepted)| !accepted).count();
        assert_eq!(dead, 0, "{}, in the order {order:?}", case.label());
    }
}

#[test]
fn automata_accept_the_solutions() {
    let mut seen = BTreeMap::<&str, usize>::new();
    let cases = cases().into_iter().filter(|case| case.is_small() && case.encoding == "auto");
    for case in cases.filter(|case| case.model.integer_variables().next().is_none()) {
        let Some(frontier) = case.constraint.frontier() else { continue };
        let mut variables: Vec<Var> =
            frontier.parts().iter().flat_map(|part| part.variables.iter().copied()).collect();
        variables.sort_unstable();
        variables.dedup();
        for order in orders(&variables) {
            check(&case, &*frontier, &order);
        }
        *seen.entry(case.name).or_default() += 1;
    }
    for name in [
        "at-most-one",
        "exactly-one",
        "cardinality",
        "linear",
        "connectivity",
        "components",
        "path",
        "disjoint-paths",
    ] {
        assert!(seen.get(name).is_some_and(|&cases| cases > 5), "{name}: {seen:?}");
    }
}
