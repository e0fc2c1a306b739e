//! Propagation of clauses and parity constraints.

use gordian_encodings::Value;

use super::{Status, Store};
use crate::constraint::Ref;

/// Replaces each literal by the root of its class of equal variables, and removes literals that equal the constant
/// `neutral`.
pub(super) fn resolve(lits: &mut Vec<Ref>, neutral: Value, store: &Store) {
    for lit in lits.iter_mut() {
        *lit = store.resolve(*lit);
    }
    lits.retain(|&lit| lit != Ref::Const(neutral));
}

/// Returns whether a clause is true, false or undecided. Each literal must be a root, the negation of a root, or a
/// constant.
pub(super) fn clause_status(lits: &[Ref]) -> Status {
    if lits.contains(&Ref::Const(1)) {
        Status::True
    } else if lits.iter().all(|&lit| lit == Ref::Const(0)) {
        Status::False
    } else {
        Status::Open
    }
}

/// Propagates a clause. Each literal must be a root, the negation of a root, or a constant.
pub(super) fn clause(lits: &mut Vec<Ref>, store: &mut Store) -> Status {
    lits.sort_unstable();
    lits.dedup();
    let tautology = || {
        let mut sorted: Vec<_> = lits.iter().map(|lit| lit.variable()).collect();
        sorted.sort_unstable();
        sorted.windows(2).any(|pair| pair[0] == pair[1])
    };
    if lits.contains(&Ref::Const(1)) || tautology() {
        return Status::True;
    }
    match lits[..] {
        [] => {
            store.infeasible = true;
            Status::True
        }
        [lit] => {
            store.assign(lit, 1);
            Status::True
        }
        _ => Status::Open,
    }
}

/// Simplifies a parity constraint: replaces each literal by an unnegated root, and removes constants and pairs of equal
/// literals.
pub(super) fn resolve_parity(lits: &mut Vec<Ref>, odd: &mut bool, store: &Store) {
    for lit in lits.iter_mut() {
        *lit = store.resolve(*lit);
        if let Ref::Not(x) = *lit {
            *lit = Ref::Var(x);
            *odd = !*odd;
        }
    }
    *odd ^= lits.iter().filter(|&&lit| lit == Ref::Const(1)).count() % 2 == 1;
    lits.retain(|lit| lit.variable().is_some());
    lits.sort_unstable();
    let mut kept: Vec<Ref> = Vec::with_capacity(lits.len());
    for &lit in lits.iter() {
        if kept.last() == Some(&lit) {
            kept.pop();
        } else {
            kept.push(lit);
        }
    }
    *lits = kept;
}

/// Propagates a parity constraint. Each literal must be a root, the negation of a root, or a constant.
pub(super) fn parity(lits: &[Ref], odd: bool, store: &mut Store) -> Status {
    match lits[..] {
        [] => store.infeasible |= odd,
        [lit] => store.assign(lit, Value::from(odd)),
        [a, b] => store.merge(a, if odd { !b } else { b }),
        _ => return Status::Open,
    }
    Status::True
}
