//! Labyrinth: the most expensive or cheapest simple path between two nodes of a graph.
//!
//! Each connection has a literal that is true if the path uses the connection, and each node has a literal that is true
//! if the path visits the node. The path uses one connection at the start, one at the target, and two or none at every
//! other node. Every visited node is connected with the start by used connections.
//!
//! If the graph is bipartite, its nodes can be coloured black and white so that the path alternates between the
//! colours. The colours of the path's ends determine how many more black nodes than white nodes the path visits.
//! Solvers do not derive this constraint on the colours, so the model contains it although it is redundant.

use std::collections::{HashMap, HashSet};

use gordian_encodings::constraint::{Cardinality, Path};
use gordian_encodings::{Assignment, FALSE, Graph, Lit, Model, Objective, Sense, TRUE};

use super::paths::{self, Step};
use super::{
    FieldRow, Formulation, Group, ObjectiveRow, Options, Part, Plain, Puzzle, PuzzleType, Query, Read,
    Reader, Sample, Shape,
};
use crate::format::text;
use crate::format::{InputError, Record, Source, Spanned, Syntax, counted};
use crate::render::{self, Diagram, Line, Role, Scene, Text};
use crate::rules::labyrinth::{COST, Connection, LENGTH, Labyrinth, PATH};
use crate::rules::opb::RulesFormula;
use crate::rules::{Field, Solution};

mod plain;

/// The puzzle type `labyrinth`.
pub static PUZZLE: PuzzleType = PuzzleType {
    name: "labyrinth",
    aliases: &[],
    rules: "Connections join nodes of a graph, each at a cost, by default 10. A path goes from the start to the \
            target along connections and visits no node twice. Its cost is the sum of the costs of its connections.",
    options: &[],
    objectives: &[
        ObjectiveRow { name: "longest", sense: Sense::Maximise, summary: "the cost of the path" },
        ObjectiveRow { name: "shortest", sense: Sense::Minimise, summary: "the cost of the path" },
    ],
    optimises: true,
    fields: &[
        FieldRow::new("path", Shape::List, "the nodes from start to target"),
        FieldRow::new("length", Shape::Number, "the number of nodes on the path"),
        FieldRow::new("cost", Shape::Number, "the sum of the weights of the connections on the path"),
        FieldRow::in_backbone("nodes", Shape::List, "for each node, 1 if the path visits it, otherwise 0"),
    ],
    readers: &[
        Reader::Text {
            sample: Sample::Text(
                "labyrinth\nn = 4\nstart = 1\ntarget = 4\ngraph = [|1, 2|2, 3|3, 4|1, 3|2, 4|]\nweights = [10, 5, 10, 20, 30]\n",
            ),
            read: |document, puzzle_type, options| from_record(document.values()?, puzzle_type, options),
        },
        Reader::Record {
            syntax: Syntax::Dzn,
            names: &["n", "num_edges", "start", "target", "graph"],
            sample: Sample::Text(
                "n = 4;\nnum_edges = 5;\nstart = 1;\ntarget = 4;\ngraph = [|1, 2|2, 3|3, 4|1, 3|2, 4|];\n",
            ),
            read: from_record,
        },
    ],
    sheet: None,
    group: Group::Lines,
};

/// The maximum number of nodes. The limit ensures that a short input does not exhaust the memory.
const MOST_NODES: usize = 1_000_000;
/// The cost of every connection if the data contains no weights.
const DEFAULT_COST: i128 = 10;

