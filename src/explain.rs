//! Explanations of boards: reasons why facts hold, hints, and whole solutions in steps.
//!
//! An *argument* derives facts from known facts and from a few rules of the board. The [plain
//! formulation](crate::puzzle::plain) of the board contains the rules. An argument is found by unit propagation, by unit
//! propagation with failed literals, or by search. The argument is minimal unless a limit was reached: if a rule or a
//! known fact is left out, the same method no longer derives the facts. A *step* consists of arguments that do not
//! depend on each other. All arguments of a step are found by the same method.
//!
//! The [`Explainer`] looks for the easiest arguments first: it starts with arguments that unit propagation finds, and
//! prefers arguments with few rules. If unit propagation derives nothing, failed literals are negated. If this derives
//! nothing either, a SAT solver finds an argument with few rules. If this takes too long, the step only states that a fact
//! follows from all rules ([`Size::Unreduced`]). With [`Order::Size`], the explainer always takes arguments with the
//! smallest number of rules. The crate `gordian-explain` contains the algorithms.
//!
//! ```
//! use gordian::explain::{Explainer, Next};
//! use gordian::format::Source;
//! use gordian::read::{self, ReadOptions};
//! use gordian::search::Config;
//!
//! let source = Source::new("board", "nurikabe\n1 . 1\n. . .\n1 . 1\n");
//! let plain = read::board(&source, &ReadOptions::default())?.puzzle.plain();
//! let mut explainer = Explainer::new(&plain, &Config::default(), None)?;
//! let Next::Step(step) = explainer.next_step()? else { panic!("a step") };
//! assert_eq!(plain.rules[step.arguments[0].rules[0]].name, "clue at r1c1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::HashSet;
use std::convert::Infallible;

use gordian_encodings::Lit;
use gordian_explain::{
    Answer, Easiest, Effort, Explained, Oracle, Probing, Propagation, Set, Witness, easiest,
};

use crate::backend::BackendError;
use crate::puzzle::{Plain, Puzzle};
use crate::search::{Config, GroupedSession};

mod argument;
mod contradiction;
mod limits;
mod page;
mod proof;
mod step;
mod text;
mod why;

use argument::{FoundBy, cores, fewest};
pub use limits::call_limits;
pub use page::{PageEnd, page, scenes, strip};
use proof::Proof;
pub use step::{Argument, Deduction, Difficulty, Link, Next, Order, Reason, Size, Step, Why};
pub use text::{ArgumentText, DeductionText, LinkText, ReasonText, StepText};

/// Derives the facts of a board step by step.
#[derive(Debug)]
pub struct Explainer<'p> {
    plain: &'p Plain,
    /// The board, if its formulation for solving may be used.
    puzzle: Option<&'p dyn Puzzle>,
    /// The solver that needs no selectors. It is created if the session reaches a limit.
    proof: Option<Proof>,
    config: Config,
    session: GroupedSession<'p>,
    propagation: Propagation,
    /// The literals of all facts, which are the candidates for failed literals.
    probes: Vec<Lit>,
    /// The rules that arguments may use.
    allowed: Set,
    known: Vec<Lit>,
    order: Order,
    /// One solution in which all known facts hold: for each fact of the board, the literal that is true. Only these
    /// literals can be derived. `None` before the first step.
    possible: Option<Vec<Lit>>,
    /// Assignments found by search (index 0), by unit propagation (index 1), and by unit propagation with failed
    /// literals (index 2). Later steps reuse them.
    witnesses: [Vec<Witness>; 3],
    /// True if the plain formulation is too hard to solve within the conflict limit of a call.
    is_hard: bool,
    /// The maximum number of conflicts of one solver call.
    conflicts: Option<u64>,
    /// The number of conflicts that searches for arguments with few rules may still use. Each search may use only a
    /// share, so the last steps of a hard board get less than the first, but never nothing.
    patience: u64,
}

fn never<T>(result: Result<T, Infallible>) -> T {
    match result {
        Ok(value) => value,
        Err(never) => match never {},
    }
}

