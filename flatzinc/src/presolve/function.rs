//! Propagation of functions of one variable, value by value.

use gordian_encodings::{Domain, Value};

use super::{Set, Store};
use crate::constraint::Ref;

/// The maximum domain size of an argument whose values are enumerated.
const LISTED: u128 = 1_000;

/// Propagates `y = f(x)`: removes each value of x whose image is not a value of y, and each value of y that is not an
/// image. The function f returns `None` for a value that x can't have. Domains of x with more than 1,000 values are
/// left unchanged.
pub(super) fn function(x: Ref, y: Ref, f: impl Fn(Value) -> Option<Value>, store: &mut Store) {
    let (arguments, results) = (store.set(x), store.set(y));
    if arguments.size() > LISTED || arguments.size() == 1 {
        return;
    }
    let images = arguments.values().filter_map(|value| Some((value, f(value)?)));
    let (kept, images): (Vec<Value>, Vec<Value>) = images.filter(|&(_, y)| results.contains(y)).unzip();
    let set = |values: Vec<Value>| Set::from(&Domain::from_values(values));
    store.intersect(x, &set(kept));
    store.intersect(y, &set(images));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::VarId;

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
    }
}
