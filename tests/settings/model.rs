//! Random FlatZinc models with their solutions, which are found by trying all combinations of values.

use std::sync::Arc;

use gordian_encodings::{Domain, Value};
use gordian_flatzinc::holds;
use gordian_flatzinc::instance::{
    Annotation, Argument, Call, Goal, Instance, Operand, Output, Place, VarDomain, VarId, Variable,
};

use crate::check::Solutions;
use crate::random;
use crate::sizes::{MANY, wider};

/// A model, and the values that its variables can have in solutions.
#[derive(Debug, Clone)]
pub(crate) struct RandomModel {
    pub(crate) instance: Instance,
    /// For each of the first variables, the values to try. A variable's domain may have further values, which no solution
    /// has.
    pub(crate) candidates: Vec<Vec<Value>>,
    /// For each variable whose domain has further values, the calls that exclude these values. They are not part of
    /// `instance`.
    pub(crate) restrictions: Vec<(usize, Restriction)>,
    /// Definitions of unbounded integers that are not outputs. They are not part of `instance` either, because all values of
    /// the outputs are possible with them.
    pub(crate) unbounded: Vec<Unbounded>,
    /// True if the search follows the search annotations.
    pub(crate) is_annotated: bool,
}

/// A constraint on new unbounded integers s and t, a new Boolean b and an integer x of the model.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Unbounded {
    /// `t = s + x`
    Sum(u32),
    /// `b <-> t = s + x`
    ReifiedSum(u32),
    /// `b <-> s <= x`
    Below(u32),
    /// `t = s * x`
    Product(u32),
    /// `t = max(s, x)`
    Maximum(u32),
}

/// How a variable with a large domain is restricted to its candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Restriction {
    /// By a constraint that presolve applies, so the large domain is never encoded.
    Plain,
    /// By clauses whose consequences presolve does not see, so the large domain is encoded.
    Hidden,
}

impl RandomModel {
    pub(crate) fn new(random: &mut fastrand::Rng) -> Self {
        let numbers = (0..160).map(|_| random.u8(..)).collect();
        let calls = [1, 1, 2, 3, 5][random.usize(..5)];
        let mut instance = random::instance(random::ROWS, calls, numbers);
        if random.usize(..4) == 0 {
            enlarge(&mut instance, random);
        }
        let values = |variable: &Variable| match &variable.domain {
            VarDomain::Bool => vec![0, 1],
            VarDomain::Int(domain) => domain.values().collect(),
            VarDomain::Unbounded => unreachable!("random variables have bounds"),
        };
        let candidates: Vec<Vec<Value>> = instance.variables.iter().map(values).collect();
        let mut restrictions = Vec::new();
        if random.usize(..3) == 0 {
            for (index, variable) in instance.variables.iter_mut().enumerate() {
                if variable.domain != VarDomain::Bool && random.bool() {
                    let restriction =
                        [Restriction::Plain, Restriction::Hidden][usize::from(random.u8(..8) > 0)];
                    restrictions.push((index, restriction));
                    variable.domain = VarDomain::Int(wider(&candidates[index], Value::MAX, random));
                }
            }
        }
        instance.output = outputs(&instance, random);
        let integers: Vec<u32> = (0..instance.variables.len() as u32)
            .filter(|&index| instance.variables[index as usize].domain != VarDomain::Bool)
            .collect();
        let objective = Operand::Var(VarId(integers[random.usize(..integers.len())]));
        instance.goal = match random.usize(..4) {
            0 => Goal::Minimise(objective),
            1 => Goal::Maximise(objective),
            _ => Goal::Satisfy,
        };
        if random.usize(..3) == 0 {
            instance.search = search(&instance, random);
        }
        let mut unbounded = Vec::new();
        if random.usize(..8) == 0 {
            for _ in 0..random.usize(1..3) {
                let x = integers[random.usize(..integers.len())];
                unbounded.push(match random.usize(..5) {
                    0 => Unbounded::Sum(x),
                    1 => Unbounded::ReifiedSum(x),
                    2 => Unbounded::Below(x),
                    3 => Unbounded::Product(x),
                    _ => Unbounded::Maximum(x),
                });
            }
        }
        Self { instance, candidates, restrictions, unbounded, is_annotated: random.bool() }
    }

