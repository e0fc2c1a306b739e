//! The pseudo-Boolean formula of labyrinth. The variable `node_I` is true if the path visits node I, and `step_I_J` is
//! true if the path uses the connection between the nodes I and J. Nodes are counted from 1, and I < J.

use super::{Connection, Labyrinth, PATH};
use crate::opb::{Literal, NoFormula, Opb, RulesFormula, Sum};
use crate::{Field, Solution, Violation};

fn step_name(&Connection { a, b, .. }: &Connection) -> String {
    format!("step_{}_{}", a + 1, b + 1)
}

impl RulesFormula for Labyrinth {
    fn formula(&self) -> Result<Opb, NoFormula> {
        let mut opb = Opb::new();
        let nodes: Vec<Literal> =
            (1..=self.nodes).map(|node| opb.variable(format_args!("node_{node}"))).collect();
        let steps: Vec<Literal> =
            self.connections.iter().map(|connection| opb.variable(step_name(connection))).collect();
        let mut at: Vec<Vec<Literal>> = vec![Vec::new(); self.nodes];
        for (connection, &step) in self.connections.iter().zip(&steps) {
            at[connection.a].push(step);
            at[connection.b].push(step);
        }
        opb.comment("the path visits the start and the target");
        opb.clause([nodes[self.start]]);
        opb.clause([nodes[self.target]]);
        opb.comment("the start and the target have one step, and every other node of the path has two");
        for (node, at) in at.into_iter().enumerate() {
            if node == self.start || node == self.target {
                opb.exactly(at, 1);
            } else {
                opb.two_if(nodes[node], &at);
            }
        }
        opb.comment("steps connect each node of the path with an end, so there are no cycles");
        let steps: Vec<_> = self
            .connections
            .iter()
            .zip(&steps)
            .map(|(connection, &step)| (connection.a, connection.b, step))
            .collect();
        opb.connected_by_steps(&nodes, &steps, &[self.start, self.target]);
        Ok(opb)
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

    /// Each node has two possible values: it is on the path or not.
    fn unseen(&self, opb: &Opb, solutions: &[Solution]) -> Result<Sum, Violation> {
        let mut seen = vec![[false; 2]; self.nodes];
        for solution in solutions {
            let Some(Field::Numbers(path)) = solution.get(PATH) else {
                return Err(Violation::new("the solution has no path"));
            };
            for (number, seen) in (1..).zip(&mut seen) {
                seen[usize::from(path.contains(&number))] = true;
            }
        }
        let mut unseen = Vec::new();
        for (number, [absent, present]) in (1..).zip(seen) {
            let node = opb.find(&format!("node_{number}"));
            unseen.extend(node.filter(|_| !present));
            unseen.extend(node.filter(|_| !absent).map(|node| !node));
        }
        Ok(unseen.into_iter().collect())
    }

    /// The objectives `shortest` and `longest` minimise and maximise the cost of the path.
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
