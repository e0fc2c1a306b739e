//! The builder of instances, which adds constraints and auxiliary variables.
//!
//! In FlatZinc, the types Boolean and integer are different. Gordian's translation accepts integer variables with the
//! domain 0..1 as Booleans, and Booleans as integers, so the builder does not convert them.

use std::collections::HashMap;
use std::ops::{Not, Range};
use std::sync::Arc;

use gordian_encodings::{Domain, Value, tick};

use super::error::{ReadError, error};
use crate::instance::{Annotation, Argument, Call, DEFINED, Operand, Place, VarDomain, VarId, Variable};

/// A Boolean variable or its negation, or a Boolean constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lit {
    Const(bool),
    /// A literal of the variable: positive if the flag is true, and negative otherwise.
    Var(VarId, bool),
}

impl Not for Lit {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Const(value) => Self::Const(!value),
            Self::Var(x, positive) => Self::Var(x, !positive),
        }
    }
}

/// The minimum and maximum of an expression; `None` if the bounds are unknown or exceed 128 bits.
pub(super) type Bounds = Option<(Value, Value)>;

/// The variables and constraints of the instance that is being read.
#[derive(Debug, Default)]
pub(super) struct Builder {
    pub(super) variables: Vec<Variable>,
    pub(super) constraints: Vec<Call>,
    /// The location of the constraint that is being read.
    pub(super) span: Range<usize>,
    /// The existing literals of the form `x = k`. The map `at_most` contains the literals of the form `x <= k`.
    equal: HashMap<(VarId, Value), VarId>,
    at_most: HashMap<(VarId, Value), VarId>,
    names: HashMap<&'static str, Arc<str>>,
    /// The literals that must be true for the operands of a Boolean expression to be defined. The stack has one entry
    /// for each nested Boolean expression that is being translated.
    pub(super) defined: Vec<Vec<Lit>>,
    auxiliary: usize,
}

pub(super) fn one(operand: Operand) -> Argument {
    Argument::One(operand)
}

pub(super) fn int(value: Value) -> Argument {
    Argument::One(Operand::Int(value))
}

pub(super) fn array(operands: impl IntoIterator<Item = Operand>) -> Argument {
    Argument::Array(operands.into_iter().collect())
}

impl Builder {
    /// Returns an error about the constraint that is being read.
    pub(super) fn refuse(&self, found: impl Into<String>, expected: impl Into<String>) -> ReadError {
        error(self.span.clone(), found, expected)
    }

    pub(super) fn overflow(&self) -> ReadError {
        self.refuse("a constant that exceeds 128 bits", "smaller numbers")
    }

    /// Adds a constraint.
    pub(super) fn call(&mut self, name: &'static str, arguments: Vec<Argument>) {
        let operands = |argument: &Argument| match argument {
            Argument::One(_) => 1,
            Argument::Array(operands) => operands.len(),
        };
        tick(8 + arguments.iter().map(operands).sum::<usize>() as u64);
        let name = self.shared(name);
        let place = Place(self.span.start);
        self.constraints.push(Call { name, arguments, annotations: Vec::new(), place });
    }

    /// Returns a shared copy of a name. Equal names share one copy.
    fn shared(&mut self, name: &'static str) -> Arc<str> {
        Arc::clone(self.names.entry(name).or_insert_with(|| Arc::from(name)))
    }

    fn auxiliary(&mut self, domain: VarDomain) -> VarId {
        let x = VarId(self.variables.len() as u32);
        // Identifiers of XCSP3 start with a letter, so a name that starts with `_` does not clash with any of them.
        let name = format!("_{}", self.auxiliary).into();
        self.auxiliary += 1;
        let place = Place(self.span.start);
        tick(8);
        let annotations = vec![Annotation::Name(self.shared(DEFINED))];
        self.variables.push(Variable { name, domain, value: None, annotations, place });
        x
    }

    /// Creates a Boolean variable.
    pub(super) fn boolean(&mut self) -> VarId {
        self.auxiliary(VarDomain::Bool)
    }

    /// Creates an integer variable with a domain.
    pub(super) fn integer(&mut self, domain: Domain) -> VarId {
        self.auxiliary(VarDomain::Int(domain))
    }

    /// Creates an integer variable with the given bounds, or returns a constant if the bounds are equal.
    pub(super) fn within(&mut self, bounds: Bounds) -> Operand {
        match bounds {
            Some((first, last)) if first == last => Operand::Int(first),
            Some((first, last)) => Operand::Var(self.integer(Domain::interval(first, last))),
            None => Operand::Var(self.auxiliary(VarDomain::Unbounded)),
        }
    }

    pub(super) fn domain(&self, x: VarId) -> &VarDomain {
        &self.variables[x.0 as usize].domain
    }

    pub(super) fn bounds(&self, operand: &Operand) -> Bounds {
        match operand {
            Operand::Bool(value) => Some((Value::from(*value), Value::from(*value))),
            Operand::Int(value) => Some((*value, *value)),
            Operand::Set(set) => Some(hull(set)),
            Operand::Var(x) => match self.domain(*x) {
                VarDomain::Bool => Some((0, 1)),
                VarDomain::Unbounded => None,
                VarDomain::Int(domain) => Some(hull(domain)),
            },
        }
    }

    /// Returns the possible values of an operand, or `None` if its domain is infinite.
    pub(super) fn values(&self, operand: &Operand) -> Option<Domain> {
        match operand {
            Operand::Var(x) => match self.domain(*x) {
                VarDomain::Int(domain) => Some(domain.clone()),
                VarDomain::Bool => Some(Domain::interval(0, 1)),
                VarDomain::Unbounded => None,
            },
            constant => self.bounds(constant).map(|(first, last)| Domain::interval(first, last)),
        }
    }

