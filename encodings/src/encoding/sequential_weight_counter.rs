//! Sequential weight counter: unary registers add up the terms of a sum one by one.
//!
//! The register `s[i][j]` is true if the first i terms add up to at least j. A term is a ladder, as in `inequality.rs`: a
//! group of literals, one for each weight, of which the greatest true one counts. For a step with the literal x and the
//! weight w, the clauses are `s[i-1][j] -> s[i][j]`, `x, s[i-1][j-w] -> s[i][j]`, and `x -> -s[i-1][k+1-w]` for the bound
//! k.
//!
//! Example: `2 a + b + c <= 2` has the registers `s[1][1]`, `s[1][2]` and `s[2][2]`, of which the first two are a. The
//! clauses are `b -> -a`, `a -> s[2][2]`, and `c -> -s[2][2]`.
//!
//! Asymptotic size for n terms with d steps each: O(n k) variables, O(n k d) clauses. Strength: domain consistent for `<=`
//! and `>=`; `=` and `!=` check total assignments only. The encoding does not preserve the number of solutions.
//!
//! A ladder that reaches a step also reaches all lower steps. A clause for a step is therefore redundant if the clauses for
//! lower steps imply it. In an equation, a clause of one inequality may be redundant because of the clauses of the other.
//!
//! Derivation in proofs: each register is defined by the inequality that it stands for.
//!
//! Paper: Hölldobler, Manthey, Steinke: *A compact encoding of pseudo-Boolean constraints into SAT*, KI 2012; for groups,
//! Bofill, Coll, Nightingale, Suy, Ulrich-Oltean, Villaret: *SAT encodings for pseudo-Boolean constraints together with
//! at-most-one constraints*, Artificial Intelligence 302, 2022. Unlike in these papers, the groups are order views of
//! integers, registers that exceed the first i terms or that the rest of the sum cannot lead above the bound are omitted,
//! and so are registers of the first term.
//!
//! ```
//! use gordian_encodings::constraint::Linear;
//! use gordian_encodings::encoding::sequential_weight_counter::SEQUENTIAL_WEIGHT_COUNTER;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [a, b, c] = [0; 3].map(|_| model.boolean());
//! model.post(Linear::at_most([(2, a.into()), (1, b.into()), (1, c.into())], 2));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&SEQUENTIAL_WEIGHT_COUNTER), &mut cnf);
//! // Variable 4 is s[2][2].
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["-2 -1 0", "-1 4 0", "-3 -4 0"]);
//! ```

use super::inequality::{self, Inequality, Ladder, top};
use super::unary::at_least;
use super::{Encoding, ModelCount, Strength};
use crate::constraint::Linear;
use crate::int::Domains;
use crate::lit::{FALSE, Lit, TRUE};
use crate::sink::Sink;

/// Encodes linear constraints with sequential weight counters.
pub static SEQUENTIAL_WEIGHT_COUNTER: Encoding<Linear> = Encoding {
    name: "sequential-weight-counter",
    paper: "Hölldobler, Manthey, Steinke: A compact encoding of pseudo-Boolean constraints into SAT, KI 2012",
    strength: Strength::TotalAssignments,
    count: ModelCount::Lost,
    derived: true,
    applies,
    encode: |linear, sink| inequality::each(linear, sink, write),
};

/// The encoding applies if the registers have at most this many clauses.
const MOST_CLAUSES: u128 = 1 << 22;

fn applies(linear: &Linear, domains: Domains<'_>) -> bool {
    let clauses = |(ladders, most): &(Vec<Vec<u128>>, u128)| {
        let steps: usize = ladders.iter().map(|ladder| ladder.len() + 1).sum();
        most.saturating_mul(steps as u128)
    };
    inequality::applies(linear, domains)
        && inequality::weights(linear, domains).iter().all(|side| clauses(side) <= MOST_CLAUSES)
}

fn write(inequality: &Inequality, sink: &mut Sink<'_>) {
    let ladders = &inequality.ladders;
    let most = inequality.most as usize;
    let mut rest: usize = ladders.iter().map(|ladder| top(ladder) as usize).sum();
    let (mut sum, mut before) = (0, Vec::new());
    for (index, ladder) in ladders.iter().enumerate() {
        let height = top(ladder) as usize;
        for &(weight, step) in ladder {
            sink.clause(&[!step, !at_least(&before, most + 1 - weight as usize)]);
        }
        rest -= height;
        sum += height;
        // With smaller sums, the rest cannot exceed the bound.
        let open = most.saturating_sub(rest);
        if rest > 0 {
            before = add(&before, &ladders[..=index], [open, most.min(sum)], &mut sink.always());
        }
    }
}

/// Returns the registers for the sum of the ladders up to the greatest one, given the registers without the last ladder.
/// Registers up to `open` are true.
fn add(before: &[Lit], ladders: &[Ladder], [open, most]: [usize; 2], sink: &mut Sink<'_>) -> Vec<Lit> {
    let (ladder, others) = ladders.split_last().expect("there is a ladder");
    let mut registers = vec![TRUE; open.min(most)];
    for sum in open + 1..=most {
        if others.is_empty() {
            let step = ladder.iter().find(|&&(weight, _)| weight as usize >= sum);
            registers.push(step.map_or(FALSE, |&(_, step)| step));
            continue;
        }
        let register = sink.fresh();
        registers.push(register);
        if sink.is_logged() {
            sink.stands_for_sum(register, &inequality::terms(ladders), sum as i128);
        }
        sink.clause(&[!at_least(before, sum), register]);
        for &(weight, step) in ladder {
            let needed = at_least(before, sum.saturating_sub(weight as usize));
            // A register with the same literal as another implies the sum without the step.
            if needed != at_least(before, sum) {
                sink.clause(&[!step, !needed, register]);
            }
            if needed == TRUE {
                break;
            }
        }
    }
    registers
}
