//! Propagation of `diffn`: bounds on the origins and sizes of boxes that must not overlap.

use gordian_encodings::Value;
use gordian_encodings::constraint::Comparison;

use super::extended::is_finite;
use super::{Status, Store};
use crate::constraint::{Ref, Sum};

/// Requires a comparison of two boxes if all other comparisons of these boxes are false.
pub(super) fn enforce(boxes: &[Vec<[Ref; 2]>], strict: bool, store: &mut Store) -> Status {
    if boxes.len() < 2 {
        return Status::True;
    }
    store.enumerated += boxes.len() * boxes.len() / 2;
    // For each box and each dimension: the greatest possible origin and the least possible end.
    let bounds = |&[origin, size]: &[Ref; 2]| {
        let (earliest, latest) = store.range(origin);
        let least = store.range(size).0;
        let is_known = is_finite(earliest) && is_finite(least);
        (latest, if is_known { earliest.saturating_add(least) } else { Value::MIN })
    };
    let bounds: Vec<Vec<(Value, Value)>> =
        boxes.iter().map(|sides| sides.iter().map(bounds).collect()).collect();
    let may_be_empty = |&[_, size]: &[Ref; 2]| !strict && store.set(size).contains(0);
    let may_be_empty: Vec<bool> = boxes.iter().map(|sides| sides.iter().any(may_be_empty)).collect();
    for j in 0..boxes.len() {
        for i in (0..j).filter(|&i| !may_be_empty[i] && !may_be_empty[j]) {
            let sides = (0..boxes[i].len()).flat_map(|side| [(side, i, j), (side, j, i)]);
            let mut possible =
                sides.filter(|&(side, first, second)| bounds[first][side].1 <= bounds[second][side].0);
            match (possible.next(), possible.next()) {
                (None, _) => {
                    store.infeasible = true;
                    return Status::True;
                }
                (Some((side, first, second)), None) => {
                    let ([start, size], next) = (boxes[first][side], boxes[second][side][0]);
                    let terms = vec![(1, start), (1, size), (-1, next)];
                    let sum = Sum { terms, comparison: Comparison::AtMost, bound: 0 };
                    if let Some(sum) = sum.resolved(store) {
                        sum.enforce(store);
                    }
                }
                _ => {}
            }
        }
    }
    Status::Open
}

#[cfg(test)]
mod tests {
    use crate::builtins;
    use crate::constraint::Ref;
    use crate::instance::VarId;
    use crate::presolve::Presolved;
    use crate::text;

    /// Returns the bounds of the variables x, y and size after presolve, or `None` if there is no solution.
    fn bounds(diffn: &str) -> Option<[(i128, i128); 3]> {
        let model =
            format!("var 0..9: x;\nvar 3..9: y;\nvar -1..4: size;\nconstraint {diffn};\nsolve satisfy;\n");
        let instance = text::read(&model).expect("valid text");
        let constraints = builtins::constraints(&instance).expect("valid constraints");
        let Presolved { store, .. } = Presolved::new(&instance, constraints);
        (!store.is_infeasible()).then(|| [0, 1, 2].map(|index| store.range(Ref::Var(VarId(index)))))
    }

    #[test]
    fn the_only_possible_comparison_holds() {
        // The heights overlap, and there is not enough room for the first box behind the second one.
        let diffn = "gordian_diffn(2, [x, 0, y, 1], [4, 3, 7, 2])";
        assert_eq!(bounds(diffn), Some([(0, 5), (4, 9), (-1, 4)]));
        // The first box can be behind the second one.
        let diffn = "gordian_diffn(2, [x, 0, y, 1], [4, 3, 6, 2])";
        assert_eq!(bounds(diffn), Some([(0, 9), (3, 9), (-1, 4)]));
        // The heights do not overlap.
        let diffn = "gordian_diffn(2, [x, 0, y, 3], [4, 3, 7, 2])";
        assert_eq!(bounds(diffn), Some([(0, 9), (3, 9), (-1, 4)]));
    }

    #[test]
    fn sizes_are_bounded() {
        assert_eq!(bounds("gordian_diffn(1, [1, 0], [size, 4])"), Some([(0, 9), (3, 9), (-1, -1)]));
        assert_eq!(bounds("gordian_diffn(1, [2, 0], [size, 4])"), None);
        // A box of size 0 is ignored.
        assert_eq!(bounds("gordian_diffn_nonstrict(1, [2, 0], [size, 4])"), Some([(0, 9), (3, 9), (-1, 4)]));
        assert_eq!(bounds("gordian_diffn_nonstrict(1, [2, 0], [3, 4])"), None);
    }
}
