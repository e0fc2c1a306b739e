//! A second solver that checks explanations.

use std::collections::BTreeSet;

use gordian::backend;
use gordian::explain::{Argument, Explainer, Reason, Size, Step, Why};
use gordian::puzzle::Plain;
use gordian::search::{Config, GroupedSession};
use gordian_encodings::{FALSE, Lit};
use gordian_explain::{Answer, Effort, Oracle, Propagation, Set};

/// A second solver, which checks each argument of an explanation.
pub(crate) struct Judge<'p> {
    session: GroupedSession<'p>,
    propagation: Propagation,
    /// The facts and their negations, which are the candidates for failed literals.
    candidates: Vec<Lit>,
}

impl<'p> Judge<'p> {
    pub(crate) fn of(plain: &'p Plain) -> Self {
        let config = Config { solver: backend::find("varisat").expect("a solver"), ..Config::default() };
        let limits = config.limits();
        let groups = plain.rules.len();
        let session = GroupedSession::new(&plain.model, plain.rule_of(), groups, &config, limits, None)
            .expect("a session");
        let candidates = plain.facts.iter().flat_map(|fact| [fact.lit, !fact.lit]).collect();
        Self { propagation: session.propagation(&config.encodings), session, candidates }
    }

    /// Returns whether the rules and literals are unsatisfiable. If they are satisfiable, asserts that the solver's
    /// assignment satisfies all of them.
    pub(crate) fn refutes(&mut self, rules: &[usize], lits: &[Lit]) -> bool {
        let groups = Set::of(self.session.groups(), rules.iter().copied());
        match self.session.check(&groups, lits).expect("a solver") {
            Answer::Contradiction(_) => true,
            Answer::Consistent(witness) => {
                assert!(!witness.broken.meets(&groups), "a counterexample breaks a rule");
                assert!(lits.iter().all(|&lit| witness.contains(lit)), "a counterexample lacks a fact");
                false
            }
            Answer::Stopped => panic!("there is no limit"),
        }
    }

    /// Returns whether unit propagation refutes the rules and literals.
    pub(crate) fn propagation_refutes(&mut self, rules: &[usize], lits: &[Lit]) -> bool {
        let groups = Set::of(self.session.groups(), rules.iter().copied());
        let Ok(answer) = self.propagation.check(&groups, lits);
        matches!(answer, Answer::Contradiction(_))
    }

    /// Returns whether unit propagation refutes the rules and literals after failed literals have been negated.
    pub(crate) fn assumption_refutes(&mut self, rules: &[usize], lits: &[Lit]) -> bool {
        let mut known = lits.to_vec();
        while !self.propagation_refutes(rules, &known) {
            let failed = self.candidates.clone().into_iter().find(|&lit| {
                !known.contains(&!lit) && self.propagation_refutes(rules, &[&known[..], &[lit]].concat())
            });
            let Some(failed) = failed else { return false };
            known.push(!failed);
        }
        true
    }

    /// Checks that rules and facts imply a literal, that the derivation needs the given effort, and that each rule and
    /// each fact is necessary. A rule or fact is necessary if the others do not suffice to derive the literal with the
    /// given effort.
    pub(crate) fn check(&mut self, rules: &[usize], because: &[Lit], lit: Lit, effort: Effort, about: &str) {
        let assumed = [because, &[!lit]].concat();
        assert!(self.refutes(rules, &assumed), "not implied: {about}");
        let by_propagation = effort == Effort::Propagation;
        assert_eq!(self.propagation_refutes(rules, &assumed), by_propagation, "the effort: {about}");
        assert_eq!(
            self.assumption_refutes(rules, &assumed),
            effort <= Effort::Assumption,
            "the effort: {about}"
        );
        let refutes = match effort {
            Effort::Propagation => Self::propagation_refutes,
            Effort::Assumption => Self::assumption_refutes,
            Effort::Search => Self::refutes,
        };
        self.is_minimal(rules, because, lit, refutes, about);
    }

    /// Checks that each rule and each fact is necessary for the given method to derive a literal.
    fn is_minimal(
        &mut self,
        rules: &[usize],
        because: &[Lit],
        lit: Lit,
        refutes: impl Fn(&mut Self, &[usize], &[Lit]) -> bool,
        about: &str,
    ) {
        let assumed = [because, &[!lit]].concat();
        for left_out in rules {
            let rest: Vec<usize> = rules.iter().copied().filter(|rule| rule != left_out).collect();
            assert!(!refutes(self, &rest, &assumed), "rule {left_out} is superfluous: {about}");
        }
        for left_out in because {
            let rest: Vec<Lit> = assumed.iter().copied().filter(|lit| lit != left_out).collect();
            assert!(!refutes(self, rules, &rest), "fact {left_out} is superfluous: {about}");
        }
    }

