//! Checks explanations of random formulas by brute force over all sets of groups and all assignments.

use std::convert::Infallible;

use gordian_encodings::{Cnf, Collect, FALSE, Lit};
use gordian_explain::{
    Answer, Conclusion, Core, Effort, Explained, Formula, Oracle, Probing, Propagation, Set, Witness,
    easiest, minimal, needed, smallest,
};

/// A formula whose clauses are in groups. The last clauses belong to no group and always hold.
#[derive(Debug)]
struct Grouped {
    variables: usize,
    groups: Vec<Vec<Vec<Lit>>>,
    always: Vec<Vec<Lit>>,
}

impl Grouped {
    fn random(random: &mut fastrand::Rng) -> Self {
        let variables = random.usize(1..=4);
        Self::of(random, variables, 1..=3, 2)
    }

    /// Returns a random formula with clauses of the given lengths. The last argument is the maximum number of clauses
    /// of a group.
    fn of(
        random: &mut fastrand::Rng,
        variables: usize,
        lengths: std::ops::RangeInclusive<usize>,
        most: usize,
    ) -> Self {
        let mut clauses = |most: usize| -> Vec<Vec<Lit>> {
            let number = random.usize(0..=most);
            (0..number)
                .map(|_| {
                    let length = random.usize(lengths.clone());
                    (0..length).map(|_| Lit::new(random.u32(..variables as u32), random.bool())).collect()
                })
                .collect()
        };
        let always = clauses(2);
        let groups = (0..7).map(|_| clauses(most)).collect();
        Self { variables, groups, always }
    }

    fn assignments(&self) -> impl Iterator<Item = usize> + use<> {
        0..1 << self.variables
    }

    /// Returns whether an assignment satisfies the groups and literals.
    fn satisfies(&self, assignment: usize, groups: &Set, lits: &[Lit]) -> bool {
        let all = |clauses: &[Vec<Lit>]| clauses.iter().all(|c| c.iter().any(|&lit| holds(assignment, lit)));
        all(&self.always)
            && groups.iter().all(|group| all(&self.groups[group]))
            && lits.iter().all(|&lit| holds(assignment, lit))
    }

    fn contradictory(&self, groups: &Set, lits: &[Lit]) -> bool {
        !self.assignments().any(|assignment| self.satisfies(assignment, groups, lits))
    }

    /// Returns the number of groups in a smallest contradictory set.
    fn least(&self, lits: &[Lit]) -> Option<usize> {
        let bound = self.groups.len();
        let sets = (0..1_usize << bound)
            .map(|bits| Set::of(bound, (0..bound).filter(|&group| bits >> group & 1 == 1)));
        sets.filter(|groups| self.contradictory(groups, lits)).map(|groups| groups.len()).min()
    }

    fn formula(&self) -> Formula {
        let mut clauses = Cnf::default();
        let selectors: Vec<Lit> =
            (0..self.groups.len()).map(|group| Lit::positive((self.variables + group) as u32)).collect();
        let mut write = |clause: &[Lit]| {
            let mut clause = clause.to_vec();
            clause.sort_unstable();
            clause.dedup();
            if !clause.iter().any(|&lit| clause.contains(&!lit)) {
                clauses.clause(&clause);
            }
        };
        for (group, &selector) in self.groups.iter().zip(&selectors) {
            for clause in group {
                write(&[&clause[..], &[!selector]].concat());
            }
        }
        for clause in &self.always {
            write(clause);
        }
        clauses.reserve((self.variables + self.groups.len()) as u32);
        Formula { clauses, propagators: Vec::new(), selectors }
    }
}

fn holds(assignment: usize, lit: Lit) -> bool {
    if lit == FALSE || lit == !FALSE {
        lit != FALSE
    } else {
        (assignment >> lit.vidx() & 1 == 1) == lit.is_pos()
    }
}

impl Oracle for Grouped {
    type Error = Infallible;

    fn groups(&self) -> usize {
        self.groups.len()
    }

