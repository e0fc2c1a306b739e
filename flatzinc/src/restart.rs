//! Restarts: the annotation `on_restart` of `MiniZinc`, which sets variables before each run of the search.
//!
//! `MiniZinc` compiles the predicate named in `on_restart` into constraints. The functions that the predicate calls,
//! such as `status` and `sol`, become calls of `fzn_on_restart_*`. Before each run of the search, [`Restarts`] computes
//! the results of these calls. A [`RestartSequence`] limits the number of conflicts in each run.
//!
//! Dekker, de la Banda, Schutt, Stuckey, Tack: *Solver-Independent Large Neighbourhood Search*, CP 2018, describes the
//! functions.

use gordian_encodings::Value;

use crate::instance::{Annotation, Argument, Call, Instance, Operand, VarId};

/// The result of the last run of the search. The numbers come from MiniZinc's enumerated type `STATUS`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchStatus {
    /// There has been no run yet.
    Start = 1,
    /// The limit of the run was reached before a solution was found.
    Unknown = 2,
    /// The run proved that no solution has the values set before the run.
    Unsatisfiable = 3,
    /// The run found a solution.
    Satisfiable = 4,
}

/// The state of the search before a run.
#[derive(Debug)]
pub struct RestartState<'a> {
    /// The result of the last run.
    pub status: SearchStatus,
    /// The last known value of each variable.
    pub last: &'a [Option<Value>],
    /// The values of all variables in the last solution.
    pub solution: Option<&'a [Value]>,
}

/// The calls of `fzn_on_restart_*` in an instance.
#[derive(Debug)]
pub struct Restarts<'a> {
    calls: Vec<&'a Call>,
}

impl<'a> Restarts<'a> {
    /// Returns the calls of `fzn_on_restart_*` in an instance, or `None` if there are none.
    #[must_use]
    pub fn of(instance: &'a Instance) -> Option<Self> {
        let calls = instance.constraints.iter().filter(|call| call.name.starts_with("fzn_on_restart_"));
        let calls: Vec<&Call> = calls.collect();
        (!calls.is_empty()).then_some(Self { calls })
    }

    /// Returns whether a call returns random values. If so, runs from the same state can differ.
    #[must_use]
    pub fn is_random(&self) -> bool {
        self.calls.iter().any(|call| &*call.name == "fzn_on_restart_uniform_int")
    }

    /// Returns the operands to fix before the next run, with their values. The function `uniform` returns a random
    /// number between its arguments. The results of `last_val` and `sol` remain unconstrained until a value is known.
    pub fn values(
        &self,
        state: &RestartState<'_>,
        mut uniform: impl FnMut(Value, Value) -> Value,
    ) -> Vec<(&'a Operand, Value)> {
        let last = |operand: &Operand| match *operand {
            Operand::Var(VarId(index)) => state.last.get(index as usize).copied().flatten(),
            ref operand => operand.constant(),
        };
        let solution = |operand: &Operand| match *operand {
            Operand::Var(VarId(index)) => state.solution?.get(index as usize).copied(),
            ref operand => operand.constant(),
        };
        let value = |call: &&'a Call| {
            let operands: Option<Vec<&'a Operand>> = call.arguments.iter().map(one).collect();
            match (call.name.strip_prefix("fzn_on_restart_")?, &operands?[..]) {
                ("status", &[result]) => Some((result, state.status as Value)),
                ("last_val_int" | "last_val_bool", &[of, result]) => Some((result, last(of)?)),
                ("sol_int" | "sol_bool", &[of, result]) => Some((result, solution(of)?)),
                ("uniform_int", &[low, high, result]) => {
                    let (low, high) = (low.constant()?, high.constant()?);
                    (low <= high).then(|| (result, uniform(low, high)))
                }
                _ => None,
            }
        };
        self.calls.iter().filter_map(value).collect()
    }

    /// Returns whether a call of `complete()` returned true, which ends the search. The function `is_true` returns
    /// whether a literal is true.
    pub fn completes(&self, is_true: impl FnMut(&Operand) -> bool) -> bool {
        let complete = self.calls.iter().filter(|call| &*call.name == "fzn_on_restart_complete");
        complete.filter_map(|call| one(call.arguments.first()?)).any(is_true)
    }
}

fn one(argument: &Argument) -> Option<&Operand> {
    match argument {
        Argument::One(operand) => Some(operand),
        Argument::Array(_) => None,
    }
}

/// A sequence of conflict limits, one for each run of the search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RestartSequence {
    /// The runs have no limit.
    None,
    /// Each run has the same limit.
    Constant(u64),
    /// The limit of the n-th run is n times the given number.
    Linear(u64),
    /// The limit of the n-th run is `base^(n-1) * scale`.
    Geometric {
        /// The ratio of successive limits.
        base: f64,
        /// The limit of the first run.
        scale: u64,
    },
    /// The limits are the terms of the Luby sequence 1, 1, 2, 1, 1, 2, 4, 1, ... multiplied by the given number.
    ///
    /// Luby, Sinclair, Zuckerman: *Optimal Speedup of Las Vegas Algorithms*, Information Processing Letters 47, 1993.
    Luby(u64),
}

