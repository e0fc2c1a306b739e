//! Search annotations: the values that the search tries first.

use std::collections::HashSet;

use gordian_encodings::{DecisionStrategy, Term, Value, ValueChoice, VariableChoice};

use crate::constraint::Ref;
use crate::instance::{Annotation, Goal, Instance, Operand, VarId};
use crate::translate::{Representation, Translation};

/// The maximum domain size of integer variables that get preferred values.
const VALUES_UP_TO: u128 = 1_000;

/// The value that the search tries first for a variable.
#[derive(Debug, Clone, Copy)]
enum First {
    Least,
    Median,
    Greatest,
    Value(Value),
}

impl Translation {
    /// Adds the values that the instance's search annotations prefer: the value choices of `int_search`,
    /// `bool_search` and `seq_search`, and warm starts. Preferred values do not change the set of solutions.
    pub fn prefer(&mut self, instance: &Instance) {
        let mut choices = Vec::new();
        for annotation in &instance.search {
            collect(annotation, &mut choices);
        }
        // Only the first preference for each variable is used, and warm starts take precedence over value choices.
        choices.sort_by_key(|(_, first)| !matches!(first, First::Value(_)));
        let mut chosen = HashSet::new();
        for (x, first) in choices {
            let Some(representation) = self.decoder.representation(x) else { continue };
            let key = match representation {
                Representation::Constant(_) => continue,
                Representation::Literal(lit) => (false, lit.vidx()),
                Representation::Integer(x) => (true, x.index()),
            };
            if chosen.insert(key) {
                self.prefer_value(representation, first);
            }
        }
    }

    fn prefer_value(&mut self, representation: Representation, first: First) {
        match representation {
            Representation::Constant(_) => {}
            Representation::Literal(lit) => {
                let holds = match first {
                    First::Least | First::Median => false,
                    First::Greatest => true,
                    First::Value(value) => value == 1,
                };
                self.model.prefer([if holds { lit } else { !lit }]);
            }
            Representation::Integer(x) => {
                let domain = self.model.domain(x).clone();
                if domain.size() > VALUES_UP_TO {
                    return;
                }
                let wanted = match first {
                    First::Least => Some(domain.min()),
                    First::Greatest => Some(domain.max()),
                    First::Median => domain.values().nth((domain.size() as usize - 1) / 2),
                    First::Value(value) => Some(value),
                };
                let Some(wanted) = wanted else { return };
                for value in domain.values() {
                    let lit = self.model.at_most(x, value);
                    self.model.prefer([if value >= wanted { lit } else { !lit }]);
                }
            }
        }
    }
}

impl Translation {
    /// Adds the decision strategies of the instance's search annotations `int_search`, `bool_search` and `seq_search`.
    /// Annotations of other types of variables are ignored. Unknown choices are replaced: the variable by the first one in
    /// the list, and the value by the minimum.
    pub fn branch(&mut self, instance: &Instance) {
        for annotation in &instance.search {
            self.branch_on(annotation);
        }
    }

    /// Sets the decision variables of the model. These are the variables of the instance that no constraint defines, as far
    /// as annotations tell, without the objective. If search annotations name some of them, all others are left out.
    ///
    /// Call this function after [`Translation::branch`].
    pub fn decide(&mut self, instance: &Instance) {
        let objective = match &instance.goal {
            Goal::Minimise(Operand::Var(x)) | Goal::Maximise(Operand::Var(x)) => Some(*x),
            _ => None,
        };
        let free = (0..).map(VarId).zip(&instance.variables);
        let free = free.filter(|&(x, variable)| objective != Some(x) && !variable.is_defined());
        let terms = free.filter_map(|(x, _)| self.decoder.representation(x)?.term());
        let mut seen = HashSet::new();
        let free: Vec<Term> = terms.filter(|&term| seen.insert(term)).collect();
        let strategies = self.model.strategies().iter();
        let named: HashSet<Term> =
            strategies.flat_map(|strategy| strategy.variables.iter().copied()).collect();
        let decisions: Vec<Term> = free.iter().copied().filter(|term| named.contains(term)).collect();
        self.model.set_decisions(if decisions.is_empty() { free } else { decisions });
    }

    fn branch_on(&mut self, annotation: &Annotation) {
        match annotation {
            Annotation::Call(name, arguments) => match (&**name, &arguments[..]) {
                (
                    "int_search" | "bool_search",
                    [variables, Annotation::Name(variable), Annotation::Name(value), ..],
                ) => {
                    let variables = operands(variables).filter_map(Ref::variable);
                    let terms = variables.filter_map(|x| self.decoder.representation(x)?.term());
                    let strategy = DecisionStrategy {
                        variables: terms.collect(),
                        variable: variable_choice(variable),
                        value: value_choice(value),
                    };
                    self.model.branch(strategy);
                }
                (name, _) if name.starts_with("warm_start") => {}
                // The search annotation `seq_search` and others contain further annotations.
                (_, arguments) => arguments.iter().for_each(|inner| self.branch_on(inner)),
            },
            Annotation::Array(annotations) => annotations.iter().for_each(|inner| self.branch_on(inner)),
            _ => {}
        }
    }
}

fn variable_choice(name: &str) -> VariableChoice {
    match name {
        "first_fail" | "dom_w_deg" | "most_constrained" => VariableChoice::FewestValues,
        "anti_first_fail" => VariableChoice::MostValues,
        "smallest" => VariableChoice::LowestMin,
        "largest" => VariableChoice::HighestMax,
        _ => VariableChoice::InputOrder,
    }
}

fn value_choice(name: &str) -> ValueChoice {
    match name {
        "indomain_max" => ValueChoice::Max,
        "indomain_split" | "indomain_interval" | "indomain_median" | "indomain_middle" => {
            ValueChoice::LowerHalf
        }
        "indomain_reverse_split" => ValueChoice::UpperHalf,
        _ => ValueChoice::Min,
    }
}

/// Collects the variables of an annotation with their preferred values.
fn collect(annotation: &Annotation, choices: &mut Vec<(VarId, First)>) {
    match annotation {
        Annotation::Call(name, arguments) => match (&**name, &arguments[..]) {
            ("int_search" | "bool_search", [variables, _, Annotation::Name(choice), ..]) => {
                let first = match &**choice {
                    "indomain" | "indomain_min" | "indomain_split" | "indomain_interval" => First::Least,
                    "indomain_max" | "indomain_reverse_split" => First::Greatest,
                    "indomain_median" | "indomain_middle" => First::Median,
                    _ => return,
                };
                choices.extend(operands(variables).filter_map(Ref::variable).map(|x| (x, first)));
            }
            (name, [variables, values]) if name.starts_with("warm_start") => {
                let values = operands(values).map(|value| match value {
                    Ref::Const(value) => Some(value),
                    Ref::Var(_) | Ref::Not(_) => None,
                });
                let pairs = operands(variables).zip(values);
                choices.extend(pairs.filter_map(|(x, value)| Some((x.variable()?, First::Value(value?)))));
            }
            // The search annotations `seq_search`, `warm_start_array` and others contain further annotations.
            (_, arguments) => arguments.iter().for_each(|inner| collect(inner, choices)),
        },
        Annotation::Array(annotations) => annotations.iter().for_each(|inner| collect(inner, choices)),
        _ => {}
    }
}

/// Returns the operands of an array that is an argument of an annotation.
fn operands(annotation: &Annotation) -> impl Iterator<Item = Ref> + '_ {
    let list: &[Operand] = match annotation {
        Annotation::Operands(operands) => operands,
        _ => &[],
    };
    list.iter().map(Ref::of)
}
