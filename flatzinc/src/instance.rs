//! The data of an instance: variables, constraints by name, the goal, and the output.
//!
//! A reader produces an [`Instance`] with all references resolved: names of parameters are replaced by their values,
//! names of arrays by their elements, and names of variables by a [`VarId`].

use std::sync::Arc;

use gordian_encodings::{Domain, Value};

/// An instance of a constraint satisfaction or optimisation problem.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    /// The variables, in the order of their declarations. A [`VarId`] is an index into this list.
    pub variables: Vec<Variable>,
    /// The constraints, in the order of the file.
    pub constraints: Vec<Call>,
    /// The goal: satisfy, minimise or maximise.
    pub goal: Goal,
    /// The annotations of the goal, such as `int_search`.
    pub search: Vec<Annotation>,
    /// The variables and arrays to print, in the order of their declarations.
    pub output: Vec<Output>,
}

impl Instance {
    /// Returns the literals of the calls of `fzn_assume`. These are assumptions instead of constraints: if there is
    /// no solution under all of them, there may be one under some of them.
    pub fn assumptions(&self) -> impl Iterator<Item = &Operand> {
        let assume = self.constraints.iter().filter(|call| &*call.name == "fzn_assume");
        assume.flat_map(|call| &call.arguments).flat_map(|argument| match argument {
            Argument::One(operand) => std::slice::from_ref(operand),
            Argument::Array(operands) => operands,
        })
    }
}

/// The index of a variable in [`Instance::variables`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);

/// A location in the input: a byte offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place(pub usize);

/// A variable.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// The name in the input.
    pub name: Arc<str>,
    /// The type, with the declared domain.
    pub domain: VarDomain,
    /// The right-hand side of the declaration, which the variable equals: a constant, or a variable with a smaller
    /// [`VarId`].
    pub value: Option<Operand>,
    /// The annotations of the declaration, without `output_var` and `output_array`.
    pub annotations: Vec<Annotation>,
    /// The location of the declaration.
    pub place: Place,
}

/// The type of a variable and its declared domain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VarDomain {
    /// `var bool`.
    Bool,
    /// `var int` without a domain: every integer.
    Unbounded,
    /// `var 1..9` or `var {1, 3, 5}`. An empty domain makes the instance unsatisfiable.
    Int(Domain),
}

/// A constraint: a name with arguments.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The name, such as `int_lin_le`.
    pub name: Arc<str>,
    /// The arguments.
    pub arguments: Vec<Argument>,
    /// The annotations.
    pub annotations: Vec<Annotation>,
    /// The location of the constraint.
    pub place: Place,
}

/// An argument of a constraint.
#[derive(Debug, Clone, PartialEq)]
pub enum Argument {
    /// A single operand.
    One(Operand),
    /// An array. All arguments that name the same array share one copy.
    Array(Arc<[Operand]>),
}

/// An operand: a constant or a variable.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// A Boolean constant.
    Bool(bool),
    /// An integer constant.
    Int(Value),
    /// A set of integers, possibly empty. All operands that name the same parameter share one copy.
    Set(Arc<Domain>),
    /// A variable.
    Var(VarId),
}

/// The goal of an instance.
#[derive(Debug, Clone, PartialEq)]
pub enum Goal {
    /// Find a solution.
    Satisfy,
    /// Minimise the operand.
    Minimise(Operand),
    /// Maximise the operand.
    Maximise(Operand),
}

/// An annotation. Consumers ignore annotations that they do not know.
#[derive(Debug, Clone, PartialEq)]
pub enum Annotation {
    /// A name without arguments.
    Name(Arc<str>),
    /// A name with arguments, such as `int_search(xs, first_fail, indomain_min)`.
    Call(Arc<str>, Vec<Annotation>),
    /// A constant or a variable.
    Operand(Operand),
    /// A floating-point number, as in the input.
    Float(Arc<str>),
    /// A string, without quotes and escapes.
    Text(Arc<str>),
    /// An array of constants and variables, possibly empty. All annotations that name the same array share one copy.
    Operands(Arc<[Operand]>),
    /// An array with other elements.
    Array(Vec<Annotation>),
}

/// A variable or an array of variables to print.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// The name.
    pub name: Arc<str>,
    /// The type of the elements, which decides how values are printed.
    pub is_bool: bool,
    /// For an array, the first and last index of each dimension; `None` for a single variable.
    pub dimensions: Option<Vec<(Value, Value)>>,
    /// The elements, in row-major order. A single variable has one element. Constraints that name the array share
    /// this copy.
    pub elements: Arc<[Operand]>,
}
