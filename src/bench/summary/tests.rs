//! Compares statistics with values computed by hand.

use super::super::record::SolutionTime;
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

/// Returns a run of `optimise:fewest` (minimise) on `board` by the solver `solver`, with a time limit of 10 s. The
/// solutions have values, and times in milliseconds. `end` is the time at which the run has proven the optimum, or `None` if it
/// exceeded its limit.
fn optimised(board: &str, solver: &str, solutions: &[(i64, f64)], end: Option<f64>) -> RunRecord {
    record(|record| {
        record.content = board.into();
        record.settings.solver = solver.into();
        record.settings.query = "optimise:fewest".parse().unwrap();
        record.solutions = solutions
            .iter()
            .map(|&(value, wall)| SolutionTime { objective: value.into(), wall, cpu: wall / 2.0 })
            .collect();
        record.objective = solutions.last().map(|&(value, _)| value.into());
        let end_status = if solutions.is_empty() { "none" } else { "optimal" };
        record.status = Some(if end.is_some() { end_status } else { "stopped" }.into());
        record.ending = if end.is_some() { Ending::Answered } else { Ending::Time };
        let wall = end.unwrap_or(10_020.0);
        record.ms = [("wall".to_owned(), wall), ("cpu".to_owned(), wall / 2.0)].into();
    })
}

/// Returns the score of each solver, sorted by the names of the solvers.
fn scores(records: &[RunRecord], measure: Measure) -> Vec<(String, f64)> {
    let groups = groups(records, measure);
    assert_eq!(groups.len(), 1);
    let score = |(index, configuration): (usize, &Configuration)| {
        (configuration.settings.solver.clone(), groups[0].figures(index).borda.unwrap())
    };
    let mut scores: Vec<_> = groups[0].configurations.iter().enumerate().map(score).collect();
    scores.sort_by(|a, b| a.0.cmp(&b.0));
    scores
}

#[track_caller]
fn assert_scores(records: &[RunRecord], expected: &[(&str, f64)]) {
    let scores = scores(records, Measure::Wall);
    assert_eq!(scores.len(), expected.len(), "{scores:?}");
    for ((solver, score), &(name, points)) in scores.iter().zip(expected) {
        assert!(solver == name && (score - points).abs() < 1e-9, "{scores:?}, not {expected:?}");
    }
}

#[test]
fn borda_scores_agree_with_values_computed_by_hand() {
    let mut records = vec![
        // Both prove the same optimum, in 1 and 3 whole seconds.
        optimised("a", "proof-1s", &[(9, 5.0), (5, 900.0)], Some(1999.0)),
        optimised("a", "proof-3s", &[(5, 100.0)], Some(3000.0)),
        optimised("a", "same-value", &[(5, 50.0)], None),
        optimised("a", "worse-value", &[(8, 50.0), (7, 60.0)], None),
        // This run finds its best solution after the time limit.
        optimised("a", "late-value", &[(7, 60.0), (5, 10_010.0)], None),
        optimised("a", "no-value", &[], None),
        optimised("a", "no-value-either", &[(5, 10_010.0)], None),
    ];
    let expected = [
        // 0.5 against `worse-value`: the same value, and both used the whole time limit.
        ("late-value", 0.5 + 2.0),
        ("no-value", 0.0),
        ("no-value-either", 0.0),
        ("proof-1s", 0.75 + 5.0),
        ("proof-3s", 0.25 + 5.0),
        ("same-value", 4.0),
        ("worse-value", 0.5 + 2.0),
    ];
    assert_scores(&records, &expected);
    // On a second board, the fastest two both take less than a second; the others are not run.
    records.push(optimised("b", "proof-1s", &[(1, 10.0)], Some(100.0)));
    records.push(optimised("b", "proof-3s", &[(1, 10.0)], Some(999.0)));
    let mut with_second = expected;
    with_second[3].1 += 0.5;
    with_second[4].1 += 0.5;
    assert_scores(&records, &with_second);
}

#[test]
fn borda_scores_of_boards_without_a_solution_and_of_satisfaction() {
    // A run that proves that there is no solution has answered the query.
    let records = [
        optimised("a", "none-2s", &[], Some(2000.0)),
        optimised("a", "none-6s", &[], Some(6000.0)),
        optimised("a", "unknown", &[], None),
    ];
    let expected = [("none-2s", 1.75), ("none-6s", 1.25), ("unknown", 0.0)];
    assert_scores(&records, &expected);
    let mut satisfied: Vec<RunRecord> = records
        .iter()
        .map(|record| {
            let mut satisfied = record.clone();
            satisfied.settings.query = Query::Satisfy;
            satisfied.status = record.answered().then(|| "solved".into());
            satisfied
        })
        .collect();
    assert_scores(&satisfied, &expected);
    // By processor time, the two use 1.2 and 1 seconds, which both count as 1 second.
    satisfied[0].ms.insert("cpu".into(), 1200.0);
    satisfied[1].ms.insert("cpu".into(), 1000.0);
    assert_eq!(scores(&satisfied, Measure::Cpu)[1], ("none-6s".to_owned(), 1.5));
    let alone = groups(&satisfied[..1], Measure::Wall);
    assert_eq!(alone[0].figures(0).borda, None);
}

