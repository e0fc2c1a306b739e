//! Queries as methods of [`Model`], provided by the trait [`ModelExt`].
//!
//! ```
//! use gordian::prelude::*;
//!
//! let mut model = Model::new();
//! let [width, height] = model.integers(1..=20);
//! model.post((2 * width + 2 * height).at_most(30));
//! model.post(height.greater_than(width));
//! model.maximise(3 * width + height);
//!
//! let (best, value) = model.optimise()?.best.expect("there is a rectangle");
//! assert_eq!((best[width], best[height], value), (7, 8, 29));
//! # Ok::<(), SolveError>(())
//! ```

use std::collections::HashMap;
use std::ops::Index;

use gordian_encodings::model::Posted;
use gordian_encodings::{Assignment, IntVar, Lit, Model, Objective, Sense, Value};

use gordian_explain::Subset;

use crate::backend::Verdict;
use crate::search::{Assignments, Config, GroupedSession, Optimum, Session, SolveError, ValueStatus, Way};

/// Queries on a [`Model`]. Each query has two methods: one uses the default [`Config`], and one takes a config as an
/// argument.
///
/// The result `Ok(None)` means that the model is proven to have no solution. If a limit is reached first, the query
/// returns [`SolveError::LimitReached`]. The default config has no limits. All queries run on one thread and ignore
/// [`Config::threads`].
///
/// # Panics
/// All queries panic if a constraint overflows. The documentation of each constraint states when it overflows.
pub trait ModelExt {
    /// Finds a solution.
    ///
    /// # Errors
    /// Returns an error if the solver fails.
    fn solve(&self) -> Result<Option<Assignment>, SolveError> {
        self.solve_with(&Config::default())
    }

    /// Finds a solution with the given config.
    ///
    /// # Errors
    /// Returns an error if a limit is reached or the solver fails.
    fn solve_with(&self, config: &Config) -> Result<Option<Assignment>, SolveError>;

    /// Finds an optimal solution. Returns the solution and its value. If the model has no objective, every solution
    /// is optimal and has the value 0.
    ///
    /// # Errors
    /// Returns an error if the solver fails or the objective overflows.
    fn optimise(&self) -> Result<Optimum, SolveError> {
        self.optimise_with(&Config::default())
    }

    /// Searches for an optimal solution within the limits of the config. Returns the best solution found, its value,
    /// and a bound on the optimum. If a limit is reached, [`Optimum::proven`] is `false`.
    ///
    /// # Errors
    /// Returns an error if the solver fails or the objective overflows.
    fn optimise_with(&self, config: &Config) -> Result<Optimum, SolveError>;

    /// Enumerates all solutions without repetitions. Assignments that agree on the literals of [`Model::project`]
    /// count as one solution. If the model has no projection, assignments that agree on all its variables count as
    /// one solution.
    ///
    /// # Errors
    /// Returns an error if the solver fails, in this call or while the iterator runs.
    fn solutions(&self) -> Result<Assignments, SolveError> {
        self.solutions_with(&Config::default())
    }

    /// Enumerates all [solutions](ModelExt::solutions) with the given config. The limits of the config apply to the
    /// whole enumeration.
    ///
    /// # Errors
    /// Returns an error if a limit is reached or the solver fails, in this call or while the iterator runs.
    fn solutions_with(&self, config: &Config) -> Result<Assignments, SolveError>;

    /// Counts the [solutions](ModelExt::solutions) by enumeration.
    ///
    /// # Errors
    /// Returns an error if the solver fails.
    fn count(&self) -> Result<usize, SolveError> {
        self.count_with(&Config::default())
    }

    /// Counts the [solutions](ModelExt::solutions) by enumeration with the given config.
    ///
    /// # Errors
    /// Returns an error if a limit is reached or the solver fails.
    fn count_with(&self, config: &Config) -> Result<usize, SolveError> {
        let mut count = 0;
        for solution in self.solutions_with(config)? {
            solution?;
            count += 1;
        }
        Ok(count)
    }

