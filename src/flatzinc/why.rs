//! Finds contradictory constraints of an instance.
//!
//! The search translates and solves an instance again for each set of constraints that it tests. Translating the
//! whole instance once and then leaving out constraints does not work, because presolve merges variables and removes
//! constraints.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;

use gordian_encodings::Domain;
use gordian_explain::{Answer, Core, Oracle, SMALLEST_WORK, Set, Subset, Witness, minimal, smallest};
use gordian_flatzinc::instance::{Annotation, Call, Goal, Instance, Operand, VarDomain, Variable};
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
    source: &'i Source,
    /// The names of the groups.
    pub names: Vec<String>,
    /// The group of each constraint. A constraint without a group belongs to every set of groups.
    group_of: Vec<Option<usize>>,
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
    /// `mzn_constraint_name`. A constraint without a name that defines a Boolean which MiniZinc has introduced is a part
    /// of other constraints and has no group. Every other constraint forms its own group, named after the constraint's
    /// line in `source`, which is FlatZinc if a MiniZinc model was compiled.
    #[must_use]
    pub fn of(instance: &'i Instance, source: &'i Source) -> Self {
        Self::divided(instance, source, |call| defines_boolean(call, instance))
    }

    /// Divides the constraints into groups. Constraints for which `is_part` returns true have no group, unless they have a
    /// name.
    fn divided(instance: &'i Instance, source: &'i Source, is_part: impl Fn(&Call) -> bool) -> Self {
        let mut names = Vec::new();
        let mut known = HashMap::new();
        let mut group = |call: &Call| {
            if let Some(name) = given_name(call) {
                return Some(*known.entry(name.to_owned()).or_insert_with(|| {
                    names.push(name.to_owned());
                    names.len() - 1
                }));
            }
            if is_part(call) {
                return None;
            }
            let of = if source.name().ends_with(".mzn.fzn") { " of the FlatZinc" } else { "" };
            names.push(format!("{} in line {}{of}", call.name, source.position(call.place.0).line));
            Some(names.len() - 1)
        };
        let group_of = instance.constraints.iter().map(&mut group).collect();
        Self { instance, source, names, group_of }
    }

    /// Divides the constraints into the given groups. For each constraint, `group_of` contains an index into `names`.
    /// Constraints without a group belong to every set of groups, so they should only define variables.
    ///
    /// # Panics
    /// Panics unless `group_of` has one entry for each constraint of the instance, each an index of `names`.
    #[must_use]
    pub fn grouped(
        instance: &'i Instance,
        source: &'i Source,
        names: Vec<String>,
        group_of: Vec<Option<usize>>,
    ) -> Self {
        assert_eq!(group_of.len(), instance.constraints.len(), "one entry for each constraint");
        assert!(group_of.iter().flatten().all(|&group| group < names.len()), "each group has a name");
        Self { instance, source, names, group_of }
    }

    /// Finds groups of constraints that contradict each other. If `fewest` is true, finds the smallest possible
    /// number of groups, unless a limit is reached. If the constraints without a group contradict each other, each of them
    /// gets its own group first.
    ///
    /// # Errors
    /// Returns an error if the solver fails.
    pub fn why(&mut self, config: &Config, fewest: bool) -> Result<WhyNone, QueryError> {
        let mut oracle =
            SubInstances { constraints: self, config, limits: config.limits(), stopped: Cell::new(false) };
        let all = Set::full(self.names.len());
        let found = if fewest {
            smallest(&mut oracle, &[], SMALLEST_WORK)?
        } else {
            minimal(&mut oracle, &all, &[])?
        };
        Ok(match found {
            Some(subset) if subset.groups.is_empty() && self.group_of.contains(&None) => {
                *self = Self::divided(self.instance, self.source, |_| false);
                return self.why(config, fewest);
            }
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

/// Returns whether a constraint defines a Boolean that MiniZinc has introduced. Definitions of introduced integers don't
/// count: their domains may state further constraints.
fn defines_boolean(call: &Call, instance: &Instance) -> bool {
    let is_introduced = |annotation: &Annotation| matches!(annotation, Annotation::Name(name) if &**name == "var_is_introduced");
    let is_boolean = |domain: &VarDomain| match domain {
        VarDomain::Bool => true,
        VarDomain::Int(domain) => *domain == Domain::interval(0, 1),
        VarDomain::Unbounded => false,
    };
    call.annotations.iter().any(|annotation| match annotation {
        Annotation::Call(name, arguments) if &**name == "defines_var" => match &arguments[..] {
            [Annotation::Operand(Operand::Var(defined))] => {
                let Variable { domain, annotations, .. } = &instance.variables[defined.0 as usize];
                is_boolean(domain) && annotations.iter().any(is_introduced)
            }
            _ => false,
        },
        _ => false,
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
        let chosen = instance.constraints.iter().zip(group_of);
        let chosen = chosen.filter(|(_, group)| group.is_none_or(|group| groups.contains(group)));
        let part = Instance {
            variables: instance.variables.clone(),
            constraints: chosen.map(|(call, _)| call.clone()).collect(),
            goal: Goal::Satisfy,
            search: Vec::new(),
            output: Vec::new(),
        };
        let config = Config { timeout: None, deadline: self.limits.deadline, ..self.config.clone() };
        // If constraints are left out, the bounds of variables may be too weak for the translation. In this case, it is
        // unknown whether the remaining constraints contradict each other.
        let Some(Ok(flat)) = self.limits.within(|| Flat::new(Arc::new(part))) else {
            self.stopped.set(true);
            return Ok(Answer::Stopped);
        };
        let outcome = query::run(&flat, Query::Satisfy, &config, &mut Silent)?;
        let values = outcome.solution.as_ref().and_then(|solution| solution.witness());
        Ok(match (outcome.status, values) {
            (Status::None, _) => Answer::Contradiction(Core { groups: groups.clone(), lits: Vec::new() }),
            (_, Some(values)) => {
                let broken =
                    violated(instance, values).into_iter().filter_map(|constraint| group_of[constraint]);
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