impl<'p> Explainer<'p> {
    /// Encodes a plain formulation. The argument `conflicts` is the conflict limit of each solver call, except the call
    /// that decides whether the board has a solution. The limits of `config` apply to all calls together, and the
    /// timeout starts when the explainer is created.
    ///
    /// # Errors
    /// Returns an error if the solver is not available or does not support the limits.
    pub fn new(plain: &'p Plain, config: &Config, conflicts: Option<u64>) -> Result<Self, BackendError> {
        let rules = plain.rules.len();
        let session =
            GroupedSession::new(&plain.model, plain.rule_of(), rules, config, config.limits(), conflicts)?;
        Ok(Self::of(plain, config, session, conflicts))
    }

    fn of(plain: &'p Plain, config: &Config, session: GroupedSession<'p>, conflicts: Option<u64>) -> Self {
        Self {
            conflicts,
            plain,
            puzzle: None,
            proof: None,
            config: config.clone(),
            propagation: session.propagation(&config.encodings),
            probes: plain.facts.iter().map(|fact| fact.lit).collect(),
            allowed: session.allowed(),
            session,
            known: Vec::new(),
            order: Order::Effort,
            possible: None,
            witnesses: [Vec::new(), Vec::new(), Vec::new()],
            is_hard: false,
            patience: PATIENCE,
        }
    }

    /// Returns the known facts: the facts given to [`Explainer::know`] and the facts derived by steps.
    #[must_use]
    pub fn known(&self) -> &[Lit] {
        &self.known
    }

    /// Sets the order in which the explainer prefers arguments. The default is [`Order::Effort`].
    pub fn set_order(&mut self, order: Order) {
        self.order = order;
    }

    /// Sets the board that the plain formulation describes. If the plain formulation is too hard to solve within the
    /// conflict limit, the formulation for solving decides whether the board has a solution, and which facts follow.
    pub fn set_puzzle(&mut self, puzzle: &'p dyn Puzzle) {
        self.puzzle = Some(puzzle);
    }

    /// Adds known facts.
    pub fn know(&mut self, lits: impl IntoIterator<Item = Lit>) {
        self.known.extend(lits);
        self.possible = None;
        self.proof = None;
    }

    /// Adds the implied constraints of the plain formulation to the session.
    fn use_implied(&mut self) {
        if !self.is_hard {
            self.is_hard = true;
            for (rules, constraint) in self.plain.implied() {
                self.session.imply(&Set::of(self.plain.rules.len(), rules.iter().copied()), &**constraint);
            }
        }
    }

    fn effort(&mut self, rules: &Set, lits: &[Lit]) -> Effort {
        self.propagation.effort(rules, lits, &self.probes)
    }

    /// Derives further facts, and adds them to the known facts.
    ///
    /// # Errors
    /// Returns an error if the solver fails.
    pub fn next_step(&mut self) -> Result<Next, BackendError> {
        self.next_of(None)
    }

    /// Works like [`Explainer::next_step`], but derives only that the given literal is true.
    ///
    /// # Errors
    /// Returns an error if the solver fails.
    pub fn step_to(&mut self, lit: Lit) -> Result<Next, BackendError> {
        self.next_of(Some(lit))
    }

    fn next_of(&mut self, goal: Option<Lit>) -> Result<Next, BackendError> {
        let Some(contradictory) = self.look_for_solution()? else { return Ok(Next::Stopped) };
        if contradictory && goal.is_none() {
            return Ok(Next::Contradiction);
        }
        let possible = self.possible.clone().unwrap_or_default();
        let known: HashSet<Lit> = self.known.iter().copied().collect();
        let targets: Vec<Lit> = possible
            .into_iter()
            .filter(|lit| goal.is_none_or(|goal| goal == *lit) && !known.contains(lit))
            .collect();
        self.derive(&targets)
    }

    /// Returns whether unit propagation on `rules` determines every fact, which means that it derives the fact or its
    /// negation. A literal also counts as derived if propagation refutes its negation.
    pub(crate) fn propagates(&mut self, rules: &Set) -> bool {
        let mut known: Vec<Lit> = Vec::new();
        let mut open: Vec<Lit> = self.plain.facts.iter().flat_map(|fact| [fact.lit, !fact.lit]).collect();
        while !open.is_empty() && !self.session.stopped() {
            let derived = self.propagation.implied(rules, &known, &open);
            if derived.is_empty() {
                return false;
            }
            open.retain(|lit| !derived.contains(lit) && !derived.contains(&!*lit));
            known.extend(derived);
        }
        open.is_empty()
    }

