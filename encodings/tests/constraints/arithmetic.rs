//! Tests division, power, element and table constraints over domains that are too large to enumerate. For random
//! arguments, the formula must have a model if and only if the result is correct.

use gordian_encodings::constraint::{
    Clause, Element, Entry, Linear, Power, Reified, Table, TruncatedDivision,
};
use gordian_encodings::{Cnf, Constraint, Encodings, Expr, IntVar, Model, Value};
use proptest::prelude::*;
use rustsat::solvers::{Solve, SolverResult};

/// Solves a constraint with fixed arguments and, if `result` is given, a fixed result. Returns the result in the
/// solution, or `None` if there is no solution. If `negated` is true, solves the negation of the constraint instead.
fn solve<C: Constraint>(
    domains: [(Value, Value); 3],
    arguments: [Value; 2],
    result: Option<Value>,
    negated: bool,
    make: fn(IntVar, IntVar, IntVar) -> C,
) -> Option<Value> {
    let mut model = Model::new();
    let [x, y, z] = domains.map(|(first, last)| model.integer(first..=last));
    let b = model.boolean();
    model.post(Reified::equivalent(b, make(x, y, z)));
    model.post(Clause::new([if negated { !b } else { b }]));
    for (variable, value) in [x, y, z].into_iter().zip(arguments.into_iter().chain(result)) {
        model.post(Linear::equal([(1, variable.into())], value));
    }
    let mut cnf = Cnf::default();
    let encoded = model.encode(&Encodings::auto(), &mut cnf);
    let mut solver = rustsat_batsat::BasicSolver::default();
    for clause in cnf.iter() {
        solver.add_clause_ref(clause).expect("there is memory");
    }
    if solver.solve().expect("there is no limit") == SolverResult::Unsat {
        return None;
    }
    let found = solver.solution(rustsat::types::Var::new(cnf.variables())).expect("it is satisfiable");
    let assignment = encoded.assignment(|lit| found.lit_value(lit).to_bool_with_def(false).into());
    Some(assignment.int(z))
}

/// Checks that the constraint accepts the expected result and rejects a wrong one, and that the negation accepts the
/// wrong result and rejects the expected one.
fn check<C: Constraint>(
    domains: [(Value, Value); 3],
    arguments: [Value; 2],
    expected: Option<Value>,
    make: fn(IntVar, IntVar, IntVar) -> C,
) {
    let (first, last) = domains[2];
    let expected = expected.filter(|value| (first..=last).contains(value));
    assert_eq!(solve(domains, arguments, None, false, make), expected);
    let other = expected.map_or(last, |value| if value < last { value + 1 } else { value - 1 });
    assert_eq!(solve(domains, arguments, Some(other), true, make), Some(other));
    assert_eq!(solve(domains, arguments, Some(other), false, make), None);
    if let Some(value) = expected {
        assert_eq!(solve(domains, arguments, Some(value), true, make), None);
    }
}

/// Generates numbers with a random bit length up to `bits`.
fn numbers(bits: u32) -> impl Strategy<Value = Value> {
    (0..=bits, any::<i128>()).prop_map(|(bits, value)| value % (1 << bits))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn divisions_agree_with_arithmetic(x in numbers(16), y in numbers(16)) {
        let all = (-(1 << 16), 1 << 16);
        let quotient = |y| (y != 0).then(|| x / y);
        check([all; 3], [x, y], quotient(y), TruncatedDivision::quotient);
        check([all; 3], [x, y], (y != 0).then(|| x % y), TruncatedDivision::remainder);
        let small = y.rem_euclid(1000) - 7;
        check([all, (small, small), all], [x, small], quotient(small), TruncatedDivision::quotient);
    }

    #[test]
    fn elements_agree_with_indexing(index in -1..6_i128, y in numbers(16)) {
        // Some elements contain the integer y, and z equals the element at the index. The domains have different
        // minimums.
        let element = |index: IntVar, y: IntVar, z: IntVar| {
            let array = [Expr::from(70_000), y.into(), y + 5, Expr::from(-70_000), 3 * y + 1];
            Element::new(index, array, z)
        };
        let expected = [70_000, y, y + 5, -70_000, 3 * y + 1];
        let expected = usize::try_from(index).ok().and_then(|index| expected.get(index).copied());
        for (first, last) in [(-(1 << 16), 1 << 16), (-300_000, 300_000)] {
            check([(-1, 5), (-(1 << 16), 1 << 16), (first, last)], [index, y], expected, element);
        }
    }

    #[test]
    fn tables_agree_with_their_rows(row in 0..6_i128, y in numbers(16)) {
        let table = |x: IntVar, y: IntVar, z: IntVar| {
            let mut rows: Vec<Vec<Entry>> =
                (0..5).map(|row| [1000 * row, 7, 100 * row * row].map(Entry::Is).to_vec()).collect();
            rows.push(vec![Entry::Is(-1), Entry::Not(7), Entry::Is(4)]);
            rows.push(vec![Entry::Is(4000), Entry::Any, Entry::Is(1600)]);
            Table::new([x, y, z], rows)
        };
        let all = (-(1 << 17), 1 << 17);
        check([all; 3], [1000 * row, 7], (row < 5).then_some(100 * row * row), table);
        check([all; 3], [-1, y], (y != 7).then_some(4), table);
        check([all; 3], [4000, y], Some(1600), table);
        check([all; 3], [1000, y], (y == 7).then_some(100), table);
    }

    #[test]
    fn powers_agree_with_arithmetic(base in numbers(12), exponent in -3..14_i128) {
        let power = match (base, exponent) {
            (0, ..0) => None,
            (_, ..0) => Some(1 / base.pow((-exponent) as u32)),
            _ => base.checked_pow(exponent as u32),
        };
        check([(-(1 << 12), 1 << 12), (-9, 90), (-(1 << 24), 1 << 24)], [base, exponent], power, Power::new);
    }
}
