//! The formulas of constraint models, for certificates.

use std::collections::{BTreeMap, BTreeSet};

use gordian_encodings::Value;
use gordian_flatzinc::instance::{Goal, Operand, VarId};
use gordian_flatzinc::opb;

use super::{Flat, by_name, elements};
use crate::puzzle::Puzzle;
use crate::rules::opb::{Integer, Literal, NoFormula, Opb, RulesFormula, Sum};
use crate::rules::{Solution, Violation};

impl Flat {
    /// Returns a variable as an integer of the formula.
    fn integer(&self, opb: &Opb, variable: VarId) -> Result<Integer, Violation> {
        let integer = opb::integer(&self.instance, variable, |name| opb.find(&name));
        integer.ok_or_else(|| Violation::new("the formula does not contain a variable"))
    }

    /// Returns literals that are all true if and only if the operand has the given value.
    fn literals_of(&self, opb: &Opb, operand: &Operand, value: Value) -> Result<Vec<Literal>, Violation> {
        let Operand::Var(variable) = operand else { return Ok(Vec::new()) };
        self.integer(opb, *variable)?.literals(value)
    }

    /// Returns the values of the output variables in a solution. Outputs with sets have no values.
    fn values(&self, solution: &Solution) -> Result<BTreeMap<VarId, Value>, Violation> {
        let mut values = BTreeMap::new();
        let fields = by_name(solution);
        let is_set = |operand: &Operand| matches!(operand, Operand::Set(_));
        for output in self.instance.output.iter().filter(|output| !output.elements.iter().any(is_set)) {
            for (operand, &value) in output.elements.iter().zip(elements(output, &fields)?) {
                if let Operand::Var(variable) = operand {
                    values.insert(*variable, value);
                }
            }
        }
        Ok(values)
    }
}

impl RulesFormula for Flat {
    fn formula(&self) -> Result<Opb, NoFormula> {
        opb::formula(&self.instance).map_err(|error| NoFormula(error.to_string()))
    }

    fn literals(&self, opb: &Opb, solution: &Solution) -> Result<Vec<Literal>, Violation> {
        let mut literals = Vec::new();
        for (variable, value) in self.values(solution)? {
            literals.extend(self.integer(opb, variable)?.literals(value)?);
        }
        Ok(literals)
    }

    /// Returns the number of output variables with a value that they have in none of the solutions.
    fn unseen(&self, opb: &Opb, solutions: &[Solution]) -> Result<Sum, Violation> {
        let mut seen: BTreeMap<VarId, BTreeSet<Value>> = BTreeMap::new();
        for solution in solutions {
            for (variable, value) in self.values(solution)? {
                seen.entry(variable).or_default().insert(value);
            }
        }
        let mut unseen = Sum::default();
        for (variable, seen) in seen {
            let integer = self.integer(opb, variable)?;
            for &value in integer.values().iter().filter(|value| !seen.contains(value)) {
                unseen.add(1, &integer.is(value));
            }
        }
        Ok(unseen)
    }

    fn cost(&self, opb: &Opb, objective: &str) -> Option<Vec<(i128, Literal)>> {
        self.puzzle_type().objectives.iter().find(|row| row.name == objective)?;
        let (operand, sign) = match &self.instance.goal {
            Goal::Satisfy => return None,
            Goal::Minimise(operand) => (operand, 1),
            Goal::Maximise(operand) => (operand, -1),
        };
        let mut cost = Sum::default();
        if let Operand::Var(variable) = operand {
            cost.add_integer(sign, &self.integer(opb, *variable).ok()?);
        }
        Some(cost.terms)
    }

    /// Returns the literals of the objective. Often, the objective is not an output variable. If the solution has no
    /// witness, a search completes it.
    fn cost_literals(&self, opb: &Opb, solution: &Solution) -> Result<Vec<Literal>, Violation> {
        let (Goal::Minimise(operand) | Goal::Maximise(operand)) = &self.instance.goal else {
            return Ok(Vec::new());
        };
        let value = match self.objective_value(solution) {
            Some(value) => value,
            None => self
                .objective_value(&self.completed(solution)?)
                .ok_or_else(|| Violation::new("the solution has no value of the objective"))?,
        };
        self.literals_of(opb, operand, value)
    }
}
