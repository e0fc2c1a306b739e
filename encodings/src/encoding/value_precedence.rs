//! Encodes value precedence with one literal for each position and each prefix of the chain. The literal is true if all
//! values of the prefix occur up to the position.
//!
//! Let `v[1] .. v[m]` be the chain. The literal `y[i][k]` is true if `v[1] .. v[k]` all occur among the first i
//! integers. The literal `p[i][k]` is true if integer i has one of the values `v[k] .. v[m]`. The clauses are:
//!
//! * `p[i][k] -> y[i-1][k-1]`: a value occurs only after the previous value of the chain;
//! * `p[i][k] -> y[i][k]` and `y[i-1][k] -> y[i][k]`;
//! * `y[i][k] -> y[i-1][k-1]` and `y[i][k] -> y[i-1][k] or x[i]=v[k]`.
//!
//! If the chain is ascending and all other values of integer i are smaller, `p[i][k]` is the literal `x[i] >= v[k]`.
//! Otherwise, `p[i][k]` is defined by `p[i][k] <-> x[i]=v[k] or p[i][k+1]`. A value that is repeated in the chain
//! would have to precede itself. Such a value and all later values of the chain are therefore excluded.
//!
//! Example: for the chain 1, 2, 3 and three integers, the clauses are `x[1]=1` (no other value of the chain can be
//! first), `x[2] <= 2`, and `x[3] >= 3 -> x[2] >= 2`.
//!
//! Size, asymptotically: O(n m) variables and O(n (m + d)) clauses for n integers that each have at most d values
//! outside the chain. Strength: domain consistent if the domains have at most 2^16 values. Each integer extends the
//! prefix by at most one value, so it suffices to propagate bounds on the length of the prefix. The encoding preserves
//! the number of solutions. In the negation of the constraint, `y[i][k]` is true if `v[k]` occurs among the first i
//! integers. The negation requires that some `x[i]=v[k]` holds although `y[i-1][k-1]` is false.
//!
//! The clauses for a prefix are redundant if the following integers determine whether the prefix has occurred.
//!
//! Paper: Law, Lee: *Global constraints for integer and set value precedence*, CP 2004; the states are as in Walsh:
//! *Symmetry breaking using value precedence*, ECAI 2006. Unlike in the papers, the length of the prefix is encoded in
//! unary, like an integer in the order view.
//!
//! ```
//! use gordian_encodings::constraint::ValuePrecedence;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let colours = model.integers::<3>(1..=3);
//! model.post(ValuePrecedence::new(colours, [1, 2, 3]));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto(), &mut cnf);
//! assert!(cnf.iter().any(|clause| clause.len() == 1), "the first colour is 1");
//! ```

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::ValuePrecedence;
use crate::int::{IntVar, Value};
use crate::lit::{FALSE, Lit, TRUE};
use crate::sink::Sink;

/// Encodes value precedence with one literal for each position and each prefix of the chain.
pub static PREFIX: Encoding<ValuePrecedence> = Encoding {
    name: "prefix",
    paper: "Walsh: Symmetry breaking using value precedence, ECAI 2006",
    strength: Strength::DomainConsistent,
    count: ModelCount::Kept,
    derived: false,
    applies: always,
    encode,
};

/// Values outside the chain are enumerated only in domains of at most this size.
const MOST_VALUES: u128 = 1 << 16;

fn encode(precedence: &ValuePrecedence, sink: &mut Sink<'_>) {
    let ints = sink.integers_for(&precedence.exprs);
    if !precedence.holds {
        return out_of_order(&ints, &precedence.values, sink);
    }
    let values = &precedence.values;
    let repeated = values.iter().position(|value| values.iter().filter(|&v| v == value).count() > 1);
    let (chain, impossible) = values.split_at(repeated.unwrap_or(values.len()));
    for &x in &ints {
        for &value in impossible {
            let equal = sink.equals(x, value);
            sink.clause(&[!equal]);
        }
    }
    // The literals `y[k]` for the integers before the current one. `y[0]` is always true.
    let mut before = vec![FALSE; chain.len() + 1];
    before[0] = TRUE;
    for (number, &x) in ints.iter().enumerate() {
        let reached = ranks(x, chain, sink);
        let mut after = before.clone();
        for (index, &value) in chain.iter().enumerate() {
            let (p, [shorter, longer]) = (reached[index], [before[index], before[index + 1]]);
            sink.clause(&[!p, shorter]);
            if shorter == FALSE {
                break;
            }
            if number + 1 == ints.len() {
                continue;
            }
            let equal = sink.equals(x, value);
            let y = match (longer, equal) {
                (_, FALSE) => longer,
                (FALSE, _) => equal,
                _ => sink.fresh(),
            };
            sink.clause(&[!p, y]);
            sink.clause(&[!longer, y]);
            sink.clause(&[!y, shorter]);
            sink.clause(&[!y, longer, equal]);
            after[index + 1] = y;
        }
        before = after;
    }
}

/// Returns, for each value of the chain, the literal that is true if x equals this value or a later value of the
/// chain.
fn ranks(x: IntVar, chain: &[Value], sink: &mut Sink<'_>) -> Vec<Lit> {
    let domain = sink.domain(x);
    let possible: Vec<Value> = chain.iter().copied().filter(|&value| domain.contains(value)).collect();
    let Some(&first) = possible.first() else { return vec![FALSE; chain.len()] };
    let others = domain.size() - possible.len() as u128;
    let below = domain.index(first).map(|index| index as u128);
    let mut ranks = Vec::with_capacity(chain.len());
    if possible.is_sorted() && below == Some(others) {
        let mut later = FALSE;
        for &value in chain.iter().rev() {
            if domain.contains(value) {
                later = sink.at_least(x, value);
            }
            ranks.push(later);
        }
    } else {
        let sink = &mut sink.always();
        let mut later = FALSE;
        for &value in chain.iter().rev() {
            let equal = sink.equals(x, value);
            if equal != FALSE {
                let rank = match later {
                    FALSE => equal,
                    _ if value == first && others == 0 => TRUE,
                    _ => sink.fresh(),
                };
                if rank != equal {
                    sink.clause(&[!equal, rank]);
                    sink.clause(&[!equal, !later]);
                    sink.clause(&[!later, rank]);
                    sink.clause(&[!rank, equal, later]);
                }
                later = rank;
            }
            ranks.push(later);
        }
        if others > 0 && domain.size() <= MOST_VALUES {
            let mut none = vec![later];
            for value in domain.values().filter(|value| !possible.contains(value)) {
                let equal = sink.equals(x, value);
                sink.clause(&[!equal, !later]);
                none.push(equal);
            }
            sink.clause(&none);
        }
    }
    ranks.reverse();
    ranks
}

/// Posts the negation of the constraint: some value of the chain occurs without an earlier occurrence of the previous
/// value.
fn out_of_order(ints: &[IntVar], chain: &[Value], sink: &mut Sink<'_>) {
    let mut early = Vec::new();
    let mut seen = vec![FALSE; chain.len()];
    for &x in ints {
        let equal: Vec<Lit> = chain.iter().map(|&value| sink.equals(x, value)).collect();
        for (pair, &before) in equal.windows(2).zip(&seen) {
            early.push(sink.and(&[pair[1], !before]));
        }
        for (seen, &equal) in seen.iter_mut().zip(&equal) {
            *seen = sink.or(&[*seen, equal]);
        }
    }
    sink.clause(&early);
}
