//! Variables and clauses are as many as declared.

use crate::samples::cases;
use gordian_encodings::constraint::Cardinality;
use gordian_encodings::{Cnf, Encodings, Meaning, Model, Size};

#[test]
fn variables_and_clauses_are_as_declared() {
    let mut tried = 0;
    let mut wrong = Vec::new();
    for case in cases().into_iter().filter(|case| case.plain) {
        let Some(Size { variables, clauses }) = case.size else { continue };
        let found = case.formula().size;
        if found != (Size { variables, clauses }) {
            wrong.push(format!("{}: declared {variables}, {clauses}, found {found:?}", case.label()));
        }
        tried += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tried > 0);
}

#[test]
fn sizes_of_cardinalities_are_as_declared_beyond_the_samples() {
    for n in 1..=70_usize {
        for (min, max) in [(0, 1), (0, n / 3), (n / 4, n), (n / 2, n / 2), (2, n - n / 3), (n - 1, n)] {
            for technique in Cardinality::techniques().iter().filter(|row| row.name != "binomial") {
                let mut model = Model::new();
                let lits: Vec<_> = (0..n).map(|_| model.boolean()).collect();
                let constraint = Cardinality::between(lits, min, max);
                let size = technique.size.expect("all have one");
                let Size { variables, clauses } = size(&constraint, model.domains());
                model.post(constraint);
                let mut encodings = Encodings::auto();
                encodings.choose("cardinality", technique.name).unwrap();
                let mut cnf = Cnf::default();
                model.encode(&encodings, &mut cnf);
                let found = (u64::from(cnf.variables()) - n as u64, cnf.len() as u64);
                assert_eq!(found, (variables, clauses), "{} of {n}: {min}..={max}", technique.name);
            }
        }
    }
}
