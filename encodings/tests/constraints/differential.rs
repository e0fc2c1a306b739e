//! Differential tests of every encoding on random constraints, with larger numbers than in the other tests. The tests
//! compare two solvers with each other and with brute force.
//!
//! The two solvers are `BatSat` and varisat, which are independent implementations. Each problem is solved several
//! times, with different variables fixed.

use gordian_encodings::constraint::Entry;
use gordian_encodings::constraint::{
    Absolute, AllDifferent, AtMostOne, Cardinality, Comparison, Connected, Constraint, Count, Disjunction,
    Division, Element, ExactlyOne, Lexicographic, Linear, Maximum, Minimum, Negation, Path, Permutation,
    Product, Reified, Table, Term,
};
use gordian_encodings::{
    Assignment, CONSTRAINTS, Cnf, Domain, Encodings, Graph, IntVar, Lit, Model, TRUE, Value, constant,
};
use proptest::prelude::*;
use rustsat::solvers::{Solve, SolverResult};
use std::sync::Arc;
use varisat::ExtendFormula;

/// Returns whether the formula is satisfiable under the assumptions, according to varisat.
fn varisat_accepts(cnf: &Cnf, assumed: &[Lit]) -> bool {
    let mut solver = varisat::Solver::new();
    let lit = |lit: &Lit| varisat::Lit::from_index(lit.vidx(), lit.is_pos());
    for clause in cnf.iter() {
        solver.add_clause(&clause.iter().map(lit).collect::<Vec<_>>());
    }
    solver.assume(&assumed.iter().filter(|&&lit| constant(lit).is_none()).map(lit).collect::<Vec<_>>());
    solver.solve().expect("no limit is set")
}

/// Returns the assignment that `BatSat` finds, or `None` if the formula is unsatisfiable.
fn batsat_model(
    cnf: &Cnf,
    assumed: &[Lit],
    read: impl Fn(&dyn Fn(Lit) -> Option<bool>) -> Assignment,
) -> Option<Assignment> {
    let mut solver = rustsat_batsat::BasicSolver::default();
    for clause in cnf.iter() {
        solver.add_clause_ref(&clause.iter().copied().collect::<rustsat::types::Clause>()).unwrap();
    }
    for &lit in assumed.iter().filter(|&&lit| constant(lit).is_none()) {
        solver.add_unit(lit).unwrap();
    }
    if solver.solve().unwrap() != SolverResult::Sat {
        return None;
    }
    let found = solver.solution(rustsat::types::Var::new(cnf.variables().max(1))).unwrap();
    Some(read(&|lit: Lit| match found.lit_value(lit) {
        rustsat::types::TernaryVal::True => Some(true),
        rustsat::types::TernaryVal::False => Some(false),
        rustsat::types::TernaryVal::DontCare => None,
    }))
}

/// A random constraint over Booleans and integers, with values to fix.
#[derive(Debug, Clone)]
struct Board {
    booleans: usize,
    domains: Vec<Vec<Value>>,
    kind: Kind,
    /// The variables to fix in each solver call, and their values. Variables and values are stored as arbitrary
    /// numbers, which are reduced modulo the number of choices.
    probes: Vec<Vec<(usize, usize)>>,
}

#[derive(Debug, Clone)]
enum Kind {
    Linear { coefficients: Vec<Value>, comparison: Comparison, bound: Value },
    Cardinality { min: usize, max: usize },
    Product,
    Division { divisor: Value },
    MinMax { greatest: bool },
    Absolute,
    AllDifferent,
    Permutation,
    Count { counted: bool, min: usize, max: usize },
    Element,
    AtMostOne,
    ExactlyOne,
    Lexicographic { strict: bool },
    Connected { edges: Vec<(usize, usize)>, certain: bool },
    Path { edges: Vec<(usize, usize)>, through_all: bool },
    Table { rows: Vec<Vec<(u8, usize)>> },
}

fn domain() -> impl Strategy<Value = Vec<Value>> {
    prop::collection::btree_set(-12_i128..40, 1..14).prop_map(|values| values.into_iter().collect())
}

/// Generates the edges of a graph with six vertices.
fn edges() -> impl Strategy<Value = Vec<(usize, usize)>> {
    prop::collection::btree_set((0_usize..6, 1_usize..6), 3..9)
        .prop_map(|edges| edges.into_iter().map(|(a, step)| (a, (a + step) % 6)).collect())
}