    fn check(&mut self, groups: &Set, lits: &[Lit]) -> Result<Answer, Infallible> {
        let found = self.assignments().find(|&assignment| self.satisfies(assignment, groups, lits));
        let Some(assignment) = found else {
            return Ok(Answer::Contradiction(Core { groups: groups.clone(), lits: lits.to_vec() }));
        };
        let bound = self.groups.len();
        let broken = (0..bound).filter(|&group| !self.satisfies(assignment, &Set::of(bound, [group]), &[]));
        let all = (0..self.variables as u32).flat_map(|v| [Lit::positive(v), Lit::negative(v)]);
        let lits = all.filter(|&lit| holds(assignment, lit)).map(Lit::lidx);
        Ok(Answer::Consistent(Witness {
            broken: Set::of(bound, broken),
            lits: Set::of(2 * self.variables, lits),
        }))
    }
}

fn ok<T>(result: Result<T, Infallible>) -> T {
    match result {
        Ok(value) => value,
        Err(never) => match never {},
    }
}

#[test]
fn subsets_are_minimal_and_smallest() {
    let mut random = fastrand::Rng::with_seed(19);
    let mut sizes = [0; 8];
    let mut unproven = 0;
    for round in 0..10_000 {
        let mut formula = Grouped::random(&mut random);
        let lit = Lit::new(random.u32(..formula.variables as u32), random.bool());
        let lits = if random.bool() { vec![lit] } else { vec![] };
        let least = formula.least(&lits);
        let found = ok(smallest(&mut formula, &lits, u64::MAX));
        assert_eq!(found.as_ref().map(|found| found.groups.len()), least, "round {round}: {formula:?}");
        let Some(found) = found else { continue };
        sizes[found.groups.len()] += 1;
        assert!(found.smallest && formula.contradictory(&found.groups, &lits), "round {round}");
        let limited = ok(smallest(&mut formula, &lits, 1)).expect("a contradiction");
        assert!(limited.minimal && formula.contradictory(&limited.groups, &lits), "round {round}");
        assert!(!limited.smallest || Some(limited.groups.len()) == least, "round {round}");
        unproven += usize::from(!limited.smallest);
        let all = Set::full(formula.groups.len());
        let found = ok(minimal(&mut formula, &all, &lits)).expect("a contradiction");
        assert!(found.minimal && formula.contradictory(&found.groups, &lits), "round {round}");
        for group in found.groups.iter() {
            assert!(!formula.contradictory(&found.groups.without(group), &lits), "round {round}");
        }
    }
    assert!(sizes[..4].iter().all(|&number| number > 50), "explanations of all sizes: {sizes:?}");
    assert!(unproven > 50, "{unproven} searches end at the limit");
}

