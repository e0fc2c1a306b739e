//! Tests that every solver finds exactly the solutions of a connectivity constraint, with every encoding. The tests
//! enumerate all small graphs, and vary the order of added clauses, assumptions and solver calls.

use std::collections::BTreeSet;
use std::sync::Arc;

use gordian::backend::{SOLVERS, Solver, Verdict};
use gordian::search::Session;
use gordian_encodings::constraint::{Clause, Connected, Reified};
use gordian_encodings::{Assignment, CONSTRAINTS, Encodings, Graph, Lit, Model, TRUE};
use proptest::prelude::*;

fn encodings() -> Vec<Encodings> {
    let row = CONSTRAINTS.iter().find(|row| row.name == "connectivity").expect("the constraint");
    let choose = |name: &str| {
        let mut encodings = Encodings::auto();
        encodings.choose_named(row.name, name).expect("its own encoding");
        encodings
    };
    (row.encodings)().iter().map(|encoding| choose(encoding.name)).collect()
}

fn solvers() -> impl Iterator<Item = &'static Solver> {
    SOLVERS.iter().copied().filter(|solver| solver.make().is_ok())
}

/// Returns a model whose only constraint is that a set of vertices is connected. The first `certain` vertices are
/// always in the set.
fn model(n: usize, edges: &[(usize, usize)], certain: usize) -> Model {
    let mut model = Model::new();
    let lits: Vec<Lit> = (0..n).map(|_| model.boolean()).collect();
    let vertices: Vec<Lit> =
        (0..n).map(|vertex| if vertex < certain { TRUE } else { lits[vertex] }).collect();
    model.post(Connected::new(Arc::new(Graph::new(n, edges.iter().copied())), vertices));
    model.project(lits);
    model
}

fn all(n: u32) -> impl Iterator<Item = Assignment> {
    (0..1_u32 << n)
        .map(move |set| Assignment::new((0..n).map(|index| set >> index & 1 == 1).collect(), Vec::new()))
}

fn values(assignment: &Assignment, n: u32) -> Vec<bool> {
    (0..n).map(|index| assignment.lit(Lit::positive(index))).collect()
}

#[test]
fn all_graphs_of_up_to_five_vertices() {
    for n in 0..=5_usize {
        let pairs: Vec<(usize, usize)> = (0..n).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
        for chosen in 0..1_u32 << pairs.len() {
            let edges: Vec<_> = (0..pairs.len())
                .filter(|&index| chosen >> index & 1 == 1)
                .map(|index| pairs[index])
                .collect();
            for certain in 0..=n.min(2) {
                let model = model(n, &edges, certain);
                let expected: BTreeSet<_> = all(n as u32)
                    .filter(|assignment| model.holds(assignment))
                    .map(|assignment| values(&assignment, n as u32))
                    .collect();
                for (encodings, solver) in encodings().iter().flat_map(|e| solvers().map(move |s| (e, s))) {
                    let session = Session::new(&model, encodings, solver).expect("the solver is there");
                    let found: Vec<_> =
                        session.into_assignments().map(|a| values(&a.expect("no limit"), n as u32)).collect();
                    assert_eq!(found.len(), expected.len(), "{encodings:?} {} on {edges:?}", solver.name);
                    assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected);
                }
            }
        }
    }
}

/// A literal: the index of a variable, and whether the variable is negated.
type Signed = (u32, bool);

fn lit((index, negated): Signed) -> Lit {
    Lit::new(index, negated)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Solves a model of two disjoint connected sets several times, with added clauses and under assumptions. The state
    /// of the propagators must remain correct between the calls.
    #[test]
    fn verdicts_under_assumptions(
        edges in proptest::collection::vec((0..6_usize, 0..6_usize), 4..12),
        clauses in proptest::collection::vec(proptest::collection::vec((0..12_u32, any::<bool>()), 1..4), 0..10),
        questions in proptest::collection::vec(proptest::collection::vec((0..12_u32, any::<bool>()), 0..5), 1..8),
        rooted in any::<bool>(),
    ) {
        const N: u32 = 12;
        let mut model = Model::new();
        let lits: Vec<Lit> = (0..N).map(|_| model.boolean()).collect();
        let graph = Arc::new(Graph::new(6, edges));
        let mut first = lits[..6].to_vec();
        if rooted {
            first[0] = TRUE;
        }
        model.post(Connected::new(Arc::clone(&graph), first));
        model.post(Connected::new(graph, lits[6..].to_vec()));
        for vertex in 0..6 {
            model.post(Clause::new(vec![!lits[vertex], !lits[vertex + 6]]));
        }
        for clause in &clauses {
            model.post(Clause::new(clause.iter().copied().map(lit).collect::<Vec<_>>()));
        }
        let admitted: Vec<Assignment> = all(N).filter(|assignment| model.holds(assignment)).collect();
        for (encodings, solver) in encodings().iter().flat_map(|e| solvers().map(move |s| (e, s))) {
            let mut session = Session::new(&model, encodings, solver).expect("the solver is there");
            for question in &questions {
                let assumptions: Vec<Lit> = question.iter().copied().map(lit).collect();
                let fits = |assignment: &&Assignment| assumptions.iter().all(|&lit| assignment.lit(lit));
                let verdict = session.satisfy(&assumptions).expect("no failure");
                let expected = admitted.iter().any(|assignment| fits(&assignment));
                prop_assert_eq!(verdict == Verdict::Satisfiable, expected, "{:?} {}", encodings, solver.name);
                if expected {
                    let assignment = session.assignment();
                    prop_assert!(model.holds(&assignment) && fits(&&assignment));
                }
            }
            let found = session.into_assignments();
            prop_assert!(found.count() <= 1, "more than one solution without a projection");
        }
    }
}

