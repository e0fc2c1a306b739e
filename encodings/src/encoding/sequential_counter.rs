//! Sequential counter: unary registers count the true literals one by one.
//!
//! The register `s[i][j]` is true if at least j of the first i literals are true. An upper bound has the clauses
//! `s[i-1][j] -> s[i][j]` and `x[i], s[i-1][j-1] -> s[i][j]`. The clauses `-x[i] or -s[i-1][k]` enforce that at most
//! k literals hold. For exactly k literals, the converse clauses `s[i][j] -> s[i-1][j] or x[i]` and `s[i][j] ->
//! s[i-1][j-1]` are also needed.
//!
//! Size for at most k of n literals, 1 <= k < n: k(n-k) variables, (n-k)(2k+1) - k clauses, plus (n-k)(2k-1) clauses if
//! the number of solutions must be preserved. To require at least k of n literals, the encoding requires at most n-k of
//! their negations. Size for exactly k of n literals: k(n-k) variables and 4k(n-k) clauses. Strength: domain
//! consistent.
//!
//! Unlike in Sinz's paper, irrelevant registers are omitted. If j > i, the register `s[i][j]` is false. If `i-j >= n-k`
//! and only j of the first i literals are true, the count cannot exceed k even if all remaining literals are true.
//!
//! Derivation in proofs: each register is defined by the inequality `x[1] + ... + x[i] >= j`.
//!
//! ```
//! use gordian_encodings::constraint::Cardinality;
//! use gordian_encodings::encoding::sequential_counter::SEQUENTIAL_COUNTER;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [a, b, c] = [0; 3].map(|_| model.boolean());
//! model.post(Cardinality::at_most([a, b, c], 1));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&SEQUENTIAL_COUNTER), &mut cnf);
//! // Variables 4 and 5 are the registers.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), [
//!     "-1 4 0", "-4 5 0", "-2 5 0", "-2 -4 0", "-3 -5 0",
//! ]);
//! ```

use std::sync::Arc;

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::Cardinality;
use crate::lit::{FALSE, Lit, TRUE};
use crate::sink::Sink;

/// Sequential counter.
pub static SEQUENTIAL_COUNTER: Encoding<Cardinality> = Encoding {
    name: "sequential-counter",
    paper: "Sinz: Towards an optimal CNF encoding of Boolean cardinality constraints, CP 2005",
    strength: Strength::DomainConsistent,
    count: ModelCount::OnRequest,
    derived: true,
    applies: always,
    encode,
};

fn encode(constraint: &Cardinality, sink: &mut Sink<'_>) {
    let Some(Cardinality { lits, min, max }) = constraint.write_trivial(sink) else { return };
    if min == max {
        count(&lits, max, true, sink);
        return;
    }
    if max < lits.len() {
        count(&lits, max, false, sink);
    }
    if min > 0 {
        let negated: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        count(&negated, lits.len() - min, false, sink);
    }
}

/// Writes clauses that enforce that at most `k` of the literals hold, or exactly `k` if `exactly` is true. `k` must be
/// at least 1 and less than the number of literals.
fn count(lits: &[Lit], k: usize, exactly: bool, sink: &mut Sink<'_>) {
    let slack = lits.len() - k;
    let both_ways = exactly || sink.keeps_count();
    let logged: Option<Arc<[Lit]>> = sink.is_logged().then(|| lits.into());
    // `before[j]` is s[i-1][j]. The irrelevant registers after the last relevant one are replaced by `TRUE`.
    let mut before = vec![FALSE; k + 1];
    before[0] = TRUE;
    for (index, &lit) in lits.iter().enumerate() {
        let i = index + 1;
        let mut registers = vec![FALSE; k + 1];
        registers[0] = TRUE;
        for j in 1..=k.min(i) {
            let matters = i < j + slack;
            let register = if matters { sink.fresh() } else { TRUE };
            registers[j] = register;
            if let Some(lits) = &logged {
                sink.stands_for_first(register, (lits, i), j);
            }
            sink.clause(&[!before[j], register]);
            sink.clause(&[!lit, !before[j - 1], register]);
            if matters && both_ways || exactly {
                sink.clause(&[!register, before[j], lit]);
                sink.clause(&[!register, before[j - 1]]);
            }
        }
        sink.clause(&[!lit, !before[k]]);
        before = registers;
    }
}