    /// Returns the model of an instance whose variables have all candidates as values.
    pub(crate) fn of(candidates: Vec<Vec<Value>>, instance: Instance) -> Self {
        Self { instance, candidates, restrictions: Vec::new(), unbounded: Vec::new(), is_annotated: false }
    }

    /// Returns whether a domain has so many values that encodings with literals for all values take seconds.
    pub(crate) fn is_large(&self) -> bool {
        self.instance.variables.iter().any(|variable| match &variable.domain {
            VarDomain::Int(domain) => domain.size() > MANY,
            _ => false,
        })
    }

    /// Returns the solutions that brute force finds.
    pub(crate) fn solutions(&self) -> Solutions {
        let mut solutions = Solutions::new();
        let mut values: Vec<Value> = Vec::new();
        self.extend(&mut values, &mut |values| {
            let value = |operand: &Operand| match operand {
                Operand::Var(x) => values[x.0 as usize],
                operand => operand.constant().expect("outputs are numbers"),
            };
            let objective = match &self.instance.goal {
                Goal::Satisfy => 0,
                Goal::Minimise(operand) | Goal::Maximise(operand) => value(operand),
            };
            let outputs = self.instance.output.iter().flat_map(|output| output.elements.iter().map(value));
            solutions.insert((outputs.collect(), objective));
        });
        solutions
    }

    /// Calls `found` with each solution that begins with the given values.
    fn extend(&self, values: &mut Vec<Value>, found: &mut dyn FnMut(&[Value])) {
        let Some(candidates) = self.candidates.get(values.len()) else {
            // The queries treat assumptions as constraints.
            let is_true = |operand: &Operand| match operand {
                Operand::Var(x) => values[x.0 as usize] == 1,
                operand => operand.constant() == Some(1),
            };
            if holds(&self.instance, values).is_ok() && self.instance.assumptions().all(is_true) {
                found(values);
            }
            return;
        };
        for &value in candidates {
            values.push(value);
            self.extend(values, found);
            values.pop();
        }
    }

    /// Returns the instance with the calls that exclude all values other than the candidates, and with the unbounded
    /// integers.
    pub(crate) fn whole(&self) -> Instance {
        let mut instance = self.instance.clone();
        for &(index, restriction) in &self.restrictions {
            let x = Operand::Var(VarId(index as u32));
            let values = Operand::Set(Arc::new(Domain::from_values(self.candidates[index].iter().copied())));
            if restriction == Restriction::Plain {
                post(&mut instance, "set_in", [x, values].map(Argument::One));
                continue;
            }
            // The clauses imply that the first of three literals is true, but unit propagation does not derive it.
            let [inside, a, b] = [0; 3].map(|_| declare(&mut instance, VarDomain::Bool));
            post(&mut instance, "set_in_reif", [x, values, inside.clone()].map(Argument::One));
            for [positive, negative] in [
                [vec![a.clone(), b.clone()], vec![]],
                [vec![a.clone()], vec![b.clone()]],
                [vec![b.clone()], vec![a.clone()]],
                [vec![], vec![a, b]],
            ] {
                let positive = positive.into_iter().chain([inside.clone()]).collect();
                post(
                    &mut instance,
                    "bool_clause",
                    [Argument::Array(positive), Argument::Array(negative.into())],
                );
            }
        }
        for unbounded in &self.unbounded {
            let [s, t] = [0; 2].map(|_| declare(&mut instance, VarDomain::Unbounded));
            let b = declare(&mut instance, VarDomain::Bool);
            let var = |x: u32| Operand::Var(VarId(x));
            let array = |operands: Vec<Operand>| Argument::Array(operands.into());
            let coefficients = || array([1, -1, -1].map(Operand::Int).to_vec());
            let sum = |x: u32| [coefficients(), array(vec![t.clone(), s.clone(), var(x)])];
            let zero = Argument::One(Operand::Int(0));
            match *unbounded {
                Unbounded::Sum(x) => {
                    post(&mut instance, "int_lin_eq", sum(x).into_iter().chain([zero]));
                }
                Unbounded::ReifiedSum(x) => {
                    let arguments = sum(x).into_iter().chain([zero, Argument::One(b)]);
                    post(&mut instance, "int_lin_eq_reif", arguments);
                }
                Unbounded::Below(x) => post(&mut instance, "int_le_reif", [s, var(x), b].map(Argument::One)),
                Unbounded::Product(x) => post(&mut instance, "int_times", [s, var(x), t].map(Argument::One)),
                Unbounded::Maximum(x) => post(&mut instance, "int_max", [s, var(x), t].map(Argument::One)),
            }
        }
        instance
    }

