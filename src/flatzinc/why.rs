//! Finds contradictory constraints of an instance.
//!
//! The search translates and solves an instance again for each set of constraints that it tests. Translating the
//! whole instance once and then leaving out constraints does not work, because presolve merges variables and removes
//! constraints.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use gordian_explain::{Answer, Core, Oracle, Set, Subset, Witness, minimal, smallest};
use gordian_flatzinc::instance::{Annotation, Call, Goal, Instance};
use gordian_flatzinc::violated;

use super::Flat;
use crate::backend::Limits;
use crate::format::Source;
use crate::puzzle::Query;
use crate::query::{self, QueryError, Silent, Status};
use crate::search::Config;

/// The constraints of an instance, grouped by name.
#[derive(Debug)]
pub struct NamedConstraints<'i> {
    instance: &'i Instance,
    /// The names of the groups.
    pub names: Vec<String>,
    /// The group of each constraint.
    group_of: Vec<usize>,
}

/// The result of [`NamedConstraints::why`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WhyNone {
    /// The constraints of these groups are contradictory.
    Contradiction(Subset),
    /// The instance has a solution.
    Possible,
    /// A limit was reached.
    Stopped,
}

impl<'i> NamedConstraints<'i> {
    /// Divides the constraints of an instance into groups. A group contains all constraints with the same annotation
    /// `mzn_constraint_name`; every other constraint forms its own group, named after the constraint's line in
    /// `source`.
    #[must_use]
    pub fn of(instance: &'i Instance, source: &Source) -> Self {
        let mut names = Vec::new();
        let mut known = HashMap::new();
        let mut group = |call: &Call| {
            if let Some(name) = given_name(call) {
                return *known.entry(name.to_owned()).or_insert_with(|| {
                    names.push(name.to_owned());
                    names.len() - 1
                });
            }
            names.push(format!("{} in line {}", call.name, source.position(call.place.0).line));
            names.len() - 1
        };
        let group_of = instance.constraints.iter().map(&mut group).collect();
        Self { instance, names, group_of }
    }

    /// Finds groups of constraints that contradict each other. If `fewest` is true, finds the smallest possible
    /// number of groups, unless a limit is reached.
    ///
    /// # Errors
    /// Returns an error if the solver fails.
    pub fn why(&self, config: &Config, fewest: bool) -> Result<WhyNone, QueryError> {
        let mut oracle =
            SubInstances { constraints: self, config, limits: config.limits(), stopped: Cell::new(false) };
        let all = Set::full(self.names.len());
        let found = if fewest { smallest(&mut oracle, &[])? } else { minimal(&mut oracle, &all, &[])? };
        Ok(match found {
            Some(subset) => WhyNone::Contradiction(subset),
            None if oracle.stopped.get() => WhyNone::Stopped,
            None => WhyNone::Possible,
        })
    }
}

/// Returns the name that a model gives to a constraint.
fn given_name(call: &Call) -> Option<&str> {
    call.annotations.iter().find_map(|annotation| match annotation {
        Annotation::Call(name, arguments) if &**name == "mzn_constraint_name" => match &arguments[..] {
            [Annotation::Text(text)] => Some(&**text),
            _ => None,
        },
        _ => None,
    })
}

/// Tests whether given constraints contradict each other, by solving an instance that contains only these
/// constraints.
struct SubInstances<'i> {
    constraints: &'i NamedConstraints<'i>,
    config: &'i Config,
    limits: Limits,
    /// True if a limit was reached, or if some instance could not be translated.
    stopped: Cell<bool>,
}

impl Oracle for SubInstances<'_> {
    type Error = QueryError;

    fn groups(&self) -> usize {
        self.constraints.names.len()
    }

    fn check(&mut self, groups: &Set, _: &[gordian_encodings::Lit]) -> Result<Answer, QueryError> {
        let NamedConstraints { instance, group_of, .. } = self.constraints;
        let chosen = instance.constraints.iter().zip(group_of).filter(|(_, group)| groups.contains(**group));
        let part = Instance {
            variables: instance.variables.clone(),
            constraints: chosen.map(|(call, _)| call.clone()).collect(),
            goal: Goal::Satisfy,
            search: Vec::new(),
            output: Vec::new(),
        };
        let left = self.limits.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let config = Config { timeout: left, ..self.config.clone() };
        // If constraints are left out, the bounds of variables may be too weak for the translation. In this case, it is
        // unknown whether the remaining constraints contradict each other.
        let Ok(flat) = Flat::new(Arc::new(part)) else {
            self.stopped.set(true);
            return Ok(Answer::Stopped);
        };
        let outcome = query::run(&flat, Query::Satisfy, &config, &mut Silent)?;
        let values = outcome.solution.as_ref().and_then(|solution| solution.witness());
        Ok(match (outcome.status, values) {
            (Status::None, _) => Answer::Contradiction(Core { groups: groups.clone(), lits: Vec::new() }),
            (_, Some(values)) => {
                let broken = violated(instance, values).into_iter().map(|constraint| group_of[constraint]);
                let broken = Set::of(self.groups(), broken);
                Answer::Consistent(Witness { broken, lits: Set::new(0) })
            }
            (_, None) => {
                self.stopped.set(true);
                Answer::Stopped
            }
        })
    }

    fn expired(&self) -> bool {
        self.limits.expired()
    }
}
