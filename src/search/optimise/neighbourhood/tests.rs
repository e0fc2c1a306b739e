//! Tests the sizes, the members and the adaptation of neighbourhoods.

use gordian_encodings::constraint::Linear;
use gordian_encodings::{IntVar, Sense};

use super::*;

const LENGTH: usize = 40;

/// Returns the neighbourhoods of a chain of integers, each at most its successor, and a solution.
fn chain() -> (Neighbourhoods, Assignment) {
    let mut model = Model::new();
    let xs: Vec<IntVar> = (0..LENGTH).map(|_| model.integer(0..=99)).collect();
    for pair in xs.windows(2) {
        model.post(Linear::at_most([(1, pair[0].into()), (-1, pair[1].into())], 0));
    }
    model.set_decisions(xs.iter().map(|&x| x.into()));
    model.set_objective(Objective::new(Sense::Minimise, xs.iter().map(|&x| (1, x))));
    let values = (0..LENGTH as Value).map(|index| 2 * index).collect();
    (Neighbourhoods::of(&model).unwrap(), Assignment::new(Vec::new(), values))
}

/// Returns the indices of the variables whose values may change, as a range, if there is no other between them.
fn interval(free: &[bool]) -> Option<Range<usize>> {
    let first = free.iter().position(|&free| free)?;
    let last = free.iter().rposition(|&free| free)?;
    free[first..=last].iter().all(|&free| free).then_some(first..last + 1)
}

#[test]
fn neighbourhoods_have_the_size_of_their_kind() {
    let (mut neighbourhoods, assignment) = chain();
    let mut chosen = [false; KINDS.len()];
    for size in [5, 17, 36].into_iter().cycle().take(300) {
        for kind in &mut neighbourhoods.kinds {
            kind.size = size;
        }
        let (kind, free) = neighbourhoods.choose(&assignment);
        chosen[kind] = true;
        assert_eq!(free.iter().filter(|&&free| free).count(), size, "{:?}", KINDS[kind]);
        let is_interval = matches!(
            KINDS[kind],
            NeighbourhoodKind::Related | NeighbourhoodKind::Consecutive | NeighbourhoodKind::Similar
        );
        // A search that starts at one end of the chain does not jump, because all others can be reached.
        assert!(!is_interval || interval(&free).is_some(), "{:?} {free:?}", KINDS[kind]);
    }
    assert_eq!(chosen, [true; KINDS.len()]);
}

#[test]
fn sizes_and_weights_adapt_within_their_limits() {
    let (mut neighbourhoods, _) = chain();
    for _ in 0..100 {
        neighbourhoods.adapt(0, NeighbourhoodResult { improved: false, complete: true });
        neighbourhoods.adapt(1, NeighbourhoodResult { improved: false, complete: false });
        neighbourhoods.adapt(2, NeighbourhoodResult { improved: true, complete: false });
    }
    let close = |a: f64, b: f64| (a - b).abs() < 1e-6;
    let [small, large, improved, ..] = neighbourhoods.kinds;
    assert_eq!((small.size, large.size, improved.size), (LENGTH * 9 / 10, FEWEST, FEWEST));
    assert!(close(small.weight, LEAST_WEIGHT) && close(large.weight, LEAST_WEIGHT));
    assert!(close(improved.weight, 1.0));
}

#[test]
fn literals_of_integers_are_no_decision_variables_of_their_own() {
    let mut model = Model::new();
    let (x, b) = (model.integer(0..=9), model.boolean());
    let small = model.at_most(x, 4);
    model.set_decisions([small.into(), x.into(), b.into(), x.into()]);
    let neighbourhoods = Neighbourhoods::new(&model, &Objective::new(Sense::Minimise, [(1, x)]));
    assert_eq!(neighbourhoods.decisions, [Term::Lit(b), Term::Int(x)]);
    model.minimise(x);
    assert!(Neighbourhoods::of(&model).is_none(), "too few for neighbourhoods");
}
