//! Tests the propagators and the cuts for connected sets, and for sets whose components have a given size, without a
//! solver. On small random graphs, every derived literal is checked against the list of all solutions.

use std::sync::Arc;

use gordian_encodings::constraint::{Acyclic, ComponentSize, Connected};
use gordian_encodings::theory::acyclic::LazyAcyclic;
use gordian_encodings::theory::component_size::LazyComponentSize;
use gordian_encodings::theory::connected::LazyConnected;
use gordian_encodings::theory::{Event, Findings, Lazy, Propagator};
use gordian_encodings::{Assignment, Constraint, FALSE, Graph, Lit, TRUE, constant};
use proptest::prelude::*;

/// A constraint on a graph with few vertices, and a sequence of solver decisions.
#[derive(Debug, Clone)]
struct Case {
    constraint: Connected,
    /// The decisions: the index of the variable to assign, its value, and a number that determines how many levels the
    /// test backtracks.
    moves: Vec<(usize, bool, usize)>,
}

/// Returns the literal of vertex `index`, which is a variable in most cases.
fn vertex_lit(index: usize, choice: u32) -> Lit {
    match choice {
        0 => FALSE,
        1 => TRUE,
        2 => Lit::negative(index as u32),
        _ => Lit::positive(index as u32),
    }
}

fn cases(sized: bool) -> impl Strategy<Value = Case> {
    (1..8_usize, any::<bool>(), any::<bool>()).prop_flat_map(move |(n, rooted, constants)| {
        let edges = proptest::collection::vec((0..n, 0..n), 0..2 * n);
        let choices = proptest::collection::vec(if constants { 0..12_u32 } else { 2..12_u32 }, n);
        let sizes = (0..=n, 0..=n);
        let moves = proptest::collection::vec((0..n, any::<bool>(), 0..4_usize), 1..20);
        (edges, choices, sizes, moves).prop_map(move |(edges, choices, (a, b), moves)| {
            let mut lits: Vec<Lit> =
                choices.iter().enumerate().map(|(index, &choice)| vertex_lit(index, choice)).collect();
            if rooted {
                lits[n / 2] = TRUE;
            }
            let mut constraint = Connected::new(Arc::new(Graph::new(n, edges)), lits);
            if sized {
                constraint = constraint.of_size(a.min(b), a.max(b));
            }
            Case { constraint, moves }
        })
    })
}

/// Returns all sets of vertices that satisfy the constraint and the declared bounds on their size. Each set is given by
/// the values of all variables.
fn solutions(constraint: &Connected) -> Vec<Vec<bool>> {
    let (min, max) = constraint.size;
    let fits = |assignment: &Assignment| (min..=max).contains(&assignment.count(&constraint.vertices));
    values_where(constraint.vertices.len(), |assignment| {
        Constraint::holds(constraint, assignment) && fits(assignment)
    })
}

fn values_where(n: usize, holds: impl Fn(&Assignment) -> bool) -> Vec<Vec<bool>> {
    (0..1_u32 << n)
        .map(|bits| (0..n).map(|index| bits >> index & 1 == 1).collect::<Vec<bool>>())
        .filter(|values| holds(&Assignment::new(values.clone(), Vec::new())))
        .collect()
}

fn holds(values: &[bool], lit: Lit) -> bool {
    constant(lit).unwrap_or_else(|| values[lit.vidx()] == lit.is_pos())
}

fn follows(solutions: &[Vec<bool>], clause: &[Lit]) -> bool {
    solutions.iter().all(|values| clause.iter().any(|&lit| holds(values, lit)))
}

/// A minimal solver: a propagator and a trail.
struct Search {
    propagator: Box<dyn Propagator>,
    watched: Vec<(Lit, Event)>,
    /// The true literals. Each derived literal is stored with the event that explains it, and with the number of
    /// literals that were reported before it. A decision is stored with `None`.
    trail: Vec<(Lit, Option<(usize, Event)>)>,
    notified: usize,
    /// The length of the trail before each decision.
    levels: Vec<usize>,
}

impl Search {
    fn new(lazy: &impl Lazy) -> Self {
        let propagator = lazy.propagator().expect("one that propagates");
        let watched = propagator.events();
        Self { propagator, watched, trail: Vec::new(), notified: 0, levels: Vec::new() }
    }