fn from_record(record: &Record, _: &'static PuzzleType, _: &Options) -> Read {
    record.only(&["n", "num_edges", "start", "target", "graph", "weights"])?;
    let error = |given: &Spanned<i128>, expected: String| InputError::at(&record.source, given, expected);
    let n = record.integer("n")?;
    let nodes = usize::try_from(n.value).ok().filter(|nodes| (1..=MOST_NODES).contains(nodes));
    let nodes = nodes.ok_or_else(|| error(&n, format!("a number of nodes from 1 to {MOST_NODES}")))?;
    let node = |given: &Spanned<i128>| match usize::try_from(given.value) {
        Ok(node @ 1..) if node <= nodes => Ok(node - 1),
        _ => Err(error(given, format!("a node from 1 to {nodes}"))),
    };
    let (start, target) = (node(&record.integer("start")?)?, node(&record.integer("target")?)?);
    let rows = record.matrix("graph")?;
    if let Some(count) = record.optional_integer("num_edges")?
        && count.value != rows.len() as i128
    {
        return Err(error(&count, format!("{}, the number of rows of `graph`", rows.len())));
    }
    let costs = match record.get("weights") {
        Some(_) => Some(record.integers("weights")?),
        None => None,
    };
    if let Some(costs) = &costs
        && costs.len() != rows.len()
    {
        let span = record.required("weights")?.span;
        let expected = format!("{} weights, one for each row of `graph`", rows.len());
        return Err(InputError::new(&record.source, span, expected, format!("{}", costs.len())));
    }
    let mut connections = Vec::with_capacity(rows.len());
    for (index, row) in rows.iter().enumerate() {
        let [first, second] = &row[..] else {
            let span = record.required("graph")?.span;
            let found = format!("{} in a row", row.len());
            return Err(InputError::new(&record.source, span, "two nodes in each row of `graph`", found));
        };
        let cost = costs.as_ref().map_or(DEFAULT_COST, |costs| costs[index].value);
        connections.push(([node(first)?, node(second)?], cost));
    }
    let labyrinth = Labyrinth::new(nodes, start, target, connections).map_err(|invalid| {
        // An error in a row of `graph` points to the second node of the row.
        let row = invalid.index.filter(|_| invalid.name == "graph").map(|row| rows[row][1]);
        let error = record.refused(&invalid);
        row.map_or(error, |node| InputError::new(&record.source, node.span, invalid.expected, invalid.found))
    })?;
    Ok(Box::new(labyrinth))
}

impl Puzzle for Labyrinth {
    fn puzzle_type(&self) -> &'static PuzzleType {
        &PUZZLE
    }

    fn formulate(&self, query: &Query) -> Formulation {
        formulate(self, query, Purpose::Search)
    }

    fn formulate_all(&self, query: &Query) -> Formulation {
        formulate(self, query, Purpose::All)
    }

    fn formulate_for_sweep(&self, query: &Query) -> Option<Formulation> {
        Some(formulate(self, query, Purpose::Sweep))
    }

    fn formulate_for_proof(&self, query: &Query) -> Result<Option<Formulation>, String> {
        Ok(Some(formulate(self, query, Purpose::Proof)))
    }

    fn plain(&self) -> Plain {
        plain::formulate(self)
    }

    fn states(&self, solution: &Solution, place: &str) -> Option<bool> {
        let Some(Field::Numbers(path)) = solution.get(PATH) else { return None };
        let number = |text: &str| text.parse::<i128>().ok();
        match place.split_once('-') {
            None => Some(path.contains(&number(place)?)),
            Some((a, b)) => {
                let (a, b) = (number(a)?, number(b)?);
                Some(path.windows(2).any(|pair| *pair == [a, b] || *pair == [b, a]))
            }
        }
    }

    fn rules_formula(&self) -> Option<&dyn RulesFormula> {
        Some(self)
    }

    fn draw(&self, solution: Option<&Solution>) -> Scene {
        let path: &[i128] = match solution.and_then(|solution| solution.get(PATH)) {
            Some(Field::Numbers(path)) => path,
            _ => &[],
        };
        let is_end =
            |number: i128| [self.start(), self.target()].iter().any(|&end| end as i128 + 1 == number);
        let token =
            |number: i128| (number.to_string(), if is_end(number) { Role::Given } else { Role::Mark });
        let row = if path.is_empty() {
            let between = ("...".to_owned(), Role::Ground);
            vec![token(self.start() as i128 + 1), between, token(self.target() as i128 + 1)]
        } else {
            path.iter().copied().map(token).collect()
        };
        let passed: HashSet<i128> = path.iter().copied().collect();
        let steps: HashSet<[i128; 2]> =
            path.windows(2).map(|pair| [pair[0].min(pair[1]), pair[0].max(pair[1])]).collect();
        let node = |number: i128| {
            let role = match () {
                () if is_end(number) => Role::Given,
                () if passed.contains(&number) => Role::Mark,
                () => Role::Plain,
            };
            render::DiagramNode::new(number.to_string(), role)
        };
        let one_cost = self.connections().windows(2).all(|pair| pair[0].cost == pair[1].cost);
        let connection = |c: &Connection| {
            let taken = steps.contains(&[c.a as i128 + 1, c.b as i128 + 1]);
            let drawn = render::DiagramEdge::new([c.a, c.b]).taken(taken);
            if one_cost { drawn } else { drawn.labelled(c.cost.to_string()) }
        };
        let nodes = (1..=self.nodes() as i128).map(node).collect();
        let diagram = Diagram::new(nodes, self.connections().iter().map(connection).collect());
        let said = |name| solution.and_then(|solution| solution.number(name).ok());
        let remark = said(LENGTH).zip(said(COST)).map(|(length, cost)| {
            Line::Remark(Text::new(
                format!(
                    "from {} to {}: {}, cost {cost}",
                    self.start() + 1,
                    self.target() + 1,
                    counted(length, "node")
                ),
                Role::Plain,
            ))
        });
        Scene::diagram(diagram, vec![row]).with_lines(remark)
    }

    fn read_solution(&self, source: &Source) -> Result<Solution, InputError> {
        let mut path = Vec::new();
        for token in text::rows(source).iter().flat_map(|row| &row.cells) {
            let number = token.value.parse();
            path.push(number.map_err(|_| InputError::at(source, token, "the number of a node"))?);
        }
        Ok(solution(self, path))
    }
}