#[test]
fn the_easiest_literals_are_found() {
    let mut random = fastrand::Rng::with_seed(20);
    let mut sizes = [0; 8];
    for round in 0..10_000 {
        let mut formula = Grouped::random(&mut random);
        let all = Set::full(formula.groups.len());
        if formula.contradictory(&all, &[]) {
            continue;
        }
        let mut witnesses = Vec::new();
        let mut known = Vec::new();
        loop {
            let left = (0..formula.variables as u32).map(Lit::positive);
            let left = left.filter(|&lit| !known.contains(&lit) && !known.contains(&!lit));
            let targets: Vec<Lit> = left.flat_map(|lit| [lit, !lit]).collect();
            let least = |lit: Lit| formula.least(&[&known[..], &[!lit]].concat());
            let best = targets.iter().filter_map(|&lit| least(lit)).min();
            let number = targets.iter().filter(|&&lit| best.is_some() && least(lit) == best).count();
            let found = ok(easiest(&mut formula, &mut witnesses, &known, &targets, usize::MAX, u64::MAX));
            let size = found.explained.first().map(|explained| explained.groups.len());
            assert_eq!(size, best, "round {round}: {formula:?} {known:?}");
            assert!(found.proven);
            let most = random.usize(..=3);
            let small = ok(easiest(&mut formula, &mut witnesses, &known, &targets, most, u64::MAX));
            let size_of_small = small.explained.first().map(|explained| explained.groups.len());
            assert_eq!(size_of_small, best.filter(|&best| best <= most), "round {round}");
            assert!(small.proven);
            let Some(size) = size else { break };
            sizes[size] += 1;
            assert_eq!(found.explained.len(), if size > 1 { 1 } else { number }, "round {round}");
            for explained in &found.explained {
                let lits = [&known[..], &[!explained.lit]].concat();
                assert!(formula.contradictory(&explained.groups, &lits), "round {round}");
                let (facts, minimal) =
                    ok(needed(&mut formula, &explained.groups, &[!explained.lit], &known)).expect("a reason");
                assert!(minimal);
                for fact in &facts {
                    let mut rest: Vec<Lit> = facts.iter().copied().filter(|other| other != fact).collect();
                    rest.push(!explained.lit);
                    assert!(!formula.contradictory(&explained.groups, &rest), "round {round}");
                }
            }
            known.extend(found.explained.iter().map(|explained| explained.lit));
        }
        assert!(formula.assignments().any(|a| formula.satisfies(a, &all, &known)), "round {round}");
    }
    assert!(sizes[..3].iter().all(|&number| number > 100), "steps of all sizes: {sizes:?}");
}

/// Returns whether unit propagation refutes the clauses. It repeatedly scans all clauses until nothing changes.
fn refuted(clauses: &[Vec<Lit>], lits: &[Lit]) -> bool {
    let mut known = lits.to_vec();
    if known.iter().any(|&lit| known.contains(&!lit)) {
        return true;
    }
    loop {
        let before = known.len();
        for clause in clauses {
            if clause.iter().any(|lit| known.contains(lit)) {
                continue;
            }
            let mut open: Vec<Lit> = clause.iter().copied().filter(|&lit| !known.contains(&!lit)).collect();
            open.sort_unstable();
            open.dedup();
            match open[..] {
                [] => return true,
                [unit] => known.push(unit),
                _ => {}
            }
        }
        if known.len() == before {
            return false;
        }
    }
}

#[test]
fn propagation_agrees_with_passes_over_all_clauses() {
    let mut random = fastrand::Rng::with_seed(21);
    let mut efforts = [0; 3];
    for round in 0..10_000 {
        let formula = Grouped::random(&mut random);
        let bound = formula.groups.len();
        let mut propagation = Propagation::new(formula.formula());
        let clauses = |groups: &Set| -> Vec<Vec<Lit>> {
            groups.iter().flat_map(|group| &formula.groups[group]).chain(&formula.always).cloned().collect()
        };
        for _ in 0..4 {
            let groups = Set::of(bound, (0..bound).filter(|_| random.u8(..3) > 0));
            let lits: Vec<Lit> = (0..formula.variables as u32)
                .filter_map(|v| [Some(false), Some(true), None][random.usize(..3)].map(|n| Lit::new(v, n)))
                .collect();
            let is_refuted = refuted(&clauses(&groups), &lits);
            match ok(propagation.check_and_grow(&groups, &lits)) {
                Answer::Contradiction(core) => {
                    assert!(is_refuted, "round {round}");
                    assert!(core.groups.is_subset(&groups) && core.lits.iter().all(|lit| lits.contains(lit)));
                    assert!(refuted(&clauses(&core.groups), &core.lits), "round {round}: a wrong core");
                }
                Answer::Consistent(witness) => {
                    assert!(!is_refuted && !witness.broken.meets(&groups), "round {round}");
                    let largest = Set::full(bound).minus(&witness.broken);
                    assert!(!refuted(&clauses(&largest), &lits), "round {round}");
                    for group in witness.broken.iter() {
                        assert!(refuted(&clauses(&largest.with(group)), &lits), "round {round}: not maximal");
                    }
                    assert!(lits.iter().all(|&lit| witness.contains(lit)));
                }
                Answer::Stopped => panic!("there is no limit"),
            }
            if formula.contradictory(&groups, &lits) {
                let probes: Vec<Lit> = (0..formula.variables as u32).map(Lit::positive).collect();
                let effort = propagation.effort(&groups, &lits, &probes);
                assert_eq!(effort == Effort::Propagation, is_refuted, "round {round}");
                efforts[effort as usize] += 1;
                let conclusions =
                    propagation.conclusions(&groups, &lits, |lit| lit.vidx() < formula.variables);
                let is_contradiction = conclusions.last().is_some_and(|last| last.lit.is_none());
                assert_eq!(is_contradiction, is_refuted, "round {round}");
                let all = (0..formula.variables as u32).flat_map(|v| [Lit::positive(v), Lit::negative(v)]);
                let failed = propagation.failed(&groups, &lits, &all.collect::<Vec<_>>());
                assert!(failed.is_empty() || !is_refuted, "round {round}");
                // Each conclusion follows from its groups, the literals and the earlier conclusions.
                let mut known = lits.clone();
                for Conclusion { lit, groups, because } in conclusions.into_iter().chain(failed) {
                    assert!(because.iter().all(|lit| known.contains(lit)), "round {round}");
                    let assumed: Vec<Lit> = because.into_iter().chain(lit.map(|lit| !lit)).collect();
                    assert!(refuted(&clauses(&groups), &assumed), "round {round}");
                    known.extend(lit);
                }
            }
        }
    }
    assert!(efforts[0] > 100, "contradictions by propagation: {efforts:?}");
}

