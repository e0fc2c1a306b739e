//! Queries on puzzles, and the stages of a query.

use std::fmt;
use std::str::FromStr;

use super::{Formulation, ObjectiveRow, PuzzleType};
use crate::rules::Solution;

/// A query on a puzzle. `O` is the type of the objective: an [`ObjectiveRow`], or a name if the puzzle type is not
/// yet known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Query<O = &'static ObjectiveRow> {
    /// Find one solution.
    Satisfy,
    /// Find an optimal solution.
    Optimise(O),
    /// Find all solutions.
    Enumerate {
        /// The maximum number of solutions, or `None` for all solutions.
        limit: Option<usize>,
    },
    /// Count the solutions.
    Count,
    /// Count all solutions and, for each value of each part of the solution, the solutions with this value.
    CountValues,
    /// Decide whether there is exactly one solution. If there are several solutions, find two of them.
    Unique,
    /// Find the values that all solutions have in common.
    Backbone,
}

/// A query for a puzzle of any type; the objective is given by its name. If the name is `None`, the query uses the
/// first objective of the puzzle type.
pub type NamedQuery = Query<Option<String>>;

impl<O> Query<O> {
    fn map<P>(&self, objective: impl FnOnce(&O) -> Option<P>) -> Option<Query<P>> {
        Some(match self {
            Self::Satisfy => Query::Satisfy,
            Self::Optimise(given) => Query::Optimise(objective(given)?),
            &Self::Enumerate { limit } => Query::Enumerate { limit },
            Self::Count => Query::Count,
            Self::CountValues => Query::CountValues,
            Self::Unique => Query::Unique,
            Self::Backbone => Query::Backbone,
        })
    }
}

/// Returns the query for an optimal solution, or for any solution if there is no objective.
impl From<Option<&'static ObjectiveRow>> for Query {
    fn from(objective: Option<&'static ObjectiveRow>) -> Self {
        objective.map_or(Self::Satisfy, Self::Optimise)
    }
}

impl Query {
    /// Returns the objective, or `None` if the query has none.
    #[must_use]
    pub fn objective(&self) -> Option<&'static ObjectiveRow> {
        match *self {
            Self::Optimise(row) => Some(row),
            _ => None,
        }
    }

    /// Returns whether formulations for the query must preserve all solutions. Otherwise, a formulation may exclude
    /// solutions as long as one remains. If the query has an objective, an optimal solution must remain.
    #[must_use]
    pub fn needs_every_solution(&self) -> bool {
        !matches!(self, Self::Satisfy | Self::Optimise(_))
    }

    /// Returns whether the result of the query contains the values of [parts](super::Part), such as cells.
    #[must_use]
    pub fn has_parts(&self) -> bool {
        matches!(self, Self::Backbone | Self::CountValues)
    }
}

impl NamedQuery {
    /// Looks up the query's objective in the puzzle type, and returns the query with this objective. Returns `None` if
    /// the puzzle type has no such objective.
    #[must_use]
    pub fn resolve(&self, puzzle_type: &PuzzleType) -> Option<Query> {
        self.map(|name| {
            let mut rows = puzzle_type.objectives.iter();
            match name {
                None => rows.next(),
                Some(name) => rows.find(|row| row.name == name),
            }
        })
    }

    /// If the query does not name its objective, inserts the name of the puzzle type's first objective. Returns `None`
    /// if the puzzle type has no such objective.
    #[must_use]
    pub fn named_for(&self, puzzle_type: &PuzzleType) -> Option<Self> {
        self.resolve(puzzle_type)?.map(|row| Some(Some(row.name.to_owned())))
    }
}

impl fmt::Display for NamedQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Satisfy => f.write_str("satisfy"),
            Self::Optimise(None) => f.write_str("optimise"),
            Self::Optimise(Some(objective)) => write!(f, "optimise:{objective}"),
            Self::Enumerate { limit: None } => f.write_str("enumerate"),
            Self::Enumerate { limit: Some(limit) } => write!(f, "enumerate:{limit}"),
            Self::Count => f.write_str("count"),
            Self::CountValues => f.write_str("count-values"),
            Self::Unique => f.write_str("unique"),
            Self::Backbone => f.write_str("backbone"),
        }
    }
}

/// The error for text that can't be parsed as a query.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown query `{0}`; expected satisfy, optimise, optimise:OBJECTIVE, enumerate, enumerate:LIMIT, count, \
     count-values, unique or backbone"
)]
pub struct UnknownQuery(String);

impl FromStr for NamedQuery {
    type Err = UnknownQuery;

    fn from_str(text: &str) -> Result<Self, UnknownQuery> {
        let unknown = || UnknownQuery(text.to_owned());
        Ok(match text.split_once(':') {
            Some(("optimise", objective)) if !objective.is_empty() => {
                Self::Optimise(Some(objective.to_owned()))
            }
            Some(("enumerate", limit)) => {
                Self::Enumerate { limit: Some(limit.parse().map_err(|_| unknown())?) }
            }
            Some(_) => return Err(unknown()),
            None => match text {
                "satisfy" => Self::Satisfy,
                "optimise" => Self::Optimise(None),
                "enumerate" => Self::Enumerate { limit: None },
                "count" => Self::Count,
                "count-values" => Self::CountValues,
                "unique" => Self::Unique,
                "backbone" => Self::Backbone,
                _ => return Err(unknown()),
            },
        })
    }
}

impl PuzzleType {
    /// Returns the default query of the puzzle type: optimise if [`PuzzleType::optimises`] is set, and satisfy
    /// otherwise.
    #[must_use]
    pub fn default_query(&self) -> Query {
        self.objectives.first().filter(|_| self.optimises).into()
    }
}

/// The number of solutions that the stages have found so far: none, one or several.
#[derive(Debug, Default)]
pub enum StageOutcome {
    /// No solution.
    #[default]
    None,
    /// Exactly one solution.
    One(Solution),
    /// At least two solutions.
    Several,
}

/// The formulations for a query, which are solved one after the other. Each call returns the next formulation, or
/// `None` after the last formulation. The argument is the outcome of all earlier stages. In the first call, the
/// argument is [`StageOutcome::None`].
pub type Stages<'a> = Box<dyn FnMut(&StageOutcome) -> Option<Formulation> + 'a>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_back() {
        for word in [
            "satisfy",
            "optimise",
            "optimise:fewest",
            "enumerate",
            "enumerate:7",
            "count",
            "count-values",
            "unique",
            "backbone",
        ] {
            assert_eq!(word.parse::<NamedQuery>().unwrap().to_string(), word);
        }
        for word in ["", "solve", "optimise:", "enumerate:", "enumerate:all", "count:2"] {
            assert!(word.parse::<NamedQuery>().is_err(), "{word}");
        }
    }

    #[test]
    fn a_puzzle_type_names_its_objective() {
        let rooks = crate::puzzle::find("rooks").unwrap();
        let named = |query: &str, puzzle_type| query.parse::<NamedQuery>().unwrap().named_for(puzzle_type);
        let first = Query::Optimise(Some(rooks.objectives[0].name.to_owned()));
        assert_eq!(named("optimise", rooks), Some(first));
        assert_eq!(named("optimise:beauty", rooks), None);
        assert_eq!(named("optimise", crate::puzzle::find("nurikabe").unwrap()), None);
        assert_eq!(named("unique", rooks), Some(Query::Unique));
    }
}
