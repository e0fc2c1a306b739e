use proptest::prelude::*;

use super::*;

type Clauses = Vec<(Vec<i32>, Option<u128>)>;

fn clauses(format: FormulaFormat, text: &str) -> Result<(u32, Clauses), String> {
    let mut clauses = Vec::new();
    let each = |read: DimacsClause<'_>| {
        clauses.push((read.literals.to_vec(), read.weight));
    };
    let formula = read("f", format, text.as_bytes(), each).map_err(|error| error.to_string())?;
    Ok((formula.variables, clauses))
}

#[test]
fn formulas() {
    let cnf = clauses(
        FormulaFormat::Cnf,
        "c a comment\np cnf 4 4\n1 -2 0 3\nc in between\n 0\n2 -2 0\r\n0\n%\n0\n",
    )
    .unwrap();
    assert_eq!(cnf, (4, vec![(vec![1, -2], None), (vec![3], None), (vec![], None)]));
    let new = clauses(FormulaFormat::Wcnf, "c new\nh 1 2 0\n3 -1 0\n1 -2 5 -2 0\n").unwrap();
    assert_eq!(new, (5, vec![(vec![1, 2], None), (vec![-1], Some(3)), (vec![-2, 5], Some(1))]));
    let old = clauses(FormulaFormat::Wcnf, "p wcnf 2 2 10\n10 1 2 0\n3 -1 0\n").unwrap();
    assert_eq!(old, (2, vec![(vec![1, 2], None), (vec![-1], Some(3))]));
    let marked = clauses(FormulaFormat::Wcnf, "\u{feff}c new\nh 1 0\n").unwrap();
    assert_eq!(marked, (1, vec![(vec![1], None)]));
    assert_eq!(clauses(FormulaFormat::Cnf, "\u{feff}p cnf 1 1\r\n1 0").unwrap(), (1, vec![(vec![1], None)]));
    assert_eq!(clauses(FormulaFormat::Wcnf, "").unwrap(), (0, vec![]));
    assert_eq!(clauses(FormulaFormat::Cnf, "p cnf 0 0").unwrap(), (0, vec![]));
}

#[test]
fn cardinality_constraints() {
    let mut read = Vec::new();
    let text = "c KNF\np knf 4 4\n1 -2 1 0\nk 2 3 -1 3 0\nk 0 0\n2 -2 0\n";
    let each = |clause: DimacsClause<'_>| read.push((clause.literals.to_vec(), clause.bound, clause.line));
    let formula = super::read("f", FormulaFormat::Knf, text.as_bytes(), each).unwrap();
    assert_eq!(formula.variables, 4);
    assert_eq!(read, [(vec![1, -2], None, 3), (vec![3, -1, 3], Some(2), 4), (vec![], Some(0), 5)]);
    let error = |text| clauses(FormulaFormat::Knf, text).unwrap_err();
    assert_eq!(
        error("p knf 2 1\nk -1 1 0\n"),
        "f:2:3: expected the number of literals that must be true, found `-1`"
    );
    assert_eq!(
        error("p knf 2 1\nk 1 1\n"),
        "f:3:1: expected 0, the end of the clause, found the end of the file"
    );
    assert_eq!(error("p cnf 2 1\nk 1 1 0\n"), "f:1:3: expected `knf` (`gordian sat` reads CNF), found `cnf`");
}

#[test]
fn kinds_of_counting() {
    let of = |text: &str| read("f", FormulaFormat::Cnf, text.as_bytes(), |_| {}).unwrap();
    assert_eq!(of("c t pmc\np cnf 3 0\nc p show 3 1 0\n").projection, Some(vec![1, 3]));
    assert_eq!(of("c t mc\np cnf 3 0\nc p show 3 1 0\n").projection, None);
    assert_eq!(of("p cnf 3 0\nc p weight 1 0.5 0\nc t wmc\n").weights, Some((2, 1)));
    assert_eq!(of("c t pwmc\np cnf 3 0\n").weights, Some((1, 1)));
    assert_eq!(of("c t\nc p weights 1\np cnf 3 0\n").weights, None);
}

#[test]
fn large_weights() {
    let of = |text| clauses(FormulaFormat::Wcnf, text);
    let text = "9223372036854775808 1 0\n1208925819614629174706176 2 0\n";
    assert_eq!(of(text).unwrap().1, [(vec![1], Some(1 << 63)), (vec![2], Some(1 << 80))]);
    assert_eq!(
        of("1208925819614629174706177 1 0\n").unwrap_err(),
        "f:1:1: expected the weight of a clause, at most 2^80, found `1208925819614629174706177`"
    );
    let old = "p wcnf 1 2 99999999999999999999999999999\n99999999999999999999999999999 1 0\n7 -1 0\n";
    assert_eq!(of(old).unwrap().1, [(vec![1], None), (vec![-1], Some(7))]);
}

