//! Generates a job shop as a FlatZinc model, on which the encodings of `disjunctive` can be compared.
//!
//! ```text
//! cargo run --release --example generate_job_shop -- JOBS MACHINES SEED
//! ```
//!
//! Each job consists of a task on each machine, in a random order. The durations are random numbers from 1 to 99, as in
//! E. Taillard, "Benchmarks for basic scheduling problems", European Journal of Operational Research 64(2), 1993. The
//! end of the last task is minimised.

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let [jobs @ 1..=100, machines @ 1..=100, seed] = numbers[..] else {
        eprintln!("usage: generate_job_shop JOBS MACHINES SEED, with 1 to 100 jobs and machines");
        std::process::exit(2);
    };
    let mut random = fastrand::Rng::with_seed(seed as u64);
    // The duration of each task of each job, in the order of the job, and its machine.
    let job = |random: &mut fastrand::Rng| {
        let mut order: Vec<usize> = (0..machines).collect();
        random.shuffle(&mut order);
        order.into_iter().map(|machine| (random.u32(1..=99), machine)).collect::<Vec<_>>()
    };
    let shop: Vec<Vec<(u32, usize)>> = (0..jobs).map(|_| job(&mut random)).collect();
    // The domains end with a schedule in which the jobs take turns.
    let (mut jobs_ready, mut machines_ready) = (vec![0; jobs], vec![0; machines]);
    for task in 0..machines {
        for (job, tasks) in shop.iter().enumerate() {
            let (duration, machine) = tasks[task];
            let end = jobs_ready[job].max(machines_ready[machine]) + duration;
            (jobs_ready[job], machines_ready[machine]) = (end, end);
        }
    }
    let time: u32 = jobs_ready.into_iter().max().unwrap_or(0);

    println!("predicate fzn_disjunctive(array [int] of var int: s, array [int] of var int: d);");
    for job in 0..jobs {
        for task in 0..machines {
            println!("var 0..{time}: s{job}_{task};");
        }
    }
    println!("var 0..{time}: end :: output_var;");
    for (job, tasks) in shop.iter().enumerate() {
        for (task, (duration, _)) in tasks.iter().enumerate() {
            let next = if task + 1 < machines { format!("s{job}_{}", task + 1) } else { "end".to_owned() };
            println!("constraint int_lin_le([1, -1], [s{job}_{task}, {next}], -{duration});");
        }
    }
    for machine in 0..machines {
        let (mut starts, mut durations) = (Vec::new(), Vec::new());
        for (job, tasks) in shop.iter().enumerate() {
            for (task, (duration, _)) in tasks.iter().enumerate().filter(|(_, task)| task.1 == machine) {
                starts.push(format!("s{job}_{task}"));
                durations.push(duration.to_string());
            }
        }
        println!("constraint fzn_disjunctive([{}], [{}]);", starts.join(", "), durations.join(", "));
    }
    println!("solve minimize end;");
}
