//! Expressions: operators, constants and variables.

use std::sync::Arc;

use gordian_encodings::{Domain, Value};

use crate::instance::VarId;

/// An expression over integers. A Boolean expression has the value 0 or 1.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expr {
    /// A constant.
    Int(Value),
    /// A variable.
    Var(VarId),
    /// A set of constants: an interval `2..5`, or `set(1,4,6)`.
    Set(Arc<Domain>),
    /// An operator with its operands.
    Apply(Op, Vec<Expr>),
}

/// An operator of `intension`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    Neg,
    Abs,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Sqr,
    Pow,
    Min,
    Max,
    Dist,
    Lt,
    Le,
    Ge,
    Gt,
    Ne,
    Eq,
    Set,
    In,
    NotIn,
    Not,
    And,
    Or,
    Xor,
    Iff,
    Imp,
    If,
}

/// Each operator with its name, and its minimum and maximum number of operands.
const OPS: &[(Op, &str, usize, usize)] = &[
    (Op::Neg, "neg", 1, 1),
    (Op::Abs, "abs", 1, 1),
    (Op::Add, "add", 1, usize::MAX),
    (Op::Sub, "sub", 2, 2),
    (Op::Mul, "mul", 1, usize::MAX),
    (Op::Div, "div", 2, 2),
    (Op::Mod, "mod", 2, 2),
    (Op::Sqr, "sqr", 1, 1),
    (Op::Pow, "pow", 2, 2),
    (Op::Min, "min", 1, usize::MAX),
    (Op::Max, "max", 1, usize::MAX),
    (Op::Dist, "dist", 2, 2),
    (Op::Lt, "lt", 2, 2),
    (Op::Le, "le", 2, 2),
    (Op::Ge, "ge", 2, 2),
    (Op::Gt, "gt", 2, 2),
    (Op::Ne, "ne", 2, 2),
    (Op::Eq, "eq", 2, usize::MAX),
    (Op::Set, "set", 0, usize::MAX),
    (Op::In, "in", 2, 2),
    (Op::NotIn, "notin", 2, 2),
    (Op::Not, "not", 1, 1),
    (Op::And, "and", 1, usize::MAX),
    (Op::Or, "or", 1, usize::MAX),
    (Op::Xor, "xor", 1, usize::MAX),
    (Op::Iff, "iff", 2, usize::MAX),
    (Op::Imp, "imp", 2, 2),
    (Op::If, "if", 3, 3),
];

impl Op {
    /// Returns the operator with the given name, and its minimum and maximum number of operands.
    pub(super) fn find(name: &str) -> Option<(Self, usize, usize)> {
        OPS.iter().find(|row| row.1 == name).map(|&(op, _, least, most)| (op, least, most))
    }

    /// Returns whether the operator compares two integers.
    pub(super) fn is_comparison(self) -> bool {
        matches!(self, Self::Lt | Self::Le | Self::Ge | Self::Gt | Self::Ne | Self::Eq)
    }

    /// Returns whether the operator has a Boolean result. The operator `if` is treated as an integer operator.
    pub(super) fn is_boolean(self) -> bool {
        self.is_comparison()
            || matches!(
                self,
                Self::In | Self::NotIn | Self::Not | Self::And | Self::Or | Self::Xor | Self::Iff | Self::Imp
            )
    }
}

impl Expr {
    pub(super) fn unary(op: Op, of: Self) -> Self {
        Self::Apply(op, vec![of])
    }

    pub(super) fn binary(op: Op, left: Self, right: Self) -> Self {
        Self::Apply(op, vec![left, right])
    }

    pub(super) fn eq(left: Self, right: Self) -> Self {
        Self::binary(Op::Eq, left, right)
    }

    pub(super) fn add(left: Self, right: Self) -> Self {
        Self::binary(Op::Add, left, right)
    }

    /// Returns a Boolean expression that is true if and only if a value is a member of a set.
    pub(super) fn member(of: Self, set: Domain) -> Self {
        Self::binary(Op::In, of, Self::Set(Arc::new(set)))
    }

    pub(super) fn any(of: Vec<Self>) -> Self {
        Self::Apply(Op::Or, of)
    }

    pub(super) fn all(of: Vec<Self>) -> Self {
        Self::Apply(Op::And, of)
    }

    /// Returns the sum of expressions.
    pub(super) fn sum(of: Vec<Self>) -> Self {
        Self::Apply(Op::Add, of)
    }

    /// Returns the sum of expressions with coefficients.
    pub(super) fn weighted(coefficients: Vec<Self>, of: Vec<Self>) -> Self {
        Self::sum(coefficients.into_iter().zip(of).map(|(a, x)| Self::binary(Op::Mul, a, x)).collect())
    }
}
