//! Tests every encoding of counts, sums and forests, and the choice of `auto`, on constraints that are too large to try all
//! assignments. The constraint and a solver for its formula must agree on random assignments near the bound.

use gordian_encodings::constraint::{Acyclic, AtMostOne, Cardinality, ExactlyOne, Linear};
use gordian_encodings::{
    Assignment, CONSTRAINTS, Cnf, Constraint, Domain, Encodings, Lit, Model, Strength, Term, Value,
};
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};

/// A generator of numbers that look random (`SplitMix64`).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % n
    }

    /// Returns values of `n` Booleans, of which `held` are true.
    fn choice(&mut self, n: usize, held: usize) -> Vec<bool> {
        let mut values: Vec<bool> = (0..n).map(|index| index < held).collect();
        for index in (1..n).rev() {
            values.swap(index, self.below(index as u64 + 1) as usize);
        }
        values
    }
}

/// Checks every encoding of a constraint type, and `auto`, on the assignments. Each must occur with a solution and without
/// one.
fn check(name: &str, model: &Model, constraint: &dyn Constraint, assignments: &[(Vec<bool>, Vec<Value>)]) {
    let expected: Vec<bool> = assignments
        .iter()
        .map(|(booleans, ints)| constraint.holds(&Assignment::new(booleans.clone(), ints.clone())))
        .collect();
    assert!(expected.contains(&true) && expected.contains(&false), "{name}: {constraint:?}");
    let row = CONSTRAINTS.iter().find(|row| row.name == name).unwrap();
    let eager = (row.encodings)().into_iter().filter(|row| row.strength != Strength::Lazy);
    for encoding in eager.map(|row| row.name).chain(["auto"]) {
        for keep_count in [false, true] {
            let mut encodings = Encodings::auto();
            encodings.choose_named(name, encoding).unwrap();
            if keep_count {
                encodings = encodings.keep_count();
            }
            let mut cnf = Cnf::default();
            let mut encoded = model.encode(&encodings, &mut cnf);
            encoded.sink(&mut cnf).post(constraint);
            if encoded.fallbacks().iter().next().is_some() {
                continue;
            }
            let ints: Vec<_> = model.integer_variables().collect();
            let fixed: Vec<Vec<Lit>> = assignments
                .iter()
                .map(|(booleans, values)| {
                    let booleans = booleans.iter().enumerate();
                    let booleans = booleans.map(|(index, &value)| {
                        let lit = Lit::positive(index as u32);
                        if value { lit } else { !lit }
                    });
                    let mut sink = encoded.sink(&mut cnf);
                    let ints = ints.iter().zip(values).map(|(&x, &value)| sink.equals(x, value));
                    booleans.chain(ints.collect::<Vec<_>>()).collect()
                })
                .collect();
            let mut solver = rustsat_batsat::BasicSolver::default();
            for clause in cnf.iter() {
                solver.add_clause_ref(&clause.iter().copied().collect::<rustsat::types::Clause>()).unwrap();
            }
            for (fixed, &expected) in fixed.iter().zip(&expected) {
                let found = solver.solve_assumps(fixed).unwrap() == SolverResult::Sat;
                assert_eq!(
                    found, expected,
                    "{name}={encoding}, {keep_count}: {constraint:?} under {fixed:?}"
                );
            }
        }
    }
}

fn booleans(n: usize) -> (Model, Vec<Lit>) {
    let mut model = Model::new();
    let lits = (0..n).map(|_| model.boolean()).collect();
    (model, lits)
}

#[test]
fn at_most_ones() {
    let mut random = Random(1);
    for n in [12, 57, 65, 130] {
        let (model, lits) = booleans(n);
        let mut assignments: Vec<_> =
            (0..n).map(|held| (random.choice(n, usize::from(held > 0)), vec![])).collect();
        for _ in 0..60 {
            assignments.push((random.choice(n, 2), vec![]));
        }
        check("at-most-one", &model, &AtMostOne::new(lits.clone()), &assignments);
        check("exactly-one", &model, &ExactlyOne::new(lits), &assignments);
    }
}

#[test]
fn cardinalities() {
    let mut random = Random(2);
    for (n, min, max) in [
        (9_usize, 0_usize, 4_usize),
        (14, 3, 5),
        (23, 11, 11),
        (40, 0, 20),
        (61, 40, 70),
        (64, 0, 3),
        (90, 30, 44),
    ] {
        let (model, lits) = booleans(n);
        let near =
            [min.saturating_sub(1), min, usize::midpoint(min, max.min(n)), max.min(n), (max + 1).min(n)];
        let assignments: Vec<_> = (0..60).map(|turn| (random.choice(n, near[turn % 5]), vec![])).collect();
        check("cardinality", &model, &Cardinality::between(lits, min, max), &assignments);
    }
}

#[test]
fn sums() {
    let mut random = Random(3);
    for (n, weight, ints) in [(12, 9, 0), (20, 40, 0), (10, 12, 3), (45, 20, 0), (40, 100, 0), (16, 300, 0)] {
        let mut model = Model::new();
        let mut terms: Vec<(Value, Term)> = Vec::new();
        for _ in 0..n {
            terms.push((Value::from(random.below(weight) + 1), model.boolean().into()));
        }
        for _ in 0..ints {
            terms.push((Value::from(random.below(5) + 1), model.integer(Domain::interval(-2, 6)).into()));
        }
        let values = |random: &mut Random| {
            let held = n / 2 + random.below(3) as usize;
            let ints: Vec<Value> = (0..ints).map(|_| Value::from(random.below(9)) - 2).collect();
            (random.choice(n, held), ints)
        };
        let sum = |(booleans, ints): &(Vec<bool>, Vec<Value>)| -> Value {
            let values = booleans.iter().map(|&value| Value::from(value)).chain(ints.iter().copied());
            terms.iter().zip(values).map(|(term, value)| term.0 * value).sum()
        };
        let assignments: Vec<_> = (0..40).map(|_| values(&mut random)).collect();
        let bound = sum(&assignments[0]);
        for constraint in [
            Linear::at_most(terms.clone(), bound),
            Linear::at_least(terms.clone(), bound),
            Linear::equal(terms.clone(), bound),
        ] {
            check("linear", &model, &constraint, &assignments);
        }
    }
}

#[test]
fn forests() {
    let mut random = Random(4);
    for (n, m) in [(8, 12), (12, 20), (16, 24)] {
        let (model, lits) = booleans(m);
        let edges: Vec<_> = lits
            .iter()
            .map(|&lit| {
                let a = random.below(n as u64) as usize;
                (a, (a + 1 + random.below(n as u64 - 1) as usize) % n, lit)
            })
            .collect();
        let assignments: Vec<_> =
            (0..60).map(|turn| (random.choice(m, m / 4 + turn % (m / 3)), vec![])).collect();
        check("acyclic", &model, &Acyclic::new(n, edges), &assignments);
    }
}
