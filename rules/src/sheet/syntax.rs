//! The syntax tree of rule sheets.

use std::ops::Range;

/// A part of the sheet's text, as byte offsets.
pub type Span = Range<usize>;

/// A name with its place in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    /// The name.
    pub text: String,
    /// Where the name stands.
    pub span: Span,
}

/// A rule sheet as written: names are not resolved, and sorts are not checked.
#[derive(Debug, Clone, Default)]
pub(super) struct Syntax {
    /// The name of the puzzle type, followed by its other names.
    pub names: Vec<Name>,
    /// The description for people.
    pub about: String,
    /// The data of a board.
    pub data: Vec<Block>,
    /// The puzz.link addresses.
    pub addresses: Vec<AddressSyntax>,
    /// The variables.
    pub vars: Vec<VarSyntax>,
    /// The definitions.
    pub lets: Vec<LetSyntax>,
    /// The rules, and the implied rules.
    pub rules: Vec<RuleSyntax>,
    /// The numbers of rows and columns of boards that are made.
    pub made: Option<(u16, u16)>,
    /// The variables that form a solution, each with the way in which it is drawn.
    pub solution: Vec<ShownSyntax>,
    /// The names of the program's extensions.
    pub extensions: Vec<Name>,
}

/// A block of a board's data: a scheme, and the names of the values that it contains.
#[derive(Debug, Clone)]
pub(super) struct Block {
    /// The word `optional`, if a board can lack the block.
    pub optional: Option<Span>,
    /// How the block is written, such as `grid` or `areas`.
    pub scheme: Name,
    /// The data in the block, each with its values if the sheet lists them.
    pub fields: Vec<(Name, Option<Expr>)>,
    /// What an option means.
    pub meaning: Option<Name>,
}

/// The addresses of a puzzle type: the names in the address, and the parts of its body.
#[derive(Debug, Clone)]
pub(super) struct AddressSyntax {
    /// The names of the puzzle type in addresses; the first one is written.
    pub names: Vec<Name>,
    /// The letters between the name and the size, which select a variant.
    pub letters: String,
    /// The options that letters before the size stand for, each with its letter.
    pub options: Vec<(Name, Name)>,
    /// The parts of the body: each a scheme and the data that it contains.
    pub parts: Vec<(Name, Vec<Name>)>,
}

/// A family of variables, one for each place of a set.
#[derive(Debug, Clone)]
pub(super) struct VarSyntax {
    /// The name of the family.
    pub name: Name,
    /// The set of a variable's values, which may refer to its place as `it`; `None` for Boolean variables.
    pub domain: Option<Expr>,
    /// The set of places.
    pub on: Expr,
}

/// A definition.
#[derive(Debug, Clone)]
pub(super) struct LetSyntax {
    /// The name.
    pub name: Name,
    /// The parameters.
    pub parameters: Vec<Name>,
    /// What the name stands for.
    pub body: Expr,
}

/// A rule: a formula that holds for each choice of the binders.
#[derive(Debug, Clone)]
pub(super) struct RuleSyntax {
    /// The name of the rule in explanations.
    pub name: Name,
    /// The formula, with its binders.
    pub part: Part,
    /// True if the rule follows from the others and only speeds up the search.
    pub implied: bool,
}

/// A variable that belongs to a solution.
#[derive(Debug, Clone)]
pub(super) struct ShownSyntax {
    /// The variable.
    pub var: Name,
    /// How it is drawn, such as `shaded` or `path`.
    pub style: Name,
    /// The symbol of the style `mark`.
    pub symbol: Option<Name>,
}

/// An expression, with its place in the text.
#[derive(Debug, Clone)]
pub(super) struct Expr {
    /// What the expression is.
    pub kind: Kind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    /// A number.
    Number(i64),
    /// A symbol such as `'w'`.
    Symbol(String),
    /// A name without arguments.
    Name(String),
    /// A name with arguments.
    Call(Name, Vec<Expr>),
    /// A set `{a, b, ...}`.
    Set(Vec<Expr>),
    /// An operator.
    Operator(Operator, Vec<Expr>),
    /// A quantifier such as `all(c in cells: shaded(c))`. Some have several parts.
    Quantifier(Quantifier, Vec<Part>),
}

