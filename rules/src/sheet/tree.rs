//! Rule sheets with resolved names and checked sorts.

use super::sort::Sort;
use super::syntax::{Operator, Quantifier, Span};
use super::value::Value;

/// An expression whose names are resolved.
#[derive(Debug, Clone)]
pub(super) struct Node {
    /// What the expression is.
    pub kind: NodeKind,
    /// The sort of its values.
    pub sort: Sort,
    /// True if the value depends on the board only.
    pub is_static: bool,
    /// Where the expression stands in the sheet.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Debug, Clone)]
pub(super) enum NodeKind {
    /// A value.
    Constant(Value),
    /// The value of a binder or a parameter, by its number in the rule or the definition.
    Local(usize),
    /// A row of [`BUILTINS`](super::BUILTINS).
    Builtin(usize, Vec<Node>),
    /// The places with data, the areas, or the number: what the name of data stands for without an argument.
    Data(usize),
    /// The data of a place.
    Lookup(usize, Box<Node>),
    /// The variable of a place.
    Var(usize, Box<Node>),
    /// An instance of a definition.
    Let(usize, Vec<Node>),
    /// A set of the listed values.
    Set(Vec<Node>),
    /// An operator.
    Operator(Operator, Vec<Node>),
    /// A quantifier.
    Quantifier(Quantifier, Vec<NodePart>),
}

/// Binders with a body.
#[derive(Debug, Clone)]
pub(super) struct NodePart {
    /// The binders, each with its set and the conditions that can be decided once it has a value.
    pub binders: Vec<Binder>,
    /// The body.
    pub body: Node,
}

/// A binder. Its value is the local variable that follows those of the enclosing binders.
#[derive(Debug, Clone)]
pub(super) struct Binder {
    /// The set.
    pub set: Node,
    /// The conditions.
    pub conditions: Vec<Node>,
}

/// An instance of a definition, for arguments of certain sorts.
#[derive(Debug, Clone)]
pub(super) struct Definition {
    /// What the definition stands for.
    pub body: Node,
    /// True if the value depends on the board only, and looking it up is faster than computing it again.
    pub is_kept: bool,
}

impl Definition {
    /// Creates a definition with some number of parameters. `others` are the definitions that it can use.
    pub(super) fn new(body: Node, parameters: usize, others: &[Self]) -> Self {
        // A table by a single place is as fast as any expression; other arguments are hashed.
        let is_slow = |kind: &NodeKind| match kind {
            NodeKind::Quantifier(..) => true,
            NodeKind::Let(index, arguments) => arguments.len() > 1 && others[*index].is_kept,
            _ => false,
        };
        let is_kept = body.is_static && (parameters == 1 || body.contains(&is_slow));
        Self { body, is_kept }
    }
}

impl Node {
    /// Returns the highest number of a local variable in the expression, plus one.
    pub(super) fn locals(&self) -> usize {
        let most = |nodes: &[Self]| nodes.iter().map(Self::locals).max().unwrap_or(0);
        match &self.kind {
            NodeKind::Constant(_) | NodeKind::Data(_) => 0,
            NodeKind::Local(slot) => slot + 1,
            NodeKind::Builtin(_, nodes)
            | NodeKind::Let(_, nodes)
            | NodeKind::Set(nodes)
            | NodeKind::Operator(_, nodes) => most(nodes),
            NodeKind::Lookup(_, node) | NodeKind::Var(_, node) => node.locals(),
            NodeKind::Quantifier(_, parts) => parts.iter().map(NodePart::locals).max().unwrap_or(0),
        }
    }
}

impl Node {
    /// Returns whether the expression contains one of the wanted kind. Definitions are not followed.
    pub(super) fn contains(&self, wanted: &dyn Fn(&NodeKind) -> bool) -> bool {
        let any = |nodes: &[Self]| nodes.iter().any(|node| node.contains(wanted));
        wanted(&self.kind)
            || match &self.kind {
                NodeKind::Constant(_) | NodeKind::Data(_) | NodeKind::Local(_) => false,
                NodeKind::Builtin(_, nodes)
                | NodeKind::Let(_, nodes)
                | NodeKind::Set(nodes)
                | NodeKind::Operator(_, nodes) => any(nodes),
                NodeKind::Lookup(_, node) | NodeKind::Var(_, node) => node.contains(wanted),
                NodeKind::Quantifier(_, parts) => parts.iter().any(|part| part.contains(wanted)),
            }
    }
}

impl NodePart {
    /// Returns whether a part contains an expression of the wanted kind.
    pub(super) fn contains(&self, wanted: &dyn Fn(&NodeKind) -> bool) -> bool {
        let in_binder =
            |binder: &Binder| binder.conditions.iter().chain([&binder.set]).any(|node| node.contains(wanted));
        self.binders.iter().any(in_binder) || self.body.contains(wanted)
    }

    fn locals(&self) -> usize {
        let of_binder = |binder: &Binder| {
            binder.conditions.iter().chain([&binder.set]).map(Node::locals).max().unwrap_or(0)
        };
        self.binders.iter().map(of_binder).chain([self.body.locals()]).max().unwrap_or(0)
    }
}