/// The name of the backbone field that states, for each node, whether the path visits it.
const NODES: &str = "nodes";

/// Creates a solution from the nodes of a path. If two consecutive nodes are not connected, the cost of the step is 0.
fn solution(labyrinth: &Labyrinth, path: Vec<i128>) -> Solution {
    let connections = labyrinth.connections().iter();
    let costs: HashMap<(i128, i128), i128> =
        connections.map(|c| ((c.a as i128 + 1, c.b as i128 + 1), c.cost)).collect();
    let cost = |pair: &[i128]| costs.get(&(pair[0].min(pair[1]), pair[0].max(pair[1]))).copied().unwrap_or(0);
    let (length, total) = (path.len() as i128, path.windows(2).map(cost).sum());
    Solution::new()
        .with(PATH, Field::Numbers(path))
        .with(LENGTH, Field::Number(length))
        .with(COST, Field::Number(total))
}

/// The purpose of a formulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// See [`Puzzle::formulate`].
    Search,
    /// See [`Puzzle::formulate_all`].
    All,
    /// See [`Puzzle::formulate_for_sweep`].
    Sweep,
    /// See [`Puzzle::formulate_for_proof`]. The constraints are the same as in the pseudo-Boolean formula that states
    /// the rules.
    Proof,
}

/// Returns the formulation for a query.
fn formulate(labyrinth: &Labyrinth, query: &Query, purpose: Purpose) -> Formulation {
    let (nodes, start, target) = (labyrinth.nodes(), labyrinth.start(), labyrinth.target());
    let connections = labyrinth.connections();
    let mut model = Model::new();
    let graph = Graph::new(nodes, connections.iter().map(|c| (c.a, c.b)));
    // Nodes that cannot be reached from the start need no variables.
    let reached = graph.distances([start], |_| true);
    let stated = |node: usize| purpose == Purpose::Proof || reached[node].is_some();
    let used: Vec<Lit> = (0..nodes)
        .map(|node| match () {
            () if node == start || node == target => TRUE,
            () if !stated(node) => FALSE,
            () => model.boolean(),
        })
        .collect();
    let mut steps = Vec::new();
    let mut costs = Vec::new();
    let mut at = vec![Vec::new(); nodes];
    for connection in connections.iter().filter(|connection| stated(connection.a)) {
        let taken = model.boolean();
        for node in [connection.a, connection.b] {
            at[node].push(steps.len());
        }
        costs.push((connection.cost, taken));
        steps.push(Step { a: connection.a, b: connection.b, taken });
    }
    if purpose == Purpose::Proof {
        for (node, &used) in (1..).zip(&used) {
            model.name(used, format!("node_{node}"));
        }
        for step in &steps {
            model.name(step.taken, format!("step_{}_{}", step.a + 1, step.b + 1));
        }
    }
    if purpose == Purpose::Sweep {
        let edges: Vec<_> = steps.iter().map(|step| (step.a, step.b, step.taken)).collect();
        model.post_as("path", Path::new(start, target, used.as_slice(), edges));
    } else {
        for node in (0..nodes).filter(|&node| used[node] != FALSE) {
            let taken: Vec<Lit> = at[node].iter().map(|&step: &usize| steps[step].taken).collect();
            if node == start || node == target {
                model.post_as(format!("end at {}", node + 1), Cardinality::exactly(taken, 1));
            } else {
                paths::pass_through(&mut model, format!("path through {}", node + 1), used[node], &taken);
            }
        }
        if purpose != Purpose::Proof {
            alternate(&graph, &used, (start, target), &mut model);
        }
        // Decoding ignores cycles. If the cost is minimised, cycles need not be excluded, because they can only
        // increase the cost.
        let may_have_cycles =
            !query.needs_every_solution() && query.objective().is_none_or(|row| row.sense == Sense::Minimise);
        if purpose != Purpose::Search || !may_have_cycles {
            model.post_as("no cycle", paths::subtour_elimination(&used, &steps, &[start, target]));
        }
    }
    if let Some(row) = query.objective() {
        model.set_objective(Objective::new(row.sense, costs));
    }
    model.project(steps.iter().map(|step| step.taken));
    let facts = match purpose {
        Purpose::All | Purpose::Sweep => plain::facts(labyrinth, &used, &steps),
        Purpose::Search | Purpose::Proof => Vec::new(),
    };
    let labyrinth = labyrinth.clone();
    let decode = move |assignment: &Assignment| {
        let mut path = vec![start as i128 + 1];
        let (mut node, mut last) = (start, None);
        let leads_on = |node: usize, last: Option<usize>| {
            at[node].iter().copied().find(|&step| Some(step) != last && assignment.lit(steps[step].taken))
        };
        while let Some(step) = leads_on(node, last) {
            node = if steps[step].a == node { steps[step].b } else { steps[step].a };
            last = Some(step);
            path.push(node as i128 + 1);
        }
        solution(&labyrinth, path)
    };
    let parts = used.iter().enumerate().map(|(node, &used)| Part::yes_or_no(NODES, node, used)).collect();
    Formulation { model, decode: Box::new(decode), parts, facts }
}

/// Posts the parity constraint if the component of the start is bipartite. A path between nodes of different colours
/// visits equal numbers of black and white nodes. A path between two black nodes visits one more black node than white
/// nodes.
fn alternate(graph: &Graph, used: &[Lit], (start, target): (usize, usize), model: &mut Model) {
    let steps = graph.distances([start], |_| true);
    let black = |node: usize| steps[node].is_some_and(|steps| steps % 2 == 0);
    let nodes: Vec<usize> = (0..used.len()).filter(|&node| steps[node].is_some()).collect();
    let two_coloured =
        nodes.iter().all(|&node| graph.neighbours(node).iter().all(|&near| black(near) != black(node)));
    if !two_coloured || steps[target].is_none() {
        return;
    }
    let white = nodes.iter().filter(|&&node| !black(node)).count();
    let lits: Vec<Lit> =
        nodes.iter().map(|&node| if black(node) { used[node] } else { !used[node] }).collect();
    let surplus = usize::from(black(target));
    model.post_as("as many black nodes as white", Cardinality::exactly(lits, white + surplus));
}

#[cfg(test)]
mod tests;