fn boards() -> impl Strategy<Value = Board> {
    let comparisons = [Comparison::AtMost, Comparison::AtLeast, Comparison::Equal, Comparison::NotEqual];
    let linear =
        (prop::collection::vec(-60_i128..61, 9), prop::sample::select(comparisons.to_vec()), -300_i128..301)
            .prop_map(|(coefficients, comparison, bound)| Kind::Linear { coefficients, comparison, bound });
    let table = prop::collection::vec(prop::collection::vec((0_u8..3, 0_usize..14), 9), 0..12);
    let kind = prop_oneof![
        4 => linear,
        2 => (0_usize..7, 0_usize..9).prop_map(|(min, max)| Kind::Cardinality { min, max }),
        2 => Just(Kind::Product),
        1 => (-9_i128..10).prop_map(|divisor| Kind::Division { divisor }),
        1 => any::<bool>().prop_map(|greatest| Kind::MinMax { greatest }),
        1 => Just(Kind::Absolute),
        1 => Just(Kind::AllDifferent),
        1 => Just(Kind::Permutation),
        1 => (any::<bool>(), 0_usize..4, 0_usize..5)
            .prop_map(|(counted, min, max)| Kind::Count { counted, min, max }),
        1 => Just(Kind::Element),
        1 => Just(Kind::AtMostOne),
        1 => Just(Kind::ExactlyOne),
        1 => any::<bool>().prop_map(|strict| Kind::Lexicographic { strict }),
        2 => (edges(), any::<bool>()).prop_map(|(edges, certain)| Kind::Connected { edges, certain }),
        1 => (edges(), any::<bool>()).prop_map(|(edges, through_all)| Kind::Path { edges, through_all }),
        1 => table.prop_map(|rows| Kind::Table { rows }),
    ];
    let probes = prop::collection::vec(prop::collection::vec((0_usize..99, 0_usize..99), 0..3), 2..5);
    (0_usize..6, prop::collection::vec(domain(), 3), kind, probes).prop_map(
        |(booleans, domains, kind, probes)| {
            let booleans = match &kind {
                Kind::Cardinality { .. } | Kind::AtMostOne | Kind::ExactlyOne => booleans + 5,
                Kind::Lexicographic { .. } | Kind::Connected { .. } => 6,
                Kind::Path { edges, .. } => 6 + edges.len(),
                _ => return Board { booleans, domains, kind, probes },
            };
            Board { booleans, domains: Vec::new(), kind, probes }
        },
    )
}

fn constraint(board: &Board, lits: &[Lit], ints: &[IntVar]) -> Arc<dyn Constraint> {
    let columns: Vec<Term> =
        lits.iter().copied().map(Term::from).chain(ints.iter().copied().map(Term::from)).collect();
    match &board.kind {
        Kind::Linear { coefficients, comparison, bound } => {
            Arc::new(Linear::new(coefficients.iter().copied().zip(columns), *comparison, *bound))
        }
        Kind::Cardinality { min, max } => Arc::new(Cardinality::between(lits, *min, *max)),
        Kind::Product => Arc::new(Product::new(&ints[..2], ints[2])),
        Kind::Division { divisor } => Arc::new(Division::new(ints[0], *divisor, ints[1], ints[2])),
        Kind::MinMax { greatest } => {
            if *greatest {
                Arc::new(Maximum::new(&ints[..2], ints[2]))
            } else {
                Arc::new(Minimum::new(&ints[..2], ints[2]))
            }
        }
        Kind::Absolute => Arc::new(Absolute::new(ints[0], ints[1])),
        Kind::AllDifferent => Arc::new(AllDifferent::new(ints)),
        Kind::Permutation => {
            let values: Vec<Value> = board.domains.iter().map(|values| values[values.len() / 2]).collect();
            Arc::new(Permutation::new(ints, values))
        }
        Kind::Count { counted: true, .. } => {
            Arc::new(Count::counted(&ints[..2], board.domains[0][0], ints[2]))
        }
        Kind::Count { min, max, .. } => Arc::new(Count::between(ints, board.domains[0][0], *min, *max)),
        Kind::Element => {
            Arc::new(Element::new(ints[0], columns[..columns.len() - 1].iter().copied(), ints[2]))
        }
        Kind::AtMostOne => Arc::new(AtMostOne::new(lits)),
        Kind::ExactlyOne => Arc::new(ExactlyOne::new(lits)),
        Kind::Lexicographic { strict } => {
            Arc::new(Lexicographic { left: lits[..3].to_vec(), right: lits[3..].to_vec(), strict: *strict })
        }
        Kind::Connected { edges, certain } => {
            let mut vertices = lits.to_vec();
            if *certain {
                vertices[0] = TRUE;
            }
            Arc::new(Connected::new(Arc::new(Graph::new(6, edges.iter().copied())), vertices))
        }
        Kind::Path { edges, through_all } => {
            let (vertices, used) = lits.split_at(6);
            let vertices = if *through_all { vec![TRUE; 6] } else { vertices.to_vec() };
            let edges: Vec<_> = edges.iter().zip(used).map(|(&(a, b), &lit)| (a, b, lit)).collect();
            Arc::new(Path::new(0, 5, vertices, edges))
        }
        Kind::Table { rows } => {
            let entry = |column: usize, (kind, index): (u8, usize)| {
                let value = match column.checked_sub(lits.len()) {
                    None => (index % 2) as Value,
                    Some(column) => board.domains[column][index % board.domains[column].len()],
                };
                [Entry::Any, Entry::Is(value), Entry::Not(value)][kind as usize]
            };
            let rows =
                rows.iter().map(|row| (0..columns.len()).map(|column| entry(column, row[column])).collect());
            Arc::new(Table::new(columns.clone(), rows.collect::<Vec<_>>()))
        }
    }
}

