//! Compares the encodings of linear and cardinality constraints with the encodings of pindakaas, an independent
//! library.
//!
//! A constraint encoded by one library must contradict its negation encoded by the other library. A solver proves
//! that no assignment satisfies both formulas. This does not detect formulas that exclude solutions, so both formulas
//! must also agree on random assignments.
//!
//! The decision diagram encoder of pindakaas 0.6.1 is omitted because it panics on some equations (`Overlapping
//! interval`). Integer coefficients of 0 are not tested, because pindakaas divides by them. Pindakaas does not support
//! products, so `differential.rs` compares the encodings of products with brute force.

use gordian_encodings::constraint::{Cardinality, Comparison, Linear, Term};
use gordian_encodings::{Cnf, Domain, Encodings, IntVar, Lit, Model, Value};
use pindakaas::constraint::linear::{
    AdderEncoder, Comparator, LinExp, Linear as Theirs, LinearEncoder, SequentialCounterEncoder,
    TotalizerEncoder,
};
use pindakaas::{ClauseDatabaseTools, Unsatisfiable, decision};
use proptest::prelude::*;
use varisat::ExtendFormula;

/// A linear constraint: a weighted sum of literals and integers, compared with a bound.
#[derive(Debug, Clone)]
struct Sum {
    /// The coefficients of literals, each with a flag that is true for negated literals.
    booleans: Vec<(Value, bool)>,
    /// The coefficients of integers, each with the bounds of the integer.
    integers: Vec<(Value, Value, Value)>,
    comparison: Comparison,
    bound: Value,
    /// Random assignments. Each number, modulo the size of the variable's domain, is the index of the variable's value.
    probes: Vec<Vec<usize>>,
}

impl Sum {
    fn compared(&self, comparison: Comparison, bound: Value) -> Self {
        Self { comparison, bound, ..self.clone() }
    }

    /// Returns comparisons whose disjunction is the negation of `self`. Pindakaas supports all of these comparisons.
    fn negations(&self) -> Vec<Self> {
        let below = self.compared(Comparison::AtMost, self.bound - 1);
        let above = self.compared(Comparison::AtLeast, self.bound + 1);
        match self.comparison {
            Comparison::AtMost => vec![above],
            Comparison::AtLeast => vec![below],
            Comparison::Equal => vec![below, above],
            Comparison::NotEqual => vec![self.compared(Comparison::Equal, self.bound)],
        }
    }
}

fn sums() -> impl Strategy<Value = Sum> {
    let comparisons = [Comparison::AtMost, Comparison::AtLeast, Comparison::Equal];
    let booleans = prop_oneof![
        prop::collection::vec((-20_i128..21, any::<bool>()), 0..9),
        prop::collection::vec((Just(1_i128), any::<bool>()), 2..12),
    ];
    let integers =
        prop::collection::vec((1_i128..10, any::<bool>(), -5_i128..4, 1_i128..7), 0..3).prop_map(|all| {
            all.into_iter()
                .map(|(c, minus, low, more)| (if minus { -c } else { c }, low, low + more))
                .collect()
        });
    let probes = prop::collection::vec(prop::collection::vec(0_usize..1_000, 14), 12);
    // The bound is given as a percentage of the range from the minimum to the maximum of the sum. It may lie slightly
    // outside this range.
    (booleans, integers, prop::sample::select(comparisons.to_vec()), -5_i128..106, probes).prop_map(
        |(booleans, integers, comparison, percent, probes): (_, Vec<(Value, Value, Value)>, _, _, _)| {
            let booleans: Vec<(Value, bool)> = booleans;
            let (mut least, mut greatest) = (0, 0);
            let spans = booleans.iter().map(|&(c, _)| (c, 0, 1)).chain(integers.iter().copied());
            for (c, low, high) in spans {
                least += (c * low).min(c * high);
                greatest += (c * low).max(c * high);
            }
            let bound = least + (greatest - least) * percent / 100;
            Sum { booleans, integers, comparison, bound, probes }
        },
    )
}

/// The formula of `gordian-encodings`, with a literal `x <= v` for each integer x and each value v except the maximum
/// of x.
struct Ours {
    cnf: Cnf,
    lits: Vec<Lit>,
    at_most: Vec<Vec<Lit>>,
}

