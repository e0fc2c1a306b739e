//! Truth values in formulas, and rows about them.

use std::ops::Not;

use super::{Integer, Literal, Opb, OpbRow, Sum, Vertex};

/// A truth value: a constant, or that of a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truth {
    /// A constant.
    Constant(bool),
    /// The value of a literal.
    Same(Literal),
}

impl Not for Truth {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Constant(holds) => Self::Constant(!holds),
            Self::Same(literal) => Self::Same(!literal),
        }
    }
}

impl Opb {
    /// Returns a new variable with a name of its own.
    pub(crate) fn auxiliary(&mut self) -> Literal {
        self.variable(format_args!("aux{}", self.names.len() + 1))
    }

    /// Returns a new integer with the given values.
    pub(crate) fn auxiliary_integer(&mut self, values: impl IntoIterator<Item = i128>) -> Integer {
        let name = format!("aux{}", self.names.len() + 1);
        Integer::new(self, name, values)
    }

    /// Adds a clause of truth values.
    pub(crate) fn clause_of(&mut self, truths: impl IntoIterator<Item = Truth>) {
        let sum = Sum::of_truths(&truths.into_iter().collect::<Vec<_>>());
        sum.at_least(self, 1);
    }

    /// Adds a row which states that at most `most` truth values are true.
    pub(crate) fn at_most_of(&mut self, truths: &[Truth], most: i128) {
        let Sum { terms, constant } = Sum::of_truths(truths);
        self.at_most(terms, most - constant);
    }

    /// Adds rows which state that none or two of the truth values are true.
    pub(crate) fn none_or_two(&mut self, truths: &[Truth]) {
        self.at_most_of(truths, 2);
        for (number, &truth) in truths.iter().enumerate() {
            let others = truths.iter().enumerate().filter(|&(other, _)| other != number);
            self.clause_of(others.map(|(_, &other)| other).chain([!truth]));
        }
    }

    /// Returns a truth value that is true if and only if all given ones are.
    pub(crate) fn all_of(&mut self, truths: &[Truth]) -> Truth {
        if truths.contains(&Truth::Constant(false)) {
            return Truth::Constant(false);
        }
        let open = truths.iter().copied().filter(|&truth| truth != Truth::Constant(true));
        let open: Vec<Truth> = open.collect();
        match open[..] {
            [] => Truth::Constant(true),
            [only] => only,
            _ => {
                let all = Truth::Same(self.auxiliary());
                for &truth in &open {
                    self.clause_of([!all, truth]);
                }
                self.clause_of(open.into_iter().map(|truth| !truth).chain([all]));
                all
            }
        }
    }

    /// Adds a row which states that a sum is at most 0 unless one of the literals is true.
    pub(crate) fn at_most_zero(&mut self, sum: &Sum, unless: impl IntoIterator<Item = Literal>) {
        let (_, most) = sum.range();
        let unless = unless.into_iter().map(|literal| (-most.max(0), literal));
        self.at_most(sum.terms.iter().copied().chain(unless), -sum.constant);
    }

    /// Adds rows which state that a sum is not 0 unless one of the literals is true.
    pub(crate) fn not_zero(&mut self, sum: &Sum, unless: impl IntoIterator<Item = Literal>) {
        let below = self.auxiliary();
        let mut at_most_minus_one = sum.clone();
        at_most_minus_one.constant += 1;
        self.at_most_zero(&at_most_minus_one, [!below]);
        self.at_most_zero(&sum.complement(), unless.into_iter().chain([below]));
    }

    /// Weakens the rows from position `first` on, so that they hold if the condition, if any, is false.
    pub(crate) fn only_if(&mut self, first: usize, condition: Option<Literal>) {
        let Some(condition) = condition else { return };
        for row in &mut self.rows[first..] {
            let terms = row.terms.iter().copied().chain([(row.bound, !condition)]);
            *row = OpbRow::at_least(terms, row.bound).expect("the numbers of a board are small");
        }
    }

    /// Adds the rows of [`Opb::connected`] for the vertices of a graph. Vertices whose truth value is false are left out.
    /// The first vertex that is always a member is the root.
    pub(crate) fn connected_set(
        &mut self,
        members: &[Truth],
        edges: impl IntoIterator<Item = (usize, usize)>,
    ) {
        let mut at = vec![None; members.len()];
        let mut vertices = Vec::new();
        for (index, &member) in
            members.iter().enumerate().filter(|(_, member)| **member != Truth::Constant(false))
        {
            at[index] = Some(vertices.len());
            let member = if let Truth::Same(literal) = member { Some(literal) } else { None };
            vertices.push(Vertex { name: (index + 1).to_string(), member });
        }
        let root = vertices.iter().position(|vertex| vertex.member.is_none());
        let edges = edges.into_iter().filter_map(|(a, b)| at[a].zip(at[b]));
        let size = (0, vertices.len());
        self.connected(self.graphs.len() + 1, &vertices, edges, root, size);
    }
}