/// Binders with a condition and a body: `x in S, y in T where C: F`.
#[derive(Debug, Clone)]
pub(super) struct Part {
    /// The bound names, each with its set.
    pub binders: Vec<(Name, Expr)>,
    /// The condition, which depends on the board only.
    pub condition: Option<Expr>,
    /// The body, or `None` if the part stands for the value of its last binder.
    pub body: Option<Expr>,
}

/// The operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Operator {
    Or,
    And,
    Not,
    Implies,
    Iff,
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
    In,
    Add,
    Subtract,
    Multiply,
    Negate,
    Size,
    Range,
}

macro_rules! quantifiers {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal $parts:literal $relation:literal,)+) => {
        /// The quantifiers.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Quantifier {
            $($(#[doc = $doc])* $variant,)+
        }

        impl Quantifier {
            /// All quantifiers, in the order of the specification page.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Returns the keyword of the quantifier.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// Returns the number of parts, separated by commas, that the quantifier has.
            #[must_use]
            pub fn parts(self) -> usize {
                match self { $(Self::$variant => $parts,)+ }
            }

            /// Returns whether the quantifier is a relation, which can be required but neither negated nor counted.
            #[must_use]
            pub fn is_relation(self) -> bool {
                match self { $(Self::$variant => $relation,)+ }
            }

            /// Returns what the quantifier means, in one sentence or more.
            #[must_use]
            pub fn summary(self) -> &'static str {
                match self { $(Self::$variant => concat!($($doc),+).trim_ascii(),)+ }
            }
        }
    };
}

quantifiers! {
    /// The body holds for every choice.
    All "all" 1 false,
    /// The body holds for at least one choice.
    Any "any" 1 false,
    /// The number of choices for which the body holds.
    Count "count" 1 false,
    /// The sum of the body's values. Choices without a value are left out.
    Sum "sum" 1 false,
    /// The product of the body's values. Choices without a value are left out.
    Product "product" 1 false,
    /// The number of choices, in order, before the first one for which the body does not hold.
    Run "run" 1 false,
    /// The lengths of the maximal runs of choices for which the body holds, in order: a list to compare with `=`.
    Runs "runs" 1 false,
    /// The list of the body's values, in order and without repetition. Choices without a value are left out.
    Set "set" 1 false,
    /// The values of the last binder, in order, before the first one for which the body does not hold.
    Prefix "prefix" 1 false,
    /// The body's value for the first choice.
    First "first" 1 false,
    /// The list of the maximal lists of choices with the same value of the body.
    Classes "classes" 1 false,
    /// No two choices have the same value of the body. Choices without a value are left out.
    Different "different" 1 true,
    /// The places for which the body holds are connected: any two of them are joined by a chain of neighbours among
    /// them. No place, and one place, are connected.
    Connected "connected" 1 true,
    /// The places for which the first body holds are connected by the edges for which the second body holds.
    Linked "linked" 2 true,
    /// The edges for which the body holds form one closed loop: there is at least one, each of their ends has
    /// exactly two of them, and they are connected.
    Loop "loop" 1 true,
    /// The edges for which the body holds contain no closed loop.
    Acyclic "acyclic" 1 true,
    /// The places for which the first body holds form areas of neighbours. Each area contains exactly one root, a
    /// choice of the second part, and every root is in an area. If the second body is a number, the area of this root
    /// has as many places.
    Components "components" 2 true,
    /// Every maximal area of neighbours with equal values of the body has as many places as this value says.
    Sized "sized" 1 true,
    /// The edges for which the second body holds form disjoint paths. Each path joins two places of the first part
    /// with equal values; all places of the first part are ends of paths.
    Paths "paths" 2 true,
}
