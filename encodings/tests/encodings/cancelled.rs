//! Tests that the clauses written before a cancellation are the first clauses of the formula, and that the cancellation
//! does not affect later encodings.

use crate::formula::Case;
use crate::samples::cases;
use gordian_encodings::{Cancelled, Cnf, cancellable};

/// Encodes a case, and cancels the encoding at the clause with the given number. Returns the clauses that were written
/// before the cancellation.
fn written(case: &Case, number: usize) -> (Cnf, Result<(), Cancelled>) {
    let (mut cnf, mut asked) = (Cnf::default(), 0);
    let give_up = move || {
        asked += 1;
        asked == number
    };
    let result = cancellable(1, give_up, || {
        let mut encoded = case.model.encode(&case.encodings, &mut cnf);
        encoded.sink(&mut cnf).post(&*case.constraint);
    });
    (cnf, result)
}

#[test]
fn every_encoding_can_be_cancelled_at_any_clause() {
    let mut given_up = 0;
    for (turn, case) in cases().iter().enumerate() {
        let (whole, result) = written(case, usize::MAX);
        assert_eq!(result, Ok(()), "{}", case.label());
        if whole.is_empty() {
            continue;
        }
        // Each case is cancelled at its first clause, at its last clause, and at one other clause, because cancelling
        // at every clause would take too long.
        for number in [1, 1 + turn % whole.len(), whole.len()] {
            let (cnf, result) = written(case, number);
            assert_eq!(result, Err(Cancelled), "{} at {number}", case.label());
            assert!(cnf.iter().eq(whole.iter().take(number - 1)), "{} at {number}", case.label());
            given_up += 1;
        }
        assert_eq!(written(case, usize::MAX), (whole, Ok(())), "{}", case.label());
    }
    assert!(given_up > 0);
}