    /// Returns whether unit propagation with failed literals on all rules determines every fact.
    pub(crate) fn follows_by_assumption(&mut self) -> bool {
        let rules = self.allowed.clone();
        let mut known: Vec<Lit> = Vec::new();
        let mut open: Vec<Lit> = self.probes.iter().flat_map(|&lit| [lit, !lit]).collect();
        while !open.is_empty() && !self.session.stopped() {
            let mut derived = self.propagation.implied(&rules, &known, &open);
            if derived.is_empty() {
                let mut probing = Probing::new(&mut self.propagation, &self.probes);
                let is_refuted = |&lit: &Lit| {
                    let assumed = [&known[..], &[!lit]].concat();
                    matches!(never(probing.check(&rules, &assumed)), Answer::Contradiction(_))
                };
                let Some(lit) = open.iter().copied().find(is_refuted) else { return false };
                derived.push(lit);
            }
            open.retain(|lit| !derived.contains(lit) && !derived.contains(&!*lit));
            known.extend(derived);
        }
        open.is_empty()
    }

    fn derive(&mut self, targets: &[Lit]) -> Result<Next, BackendError> {
        if targets.is_empty() {
            return Ok(Next::Done);
        }
        let ranked;
        let targets = if self.is_hard {
            // Literals whose negations have many consequences are the easiest to refute.
            ranked = self.by_consequences(targets, |lit| !lit);
            &ranked
        } else {
            targets
        };
        let derived = self.propagation.implied(&self.allowed, &self.known, targets);
        let mut found = self.find_by_propagation(&derived);
        let mut by = FoundBy::Propagation { smallest: false };
        if found.explained.is_empty() && self.order == Order::Effort {
            found.explained = self.find_by_assumption(targets);
            by = FoundBy::Assumption;
        }
        if found.explained.is_empty() || self.order == Order::Size {
            // Arguments found by search are used only if they have fewer rules than the arguments found by propagation.
            let below = found.explained.first().map(|explained| explained.groups.len());
            let fewer = self.find_by_search(targets, below)?;
            if below.is_some() && fewer.explained.is_empty() {
                by = FoundBy::Propagation { smallest: fewer.proven };
            } else {
                by = FoundBy::Search { smallest: fewer.proven };
                found = fewer;
            }
        }
        if self.session.stopped() {
            return Ok(Next::Stopped);
        }
        if found.explained.is_empty() {
            return if found.proven { Ok(Next::Done) } else { self.reveal(targets) };
        }
        if let FoundBy::Propagation { smallest: is_smallest @ false } = &mut by
            && found.explained.iter().all(|explained| explained.groups.len() == 1)
        {
            *is_smallest = self.needs_rules(&found.explained)?;
        }
        let arguments = self.arguments(found.explained, targets, by)?;
        let deductions = arguments.iter().flat_map(|argument| &argument.deductions);
        let mut facts: Vec<Lit> = deductions.map(|deduction| deduction.lit).collect();
        facts.retain(|lit| !self.known.contains(lit));
        self.known.extend(facts);
        Ok(Next::Step(Step { arguments, open: Some(derived.len()) }))
    }

    /// Returns `true` if the solver finds that each of the explained facts needs a rule: without rules, all of them can
    /// be false together.
    fn needs_rules(&mut self, explained: &[Explained]) -> Result<bool, BackendError> {
        let none = Set::new(self.session.groups());
        let opposites = explained.iter().map(|explained| !explained.lit);
        let assumed: Vec<Lit> = self.known.iter().copied().chain(opposites).collect();
        Ok(matches!(self.session.check(&none, &assumed)?, Answer::Consistent(_)))
    }

