use super::*;

#[test]
fn the_cross_product() {
    let comparison = SettingsMatrix {
        queries: vec![Query::Satisfy, Query::Unique, Query::Optimise(None)],
        solvers: solvers("batsat,varisat,external:minisat -a,b {cnf}"),
        encode: vec![encodings("connectivity=layers,auto").unwrap(), encodings("at-most-one=all").unwrap()],
        strategies: vec![None, Some("binary".into())],
        seeds: 3,
        timeout: 10.0,
        cpu_timeout: None,
        memory: None,
        arguments: Vec::new(),
        label: None,
    };
    let ways = 1 + CONSTRAINTS
        .iter()
        .find(|row| row.name == "at-most-one")
        .map(|row| (row.encodings)().len())
        .unwrap();
    let settings = comparison.settings();
    // Only the last query is an optimisation query, so the strategies apply only to this query.
    assert_eq!(settings.len(), (1 + 1 + 2) * 3 * 2 * ways * 3);
    for (index, one) in settings.iter().enumerate() {
        assert!(!settings[..index].contains(one), "{one:?} twice");
    }
    assert_eq!(settings.last().unwrap().solver, "external:minisat -a,b {cnf}");
    assert!(settings.iter().all(|one| one.encode.values().all(|encoding| encoding != AUTO)));
    let command = settings[1].command("b.txt").join(" ");
    assert!(command.starts_with("solve b.txt --json --objective none --solver batsat --encode at-most-one="));
    assert!(command.ends_with(" --encode connectivity=layers --seed 1 --timeout 10"), "{command}");
}

#[test]
fn words() {
    assert!(encodings("connectivity=layer").is_err());
    assert!(encodings("connectivities=layers").is_err());
    assert_eq!(encodings("connectivity=cuts,cuts").unwrap().1, ["cuts"]);
}

#[test]
fn flatzinc_solvers_may_have_names() {
    assert_eq!(solvers("cdcl,a=flatzinc:b -o x,y {fzn}"), ["cdcl", "a=flatzinc:b -o x,y {fzn}"]);
    assert_eq!(flatzinc_command("a=flatzinc:b c"), Some(("a", "b c")));
    assert_eq!(flatzinc_command("flatzinc:a=flatzinc:b"), Some(("", "a=flatzinc:b")));
    for other in ["cdcl", "=flatzinc:b", "a b=flatzinc:c", "external:a=flatzinc:b"] {
        assert_eq!(flatzinc_command(other), None, "{other}");
    }
}
