use super::super::settings::SettingsMatrix;
use super::*;
use crate::format::Source;
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
        memory: None,
        arguments: Vec::new(),
        label: None,
    };
    comparison.settings()
}

#[test]
fn shards_partition_the_runs() {
    let instances = instances();
    let (runs, left_out) = plan(&instances, &settings());
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
    let (runs, left_out) = plan(&instances, &settings());
    assert_eq!((runs.len(), left_out), (4, 8));
}
