//! Random models of the library with all types of constraints, and their solutions.

use std::collections::BTreeSet;
use std::fmt;

use gordian::prelude::*;

use crate::check::{Checked, Query, Row, STOPPED, catching, describe, each_once, expect};
use crate::constraints::Builder;
use crate::settings::Settings;
use crate::sizes::{MANY, wider};

/// The number of Boolean variables that are no literals of integers.
pub(crate) const BOOLEANS: usize = 4;
/// The size of the largest domains. Products of three integers do not overflow.
const LARGEST: Value = 1 << 36;

/// A model, described by the seed of the random numbers from which it is built.
#[derive(Clone)]
pub(crate) struct LibraryModel {
    seed: u64,
    /// For each constraint, whether the model contains it.
    pub(crate) posts: Vec<bool>,
    /// True if the domains are exactly the candidates.
    pub(crate) is_narrow: bool,
    /// True if the model has decision strategies, preferred values and a linear relaxation.
    pub(crate) is_guided: bool,
}

/// A model, and the values that its integers can have in solutions.
struct Built {
    model: Model,
    candidates: Vec<Vec<Value>>,
    constraints: Vec<String>,
}

impl LibraryModel {
    pub(crate) fn new(seed: u64) -> Self {
        let count = [1, 1, 2, 3, 4][fastrand::Rng::with_seed(seed).usize(..5)];
        Self { seed, posts: vec![true; count], is_narrow: false, is_guided: true }
    }

    /// Returns whether a domain has so many values that encodings with literals for all values take seconds.
    pub(crate) fn is_large(&self) -> bool {
        let Built { model, .. } = self.build();
        model.integer_variables().any(|x| model.domain(x).size() > MANY)
    }

    /// Returns models that are simpler in some respect.
    pub(crate) fn simpler(&self) -> Vec<Self> {
        let mut simpler = Vec::new();
        if !self.is_narrow {
            simpler.push(Self { is_narrow: true, ..self.clone() });
        }
        if self.is_guided {
            simpler.push(Self { is_guided: false, ..self.clone() });
        }
        for index in (0..self.posts.len()).filter(|&index| self.posts[index]) {
            let mut without = self.clone();
            without.posts[index] = false;
            simpler.push(without);
        }
        simpler
    }

    fn build(&self) -> Built {
        let mut random = fastrand::Rng::with_seed(self.seed);
        random.usize(..5);
        let mut model = Model::new();
        let (mut integers, mut candidates) = (Vec::new(), Vec::new());
        let is_wide = random.usize(..3) == 0;
        for _ in 0..random.usize(1..4) {
            let values: BTreeSet<Value> = match random.usize(..4) {
                0 => (0..random.usize(1..4)).map(|_| random.i128(-3..6)).collect(),
                1 => (0..random.i128(1..4)).collect(),
                2 => (-2..random.i128(-1..3)).collect(),
                _ => [-7, 0, 4, 1_000].into_iter().filter(|_| random.bool()).chain([2]).collect(),
            };
            let values: Vec<Value> = values.into_iter().collect();
            let wide = wider(&values, LARGEST, &mut random);
            let (widen, unordered) = (is_wide && random.bool() && !self.is_narrow, random.usize(..8) == 0);
            let domain = if widen { wide } else { Domain::from_values(values.iter().copied()) };
            let x = if unordered { model.unordered(domain) } else { model.integer(domain) };
            if widen {
                let lits: Vec<Lit> = values.iter().map(|&value| model.equals(x, value)).collect();
                model.post(Clause::new(lits));
            }
            integers.push(x);
            candidates.push(values);
        }
        let mut literals: Vec<Lit> = (0..BOOLEANS).map(|_| model.boolean()).collect();
        for _ in 0..random.usize(..3) {
            let (x, value) = (integers[random.usize(..integers.len())], random.i128(-2..4));
            literals.push(if random.bool() { model.at_most(x, value) } else { model.equals(x, value) });
        }
        let mut constraints = Vec::new();
        for &posted in &self.posts {
            let (text, post) = Builder::new(&mut random, &integers, &literals).draw();
            if posted {
                constraints.push(text);
                post(&mut model);
            }
        }
        let mut builder = Builder::new(&mut random, &integers, &literals);
        let terms = builder.terms();
        let sense = if builder.random.bool() { Sense::Maximise } else { Sense::Minimise };
        let has_objective = builder.random.usize(..3) > 0;
        let strategy = builder.strategy();
        let projected: Vec<Lit> = builder.lits();
        let (is_projected, is_relaxed) = (builder.random.usize(..4) == 0, builder.random.bool());
        if has_objective {
            model.set_objective(Objective::new(sense, terms));
        }
        if self.is_guided {
            model.prefer(projected.iter().copied());
            model.branch(strategy);
            if is_relaxed {
                model.relax();
            }
        }
        if is_projected {
            model.project(projected);
        }
        Built { model, candidates, constraints }
    }

    /// Runs a query, and compares its outcome with brute force. Returns a description of the first difference.
    pub(crate) fn check(&self, query: Query, settings: &Settings) -> Result<Checked, String> {
        catching(|| self.build().compare(query, settings))
    }
}

impl fmt::Display for LibraryModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Built { model, candidates, constraints } = self.build();
        for (x, candidates) in model.integer_variables().zip(candidates) {
            let domain = model.domain(x);
            writeln!(f, "{x:?} from {} to {}: {candidates:?}", domain.min(), domain.max())?;
        }
        writeln!(f, "{:?}\nprojection: {:?}", model.objective(), model.projection())?;
        constraints.iter().try_for_each(|constraint| writeln!(f, "{constraint}"))
    }
}

