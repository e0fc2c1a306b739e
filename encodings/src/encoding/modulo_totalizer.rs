//! Modulo totalizers: a balanced tree of adders over numbers with two digits in unary.
//!
//! A node over n literals stands for the number of true literals as `q p + r` with a modulus p. The quotient q and the
//! remainder r < p are [unary numbers](super::totalizer). A node adds the remainders of its children, which gives a
//! carry c, and then their quotients and the carry:
//!
//! * `left.r >= i, right.r >= j` implies `r >= i+j or c` if i+j < p, `c` if i+j = p, and `r >= i+j-p` if i+j > p;
//! * `left.q >= i, right.q >= j` implies `q >= i+j`, and `left.q >= i, right.q >= j, c` implies `q >= i+j+1`.
//!
//! At most `K p + m` literals hold if `q <= K`, and `q < K` or `r <= m` at the root. At least l of n literals hold if at
//! most n-l of their negations hold.
//!
//! Example: for at most two of `x, y, z` and p = 2, the node over y and z has the remainder r and the carry c, with `y ->
//! r or c`, `z -> r or c` and `y, z -> c`. If the quotient of the root is 1, its remainder must be 0.
//!
//! * `modulo-totalizer`: p = ceil(sqrt n), and all quotients up to n/p.
//! * `k-modulo-totalizer`: no node has a quotient above K. The modulus is the one with the fewest clauses of the
//!   moduli up to 2 sqrt n, and k+1, with which the remainder is a totalizer up to k.
//!
//! Asymptotic size: a node over s literals has `p + s/p` variables and `p^2 + (s/p)^2` clauses. With p = sqrt n, there are
//! O(n log n) variables and O(n sqrt n) clauses, because n/p nodes have more than p literals. Strength: search. The
//! carry of a node is free if its remainders add up to less than p, so even if all literals of the constraint have
//! values, the solver may have to try values for the carries. The encoding does not preserve the number of solutions.
//!
//! The clauses of a digit are redundant if no bound needs the digit, or if the size of a node excludes the value.
//!
//! Paper: Ogawa, Liu, Hasegawa, Koshimura, Fujita: *Modulo based CNF encoding of cardinality constraints and its
//! application to `MaxSAT` solvers*, ICTAI 2013; Morgado, Ignatiev, Marques-Silva: *MSCG: robust core-guided `MaxSAT`
//! solving*, JSAT 9, 2014, for the bound on the quotients. Unlike in these papers, a node without a carry has no variable
//! for it, the root has only the literals that the bound needs, and the modulus of `k-modulo-totalizer` is not the
//! square root of the bound: for n = 1000 and k = 500, p = 11 takes a third fewer clauses than p = 23.
//!
//! ```
//! use gordian_encodings::constraint::Cardinality;
//! use gordian_encodings::encoding::modulo_totalizer::MODULO_TOTALIZER;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [a, b, c] = [0; 3].map(|_| model.boolean());
//! model.post(Cardinality::at_most([a, b, c], 2));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&MODULO_TOTALIZER), &mut cnf);
//! // Variables 4 and 5 are r and c, 6 is the quotient of their node, and 7, 8 and 9 are those of the root.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), [
//!     "-3 4 5 0", "-2 4 5 0", "-2 -3 5 0", "-5 6 0", "-4 7 8 0", "-1 7 8 0", "-1 -4 8 0", "-6 9 0",
//!     "-8 9 0", "-6 -8 0", "-9 -7 0",
//! ]);
//! ```

use std::cmp::Ordering;
use std::collections::HashMap;

use super::unary::{self, Wanted, at_least};
use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::Cardinality;
use crate::lit::{FALSE, Lit, TRUE};
use crate::sink::Sink;

/// Encodes cardinality constraints with modulo totalizers.
pub static MODULO_TOTALIZER: Encoding<Cardinality> = Encoding {
    name: "modulo-totalizer",
    paper: "Ogawa, Liu, Hasegawa, Koshimura, Fujita: Modulo based CNF encoding of cardinality constraints and its \
            application to MaxSAT solvers, ICTAI 2013",
    strength: Strength::Search,
    count: ModelCount::Lost,
    derived: false,
    applies: always,
    encode: |constraint, sink| each(constraint, sink, |lits, k| Tree::full(lits.len(), k)),
};

/// Encodes cardinality constraints with modulo totalizers whose numbers do not exceed the bound.
pub static K_MODULO_TOTALIZER: Encoding<Cardinality> = Encoding {
    name: "k-modulo-totalizer",
    paper: "Morgado, Ignatiev, Marques-Silva: MSCG: robust core-guided MaxSAT solving, JSAT 9, 2014",
    strength: Strength::Search,
    count: ModelCount::Lost,
    derived: false,
    applies: always,
    encode: |constraint, sink| each(constraint, sink, |lits, k| Tree::bounded(lits.len(), k)),
};

/// Encodes both bounds of a constraint as upper bounds.
fn each(constraint: &Cardinality, sink: &mut Sink<'_>, tree: impl Fn(&[Lit], usize) -> Tree) {
    let Some(Cardinality { mut lits, min, max }) = constraint.write_trivial(sink) else { return };
    let n = lits.len();
    if max < n {
        tree(&lits, max).at_most(&lits, sink);
    }
    if min > 0 {
        for lit in &mut lits {
            *lit = !*lit;
        }
        tree(&lits, n - min).at_most(&lits, sink);
    }
}

/// The number `quotient * modulus + remainder`, whose digits are unary numbers.
struct Number {
    quotient: Vec<Lit>,
    remainder: Vec<Lit>,
}

