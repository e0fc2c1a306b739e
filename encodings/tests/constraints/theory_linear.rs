//! Tests the propagator of linear inequalities without a solver. On small random sums, every derived literal is checked
//! against the list of all solutions.

use gordian_encodings::Lit;
use gordian_encodings::theory::linear::{LazyLinear, Steps};
use gordian_encodings::theory::{Event, Findings, Lazy, Propagator};
use proptest::prelude::*;

/// The maximum number of steps of a ladder. A ladder represents a number in unary.
const MOST_STEPS: usize = 3;

/// A test case: an inequality, and the decisions of a solver. Before each decision, the solver backtracks by the given
/// number of levels. The decision is a step of a ladder or the negation of a step.
#[derive(Debug, Clone)]
struct Case {
    ladders: Vec<Steps>,
    most: u64,
    moves: Vec<(usize, usize, usize, bool)>,
}

fn cases() -> impl Strategy<Value = Case> {
    let ladder = proptest::collection::btree_set(1..9_u64, 1..=MOST_STEPS);
    let moves = proptest::collection::vec((0..4_usize, 0..4_usize, 0..MOST_STEPS, any::<bool>()), 1..16);
    (proptest::collection::vec(ladder, 1..5), 0..16_u64, moves).prop_map(|(weights, most, moves)| {
        let mut variables = 0..;
        let ladders = weights
            .into_iter()
            .map(|weights| weights.into_iter().zip(variables.by_ref().map(Lit::positive)).collect::<Steps>());
        Case { ladders: ladders.collect(), most, moves }
    })
}

/// Returns all assignments that satisfy the inequality. An assignment consists of the number of true steps of each
/// ladder.
fn solutions(case: &Case) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for ladder in &case.ladders {
        all = all
            .iter()
            .flat_map(|levels: &Vec<usize>| {
                (0..=ladder.len()).map(move |level| levels.iter().copied().chain([level]).collect())
            })
            .collect();
    }
    let value = |(ladder, &level): (&Steps, &usize)| level.checked_sub(1).map_or(0, |step| ladder[step].0);
    all.retain(|levels| case.ladders.iter().zip(levels).map(value).sum::<u64>() <= case.most);
    all
}

/// A minimal solver: a propagator and a trail. For each derived literal, the trail also stores the number of literals
/// that were reported before it and the event that explains it.
struct Search<'c> {
    case: &'c Case,
    propagator: Box<dyn Propagator>,
    events: Vec<(Lit, Event)>,
    solutions: Vec<Vec<usize>>,
    trail: Vec<(Lit, Option<(usize, Event)>)>,
    reported: usize,
    /// The trail positions of the literals that changed the state of the propagator.
    changes: Vec<usize>,
    /// The length of the trail before each decision.
    levels: Vec<usize>,
}

