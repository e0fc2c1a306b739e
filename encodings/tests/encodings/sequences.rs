//! Samples of constraints on sequences of values and on scheduled tasks.

use crate::formula::Sample;
use crate::samples::{interval, over};
use gordian_encodings::constraint::{Automaton, Cumulative, Diffn, Disjunctive, Task, ValuePrecedence};
use gordian_encodings::{Domain, Expr, IntVar, Value};

/// Excludes a sample from the tests of sizes and strengths.
fn not_plain<M>(sample: Sample<M>) -> Sample<M> {
    Sample { plain: false, ..sample }
}

/// The transitions of an automaton, and its accepting states.
type Machine = (&'static [(usize, Value, usize)], &'static [usize]);

pub(crate) fn automata() -> Vec<Sample<Automaton>> {
    // The first automaton accepts sequences without two consecutive ones, and the second accepts the binary
    // representations of multiples of 3. The third automaton is nondeterministic: it accepts sequences of zeros and
    // ones that end with 1, followed by 0 or 2. The last automaton accepts no sequence.
    let machines: [Machine; 5] = [
        (&[(0, 0, 0), (0, 1, 1), (1, 0, 0)], &[0, 1]),
        (&[(0, 0, 0), (0, 1, 1), (1, 0, 2), (1, 1, 0), (2, 0, 1), (2, 1, 2)], &[0]),
        (&[(0, 0, 0), (0, 1, 0), (0, 1, 1), (1, 0, 2), (1, 2, 2)], &[2]),
        (&[(0, 2, 0), (0, 2, 1), (1, 2, 0), (1, 5, 1), (0, 9, 7), (1, 0, 3)], &[1, 7, 9]),
        (&[(0, 1, 1)], &[]),
    ];
    let shapes: [Vec<Domain>; 6] = [
        vec![],
        vec![interval(0, 1)],
        vec![interval(0, 1); 3],
        vec![interval(0, 2); 3],
        vec![interval(1, 2), interval(-1, 1), Domain::from_values([0, 2, 5])],
        vec![interval(0, 1); 5],
    ];
    let mut samples = Vec::new();
    for (transitions, accepting) in machines {
        for domains in &shapes {
            samples.push(over(0, domains, |_, x| Automaton::new(x, 0, transitions, accepting)));
            samples.push(not_plain(over(0, domains, |_, x| Automaton {
                accepts: false,
                ..Automaton::new(x, 0, transitions, accepting)
            })));
        }
        let twice =
            |_, x: Vec<IntVar>| Automaton::new([x[0] + 0, 2 - x[1], x[0] + 0], 0, transitions, accepting);
        samples.push(not_plain(over(0, &[interval(0, 2), interval(0, 2)], twice)));
    }
    samples
}

pub(crate) fn value_precedences() -> Vec<Sample<ValuePrecedence>> {
    let shapes: [(Vec<Domain>, &[Value]); 14] = [
        (vec![], &[1, 2]),
        (vec![interval(0, 2)], &[]),
        (vec![interval(0, 2); 2], &[1]),
        (vec![interval(0, 2)], &[1, 2]),
        (vec![interval(1, 2); 3], &[1, 2]),
        (vec![interval(1, 2); 3], &[2, 1]),
        (vec![interval(1, 3); 3], &[1, 2, 3]),
        (vec![interval(0, 3); 3], &[1, 2, 3]),
        (vec![interval(0, 3); 3], &[2, 0, 3]),
        (vec![interval(0, 2); 4], &[2, 1]),
        // The value 5 cannot occur, so 2 cannot occur either.
        (vec![interval(0, 2); 3], &[1, 5, 2]),
        // In this chain, 1 must occur before 0, and 0 before 1.
        (vec![interval(0, 3), interval(1, 2), interval(0, 2)], &[2, 1, 0, 1]),
        (vec![interval(-1, 1), Domain::from_values([0, 2, 5]), interval(1, 2)], &[0, 1, 2, 5]),
        (vec![interval(1, 4), interval(1, 2), interval(2, 4), interval(1, 4)], &[1, 2, 3, 4]),
    ];
    let mut samples = Vec::new();
    for (domains, values) in shapes {
        for holds in [true, false] {
            let precedence = |_, x: Vec<IntVar>| ValuePrecedence { holds, ..ValuePrecedence::new(x, values) };
            let sample = over(0, &domains, precedence);
            samples.push(Sample { plain: holds, ..sample });
        }
        if let [first, second, ..] = &domains[..] {
            let twice = |_, x: Vec<IntVar>| ValuePrecedence::new([x[0] + 0, x[1] + 0, x[0] + 1], values);
            samples.push(not_plain(over(0, &[first.clone(), second.clone()], twice)));
        }
    }
    samples
}

