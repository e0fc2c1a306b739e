//! Samples of constraints on lists whose values are indices of list elements.

use crate::formula::Sample;
use crate::samples::{interval, over};
use gordian_encodings::constraint::{Circuit, Inverse};
use gordian_encodings::{Domain, IntVar};

/// Excludes a sample from the tests that check the declared sizes and strengths of encodings.
fn not_plain<M>(sample: Sample<M>) -> Sample<M> {
    Sample { plain: false, ..sample }
}

pub(crate) fn circuits() -> Vec<Sample<Circuit>> {
    let odd = Domain::from_values([1, 3]);
    let shapes: [Vec<Domain>; 10] = [
        vec![],
        vec![interval(0, 0)],
        vec![interval(-1, 1)],
        vec![interval(0, 1); 2],
        vec![interval(0, 2); 3],
        vec![interval(-1, 3), interval(0, 2), Domain::from_values([0, 1, 7])],
        vec![interval(0, 3); 4],
        vec![interval(1, 2), interval(2, 3), interval(0, 4), interval(1, 2), interval(2, 3)],
        // The successors can form two separate circuits, or one circuit.
        vec![odd.clone(), interval(0, 2), odd, Domain::from_values([0, 2])],
        // The graph is bipartite with sides of different sizes, so there is no circuit. Unit propagation does not
        // detect the conflict.
        [vec![interval(2, 4); 2], vec![interval(0, 1); 3]].concat(),
    ];
    let mut samples = Vec::new();
    for domains in &shapes {
        for optional in [false, true] {
            let circuit =
                |holds| move |x: Vec<IntVar>| Circuit { optional, holds, ..Circuit::hamiltonian(x) };
            samples.push(over(0, domains, |_, x| circuit(true)(x)));
            samples.push(not_plain(over(0, domains, |_, x| circuit(false)(x))));
        }
    }
    for make in [Circuit::hamiltonian, Circuit::optional] {
        let mixed = |_, x: Vec<IntVar>| make([x[0] - 1, 3 - x[1], x[0] + 0, x[1] + 0]);
        samples.push(not_plain(over(0, &[interval(1, 4), interval(0, 3)], mixed)));
    }
    samples
}

pub(crate) fn inverses() -> Vec<Sample<Inverse>> {
    let shapes: [(Vec<Domain>, usize); 6] = [
        (vec![], 0),
        (vec![interval(0, 0), interval(-1, 1)], 1),
        (vec![interval(0, 1); 4], 2),
        (vec![interval(0, 1), interval(-1, 2), interval(1, 3), interval(0, 1)], 2),
        (vec![interval(0, 2), interval(0, 1), interval(0, 1)], 1),
        (vec![interval(0, 2); 6], 3),
    ];
    let mut samples = Vec::new();
    for (domains, n) in &shapes {
        for holds in [true, false] {
            let inverse = |_, x: Vec<IntVar>| Inverse {
                holds,
                ..Inverse::new(x[..*n].iter().copied(), x[*n..].iter().copied())
            };
            let sample = over(0, domains, inverse);
            samples.push(Sample { plain: holds, ..sample });
        }
    }
    // Two elements of the first list are the same integer, so there is no solution. Unit propagation does not detect
    // the conflict.
    let twice = over(0, &vec![interval(0, 1); 3], |_, x| Inverse::new([x[0], x[0]], [x[1], x[2]]));
    samples.push(Sample { trials: 0, ..twice });
    let own = |_, x: Vec<IntVar>| Inverse::new(x.clone(), x.iter().map(|&x| x + 0));
    samples.push(not_plain(over(0, &[interval(0, 2), interval(0, 2), interval(0, 2)], own)));
    samples
}
