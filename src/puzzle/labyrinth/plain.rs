//! The plain formulation of Labyrinth, for explanations.
//!
//! Each connection has a literal that is true if the path uses the connection, and each node has a literal that is
//! true if the path visits the node. The rules are:
//!
//! * *end*: the path uses one connection at the start and one at the target;
//! * *node*: it uses two connections or none at every other node;
//! * *no cycle*: the used connections lead from every visited node to the start or the target.
//!
//! No rule concerns the cost of the path.

use std::collections::HashMap;

use gordian_encodings::constraint::Cardinality;
use gordian_encodings::{FALSE, Lit, TRUE};

use crate::puzzle::paths::{self, Step};
use crate::puzzle::plain::{Fact, Plain};
use crate::rules::labyrinth::{Connection, Labyrinth};

pub(super) fn formulate(labyrinth: &Labyrinth) -> Plain {
    let mut plain = Plain::new();
    let steps: Vec<Step> = labyrinth
        .connections()
        .iter()
        .map(|connection| Step { a: connection.a, b: connection.b, taken: plain.model.boolean() })
        .collect();
    let mut at_node: Vec<Vec<Lit>> = vec![Vec::new(); labyrinth.nodes()];
    for &Step { a, b, taken } in &steps {
        at_node[a].push(taken);
        at_node[b].push(taken);
    }
    let ends = [labyrinth.start(), labyrinth.target()];
    let mut used = Vec::with_capacity(at_node.len());
    for (node, taken) in at_node.into_iter().enumerate() {
        let number = node + 1;
        if ends.contains(&node) {
            let rule = plain.rule("end", format!("the path ends at {number}"), Vec::new());
            plain.post(rule, Cardinality::exactly(taken, 1));
            used.push(TRUE);
        } else {
            let name = format!("two connections at {number}, or none");
            used.push(paths::two_or_none(&mut plain, "node", name, Vec::new(), &taken));
        }
    }
    let rule = plain.rule("no cycle", "no cycle", Vec::new());
    plain.post(rule, paths::subtour_elimination(&used, &steps, &ends));
    plain.facts_of(facts(labyrinth, &used, &steps));
    plain
}

/// Returns the facts about the nodes and the connections. Connections that are not in `steps` can't be used.
pub(super) fn facts(labyrinth: &Labyrinth, used: &[Lit], steps: &[Step]) -> Vec<Fact> {
    let taken: HashMap<(usize, usize), Lit> =
        steps.iter().map(|&Step { a, b, taken }| ((a, b), taken)).collect();
    let node = |(node, &used): (usize, &Lit)| {
        Fact::new(used, (node + 1).to_string(), ["avoided", "visited"], Vec::new())
    };
    let connection = |&Connection { a, b, .. }: &Connection| {
        let taken = taken.get(&(a, b)).copied().unwrap_or(FALSE);
        Fact::new(taken, format!("{}-{}", a + 1, b + 1), ["unused", "used"], Vec::new())
    };
    used.iter().enumerate().map(node).chain(labyrinth.connections().iter().map(connection)).collect()
}