/// The domains of the start variables of tasks, and the duration and demand of each task.
type Tasks = (Vec<Domain>, &'static [(Value, Value)]);

pub(crate) fn cumulatives() -> Vec<Sample<Cumulative>> {
    let mut samples = Vec::new();
    let shapes: Vec<Tasks> = vec![
        (vec![], &[]),
        (vec![interval(0, 2)], &[(2, 2)]),
        (vec![interval(0, 1); 2], &[(2, 1), (2, 1)]),
        (vec![interval(0, 3); 2], &[(1, 2), (3, 1)]),
        (vec![interval(0, 3), interval(2, 4), interval(1, 2)], &[(2, 1), (1, 2), (3, 1)]),
        // For a capacity of 1, three tasks of duration 2 do not fit into 5 time steps. Unit propagation does not
        // detect the conflict.
        (vec![interval(0, 3); 3], &[(2, 1), (2, 1), (2, 1)]),
        (vec![interval(-1, 2), Domain::from_values([-3, 0, 5]), interval(0, 2)], &[(3, 1), (4, 3), (2, 2)]),
        (vec![interval(0, 2), interval(0, 2), interval(0, 2)], &[(0, 3), (2, 0), (2, 2)]),
    ];
    for (domains, tasks) in &shapes {
        for capacity in [-1, 0, 1, 2, 3] {
            let make = |within| {
                move |x: Vec<IntVar>| {
                    let tasks = x.iter().zip(*tasks).map(|(&x, &(length, need))| Task::new(x, length, need));
                    Cumulative { within, ..Cumulative::new(tasks, capacity) }
                }
            };
            samples.push(over(0, domains, |_, x| make(true)(x)));
            samples.push(not_plain(over(0, domains, |_, x| make(false)(x))));
        }
    }
    // The following tasks have variable durations, demands and capacities.
    let domains =
        [interval(0, 2), interval(-1, 2), interval(0, 2), interval(-1, 2), interval(0, 3), interval(-1, 2)];
    for within in [true, false] {
        samples.push(over(0, &domains, |_, x| Cumulative {
            within,
            ..Cumulative::new([Task::new(x[0], x[1], x[3]), Task::new(x[2], 2, 1)], x[5])
        }));
        samples.push(over(0, &domains[..4], |_, x| Cumulative {
            within,
            ..Cumulative::new([Task::new(x[0], x[1], 1), Task::new(x[2], 2, x[3])], 2)
        }));
        samples.push(not_plain(over(1, &domains[..3], |l, x| Cumulative {
            within,
            ..Cumulative::new(
                [Task::new(x[0], x[1], 2), Task::new(x[0] + 1, 3, l[0]), Task::new(3 - x[2], x[2], 1)],
                Expr::from(l[0]) + 1,
            )
        })));
    }
    for sample in &mut samples {
        let variable = |task: &Task| !task.duration.terms().is_empty() || !task.demand.terms().is_empty();
        sample.plain &= sample.constraint.within && !sample.constraint.tasks.iter().any(variable);
    }
    samples
}

pub(crate) fn disjunctives() -> Vec<Sample<Disjunctive>> {
    let mut samples = Vec::new();
    // Each shape lists the domains of the start times and the constant durations of the tasks.
    let shapes: [(Vec<Domain>, &[Value]); 8] = [
        (vec![], &[]),
        (vec![interval(0, 2)], &[2]),
        (vec![interval(0, 1); 2], &[1, 1]),
        (vec![interval(0, 3); 2], &[2, 1]),
        (vec![interval(0, 2); 3], &[1, 1, 1]),
        // Three tasks of duration 2 do not fit into 5 time steps. Unit propagation does not detect the conflict.
        (vec![interval(0, 3); 3], &[2, 2, 2]),
        (vec![interval(-1, 2), Domain::from_values([-3, 0, 5])], &[3, 4]),
        // A task of duration 0.
        (vec![interval(0, 2); 2], &[0, 2]),
    ];
    for (domains, durations) in &shapes {
        for (strict, apart) in [(false, true), (true, true), (false, false), (true, false)] {
            let make = move |_, x: Vec<IntVar>| {
                let tasks = x.iter().zip(*durations).map(|(&x, &duration)| (x, duration));
                Disjunctive { strict, apart, ..Disjunctive::new(tasks) }
            };
            let sample = over(0, domains, make);
            let is_positive = durations.iter().all(|&duration| duration > 0);
            samples.push(Sample { plain: apart && is_positive, ..sample });
        }
    }
    // The following tasks have variable durations, literals for their order, or a common variable.
    let domains = [interval(0, 2), interval(-1, 2), interval(0, 2), interval(0, 1)];
    for (strict, apart) in [(false, true), (true, true), (false, false), (true, false)] {
        samples.push(not_plain(over(0, &domains, |_, x| Disjunctive {
            strict,
            apart,
            ..Disjunctive::new([(x[0], x[1]), (x[2], x[3])])
        })));
        samples.push(not_plain(over(2, &domains[..3], |l, x| Disjunctive {
            precedes: vec![((1, 0), l[0]), ((0, 2), !l[1])],
            strict,
            apart,
            ..Disjunctive::new([(x[0] + 0, x[1] + 0), (x[2] + 1, 2.into()), (3 - x[0], 1.into())])
        })));
    }
    samples
}

/// A function that creates boxes from integers.
type Boxes = fn(&[IntVar]) -> Vec<Vec<[Expr; 2]>>;

pub(crate) fn diffns() -> Vec<Sample<Diffn>> {
    let mut samples = Vec::new();
    let shapes: [(Vec<Domain>, Boxes); 7] = [
        (vec![], |_| vec![]),
        (vec![interval(0, 1); 2], |x| vec![vec![[x[0].into(), 2.into()], [x[1].into(), 1.into()]]]),
        // Two squares in a row.
        (vec![interval(0, 2); 2], |x| {
            x.iter().map(|&x| vec![[x.into(), 1.into()], [0.into(), 1.into()]]).collect()
        }),
        // Two rectangles in a plane.
        (vec![interval(0, 2); 4], |x| {
            vec![
                vec![[x[0].into(), 2.into()], [x[1].into(), 1.into()]],
                vec![[x[2].into(), 1.into()], [x[3].into(), 2.into()]],
            ]
        }),
        // Intervals of variable length, possibly 0 or negative.
        (vec![interval(0, 2), interval(-1, 1), interval(0, 2), interval(0, 2)], |x| {
            vec![vec![[x[0].into(), x[1].into()]], vec![[x[2].into(), x[3].into()]]]
        }),
        // Three boxes in three dimensions. Some integers occur in several boxes.
        (vec![interval(0, 2), interval(-1, 2), Domain::from_values([-2, 0, 3])], |x| {
            vec![
                vec![[x[0].into(), 1.into()], [x[1].into(), 2.into()], [0.into(), 1.into()]],
                vec![[x[1].into(), 2.into()], [x[2].into(), 1.into()], [0.into(), 3.into()]],
                vec![[x[2] + 1, 2.into()], [1 - x[0], x[0].into()], [2.into(), 1.into()]],
            ]
        }),
        // Three squares of size 2 do not fit into a strip of height 3.
        (vec![interval(0, 1); 5], |x| {
            vec![
                vec![[x[0].into(), 2.into()], [x[3].into(), 2.into()]],
                vec![[x[1].into(), 2.into()], [x[4].into(), 2.into()]],
                vec![[x[2].into(), 2.into()], [0.into(), 2.into()]],
            ]
        }),
    ];
    for (domains, boxes) in shapes {
        for (strict, apart) in [(false, true), (true, true), (false, false), (true, false)] {
            samples.push(not_plain(over(0, &domains, |_, x| Diffn { boxes: boxes(&x), strict, apart })));
        }
    }
    samples
}