impl Built {
    /// Returns all solutions.
    fn solutions(&self) -> Vec<Assignment> {
        let bounds = self.model.bounds();
        let mut choices: Vec<Vec<Value>> = vec![Vec::new()];
        for candidates in &self.candidates {
            let extend = |values: &Vec<Value>| {
                candidates.iter().map(|&value| [&values[..], &[value]].concat()).collect::<Vec<_>>()
            };
            choices = choices.iter().flat_map(extend).collect();
        }
        let mut solutions = Vec::new();
        let of_bounds: BTreeSet<u32> = bounds.iter().map(|(_, lit)| lit.vidx32()).collect();
        let free: Vec<u32> = (0..self.model.variables()).filter(|index| !of_bounds.contains(index)).collect();
        for integers in choices {
            for set in 0..1_u32 << free.len() {
                let mut booleans = vec![false; self.model.variables() as usize];
                for (number, &index) in free.iter().enumerate() {
                    booleans[index as usize] = set >> number & 1 == 1;
                }
                for (bound, lit) in &bounds {
                    booleans[lit.vidx()] = bound.holds(integers[bound.variable.index()]) == lit.is_pos();
                }
                let assignment = Assignment::new(booleans, integers.clone());
                if self.model.holds(&assignment) {
                    solutions.push(assignment);
                }
            }
        }
        solutions
    }

    /// Returns the values of all variables of the model.
    fn values(&self, assignment: &Assignment) -> Row {
        let booleans = (0..self.model.variables()).map(|index| assignment.lit(Lit::positive(index)));
        let integers = self.model.integer_variables().map(|x| assignment.int(x));
        booleans.map(Value::from).chain(integers).collect()
    }

    /// Returns the values that distinguish solutions.
    fn row(&self, assignment: &Assignment) -> Row {
        match self.model.projection() {
            [] => self.values(assignment),
            lits => lits.iter().map(|&lit| Value::from(assignment.lit(lit))).collect(),
        }
    }

    fn compare(&self, query: Query, settings: &Settings) -> Result<Checked, String> {
        let (model, config) = (&self.model, settings.config());
        let solutions = self.solutions();
        let rows: BTreeSet<Row> = solutions.iter().map(|assignment| self.row(assignment)).collect();
        let error = |error: SolveError| describe(&error);
        let all: BTreeSet<Row> = solutions.iter().map(|assignment| self.values(assignment)).collect();
        let is_solution =
            |found: &Assignment| expect("a solution", &all.contains(&self.values(found)), &true);
        match query {
            Query::Satisfy => {
                let found = model.solve_with(&config).map_err(error)?;
                expect("solution", &found.is_some(), &!rows.is_empty())?;
                found.iter().try_for_each(is_solution)?;
            }
            Query::Enumerate | Query::CountValues => {
                let found: Result<Vec<Assignment>, _> =
                    model.solutions_with(&config).map_err(error)?.collect();
                let found = found.map_err(error)?;
                found.iter().try_for_each(is_solution)?;
                each_once(found.iter().map(|assignment| self.row(assignment)).collect(), &rows)?;
            }
            Query::Some(limit) => {
                let found: Result<Vec<Assignment>, _> =
                    model.solutions_with(&config).map_err(error)?.take(limit).collect();
                let found: BTreeSet<Row> =
                    found.map_err(error)?.iter().map(|assignment| self.row(assignment)).collect();
                expect("number", &found.len(), &limit.min(rows.len()))?;
            }
            Query::Optimise | Query::AllOptimal => {
                let objective = model.objective();
                let value =
                    |assignment: &Assignment| objective.map_or(0, |objective| objective.value(assignment));
                let (values, sense) =
                    (solutions.iter().map(value), objective.map(|objective| objective.sense));
                let best = if sense == Some(Sense::Maximise) { values.max() } else { values.min() };
                let found = model.optimise_with(&config).map_err(error)?;
                found.best.iter().try_for_each(|(assignment, _)| is_solution(assignment))?;
                if !found.proven {
                    return Err(STOPPED.to_owned());
                }
                expect("optimum", &found.best.as_ref().map(|best| best.1), &best)?;
            }
            Query::Count => {
                expect("count", &model.count_with(&config).map_err(error)?, &rows.len())?;
            }
            Query::Unique => {
                expect("unique", &model.unique_with(&config).map_err(error)?, &(rows.len() == 1))?;
            }
            Query::Backbone => {
                let forced = model.backbone_with(&config).map_err(error)?;
                expect("backbone", &forced.is_some(), &!rows.is_empty())?;
                let Some(forced) = forced else { return Ok(Checked::Right) };
                for x in model.integer_variables() {
                    let values: BTreeSet<Value> =
                        solutions.iter().map(|assignment| assignment.int(x)).collect();
                    let only = values.first().copied().filter(|_| values.len() == 1);
                    expect("forced integer", &forced[x], &only)?;
                }
                for lit in (0..model.variables()).map(Lit::positive) {
                    let values: BTreeSet<bool> =
                        solutions.iter().map(|assignment| assignment.lit(lit)).collect();
                    let only = values.first().copied().filter(|_| values.len() == 1);
                    expect("forced literal", &forced[lit], &only)?;
                }
            }
        }
        Ok(Checked::Right)
    }
}