    /// Checks all arguments of a step. `known` contains the facts that are known before the step. `allowed` contains
    /// the rules that arguments may use.
    pub(crate) fn step(&mut self, plain: &Plain, allowed: &[usize], known: &[Lit], step: &Step, about: &str) {
        let open: Vec<Lit> = plain.facts.iter().flat_map(|fact| [fact.lit, !fact.lit]).collect();
        for argument in &step.arguments {
            self.argument(allowed, known, argument, about);
            if argument.size == Size::Smallest && argument.rules.len() == 2 {
                self.no_rule_alone_implies(allowed, known, &open, about);
            }
        }
    }

    /// Checks that no single rule, together with the known facts, implies one of the literals that are not yet known.
    fn no_rule_alone_implies(&mut self, allowed: &[usize], known: &[Lit], lits: &[Lit], about: &str) {
        for lit in lits.iter().filter(|&lit| !known.contains(lit) && !known.contains(&!*lit)) {
            let assumed = [known, &[!*lit]].concat();
            for &rule in allowed {
                assert!(!self.refutes(&[rule], &assumed), "rule {rule} alone implies {lit}: {about}");
            }
        }
    }

    /// Checks an argument. `known` contains the facts that are known before the step. `allowed` contains the rules that
    /// the argument may use.
    fn argument(&mut self, allowed: &[usize], known: &[Lit], argument: &Argument, about: &str) {
        let Argument { rules, deductions, size, effort, .. } = argument;
        let [first, others @ ..] = &deductions[..] else { panic!("an argument derives nothing: {about}") };
        assert!(*size >= Size::Minimal, "{about}");
        assert!(rules.iter().all(|rule| allowed.contains(rule)), "{about}");
        self.check(rules, &first.because, first.lit, *effort, about);
        for deduction in others {
            self.check(rules, &deduction.because, deduction.lit, *effort, about);
        }
        let mut because = deductions.iter().flat_map(|deduction| &deduction.because);
        assert!(because.all(|lit| known.contains(lit)), "{about}");
    }

    /// Checks that the rules and facts of a reason imply a literal, and that none of them can be left out.
    pub(crate) fn reason(&mut self, reason: &Reason, lit: Lit, about: &str) {
        let Reason { rules, because, .. } = reason;
        let facts: Vec<Lit> = because.iter().copied().filter(|&fact| fact != !lit).collect();
        let assumed = [&facts[..], &[!lit]].concat();
        assert!(self.refutes(rules, &assumed), "not implied: {about}");
        self.is_minimal(rules, &facts, lit, Self::refutes, about);
    }

    /// Checks the reason why a board has no solution, and the steps that derive the contradiction from it.
    pub(crate) fn contradiction(&mut self, explainer: &mut Explainer<'_>, about: &str) {
        let Why::Reason(reason) = explainer.why(&[], true).expect("a solver") else { panic!("{about}") };
        assert_eq!(reason.size, Size::Smallest, "{about}");
        self.reason(&reason, FALSE, about);
        let steps = explainer.steps_to_contradiction(&reason).expect("a solver").expect("no limit");
        let mut known = reason.because.clone();
        let mut needed: BTreeSet<Lit> = BTreeSet::new();
        for step in &steps {
            for argument in &step.arguments {
                self.argument(&reason.rules, &known, argument, about);
                if argument.size == Size::Smallest && argument.rules.len() == 2 {
                    let lits: Vec<Lit> = argument.deductions.iter().map(|deduction| deduction.lit).collect();
                    self.no_rule_alone_implies(&reason.rules, &known, &lits, about);
                }
            }
            let deductions = step.arguments.iter().flat_map(|argument| &argument.deductions);
            known.extend(deductions.clone().map(|deduction| deduction.lit));
            needed.extend(deductions.flat_map(|deduction| &deduction.because));
        }
        assert_eq!(known.last(), Some(&FALSE), "the contradiction is derived: {about}");
        assert!(known.iter().all(|lit| *lit == FALSE || needed.contains(lit)), "superfluous facts: {about}");
    }
}