    /// Executes decisions, and checks all derived literals. After each decision without a conflict, calls `check` with
    /// the solutions that are left.
    fn play(
        &mut self,
        solutions: &[Vec<bool>],
        moves: &[(usize, bool, usize)],
        minimal: bool,
        check: impl Fn(&Self, &[&Vec<bool>]),
    ) {
        if self.propagate(solutions, false) {
            assert_eq!(solutions.len(), 0, "a conflict without a decision");
            return;
        }
        for &(vertex, sign, back) in moves {
            let lit = Lit::new(vertex as u32, !sign);
            if self.value(lit).is_none() {
                self.levels.push(self.trail.len());
                self.trail.push((lit, None));
                let conflict = self.propagate(solutions, minimal);
                self.explain_all(solutions, minimal);
                let fits = |values: &&Vec<bool>| self.trail.iter().all(|&(lit, _)| holds(values, lit));
                let left: Vec<_> = solutions.iter().filter(fits).collect();
                if conflict {
                    assert!(left.is_empty(), "a conflict, but {left:?} is left");
                    self.pop(1 + back);
                    continue;
                }
                check(self, &left);
            }
            if back == 3 {
                self.pop(2);
            }
        }
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        self.trail.iter().map(|&(held, _)| held).find(|held| held.var() == lit.var()).map(|held| held == lit)
    }

    /// Reports new literals to the propagator, propagates to the fixpoint, and checks every derived literal. Returns
    /// whether there was a conflict.
    fn propagate(&mut self, solutions: &[Vec<bool>], minimal: bool) -> bool {
        loop {
            for &(lit, _) in &self.trail[self.notified..] {
                for &(_, event) in self.watched.iter().filter(|&&(watched, _)| watched == lit) {
                    assert!(self.propagator.assign(event), "each literal changes the state");
                }
            }
            self.notified = self.trail.len();
            let mut findings = Findings::default();
            self.propagator.propagate(&mut findings);
            if let Some(clause) = findings.conflict {
                for &lit in &clause {
                    assert_eq!(self.value(lit), Some(false), "a conflict clause is false: {clause:?}");
                }
                check_clause(solutions, &clause, minimal);
                return true;
            }
            let mut news = false;
            for (lit, event) in findings.implied {
                match self.value(lit) {
                    Some(true) => {}
                    Some(false) => {
                        let clause = self.clause(lit, event, self.notified);
                        check_clause(solutions, &clause, minimal);
                        return true;
                    }
                    None => {
                        let clause = self.clause(lit, event, self.notified);
                        check_clause(solutions, &clause, minimal);
                        self.trail.push((lit, Some((self.notified, event))));
                        news = true;
                    }
                }
            }
            if !news {
                return false;
            }
        }
    }

    /// Returns the clause that explains a derived literal. Checks that the other literals of the clause were reported
    /// before the derivation.
    fn clause(&mut self, lit: Lit, event: Event, notified: usize) -> Vec<Lit> {
        let mut reason = Vec::new();
        self.propagator.explain(event, &mut reason);
        let known: Vec<Lit> = self.trail[..notified].iter().map(|&(lit, _)| lit).collect();
        assert!(reason.iter().all(|lit| known.contains(lit)), "{reason:?} is explained by what came later");
        reason.iter().map(|&lit| !lit).chain([lit]).collect()
    }

    /// Explains all literals on the trail again, from last to first, as in conflict analysis.
    fn explain_all(&mut self, solutions: &[Vec<bool>], minimal: bool) {
        for index in (0..self.trail.len()).rev() {
            if let (lit, Some((notified, event))) = self.trail[index] {
                let clause = self.clause(lit, event, notified);
                check_clause(solutions, &clause, minimal);
            }
        }
    }

    fn pop(&mut self, levels: usize) {
        for _ in 0..levels.min(self.levels.len()) {
            let start = self.levels.pop().expect("as many levels");
            while self.trail.len() > start {
                let (lit, _) = self.trail.pop().expect("a longer trail");
                if self.notified > self.trail.len() {
                    self.notified -= 1;
                    for _ in self.watched.iter().filter(|&&(watched, _)| watched == lit) {
                        self.propagator.undo();
                    }
                }
            }
        }
    }
}

