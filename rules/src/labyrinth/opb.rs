//! The pseudo-Boolean formula of labyrinth. The variable `node_I` is true if the path visits node I, and `step_I_J` is
//! true if the path uses the connection between the nodes I and J. Nodes are counted from 1, and I < J.

use super::{Connection, Labyrinth, PATH};
use crate::opb::{Formula, Literal, Opb, Vertex};
use crate::{Field, Solution, Violation};

fn step_name(&Connection { a, b, .. }: &Connection) -> String {
    format!("step_{}_{}", a + 1, b + 1)
}

impl Formula for Labyrinth {
    fn formula(&self) -> Opb {
        let mut opb = Opb::new();
        let nodes: Vec<Literal> =
            (1..=self.nodes).map(|node| opb.variable(format_args!("node_{node}"))).collect();
        let steps: Vec<Literal> =
            self.connections.iter().map(|connection| opb.variable(step_name(connection))).collect();
        let mut at: Vec<Vec<(i128, Literal)>> = vec![Vec::new(); self.nodes];
        for (connection, &step) in self.connections.iter().zip(&steps) {
            at[connection.a].push((1, step));
            at[connection.b].push((1, step));
        }
        opb.comment("the path visits the start and the target");
        opb.clause([nodes[self.start]]);
        opb.clause([nodes[self.target]]);
        opb.comment("the start and the target have one step, and every other node of the path has two");
        for (node, mut terms) in at.into_iter().enumerate() {
            let count = if node == self.start || node == self.target { 1 } else { 2 };
            terms.push((-count, nodes[node]));
            opb.at_least(terms.iter().copied(), 0);
            opb.at_most(terms, 0);
        }
        opb.comment("steps connect each node of the path with the start, so there are no cycles");
        let vertices: Vec<Vertex> = (1..)
            .zip(&nodes)
            .map(|(number, &node): (usize, _)| Vertex { name: number.to_string(), member: Some(node) })
            .collect();
        let arcs = self.connections.iter().zip(&steps);
        let arcs = arcs.flat_map(|(c, &step)| [(c.a, c.b, Some(step)), (c.b, c.a, Some(step))]);
        opb.flow("path", &vertices, arcs, &[self.start], self.nodes);
        opb
    }

    fn literals(&self, opb: &Opb, solution: &Solution) -> Result<Vec<Literal>, Violation> {
        let Some(Field::Numbers(path)) = solution.get(PATH) else {
            return Err(Violation::new("the solution has no path"));
        };
        let uses = |connection: &Connection| {
            let (a, b) = (connection.a as i128 + 1, connection.b as i128 + 1);
            path.windows(2).any(|pair| pair == [a, b] || pair == [b, a])
        };
        let literal = |connection: &Connection| {
            let step = opb.find(&step_name(connection))?;
            Some(if uses(connection) { step } else { !step })
        };
        Ok(self.connections.iter().filter_map(literal).collect())
    }

    /// The objectives are `shortest` and `longest`, the cost of the path.
    fn cost(&self, opb: &Opb, objective: &str) -> Option<Vec<(i128, Literal)>> {
        let sign = match objective {
            "shortest" => 1,
            "longest" => -1,
            _ => return None,
        };
        let term =
            |connection: &Connection| Some((sign * connection.cost, opb.find(&step_name(connection))?));
        self.connections.iter().map(term).collect()
    }
}