    /// Returns models that are simpler in some respect.
    pub(crate) fn simpler(&self) -> Vec<Self> {
        let mut simpler = Vec::new();
        let mut push = |change: &dyn Fn(&mut Self)| {
            let mut changed = self.clone();
            change(&mut changed);
            simpler.push(changed);
        };
        for index in 0..self.instance.constraints.len() {
            push(&|model| drop(model.instance.constraints.remove(index)));
        }
        for index in 0..self.instance.output.len() {
            push(&|model| drop(model.instance.output.remove(index)));
        }
        if !self.instance.search.is_empty() {
            push(&|model| model.instance.search.clear());
        }
        if self.instance.goal != Goal::Satisfy {
            push(&|model| model.instance.goal = Goal::Satisfy);
        }
        for index in 0..self.restrictions.len() {
            push(&|model| {
                let (x, _) = model.restrictions.remove(index);
                let domain = Domain::from_values(model.candidates[x].iter().copied());
                model.instance.variables[x].domain = VarDomain::Int(domain);
            });
        }
        for index in 0..self.unbounded.len() {
            push(&|model| {
                model.unbounded.remove(index);
            });
        }
        for (x, variable) in self.instance.variables.iter().enumerate() {
            if variable.value.is_some() {
                push(&|model| model.instance.variables[x].value = None);
            }
            let is_narrow = self.restrictions.iter().all(|&(restricted, _)| restricted != x);
            for index in (0..self.candidates[x].len()).filter(|_| self.candidates[x].len() > 1) {
                push(&|model| {
                    let candidates = &mut model.candidates[x];
                    candidates.remove(index);
                    let domain = &mut model.instance.variables[x].domain;
                    if is_narrow {
                        // The only value of a Boolean is the right-hand side of its declaration.
                        match domain {
                            VarDomain::Bool => {
                                model.instance.variables[x].value = Some(Operand::Bool(candidates[0] == 1));
                            }
                            domain => {
                                *domain = VarDomain::Int(Domain::from_values(candidates.iter().copied()));
                            }
                        }
                    }
                });
            }
        }
        for (call, constraint) in self.instance.constraints.iter().enumerate() {
            for (place, argument) in constraint.arguments.iter().enumerate() {
                let Argument::Array(operands) = argument else { continue };
                for index in 0..operands.len() {
                    push(&|model| {
                        let argument = &mut model.instance.constraints[call].arguments[place];
                        let Argument::Array(operands) = argument else { return };
                        let mut shorter = operands.to_vec();
                        shorter.remove(index);
                        *operands = shorter.into();
                    });
                }
            }
        }
        simpler
    }
}

/// Adds a call to the instance.
fn post(instance: &mut Instance, name: &str, arguments: impl IntoIterator<Item = Argument>) {
    let (arguments, place) = (arguments.into_iter().collect(), Place(instance.constraints.len()));
    instance.constraints.push(Call { name: name.into(), arguments, annotations: Vec::new(), place });
}

