//! Propagation of functions of one variable, value by value.

use gordian_encodings::{Domain, Value};

use super::{LISTED, Set, Store};
use crate::constraint::Ref;

/// Propagates `y = f(x)`: removes each value of x whose image is not a value of y, and each value of y that is not the
/// image of a value of x. The function f returns `None` for a value that x can't have. Domains of x with more than
/// 1,000 values are left unchanged.
pub(super) fn function(x: Ref, y: Ref, f: impl Fn(Value) -> Option<Value>, store: &mut Store) {
    let (arguments, results) = (store.set(x), store.set(y));
    let Some(size) = usize::try_from(arguments.size()).ok().filter(|&size| size <= LISTED) else { return };
    store.enumerated += size;
    let images = arguments.values().filter_map(|value| Some((value, f(value)?)));
    let (kept, images): (Vec<Value>, Vec<Value>) = images.filter(|&(_, y)| results.contains(y)).unzip();
    let set = |values: Vec<Value>| Set::from(&Domain::from_values(values));
    store.intersect(x, &set(kept));
    store.intersect(y, &set(images));
}

#[cfg(test)]
mod tests {
    use gordian_encodings::constraint::Comparison;

    use super::super::Presolved;
    use super::*;
    use crate::constraint::{Constraint, Relation, When};
    use crate::instance::Origin;
    use crate::instance::{Place, VarId};

    #[test]
    fn values_without_a_counterpart_are_removed() {
        let [x, y] = [0, 1].map(|index| Ref::Var(VarId(index)));
        let values = |values: &[Value]| Set::from(&Domain::from_values(values.iter().copied()));
        let mut store = Store::new(vec![values(&[-3, -1, 0, 4, 9]), Set::interval(1, 5)]);
        function(x, y, Value::checked_abs, &mut store);
        assert_eq!(store.set(x), values(&[-3, -1, 4]));
        assert_eq!(store.set(y), values(&[1, 3, 4]));
        function(x, y, |_| None, &mut store);
        assert!(store.is_infeasible());
        let mut store = Store::new(vec![Set::interval(0, 5_000), Set::interval(3, 3)]);
        function(x, y, Some, &mut store);
        assert_eq!(store.set(x), Set::interval(0, 5_000), "the domain is too large");
        function(Ref::Const(17), y, |x| x.checked_rem(7), &mut store);
        assert!(!store.is_infeasible());
        function(Ref::Const(17), y, |x| x.checked_rem(5), &mut store);
        assert!(store.is_infeasible(), "the remainder is 2");
    }

    #[test]
    fn enumerated_values_count_as_work() {
        let domain = Set::from(&Domain::from_intervals([(0, 498), (500, 999)]));
        let variables = 40;
        // Every propagation of x = y + 1 and y = x + 1 removes only a few values.
        let constraint = |x: u32| Constraint {
            relation: Relation::compare(Ref::Var(VarId(x)), Comparison::Equal, Ref::Var(VarId(x ^ 1)), 1),
            when: When::Always,
            domain_consistent: false,
            origin: Origin { name: "successor".into(), place: Place::default() },
        };
        let constraints = (0..variables).map(constraint).collect();
        let store = Store::new(vec![domain; variables as usize]);
        assert!(!Presolved { constraints, store }.propagate(), "the limit is reached");
    }
}
