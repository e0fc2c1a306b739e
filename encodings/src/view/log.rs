//! The log view: the bits of `x - min`.
//!
//! Example: the domain {-1, 0, 1, 2} has two bits b1 and b0 with `x = -1 + 2 b1 + b0`, and needs no clauses. For the
//! domain {-1, 0, 1}, the clause `-b1 -b0` excludes the value 2.
//!
//! Each bound `x <= v` that is needed gets a new literal, defined by clauses over the bits. Let c = v - min. For each
//! bit k that is 0 in c, there is a clause `x<=v -> -b[k] or -b[i] or -b[j] or ..`, where i, j, .. are the higher bits
//! that are 1 in c. The negation `-x<=v` is equivalent to `x >= w`, where w is the next value of the domain, and has
//! symmetric clauses. If there is a gap between v and w, these clauses exclude the values in the gap.
//!
//! Size for w bits: w variables; at most w clauses for the maximum; 1 variable and at most 2w clauses for each gap and
//! each literal `x <= v`; 1 variable and w + 1 clauses for each literal `x = v`. Channelling to an order view of d
//! values takes fewer than 2d clauses. There is one clause for each bit and each maximal interval [u, v] of values that
//! agree in this bit. The clause states that `u <= x` and `x <= v` imply the value of the bit. Channelling to a direct
//! view of d values takes `w * d` clauses. Strength: unit propagation derives all other literals from the values of all
//! bits, all bits from `x = v`, and weaker bounds from a bound. If only some of the bits have values, unit propagation
//! may fail to derive bounds that follow from them.
//!
//! Paper: Iwama, Miyazaki: *SAT-variable complexity of hard combinatorial problems*, IFIP 1994. Unlike in the paper,
//! negative numbers are represented by an offset instead of a sign bit. The clauses for bounds and for channelling to
//! the order view are folklore.

use gordian_proofs::ProofError;

use super::view;
use crate::encode::{EncodingRow, Strength};
use crate::int::{Bound, Domain, IntVar, Log, Relation, Value, has};
use crate::lit::{FALSE, Lit, TRUE};
use crate::sink::Sink;

pub(super) const ROW: EncodingRow = view(
    "log",
    "Iwama, Miyazaki: SAT-variable complexity of hard combinatorial problems, IFIP 1994",
    Strength::TotalAssignments,
    false,
);

