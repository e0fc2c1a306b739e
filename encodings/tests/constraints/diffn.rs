//! Tests which encodings `auto` selects for boxes that must not overlap, and which constraints they post.

use gordian_encodings::constraint::Diffn;
use gordian_encodings::encoding::diffn::CUMULATIVE;
use gordian_encodings::{Cnf, Encodings, Expr, Model, Value};

/// Encodes boxes of size 1 for a solver with propagators. The origins of the boxes are in `0..=last`, one
/// bound for each dimension. Returns the types of the encoded constraints with their encodings and numbers.
fn used(count: usize, last: &[Value], encodings: &Encodings) -> Vec<(&'static str, &'static str, u64)> {
    let mut model = Model::new();
    let mut side = |&last: &Value| -> [Expr; 2] { [model.integer(0..=last).into(), 1.into()] };
    let boxes = (0..count).map(|_| last.iter().map(&mut side).collect()).collect();
    model.post(Diffn { boxes, strict: false, apart: true });
    model.encode(&encodings.clone().propagating(), &mut Cnf::default()).encodings().to_vec()
}

/// Returns how many constraints of a type are encoded.
fn number(used: &[(&str, &str, u64)], name: &str) -> u64 {
    used.iter().filter(|row| row.0 == name).map(|row| row.2).sum()
}

#[test]
fn auto_adds_cumulative_constraints_to_boxes_that_fill_10_percent_of_the_space() {
    for (count, encoding, cumulative) in [(9, "pairwise", 0), (10, "cumulative", 2)] {
        let used = used(count, &[9, 9], &Encodings::auto());
        assert!(used.contains(&("diffn", encoding, 1)), "{count} boxes: {used:?}");
        assert_eq!(number(&used, "cumulative"), cumulative, "{count} boxes");
        assert_eq!(number(&used, "disjunction"), (count * (count - 1) / 2) as u64, "{count} boxes");
    }
}

#[test]
fn boxes_in_three_dimensions_have_cumulative_constraints_unless_they_always_fit() {
    // A cross-section of the space has room for four boxes.
    for (count, cumulative) in [(4, 0), (5, 3)] {
        let used = used(count, &[1, 1, 1], &Encodings::auto().with(&CUMULATIVE));
        assert_eq!(number(&used, "cumulative"), cumulative, "{count} boxes: {used:?}");
    }
}

#[test]
fn boxes_that_can_be_apart_in_one_dimension_become_tasks() {
    // The tasks leave no time free. For two tasks, the propagator would derive nothing that the clauses do not.
    for (count, encoding) in [(2, "precedence"), (3, "propagator"), (4, "propagator")] {
        let used = used(count, &[count as Value - 1, 0], &Encodings::auto());
        assert!(used.contains(&("disjunctive", encoding, 1)), "{count} boxes: {used:?}");
        assert_eq!(number(&used, "disjunction"), 0, "{count} boxes");
    }
}