/// Checks that the constraint implies the clause. If `minimal` is true, also checks that no literal can be removed
/// from the clause.
fn check_clause(solutions: &[Vec<bool>], clause: &[Lit], minimal: bool) {
    assert!(follows(solutions, clause), "{clause:?} does not follow");
    if minimal {
        for index in 0..clause.len() {
            let less = [&clause[..index], &clause[index + 1..]].concat();
            assert!(!follows(solutions, &less), "{clause:?} follows without {:?}", clause[index]);
        }
    }
}

/// Executes the decisions of a case, and checks all derived literals.
fn play(case: &Case, minimal: bool) {
    let solutions = solutions(&case.constraint);
    let Connected { graph, vertices, size, .. } = &case.constraint;
    let lazy = LazyConnected::by_propagation(graph, vertices, *size);
    // The encoding fixes these literals by unit clauses.
    for &lit in lazy.network().cut_off() {
        assert!(follows(&solutions, &[!lit]), "{lit} is not cut off");
    }
    let mut search = Search::new(&lazy);
    for &lit in lazy.network().cut_off().iter().filter(|&&lit| lit != TRUE) {
        search.trail.push((!lit, None));
    }
    if lazy.network().cut_off().contains(&TRUE) {
        assert_eq!(solutions.len(), 0);
        return;
    }
    search.play(&solutions, &case.moves, minimal, |search, left| check_strength(case, search, left));
}

/// Checks the propagation strength if the constraint does not limit the size of the set. If some vertex is known to be
/// in the set, propagation must be domain consistent. If all literals have values, every violation must be detected.
fn check_strength(case: &Case, search: &Search, left: &[&Vec<bool>]) {
    let n = case.constraint.vertices.len();
    let value = |lit: Lit| constant(lit).or_else(|| search.value(lit));
    let complete = case.constraint.vertices.iter().all(|&lit| value(lit).is_some());
    let unsized_set = case.constraint.size == (0, usize::MAX);
    if complete && unsized_set {
        assert!(!left.is_empty(), "a set that is not connected passed");
    }
    if unsized_set && case.constraint.vertices.iter().any(|&lit| value(lit) == Some(true)) {
        assert!(!left.is_empty(), "a conflict was missed");
        for index in 0..n {
            let lit = Lit::positive(index as u32);
            let used = case.constraint.vertices.iter().any(|&used| used.var() == lit.var());
            if used && search.value(lit).is_none() {
                let both =
                    left.iter().any(|values| values[index]) && left.iter().any(|values| !values[index]);
                assert!(both, "{lit} is implied and was not found");
            }
        }
    }
}