impl Sink<'_> {
    /// Returns the log view of an integer variable. The first call creates the view.
    pub fn log(&mut self, x: IntVar) -> Log {
        if let Some(view) = &self.views(x).log {
            return view.clone();
        }
        self.written_as(super::ROW.name, |sink| match sink.affine(x) {
            Some(affine) => sink.log_of_view(x, affine),
            None if sink.domains().is_lazy(x) => sink.log_of_lazy(x),
            None => sink.make_log(x),
        })
    }

    fn make_log(&mut self, x: IntVar) -> Log {
        let domain = self.domain(x);
        let width = Log::width(&domain);
        let mut bits: Vec<Lit> = (1..width).map(|_| self.always().fresh()).collect();
        let (order, direct) = (self.views(x).order.clone(), self.views(x).direct.clone());
        if width > 0 {
            // The most significant bit is the negation of a bound, whose literal may already exist.
            let half = domain.min().wrapping_add(((1_u128 << (width - 1)) - 1) as Value);
            let lower_half = self.literal(x, Relation::AtMost, half);
            let value = domain.at_or_below(half).expect("it is at least the minimum");
            if direct.is_none() {
                self.mark(Bound { variable: x, relation: Relation::AtMost, value });
                self.link(x, value, lower_half);
            }
            bits.push(!lower_half);
        }
        self.refuse(ProofError::Unsupported("integers with more than 10000 values"));
        let log = Log { min: domain.min(), bits };
        self.views_mut(x).log = Some(log.clone());
        match (order, direct) {
            (Some(order), _) => {
                self.channel_order_and_log(&domain.values().collect::<Vec<_>>(), &order, &log);
            }
            (None, Some(direct)) => {
                self.channel_direct_and_log(&domain.values().collect::<Vec<_>>(), &direct, &log);
            }
            (None, None) => self.keep_within(x, &domain, &log),
        }
        log
    }

    /// Excludes the bit patterns that represent no value of the domain.
    fn keep_within(&mut self, x: IntVar, domain: &Domain, log: &Log) {
        self.always().bits_at_most(&log.bits, log.offset(domain.max()));
        for (last, next) in domain.holes() {
            let bound = Bound { variable: x, relation: Relation::AtMost, value: last };
            let lit = self.literal(x, Relation::AtMost, last);
            self.mark(bound);
            self.define_at_most(log, bound, next, lit);
        }
    }

    /// Defines the literal of a bound by clauses over the bits.
    pub(super) fn define_by_log(&mut self, log: &Log, bound: Bound, lit: Lit) {
        match bound.relation {
            Relation::AtMost => {
                let next = self.domains().of(bound.variable).above(bound.value);
                self.define_at_most(log, bound, next.expect("the maximum has no literal"), lit);
            }
            Relation::Equal => {
                let offset = log.offset(bound.value);
                let same: Vec<Lit> = (0..log.bits.len())
                    .map(|k| if has(offset, k) { log.bits[k] } else { !log.bits[k] })
                    .collect();
                let mut sink = self.always();
                for &bit in &same {
                    sink.clause(&[!lit, bit]);
                }
                sink.clause_of(same.iter().map(|&bit| !bit).chain([lit]));
            }
        }
    }

    /// Defines `lit <-> x <= bound.value` by clauses over the bits, and adds the implications between `lit` and the
    /// nearest bounds. `next` is the next larger value of the domain.
    fn define_at_most(&mut self, log: &Log, bound: Bound, next: Value, lit: Lit) {
        self.always().when(lit).bits_at_most(&log.bits, log.offset(bound.value));
        self.always().when(!lit).bits_at_least(&log.bits, log.offset(next));
        self.link(bound.variable, bound.value, lit);
    }

    /// Writes the implications between the literal `x <= value` and the nearest existing bounds below and above
    /// `value`.
    pub(super) fn link(&mut self, x: IntVar, value: Value, lit: Lit) {
        let chain = &mut self.views_mut(x).chain;
        let before = chain.range(..value).next_back().map(|(_, &lit)| lit);
        let after = chain.range(value..).next().map(|(_, &lit)| lit);
        if chain.insert(value, lit).is_some() {
            return;
        }
        let mut sink = self.always();
        sink.clause(&[!before.unwrap_or(FALSE), lit]);
        sink.clause(&[!lit, after.unwrap_or(TRUE)]);
    }

    /// Considers each bit and each maximal interval of values that agree in this bit. Encodes that the bit has this
    /// value if x is in the interval.
    pub(super) fn channel_order_and_log(&mut self, values: &[Value], order: &[Lit], log: &Log) {
        let mut sink = self.always();
        for (k, &bit) in log.bits.iter().enumerate() {
            let mut first = 0;
            while first < values.len() {
                let set = has(log.offset(values[first]), k);
                let run =
                    values[first..].iter().take_while(|&&value| has(log.offset(value), k) == set).count();
                let below = first.checked_sub(1).map_or(FALSE, |index| order[index]);
                let at_most = order.get(first + run - 1).copied().unwrap_or(TRUE);
                sink.clause(&[below, !at_most, if set { bit } else { !bit }]);
                first += run;
            }
        }
    }

    /// Encodes that each literal `x = v` implies the bits of v.
    pub(super) fn channel_direct_and_log(&mut self, values: &[Value], direct: &[Lit], log: &Log) {
        let mut sink = self.always();
        for (&value, &equal) in values.iter().zip(direct) {
            for (k, &bit) in log.bits.iter().enumerate() {
                sink.clause(&[!equal, if has(log.offset(value), k) { bit } else { !bit }]);
            }
        }
    }
}