#[test]
fn larger_values_are_better_if_the_objective_is_maximised() {
    let maximised = |solver: &str, value: i64| {
        let mut record = optimised("a", solver, &[(value, 10.0)], None);
        record.settings.query = "optimise:most".parse().unwrap();
        record
    };
    assert_scores(&[maximised("high", 8), maximised("low", 3)], &[("high", 1.0), ("low", 0.0)]);
}

#[test]
fn borda_scores_average_the_pairs_of_seeds() {
    let mut lucky = optimised("a", "x", &[(5, 10.0)], Some(1500.0));
    lucky.settings.seed = 1;
    let records =
        [optimised("a", "x", &[(6, 10.0)], None), lucky, optimised("a", "y", &[(5, 10.0)], Some(3500.0))];
    // Against `y`, the first seed of `x` scores 0, and the second 3 / (3 + 1).
    assert_scores(&records, &[("x", 0.375), ("y", 0.625)]);
}

#[test]
fn primal_gaps_are_those_of_berthold() {
    for (value, best, gap) in [
        (7, 7, 0.0),
        (0, 0, 0.0),
        (8, 4, 0.5),
        (4, 8, 0.5),
        (-4, -8, 0.5),
        (-3, 2, 1.0),
        (0, 9, 1.0),
        (i128::MAX, i128::MIN, 1.0),
    ] {
        assert!((primal_gap(value, best) - gap).abs() < 1e-12, "{value} {best}");
    }
}

#[test]
fn the_primal_integral_agrees_with_a_value_computed_by_hand() {
    let mut second = optimised("a", "x", &[(5, 4000.0)], Some(5000.0));
    second.settings.seed = 1;
    let records = [
        optimised("a", "x", &[(20, 1000.0), (10, 2000.0), (6, 10_300.0)], None),
        second,
        // No run finds a solution of board b, so it does not count.
        optimised("b", "x", &[], None),
        optimised("b", "y", &[], None),
        optimised("c", "x", &[], None),
        optimised("c", "y", &[(3, 8000.0)], None),
    ];
    let groups = groups(&records, Measure::Wall);
    let group = &groups[0];
    assert_eq!(group.boards_with_value(), 2);
    // On board a, the best value is 5. The first seed has the gaps 1, 0.75 and 0.5, since its last solution comes after
    // the time limit: 1 + 0.75 + 8 * 0.5 seconds. The second seed has the gap 1 for 4 seconds. On board c, `x` has the
    // gap 1 for 10 seconds.
    let expected = 1e3 * (f64::midpoint(5.75, 4.0) + 10.0) / 2.0;
    let integral = group.figures(0).primal_integral.unwrap();
    assert!((integral - expected).abs() < 1e-6, "{integral}, not {expected}");
    let steps = group.gaps(0).unwrap();
    let expected =
        [(0.0, 1.0), (1000.0, 1.0 - 0.25 / 4.0), (2000.0, 1.0 - 0.5 / 4.0), (4000.0, 1.0 - 1.5 / 4.0)];
    assert_eq!(steps.len(), expected.len(), "{steps:?}");
    for (step, expected) in steps.iter().zip(expected) {
        let apart = [step.0 - expected.0, step.1 - expected.1].map(f64::abs);
        assert!(apart.iter().all(|&apart| apart < 1e-9), "{steps:?}");
    }
    // `y` was run on board c only, among the boards with a solution.
    assert_eq!(group.figures(1).primal_integral, Some(8000.0));
    let by_cpu = super::groups(&records, Measure::Cpu);
    assert_eq!(by_cpu[0].figures(1).primal_integral, Some(4000.0));
}

#[test]
fn results_without_times_of_solutions_are_still_compared() {
    let mut old = optimised("a", "x", &[(5, 1000.0)], None);
    old.solutions.clear();
    let records = [old, optimised("a", "y", &[(5, 10.0), (4, 20.0)], Some(30.0))];
    let groups = groups(&records, Measure::Wall);
    // The run reported no times, so its solution counts from the end of the run. This run ended after the limit.
    assert_eq!(groups[0].figures(0).primal_integral, Some(10_000.0));
    assert_scores(&records, &[("x", 0.0), ("y", 1.0)]);
}

#[test]
fn models_share_a_group_whether_they_minimise_or_maximise() {
    let model = |content: &str, query: &str, value: i64| {
        let mut record = optimised(content, "x", &[(value, 5000.0)], Some(6000.0));
        record.puzzle = "model".into();
        record.settings.query = query.parse().unwrap();
        record
    };
    let records = [model("a", "optimise:minimise", 1), model("b", "optimise:maximise", 2)];
    let groups = groups(&records, Measure::Wall);
    assert_eq!(groups.iter().map(Group::title).collect::<Vec<_>>(), ["model, optimise"]);
    assert_eq!((groups[0].configurations.len(), groups[0].boards.len()), (1, 2));
    assert_eq!(groups[0].figures(0).primal_integral, Some(5000.0));
}
