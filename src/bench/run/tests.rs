use super::super::settings::SettingsMatrix;
use super::*;
use crate::format::Source;
use crate::process::{OutputLength, Usage};
use crate::puzzle::Query;
use crate::read::{self, ReadOptions};

fn instances() -> Vec<BenchInstance> {
    let rooks = |text: &str| {
        let source = Source::new("board", format!("rooks\n{text}\n"));
        let puzzle = read::board(&source, &ReadOptions::default()).unwrap().puzzle;
        BenchInstance::new("board".into(), &*puzzle, source.text())
    };
    [". .", ". #", "# .", "1 ."].map(rooks).into()
}

fn settings() -> Vec<Settings> {
    let comparison = SettingsMatrix {
        queries: vec![Query::Satisfy, Query::Optimise(None), Query::Optimise(Some("fewest".into()))],
        solvers: vec!["batsat".into(), "varisat".into()],
        encode: Vec::new(),
        strategies: vec![None],
        seeds: 2,
        timeout: 1.0,
        cpu_timeout: None,
        memory: None,
        arguments: Vec::new(),
        label: None,
    };
    comparison.settings()
}

#[test]
fn shards_partition_the_runs() {
    let instances = instances();
    let (runs, left_out) = plan(&instances, &settings(), false);
    assert_eq!(left_out, 0);
    // On the boards of the test, `optimise` and `optimise:fewest` are the same query.
    assert_eq!(runs.len(), instances.len() * 2 * 2 * 2);
    for of in [1, 2, 3, 7, 1000] {
        let shards: Vec<Run<'_>> =
            (1..=of).flat_map(|number| Shard { number, of }.of(runs.clone())).collect();
        assert_eq!(shards.len(), runs.len());
        let keys: HashSet<Key> = shards.iter().map(Run::key).collect();
        assert_eq!(keys.len(), runs.len());
    }
}

#[test]
fn unsupported_queries_are_left_out() {
    let source = Source::new("board", "nurikabe\n1 .\n");
    let puzzle = read::board(&source, &ReadOptions::default()).unwrap().puzzle;
    let instances = [BenchInstance::new("board".into(), &*puzzle, source.text())];
    let (runs, left_out) = plan(&instances, &settings(), false);
    assert_eq!((runs.len(), left_out), (4, 8));
}

#[test]
fn a_killed_run_keeps_its_last_solution_and_bounds() {
    let lines = [
        r#"{"status":"searching","objective":null,"bounds":[0,null]}"#,
        r#"{"status":"searching","objective":9,"bounds":[0,9]}"#,
        r#"{"status":"searching","objective":9,"bounds":[3,9]}"#,
        r#"{"status":"searching","objective":7,"bounds":[3,7]}"#,
        r#"{"status":"optimal","obj"#,
    ];
    let output = lines.join("\n");
    let seconds = Duration::from_secs;
    let length = |lines: usize, wall: u64| OutputLength {
        bytes: length_of(&output, lines),
        wall: seconds(wall),
        cpu: seconds(wall) / 2,
    };
    // The poll after 2 s finds the second line and a part of the third.
    let growth =
        vec![length(1, 1), OutputLength { bytes: length(2, 2).bytes + 5, ..length(2, 2) }, length(3, 3)];
    let finished = Finished {
        termination: Termination::MemoryLimit,
        output: output.clone().into_bytes(),
        growth,
        errors: String::new(),
        wall: seconds(5),
        usage: Usage::default(),
    };
    let instances = instances();
    let run = Run { instance: &instances[0], settings: settings().remove(0) };
    let record = record(&run, &finished, "m");
    let found =
        record.solutions.iter().map(|found| (found.objective.as_i64().unwrap(), found.wall, found.cpu));
    assert_eq!(found.collect::<Vec<_>>(), [(9, 2000.0, 1000.0), (7, 5000.0, 0.0)]);
    assert_eq!((record.ending, record.status), (Ending::Memory, None));
    assert_eq!((record.objective, record.bounds), (Some(7.into()), Some([3.into(), 7.into()])));
}

/// Returns the length of the first `lines` lines in bytes.
fn length_of(output: &str, lines: usize) -> u64 {
    output.split_inclusive('\n').take(lines).map(|line| line.len() as u64).sum()
}