    /// Returns whether the variable has the values 0 and 1.
    pub(super) fn is_binary(&self, x: VarId) -> bool {
        self.bounds(&Operand::Var(x)) == Some((0, 1))
    }

    /// Returns the literal `x = value`.
    pub(super) fn equals(&mut self, x: &Operand, value: Value) -> Lit {
        let &Operand::Var(x) = x else { return Lit::Const(self.bounds(x) == Some((value, value))) };
        if self.is_binary(x) {
            return if (0..=1).contains(&value) { Lit::Var(x, value == 1) } else { Lit::Const(false) };
        }
        if let VarDomain::Int(domain) = self.domain(x) {
            if !domain.contains(value) {
                return Lit::Const(false);
            }
            if domain.size() == 1 {
                return Lit::Const(true);
            }
        }
        if let Some(&known) = self.equal.get(&(x, value)) {
            return Lit::Var(known, true);
        }
        let literal = self.boolean();
        self.call("int_eq_reif", vec![one(Operand::Var(x)), int(value), one(Operand::Var(literal))]);
        self.equal.insert((x, value), literal);
        Lit::Var(literal, true)
    }

    /// Returns the literal `x <= value`.
    pub(super) fn at_most(&mut self, x: VarId, value: Value) -> Lit {
        if let Some((first, last)) = self.bounds(&Operand::Var(x)) {
            if last <= value || value < first {
                return Lit::Const(last <= value);
            }
            if (first, last) == (0, 1) {
                return Lit::Var(x, false);
            }
        }
        if let Some(&known) = self.at_most.get(&(x, value)) {
            return Lit::Var(known, true);
        }
        let literal = self.boolean();
        self.call("int_le_reif", vec![one(Operand::Var(x)), int(value), one(Operand::Var(literal))]);
        self.at_most.insert((x, value), literal);
        Lit::Var(literal, true)
    }

    /// Removes constants from a disjunction. Returns the positive variables and the negated variables, or `None` if
    /// the disjunction contains a true constant.
    fn split(literals: &[Lit]) -> Option<(Vec<Operand>, Vec<Operand>)> {
        let (mut positive, mut negated) = (Vec::new(), Vec::new());
        for &literal in literals {
            match literal {
                Lit::Const(true) => return None,
                Lit::Const(false) => {}
                Lit::Var(x, true) => positive.push(Operand::Var(x)),
                Lit::Var(x, false) => negated.push(Operand::Var(x)),
            }
        }
        Some((positive, negated))
    }

    /// Adds a clause: at least one of the literals must hold.
    pub(super) fn clause(&mut self, literals: &[Lit]) {
        let Some((positive, negated)) = Self::split(literals) else { return };
        match (&positive[..], &negated[..]) {
            ([], []) => self.call("bool_eq", vec![one(Operand::Bool(false)), one(Operand::Bool(true))]),
            ([x], []) => self.call("bool_eq", vec![one(x.clone()), one(Operand::Bool(true))]),
            ([], [x]) => self.call("bool_eq", vec![one(x.clone()), one(Operand::Bool(false))]),
            _ => self.call("bool_clause", vec![array(positive), array(negated)]),
        }
    }

    /// Returns a literal that is equivalent to the disjunction of the literals.
    pub(super) fn any(&mut self, literals: &[Lit]) -> Lit {
        let Some((positive, negated)) = Self::split(literals) else { return Lit::Const(true) };
        match (&positive[..], &negated[..]) {
            ([], []) => Lit::Const(false),
            ([Operand::Var(x)], []) => Lit::Var(*x, true),
            ([], [Operand::Var(x)]) => Lit::Var(*x, false),
            _ => {
                let result = self.boolean();
                let arguments = vec![array(positive), array(negated), one(Operand::Var(result))];
                self.call("bool_clause_reif", arguments);
                Lit::Var(result, true)
            }
        }
    }

    /// Returns a literal that is equivalent to the conjunction of the literals.
    pub(super) fn all(&mut self, literals: &[Lit]) -> Lit {
        let negated: Vec<Lit> = literals.iter().map(|&literal| !literal).collect();
        !self.any(&negated)
    }

    /// Returns a literal that is true if and only if two literals are equal.
    pub(super) fn same(&mut self, left: Lit, right: Lit) -> Lit {
        match (left, right) {
            (Lit::Const(value), other) | (other, Lit::Const(value)) => {
                if value {
                    other
                } else {
                    !other
                }
            }
            (Lit::Var(x, p), Lit::Var(y, q)) if x == y => Lit::Const(p == q),
            (Lit::Var(x, p), Lit::Var(y, q)) => {
                let result = self.boolean();
                let arguments = [x, y, result].map(|x| one(Operand::Var(x)));
                self.call("bool_eq_reif", arguments.to_vec());
                Lit::Var(result, p == q)
            }
        }
    }

    /// Adds the constraint that two literals are equal.
    pub(super) fn equate(&mut self, left: Lit, right: Lit) {
        match (left, right) {
            (Lit::Var(x, p), Lit::Var(y, q)) if x != y => {
                let name = if p == q { "bool_eq" } else { "bool_not" };
                self.call(name, vec![one(Operand::Var(x)), one(Operand::Var(y))]);
            }
            _ => {
                let same = self.same(left, right);
                self.clause(&[same]);
            }
        }
    }
}

fn hull(domain: &Domain) -> (Value, Value) {
    // A variable with an empty domain makes the instance unsatisfiable, so any bounds are correct.
    if domain.is_empty() { (0, 0) } else { (domain.min(), domain.max()) }
}
