//! Finds superfluous clues of boards, and additional clues that make the solution unique.
//!
//! In the plain formulation of a board, each clue is one rule, so the solver can ignore individual clues. If a board
//! has exactly one solution, its clues contradict the clause that excludes this solution. A set of clues keeps the
//! solution unique if and only if it contradicts this clause. A minimal contradictory set has no superfluous clue. A
//! smallest contradictory set leaves out as many clues as possible.

use gordian_encodings::constraint::Clause;
use gordian_encodings::{Assignment, Lit};
use gordian_explain::{Answer, Oracle, Set, Subset, minimal, smallest};

use crate::backend::{BackendError, Limits, Verdict};
use crate::format::Source;
use crate::nearest::some_of;
use crate::puzzle::{self, ClueFormulation, FurtherClue, Plain, Puzzle, PuzzleType, Query};
use crate::read::{self, ReadOptions};
use crate::search::{Config, GroupedSession, Session, SolveError};

/// The result of [`clues`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Clues {
    /// The board has no solution.
    NoSolution,
    /// The board has exactly one solution.
    Unique(Superfluous),
    /// The board has several solutions.
    Several(Additions),
    /// A limit was reached before the number of solutions was known.
    Stopped,
}

/// The reason why the clues of a board can't be examined.
#[derive(Debug, thiserror::Error)]
pub enum CluesError {
    /// The puzzle type has no clues that can be left out individually.
    #[error("the clues of `{0}` can't be left out one by one; those of {list} can", list = puzzle_types())]
    PuzzleType(&'static str),
    /// The solver failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
}

/// Returns the names of the puzzle types whose clues can be left out individually, according to the first sample board
/// of each puzzle type.
fn puzzle_types() -> String {
    let name = |puzzle_type: &'static PuzzleType| {
        let source = Source::new("sample", puzzle_type.readers.first()?.sample());
        let board = read::board(&source, &ReadOptions::of_type(puzzle_type)).ok()?;
        board.puzzle.has_clues().then_some(puzzle_type.name)
    };
    some_of(&puzzle::all().filter_map(name).collect::<Vec<_>>())
}

/// The clues that a board with one solution does not need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Superfluous {
    /// The number of clues.
    pub clues: usize,
    /// The names of all clues that are superfluous on their own: without any one of them, the board still has one
    /// solution.
    pub alone: Vec<String>,
    /// The names of clues that can be left out together. If any further clue were left out, the board would have
    /// several solutions, unless a limit stopped the search.
    pub together: Vec<String>,
    /// True if no larger set of clues can be left out together.
    pub largest: bool,
    /// The board without the clues in `together`, in the native text format.
    pub board: String,
    /// True if a limit was reached. Superfluous clues may then be missing from the lists.
    pub stopped: bool,
}

/// Clues for a board with several solutions. Adding any one of them leaves exactly one solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Additions {
    /// The clues.
    pub clues: Vec<FurtherClue>,
    /// True if a limit was reached. The list may then be incomplete.
    pub stopped: bool,
}

/// Finds the superfluous clues of a board with one solution. For a board with several solutions, finds single clues
/// that make the solution unique.
///
/// The conflict limit of `limits` applies to each solver call.
///
/// # Errors
/// Returns an error if clues of the puzzle type can't be left out individually, or if the solver fails.
pub fn clues(puzzle: &dyn Puzzle, config: &Config, limits: &Limits) -> Result<Clues, CluesError> {
    let Some(formulation) = limits.within(|| puzzle.clues()) else { return Ok(Clues::Stopped) };
    let Some(ClueFormulation { mut plain, without, further }) = formulation else {
        return Err(CluesError::PuzzleType(puzzle.puzzle_type().name));
    };
    let mut session = config.session(&plain.model, limits.clone())?;
    let solution = match session.satisfy(&[])? {
        Verdict::Unsatisfiable => return Ok(Clues::NoSolution),
        Verdict::Stopped => return Ok(Clues::Stopped),
        Verdict::Satisfiable => facts(&plain, &session.assignment()),
    };
    let rules = plain.clues();
    let names: Vec<String> = rules.iter().map(|&rule| plain.rules[rule].name.clone()).collect();
    let groups: Vec<Vec<usize>> = rules.iter().map(|&rule| vec![rule]).collect();
    let found = with_groups(&mut plain, &groups, &solution, config, limits, |session| {
        let all = Set::full(rules.len());
        let core = match session.check(&all, &[])? {
            Answer::Stopped => return Ok(Some(Clues::Stopped)),
            Answer::Consistent(_) => return Ok(None),
            Answer::Contradiction(core) => core.groups,
        };
        let mut stopped = false;
        let mut alone = Vec::new();
        for (group, name) in names.iter().enumerate() {
            match session.check(&all.without(group), &[])? {
                Answer::Contradiction(_) => alone.push(name.clone()),
                Answer::Consistent(_) => {}
                Answer::Stopped => stopped = true,
            }
        }
        // If a limit ends the search for a smallest set, the result consists of the clues that the first uniqueness
        // proof used.
        let found = smallest(session, &[], u64::MAX)?;
        let Subset { groups, minimal, smallest } =
            found.unwrap_or(Subset { groups: core, minimal: false, smallest: false });
        let left_out: Vec<usize> = (0..names.len()).filter(|&group| !groups.contains(group)).collect();
        Ok(Some(Clues::Unique(Superfluous {
            clues: names.len(),
            alone,
            together: left_out.iter().map(|&group| names[group].clone()).collect(),
            largest: smallest,
            board: without(&left_out),
            stopped: stopped || !minimal,
        })))
    })?;
    match found {
        Some(clues) => Ok(clues),
        None => Ok(Clues::Several(additions(puzzle, further, config, limits)?)),
    }
}

