//! Formulations for counting solutions by a sweep.

use std::collections::HashMap;

use gordian_encodings::constraint::{self, Clause};
use gordian_encodings::lit::from_bool;
use gordian_encodings::{Lit, constant};

use super::islands::content;
use super::model::{Builder, Var};
use super::relations::{Part as Posted, graph};
use super::{Lists, SheetPuzzle, field_name};
use crate::puzzle::{Formulation, Part, Query};
use crate::rules::Content;
use crate::rules::relation::{Components, Relation};
use crate::rules::sheet::{Formula, Required, Spot, Style, Value};

/// The conjunction of literals for each value of a variable that is true for sea.
type Values = HashMap<usize, Vec<(Content, Vec<Lit>)>>;

impl SheetPuzzle {
    /// Returns the formulation for a sweep if the rules require that places are connected and if its only variables are the
    /// shown ones.
    pub(super) fn sweep(&self, query: &Query) -> Option<Formulation> {
        let are_connected = self.ground.required.iter().any(|required| {
            matches!(required, Required::Relation(Relation::Connected(_) | Relation::Components(_), _))
        });
        let sheet = self.board.sheet();
        let is_shown = |var: usize| sheet.shown.iter().any(|shown| shown.var == var);
        let are_shown = (0..sheet.vars.len()).all(|var| is_shown(var) && sheet.vars[var].is_boolean());
        if !are_connected || !are_shown {
            return None;
        }
        let mut builder = self.builder(true);
        builder.is_for_sweep = true;
        builder.rules(true);
        let is_open = |var: &&Var| matches!(var, Var::Boolean(lit) if constant(*lit).is_none());
        let open = builder.vars.iter().filter(is_open).count();
        if usize::try_from(builder.plain.model.variables()) != Ok(open) {
            return None;
        }
        let values =
            if *query == Query::CountValues { self.values_of_islands(&mut builder) } else { Values::new() };
        let mut formulation = self.formulation(builder, Lists::of(query));
        for (number, shown) in
            sheet.shown.iter().enumerate().filter(|(_, shown)| shown.style == Style::Islands)
        {
            let field = field_name(sheet, number);
            let size = self.board.size();
            let parts = formulation.parts.iter_mut().filter(|part| part.field == *field);
            for (part, cell) in parts.zip(size.cells()) {
                let variable = self.ground.families[shown.var].get(&Value::from(Spot::Cell(cell)));
                if let Some(values) = variable.and_then(|variable| values.get(variable)) {
                    *part = Part { values: values.clone(), field: part.field.clone(), index: part.index };
                }
            }
        }
        Some(formulation)
    }

    /// Posts the constraints on the labels of components, and returns the values of the variables that are false in
    /// components.
    fn values_of_islands(&self, builder: &mut Builder) -> Values {
        let mut values = Values::new();
        for required in &self.ground.required {
            if let Required::Relation(Relation::Components(components), _) = required {
                values.extend(labelled(builder, components));
            }
        }
        values
    }
}

/// Returns the relation as one constraint, which has frontier states.
pub(super) fn components(builder: &mut Builder, components: &Components<Formula>) -> Vec<Posted> {
    let nodes = builder.lits(&components.vertices);
    let size = |size: i64| usize::try_from(size).unwrap_or(0);
    let roots: Vec<_> = components.roots.iter().map(|&(root, stated)| (root, stated.map(size))).collect();
    let graph = graph(builder, &components.neighbours);
    vec![(None, Box::new(constraint::Components::new(graph, nodes, roots)))]
}

/// Posts the constraints on the labels of vertices. The label of a vertex in a component is the index of its size among all
/// sizes, in binary; the label of any other vertex is 0. Neighbours in components have equal labels.
fn labelled(builder: &mut Builder, components: &Components<Formula>) -> Values {
    let nodes = builder.lits(&components.vertices);
    let model = &mut builder.plain.model;
    let mut sizes: Vec<Option<i64>> = components.roots.iter().map(|&(_, size)| size).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let bits = sizes.len().next_power_of_two().ilog2();
    let roots: HashMap<usize, Option<i64>> = components.roots.iter().copied().collect();
    let mut label = |vertex: usize| -> Vec<Lit> {
        if let Some(size) = roots.get(&vertex) {
            let index = sizes.binary_search(size).unwrap_or_default();
            return (0..bits).map(|bit| from_bool(index >> bit & 1 == 1)).collect();
        }
        let label: Vec<Lit> = (0..bits).map(|_| model.boolean()).collect();
        for &bit in &label {
            model.post(Clause::new([nodes[vertex], !bit]));
        }
        label
    };
    let labels: Vec<Vec<Lit>> = (0..nodes.len()).map(&mut label).collect();
    for (a, neighbours) in components.neighbours.iter().enumerate() {
        for &b in neighbours {
            for (&here, &there) in labels[a].iter().zip(&labels[b]) {
                model.post(Clause::new([!nodes[a], !nodes[b], !here, there]));
            }
        }
    }
    let values = |vertex: usize| {
        let of_size = |(index, &size): (usize, &Option<i64>)| {
            let states = |(bit, &lit): (usize, &Lit)| if index >> bit & 1 == 1 { lit } else { !lit };
            let label = labels[vertex].iter().enumerate().map(states);
            (content(size), [nodes[vertex]].into_iter().chain(label).collect())
        };
        let outside = (Content::Number(0), vec![!nodes[vertex]]);
        [outside].into_iter().chain(sizes.iter().enumerate().map(of_size)).collect()
    };
    let variable = |vertex: usize| builder.ground().false_in(components.vertices[vertex]);
    (0..nodes.len()).filter_map(|vertex| Some((variable(vertex)?, values(vertex)))).collect()
}