    /// Explains one or more of the facts in `derived`. Chooses facts that unit propagation derives from the smallest
    /// number of rules.
    fn find_by_propagation(&mut self, derived: &[Lit]) -> Easiest {
        let witnesses = &mut self.witnesses[1];
        let explained = self.propagation.implied_by_one_group(witnesses, &self.known, derived);
        if !explained.is_empty() {
            return Easiest { explained, proven: true };
        }
        let any = usize::MAX;
        let mut found = never(easiest(&mut self.propagation, witnesses, &self.known, derived, any, WORK));
        if found.explained.is_empty() && !found.proven {
            let (cores, _) = never(cores(&mut self.propagation, witnesses, &self.known, derived, WORK));
            found.explained.extend(never(fewest(&mut self.propagation, &self.known, cores, WORK)));
        }
        found
    }

    /// Explains one of the targets by unit propagation with failed literals. Chooses a target for which few rules
    /// suffice.
    fn find_by_assumption(&mut self, targets: &[Lit]) -> Vec<Explained> {
        // On a hard board, nothing follows by assumption from most of the facts, and a search takes over.
        let work = if self.is_hard { PROBES } else { u64::MAX };
        let cores = self.cores_by_assumption(targets, work);
        let mut probing = Probing::new(&mut self.propagation, &self.probes);
        never(fewest(&mut probing, &self.known, cores, PROBES)).into_iter().collect()
    }

    /// Returns the targets that follow from the rules by unit propagation with failed literals, each with the rules of
    /// a refutation, some of which may be superfluous. After `work` tests for failed literals, the remaining targets are
    /// ignored.
    fn cores_by_assumption(&mut self, targets: &[Lit], work: u64) -> Vec<Explained> {
        let mut probing = Probing::new(&mut self.propagation, &self.probes);
        never(cores(&mut probing, &mut self.witnesses[2], &self.known, targets, work)).0
    }

    /// Explains one or more of the targets. Chooses targets that follow from the smallest number of rules. If `below`
    /// is given, ignores explanations with this many rules or more.
    fn find_by_search(&mut self, targets: &[Lit], below: Option<usize>) -> Result<Easiest, BackendError> {
        let mut found = Easiest { explained: Vec::new(), proven: false };
        let Some(most) = below.unwrap_or(usize::MAX).checked_sub(1) else {
            found.proven = true;
            return Ok(found);
        };
        let before = self.session.work();
        if !self.is_hard || self.order == Order::Size {
            let work = if self.order == Order::Size { WORK } else { self.patience / SHARE };
            found = easiest(&mut self.session, &mut self.witnesses[0], &self.known, targets, most, work)?;
        }
        self.patience = self.patience.saturating_sub(self.session.work() - before);
        if found.explained.is_empty() && !found.proven && below.is_none() {
            return self.fewest_by_search(targets);
        }
        Ok(found)
    }

    /// Explains one of the targets, with few rules if that takes little time.
    fn fewest_by_search(&mut self, targets: &[Lit]) -> Result<Easiest, BackendError> {
        let (cores, is_complete) = self.frugally(|explainer, budget| {
            cores(&mut explainer.session, &mut explainer.witnesses[0], &explainer.known, targets, budget)
        })?;
        // If no target is implied, this is proven.
        let proven = cores.is_empty() && is_complete;
        let best = self
            .frugally(|explainer, budget| fewest(&mut explainer.session, &explainer.known, cores, budget))?;
        Ok(Easiest { explained: best.into_iter().collect(), proven })
    }

    /// Runs a part of a search with a share of the remaining [patience](Explainer::patience).
    fn frugally<R>(&mut self, search: impl FnOnce(&mut Self, u64) -> R) -> R {
        let (before, budget) = (self.session.work(), self.patience / SHARE);
        self.session.set_budget(Some(budget));
        let result = search(self, budget);
        self.session.set_budget(None);
        self.patience = self.patience.saturating_sub(self.session.work() - before);
        result
    }
}

/// The share of the remaining patience that one search may use: a fraction with this denominator.
const SHARE: u64 = 4;

/// The initial value of [`Explainer::patience`].
const PATIENCE: u64 = 20_000;

/// The number of tests for failed literals after which the smallest explanation found so far is taken.
const PROBES: u64 = 2000;

/// The work limit for a search for the easiest argument, see [`easiest`].
const WORK: u64 = 100_000;