#[test]
fn reified_connectivity_applies_only_under_its_condition() {
    for certain in [0, 1, 2] {
        let mut model = Model::new();
        let lits: Vec<Lit> = (0..5).map(|_| model.boolean()).collect();
        let vertices: Vec<Lit> =
            (0..4).map(|vertex| if vertex < certain { TRUE } else { lits[vertex] }).collect();
        // In the graph, vertices 0 and 1 are not adjacent.
        let graph = Arc::new(Graph::new(4, [(0, 2), (2, 3), (3, 1)]));
        model.post(Reified::implies(lits[4], Connected::new(graph, vertices)));
        model.project(lits);
        let expected = all(5).filter(|assignment| model.holds(assignment)).count();
        for (encodings, solver) in encodings().iter().flat_map(|e| solvers().map(move |s| (e, s))) {
            let session = Session::new(&model, encodings, solver).expect("the solver is there");
            assert_eq!(session.into_assignments().count(), expected, "{encodings:?} {}", solver.name);
        }
    }
}

/// Returns the edges of a grid, and the cells of its walls. Every second row is a wall with one gap, so the only path
/// from the first cell to the last winds through all other rows.
fn winding(rows: usize, columns: usize) -> (Vec<(usize, usize)>, Vec<usize>) {
    let cell = |row: usize, column: usize| row * columns + column;
    let right = (0..rows).flat_map(|row| (1..columns).map(move |column| (row, column - 1, row, column)));
    let down = (1..rows).flat_map(|row| (0..columns).map(move |column| (row - 1, column, row, column)));
    let edges = right.chain(down).map(|(a, b, c, d)| (cell(a, b), cell(c, d))).collect();
    let gap = |row: usize| if row % 4 == 1 { columns - 1 } else { 0 };
    let walls = (1..rows).step_by(2).flat_map(|row| {
        (0..columns).filter(move |&column| column != gap(row)).map(move |column| cell(row, column))
    });
    (edges, walls.collect())
}

#[test]
fn long_paths_are_found_and_their_absence_is_proven() {
    let (rows, columns) = (9, 9);
    let n = rows * columns;
    let (edges, walls) = winding(rows, columns);
    for rooted in [true, false] {
        for blocked in [false, true] {
            let mut model = Model::new();
            let mut lits: Vec<Lit> = (0..n).map(|_| model.boolean()).collect();
            if rooted {
                lits[0] = TRUE;
            }
            let graph = Arc::new(Graph::new(n, edges.iter().copied()));
            model.post(Connected::new(graph, lits.clone()));
            for &wall in walls.iter().chain(blocked.then_some(&(4 * columns + 4))) {
                model.post(Clause::new(vec![!lits[wall]]));
            }
            for end in [0, n - 1] {
                model.post(Clause::new(vec![lits[end]]));
            }
            let mut deepened = 0;
            for (encodings, solver) in encodings().iter().flat_map(|e| solvers().map(move |s| (e, s))) {
                let mut session = Session::new(&model, encodings, solver).expect("the solver is there");
                let verdict = session.satisfy(&[]).expect("no failure");
                let expected = if blocked { Verdict::Unsatisfiable } else { Verdict::Satisfiable };
                assert_eq!(verdict, expected, "{encodings:?} {} rooted: {rooted}", solver.name);
                assert!(blocked || model.holds(&session.assignment()));
                deepened += session.rounds().deepened;
            }
            assert!(deepened > 0, "the initial depth sufficed, so deepening was not tested");
        }
    }
}

#[test]
fn auto_uses_cuts_for_hinted_connectivity() {
    for (hint, encoding) in [(false, "propagator"), (true, "cuts")] {
        let mut model = Model::new();
        let lits: Vec<Lit> = (0..3).map(|_| model.boolean()).collect();
        let connected = Connected::new(Arc::new(Graph::new(3, [(0, 1), (1, 2)])), lits);
        model.post(if hint { connected.nearly_implied() } else { connected });
        let mut cnf = gordian_encodings::Cnf::default();
        let encoded = model.encode(&Encodings::auto().deferring(), &mut cnf);
        assert_eq!(encoded.encodings(), [("connectivity", encoding, 1)]);
        // If neither propagators nor lazy clauses are allowed, the encoding `layers` is used.
        let complete = model.encode(&Encodings::auto(), &mut cnf);
        assert_eq!(complete.encodings(), [("connectivity", "layers", 1)]);
    }
}

#[test]
fn preferred_literals_are_tried_first() {
    let mut model = Model::new();
    let lits: Vec<Lit> = (0..6).map(|_| model.boolean()).collect();
    model.post(Clause::new([!lits[4], !lits[5]]));
    // Constants are ignored, and the literals need not be sorted.
    model.prefer([lits[3], !lits[1], TRUE, lits[0]]);
    assert_eq!(model.preferred(), [lits[3], !lits[1], lits[0]]);
    for solver in solvers().filter(|solver| solver.phases) {
        let mut session = Session::new(&model, &Encodings::auto(), solver).expect("the solver is there");
        assert_eq!(session.satisfy(&[]).expect("no failure"), Verdict::Satisfiable);
        let assignment = session.assignment();
        for &lit in model.preferred() {
            assert!(assignment.lit(lit), "{lit} by {}", solver.name);
        }
    }
}
