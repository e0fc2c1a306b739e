//! Assumptions of a FlatZinc model, and unsatisfiable cores of assumptions.

use gordian_encodings::Lit;
use gordian_flatzinc::instance::{Argument, Call, Operand};
use gordian_flatzinc::{Instance, Problem, Representation, Translation};

use super::Flat;
use crate::backend::{BackendError, Verdict};
use crate::search::Config;

impl Flat {
    /// For an instance without a solution, returns the names of assumptions that can't all be true. The list is empty
    /// if there are no assumptions, if the constraints have no solution even without them, or if a limit is reached
    /// first.
    ///
    /// # Errors
    /// Returns an error if the solver fails.
    pub fn core(&self, config: &Config) -> Result<Vec<String>, BackendError> {
        let Some(instance) = &self.assuming else { return Ok(Vec::new()) };
        let translation = Problem::new(instance).and_then(|problem| problem.translate());
        let Ok(Translation { model, decoder, .. }) = translation else { return Ok(Vec::new()) };
        let assumed = instance.constraints.iter().filter(|call| is_assumption(call));
        let assumed = assumed.flat_map(|call| match call.arguments.first() {
            Some(Argument::Array(operands)) => &operands[..],
            _ => &[],
        });
        let mut names: Vec<(Lit, String)> = Vec::new();
        for operand in assumed {
            let Operand::Var(variable) = operand else { continue };
            let name = instance.variables[variable.0 as usize].name.to_string();
            match decoder.representation(*variable) {
                Some(Representation::Literal(lit)) => names.push((lit, name)),
                Some(Representation::Constant(0)) => return Ok(vec![name]),
                None | Some(Representation::Constant(_) | Representation::Integer(_)) => {}
            }
        }
        let mut session = config.session(&model, config.limits())?;
        let lits: Vec<Lit> = names.iter().map(|&(lit, _)| lit).collect();
        if session.satisfy(&lits)? != Verdict::Unsatisfiable {
            return Ok(Vec::new());
        }
        let core = session.core();
        Ok(names.into_iter().filter(|(lit, _)| core.contains(lit)).map(|(_, name)| name).collect())
    }
}

/// Returns whether a constraint is a list of assumptions.
pub(super) fn is_assumption(call: &Call) -> bool {
    &*call.name == "fzn_assume"
}

/// Returns the instance with every assumption turned into a constraint.
pub(super) fn with_assumptions(instance: &Instance) -> Instance {
    let mut instance = instance.clone();
    for call in instance.constraints.iter_mut().filter(|call| is_assumption(call)) {
        call.name = "array_bool_and".into();
        call.arguments.push(Argument::One(Operand::Bool(true)));
    }
    instance
}
