//! The output of results in the format of the XCSP3 competitions.
//!
//! ```text
//! o 20
//! s OPTIMUM FOUND
//! v <instantiation type="solution" cost="20"> <list> x[] y </list> <values> 1 0 4 </values> </instantiation>
//! ```

use std::fmt::Write as _;

use gordian_encodings::Value;

use crate::instance::{Instance, Operand};

/// The status of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// A solution was found. If there is an objective, the solution is not proven optimal.
    Satisfiable,
    /// A solution was found and proven optimal.
    OptimumFound,
    /// There are no solutions.
    Unsatisfiable,
    /// The search found neither a solution nor a proof of unsatisfiability.
    Unknown,
    /// The instance contains an unsupported constraint or variable.
    Unsupported,
}

impl Status {
    /// Returns the status line of the output, without a line break.
    #[must_use]
    pub fn line(self) -> &'static str {
        match self {
            Self::Satisfiable => "s SATISFIABLE",
            Self::OptimumFound => "s OPTIMUM FOUND",
            Self::Unsatisfiable => "s UNSATISFIABLE",
            Self::Unknown => "s UNKNOWN",
            Self::Unsupported => "s UNSUPPORTED",
        }
    }
}

/// Returns the line that reports a new best objective value, without a line break.
#[must_use]
pub fn objective_line(value: Value) -> String {
    format!("o {value}")
}

/// Returns the line with a solution, without a line break. `values` has one value for each variable of the instance.
/// The attribute `type` is `optimum` if `is_optimal` is true, and `solution` otherwise.
#[must_use]
pub fn solution_line(instance: &Instance, values: &[Value], cost: Option<Value>, is_optimal: bool) -> String {
    let kind = if is_optimal && cost.is_some() { "optimum" } else { "solution" };
    let mut line = format!("v <instantiation type=\"{kind}\"");
    if let Some(cost) = cost {
        let _ = write!(line, " cost=\"{cost}\"");
    }
    line.push_str("> <list>");
    for output in &instance.output {
        let brackets = "[]".repeat(output.dimensions.as_ref().map_or(0, Vec::len));
        let _ = write!(line, " {}{brackets}", output.name);
    }
    line.push_str(" </list> <values>");
    for operand in instance.output.iter().flat_map(|output| output.elements.iter()) {
        let value = match *operand {
            Operand::Bool(value) => Some(Value::from(value)),
            Operand::Int(value) => Some(value),
            Operand::Set(_) => None,
            Operand::Var(x) => values.get(x.0 as usize).copied(),
        };
        match value {
            Some(value) => {
                let _ = write!(line, " {value}");
            }
            None => line.push_str(" *"),
        }
    }
    line.push_str(" </values> </instantiation>");
    line
}
