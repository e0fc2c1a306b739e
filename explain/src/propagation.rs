//! An oracle that refutes groups and literals only if unit propagation derives a contradiction from them.
//!
//! The propagation learns no clauses, so a result depends only on the formula, the groups and the literals.

mod engine;
mod probing;

use std::collections::{HashMap, HashSet};

use gordian_encodings::theory::Propagator;
use gordian_encodings::{Cnf, FALSE, Lit, TRUE};

use crate::easiest::Explained;
use crate::oracle::{Answer, Core, Oracle, Witness};
use crate::set::Set;
use engine::Engine;
pub use probing::Probing;

/// A formula whose clauses are divided into groups.
#[derive(Debug, Default)]
pub struct Formula {
    /// The clauses. Each clause of a group contains the negated selector of the group.
    pub clauses: Cnf,
    /// The constraints that propagators enforce. A propagator belongs to a group if it enforces its constraint only
    /// when the selector of the group is true.
    pub propagators: Vec<Box<dyn Propagator>>,
    /// The selector of each group: a literal that occurs only negated in the clauses.
    pub selectors: Vec<Lit>,
}

/// The effort required to derive a contradiction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effort {
    /// Unit propagation derives the contradiction.
    Propagation,
    /// Unit propagation derives the contradiction after the negations of failed literals have been added. A literal
    /// fails if unit propagation derives a contradiction from it.
    Assumption,
    /// Deriving the contradiction requires nested case distinctions.
    Search,
}

impl Effort {
    /// All efforts, in ascending order.
    pub const ALL: [Self; 3] = [Self::Propagation, Self::Assumption, Self::Search];

    /// Returns the effort with the given name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|effort| effort.name() == name)
    }

    /// Returns the name of the effort.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Propagation => "propagation",
            Self::Assumption => "assumption",
            Self::Search => "search",
        }
    }
}

/// A conclusion of unit propagation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conclusion {
    /// The literal, or `None` for the contradiction at the end.
    pub lit: Option<Lit>,
    /// The groups that, together with the literals of `because`, imply the literal.
    pub groups: Set,
    /// The assumed literals and previously listed conclusions that, together with `groups`, imply the literal.
    pub because: Vec<Lit>,
}

/// Unit propagation on a [`Formula`].
pub struct Propagation {
    engine: Engine,
    selectors: Vec<Lit>,
    group_of: HashMap<Lit, usize>,
    /// The groups that explanations may contain. All other groups are ignored.
    allowed: Set,
    variables: usize,
    expired: Box<dyn Fn() -> bool + Send>,
}

impl std::fmt::Debug for Propagation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Propagation").field("engine", &self.engine).finish_non_exhaustive()
    }
}

impl Propagation {
    /// Prepares the propagation of a formula.
    #[must_use]
    pub fn new(formula: Formula) -> Self {
        let Formula { clauses, propagators, selectors } = formula;
        let last = |lits: &[Lit]| lits.iter().map(|lit| lit.vidx() + 1).max().unwrap_or(0);
        let watched = propagators.iter().flat_map(|propagator| propagator.events());
        let variables = (clauses.variables() as usize)
            .max(last(&selectors))
            .max(watched.map(|(lit, _)| lit.vidx() + 1).max().unwrap_or(0));
        let group_of = selectors.iter().enumerate().map(|(group, &lit)| (lit, group)).collect();
        Self {
            engine: Engine::new(&clauses, propagators, variables),
            allowed: Set::full(selectors.len()),
            selectors,
            group_of,
            variables,
            expired: Box::new(|| false),
        }
    }

    /// Sets the function that returns whether the time limit of the whole search was reached.
    pub fn stop_when(&mut self, expired: impl Fn() -> bool + Send + 'static) {
        self.expired = Box::new(expired);
    }

    /// Ignores all groups except those in `allowed`.
    pub fn restrict(&mut self, allowed: Set) {
        self.allowed = allowed;
    }

