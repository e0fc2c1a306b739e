use super::*;

fn small() -> Opb {
    let mut opb = Opb::new();
    let [aa, bb, cc] = ["aa", "bb", "cc"].map(|name| opb.variable(name));
    opb.comment("a rule\nin two lines");
    opb.at_least([(2, aa), (-3, bb), (1, !aa), (1, cc), (-1, cc)], 1);
    opb.clause([!aa, bb, cc]);
    opb.exactly([aa, cc], 1);
    opb
}

#[test]
fn rows_are_in_normal_form() {
    let text = "* #variable= 3 #constraint= 4\n* a rule in two lines\n1 aa 3 ~bb >= 3 ;\n1 ~aa 1 bb 1 cc >= 1 ;\n\
                1 aa 1 cc >= 1 ;\n1 ~aa 1 ~cc >= 1 ;\n";
    assert_eq!(small().to_string(), text);
    let huge = Literal { variable: 0, negated: false };
    assert_eq!(OpbRow::at_least([(i128::MAX, huge), (1, huge)], 0), None);
    assert_eq!(OpbRow::at_least([(i128::MIN, huge)], 0), None);
}

#[test]
fn a_formula_is_read_as_it_is_written() {
    const TOO_LARGE: &str = "numbers whose absolute values add up to less than 2^62";
    let opb = small();
    let again = read(&opb.to_string()).unwrap();
    assert_eq!(again.rows(), opb.rows());
    let other = read("* c\nmin: +2 aa -1 ~bb ;\n1 aa 1 cc = 1 ;\n-1 aa <= -1 ;\n").unwrap();
    assert_eq!(other.rows().len(), 3);
    assert_eq!(other.objective().map(<[_]>::len), Some(2));
    for (text, expected) in [
        ("1 aa >= 1", "`;` at the end of the line"),
        ("1 aa 1 >= 1 ;", "a variable"),
        ("x aa >= 1 ;", "an integer"),
        ("1 ~~aa >= 1 ;", "at most one `~`"),
        ("1 aa == 1 ;", "`>=`, `<=` or `=`"),
        ("1 aa >= ;", "an integer"),
        ("1 aa >= 1 2 ;", "`;`"),
        ("min: 1 aa >= 1 ;", "the end of the objective"),
        ("min: 1 aa ;\nmin: 1 bb ;", "a row"),
        ("1 aa <= -170141183460469231731687303715884105728 ;", TOO_LARGE),
        ("1 aa 1 ~aa >= -9223372036854775808 ;", TOO_LARGE),
        ("2305843009213693952 aa 2305843009213693951 bb >= 1 ;", TOO_LARGE),
    ] {
        assert_eq!(read(text).unwrap_err().expected, expected, "{text}");
    }
    // The absolute values add up to 2^62 - 1.
    assert_eq!(read("2305843009213693952 aa 2305843009213693950 bb >= 1 ;").unwrap().rows.len(), 1);
}

#[test]
fn rows_that_are_not_stated_are_found() {
    let plain =
        read("1 aa >= 1 ;\n1 bb 1 cc = 1 ;\n1 ~aa 1 bb 1 dd >= 1 ;\n2 cc 3 dd 1 ee >= 3 ;\n").unwrap();
    let stated = |text: &str| unstated(&plain, &[], &read(text).unwrap()).is_empty();
    // `aa` is true, and `cc` is the negation of `bb`.
    for text in [
        "1 bb 1 dd >= 1 ;",
        "1 ~cc 1 dd >= 1 ;",
        "1 aa 1 ff >= 1 ;",
        "3 dd 1 ee 2 ~bb >= 3 ;",
        "1 ~bb >= 0 ;",
        "4 dd 1 ee 2 ~bb >= 3 ;",
    ] {
        assert_eq!(stated(text), !text.contains("ff"), "{text}");
    }
    for text in ["1 bb >= 1 ;", "1 bb 2 dd >= 2 ;", "3 dd 1 ee 2 ~bb >= 4 ;", "1 ~aa >= 1 ;", ">= 1 ;"] {
        assert!(!stated(text), "{text}");
    }
    let opposite = OpbRow::at_least([(1, plain.find("ee").unwrap())], 1).unwrap();
    let other = read("1 ee >= 1 ;").unwrap();
    assert_eq!(unstated(&plain, &[], &other).len(), 1);
    assert!(unstated(&plain, &[opposite], &other).is_empty());
    let violated = OpbRow::at_least([(-1, plain.find("ee").unwrap())], 1).unwrap();
    assert!(unstated(&plain, &[violated], &read(">= 1 ;\n").unwrap()).is_empty());
    let differences = unstated(&plain, &[], &read("1 aa >= 1 ;\n1 ee 1 ~dd >= 1 ;\n").unwrap());
    assert_eq!(differences, [Difference { row: 1, text: "1 ee 1 ~dd >= 1 ;".to_owned() }]);
}
