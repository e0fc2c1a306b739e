//! Labyrinth: a simple path between two nodes of a graph.

use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;

use crate::error::{Invalid, Violation, ensure, entry_within};
use crate::{Field, Rules, Solution};

/// The name of the solution field that lists the nodes of the path. Nodes are numbered from 1.
pub const PATH: &str = "path";
/// The name of the solution field that contains the number of nodes on the path.
pub const LENGTH: &str = "length";
/// The name of the solution field that contains the total cost of the path's connections.
pub const COST: &str = "cost";

/// An undirected graph with a cost for each connection, a start node and a target node.
///
/// A solution is a path from the start to the target that visits no node twice. A solution has the fields [`PATH`],
/// [`LENGTH`] and [`COST`]. The checker does not test whether the path is the most expensive or the cheapest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Labyrinth {
    nodes: usize,
    start: usize,
    target: usize,
    connections: Vec<Connection>,
}

/// A connection between two nodes, which are numbered from zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connection {
    /// The node with the lower number.
    pub a: usize,
    /// The node with the higher number.
    pub b: usize,
    /// The cost of using the connection.
    pub cost: i128,
}

impl Labyrinth {
    /// The range of the cost of a connection. For every graph that fits in memory, the sum of all costs fits in 64
    /// bits.
    pub const COSTS: RangeInclusive<i128> = 0..=999_999_999;

    /// Creates a board from a graph with `nodes` nodes, which are numbered from zero.
    ///
    /// Each connection consists of two nodes and a cost. A connection may be repeated, always with the same cost.
    ///
    /// # Errors
    /// Returns an error if `start`, `target` or a connection refers to a node outside the graph, if `start` equals
    /// `target`, if a connection joins a node to itself, if a cost is out of range, or if a repeated connection has a
    /// different cost.
    pub fn new(
        nodes: usize,
        start: usize,
        target: usize,
        connections: impl IntoIterator<Item = ([usize; 2], i128)>,
    ) -> Result<Self, Invalid> {
        let node = |name, index, node: usize, other: Option<(usize, &str)>| {
            let expected = match other {
                _ if node >= nodes => format!("a node from 1 to {nodes}"),
                Some((other, what)) if other == node => format!("a node that differs from {what}"),
                _ => return Ok(()),
            };
            Err(Invalid { name, index, expected, found: format!("`{}`", node + 1) })
        };
        node("start", None, start, None)?;
        node("target", None, target, Some((start, "the start")))?;
        let mut known = HashMap::new();
        let mut distinct = Vec::new();
        for (row, ([a, b], cost)) in connections.into_iter().enumerate() {
            node("graph", Some(row), a, None)?;
            node("graph", Some(row), b, Some((a, "the first node of the row")))?;
            let cost = entry_within("weights", Some(row), "a weight", cost, &Self::COSTS)?;
            let (a, b) = (a.min(b), a.max(b));
            match known.insert((a, b), cost) {
                None => distinct.push(Connection { a, b, cost }),
                Some(other) if other == cost => {}
                Some(other) => {
                    let expected =
                        format!("the weight {other}, which an earlier row gives to this connection");
                    let found = format!("`{cost}`");
                    return Err(Invalid { name: "weights", index: Some(row), expected, found });
                }
            }
        }
        Ok(Self { nodes, start, target, connections: distinct })
    }

    /// Returns the number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Returns the index of the path's first node, counted from zero.
    #[must_use]
    pub fn start(&self) -> usize {
        self.start
    }

    /// Returns the index of the path's last node, counted from zero.
    #[must_use]
    pub fn target(&self) -> usize {
        self.target
    }

    /// Returns the connections without repetitions, in input order.
    #[must_use]
    pub fn connections(&self) -> &[Connection] {
        &self.connections
    }
}

impl Rules for Labyrinth {
    fn check(&self, solution: &Solution) -> Result<(), Violation> {
        let Some(Field::Numbers(path)) = solution.get(PATH) else {
            return Err(Violation::new("the solution has no path"));
        };
        // In solutions, nodes are numbered from one instead of zero.
        let outside = |node: usize| node as i128 + 1;
        let (start, target) = (outside(self.start), outside(self.target));
        ensure!(path.first() == Some(&start), "the path does not begin at {start}");
        ensure!(path.last() == Some(&target), "the path does not end at {target}");
        let mut passed = HashSet::new();
        for node in path {
            ensure!(passed.insert(node), "the path passes {node} twice");
        }
        let both_ways = |c: &Connection| {
            let (a, b) = (outside(c.a), outside(c.b));
            [((a, b), c.cost), ((b, a), c.cost)]
        };
        let costs: HashMap<_, _> = self.connections.iter().flat_map(both_ways).collect();
        let mut cost = 0;
        for pair in path.windows(2) {
            let more = costs.get(&(pair[0], pair[1]));
            ensure!(more.is_some(), "no connection joins {} and {}", pair[0], pair[1]);
            cost += more.unwrap_or(&0);
        }
        for (name, expected) in [(LENGTH, path.len() as i128), (COST, cost)] {
            let right = solution.get(name) == Some(&Field::Number(expected));
            ensure!(right, "the {name} of the path is {expected}, but the solution states another value");
        }
        Ok(())
    }
}

mod opb;

#[cfg(test)]
mod tests;
