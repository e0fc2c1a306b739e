//! A solver for tests that tries all combinations of values.

use gordian_encodings::Value;
use gordian_flatzinc::Instance;
use gordian_flatzinc::holds;
use gordian_flatzinc::instance::{Argument, Call, Goal, Operand, VarDomain, VarId, Variable};

/// An instance prepared for the search.
pub(super) struct Search {
    domains: Vec<Vec<Value>>,
    /// For each variable, the constraints in which it is the last variable.
    constraints: Vec<Vec<(Instance, Vec<VarId>)>>,
    /// True if all constraints without variables hold.
    constants: bool,
}

impl Search {
    pub(super) fn new(instance: &Instance) -> Self {
        let domains = instance.variables.iter().map(|variable| match &variable.domain {
            VarDomain::Bool => vec![0, 1],
            VarDomain::Int(domain) => domain.values().collect(),
            VarDomain::Unbounded => panic!("{} is unbounded", variable.name),
        });
        let mut constraints: Vec<_> = instance.variables.iter().map(|_| Vec::new()).collect();
        let mut constants = true;
        for call in &instance.constraints {
            let (alone, variables) = alone(instance, call);
            match variables.iter().max() {
                Some(last) => constraints[last.0 as usize].push((alone, variables)),
                None => constants &= holds(&alone, &[]).is_ok(),
            }
        }
        Self { domains: domains.collect(), constraints, constants }
    }

    /// Returns all combinations of values of the first `count` variables.
    pub(super) fn assignments(&self, count: usize) -> Vec<Vec<Value>> {
        self.domains[..count].iter().fold(vec![Vec::new()], |all, domain| {
            let extend = |start: &Vec<Value>| {
                let start = start.clone();
                domain.iter().map(move |&value| [&start[..], &[value]].concat())
            };
            all.iter().flat_map(extend).collect()
        })
    }

    /// Returns the number of solutions in which the first variables have the given values.
    pub(super) fn count(&self, values: &[Value]) -> usize {
        let fits = |x: &usize| self.fits(*x, values);
        if !self.constants || !(0..values.len()).all(|x| fits(&x)) {
            return 0;
        }
        self.extend(&mut values.to_vec())
    }

    fn extend(&self, values: &mut Vec<Value>) -> usize {
        let x = values.len();
        let Some(domain) = self.domains.get(x) else { return 1 };
        let mut count = 0;
        for &value in domain {
            values.push(value);
            if self.fits(x, values) {
                count += self.extend(values);
            }
            values.pop();
        }
        count
    }

    fn fits(&self, x: usize, values: &[Value]) -> bool {
        self.constraints[x].iter().all(|(alone, variables)| {
            let values: Vec<Value> = variables.iter().map(|x| values[x.0 as usize]).collect();
            holds(alone, &values).is_ok()
        })
    }
}

/// Returns an instance with only one constraint and its variables, and the list of these variables.
fn alone(instance: &Instance, call: &Call) -> (Instance, Vec<VarId>) {
    let mut variables: Vec<VarId> = Vec::new();
    let mut renumber = |operand: &Operand| match operand {
        Operand::Var(x) => {
            let known = variables.iter().position(|y| y == x);
            Operand::Var(VarId(known.unwrap_or_else(|| {
                variables.push(*x);
                variables.len() - 1
            }) as u32))
        }
        constant => constant.clone(),
    };
    let arguments = call.arguments.iter().map(|argument| match argument {
        Argument::One(operand) => Argument::One(renumber(operand)),
        Argument::Array(array) => Argument::Array(array.iter().map(&mut renumber).collect()),
    });
    let call = Call { arguments: arguments.collect(), ..call.clone() };
    let of = |x: &VarId| -> Variable { instance.variables[x.0 as usize].clone() };
    let alone = Instance {
        variables: variables.iter().map(of).collect(),
        constraints: vec![call],
        goal: Goal::Satisfy,
        search: Vec::new(),
        output: Vec::new(),
    };
    (alone, variables)
}
