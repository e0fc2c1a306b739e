//! Samples of constraints that count the values of integers.

use crate::formula::Sample;
use crate::samples::{interval, over};
use gordian_encodings::constraint::{Count, Permutation};
use gordian_encodings::{Domain, Value};

/// Returns lists of domains for constraints on the values of integers.
fn shapes() -> Vec<Vec<Domain>> {
    vec![
        vec![],
        vec![interval(2, 2)],
        vec![interval(1, 3)],
        vec![interval(1, 2), interval(1, 2)],
        vec![interval(1, 3), interval(2, 4), interval(1, 2)],
        vec![interval(2, 2), interval(1, 3), Domain::from_values([-1, 2, 5])],
        vec![interval(1, 3); 3],
        vec![interval(0, 2); 4],
        // In a permutation of 1 to 4, the first two integers have the values 1 and 2, so the others do not. This
        // follows only from both values together, so clauses about a single value do not imply it.
        vec![interval(1, 2), interval(1, 2), interval(1, 4), interval(1, 4)],
        // Three integers have the domain 1 to 2, and two integers have the domain 3 to 5. The conflict involves
        // several values, so clauses about a single value do not detect it.
        [vec![interval(1, 2); 3], vec![interval(3, 5); 2]].concat(),
    ]
}

pub(crate) fn count() -> Vec<Sample<Count>> {
    let mut samples = Vec::new();
    for domains in shapes() {
        for (min, max) in [(0, 0), (0, 1), (1, 1), (1, 2), (2, usize::MAX), (2, 1), (3, 3), (0, 9)] {
            samples.push(over(0, &domains, |_, ints| Count::between(ints, 2, min, max)));
        }
        let with_times = |times: Domain| domains.iter().cloned().chain([times]).collect::<Vec<_>>();
        for times in [interval(0, 2), interval(-1, 4), Domain::from_values([1, 3])] {
            samples.push(over(0, &with_times(times), |_, mut ints| {
                let times = ints.pop().expect("the one for the times");
                Count::counted(ints, 2, times)
            }));
        }
    }
    // The samples contain an integer that occurs twice, an integer that counts itself, and a value outside all
    // domains.
    samples.push(not_plain(over(0, &[interval(1, 2), interval(2, 3)], |_, ints| {
        Count::between([ints[0], ints[1], ints[0]], 2, 2, 2)
    })));
    samples.push(not_plain(over(0, &[interval(0, 2), interval(0, 2)], |_, ints| {
        Count::counted([ints[0], ints[1]], 1, ints[1])
    })));
    samples.push(not_plain(over(0, &[interval(0, 2), interval(0, 2)], |_, ints| Count::exactly(ints, 7, 0))));
    samples
}

pub(crate) fn permutations() -> Vec<Sample<Permutation>> {
    let values: [&[Value]; 10] = [
        &[],
        &[2],
        &[1, 2],
        &[2, 2],
        &[1, 2, 3],
        &[3, 1, 3],
        &[2, 5, 1],
        &[0, 1, 1, 2],
        &[1, 2, 3, 4],
        &[5, 4, 3, 2, 1],
    ];
    let mut samples = Vec::new();
    for domains in shapes() {
        for values in values.iter().filter(|values| values.len().abs_diff(domains.len()) <= 1) {
            samples.push(over(0, &domains, |_, ints| Permutation::new(ints, *values)));
        }
    }
    samples.push(not_plain(over(0, &[interval(1, 2), interval(1, 2)], |_, ints| {
        Permutation::new([ints[0], ints[1], ints[0]], [1, 2, 1])
    })));
    samples
}

/// Excludes a sample from the tests of sizes and strengths.
fn not_plain<M>(sample: Sample<M>) -> Sample<M> {
    Sample { plain: false, ..sample }
}
