//! Tests of the order of steps on generated boards, which are harder to explain than random boards.

use std::cmp::Ordering;

use crate::support::{Judge, board};
use gordian::explain::{Argument, Deduction, Explainer, Next, Order, Size, Step};
use gordian::make::{MakeOptions, Outcome, make};
use gordian::puzzle::{Plain, find};
use gordian::search::Config;
use gordian_encodings::Lit;
use gordian_explain::Effort;

/// Returns the plain formulations of generated boards with unique solutions.
fn boards() -> impl Iterator<Item = (String, Plain)> {
    let sizes = [("nurikabe", (6, 6), 30), ("rooks", (6, 6), 5), ("numberlink", (4, 4), 5)];
    let seeds =
        sizes.into_iter().flat_map(|(name, size, boards)| (0..boards).map(move |seed| (name, size, seed)));
    seeds.map(|(name, size, seed)| {
        let (puzzle_type, config) = (find(name).expect("a puzzle type"), Config::default());
        let made =
            make(puzzle_type, size, seed, &MakeOptions::default(), &config, &config.limits(), &mut |_| ());
        let Ok(Outcome::Made(made)) = made else { panic!("{name} {seed}: {made:?}") };
        let plain = board(&made.text).plain();
        (made.text, plain)
    })
}

/// Calls `visit` with each step of an explanation and with the facts that are known before the step.
fn each_step(plain: &Plain, explainer: &mut Explainer<'_>, mut visit: impl FnMut(&[Lit], Step)) {
    loop {
        let known = explainer.known().to_vec();
        match explainer.next_step().expect("a solver") {
            Next::Step(step) => visit(&known, step),
            Next::Done => break,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(explainer.known().len(), plain.facts.len(), "the steps derive the unique solution");
}

#[test]
fn steps_have_the_effort_of_the_phase_that_found_them() {
    let mut losing = 0;
    for (text, plain) in boards() {
        let mut explainer = Explainer::new(&plain, &Config::default(), None).expect("a solver");
        let mut judge = Judge::of(&plain);
        let rules: Vec<usize> = (0..plain.rules.len()).collect();
        each_step(&plain, &mut explainer, |known, step| {
            judge.step(&plain, &rules, known, &step, &text);
            for argument in &step.arguments {
                let by_propagation = step.open.is_some_and(|open| open > 0);
                assert_eq!(argument.effort == Effort::Propagation, by_propagation, "{text}");
                // An argument by propagation may contain rules or facts that an argument by search does not need.
                let Argument { rules, deductions, .. } = argument;
                let Deduction { lit, because, .. } = &deductions[0];
                let mut refutes_without = |rule: Option<usize>, fact: Option<Lit>| {
                    let rules: Vec<usize> =
                        rules.iter().copied().filter(|&other| Some(other) != rule).collect();
                    let facts = because.iter().copied().filter(|&other| Some(other) != fact);
                    judge.refutes(&rules, &facts.chain([!*lit]).collect::<Vec<_>>())
                };
                let fewer = rules.iter().any(|&rule| refutes_without(Some(rule), None))
                    || because.iter().any(|&fact| refutes_without(None, Some(fact)));
                losing += usize::from(by_propagation && fewer);
            }
        });
    }
    assert!(losing > 0, "search could do without a rule or fact of some arguments");
}

#[test]
fn the_order_by_size_takes_the_fewest_rules_first() {
    let mut smaller = 0;
    for (text, plain) in boards() {
        let explainer = || Explainer::new(&plain, &Config::default(), None).expect("a solver");
        let mut by_size = explainer();
        by_size.set_order(Order::Size);
        let mut judge = Judge::of(&plain);
        let rules: Vec<usize> = (0..plain.rules.len()).collect();
        each_step(&plain, &mut by_size, |known, step| {
            judge.step(&plain, &rules, known, &step, &text);
            assert!(step.arguments.iter().all(|argument| argument.size == Size::Smallest), "{text}");
            let mut by_effort = explainer();
            by_effort.know(known.iter().copied());
            let Ok(Next::Step(easiest)) = by_effort.next_step() else { panic!("no step by effort: {text}") };
            let [by_size, by_effort] = [&step, &easiest].map(|step| &step.arguments[0]);
            match by_size.rules.len().cmp(&by_effort.rules.len()) {
                Ordering::Less => smaller += 1,
                Ordering::Equal => assert!(
                    by_effort.effort > Effort::Propagation || by_size.effort == Effort::Propagation,
                    "propagation comes first among arguments of the same size: {text}"
                ),
                Ordering::Greater => panic!("more rules than by effort: {text}"),
            }
        });
    }
    assert!(smaller > 0, "some steps have fewer rules than the easiest step");
}