    /// Explains why the model has no solution: returns a smallest set of contradictory constraints. Constraints that
    /// share a name count as one. Returns `None` if the model has a solution.
    ///
    /// ```
    /// use gordian::prelude::*;
    ///
    /// let mut model = Model::new();
    /// let [x, y, z] = model.integers(1..=9);
    /// model.post_as("x before y", x.less_than(y));
    /// model.post_as("y before z", y.less_than(z));
    /// model.post_as("z before x", z.less_than(x));
    /// model.post_as("z is large", z.at_least(8));
    ///
    /// let conflict = model.why()?.expect("a cycle");
    /// assert_eq!(conflict.constraints, [0, 1, 2]);
    /// assert!(conflict.smallest);
    /// # Ok::<(), SolveError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the solver fails.
    fn why(&self) -> Result<Option<Conflict>, SolveError> {
        self.why_with(&Config::default())
    }

    /// Works like [`ModelExt::why`] with the given config. If a limit is reached, [`Conflict::smallest`] may be
    /// `false`.
    ///
    /// # Errors
    /// Returns an error if a limit is reached before any conflict is found, or if the solver fails.
    fn why_with(&self, config: &Config) -> Result<Option<Conflict>, SolveError>;

    /// Returns whether there is exactly one [solution](ModelExt::solutions).
    ///
    /// # Errors
    /// Returns an error if the solver fails.
    fn unique(&self) -> Result<bool, SolveError> {
        self.unique_with(&Config::default())
    }

    /// Returns whether there is exactly one [solution](ModelExt::solutions), with the given config.
    ///
    /// # Errors
    /// Returns an error if a limit is reached or the solver fails.
    fn unique_with(&self, config: &Config) -> Result<bool, SolveError> {
        let mut solutions = self.solutions_with(config)?;
        let first = solutions.next().transpose()?;
        Ok(first.is_some() && solutions.next().transpose()?.is_none())
    }

    /// Returns the values that all solutions have in common, or `None` if there is no solution.
    ///
    /// # Errors
    /// Returns an error if the solver fails.
    fn backbone(&self) -> Result<Option<ForcedValues>, SolveError> {
        self.backbone_with(&Config::default())
    }

    /// Returns the values that all solutions have in common, with the given config, or `None` if there is no
    /// solution.
    ///
    /// # Errors
    /// Returns an error if a limit is reached or the solver fails.
    fn backbone_with(&self, config: &Config) -> Result<Option<ForcedValues>, SolveError>;
}

impl ModelExt for Model {
    fn solve_with(&self, config: &Config) -> Result<Option<Assignment>, SolveError> {
        let mut session = config.session(self, config.limits())?;
        match session.satisfy(&[])? {
            Verdict::Satisfiable => Ok(Some(session.assignment())),
            Verdict::Unsatisfiable => Ok(None),
            Verdict::Stopped => Err(SolveError::LimitReached),
        }
    }

    fn optimise_with(&self, config: &Config) -> Result<Optimum, SolveError> {
        let nothing = Objective::of(Sense::Minimise, 0);
        let objective = self.objective().unwrap_or(&nothing);
        config.session(self, config.limits())?.optimise(objective, config.strategy, |_| ())
    }

    fn solutions_with(&self, config: &Config) -> Result<Assignments, SolveError> {
        let mut session = config.session(self, config.limits())?;
        if !self.projection().is_empty() {
            return Ok(session.into_assignments());
        }
        let lits = literals(self, &mut session).into_iter().map(|(lit, _)| lit).collect();
        Ok(session.into_assignments_of(lits))
    }

    fn why_with(&self, config: &Config) -> Result<Option<Conflict>, SolveError> {
        let mut groups = 0;
        let mut fresh = || {
            groups += 1;
            groups - 1
        };
        let mut names = HashMap::new();
        let group = |posted: &Posted| {
            if posted.name.is_empty() {
                fresh()
            } else {
                *names.entry(posted.name.to_string()).or_insert_with(&mut fresh)
            }
        };
        let group_of: Vec<Option<usize>> = self.constraints().iter().map(group).map(Some).collect();
        let mut session = GroupedSession::new(self, &group_of, groups, config, config.limits(), None)?;
        let found = gordian_explain::smallest(&mut session, &[], u64::MAX)?;
        let Some(Subset { groups, minimal, smallest }) = found else {
            return if session.stopped() { Err(SolveError::LimitReached) } else { Ok(None) };
        };
        let of_conflict = |constraint: &usize| group_of[*constraint].is_some_and(|of| groups.contains(of));
        let constraints = (0..group_of.len()).filter(of_conflict).collect();
        Ok(Some(Conflict { constraints, minimal, smallest }))
    }

