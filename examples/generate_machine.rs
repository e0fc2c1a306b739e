//! Generates a FlatZinc model of tasks on one machine, on which the encodings of `disjunctive` can be compared.
//!
//! ```text
//! cargo run --release --example generate_machine -- TASKS FILL SEED
//! ```
//!
//! The durations of the tasks add up to FILL percent of the time between the first start and the last end of a random
//! schedule. Each task may start earlier or later than in this schedule, by up to a quarter of the time. The weighted
//! sum of the starts is minimised.

use std::fmt::Display;

/// Returns an array literal of FlatZinc.
fn array<T: Display>(elements: impl IntoIterator<Item = T>) -> String {
    let elements: Vec<String> = elements.into_iter().map(|element| element.to_string()).collect();
    format!("[{}]", elements.join(", "))
}

fn main() {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let [tasks @ 1..=1000, fill @ 1..=100, seed] = numbers[..] else {
        eprintln!(
            "usage: generate_machine TASKS FILL SEED, with 1 to 1000 tasks and a fill of 1 to 100 percent"
        );
        std::process::exit(2);
    };
    let mut random = fastrand::Rng::with_seed(seed);
    let durations: Vec<u64> = (0..tasks).map(|_| random.u64(1..=20)).collect();
    let busy: u64 = durations.iter().sum();
    let time = busy * 100 / fill;
    // The idle time is divided at random points, and the tasks have a random order.
    let mut idle_before: Vec<u64> = (0..tasks).map(|_| random.u64(0..=time - busy)).collect();
    idle_before.sort_unstable();
    let mut order: Vec<usize> = (0..durations.len()).collect();
    random.shuffle(&mut order);
    let mut domains = vec![(0, 0); durations.len()];
    let mut busy_before = 0;
    for (&task, idle) in order.iter().zip(&idle_before) {
        let start = busy_before + idle;
        busy_before += durations[task];
        let earliest = start.saturating_sub(random.u64(0..=time / 4));
        domains[task] = (earliest, (start + random.u64(0..=time / 4)).min(time - durations[task]));
    }
    let weights: Vec<u64> = (0..tasks).map(|_| random.u64(1..=9)).collect();
    let most: u64 = weights.iter().zip(&domains).map(|(weight, (_, latest))| weight * latest).sum();

    println!("predicate fzn_disjunctive(array [int] of var int: s, array [int] of var int: d);");
    for (task, (earliest, latest)) in domains.iter().enumerate() {
        println!("var {earliest}..{latest}: s{task};");
    }
    println!("var 0..{most}: cost :: output_var;");
    let starts = || (0..durations.len()).map(|task| format!("s{task}"));
    println!("array [1..{tasks}] of var int: starts :: output_array([1..{tasks}]) = {};", array(starts()));
    println!("constraint fzn_disjunctive(starts, {});", array(&durations));
    let coefficients = array(weights.iter().map(ToString::to_string).chain(["-1".into()]));
    println!("constraint int_lin_eq({coefficients}, {}, 0);", array(starts().chain(["cost".into()])));
    println!("solve minimize cost;");
}