#[test]
fn one_group_implies_the_same_literals_as_the_easiest_explanations() {
    let mut random = fastrand::Rng::with_seed(22);
    let mut sizes = [0; 3];
    for round in 0..10_000 {
        let formula = Grouped::random(&mut random);
        let all = Set::full(formula.groups.len());
        let mut propagation = Propagation::new(formula.formula());
        if matches!(ok(propagation.check(&all, &[])), Answer::Contradiction(_)) {
            continue;
        }
        let mut known: Vec<Lit> = Vec::new();
        let (mut witnesses, mut others) = (Vec::new(), Vec::new());
        loop {
            let left = (0..formula.variables as u32).map(Lit::positive);
            let left = left.filter(|&lit| !known.contains(&lit) && !known.contains(&!lit));
            let targets: Vec<Lit> = left.flat_map(|lit| [lit, !lit]).chain([FALSE]).collect();
            let found = propagation.implied_by_one_group(&mut witnesses, &known, &targets);
            let any = ok(easiest(&mut propagation, &mut others, &known, &targets, usize::MAX, u64::MAX));
            witnesses.clone_from(&others);
            let size = |explained: &[Explained]| explained.first().map_or(9, |first| first.groups.len());
            let lits = |explained: &[Explained]| {
                let mut lits: Vec<Lit> = explained.iter().map(|explained| explained.lit).collect();
                lits.sort_unstable();
                lits
            };
            if size(&any.explained) < 2 {
                assert_eq!(size(&found), size(&any.explained), "round {round}: {formula:?} {known:?}");
                assert_eq!(lits(&found), lits(&any.explained), "round {round}: {formula:?} {known:?}");
            } else {
                assert!(found.is_empty(), "round {round}: {formula:?} {known:?}");
            }
            sizes[size(&any.explained).min(2)] += 1;
            for Explained { lit, groups } in &found {
                let assumed: Vec<Lit> = known.iter().copied().chain([!*lit]).collect();
                let answer = ok(propagation.check(groups, &assumed));
                assert!(matches!(answer, Answer::Contradiction(_)), "round {round}");
            }
            let Some(next) = any.explained.into_iter().find(|explained| explained.lit != FALSE) else {
                break;
            };
            known.push(next.lit);
        }
    }
    assert!(sizes.iter().all(|&number| number > 100), "explanations of all sizes: {sizes:?}");
}