/// A modulo totalizer for an upper bound.
struct Tree {
    modulus: usize,
    /// The greatest quotient of a node.
    most: usize,
    /// The digits of the bound.
    bound: (usize, usize),
}

impl Tree {
    /// Returns the tree for at most `k` of `n` literals, `1 <= k < n`, with the numbers up to n.
    fn full(n: usize, k: usize) -> Self {
        let modulus = (n - 1).isqrt() + 1;
        Self { modulus, most: n / modulus, bound: (k / modulus, k % modulus) }
    }

    /// Returns the tree for at most `k` of `n` literals, `1 <= k < n`, whose quotients do not exceed that of k.
    fn bounded(n: usize, k: usize) -> Self {
        let tree = |modulus: usize| Self { modulus, most: k / modulus, bound: (k / modulus, k % modulus) };
        let moduli = (2..=k.min(2 * n.isqrt())).chain([k + 1]);
        let modulus = moduli.min_by_key(|&modulus| tree(modulus).clauses(n, &mut HashMap::new()));
        tree(modulus.expect("k + 1 is a modulus"))
    }

    /// Returns about the number of clauses for n literals. All subtrees of a size have the same number of clauses, which
    /// `known` contains.
    fn clauses(&self, n: usize, known: &mut HashMap<usize, usize>) -> usize {
        if n <= 1 {
            return 0;
        }
        if let Some(&clauses) = known.get(&n) {
            return clauses;
        }
        let halves = [n / 2, n.div_ceil(2)];
        let below: usize = halves.iter().map(|&half| self.clauses(half, known)).sum();
        let [[p, q], [r, s]] = halves.map(|half| {
            [
                half.min(self.modulus - 1),
                if half < self.modulus { 0 } else { (half / self.modulus).min(self.most) },
            ]
        });
        let carries = if p + r < self.modulus { 1 } else { 2 };
        let pairs: usize = (0..=q).map(|i| s.min((self.most + 1).saturating_sub(i)) + 1).sum();
        let clauses = below + (p + 1) * (r + 1) + carries * pairs;
        known.insert(n, clauses);
        clauses
    }

    /// Writes the clauses that at most `k` of the literals hold, where k is the bound of the tree.
    fn at_most(&self, lits: &[Lit], sink: &mut Sink<'_>) {
        let (quotient, above) = (self.bound.0, self.bound.1 + 1);
        // If the remainder of the bound is the greatest one, only the quotient matters.
        let least = if above == self.modulus { quotient + 1 } else { quotient };
        let root = self.node(lits, [least, quotient], [above, above], sink);
        if above < self.modulus {
            sink.clause(&[!at_least(&root.quotient, quotient), !at_least(&root.remainder, above)]);
        }
    }

    /// Returns the number of true literals, with the quotients and the remainders between the given ones. If another
    /// remainder is less than the modulus, it is `TRUE`. See [`Wanted`] for the quotients.
    fn node(
        &self,
        lits: &[Lit],
        [least, most]: [usize; 2],
        remainders: [usize; 2],
        sink: &mut Sink<'_>,
    ) -> Number {
        if let &[lit] = lits {
            return Number { quotient: Vec::new(), remainder: vec![lit] };
        }
        let p = self.modulus;
        let (left, right) = lits.split_at(lits.len() / 2);
        let mut child = |lits: &[Lit], other: &[Lit]| {
            // The other child and the carry contribute at most this number.
            let others = other.len() / p + 1;
            self.node(lits, [least.saturating_sub(others), self.most], [1, p - 1], sink)
        };
        let [a, b] = [child(left, right), child(right, left)];
        if self.most == 0 {
            let wanted =
                Wanted { least: remainders[0], most: self.bound.1, bounded: lits.len() > self.bound.1 };
            let remainder = unary::add([&a.remainder, &b.remainder], FALSE, wanted, sink);
            return Number { quotient: Vec::new(), remainder };
        }
        let (remainder, carry) = self.add_remainders([&a.remainder, &b.remainder], remainders, sink);
        // A carry that is true without need can lead to more than this number, so it must be excluded.
        let wanted = Wanted { least, most: most.min(lits.len() / p), bounded: true };
        Number { quotient: unary::add([&a.quotient, &b.quotient], carry, wanted, sink), remainder }
    }

    /// Returns the sum of two remainders, as a remainder and a carry.
    fn add_remainders(
        &self,
        [a, b]: [&[Lit]; 2],
        [least, most]: [usize; 2],
        sink: &mut Sink<'_>,
    ) -> (Vec<Lit>, Lit) {
        let p = self.modulus;
        if a.len() + b.len() < p {
            return (unary::add([a, b], FALSE, Wanted { least, most: p - 1, bounded: false }, sink), FALSE);
        }
        let mut sink = sink.always();
        let mut digit = |t: usize| if (least..=most).contains(&t) { sink.fresh() } else { TRUE };
        let remainder: Vec<Lit> = (1..p).map(&mut digit).collect();
        let carry = sink.fresh();
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                let sum = i + j;
                let [a, b] = [!at_least(a, i), !at_least(b, j)];
                match sum.cmp(&p) {
                    Ordering::Less => sink.clause(&[a, b, at_least(&remainder, sum), carry]),
                    Ordering::Equal => sink.clause(&[a, b, carry]),
                    Ordering::Greater => sink.clause(&[a, b, at_least(&remainder, sum - p)]),
                }
            }
        }
        (remainder, carry)
    }
}
