//! Values that a variable can have on a board, as far as they follow from clues: fixed numbers, the sizes that an area of
//! equal numbers can reach, and the places that a component with a root can reach.
//!
//! Without them, Fillomino would have a literal for each size up to the whole board in each cell, and for each pair of cells.

use std::collections::{BTreeSet, VecDeque};

use crate::rules::relation::{Components, Neighbours, Relation, Sized};
use crate::rules::sheet::{Comparison, Formula, Ground, Required, Sum, Term};

/// Returns the values of each of [`Ground::variables`] that the rules do not rule out; `None` for all values of the sheet.
pub(super) fn values(ground: &Ground) -> Vec<Option<Vec<i64>>> {
    let mut narrowed = vec![None; ground.variables.len()];
    let mut sized = Vec::new();
    for instance in &ground.instances {
        add(ground, instance.formula, &mut narrowed, &mut sized);
    }
    for sized in sized {
        let numbers: Option<Vec<usize>> = sized.numbers.iter().map(only_variable).collect();
        if let Some(numbers) = numbers {
            narrow_sizes(ground, sized, &numbers, &mut narrowed);
        }
    }
    narrowed
}

/// Collects the numbers that a formula fixes, and the relations that it requires.
fn add<'g>(
    ground: &'g Ground,
    formula: Formula,
    narrowed: &mut [Option<Vec<i64>>],
    sized: &mut Vec<&'g Sized<Sum>>,
) {
    if formula.is_negated() {
        return;
    }
    match &ground.required[formula.index()] {
        Required::All(all) => all.iter().for_each(|&part| add(ground, part, narrowed, sized)),
        Required::Relation(Relation::Sized(relation), _) => sized.push(relation),
        Required::Relation(Relation::Components(components), _) => {
            narrow_components(ground, components, narrowed);
        }
        Required::Compare(Sum { terms, constant }, Comparison::Zero) => {
            if let [(coefficient @ (1 | -1), Term::Variable(index))] = terms[..] {
                let value = -constant * coefficient;
                // Without values, the model would not be a contradiction but an error.
                if ground.variables[index].values.binary_search(&value).is_ok() && narrowed[index].is_none() {
                    narrowed[index] = Some(vec![value]);
                }
            }
        }
        _ => {}
    }
}

/// Fixes the variables of roots, and of vertices that no component can reach.
fn narrow_components(ground: &Ground, components: &Components<Formula>, narrowed: &mut [Option<Vec<i64>>]) {
    let reach = super::components::reach(&components.neighbours, &components.roots);
    let reached: BTreeSet<usize> = reach.into_iter().flatten().collect();
    let roots: BTreeSet<usize> = components.roots.iter().map(|&(root, _)| root).collect();
    for (vertex, &formula) in components.vertices.iter().enumerate() {
        let Required::Variable(index) = ground.required[formula.index()] else { continue };
        let is_root = roots.contains(&vertex);
        if is_root || !reached.contains(&vertex) {
            narrowed[index].get_or_insert(vec![i64::from(is_root != formula.is_negated())]);
        }
    }
}

fn only_variable(sum: &Sum) -> Option<usize> {
    match (&sum.terms[..], sum.constant) {
        ([(1, Term::Variable(index))], 0) => Some(*index),
        _ => None,
    }
}

/// Returns the value if there is only one.
fn only(values: &[i64]) -> Option<i64> {
    if let [value] = values[..] { Some(value) } else { None }
}

/// Narrows the numbers of cells by the sizes that their areas can have. An area consists of cells without a fixed number and
/// of cells with its number; if it has one of these, they are near. An area without a fixed number has only cells that the
/// other areas leave.
fn narrow_sizes(ground: &Ground, sized: &Sized<Sum>, numbers: &[usize], narrowed: &mut [Option<Vec<i64>>]) {
    let fixed: Vec<Option<i64>> = numbers.iter().map(|&index| only(narrowed[index].as_ref()?)).collect();
    let open = components(&sized.neighbours, |vertex| fixed[vertex].is_none());
    let mut reached: Vec<BTreeSet<i64>> = vec![BTreeSet::new(); numbers.len()];
    let mut left = i64::try_from(numbers.len()).unwrap_or(i64::MAX);
    for value in fixed.iter().copied().flatten().collect::<BTreeSet<i64>>() {
        let belongs = |vertex: usize| fixed[vertex].is_none_or(|other| other == value);
        let sizes = components(&sized.neighbours, belongs);
        let starts =
            (0..numbers.len()).filter(|&vertex| fixed[vertex] == Some(value) && sizes[vertex] >= value);
        for vertex in near(&sized.neighbours, starts, value - 1, belongs) {
            reached[vertex].insert(value);
        }
        // Fixed numbers that are too far from each other belong to different areas.
        let mut beside: BTreeSet<usize> = BTreeSet::new();
        for vertex in (0..numbers.len()).filter(|&vertex| fixed[vertex] == Some(value)) {
            if !beside.contains(&vertex) {
                beside.extend(near(&sized.neighbours, [vertex], value - 1, belongs));
                left = left.saturating_sub(value);
            }
        }
    }
    for (vertex, &index) in numbers.iter().enumerate().filter(|&(vertex, _)| fixed[vertex].is_none()) {
        let is_possible = |value: &i64| *value <= open[vertex].min(left) || reached[vertex].contains(value);
        let values: Vec<i64> = ground.variables[index].values.iter().copied().filter(is_possible).collect();
        if !values.is_empty() {
            narrowed[index] = Some(values);
        }
    }
}

/// Returns the number of vertices in the component of each vertex that belongs, 0 for the others.
fn components(neighbours: &Neighbours, belongs: impl Fn(usize) -> bool) -> Vec<i64> {
    let mut sizes = vec![0; neighbours.len()];
    for start in 0..neighbours.len() {
        if sizes[start] == 0 && belongs(start) {
            let component = near(neighbours, [start], i64::MAX, &belongs);
            for &vertex in &component {
                sizes[vertex] = i64::try_from(component.len()).unwrap_or(i64::MAX);
            }
        }
    }
    sizes
}

/// Returns the vertices within a number of steps from some vertices, over vertices that belong.
fn near(
    neighbours: &Neighbours,
    starts: impl IntoIterator<Item = usize>,
    most: i64,
    belongs: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let mut open: VecDeque<(usize, i64)> = starts.into_iter().map(|start| (start, 0)).collect();
    let mut found: BTreeSet<usize> = open.iter().map(|&(vertex, _)| vertex).collect();
    while let Some((vertex, steps)) = open.pop_front() {
        for &next in neighbours[vertex].iter().filter(|&&next| steps < most && belongs(next)) {
            if found.insert(next) {
                open.push_back((next, steps + 1));
            }
        }
    }
    found.into_iter().collect()
}
