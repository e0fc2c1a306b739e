//! Simplification of connectivity constraints.
//!
//! MiniZinc models of graphs have a Boolean for each edge. The library turns each edge into a vertex between its ends.
//! The literal of this vertex is the Boolean of the edge. If this Boolean is equivalent to the conjunction of the literals
//! of both ends, the vertex is replaced by an edge between the two ends.

use std::collections::{HashMap, HashSet};

use super::{Presolved, Store};
use crate::constraint::{Ref, Relation, When};

/// The conjunctions of two literals that are equivalent to a literal: each entry `(a, b, c)` with `a <= b` states that c
/// is equivalent to `a and b`.
struct Conjunctions(HashSet<(Ref, Ref, Ref)>);

impl Conjunctions {
    fn new(presolved: &Presolved) -> Self {
        let store = &presolved.store;
        let mut all = HashSet::new();
        for constraint in &presolved.constraints {
            // A conjunction is the negation of a clause of the negated literals.
            let (lits, negated, then) = match (&constraint.relation, constraint.when) {
                (Relation::And(lits), When::Iff(then)) => (lits, false, then),
                (Relation::Clause(lits), When::Iff(then)) => (lits, true, !then),
                _ => continue,
            };
            let [a, b] = lits[..] else { continue };
            let [a, b] = [a, b].map(|lit| store.resolve(if negated { !lit } else { lit }));
            all.insert((a.min(b), a.max(b), store.resolve(then)));
        }
        Self(all)
    }

    /// Returns whether `lit` is known to be equivalent to `a and b`.
    fn contains(&self, a: Ref, b: Ref, lit: Ref) -> bool {
        match (a, b) {
            (Ref::Const(0), _) | (_, Ref::Const(0)) => lit == Ref::Const(0),
            (Ref::Const(_), other) | (other, Ref::Const(_)) => lit == other,
            _ if a == b => lit == a,
            _ if a == !b => lit == Ref::Const(0),
            _ => self.0.contains(&(a.min(b), a.max(b), lit)),
        }
    }
}

impl Presolved {
    /// Replaces vertices of connectivity constraints by edges, as described in this [module](self).
    pub(super) fn contract_edges(&mut self) {
        let is_connected = |relation: &Relation| matches!(relation, Relation::Connected { .. });
        if !self.constraints.iter().any(|constraint| is_connected(&constraint.relation)) {
            return;
        }
        let conjunctions = Conjunctions::new(self);
        let Self { constraints, store } = self;
        for constraint in constraints {
            if let Relation::Connected { vertices, edges } = &mut constraint.relation {
                contract(vertices, edges, &conjunctions, store);
            }
        }
    }
}

fn contract(
    vertices: &mut Vec<Ref>,
    edges: &mut Vec<(usize, usize)>,
    conjunctions: &Conjunctions,
    store: &Store,
) {
    let mut neighbours = vec![Vec::new(); vertices.len()];
    for &(from, to) in &*edges {
        neighbours[from].push(to);
        neighbours[to].push(from);
    }
    let lits: Vec<Ref> = vertices.iter().map(|&lit| store.resolve(lit)).collect();
    let mut is_edge = vec![false; vertices.len()];
    for vertex in 0..vertices.len() {
        if let [a, b] = neighbours[vertex][..]
            && ![a, b].contains(&vertex)
            // Both ends of the new edge must remain.
            && !is_edge[a]
            && !is_edge[b]
            && conjunctions.contains(lits[a], lits[b], lits[vertex])
        {
            is_edge[vertex] = true;
            edges.push((a, b));
        }
    }
    let kept: Vec<usize> = (0..vertices.len()).filter(|&vertex| !is_edge[vertex]).collect();
    let numbers: HashMap<usize, usize> = kept.iter().copied().zip(0..).collect();
    *vertices = kept.iter().map(|&vertex| lits[vertex]).collect();
    let renumbered = edges.iter().filter_map(|(from, to)| Some((*numbers.get(from)?, *numbers.get(to)?)));
    *edges = renumbered.collect();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    /// Presolves an instance with a connectivity constraint that has the vertices a, b, c, d and e. Returns the number of
    /// vertices that remain, and the edges.
    fn contracted(constraints: &str, ends: &str) -> (usize, Vec<(usize, usize)>) {
        let variables: String =
            ["a", "b", "c", "d", "e"].map(|name| format!("var bool: {name} :: output_var;\n")).concat();
        let text = format!(
            "{variables}{constraints}constraint gordian_connected([a,b,c,d,e],[{ends}]);\nsolve satisfy;\n"
        );
        let instance = text::read(&text).expect("valid text");
        let constraints = crate::builtins::constraints(&instance).expect("valid constraints");
        let Presolved { constraints, .. } = Presolved::new(&instance, constraints);
        let found = constraints.into_iter().find_map(|constraint| match constraint.relation {
            Relation::Connected { vertices, edges } => Some((vertices.len(), edges)),
            _ => None,
        });
        found.expect("a connectivity constraint")
    }

    #[test]
    fn vertices_of_edges_are_replaced() {
        // The vertex d stands for the edge between a and b, and e for the edge between b and c.
        let ends = "1,4,4,2,2,5,5,3";
        let both = "constraint array_bool_and([a,b],d);\nconstraint array_bool_and([c,b],e);\n";
        assert_eq!(contracted(both, ends), (3, vec![(0, 1), (1, 2)]));
        let one = "constraint array_bool_and([a,b],d);\nconstraint array_bool_or([c,b],e);\n";
        assert_eq!(contracted(one, ends), (4, vec![(1, 3), (3, 2), (0, 1)]));
        // Two edges join a and b.
        let parallel = "constraint array_bool_and([a,b],d);\nconstraint array_bool_and([b,a],e);\n";
        assert_eq!(contracted(parallel, "1,4,4,2,1,5,5,2"), (3, vec![(0, 1), (0, 1)]));
        // One end is always chosen.
        assert_eq!(contracted("constraint bool_eq(a,true);\nconstraint bool_eq(d,b);\n", ends).0, 4);
    }

    #[test]
    fn other_vertices_remain() {
        let and = "constraint array_bool_and([a,b],d);\n";
        for (constraints, ends) in [
            (and, "1,4,4,2,4,3"),
            (and, "1,4"),
            (and, "1,4,4,3"),
            ("constraint array_bool_and_imp([a,b],d);\n", "1,4,4,2"),
            ("constraint array_bool_and([a,b,c],d);\n", "1,4,4,2"),
        ] {
            assert_eq!(contracted(constraints, ends).0, 5, "{constraints} {ends}");
        }
        // On the path from a to b, each of c and d stands for an edge with the other as an end. Only one is replaced.
        let equal = "constraint bool_eq(a,true);\nconstraint bool_eq(b,true);\nconstraint bool_eq(c,d);\n";
        for ends in ["1,3,3,4,4,2", "2,4,4,3,3,1"] {
            let (vertices, edges) = contracted(equal, ends);
            assert_eq!((vertices, edges.len()), (4, 2), "{ends}");
        }
    }
}
