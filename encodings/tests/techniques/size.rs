//! Variables and clauses are as many as declared.

use crate::samples::cases;
use gordian_encodings::Size;

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