/// Tests two vertices that an articulation point separates from the start. One of the two is always in the set, and the
/// other is assigned later.
#[test]
fn the_oldest_of_several_witnesses_explains() {
    let graph = Graph::new(6, [(0, 4), (1, 5), (1, 3), (1, 2), (0, 1), (3, 4), (4, 5)]);
    let lits =
        [0, 1, 2, 3, 4, 5].map(|index| if index == 3 || index == 5 { TRUE } else { Lit::positive(index) });
    let moves = vec![(0, true, 0), (4, false, 0)];
    play(&Case { constraint: Connected::new(Arc::new(graph), lits), moves }, true);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn inferences_are_implied_complete_and_explained_minimally(case in cases(false)) {
        play(&case, true);
    }

    #[test]
    fn inferences_with_sizes_are_implied(case in cases(true)) {
        play(&case, false);
    }

    #[test]
    fn inferences_of_component_sizes_are_implied_and_violations_found(case in cases(false), size in 1..5_usize) {
        let Connected { graph, vertices, .. } = case.constraint;
        let lazy = LazyComponentSize::new(&graph, &vertices, size);
        let constraint = ComponentSize::new(graph, vertices, size);
        let n = constraint.vertices.len();
        let solutions = values_where(n, |assignment| Constraint::holds(&constraint, assignment));
        Search::new(&lazy).play(&solutions, &case.moves, false, |search, left| {
            let value = |lit: Lit| constant(lit).or_else(|| search.value(lit));
            if constraint.vertices.iter().all(|&lit| value(lit).is_some()) {
                assert!(!left.is_empty(), "a component of another size passed");
            }
        });
        for values in values_where(n, |_| true) {
            let cuts = lazy.cuts(&|lit| holds(&values, lit));
            prop_assert_eq!(cuts.is_empty(), solutions.contains(&values), "{:?}", values);
            for clause in &cuts {
                prop_assert!(clause.iter().all(|&lit| !holds(&values, lit)), "{clause:?} is not broken");
                prop_assert!(clause.iter().all(|&lit| constant(lit).is_none()), "a constant in {clause:?}");
                check_clause(&solutions, clause, false);
            }
        }
    }

    #[test]
    fn inferences_of_forests_are_implied_complete_and_explained(case in cases(false)) {
        // The edges of the graph have the literals of the vertices, in turn.
        let Connected { graph, vertices, .. } = case.constraint;
        let ends = (0..graph.len()).flat_map(|a| graph.neighbours(a).iter().map(move |&b| (a, b)));
        let ends = ends.filter(|(a, b)| a < b).chain([(0, 0)]).take(vertices.len());
        let edges: Vec<_> = ends.zip(&vertices).map(|((a, b), &lit)| (a, b, lit)).collect();
        let lazy = LazyAcyclic::new(graph.len(), &edges);
        let constraint = Acyclic::new(graph.len(), edges);
        let n = vertices.len();
        let solutions = values_where(n, |assignment| Constraint::holds(&constraint, assignment));
        let lits = constraint.edges.iter().map(|&(_, _, lit)| lit).filter(|&lit| constant(lit).is_none());
        let mut variables: Vec<_> = lits.map(Lit::var).collect();
        let number = variables.len();
        variables.sort_unstable();
        variables.dedup();
        let are_distinct = variables.len() == number;
        Search::new(&lazy).play(&solutions, &case.moves, false, |search, left| {
            let value = |lit: Lit| constant(lit).or_else(|| search.value(lit));
            let open: Vec<Lit> =
                constraint.edges.iter().map(|&(_, _, lit)| lit).filter(|&lit| value(lit).is_none()).collect();
            if open.is_empty() || are_distinct {
                assert!(!left.is_empty(), "a cycle passed");
            }
            for lit in open.into_iter().filter(|_| are_distinct) {
                let can_be = |chosen: bool| left.iter().any(|values| holds(values, lit) == chosen);
                assert!(can_be(true) && can_be(false), "{lit} is implied and was not found");
            }
        });
        for values in values_where(n, |_| true) {
            let cuts = lazy.cuts(&|lit| holds(&values, lit));
            prop_assert_eq!(cuts.is_empty(), solutions.contains(&values), "{:?}", values);
            for clause in &cuts {
                prop_assert!(clause.iter().all(|&lit| !holds(&values, lit)), "{clause:?} is not broken");
                prop_assert!(clause.iter().all(|&lit| constant(lit).is_none()), "a constant in {clause:?}");
                check_clause(&solutions, clause, false);
            }
        }
    }

    #[test]
    fn cuts_are_implied_and_violated_exactly_by_disconnected_sets(case in cases(false)) {
        let constraint = &case.constraint;
        let n = constraint.vertices.len();
        let solutions = solutions(constraint);
        let lazy = LazyConnected::by_cuts(&constraint.graph, &constraint.vertices, constraint.size);
        let certain: Vec<Lit> = lazy.network().cut_off().to_vec();
        // If two vertices are always in the set, cuts need not be minimal: a cut between these two is stronger than a
        // cut around a third vertex.
        let minimal = constraint.vertices.iter().filter(|&&lit| lit == TRUE).count() <= 1;
        for bits in 0..1_u32 << n {
            let values: Vec<bool> = (0..n).map(|index| bits >> index & 1 == 1).collect();
            if certain.iter().any(|&lit| holds(&values, lit)) {
                prop_assert!(!solutions.contains(&values));
                continue;
            }
            let cuts = lazy.cuts(&|lit| holds(&values, lit));
            prop_assert_eq!(cuts.is_empty(), solutions.contains(&values), "{:?}", values);
            for clause in &cuts {
                prop_assert!(clause.iter().all(|&lit| !holds(&values, lit)), "{clause:?} is not broken");
                prop_assert!(clause.iter().all(|&lit| constant(lit).is_none()), "a constant in {clause:?}");
                check_clause(&solutions, clause, minimal);
            }
        }
    }
}
