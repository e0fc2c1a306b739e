//! Tests that unit propagation has exactly the declared strength.

use crate::formula::Formula;
use crate::propagate::Propagator;
use crate::samples::cases;
use gordian_encodings::Strength;
use std::collections::BTreeMap;

/// The maximum number of partial assignments to try.
const MOST_PARTIAL: usize = 20_000;

/// Returns every combination of nonempty value sets for the variables, or `None` if there are too many.
pub(crate) fn partial_assignments(formula: &Formula) -> Option<Vec<Vec<u32>>> {
    let mut all: Vec<Vec<u32>> = vec![Vec::new()];
    for variable in &formula.variables {
        let masks = (1_u32 << variable.values.len()) - 1;
        if all.len().saturating_mul(masks as usize) > MOST_PARTIAL {
            return None;
        }
        all = all
            .iter()
            .flat_map(|partial| (1..=masks).map(move |mask| partial.iter().copied().chain([mask]).collect()))
            .collect();
    }
    Some(all)
}

fn is_interval(mask: u32) -> bool {
    let shifted = mask >> mask.trailing_zeros();
    shifted & (shifted + 1) == 0
}

/// Restricts the variables to the values in `masks`. Returns the values that remain after unit propagation, or `None`
/// after a conflict.
pub(crate) fn propagated(
    formula: &Formula,
    propagator: &mut Propagator<'_>,
    masks: &[u32],
) -> Option<Vec<u32>> {
    propagator.under(&formula.without(masks), |propagator| {
        let left = |mask: &u32, variable: &crate::formula::Variable| {
            (0..variable.values.len())
                .filter(|index| {
                    mask >> index & 1 == 1 && propagator.value(variable.equal[*index]) != Some(false)
                })
                .fold(0, |left, index| left | 1 << index)
        };
        masks.iter().zip(&formula.variables).map(|(mask, variable)| left(mask, variable)).collect()
    })
}

/// Restricts each variable to the interval from the lowest to the highest value of its mask. Returns the bounds after
/// unit propagation, or `None` after a conflict.
pub(crate) fn bounded(
    formula: &Formula,
    propagator: &mut Propagator<'_>,
    masks: &[u32],
) -> Option<Vec<(usize, usize)>> {
    propagator.under(&formula.between(masks), |propagator| {
        let bounds = |variable: &crate::formula::Variable| {
            let values = variable.values.len();
            let least = (0..values).find(|&i| propagator.value(variable.at_most[i]) != Some(false));
            let greatest = (0..values)
                .rev()
                .find(|&i| i == 0 || propagator.value(variable.at_most[i - 1]) != Some(true));
            (least.expect("the last holds"), greatest.expect("the first is one"))
        };
        formula.variables.iter().map(bounds).collect()
    })
}

/// Returns the strengths of a formula, measured on all partial assignments.
fn measured(formula: &Formula) -> Option<Vec<Strength>> {
    let all = partial_assignments(formula)?;
    let (mut domain, mut bounds, mut conflict, mut checking) = (true, true, true, true);
    let mut propagator = Propagator::new(&formula.cnf, None);
    for masks in &all {
        let supported = formula.supported(masks);
        let possible = formula.has_solution(masks);
        let left = propagated(formula, &mut propagator, masks);
        conflict &= left.is_some() == possible;
        domain &= if possible { left.as_ref() == Some(&supported) } else { left.is_none() };
        if masks.iter().all(|mask| mask.is_power_of_two()) {
            checking &= left.is_some() == possible;
        }
        if masks.iter().all(|&mask| is_interval(mask)) {
            let hull: Vec<(usize, usize)> = supported
                .iter()
                .map(|mask| {
                    (mask.trailing_zeros() as usize, 31_usize.wrapping_sub(mask.leading_zeros() as usize))
                })
                .collect();
            let bounded = bounded(formula, &mut propagator, masks);
            bounds &= if possible { bounded == Some(hull) } else { bounded.is_none() };
        }
    }
    let strengths = [
        (Strength::DomainConsistent, domain),
        (Strength::BoundsConsistent, bounds),
        (Strength::ConsistencyChecker, conflict),
        (Strength::TotalAssignments, checking),
        (Strength::Search, true),
    ];
    Some(strengths.into_iter().filter(|&(_, has)| has).map(|(strength, _)| strength).collect())
}

#[test]
fn unit_propagation_has_the_declared_strength() {
    // The declared strength of each encoding, and the strengths measured on all samples of the encoding.
    let mut common: BTreeMap<(&str, &str), (Strength, Vec<Strength>)> = BTreeMap::new();
    for case in cases().into_iter().filter(|case| case.plain && case.is_small()) {
        let formula = case.formula();
        let Some(measured) = measured(&formula) else { continue };
        let expected = case.reaches.unwrap_or(case.strength);
        assert!(
            measured.contains(&expected),
            "{}: declared {expected:?}, measured {measured:?}:\n{:?}",
            case.label(),
            formula.cnf.iter().skip(formula.first_own).collect::<Vec<_>>()
        );
        let entry =
            common.entry((case.name, case.encoding)).or_insert_with(|| (case.strength, measured.clone()));
        entry.1.retain(|strength| measured.contains(strength));
    }
    for ((meaning, encoding), (declared, common)) in common {
        let stronger: Vec<_> = common.iter().filter(|strength| strength.implies(declared)).collect();
        assert_eq!(stronger, [&declared], "{meaning}={encoding} is stronger than declared on every sample");
    }
}