    fn backbone_with(&self, config: &Config) -> Result<Option<ForcedValues>, SolveError> {
        let mut session = config.session(self, config.limits())?;
        let literals = literals(self, &mut session);
        let ways = |lit: Lit| vec![Way { value: 0, lits: vec![!lit] }, Way { value: 1, lits: vec![lit] }];
        let parts: Vec<Vec<Way>> = literals.iter().map(|&(lit, _)| ways(lit)).collect();
        let mut solution = None;
        let backbone = session.backbone(&parts, |found| solution = Some(found.clone()))?;
        let solution = match (backbone.verdict, solution) {
            (Verdict::Stopped, _) => return Err(SolveError::LimitReached),
            (Verdict::Unsatisfiable, _) | (_, None) => return Ok(None),
            (Verdict::Satisfiable, Some(solution)) => solution,
        };
        let mut booleans: Vec<Option<bool>> =
            (0..self.variables()).map(|index| Some(solution[Lit::positive(index)])).collect();
        let mut integers: Vec<Option<Value>> = self.integer_variables().map(|x| Some(solution[x])).collect();
        for ((lit, integer), statuses) in literals.into_iter().zip(&backbone.parts) {
            if statuses.iter().all(|&status| status == ValueStatus::Possible) {
                match integer {
                    Some(x) => integers[x.index()] = None,
                    None => booleans[lit.vidx()] = None,
                }
            }
        }
        Ok(Some(ForcedValues { booleans, integers }))
    }
}

/// Returns literals that determine an assignment of the model: the Boolean variables, and the literals of each integer
/// variable (such as `x <= 3`).
fn literals(model: &Model, session: &mut Session) -> Vec<(Lit, Option<IntVar>)> {
    let booleans = (0..model.variables()).map(|index| (Lit::positive(index), None));
    // Integer variables that were created during the encoding are auxiliary. Auxiliary variables have higher indices
    // than the model's variables.
    let integers = model.integer_variables().count();
    session.create_literals(model.integer_variables());
    let of_integers = session.literals_of_integers().into_iter().filter(|(_, x, _)| x.index() < integers);
    booleans.chain(of_integers.map(|(lit, x, _)| (lit, Some(x)))).collect()
}

/// Contradictory constraints of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The indices of the constraints in [`Model::constraints`].
    pub constraints: Vec<usize>,
    /// True if no constraint can be left out. Constraints with the same name count as one.
    pub minimal: bool,
    /// True if no other conflict has fewer constraints. Constraints with the same name count as one.
    pub smallest: bool,
}

/// The values that all solutions of a model have in common, indexed by integer variables and literals. A value is
/// `None` if it is not the same in all solutions.
///
/// ```
/// use gordian::prelude::*;
///
/// let mut model = Model::new();
/// let [x, y, z] = model.integers(1..=3);
/// model.post(AllDifferent::new([x, y]));
/// model.post((x + y).equals(3));
/// model.post(z.equals(x + y));
/// let forced = model.backbone()?.expect("there is a solution");
/// assert_eq!((forced[x], forced[z]), (None, Some(3)));
/// # Ok::<(), SolveError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForcedValues {
    booleans: Vec<Option<bool>>,
    integers: Vec<Option<Value>>,
}

impl Index<IntVar> for ForcedValues {
    type Output = Option<Value>;

    fn index(&self, variable: IntVar) -> &Option<Value> {
        &self.integers[variable.index()]
    }
}

impl Index<Lit> for ForcedValues {
    type Output = Option<bool>;

    fn index(&self, lit: Lit) -> &Option<bool> {
        match gordian_encodings::constant(lit).or_else(|| Some(self.booleans[lit.vidx()]? == lit.is_pos())) {
            Some(true) => &Some(true),
            Some(false) => &Some(false),
            None => &None,
        }
    }
}
