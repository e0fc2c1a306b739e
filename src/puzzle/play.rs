//! Solutions that a person fills in: what can be marked on a board, and what marks mean.

use gordian_encodings::Lit;

use super::{Fact, Plain};
use crate::rules::sheet::Style;
use crate::rules::{Solution, Violation};

/// A part of a solution that a person fills in, such as the shaded cells or the lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    /// The name of what is marked, such as `shaded`.
    pub name: String,
    /// How the marks look, and therefore the gesture that makes them.
    pub style: Style,
    /// The symbol for [`Style::Mark`].
    pub symbol: Option<String>,
    /// The places that can be marked. For [`Style::Areas`] and [`Style::Pieces`], these are the sides between cells: a mark
    /// separates two areas.
    pub places: Vec<MarkPlace>,
}

/// A place that can be marked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkPlace {
    /// The name of the place in facts, such as `r1c2`.
    pub name: String,
    /// The points of the place, in halves of a cell from the top left of the board: the middle of a cell, or the two ends of
    /// a line.
    pub points: Vec<[usize; 2]>,
    /// The possible values in ascending order.
    pub values: Vec<i64>,
}

/// The marks on a board: a value, or `None`, for each place of each layer.
pub type Marks = [Vec<Option<i64>>];

/// A board whose solution a person can fill in.
pub trait Play {
    /// Returns the layers.
    fn layers(&self) -> Vec<Layer>;

    /// Returns the marks that show a solution, or `None` if the solution does not fit the board.
    fn marks(&self, solution: &Solution) -> Option<Vec<Vec<Option<i64>>>>;

    /// Returns the solution that marks show. Places without a mark have no line, no shade and no symbol.
    ///
    /// # Errors
    /// Returns an error if marks do not determine a solution, for example if a number is missing.
    fn solution(&self, marks: &Marks) -> Result<Solution, Violation>;

    /// Returns the marks that state a fact, the value at a place: a layer, the index of a place in it, and a value.
    fn marks_of_fact(&self, place: &str, value: i64) -> Vec<(usize, usize, i64)> {
        let layers = self.layers();
        let find = |(number, layer): (usize, &Layer)| {
            let at = layer.places.iter().position(|known| known.name == place)?;
            Some((number, at, value))
        };
        layers.iter().enumerate().find_map(find).into_iter().collect()
    }

    /// Returns the facts that marks state: the name of a place, and the value there.
    fn facts(&self, marks: &Marks) -> Vec<(String, i64)> {
        let layers = self.layers().into_iter().zip(marks);
        let places = layers.flat_map(|(layer, marks)| layer.places.into_iter().zip(marks));
        places.filter_map(|(place, mark)| Some((place.name, (*mark)?))).collect()
    }
}

impl Plain {
    /// Returns the place and the value that a literal of a fact states, or `None` if it states only that a number is not at
    /// the place.
    #[must_use]
    pub fn place_and_value(&self, lit: Lit) -> Option<(String, i64)> {
        let number = |fact: &Fact| fact.words[1].parse::<i64>().ok();
        // Two numbers that exclude each other can share a variable.
        if let Some(fact) = self.facts.iter().find(|fact| fact.lit == lit) {
            return Some((fact.place.clone(), number(fact).unwrap_or(1)));
        }
        let fact = self.facts.iter().find(|fact| fact.lit == !lit && number(fact).is_none())?;
        Some((fact.place.clone(), 0))
    }

    /// Returns the literals of all facts about a place that has the given value. A number excludes all others.
    pub fn lits_of_value(&self, place: &str, value: i64) -> impl Iterator<Item = Lit> {
        let facts = self.facts.iter().filter(move |fact| fact.place == place);
        facts.map(move |fact| {
            let holds = match fact.words[1].parse::<i64>() {
                Ok(number) => number == value,
                Err(_) => value != 0,
            };
            if holds { fact.lit } else { !fact.lit }
        })
    }
}
