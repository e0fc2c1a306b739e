use super::*;

fn clauses(clauses: &[&[i32]]) -> (Vec<Lit>, Vec<usize>) {
    let lit = |&number: &i32| Lit::new(number.unsigned_abs() - 1, number < 0);
    let mut ends = Vec::new();
    let mut lits = Vec::new();
    for clause in clauses {
        lits.extend(clause.iter().map(lit));
        ends.push(lits.len());
    }
    (lits, ends)
}

#[test]
fn only_needed_clauses_remain() {
    use Step::{Delete, Given, Learnt};
    let (lits, ends) = clauses(&[&[1, 2], &[1, -2], &[-1, 2], &[-1, -2], &[3, 4], &[1, 4], &[1], &[2, 3]]);
    let steps = [Given, Given, Given, Given, Given, Learnt, Learnt, Delete(0), Learnt];
    let trimmed = trim(&lits, &ends, &steps, None).unwrap();
    assert_eq!(trimmed.learnt.iter().map(|(clause, _)| *clause).collect::<Vec<_>>(), [6]);
    assert_eq!(trimmed.learnt[0].1.len(), 2);
    assert!(trimmed.learnt[0].1.iter().all(|hint| [0, 1].contains(hint)));
    assert_eq!(trimmed.conflict.len(), 3);
    assert_eq!(trimmed.conflict[0], 6);
}

#[test]
fn what_is_no_refutation_is_an_error() {
    use Step::{Delete, Given, Learnt};
    let (lits, ends) = clauses(&[&[1, 2], &[1, -2], &[-1]]);
    assert_eq!(trim(&lits, &ends, &[Given; 2], None).unwrap_err(), TrimError::NoConflict);
    assert_eq!(trim(&lits, &ends, &[Given, Given, Learnt], None).unwrap_err(), TrimError::NotImplied(2));
    let (lits, ends) = clauses(&[&[1, 2], &[1, -2], &[-1, 3], &[-1, -3], &[1]]);
    let steps = [Given, Given, Given, Given, Delete(0), Learnt];
    assert_eq!(trim(&lits, &ends, &steps, None).unwrap_err(), TrimError::NotImplied(4));
}

#[test]
fn roots_are_needed_without_a_contradiction() {
    use Step::{Delete, Given, Learnt};
    let (lits, ends) = clauses(&[&[1, 2], &[1, -2], &[2, 3], &[1, 3], &[1, 4]]);
    let steps = [Given, Given, Given, Learnt, Learnt, Delete(3)];
    let trimmed = trim(&lits, &ends, &steps, Some(&[3])).unwrap();
    assert_eq!(trimmed.conflict, []);
    assert_eq!(trimmed.learnt.iter().map(|(clause, _)| *clause).collect::<Vec<_>>(), [3]);
    assert_eq!(trim(&lits, &ends, &steps, Some(&[])).unwrap().learnt, []);
}