    /// Assumes the literals and the groups. Returns the core if they are contradictory.
    fn assume(&mut self, groups: &Set, lits: &[Lit]) -> Option<Core> {
        let bound = self.selectors.len();
        if lits.contains(&FALSE) {
            return Some(Core { groups: Set::new(bound), lits: vec![FALSE] });
        }
        let lits = lits.iter().copied().filter(|&lit| lit != TRUE);
        let selectors = groups.iter().map(|group| self.selectors[group]);
        let assumed: Vec<Lit> = lits.chain(selectors).collect();
        let core = self.engine.assume(&assumed).err()?;
        Some(self.core(core))
    }

    /// Divides assumptions into groups and literals.
    fn core(&self, assumptions: Vec<Lit>) -> Core {
        let mut core = Core { groups: Set::new(self.selectors.len()), lits: Vec::new() };
        for lit in assumptions {
            match self.group_of.get(&lit) {
                Some(&group) => core.groups.insert(group),
                None => core.lits.push(lit),
            }
        }
        core
    }

    fn witness(&self, broken: Set) -> Witness {
        let lits = self.engine.trail().iter().map(|lit| lit.lidx());
        Witness { broken, lits: Set::of(2 * self.variables, lits) }
    }

    /// Returns the literals of `targets` that propagation derives by refuting their negations, given groups and known
    /// literals. If groups and known literals are contradictory, returns all targets. Otherwise, the result does not
    /// contain the constant `FALSE`.
    pub fn implied(&mut self, groups: &Set, known: &[Lit], targets: &[Lit]) -> Vec<Lit> {
        if self.assume(groups, known).is_some() {
            return targets.to_vec();
        }
        let mut implied = |&lit: &Lit| match self.engine.value(lit) {
            Some(value) => value,
            None if self.engine.push_if_consistent(!lit) => {
                self.engine.pop();
                false
            }
            None => true,
        };
        targets.iter().copied().filter(|lit| *lit != FALSE && implied(lit)).collect()
    }

    /// Returns the literals of `targets` that follow from the known literals alone, because propagation refutes their
    /// negations. If there are none, returns the literals that follow in this way from the known literals and one
    /// group.
    ///
    /// Like [`easiest`](crate::easiest), this function uses and updates the `witnesses` of earlier calls. It is faster
    /// because it does not need to find correction sets.
    pub fn implied_by_one_group(
        &mut self,
        witnesses: &mut Vec<Witness>,
        known: &[Lit],
        targets: &[Lit],
    ) -> Vec<Explained> {
        witnesses.retain(|witness| known.iter().all(|&lit| witness.contains(lit)));
        let none = Set::new(self.selectors.len());
        let explained = |lit: Lit, groups: Set| Explained { lit, groups };
        if self.assume(&none, known).is_some() {
            return targets.iter().map(|&lit| explained(lit, none.clone())).collect();
        }
        // For each literal, the groups that may imply it. If a witness makes the literal false, only groups that the
        // witness violates can imply the literal.
        let mut found = Vec::new();
        let mut candidates: Vec<(Lit, Set)> = Vec::new();
        for &lit in targets {
            let mut groups = self.allowed.clone();
            let mut against = witnesses.iter().filter(|witness| witness.contains(!lit)).peekable();
            let is_open = against.peek().is_some();
            against.for_each(|witness| groups.intersect(&witness.broken));
            if is_open || lit == FALSE {
                candidates.push((lit, groups));
            } else if self.engine.push_if_consistent(!lit) {
                self.engine.pop();
                candidates.push((lit, groups));
            } else {
                found.push(explained(lit, none.clone()));
            }
        }
        if !found.is_empty() {
            return found;
        }
        for (lit, groups) in candidates {
            if self.expired() {
                break;
            }
            let is_pushed = lit != FALSE && self.engine.push_if_consistent(!lit);
            let group = groups.iter().find(|&group| {
                let is_consistent = self.engine.push_if_consistent(self.selectors[group]);
                if is_consistent {
                    self.engine.pop();
                }
                !is_consistent
            });
            if is_pushed {
                self.engine.pop();
            }
            found.extend(group.map(|group| explained(lit, none.with(group))));
        }
        found
    }

