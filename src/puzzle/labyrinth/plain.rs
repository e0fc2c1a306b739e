//! The plain formulation of Labyrinth, for explanations.
//!
//! Each connection has a literal that is true if the path uses the connection, and each node has a literal that is
//! true if the path visits the node. The rules are:
//!
//! * *end*: the path uses one connection at the start and one at the target;
//! * *node*: it uses two connections or none at every other node;
//! * *no cycle*: the used connections lead from every visited node to the start or the target.
//!
//! The cost of the path is not a rule.

use gordian_encodings::constraint::Cardinality;
use gordian_encodings::{Lit, TRUE};

use crate::puzzle::paths::{self, Step};
use crate::puzzle::plain::Plain;
use crate::rules::labyrinth::Labyrinth;

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
    for (node, &used) in used.iter().enumerate() {
        plain.fact(used, (node + 1).to_string(), ["avoided", "visited"], Vec::new());
    }
    for &Step { a, b, taken } in &steps {
        plain.fact(taken, format!("{}-{}", a + 1, b + 1), ["unused", "used"], Vec::new());
    }
    plain
}