/// Returns whether some assignment satisfies the constraint and the fixed values.
fn any_solution(board: &Board, constraint: &dyn Constraint, fixed: &[Option<usize>]) -> bool {
    let sizes: Vec<usize> =
        vec![2; board.booleans].into_iter().chain(board.domains.iter().map(Vec::len)).collect();
    let mut choice: Vec<usize> = fixed.iter().map(|fixed| fixed.unwrap_or(0)).collect();
    loop {
        let booleans = choice[..board.booleans].iter().map(|&value| value == 1).collect();
        let integers = board
            .domains
            .iter()
            .zip(&choice[board.booleans..])
            .map(|(values, &index)| values[index])
            .collect();
        if constraint.holds(&Assignment::new(booleans, integers)) {
            return true;
        }
        let next = (0..choice.len()).rev().find(|&i| fixed[i].is_none() && choice[i] + 1 < sizes[i]);
        let Some(place) = next else { return false };
        choice[place] += 1;
        for later in place + 1..choice.len() {
            choice[later] = fixed[later].unwrap_or(0);
        }
    }
}

/// Returns the constraint, its negation, its equivalence with `lit`, or its disjunction with `lit`, depending on
/// `how`.
fn reified(how: usize, constraint: Arc<dyn Constraint>, lit: Lit) -> Arc<dyn Constraint> {
    let negation = Arc::new(Negation { of: Arc::clone(&constraint) });
    match how {
        0 => constraint,
        1 => negation,
        2 => Arc::new(Reified { condition: lit, then: Some(constraint), otherwise: Some(negation) }),
        _ => Arc::new(Disjunction::new([constraint, Arc::new(Cardinality::exactly([lit], 1))])),
    }
}