fn ours(sum: &Sum, encoding: &str) -> Ours {
    let mut model = Model::new();
    let lits: Vec<Lit> = sum.booleans.iter().map(|_| model.boolean()).collect();
    let ints: Vec<IntVar> =
        sum.integers.iter().map(|&(_, low, high)| model.integer(Domain::interval(low, high))).collect();
    let spans = ints.iter().zip(&sum.integers);
    let at_most = spans.map(|(&x, &(_, low, high))| (low..high).map(|v| model.at_most(x, v)).collect());
    let at_most: Vec<Vec<Lit>> = at_most.collect();
    let signed =
        lits.iter().zip(&sum.booleans).map(|(&lit, &(c, negated))| (c, if negated { !lit } else { lit }));
    let signed: Vec<(Value, Lit)> = signed.collect();
    let mut encodings = Encodings::auto();
    if let Some(encoding) = encoding.strip_prefix("cardinality=") {
        encodings.choose_named("cardinality", encoding).unwrap();
        let lits: Vec<Lit> = signed.iter().map(|&(_, lit)| lit).collect();
        let clamped = |bound: Value| usize::try_from(bound.max(0)).unwrap();
        model.post(match sum.comparison {
            Comparison::AtMost if sum.bound < 0 => Cardinality::between(lits, 1, 0),
            Comparison::AtMost => Cardinality::at_most(lits, clamped(sum.bound)),
            Comparison::AtLeast => Cardinality::at_least(lits, clamped(sum.bound)),
            _ if sum.bound < 0 => Cardinality::between(lits, 1, 0),
            _ => Cardinality::exactly(lits, clamped(sum.bound)),
        });
    } else {
        encodings.choose_named("linear", encoding).unwrap();
        let terms = signed.into_iter().map(|(c, lit)| (c, Term::Lit(lit)));
        let ints = ints.iter().zip(&sum.integers).map(|(&x, &(c, ..))| (c, Term::Int(x)));
        model.post(Linear::new(terms.chain(ints), sum.comparison, sum.bound));
    }
    let mut cnf = Cnf::default();
    model.encode(&encodings, &mut cnf);
    Ours { cnf, lits, at_most }
}

/// The formula of pindakaas over the same literals, or `Err` if its encoder proves the constraint unsatisfiable.
struct TheirFormula {
    cnf: pindakaas::Cnf,
    lits: Vec<decision::boolean::Lit>,
    at_least: Vec<Vec<decision::boolean::BoolVal>>,
}

fn theirs(sum: &Sum, encoder: usize) -> Result<TheirFormula, Unsatisfiable> {
    let mut cnf = pindakaas::Cnf::default();
    let lits: Vec<_> = sum.booleans.iter().map(|_| cnf.new_lit()).collect();
    let ints =
        sum.integers.iter().map(|&(_, low, high)| decision::integer::IntVar::new(low as i64..=high as i64));
    let ints: Vec<_> = ints.collect();
    let mut expression = LinExp::default();
    for (&lit, &(c, negated)) in lits.iter().zip(&sum.booleans) {
        expression += if negated { !lit } else { lit } * c as i64;
    }
    for (x, &(c, ..)) in ints.iter().zip(&sum.integers) {
        expression += x.clone() * c as i64;
    }
    let comparator = match sum.comparison {
        Comparison::AtMost => Comparator::LessEq,
        Comparison::AtLeast => Comparator::GreaterEq,
        Comparison::Equal => Comparator::Equal,
        Comparison::NotEqual => unreachable!("pindakaas has no such comparison"),
    };
    let constraint = Theirs::new(expression, comparator, sum.bound as i64);
    match encoder {
        0 => cnf.encode(&constraint, &LinearEncoder::<TotalizerEncoder>::default())?,
        1 => cnf.encode(&constraint, &LinearEncoder::<AdderEncoder>::default())?,
        _ => cnf.encode(&constraint, &LinearEncoder::<SequentialCounterEncoder>::default())?,
    }
    let mut at_least = Vec::new();
    for (x, &(_, low, high)) in ints.iter().zip(&sum.integers) {
        at_least.push((low + 1..=high).map(|v| x.at_least(&mut cnf, v as i64)).collect::<Result<_, _>>()?);
    }
    Ok(TheirFormula { cnf, lits, at_least })
}

/// Adds the clauses of pindakaas to a solver, with variables numbered from `offset`, and makes the literals of both
/// formulas equivalent.
fn load_theirs(solver: &mut varisat::Solver<'_>, formula: &TheirFormula, ours: &Ours, offset: usize) {
    let lit = |lit: decision::boolean::Lit| {
        let number = i32::from(lit);
        varisat::Lit::from_index(offset + number.unsigned_abs() as usize, number > 0)
    };
    for clause in formula.cnf.iter() {
        solver.add_clause(&clause.iter().map(|&l| lit(l)).collect::<Vec<_>>());
    }
    let mut tie = |theirs: decision::boolean::BoolVal, ours: varisat::Lit| match theirs {
        decision::boolean::BoolVal::Const(true) => solver.add_clause(&[ours]),
        decision::boolean::BoolVal::Const(false) => solver.add_clause(&[!ours]),
        decision::boolean::BoolVal::Lit(theirs) => {
            solver.add_clause(&[!lit(theirs), ours]);
            solver.add_clause(&[lit(theirs), !ours]);
        }
    };
    for (&theirs, &ours) in formula.lits.iter().zip(&ours.lits) {
        tie(theirs.into(), varisat_lit(ours));
    }
    for (theirs, ours) in formula.at_least.iter().zip(&ours.at_most) {
        for (&theirs, &ours) in theirs.iter().zip(ours) {
            tie(theirs, !varisat_lit(ours));
        }
    }
}

