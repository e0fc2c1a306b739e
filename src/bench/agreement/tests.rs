use super::super::record::tests::record;
use super::*;

/// Returns a record with the given query and additional JSON keys.
fn with(query: &str, keys: &str) -> RunRecord {
    record(|record| {
        record.settings.query = query.parse().unwrap();
        let keys: serde_json::Value = serde_json::from_str(keys).unwrap();
        record.status = keys["status"].as_str().map(str::to_owned);
        record.unique = keys["unique"].as_bool();
        record.count = keys.get("count").cloned();
        record.objective = keys.get("objective").cloned();
        record.bounds = keys.get("bounds").map(|bounds| [bounds[0].clone(), bounds[1].clone()]);
    })
}

#[test]
fn contradictions_are_detected() {
    let solved = with("satisfy", r#"{"status":"solved"}"#);
    let none = with("satisfy", r#"{"status":"none"}"#);
    let stopped = with("satisfy", r#"{"status":"stopped"}"#);
    let unique = with("unique", r#"{"status":"solved","unique":true}"#);
    let several = with("unique", r#"{"status":"solved","unique":false}"#);
    let one = with("count", r#"{"status":"solved","count":1}"#);
    let many = with("count", r#"{"status":"solved","count":"123456789012345678901"}"#);
    let some = with("count", r#"{"status":"stopped","count":5}"#);
    let best = with("optimise:fewest", r#"{"status":"optimal","objective":4,"bounds":[4,4]}"#);
    let better = with("optimise:fewest", r#"{"status":"optimal","objective":3,"bounds":[3,3]}"#);
    let open = with("optimise:fewest", r#"{"status":"stopped","objective":6,"bounds":[2,6]}"#);
    let worse = with("optimise:fewest", r#"{"status":"stopped","objective":9,"bounds":[5,9]}"#);
    let most = with("optimise:most", r#"{"status":"optimal","objective":9,"bounds":[9,9]}"#);
    let unbounded = with("optimise:fewest", r#"{"status":"stopped","objective":3,"bounds":[null,3]}"#);
    let failed = with("satisfy", "{}");
    let killed = with("optimise:fewest", r#"{"objective":6,"bounds":[4,6]}"#);
    let apart: &[(&RunRecord, &RunRecord)] = &[
        (&solved, &none),
        (&unique, &none),
        (&several, &unique),
        (&one, &many),
        (&one, &several),
        (&one, &some),
        (&unique, &many),
        (&unique, &some),
        (&best, &better),
        (&best, &worse),
        (&open, &none),
        (&best, &none),
        (&some, &none),
        (&unbounded, &best),
        (&unbounded, &worse),
        (&killed, &better),
        (&killed, &none),
        (&killed, &unbounded),
    ];
    let all = [
        &solved, &none, &stopped, &unique, &several, &one, &many, &some, &best, &better, &open, &worse,
        &most, &unbounded, &failed, &killed,
    ];
    for a in all {
        for b in all {
            let known = apart.iter().any(|&(x, y)| (x, y) == (a, b) || (y, x) == (a, b));
            // Two results contradict each other if one states that a solution exists, and the other that none exists.
            let existence = has_solution(a).zip(has_solution(b)).is_some_and(|(a, b)| a != b);
            let numbers = (a, b) == (&better, &worse) || (b, a) == (&better, &worse);
            let expected = known || existence || numbers;
            assert_eq!(contradiction(a, b).is_some(), expected, "{a:?}\n{b:?}");
        }
    }
    let elsewhere = record(|record| {
        record.content = "01".into();
        record.status = Some("none".into());
    });
    assert_eq!(contradiction(&solved, &elsewhere), None);
}