fn check(board: &Board, how: usize) {
    let mut model = Model::new();
    let mut lits: Vec<Lit> = (0..board.booleans).map(|_| model.boolean()).collect();
    let ints: Vec<IntVar> = board
        .domains
        .iter()
        .map(|values| model.integer(Domain::from_values(values.iter().copied())))
        .collect();
    let constraint = constraint(board, &lits, &ints);
    let meaning = CONSTRAINTS.iter().find(|row| row.name == constraint.type_name()).unwrap();
    // The additional Boolean variable is passed to `reified` as the argument `lit`.
    let board = &Board { booleans: board.booleans + 1, ..board.clone() };
    lits.push(model.boolean());
    let constraint = reified(how, constraint, lits[board.booleans - 1]);
    let sizes: Vec<usize> =
        vec![2; board.booleans].into_iter().chain(board.domains.iter().map(Vec::len)).collect();
    let encodings = (meaning.encodings)();
    let names = encodings.iter().map(|row| row.name).chain(["auto"]);
    for (encoding, view) in names.flat_map(|name| ["order", "direct", "log"].map(|view| (name, view))) {
        let mut encodings = Encodings::auto();
        if (meaning.encodings)().len() > 1 {
            encodings.choose_named(meaning.name, encoding).unwrap();
        }
        encodings.choose_named("integers", view).unwrap();
        let mut cnf = Cnf::default();
        let mut encoded = model.encode(&encodings, &mut cnf);
        encoded.sink(&mut cnf).post(&*constraint);
        for probe in &board.probes {
            let mut fixed = vec![None; sizes.len()];
            let mut assumed = Vec::new();
            for &(variable, value) in probe.iter().filter(|_| !sizes.is_empty()) {
                let variable = variable % sizes.len();
                fixed[variable] = Some(value % sizes[variable]);
            }
            for (variable, value) in fixed.iter().enumerate().filter_map(|(i, &value)| Some((i, value?))) {
                assumed.push(match variable.checked_sub(lits.len()) {
                    None if value == 1 => lits[variable],
                    None => !lits[variable],
                    Some(x) => encoded.sink(&mut cnf).equals(ints[x], board.domains[x][value]),
                });
            }
            let expected = any_solution(board, &*constraint, &fixed);
            let context = format!("{encoding}, {view}, {fixed:?} of {constraint:?} on {board:?}");
            assert_eq!(varisat_accepts(&cnf, &assumed), expected, "varisat: {context}");
            let found = batsat_model(&cnf, &assumed, |value| encoded.assignment(value));
            assert_eq!(found.is_some(), expected, "BatSat: {context}");
            if let Some(found) = found {
                assert!(constraint.holds(&found), "{found:?} of {context}");
                for (x, values) in ints.iter().zip(&board.domains) {
                    assert!(values.contains(&found.int(*x)), "{found:?} of {context}");
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_encoding_agrees_with_brute_force(board in boards()) {
        check(&board, 0);
    }

    #[test]
    fn reified_constraints_agree_with_brute_force(board in boards(), how in 1_usize..4) {
        check(&board, how);
    }
}

fn solve(model: &Model) -> Option<Assignment> {
    let mut cnf = Cnf::default();
    let encoded = model.encode(&Encodings::auto(), &mut cnf);
    let found = batsat_model(&cnf, &[], |value| encoded.assignment(value));
    assert_eq!(found.is_some(), varisat_accepts(&cnf, &[]));
    if let Some(found) = &found {
        assert!(model.holds(found), "{found:?}");
    }
    found
}

#[test]
fn numbers_beyond_128_bits_are_exact() {
    let huge = 10_i128.pow(30);
    let mut model = Model::new();
    let [x, y] = [0; 2].map(|_| model.integer(Domain::interval(-huge, huge)));
    model.post(Linear::equal([(3, x.into()), (-7, y.into())], huge + 5));
    model.post(Linear::at_least([(1, x.into()), (1, y.into())], huge / 2));
    model.post(Linear::not_equal([(1, x.into())], 0));
    assert!(solve(&model).is_some());
    model.post(Linear::at_most([(3, x.into()), (-7, y.into())], huge + 4));
    assert_eq!(solve(&model), None);
}

#[test]
fn large_products() {
    for (n, expected) in [(1_000_003 * 999_983, true), (1_000_003, false)] {
        let mut model = Model::new();
        let [x, y] = [0; 2].map(|_| model.integer(Domain::interval(2, 1_100_000)));
        let product = model.integer(Domain::interval(n, n));
        model.post(Product::new([x, y], product));
        if expected {
            // The bounds on x make it easy for the solver to find the factors of n.
            model.post(Linear::at_most([(1, x.into())], 1_000_010));
            model.post(Linear::at_least([(1, x.into())], 999_980));
        } else {
            model.post(Linear::at_most([(1, x.into()), (1, y.into())], 2_100));
        }
        assert_eq!(solve(&model).is_some(), expected);
    }
}

#[test]
fn digits_and_powers_of_large_numbers() {
    // The problem is to find a number whose seventh power ends in four given digits. The remainder modulo 10,000
    // gives these digits.
    let mut model = Model::new();
    let x = model.integer(Domain::interval(-50, 50));
    let power = model.integer(Domain::interval(-(50_i128.pow(7)), 50_i128.pow(7)));
    let quotient = model.integer(Domain::interval(-(10_i128.pow(9)), 10_i128.pow(9)));
    let end = model.integer(Domain::interval(0, 9_999));
    model.post(Product::power(x, 7, power));
    model.post(Division::new(power, 10_000, quotient, end));
    let digits: Vec<IntVar> = (0..4).map(|_| model.integer(Domain::interval(0, 9))).collect();
    model.post(Linear::number(10, digits.clone(), end));
    // One solution is 43, because 43^7 = 271,818,611,107.
    for (digit, value) in digits.iter().zip([1, 1, 0, 7]) {
        model.post(Linear::equal([(1, (*digit).into())], value));
    }
    let found = solve(&model).expect("43 is there");
    assert_eq!(found.int(x).pow(7).rem_euclid(10_000), 1_107);
}
