use std::io::Read;

use super::*;

#[test]
fn commands_are_filled() {
    let solver = |command: &str| FlatZincSolver::find(&format!("flatzinc:{command}")).unwrap();
    let sh = solver("sh -c 'run \"a b\"' {fzn} std/{name}.fzn -t {timeout} -r {seed}").unwrap();
    assert!(sh.takes_seed() && !solver("sh {fzn}").unwrap().takes_seed());
    let words = sh.command("dir/m.fzn", "/tmp/copy.fzn", Duration::from_secs(3), 7);
    let expected = ["sh", "-c", "run \"a b\"", "/tmp/copy.fzn", "std/m.fzn", "-t", "3000", "-r", "7"];
    assert_eq!(words, expected);
    for (command, error) in [("", "missing"), ("no-such-program {fzn}", "not found"), ("sh 'x", "quotation")]
    {
        let found = solver(command).unwrap_err().to_string();
        assert!(found.contains(error), "{found}");
    }
    assert!(FlatZincSolver::find("external:sh").is_none());
}

#[test]
fn the_objective_becomes_an_output_variable() {
    let copy = |text: &str| {
        let mut copied = String::new();
        let file = copy_with_objective(text).unwrap()?;
        std::fs::File::open(file.path()).unwrap().read_to_string(&mut copied).unwrap();
        Some(copied)
    };
    let text = "% minimize this\npredicate p(var int: x);\nvar 0..9: xs :: output_var;\n\
                var 0..9: x :: is_defined_var;\nconstraint p(x);\nsolve :: int_search([x], input_order) maximize x;\n";
    assert_eq!(copy(text).unwrap(), text.replace("x :: is_d", "x :: output_var :: is_d"));
    for same in [
        "var 0..9: x :: output_var;\nsolve maximize x;\n",
        "var 0..9: x;\nsolve satisfy;\n",
        "var 0..9: xy;\nsolve maximize x;\n",
    ] {
        assert_eq!(copy(same), None);
    }
}
