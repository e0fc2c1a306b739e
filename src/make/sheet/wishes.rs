//! Wishes: literals that a solution should fulfil, the most important first.

use gordian_counting::Random;
use gordian_encodings::Lit;

use crate::puzzle::sheet::partial::PartialModel;
use crate::rules::sheet::Assignment;

/// Returns wishes for components with random sizes and shapes, if each place has a literal. Their neighbours are wished to be
/// in no component.
pub(super) fn random_components(model: &mut PartialModel, random: &mut Random) -> Option<Vec<Lit>> {
    let (neighbours, inside) = model.components.take()?;
    let largest = 2 + random.index(inside.len().isqrt().max(2));
    let mut order: Vec<usize> = (0..inside.len()).collect();
    random.shuffle(&mut order);
    let mut is_free = vec![true; inside.len()];
    let mut wishes = Vec::with_capacity(order.len());
    for start in order {
        if !std::mem::replace(&mut is_free[start], false) {
            continue;
        }
        let size = 1 + random.index(largest);
        let mut component = vec![start];
        let mut border: Vec<usize> = neighbours[start].clone();
        while component.len() < size {
            border.retain(|&vertex| is_free[vertex]);
            if border.is_empty() {
                break;
            }
            let next = border.swap_remove(random.index(border.len()));
            is_free[next] = false;
            component.push(next);
            border.extend(&neighbours[next]);
        }
        // A single place remains where there is no room for more, and many of them make dull boards.
        let is_wished = component.len() > 1 || size == 1;
        wishes
            .extend(component.iter().map(|&vertex| if is_wished { inside[vertex] } else { !inside[vertex] }));
        for &vertex in component.iter().flat_map(|&vertex| &neighbours[vertex]) {
            if is_wished && std::mem::replace(&mut is_free[vertex], false) {
                wishes.push(!inside[vertex]);
            }
        }
    }
    Some(wishes)
}

/// Returns one random value for each variable as a wish, in random order.
pub(super) fn random_values(model: &mut PartialModel, random: &mut Random) -> Vec<Lit> {
    // The share of Boolean variables that are wished to be true, in tenths.
    let share = 2 + random.index(6);
    let mut order: Vec<usize> = (0..model.variables().len()).collect();
    random.shuffle(&mut order);
    let mut wishes = Vec::with_capacity(order.len());
    for variable in order {
        let values = &model.variables()[variable].values;
        let value = match values[..] {
            [] => continue,
            [0, 1] => i64::from(random.index(10) < share),
            // Great numbers often contradict the rules, for example as sizes of areas.
            [..] if values.len() > MANY => values[random.index(values.len()).min(random.index(MANY))],
            [..] => values[random.index(values.len())],
        };
        wishes.push(model.lit(variable, value));
    }
    wishes
}

/// Numbers with more values than this are wished to be small.
const MANY: usize = 9;

/// Returns the values of an assignment as wishes, in random order, except for some variables.
pub(super) fn old_values(
    model: &mut PartialModel,
    old: &Assignment,
    without: &[usize],
    random: &mut Random,
) -> Vec<Lit> {
    let mut order: Vec<usize> = (0..model.variables().len()).filter(|at| !without.contains(at)).collect();
    random.shuffle(&mut order);
    let mut wishes = Vec::with_capacity(order.len());
    for index in order {
        let variable = &model.variables()[index];
        let value = old[variable.family].get(&variable.place).copied();
        if let Some(value) = value.filter(|value| variable.values.binary_search(value).is_ok()) {
            wishes.push(model.lit(index, value));
        }
    }
    wishes
}