fn varisat_lit(lit: Lit) -> varisat::Lit {
    varisat::Lit::from_index(lit.vidx(), lit.is_pos())
}

fn load_ours(solver: &mut varisat::Solver<'_>, cnf: &Cnf) {
    for clause in cnf.iter() {
        solver.add_clause(&clause.iter().map(|&lit| varisat_lit(lit)).collect::<Vec<_>>());
    }
}

/// Returns whether our formula for `a` and pindakaas's formula for `b` have a common solution.
fn together(a: &Sum, encoding: &str, b: &Sum, encoder: usize) -> bool {
    let ours = ours(a, encoding);
    let Ok(theirs) = theirs(b, encoder) else { return false };
    let mut solver = varisat::Solver::new();
    load_ours(&mut solver, &ours.cnf);
    load_theirs(&mut solver, &theirs, &ours, ours.cnf.variables() as usize);
    solver.solve().expect("no limit is set")
}

/// Returns, for each assignment in `probes`, whether our formula accepts it, and whether the formula of pindakaas
/// accepts it.
fn accepted_probes(sum: &Sum, encoding: &str, encoder: usize) -> [Vec<bool>; 2] {
    let ours = ours(sum, encoding);
    let offset = ours.cnf.variables() as usize;
    let mut solvers = [varisat::Solver::new(), varisat::Solver::new()];
    load_ours(&mut solvers[0], &ours.cnf);
    match theirs(sum, encoder) {
        Ok(theirs) => load_theirs(&mut solvers[1], &theirs, &ours, offset),
        Err(Unsatisfiable) => solvers[1].add_clause(&[]),
    }
    solvers.map(|mut solver| {
        let said = sum.probes.iter().map(|probe| {
            let booleans =
                ours.lits.iter().zip(probe).map(|(&lit, &bit)| if bit % 2 == 1 { lit } else { !lit });
            let integers =
                ours.at_most.iter().zip(&probe[ours.lits.len()..]).flat_map(|(at_most, &value)| {
                    // The integer has the value with this index, so the literals of `at_most` from this index on are
                    // true.
                    let index = value % (at_most.len() + 1);
                    at_most.iter().enumerate().map(move |(v, &lit)| if v >= index { lit } else { !lit })
                });
            solver.assume(&booleans.chain(integers).map(varisat_lit).collect::<Vec<_>>());
            solver.solve().expect("no limit is set")
        });
        said.collect()
    })
}

const LINEAR: [&str; 7] =
    ["auto", "order", "bdd", "mdd", "generalized-totalizer", "dynamic-watchdog", "adder"];

const CARDINALITY: [&str; 5] = [
    "cardinality=auto",
    "cardinality=sequential-counter",
    "cardinality=totalizer",
    "cardinality=cardinality-network",
    "cardinality=sorting-network",
];

fn check(sum: &Sum) {
    let counts = sum.integers.is_empty() && sum.booleans.iter().all(|&(c, _)| c == 1);
    let encodings = LINEAR.iter().chain(if counts { &CARDINALITY[..] } else { &[] });
    for (number, encoding) in encodings.enumerate() {
        // Each encoding of Gordian is compared with one encoder of pindakaas. The choice of the encoder depends on
        // the sum and the encoding.
        let encoder = (number + sum.booleans.len() + sum.probes[0][0]) % 3;
        for negated in sum.negations() {
            assert!(!together(sum, encoding, &negated, encoder), "{encoding}, {encoder}: {sum:?}");
            assert!(!together(&negated, encoding, sum, encoder), "not {encoding}, {encoder}: {sum:?}");
        }
        let [ours, theirs] = accepted_probes(sum, encoding, encoder);
        assert_eq!(ours, theirs, "{encoding}, {encoder}: {sum:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn sums_and_counts_agree_with_pindakaas(sum in sums()) {
        check(&sum);
    }
}

#[test]
fn the_comparison_detects_a_bound_off_by_one() {
    let sum = Sum {
        booleans: vec![(3, false), (-2, true), (5, false)],
        integers: vec![(2, -1, 3)],
        comparison: Comparison::AtMost,
        bound: 6,
        probes: Vec::new(),
    };
    let [negated] = &sum.negations()[..] else { panic!("one inequality is the negation of another") };
    assert!(!together(&sum, "bdd", negated, 0));
    let off_by_one = sum.compared(Comparison::AtMost, 7);
    assert!(together(&off_by_one, "bdd", negated, 0));
}