#[test]
fn errors_have_positions() {
    let error = |format, text| clauses(format, text).unwrap_err();
    assert_eq!(
        error(FormulaFormat::Cnf, "c\n1 2 0\n"),
        "f:2:1: expected the header `p cnf VARIABLES CLAUSES` (`gordian solve` reads boards and models), found `1`"
    );
    assert_eq!(
        error(FormulaFormat::Cnf, "h 1 2 0\n"),
        "f:1:1: expected the header `p cnf VARIABLES CLAUSES` (`gordian opt` reads WCNF), found `h`"
    );
    assert_eq!(
        error(FormulaFormat::Cnf, "p wcnf 1 1\n"),
        "f:1:3: expected `cnf` (`gordian opt` reads WCNF), found `wcnf`"
    );
    assert_eq!(
        error(FormulaFormat::Wcnf, "p cnf 1 1\n"),
        "f:1:3: expected `wcnf` (`gordian sat` reads CNF), found `cnf`"
    );
    assert_eq!(
        error(FormulaFormat::Cnf, "p cnf 1 1\n1 0\n%\n0\n-1 0\n"),
        "f:5:1: expected the end of the file after `%`, found `-1`"
    );
    assert_eq!(
        error(FormulaFormat::Cnf, "p cnf 1 1\n1 0\n%\n-1 0\n"),
        "f:4:1: expected `0` after `%`, found `-1`"
    );
    assert_eq!(
        error(FormulaFormat::Cnf, "p cnf 1 1\n1 0\n%%\n"),
        "f:3:1: expected a literal or 0, the end of the clause, found `%%`"
    );
    assert_eq!(
        error(FormulaFormat::Cnf, "p cnf 2 1\n1 -3 0\n"),
        "f:2:3: expected a literal of a variable up to 2, found `-3`"
    );
    assert_eq!(
        error(FormulaFormat::Cnf, "p cnf 2 1\n1 x 0\n"),
        "f:2:3: expected a literal or 0, the end of the clause, found `x`"
    );
    assert_eq!(
        error(FormulaFormat::Cnf, "p cnf 2 1\n1 2\n"),
        "f:3:1: expected 0, the end of the clause, found the end of the file"
    );
    assert_eq!(
        error(FormulaFormat::Cnf, "p cnf 2 2\n1 2 0\n"),
        "f:3:1: expected 2 clauses, as the header says, found 1 clause"
    );
    assert_eq!(
        error(FormulaFormat::Cnf, "p cnf 1 1\n1 0\n-1 0\n1 0\n"),
        "f:3:4: expected 1 clause, as the header says, found one more clause"
    );
    assert!(
        error(FormulaFormat::Cnf, "p cnf 4000000000 1\n")
            .contains("the number of variables, at most 100000000")
    );
    assert!(
        error(FormulaFormat::Cnf, "p cnf 1\n").contains("the number of clauses, found the end of the file")
    );
    assert!(error(FormulaFormat::Cnf, "p cnf 1 1 1\n").contains("the end of the header"));
    assert!(error(FormulaFormat::Wcnf, "1.5 2 0\n").contains("`h` or the weight of a clause, found `1.5`"));
    assert!(error(FormulaFormat::Wcnf, "h 2").contains("0, the end of the clause"));
    assert!(error(FormulaFormat::Cnf, "").contains("found the end of the file"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn reading_never_panics(
        words in proptest::collection::vec(
            prop_oneof![
                Just("p"), Just("cnf"), Just("wcnf"), Just("knf"), Just("k"), Just("h"), Just("0"), Just("\n"), Just("c"), Just("%"),
                Just("-"), Just("1"), Just("-2"), Just("99999999999999999999"), Just("-9223372036854775808"),
                Just("2147483647"), Just("\u{fffd}"), Just("p cnf 3 2\n"), Just("p wcnf 3 2 7\n"),
            ],
            0..20,
        ),
        bytes in proptest::collection::vec(any::<u8>(), 0..40),
    ) {
        for format in [FormulaFormat::Cnf, FormulaFormat::Knf, FormulaFormat::Wcnf] {
            let _ = clauses(format, &words.join(" "));
            let _ = read("f", format, &bytes[..], |_| {});
        }
    }
}
