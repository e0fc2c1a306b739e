//! Log multiplier: multiplies each bit of one factor by each bit of the other, and sums the products with adders.
//!
//! Let `x = m + sum 2^i a[i]` and `y = n + sum 2^j b[j]` be the log views of the factors, and let `p[i][j] = a[i] and
//! b[j]`. Then `x y = m n + m sum 2^j b[j] + n sum 2^i a[i] + sum 2^(i+j) p[i][j]`. With the result z in place of `x
//! y`, this equation is a linear constraint, which is encoded with [adders](super::adder). If there are more than two
//! factors, they are multiplied one after the other, and each partial product is a new integer variable.
//!
//! Example: for x and y from 0 to 1 with the bits a and b, the encoding has `p <-> a and b` and an adder for z = p.
//!
//! Size for factors of w and v bits: `w * v` variables and `3 * w * v` clauses for the products of bits, plus adders
//! whose inputs are the bits of the result and `(w + 1) * (v + 1) - 1` other literals. The square of an integer needs w
//! fewer variables, `3 * w` fewer clauses, and at most as many adders. Strength: checks total assignments only. The
//! encoding preserves the number of solutions.
//!
//! A clause of an adder is redundant if the outputs of the adder are fixed, or if no values of the factors produce the
//! inputs to which the clause applies.
//!
//! Paper: Horie, Watanabe: *Hard instance generation for SAT*, ISAAC 1997, the first encoding of long multiplication as
//! clauses (an array multiplier). Unlike in the paper, negative values are encoded with an offset instead of a sign
//! bit.
//!
//! ```
//! use gordian_encodings::constraint::Product;
//! use gordian_encodings::encoding::multiplier::MULTIPLIER;
//! use gordian_encodings::{Cnf, Domain, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [x, y, z] = [0; 3].map(|_| model.integer(Domain::interval(0, 1)));
//! model.post(Product::new([x, y], z));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&MULTIPLIER), &mut cnf);
//! // Variables 1, 2 and 3 are `x = 0`, `y = 0` and `z = 0`; 4 is p; 5 and 6 are the sum and carry of a half adder.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), [
//!     "-4 -1 0", "-4 -2 0", "1 2 4 0", "3 4 -5 0", "-3 -4 -5 0", "3 -4 5 0", "-3 4 5 0", "-6 3 0",
//!     "-6 4 0", "-3 -4 6 0", "5 0", "-6 0",
//! ]);
//! ```

use super::{Encoding, ModelCount, Strength, adder};
use crate::constraint::{Comparison, Linear, Product, Term};
use crate::int::{Domain, IntVar, Value};
use crate::sink::Sink;

/// Log multiplier.
pub static MULTIPLIER: Encoding<Product> = Encoding {
    name: "multiplier",
    paper: "Horie, Watanabe: Hard instance generation for SAT, ISAAC 1997",
    strength: Strength::TotalAssignments,
    count: ModelCount::Kept,
    derived: false,
    applies: |product, domains| {
        let ranges: Vec<_> = product.factors.iter().map(|factor| ends(&domains.of_expr(factor))).collect();
        range(&ranges).is_some()
    },
    encode,
};

fn ends(domain: &Domain) -> (Value, Value) {
    (domain.min(), domain.max())
}

/// Returns the minimum and maximum product of factors with the given minimum and maximum values, or `None` if sums in
/// the encoding could overflow.
fn range(factors: &[(Value, Value)]) -> Option<(Value, Value)> {
    let magnitude = |(min, max): (Value, Value)| min.unsigned_abs().max(max.unsigned_abs()).max(1);
    let greatest = factors.iter().try_fold(1_u128, |product, &ends| product.checked_mul(magnitude(ends)))?;
    let fits = greatest <= Value::MAX as u128 / 64;
    factors.iter().try_fold((1, 1), |range, &ends| times(range, ends)).filter(|_| fits)
}

fn times(a: (Value, Value), b: (Value, Value)) -> Option<(Value, Value)> {
    let corners =
        [a.0.checked_mul(b.0)?, a.0.checked_mul(b.1)?, a.1.checked_mul(b.0)?, a.1.checked_mul(b.1)?];
    Some((*corners.iter().min()?, *corners.iter().max()?))
}

/// Returns the constraint that requires a sum to equal (or differ from) a bound.
fn compared(equal: bool, terms: impl IntoIterator<Item = (Value, Term)>, bound: Value) -> Linear {
    Linear::new(terms, if equal { Comparison::Equal } else { Comparison::NotEqual }, bound)
}

fn encode(product: &Product, sink: &mut Sink<'_>) {
    let whole = sink.integer_for(&product.product);
    let factors = sink.integers_for(&product.factors);
    let Some((&last, factors)) = factors.split_last() else {
        let one = sink.equals(whole, 1);
        return sink.clause(&[if product.equal { one } else { !one }]);
    };
    let mut partial: Option<IntVar> = None;
    for &x in factors {
        partial = Some(match partial {
            None => x,
            Some(partial) => {
                let ranges = [partial, x].map(|x| ends(sink.domains().of(x)));
                let range = range(&ranges).expect("the product exceeds an i128");
                let next = sink.integer(Domain::interval(range.0, range.1));
                multiply(partial, x, next, true, &mut sink.always());
                next
            }
        });
    }
    match partial {
        None => {
            let linear = compared(product.equal, [(1, last.into()), (-1, whole.into())], 0);
            adder::write(&linear.normal(sink.domains()), sink);
        }
        Some(partial) => multiply(partial, last, whole, product.equal, sink),
    }
}

/// Encodes `x y = z` or `x y != z`.
fn multiply(x: IntVar, y: IntVar, z: IntVar, equal: bool, sink: &mut Sink<'_>) {
    let (a, b) = (sink.log(x), sink.log(y));
    let mut terms: Vec<(Value, Term)> = vec![(-1, z.into()), (b.min, x.into()), (a.min, y.into())];
    for (i, &p) in a.bits.iter().enumerate() {
        for (j, &q) in b.bits.iter().enumerate() {
            let both = sink.and(&[p, q]);
            terms.push((1 << (i + j), both.into()));
        }
    }
    // The sum `m y + n x` contains `m n` twice, but the product contains it once.
    adder::write(&compared(equal, terms, a.min * b.min).normal(sink.domains()), sink);
}
