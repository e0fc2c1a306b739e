//! Generates a graph for the labyrinth with a path from start to target.
//!
//! ```text
//! cargo run --release --example generate_labyrinth -- NODES EDGES SEED [weights]
//! ```
//!
//! The path from start to target visits nodes in a random order and may skip some. All further edges connect random
//! nodes. The option `weights` gives each edge a cost from 1 to 20. Without the option `weights`, each edge has the
//! cost 10.

use std::collections::BTreeSet;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let weighted = words.last().is_some_and(|word| word == "weights");
    let numbers: Vec<usize> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let [nodes, count, seed] = numbers[..] else {
        eprintln!("usage: generate_labyrinth NODES EDGES SEED [weights]");
        std::process::exit(2);
    };
    let mut random = fastrand::Rng::with_seed(seed as u64);
    let mut order: Vec<usize> = (1..=nodes).collect();
    random.shuffle(&mut order);
    let length = (nodes - nodes / 5).max(2);
    if nodes < 2 || !(length - 1..=nodes * (nodes - 1) / 2).contains(&count) {
        eprintln!("{nodes} nodes have {} to {} edges here", length - 1, nodes * nodes.saturating_sub(1) / 2);
        std::process::exit(2);
    }
    let mut edges: BTreeSet<(usize, usize)> =
        order[..length].windows(2).map(|pair| (pair[0].min(pair[1]), pair[0].max(pair[1]))).collect();
    while edges.len() < count {
        let (a, b) = (random.usize(1..=nodes), random.usize(1..=nodes));
        if a != b {
            edges.insert((a.min(b), a.max(b)));
        }
    }
    println!("% generate_labyrinth {}", words.join(" "));
    println!("n = {nodes};\nnum_edges = {count};\nstart = {};\ntarget = {};", order[0], order[length - 1]);
    let rows: Vec<String> = edges.iter().map(|(a, b)| format!("{a}, {b}")).collect();
    println!("graph = [| {} |];", rows.join(" | "));
    if weighted {
        let weights: Vec<String> = edges.iter().map(|_| random.u8(1..=20).to_string()).collect();
        println!("weights = [{}];", weights.join(", "));
    }
}
