use super::super::record::tests::record;
use super::*;

#[test]
fn an_incomplete_line_is_cut_off_and_an_invalid_one_is_reported() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("results.jsonl");
    let (first, second) = (record(|_| {}), record(|record| record.settings.seed = 1));
    for torn in 0..second.line().len() {
        let text = first.line() + &second.line()[..torn];
        std::fs::write(&path, text).unwrap();
        assert_eq!(read(&path).unwrap(), std::slice::from_ref(&first), "{torn} bytes");
        let (mut results, records) = Results::open(&path).unwrap();
        assert_eq!(records, std::slice::from_ref(&first));
        results.append(&second).unwrap();
        drop(results);
        assert_eq!(read(&path).unwrap(), [first.clone(), second.clone()]);
    }
    std::fs::write(&path, first.line() + "{}\n" + &second.line()).unwrap();
    let error = read(&path).unwrap_err().to_string();
    assert!(error.contains("line 2") && error.contains("instance"), "{error}");
}

#[cfg(unix)]
#[test]
fn one_writer_at_a_time() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("results.jsonl");
    let (first, _) = Results::open(&path).unwrap();
    assert!(matches!(Results::open(&path), Err(ResultsError::InUse { .. })));
    drop(first);
    Results::open(&path).unwrap();
}

#[test]
fn merged_results_occur_once() {
    let stopped = record(|record| record.ending = super::super::record::Ending::Time);
    let other = record(|record| record.settings.seed = 1);
    let merged = merge(vec![vec![stopped.clone(), other.clone()], vec![record(|_| {})]]).unwrap();
    assert_eq!(merged, [record(|_| {}), other]);
    let liar = record(|record| record.status = Some("none".into()));
    assert!(merge(vec![vec![record(|_| {})], vec![liar]]).is_err());
}