impl RestartSequence {
    /// Returns the sequence that a search annotation such as `restart_luby(100)` specifies, or `None` if there is no
    /// such annotation.
    #[must_use]
    pub fn annotated(annotations: &[Annotation]) -> Option<Self> {
        annotations.iter().find_map(|annotation| match annotation {
            Annotation::Name(name) if &**name == "restart_none" => Some(Self::None),
            Annotation::Array(inner) => Self::annotated(inner),
            Annotation::Call(name, arguments) => match (&**name, &arguments[..]) {
                ("restart_constant", [scale]) => Some(Self::Constant(whole(scale)?)),
                ("restart_linear", [scale]) => Some(Self::Linear(whole(scale)?)),
                ("restart_luby", [scale]) => Some(Self::Luby(whole(scale)?)),
                ("restart_geometric", [base, scale]) => {
                    let base = match base {
                        Annotation::Float(text) => text.parse().ok()?,
                        base => whole(base)? as f64,
                    };
                    Some(Self::Geometric { base, scale: whole(scale)? })
                }
                (_, arguments) => Self::annotated(arguments),
            },
            _ => None,
        })
    }

    /// Returns the conflict limit of a run; runs are counted from 1. A limit is at least 1.
    #[must_use]
    pub fn limit(self, run: u64) -> Option<u64> {
        let limit = match self {
            Self::None => return None,
            Self::Constant(scale) => scale,
            Self::Linear(scale) => scale.saturating_mul(run),
            // The conversion from a floating-point number saturates.
            Self::Geometric { base, scale } => {
                (base.powf(run.saturating_sub(1) as f64) * scale as f64) as u64
            }
            Self::Luby(scale) => scale.saturating_mul(luby(run.max(1))),
        };
        Some(limit.max(1))
    }
}

/// Returns the element at the given position, counted from 1, in the sequence of Luby, Sinclair and Zuckerman.
fn luby(mut number: u64) -> u64 {
    loop {
        // At each position of the form 2^k - 1, a block of the sequence ends with the value 2^(k - 1).
        let bits = u64::BITS - number.leading_zeros();
        if number.count_ones() == bits {
            return 1 << (bits - 1);
        }
        number -= (1 << (bits - 1)) - 1;
    }
}

/// Returns the number in an annotation, if it is not negative.
fn whole(annotation: &Annotation) -> Option<u64> {
    match annotation {
        Annotation::Operand(Operand::Int(value)) => u64::try_from(*value).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    fn limits(sequence: RestartSequence, runs: u64) -> Vec<u64> {
        (1..=runs).filter_map(|run| sequence.limit(run)).collect()
    }

    #[test]
    fn sequences_have_the_documented_limits() {
        assert_eq!(limits(RestartSequence::Constant(7), 3), [7, 7, 7]);
        assert_eq!(limits(RestartSequence::Linear(7), 3), [7, 14, 21]);
        assert_eq!(limits(RestartSequence::Geometric { base: 1.5, scale: 100 }, 4), [100, 150, 225, 337]);
        assert_eq!(
            limits(RestartSequence::Luby(10), 15),
            [10, 10, 20, 10, 10, 20, 40, 10, 10, 20, 10, 10, 20, 40, 80]
        );
        assert_eq!(RestartSequence::None.limit(1), None);
    }

    #[test]
    fn extreme_limits_saturate() {
        assert_eq!(RestartSequence::Constant(0).limit(1), Some(1));
        assert_eq!(RestartSequence::Linear(u64::MAX).limit(u64::MAX), Some(u64::MAX));
        assert_eq!(RestartSequence::Geometric { base: 2.0, scale: 1 }.limit(u64::MAX), Some(u64::MAX));
        assert_eq!(RestartSequence::Geometric { base: f64::NAN, scale: 1 }.limit(2), Some(1));
        assert_eq!(RestartSequence::Luby(u64::MAX).limit(u64::MAX), Some(u64::MAX));
    }

    #[test]
    fn calls_and_annotations_are_read_from_an_instance() {
        let instance = text::read(
            "var 1..5: s;\nvar 0..9: x;\nvar 0..9: y;\nvar 0..9: z;\nvar bool: c;\nvar 3..4: r;\n\
             constraint fzn_on_restart_status(s);\nconstraint fzn_on_restart_last_val_int(x,y);\n\
             constraint fzn_on_restart_sol_int(x,z);\nconstraint fzn_on_restart_complete(c);\n\
             constraint fzn_on_restart_uniform_int(3,4,r);\n\
             solve :: seq_search([restart_geometric(1.5,20)]) satisfy;\n",
        )
        .unwrap();
        assert_eq!(
            RestartSequence::annotated(&instance.search),
            Some(RestartSequence::Geometric { base: 1.5, scale: 20 })
        );
        let restarts = Restarts::of(&instance).unwrap();
        assert!(restarts.is_random());
        let state = RestartState { status: SearchStatus::Start, last: &[None; 6], solution: None };
        let [s, _, y, z, c, r] = [0, 1, 2, 3, 4, 5].map(|index| Operand::Var(VarId(index)));
        assert_eq!(restarts.values(&state, |low, _| low), [(&s, 1), (&r, 3)]);
        let last = [None, Some(5), None, None, None, None];
        let state = RestartState {
            status: SearchStatus::Satisfiable,
            last: &last,
            solution: Some(&[1, 6, 2, 3, 0, 4]),
        };
        assert_eq!(restarts.values(&state, |_, high| high), [(&s, 4), (&y, 5), (&z, 6), (&r, 4)]);
        assert!(restarts.completes(|operand| *operand == c) && !restarts.completes(|operand| *operand == r));
    }
}