/// Adds a variable to the instance.
fn declare(instance: &mut Instance, domain: VarDomain) -> Operand {
    let index = instance.variables.len();
    let (name, place) = (format!("h{index}").into(), Place(index));
    instance.variables.push(Variable { name, domain, value: None, annotations: Vec::new(), place });
    Operand::Var(VarId(index as u32))
}

/// Replaces some values by large ones, in domains and in constraints.
fn enlarge(instance: &mut Instance, random: &mut fastrand::Rng) {
    const LARGE: [Value; 10] = [-99_999, -7_000, -1_001, -100, 17, 63, 255, 999, 7_000, 1_000_003];
    for variable in &mut instance.variables {
        if let VarDomain::Int(domain) = &mut variable.domain
            && random.bool()
        {
            let large = (0..random.usize(1..3)).map(|_| LARGE[random.usize(..LARGE.len())]);
            *domain = Domain::from_values(domain.values().take(2).chain(large).collect::<Vec<_>>());
        }
    }
    for call in &mut instance.constraints {
        // Tables of graphs and automata, offsets of arrays and durations stay small.
        let is_linear = ["_lin_", "_eq", "_le", "_lt", "_ne"].iter().any(|part| call.name.contains(part));
        if !is_linear {
            continue;
        }
        for argument in &mut call.arguments {
            let operands = match argument {
                Argument::One(operand) => std::slice::from_mut(operand),
                Argument::Array(operands) => Arc::make_mut(operands),
            };
            for operand in operands {
                if let Operand::Int(value) = operand
                    && random.usize(..4) == 0
                {
                    *value = LARGE[random.usize(..LARGE.len())];
                }
            }
        }
    }
}

fn outputs(instance: &Instance, random: &mut fastrand::Rng) -> Vec<Output> {
    let share = [1, 2, 4][random.usize(..3)];
    let mut outputs: Vec<Output> =
        instance.output.iter().filter(|_| random.usize(..share) == 0).cloned().collect();
    if random.usize(..4) == 0 {
        let is_int = |index: &usize| instance.variables[*index].domain != VarDomain::Bool;
        let ints: Vec<usize> = (0..instance.variables.len()).filter(is_int).collect();
        let element = |random: &mut fastrand::Rng| match random.usize(..4) {
            0 => Operand::Int(random.i128(-2..3)),
            _ => Operand::Var(VarId(ints[random.usize(..ints.len())] as u32)),
        };
        let elements: Vec<Operand> = (0..random.usize(..4)).map(|_| element(random)).collect();
        let dimensions = Some(vec![(1, elements.len() as Value)]);
        outputs.push(Output { name: "array".into(), is_bool: false, dimensions, elements: elements.into() });
    }
    outputs
}

/// Returns a random search annotation.
fn search(instance: &Instance, random: &mut fastrand::Rng) -> Vec<Annotation> {
    const VARIABLES: [&str; 6] =
        ["input_order", "first_fail", "smallest", "largest", "dom_w_deg", "anti_first_fail"];
    const VALUES: [&str; 5] =
        ["indomain_min", "indomain_max", "indomain_split", "indomain_reverse_split", "indomain_median"];
    let is_bool = random.bool();
    let is_of_type = |index: &usize| (instance.variables[*index].domain == VarDomain::Bool) == is_bool;
    let mut variables: Vec<usize> = (0..instance.variables.len()).filter(is_of_type).collect();
    random.shuffle(&mut variables);
    let operands: Vec<Operand> =
        variables.into_iter().map(|index| Operand::Var(VarId(index as u32))).collect();
    let mut name = |names: &[&str]| Annotation::Name(names[random.usize(..names.len())].into());
    let arguments = vec![
        Annotation::Operands(operands.into()),
        name(&VARIABLES),
        name(&VALUES),
        Annotation::Name("complete".into()),
    ];
    vec![Annotation::Call(if is_bool { "bool_search" } else { "int_search" }.into(), arguments)]
}
