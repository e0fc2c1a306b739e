//! Encodes powers `z = x^y` by cases of the exponent. For each exponent e, the encoding posts a
//! [product](crate::constraint::Product) or writes one clause for each base.
//!
//! * `y = 0 -> z = 1`, and `x = 1 -> z = 1` for every exponent. For `x = -1`, the lowest bit of y determines whether
//!   z is 1 or -1. For `x = 0`, y must not be negative, and z is 0 if y is positive.
//! * If `|x| >= 2`, a negative y implies `z = 0`, and y is at most the largest e for which `2^e` does not exceed the
//!   largest absolute value of z.
//! * For each exponent e from 1 to the largest possible exponent, the encoding has `y = e -> |x| <= m`. Here, m is the
//!   largest base for which `m^e` does not exceed the largest absolute value of z. For `e = 1`, the encoding also has
//!   `y = 1 -> z = x`. For `e >= 2`, let V be the set of the values v of x with `|v| <= m`. If V has at most 1000
//!   elements, there is one clause `y = e, x = v -> z = v^e` for each v in V with `|v| >= 2`. Otherwise, the encoding
//!   posts `y = e -> z = c^e` as a product. If x has only values in V, c is x. Otherwise, c is a new variable that
//!   equals x if `|x| <= m`.
//!
//! If z must differ from the power, every conclusion `z = a` above becomes `z != a`, and the restrictions of x and y
//! are omitted.
//!
//! Example: for x from 2 to 3, y from 1 to 2 and z from 0 to 9, the encoding has `y=1 -> z = x`, `y=2, x=2 -> z=4` and
//! `y=2, x=3 -> z=9`.
//!
//! Size, asymptotically, if z has w bits and x has d values: O(w) literals `y = e`. For each exponent e, there are
//! O(min(d, 2^(w/e))) clauses or, if more than 1000 bases are possible, e - 1 products. Strength: checks total
//! assignments only; if there is a new variable c, the solver may have to try its values. With `Encodings::keep_count`,
//! the encoding preserves the number of solutions.
//!
//! If different exponents or bases yield the same power, some of their clauses are redundant.
//!
//! Paper: none, because the clauses follow from the definition of a power.
//!
//! ```
//! use gordian_encodings::constraint::Power;
//! use gordian_encodings::encoding::power::CASES;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let (x, y, z) = (model.integer(2..=3), model.integer(2..=3), model.integer(8..=9));
//! model.post(Power::new(x, y, z));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&CASES), &mut cnf);
//! // Variables 1, 2 and 3 are `x = 2`, `y = 2` and `z = 8`. No other square and no other cube is a value of z.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["-2 -1 0", "-2 1 -3 0", "2 1 0", "2 -1 3 0"]);
//! ```

use super::{Encoding, ModelCount, Strength};
use crate::constraint::{Equality, Power, Product};
use crate::int::{Domain, IntVar, Value};
use crate::lit::{FALSE, Lit};
use crate::sink::Sink;

/// Encodes powers by cases of the exponent.
pub static CASES: Encoding<Power> = Encoding {
    name: "cases",
    paper: "none: the definition of the power",
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    derived: false,
    applies: |power, domains| magnitude(&domains.of_expr(&power.power)) <= Value::MAX as u128 / 64,
    encode,
};

/// If an exponent allows at most this many bases, its encoding has one clause for each base.
const CLAUSES_UP_TO: u128 = 1_000;

/// Returns the largest absolute value in a domain.
fn magnitude(domain: &Domain) -> u128 {
    domain.min().unsigned_abs().max(domain.max().unsigned_abs())
}

/// Returns the largest base for which `base^exponent` is at most `most`. The exponent is positive.
fn root(most: u128, exponent: u32) -> u128 {
    let fits = |base: u128| base.checked_pow(exponent).is_some_and(|power| power <= most);
    let (mut low, mut above) = (0, most + 1);
    while above - low > 1 {
        let middle = low + (above - low) / 2;
        if fits(middle) { low = middle } else { above = middle }
    }
    low
}

/// The operands of a power as integer variables.
struct Operands {
    base: IntVar,
    exponent: IntVar,
    power: IntVar,
    equal: bool,
}

