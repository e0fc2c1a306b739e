use super::*;

fn of(text: &str, variables: u32) -> SolverOutput {
    read(&Source::new("output", text), variables, UnknownLines::Reject)
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

const YES: Option<bool> = Some(true);
const NO: Option<bool> = Some(false);

#[test]
fn every_form_of_output_is_read() {
    for text in [
        "c kissat\ns SATISFIABLE\nv 1 -2\nv 3 0\n",
        "SAT\n1 -2 3 0\n",
        "1 -2 3 0",
        "-2\n1\n3\n",
        "s OPTIMUM FOUND\no 4\nv 101\n",
        "v x1 -x2 x3\n",
        "v x1 ~x2\r\nv +x3\r\n",
    ] {
        assert_eq!(of(text, 3).values, [YES, NO, YES], "{text}");
    }
    assert_eq!(of("s OPTIMUM FOUND\no 9\no 4\nv 101\n", 3).cost, Some(4));
    assert_eq!(of("v 1 2\n", 3).values, [YES, YES, None]);
    assert_eq!(of("v 1 2\n", 3).unassigned(), 1);
    assert_eq!(of("v 011\n", 5).values, [NO, YES, YES, None, None]);
    assert_eq!(of("v 11\n", 12).values[10], YES, "two digits are a literal if the formula has 12 variables");
    assert_eq!(of("v 1 -2 0\no 9\nv -1 2 0\no 4\n", 3).values, [NO, YES, None]);
    assert_eq!((of("7 -9\n", 3).greatest, of("", 3).has_values()), (9, false));
    let long = format!("v {}", "1".repeat(40));
    assert_eq!(of(&long, 40).values, vec![YES; 40]);
    for (text, status) in [
        ("s SATISFIABLE\n", SolverStatus::Satisfiable),
        ("s UNSATISFIABLE\n", SolverStatus::Unsatisfiable),
        ("UNSAT\n", SolverStatus::Unsatisfiable),
        ("INDET\n", SolverStatus::Unknown),
        ("s UNKNOWN\n", SolverStatus::Unknown),
        ("s OPTIMUM FOUND\n", SolverStatus::Optimum),
    ] {
        assert_eq!(of(text, 3).status, Some(status));
    }
    assert_eq!(of("cNo space\n", 1).status, None);
}

#[test]
fn malformed_output_is_rejected_with_its_position() {
    let rejected =
        |text: &str| read(&Source::new("output", text), 3, UnknownLines::Reject).unwrap_err().to_string();
    assert!(rejected("s MAYBE\n").starts_with("output:1:3: expected SATISFIABLE"));
    assert!(rejected("s\n").contains("found the end of the line"));
    assert_eq!(rejected("v 1 foo\n"), "output:1:5: expected a literal, found `foo`");
    assert_eq!(
        rejected("v 1 2\nv -1 0\n"),
        "output:2:3: expected one value for each variable, found both values of 1"
    );
    assert!(rejected("c\n| Conflicts |\n").starts_with("output:2:1: expected a line `s`, `v`"));
    assert!(rejected("o cheap\n").starts_with("output:1:3: expected a cost, found `cheap`"));
    assert!(rejected("v 99999999999999999999999\n").contains("expected a literal"));
    let noisy = Source::new("output", "| Conflicts |\n===\nSATISFIABLE\n");
    assert_eq!(read(&noisy, 3, UnknownLines::Skip).unwrap().status, Some(SolverStatus::Satisfiable));
}
