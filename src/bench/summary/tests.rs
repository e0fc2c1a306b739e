//! Compares statistics with values computed by hand.

use super::super::record::tests::record;
use super::*;

fn run(board: &str, encoding: &str, seed: u32, ms: Option<f64>) -> RunRecord {
    record(|record| {
        record.content = board.into();
        record.instance = board.into();
        record.settings.solver = crate::backend::SOLVERS[0].name.to_string();
        record.settings.seed = seed;
        if encoding != "auto" {
            record.settings.encode.insert("cardinality".into(), encoding.into());
        }
        match ms {
            Some(ms) => record.ms = [("wall".to_owned(), ms), ("cpu".to_owned(), ms / 2.0)].into(),
            None => record.ending = Ending::Time,
        }
    })
}

#[test]
fn figures_agree_with_values_computed_by_hand() {
    let records = [
        run("a", "auto", 0, Some(100.0)),
        run("a", "auto", 1, Some(300.0)),
        run("b", "auto", 0, Some(50.0)),
        run("b", "auto", 1, None),
        run("a", "bdd", 0, Some(200.0)),
        run("a", "bdd", 1, Some(400.0)),
        run("b", "bdd", 0, None),
        run("b", "bdd", 1, None),
    ];
    let groups = groups(&records, Measure::Wall);
    assert_eq!(groups.len(), 1);
    let group = &groups[0];
    let labels: Vec<_> = group.configurations.iter().map(|c| &c.label[..]).collect();
    assert_eq!(labels, ["cardinality=auto", "cardinality=bdd"]);
    assert_eq!(group.auto(), Some(0));
    let auto = group.figures(0);
    assert_eq!((auto.boards, auto.runs, auto.answered, auto.endings), (2, 4, 3, [1, 0, 0]));
    // The mean penalised time is 200 on board a, and (50 + 20000) / 2 on board b.
    assert!((auto.par2 - f64::midpoint(200.0, 10025.0)).abs() < 1e-9, "{}", auto.par2);
    assert!((auto.total - (200.0 + 5025.0)).abs() < 1e-9, "{}", auto.total);
    assert_eq!((auto.median, auto.best_on), (Some(50.0), 2));
    let bdd = group.figures(1);
    assert!((bdd.par2 - f64::midpoint(300.0, 20000.0)).abs() < 1e-9);
    assert_eq!((bdd.answered, bdd.median, bdd.best_on), (2, Some(200.0), 0));
    assert_eq!(group.virtual_best(), (2, 75.0));
    assert_eq!(group.ranking().iter().map(|(c, _)| *c).collect::<Vec<_>>(), [0, 1]);
    let by_cpu = super::groups(&records, Measure::Cpu);
    assert_eq!(by_cpu[0].figures(0).median, Some(25.0));
}

#[test]
fn puzzle_types_share_a_group_only_with_equal_configurations() {
    let other = |encoding: &str| {
        let mut other = run("c", encoding, 0, Some(1.0));
        other.puzzle = "nurikabe".into();
        other
    };
    let mut records = vec![run("a", "auto", 0, Some(1.0)), run("a", "bdd", 0, Some(1.0)), other("auto")];
    let titles = |records: &[RunRecord]| -> Vec<String> {
        groups(records, Measure::Wall).iter().map(Group::title).collect()
    };
    assert_eq!(titles(&records), ["nurikabe, satisfy", "rooks, satisfy"]);
    records.push(other("bdd"));
    assert_eq!(titles(&records), ["all puzzles, satisfy", "nurikabe, satisfy", "rooks, satisfy"]);
}

#[test]
fn labels_name_the_constraints_with_a_chosen_encoding() {
    let mut records = vec![run("a", "auto", 0, None), run("a", "bdd", 0, None)];
    let other = |chosen: &RunRecord| {
        let mut other = chosen.clone();
        other.settings.encode.insert("at-most-one".into(), "ladder".into());
        other
    };
    records.extend([other(&records[0]), other(&records[1])]);
    let groups = groups(&records, Measure::Wall);
    let labels: Vec<_> = groups[0].configurations.iter().map(|c| &c.label[..]).collect();
    assert_eq!(
        labels,
        ["auto", "cardinality=bdd", "at-most-one=ladder", "at-most-one=ladder, cardinality=bdd"]
    );
}