/// Returns one literal for each fact: the fact's literal if it is true in the solution, or its negation if not.
pub(crate) fn facts(plain: &Plain, assignment: &Assignment) -> Vec<Lit> {
    let holds = |lit: Lit| if assignment.lit(lit) { lit } else { !lit };
    plain.facts.iter().map(|fact| holds(fact.lit)).collect()
}

/// Finds every clue that makes the solution unique when added to the board.
fn additions(
    puzzle: &dyn Puzzle,
    further: impl Iterator<Item = FurtherClue>,
    config: &Config,
    limits: &Limits,
) -> Result<Additions, BackendError> {
    let mut found = Additions { clues: Vec::new(), stopped: false };
    for clue in further {
        if limits.expired() || limits.exceeds_memory() {
            found.stopped = true;
            return Ok(found);
        }
        let source = Source::new("the board with a further clue", clue.board.as_str());
        let Ok(board) = read::board(&source, &ReadOptions::of_type(puzzle.puzzle_type())) else {
            continue;
        };
        match has_one_solution(&*board.puzzle, config, limits)? {
            Some(true) => found.clues.push(clue),
            Some(false) => {}
            None => found.stopped = true,
        }
    }
    Ok(found)
}

/// Returns whether a board has exactly one solution, or `None` if a limit was reached.
fn has_one_solution(
    puzzle: &dyn Puzzle,
    config: &Config,
    limits: &Limits,
) -> Result<Option<bool>, BackendError> {
    let Some(formulation) = limits.within(|| puzzle.formulate(&Query::Enumerate { limit: Some(2) })) else {
        return Ok(None);
    };
    let session: Session = config.session(&formulation.model, limits.clone())?;
    let mut solutions = 0;
    for solution in session.into_assignments().take(2) {
        match solution {
            Ok(_) => solutions += 1,
            Err(SolveError::Backend(error)) => return Err(error),
            Err(_) => return Ok(None),
        }
    }
    Ok(Some(solutions == 1))
}

/// Runs `work` with a session in which each list of clues is a group of constraints. `clues` contains indices of rules in
/// `plain`. All other constraints always hold, and a clause excludes `solution`.
fn with_groups<R>(
    plain: &mut Plain,
    clues: &[Vec<usize>],
    solution: &[Lit],
    config: &Config,
    limits: &Limits,
    work: impl FnOnce(&mut GroupedSession<'_>) -> Result<R, BackendError>,
) -> Result<R, BackendError> {
    plain.define(Clause::new(solution.iter().map(|&lit| !lit).collect::<Vec<_>>()));
    let mut group_of_rule = vec![None; plain.rules.len()];
    for (group, rules) in clues.iter().enumerate() {
        for &rule in rules {
            group_of_rule[rule] = Some(group);
        }
    }
    let group_of: Vec<Option<usize>> =
        plain.rule_of().iter().map(|rule| rule.and_then(|rule| group_of_rule[rule])).collect();
    let whole = Limits { conflicts: None, ..limits.clone() };
    let mut session =
        GroupedSession::new(&plain.model, &group_of, clues.len(), config, whole, limits.conflicts)?;
    work(&mut session)
}

/// Returns which lists of clues are needed to keep the solution of the board unique, as a subset of their indices, and
/// whether the subset is minimal. If a limit ends the search, the subset may not be minimal. The lists contain indices of
/// rules in `plain`; their order is that in which the search tries to leave them out. `solution` contains the true literal
/// of each fact.
///
/// Returns `None` if the board has another solution, or if a limit was reached. The conflict limit applies to each
/// solver call.
///
/// # Errors
/// Returns an error if the solver fails.
pub(crate) fn needed_clues(
    plain: &mut Plain,
    clues: &[Vec<usize>],
    solution: &[Lit],
    config: &Config,
    limits: &Limits,
) -> Result<Option<(Vec<usize>, bool)>, BackendError> {
    with_groups(plain, clues, solution, config, limits, |session| {
        let found = minimal(session, &Set::full(clues.len()), &[])?;
        Ok(found.map(|Subset { groups, minimal, .. }| (groups.iter().collect(), minimal)))
    })
}