#[test]
fn the_effort_grows_with_the_number_of_case_distinctions() {
    let efforts = [Effort::Propagation, Effort::Assumption, Effort::Search];
    for (variables, expected) in (1..=3_u32).zip(efforts) {
        // The formula consists of all clauses that contain every variable exactly once, so each assignment violates one
        // of them.
        let clause = |signs: u32| (0..variables).map(|v| Lit::new(v, signs >> v & 1 == 1)).collect();
        let groups = vec![(0..1 << variables).map(clause).collect()];
        let formula = Grouped { variables: variables as usize, groups, always: vec![] };
        let mut propagation = Propagation::new(formula.formula());
        let probes: Vec<Lit> = (0..variables).map(Lit::positive).collect();
        assert_eq!(propagation.effort(&Set::full(1), &[], &probes), expected);
    }
}

#[test]
fn probing_refutes_what_failed_literals_refute() {
    let mut random = fastrand::Rng::with_seed(26);
    let mut efforts = [0; 3];
    for round in 0..3000 {
        let formula = Grouped::of(&mut random, 8, 3..=3, 12);
        let (variables, bound) = (formula.variables as u32, formula.groups.len());
        let mut propagation = Propagation::new(formula.formula());
        let probes: Vec<Lit> = (0..variables).map(Lit::positive).collect();
        let groups = Set::of(bound, (0..bound).filter(|_| random.u8(0..4) > 0));
        let lits: Vec<Lit> =
            (0..random.u32(0..2)).map(|_| Lit::new(random.u32(..variables), random.bool())).collect();
        // Failed literals are negated one at a time, in any order.
        let mut refutes = |groups: &Set, lits: &[Lit]| {
            let mut known = lits.to_vec();
            let mut propagates =
                |known: &[Lit]| matches!(ok(propagation.check(groups, known)), Answer::Contradiction(_));
            while !propagates(&known) {
                let failed = probes
                    .iter()
                    .flat_map(|&lit| [lit, !lit])
                    .find(|&lit| !known.contains(&!lit) && propagates(&[&known[..], &[lit]].concat()));
                let Some(failed) = failed else { return false };
                known.push(!failed);
            }
            true
        };
        let expected = refutes(&groups, &lits);
        let mut other = Propagation::new(formula.formula());
        let effort = other.effort(&groups, &lits, &probes);
        let mut probing = Probing::new(&mut other, &probes);
        match ok(probing.check(&groups, &lits)) {
            Answer::Contradiction(Core { groups: core, lits: of }) => {
                assert!(expected, "round {round}: {formula:?}");
                assert!(core.is_subset(&groups) && of.iter().all(|lit| lits.contains(lit)), "round {round}");
                assert!(refutes(&core, &of), "round {round}: {formula:?}");
            }
            Answer::Consistent(_) => assert!(!expected, "round {round}: {formula:?}"),
            Answer::Stopped => panic!("there is no limit"),
        }
        assert_eq!(effort <= Effort::Assumption, expected, "round {round}: {formula:?}");
        efforts[effort as usize] += usize::from(formula.contradictory(&groups, &lits));
        let conclusions = probing.conclusions(&groups, &lits);
        assert_eq!(conclusions.is_empty(), effort != Effort::Assumption, "round {round}: {formula:?}");
        let mut derived = lits;
        for (index, Conclusion { lit, groups, because }) in conclusions.iter().enumerate() {
            assert_eq!(lit.is_none(), index + 1 == conclusions.len(), "round {round}");
            assert!(because.iter().all(|lit| derived.contains(lit)), "round {round}");
            let opposite: Vec<Lit> = lit.iter().map(|&lit| !lit).collect();
            assert!(formula.contradictory(groups, &[&because[..], &opposite].concat()), "round {round}");
            derived.extend(lit);
        }
    }
    assert!(efforts[..2].iter().all(|&number| number > 100), "both efforts: {efforts:?}");
}
