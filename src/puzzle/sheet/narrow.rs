//! Values that a variable can have on a board, as far as they follow from clues: fixed variables, numbers that differ from
//! fixed ones, the sizes that an area of equal numbers can reach, and the places that a component with a root can reach.
//!
//! Without them, Fillomino would have a literal for each size up to the whole board in each cell, and for each pair of cells.

use std::collections::{BTreeSet, VecDeque};

use crate::rules::relation::{Components, Different, Relation, Sized};
use crate::rules::sheet::{Comparison, Formula, Ground, Required, Sum, Term};

/// Returns the values of each of [`Ground::variables`] that the rules do not rule out; `None` for all values of the sheet.
/// Unless `keeps_values` is true, numbers that must differ from fixed numbers are narrowed, too.
pub(super) fn values(ground: &Ground, keeps_values: bool) -> Vec<Option<Vec<i64>>> {
    let mut narrowed = vec![None; ground.variables.len()];
    let (mut sized, mut different) = (Vec::new(), Vec::new());
    for instance in &ground.instances {
        add(ground, instance.formula, &mut narrowed, &mut sized, &mut different);
    }
    if !keeps_values {
        narrow_different(ground, &different, &mut narrowed);
    }
    for sized in sized {
        let numbers: Option<Vec<usize>> = sized.numbers.iter().map(only_variable).collect();
        if let Some(numbers) = numbers {
            narrow_sizes(ground, sized, &numbers, &mut narrowed);
        }
    }
    narrowed
}

/// Returns the values of each of [`Ground::variables`] at roots of components that the rules require.
pub(super) fn roots(ground: &Ground) -> Vec<Option<Vec<i64>>> {
    let mut narrowed = vec![None; ground.variables.len()];
    for instance in ground.instances.iter().filter(|instance| !instance.formula.is_negated()) {
        if let Required::Relation(Relation::Components(components), _) =
            &ground.required[instance.formula.index()]
        {
            let is_root =
                |vertex: usize| components.roots.iter().any(|&(root, _)| root == vertex).then_some(true);
            fix(ground, components, is_root, &mut narrowed);
        }
    }
    narrowed
}

/// Collects what a formula fixes, and the relations that it requires.
fn add<'g>(
    ground: &'g Ground,
    formula: Formula,
    narrowed: &mut [Option<Vec<i64>>],
    sized: &mut Vec<&'g Sized<Sum>>,
    different: &mut Vec<&'g Different<Sum>>,
) {
    let required = &ground.required[formula.index()];
    if let Required::Variable(index) = *required {
        narrowed[index].get_or_insert(vec![i64::from(!formula.is_negated())]);
    }
    if formula.is_negated() {
        return;
    }
    match required {
        Required::All(all) => all.iter().for_each(|&part| add(ground, part, narrowed, sized, different)),
        Required::Relation(Relation::Sized(relation), _) => sized.push(relation),
        Required::Relation(Relation::Different(relation), _) => different.push(relation),
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

/// Removes fixed numbers from the values of the numbers that differ from them, which may fix further numbers. The last value
/// stays, because a variable of the model needs one.
fn narrow_different(ground: &Ground, different: &[&Different<Sum>], narrowed: &mut [Option<Vec<i64>>]) {
    let groups = different.iter().map(|relation| relation.numbers.iter().filter_map(only_variable).collect());
    let groups: Vec<Vec<usize>> = groups.collect();
    let mut groups_of: Vec<Vec<usize>> = vec![Vec::new(); narrowed.len()];
    for (number, group) in groups.iter().enumerate() {
        for &index in group {
            groups_of[index].push(number);
        }
    }
    let is_fixed = |&index: &usize| narrowed[index].as_deref().and_then(only).is_some();
    let mut fixed: Vec<usize> = (0..narrowed.len()).filter(is_fixed).collect();
    while let Some(index) = fixed.pop() {
        let Some(value) = narrowed[index].as_deref().and_then(only) else { continue };
        for &other in groups_of[index].iter().flat_map(|&number| &groups[number]) {
            let values = narrowed[other].get_or_insert_with(|| ground.variables[other].values.to_vec());
            if let (2.., Ok(at)) = (values.len(), values.binary_search(&value)) {
                values.remove(at);
                if values.len() == 1 {
                    fixed.push(other);
                }
            }
        }
    }
}

/// Fixes the variables of roots, and of vertices that no component can reach.
fn narrow_components(ground: &Ground, components: &Components<Formula>, narrowed: &mut [Option<Vec<i64>>]) {
    let reach = super::components::reach(&components.neighbours, &components.roots, true);
    let reached: BTreeSet<usize> = reach.into_iter().flatten().collect();
    let roots: BTreeSet<usize> = components.roots.iter().map(|&(root, _)| root).collect();
    let is_inside = |vertex: usize| match roots.contains(&vertex) {
        false if reached.contains(&vertex) => None,
        is_root => Some(is_root),
    };
    fix(ground, components, is_inside, narrowed);
}

/// Fixes the variables of vertices for which it is known whether they are in a component.
fn fix(
    ground: &Ground,
    components: &Components<Formula>,
    is_inside: impl Fn(usize) -> Option<bool>,
    narrowed: &mut [Option<Vec<i64>>],
) {
    for (vertex, &formula) in components.vertices.iter().enumerate() {
        let Required::Variable(index) = ground.required[formula.index()] else { continue };
        if let Some(is_inside) = is_inside(vertex) {
            narrowed[index].get_or_insert(vec![i64::from(is_inside != formula.is_negated())]);
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
fn components(neighbours: &[Vec<usize>], belongs: impl Fn(usize) -> bool) -> Vec<i64> {
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
    neighbours: &[Vec<usize>],
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
