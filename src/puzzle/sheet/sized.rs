//! Areas of equal numbers whose sizes are these numbers, by owner labels.
//!
//! The owner of an area is its first vertex. There is a literal for each owner and each later vertex that an area of the
//! owner can reach, with a number that both can have. Each vertex has exactly one owner, neighbours have the same owner exactly if their numbers are
//! equal, and the vertices of an owner are connected and as many as the owner's number says.

use std::collections::BTreeSet;
use std::sync::Arc;

use gordian_encodings::constraint::{Cardinality, Clause, Connected, Constraint, Equality, Linear, Reified};
use gordian_encodings::{Expr, FALSE, Graph, Lit, Term};

use super::model::Builder;
use super::relations::graph;
use crate::rules::relation::Neighbours;
use crate::rules::sheet::{Sum, Value};

pub(super) fn parts(
    builder: &mut Builder,
    neighbours: &Neighbours,
    numbers: &[Sum],
    places: &[Value],
) -> Vec<(Option<Value>, Arc<dyn Constraint>)> {
    let graph = graph(neighbours);
    let numbers: Vec<Expr> = numbers.iter().map(|sum| builder.sum(sum)).collect();
    let count = numbers.len();
    // For each vertex, its possible owners.
    let mut owners: Vec<Vec<(usize, Lit)>> = vec![Vec::new(); count];
    let mut parts: Vec<(Option<Value>, Arc<dyn Constraint>)> = Vec::new();
    let mut add =
        |place: usize, constraint: Arc<dyn Constraint>| parts.push((Some(places[place].clone()), constraint));
    let domains: Vec<Option<BTreeSet<i128>>> = numbers.iter().map(|number| domain(builder, number)).collect();
    // Returns the greatest number that two vertices can have in common.
    let common = |a: usize, b: usize| match (&domains[a], &domains[b]) {
        (Some(a), Some(b)) => a.iter().rev().find(|value| b.contains(value)).copied(),
        _ => Some(i128::MAX),
    };
    for (owner, number) in numbers.iter().enumerate() {
        let steps = graph.distances([owner], |vertex| vertex >= owner && common(owner, vertex).is_some());
        let mut own = Vec::new();
        for vertex in owner..count {
            let Some(steps) = steps[vertex] else { continue };
            if common(owner, vertex).is_none_or(|most| most <= steps as i128) {
                continue;
            }
            let lit = builder.plain.model.boolean();
            owners[vertex].push((owner, lit));
            own.push((vertex, lit));
            let large = at_least(number, steps as i128 + 1);
            add(owner, Arc::new(Reified { condition: lit, then: Some(large), otherwise: None }));
        }
        let is_owner = own[0].1;
        for &(vertex, lit) in &own[1..] {
            add(vertex, Arc::new(Clause::new([!lit, is_owner])));
        }
        let members = own.iter().map(|&(_, lit)| (1, Term::Lit(lit)));
        let negated = number.terms().iter().map(|&(coefficient, term)| (-coefficient, term));
        let size = Linear::equal(members.chain(negated), number.constant());
        add(owner, Arc::new(Reified { condition: is_owner, then: Some(Arc::new(size)), otherwise: None }));
        let at: std::collections::HashMap<usize, usize> =
            own.iter().enumerate().map(|(at, &(vertex, _))| (vertex, at)).collect();
        let pairs = own.iter().enumerate().flat_map(|(from, &(vertex, _))| {
            let near = graph.neighbours(vertex).iter().filter_map(|to| at.get(to).copied());
            near.filter(move |&to| from < to).map(move |to| (from, to)).collect::<Vec<_>>()
        });
        let inside = Graph::new(own.len(), pairs);
        add(
            owner,
            Arc::new(Connected::new(Arc::new(inside), own.iter().map(|own| own.1).collect::<Vec<_>>())),
        );
    }
    for vertex in 0..count {
        let own: Vec<Lit> = owners[vertex].iter().map(|owner| owner.1).collect();
        add(vertex, Arc::new(Cardinality::exactly(own, 1)));
        for &next in graph.neighbours(vertex).iter().filter(|&&next| vertex < next) {
            let same = if common(vertex, next).is_none() {
                FALSE
            } else {
                let same = builder.plain.model.boolean();
                let equal = Equality::equal(&numbers[vertex], &numbers[next]);
                builder.plain.define(Reified::equivalent(same, equal));
                same
            };
            for (from, to) in [(vertex, next), (next, vertex)] {
                for &(owner, here) in &owners[from] {
                    let there = owners[to].iter().find(|other| other.0 == owner).map(|other| other.1);
                    add(
                        from,
                        Arc::new(Clause::new([!same, !here].into_iter().chain(there).collect::<Vec<_>>())),
                    );
                    if let Some(there) = there {
                        add(from, Arc::new(Clause::new([same, !here, !there])));
                    }
                }
            }
        }
    }
    parts
}

/// Returns the values of a variable, or `None` for another expression.
fn domain(builder: &Builder, number: &Expr) -> Option<BTreeSet<i128>> {
    match (number.terms(), number.constant()) {
        (&[(1, Term::Int(x))], 0) => Some(builder.plain.model.domain(x).values().collect()),
        _ => None,
    }
}

fn at_least(number: &Expr, least: i128) -> Arc<dyn Constraint> {
    Arc::new(Linear::at_least(number.terms().iter().copied(), least - number.constant()))
}