impl Search<'_> {
    fn position(&self, lit: Lit) -> (usize, usize) {
        let in_ladder = |steps: &Steps| steps.iter().position(|step| step.1.var() == lit.var());
        let found = self
            .case
            .ladders
            .iter()
            .enumerate()
            .find_map(|(ladder, steps)| Some((ladder, in_ladder(steps)?)));
        found.expect("a literal of a ladder")
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        self.trail.iter().find(|held| held.0.var() == lit.var()).map(|held| held.0 == lit)
    }

    /// Returns whether a literal holds in an assignment.
    fn holds(&self, lit: Lit, levels: &[usize]) -> bool {
        let (ladder, step) = self.position(lit);
        (levels[ladder] > step) == lit.is_pos()
    }

    fn follows(&self, clause: &[Lit]) -> bool {
        self.solutions.iter().all(|levels| clause.iter().any(|&lit| self.holds(lit, levels)))
    }

    /// Adds a true literal to the trail, followed by the literals that the clauses of its ladder derive from it.
    fn push(&mut self, lit: Lit, source: Option<(usize, Event)>) {
        self.trail.push((lit, source));
        let (ladder, step) = self.position(lit);
        let steps = &self.case.ladders[ladder];
        let implied = if lit.is_pos() { &steps[..step] } else { &steps[step + 1..] };
        for &(_, step) in implied {
            let implied = if lit.is_pos() { step } else { !step };
            if self.value(implied).is_none() {
                self.trail.push((implied, None));
            }
        }
    }

    /// Propagates to the fixpoint, and checks each derived literal. Returns `false` after a conflict.
    fn propagate(&mut self) -> Result<bool, TestCaseError> {
        loop {
            for at in self.reported..self.trail.len() {
                for &(lit, event) in &self.events {
                    if lit == self.trail[at].0 && self.propagator.assign(event) {
                        self.changes.push(at);
                    }
                }
            }
            self.reported = self.trail.len();
            let mut findings = Findings::default();
            self.propagator.propagate(&mut findings);
            if let Some(clause) = findings.conflict {
                prop_assert!(clause.iter().all(|&lit| self.value(lit) == Some(false)));
                prop_assert!(self.follows(&clause));
                return Ok(false);
            }
            let mut new = false;
            for (lit, event) in findings.implied {
                if self.value(lit).is_none() {
                    new = true;
                    self.push(lit, Some((self.reported, event)));
                }
                prop_assert_eq!(self.value(lit), Some(true), "a conflict was missed");
            }
            if !new {
                return self.check_fixpoint();
            }
        }
    }

    /// Checks that all implied literals were derived, and that each derived literal has a valid explanation.
    fn check_fixpoint(&mut self) -> Result<bool, TestCaseError> {
        for at in 0..self.trail.len() {
            let (lit, Some((before, event))) = self.trail[at] else { continue };
            let mut reason = Vec::new();
            self.propagator.explain(event, &mut reason);
            for literal in &reason {
                prop_assert!(
                    self.trail[..before].iter().any(|held| held.0 == *literal),
                    "{literal} is too late"
                );
            }
            let clause: Vec<Lit> = reason.into_iter().map(|lit| !lit).chain([lit]).collect();
            prop_assert!(self.follows(&clause));
        }
        let left: Vec<&Vec<usize>> = self
            .solutions
            .iter()
            .filter(|levels| self.trail.iter().all(|held| self.holds(held.0, levels)))
            .collect();
        for &(_, lit) in self.case.ladders.iter().flatten() {
            for lit in [lit, !lit] {
                let implied = left.iter().all(|levels| self.holds(lit, levels));
                prop_assert!(!implied || self.value(lit) == Some(true), "{lit} was not derived");
            }
        }
        Ok(true)
    }

    fn backtrack(&mut self, levels: usize) {
        for _ in 0..levels {
            let Some(length) = self.levels.pop() else { return };
            self.reported = self.reported.min(length);
            while self.changes.pop_if(|&mut position| position >= length).is_some() {
                self.propagator.undo();
            }
            self.trail.truncate(length);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn inferences_follow_and_are_complete(case in cases()) {
        let lazy = LazyLinear::new(case.ladders.clone(), case.most);
        let propagator = lazy.propagator().expect("a propagator");
        let events = propagator.events();
        let solutions = solutions(&case);
        let mut search =
            Search { case: &case, propagator, events, solutions, trail: vec![], reported: 0, changes: Vec::new(), levels: vec![] };
        prop_assert!(search.propagate()?);
        for &(back, ladder, step, up) in &case.moves {
            search.backtrack(back);
            let steps = &case.ladders[ladder % case.ladders.len()];
            let lit = steps[step % steps.len()].1;
            let lit = if up { lit } else { !lit };
            if search.value(lit).is_some() {
                continue;
            }
            search.levels.push(search.trail.len());
            search.push(lit, None);
            if !search.propagate()? {
                search.backtrack(1);
            }
        }
    }

    /// Tests that an assignment violates no cut if and only if it satisfies the inequality, and that the inequality
    /// implies every cut.
    #[test]
    fn cuts_exclude_exactly_the_violations(case in cases()) {
        let lazy = LazyLinear::new(case.ladders.clone(), case.most);
        let solutions = solutions(&case);
        let everything = Case { most: u64::MAX, ..case.clone() };
        let search = |solutions| Search {
            case: &case,
            propagator: lazy.propagator().expect("a propagator"),
            events: vec![],
            solutions,
            trail: vec![],
            reported: 0, changes: Vec::new(),
            levels: vec![],
        };
        let search = search(solutions);
        for levels in self::solutions(&everything) {
            let cuts = lazy.cuts(&|lit| search.holds(lit, &levels));
            prop_assert_eq!(cuts.is_empty(), search.solutions.contains(&levels));
            for cut in cuts {
                prop_assert!(cut.iter().all(|&lit| !search.holds(lit, &levels)));
                prop_assert!(search.follows(&cut));
            }
        }
    }
}