    /// Returns the literals of `targets` whose negations can be refuted with the smallest number of groups. Each
    /// returned literal follows from the groups and known literals in its refutation. The refutation may not be
    /// minimal. The groups and known literals must not be contradictory.
    pub fn failed(&mut self, groups: &Set, known: &[Lit], targets: &[Lit]) -> Vec<Conclusion> {
        let mut found: Vec<Conclusion> = Vec::new();
        if self.assume(groups, known).is_some() {
            return found;
        }
        let mut fewest = usize::MAX;
        for &lit in targets {
            if lit == FALSE || self.engine.value(lit).is_some() {
                continue;
            }
            let Err(core) = self.engine.push(!lit) else {
                self.engine.pop();
                continue;
            };
            let Core { groups, lits: mut because } = self.core(core);
            because.retain(|&other| other != !lit);
            if groups.len() < fewest {
                fewest = groups.len();
                found.clear();
            }
            if groups.len() == fewest {
                found.push(Conclusion { lit: Some(lit), groups, because });
            }
        }
        found
    }

    /// Returns the effort required to refute contradictory groups and literals. The literals of `probes` and their
    /// negations are the candidates for failed literals.
    pub fn effort(&mut self, groups: &Set, lits: &[Lit], probes: &[Lit]) -> Effort {
        if self.assume(groups, lits).is_some() {
            return Effort::Propagation;
        }
        match Probing::new(self, probes).refute() {
            Some(_) => Effort::Assumption,
            None => Effort::Search,
        }
    }

    /// Returns the conclusions that unit propagation derives from groups and literals, in order. If there is a
    /// contradiction, the list contains only the conclusions that lead to it, and the contradiction is the last entry.
    ///
    /// Only literals for which `shown` returns `true` are listed. If a listed literal follows from an unlisted literal,
    /// the entry of the listed literal also contains the groups and literals that imply the unlisted literal.
    pub fn conclusions(
        &mut self,
        groups: &Set,
        lits: &[Lit],
        shown: impl Fn(Lit) -> bool,
    ) -> Vec<Conclusion> {
        let derivation = match self.assume(groups, lits) {
            Some(core) if core.lits == [FALSE] => vec![(None, core.lits)],
            Some(_) => self.engine.refutation().to_vec(),
            None => self.engine.derivation(),
        };
        let mut listed: HashSet<Lit> = lits.iter().copied().collect();
        let mut conclusions = Vec::new();
        let mut unlisted: HashMap<Lit, (Set, Vec<Lit>)> = HashMap::new();
        for (lit, causes) in derivation {
            if lit.is_some_and(|lit| listed.contains(&lit)) {
                continue;
            }
            let mut groups = Set::new(self.selectors.len());
            let mut because = Vec::new();
            for cause in causes {
                if let Some(&group) = self.group_of.get(&cause) {
                    groups.insert(group);
                } else if listed.contains(&cause) {
                    because.push(cause);
                } else if let Some((earlier, facts)) = unlisted.get(&cause) {
                    groups.extend(earlier);
                    because.extend(facts);
                }
            }
            because.sort_unstable();
            because.dedup();
            match lit {
                Some(lit) if !shown(lit) => drop(unlisted.insert(lit, (groups, because))),
                _ => {
                    listed.extend(lit);
                    conclusions.push(Conclusion { lit, groups, because });
                }
            }
        }
        conclusions
    }
}

impl Oracle for Propagation {
    type Error = std::convert::Infallible;

    fn groups(&self) -> usize {
        self.selectors.len()
    }

    fn allowed(&self) -> Set {
        self.allowed.clone()
    }

    fn expired(&self) -> bool {
        (self.expired)()
    }

    fn check(&mut self, groups: &Set, lits: &[Lit]) -> Result<Answer, Self::Error> {
        Ok(match self.assume(groups, lits) {
            Some(core) => Answer::Contradiction(core),
            None => Answer::Consistent(self.witness(self.allowed.minus(groups))),
        })
    }

    fn check_and_grow(&mut self, groups: &Set, lits: &[Lit]) -> Result<Answer, Self::Error> {
        if let Some(core) = self.assume(groups, lits) {
            return Ok(Answer::Contradiction(core));
        }
        let mut broken = self.allowed.minus(groups);
        for group in broken.clone().iter() {
            let selector = self.selectors[group];
            if self.engine.push_if_consistent(selector) {
                broken.remove(group);
            }
        }
        Ok(Answer::Consistent(self.witness(broken)))
    }
}