/// Requires z to equal `value` (or to differ from it, if `power.equal` is false), unless one of the literals in
/// `unless` is true. The value `None` stands for a power that is undefined or outside the domain of z.
fn compare(power: &Operands, unless: &[Lit], value: Option<Value>, sink: &mut Sink<'_>) {
    let is = value.map_or(FALSE, |value| sink.equals(power.power, value));
    sink.unless(unless).clause(&[if power.equal { is } else { !is }]);
}

fn encode(power: &Power, sink: &mut Sink<'_>) {
    let [base, exponent, result] =
        [&power.base, &power.exponent, &power.power].map(|expr| sink.integer_for(expr));
    let power = &Operands { base, exponent, power: result, equal: power.equal };
    let [minus, zero, one] = [-1, 0, 1].map(|value| sink.equals(base, value));
    let [positive, negative] = [sink.at_least(exponent, 1), sink.at_most(exponent, -1)];
    compare(power, &[positive, negative], Some(1), sink);
    compare(power, &[!one], Some(1), sink);
    compare(power, &[!zero, !positive], Some(0), sink);
    compare(power, &[!zero, !negative], None, sink);
    if minus != FALSE {
        let odd = odd(exponent, sink);
        compare(power, &[!minus, odd], Some(1), sink);
        compare(power, &[!minus, !odd], Some(-1), sink);
    }
    let small = [minus, zero, one];
    compare(power, &[&small[..], &[!negative]].concat(), Some(0), sink);
    let most = magnitude(sink.domains().of(result));
    let last = most.checked_ilog2().unwrap_or(0);
    let within = sink.at_most(exponent, Value::from(last));
    compare(power, &[&small[..], &[within]].concat(), None, sink);
    for exponent in 1..=last {
        let here = sink.equals(power.exponent, Value::from(exponent));
        if here != FALSE {
            one_exponent(power, exponent, root(most, exponent), &mut sink.when(here));
        }
    }
}

/// Returns a literal that is true if the integer is odd.
fn odd(x: IntVar, sink: &mut Sink<'_>) -> Lit {
    let log = sink.log(x);
    let lowest = log.bits.first().copied().unwrap_or(FALSE);
    if log.min % 2 == 0 { lowest } else { !lowest }
}

/// Encodes the constraint for a given exponent. If the absolute value of the base exceeds `most`, the power is not in
/// the domain of the result.
fn one_exponent(power: &Operands, exponent: u32, most: u128, sink: &mut Sink<'_>) {
    let most = most as Value;
    let (least, greatest) = (sink.at_least(power.base, -most), sink.at_most(power.base, most));
    compare(power, &[least], None, sink);
    compare(power, &[greatest], None, sink);
    if exponent == 1 {
        return sink.post(&Equality {
            left: power.power.into(),
            right: power.base.into(),
            equal: power.equal,
        });
    }
    let domain = sink.domain(power.base);
    let inside = domain.intervals().map(|(first, last)| (first.max(-most), last.min(most)));
    let inside: Vec<(Value, Value)> = inside.filter(|(first, last)| first <= last).collect();
    let values = inside.iter().map(|&(first, last)| last.abs_diff(first) + 1).sum::<u128>();
    if values <= CLAUSES_UP_TO {
        for value in inside.into_iter().flat_map(|(first, last)| first..=last).filter(|value| value.abs() > 1)
        {
            let other = !sink.equals(power.base, value);
            compare(power, &[other], Power::value(value, Value::from(exponent)), sink);
        }
        return;
    }
    let base = match inside[..] {
        [] => return,
        _ if domain.min() >= -most && domain.max() <= most => power.base,
        [(first, _), ..] => {
            let last = inside[inside.len() - 1].1;
            limited(power.base, (first, last), [least, greatest], &mut sink.always())
        }
    };
    let mut sink = sink.unless(&[!least, !greatest]);
    let product = Product::power(base, exponent as usize, power.power);
    sink.post(&Product { equal: power.equal, ..product });
}

/// Returns a new integer with the given bounds that equals `x` if `x` is between the bounds.
fn limited(x: IntVar, (first, last): (Value, Value), within: [Lit; 2], sink: &mut Sink<'_>) -> IntVar {
    let limited = sink.integer(Domain::interval(first, last));
    let none = sink.equals(limited, first);
    for lit in within {
        sink.clause(&[lit, none]);
    }
    sink.unless(&within.map(|lit| !lit)).post(&Equality::equal(limited, x));
    limited
}
