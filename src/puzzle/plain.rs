//! Plain formulations, for explanations: every instance of a rule has a name and can be left out.
//!
//! A formulation for solving also has implied constraints, fixed cells, and constraints without a name. A plain
//! formulation contains only the rules, as a person would state them. Each of its constraints either belongs to a named
//! rule, such as "clue 3 at r2c5", or defines a literal and always holds.

use std::fmt;

use gordian_encodings::constraint::Constraint;
use gordian_encodings::{Lit, Model, constant};

use super::{Formulation, Puzzle};
use crate::format::counted;
use crate::render::Scene;
use crate::rules::{GRID, Grid, Place};

/// The maximum number of facts that an error message lists.
const MOST_WORDS: usize = 12;

/// A plain formulation of a board.
pub struct Plain {
    /// The variables and constraints.
    pub model: Model,
    /// All instances of the rules.
    pub rules: Vec<Rule>,
    /// The facts that explanations derive, such as the content of a cell.
    pub facts: Vec<Fact>,
    /// The index of each constraint's rule, or `None` if the constraint always holds.
    rule_of: Vec<Option<usize>>,
    implied: Vec<(Vec<usize>, Box<dyn Constraint>)>,
    draw: Option<Box<Draw>>,
}

/// The clues of a board, each of which can be left out individually.
pub struct ClueFormulation<'a> {
    /// The plain formulation. Each rule of the family [`CLUE`] states a clue. Without the rule, the formulation
    /// describes the board without the clue.
    pub plain: Plain,
    /// Returns the text of the board without some clues. The arguments are indices of [`Plain::clues`].
    pub without: Box<WithoutClues<'a>>,
    /// The clues that can be added to the board.
    pub further: Box<dyn Iterator<Item = FurtherClue> + 'a>,
}

/// A function that returns the text of a board without some clues.
type WithoutClues<'a> = dyn Fn(&[usize]) -> String + 'a;

/// A clue that can be added to a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FurtherClue {
    /// The name of the clue, with its place.
    pub name: String,
    /// The cell, if the clue is in a cell.
    pub cell: Option<Place>,
    /// The token of the clue.
    pub token: String,
    /// The text of the board with the clue.
    pub board: String,
}

impl fmt::Debug for ClueFormulation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClueFormulation").field("plain", &self.plain).finish_non_exhaustive()
    }
}

impl<'a> ClueFormulation<'a> {
    /// Creates the formulation of a board on which each clue is the token of a cell. `blank` is the token of a cell whose
    /// clue is left out, and `tokens` are those of all clues that a cell may have.
    pub(super) fn of_cells(
        puzzle: &'a dyn Puzzle,
        plain: Plain,
        blank: &'static str,
        tokens: Vec<String>,
    ) -> Self {
        let cells: Vec<usize> = plain.clues().iter().map(|&rule| plain.rules[rule].cells[0]).collect();
        let rows = puzzle.draw(None).tokens().unwrap_or_default();
        let places = rows.iter().enumerate().flat_map(|(row, tokens)| {
            tokens.iter().enumerate().map(move |(column, token)| (Place { row, column }, token))
        });
        let blanks: Vec<(usize, Place)> = places
            .enumerate()
            .filter(|(_, (_, token))| *token == blank)
            .map(|(cell, (place, _))| (cell, place))
            .collect();
        let further = blanks.into_iter().flat_map(move |(cell, place)| {
            let clue = move |token: String| FurtherClue {
                name: format!("{token} at {place}"),
                cell: Some(place),
                board: with_tokens(puzzle, |at| (at == cell).then_some(&*token)),
                token,
            };
            tokens.clone().into_iter().map(clue)
        });
        let without = move |left_out: &[usize]| {
            with_tokens(puzzle, |cell| left_out.iter().any(|&clue| cells[clue] == cell).then_some(blank))
        };
        Self { plain, without: Box::new(without), further: Box::new(further) }
    }
}

/// Returns the board in the native text format. If `token(cell)` is not `None`, it replaces the token of the cell.
fn with_tokens<'t>(puzzle: &dyn Puzzle, token: impl Fn(usize) -> Option<&'t str>) -> String {
    let header = puzzle.editor().map_or(puzzle.puzzle_type().name.to_owned(), |editor| editor.header);
    let mut text = header + "\n";
    let mut cell = 0;
    for row in puzzle.draw(None).tokens().unwrap_or_default() {
        let mut tokens = Vec::with_capacity(row.len());
        for old in &row {
            tokens.push(token(cell).unwrap_or(old));
            cell += 1;
        }
        text += &(tokens.join(" ") + "\n");
    }
    text
}

/// A function that draws the board. The argument is a function that returns the value of a literal, or `None` if the
/// value is unknown.
type Draw = dyn Fn(&dyn Fn(Lit) -> Option<bool>) -> Scene + Send + Sync;

/// An instance of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The name of the rule without a place, such as `no 2x2 sea`.
    pub family: &'static str,
    /// The name of the instance, such as `no 2x2 sea at r3c4`.
    pub name: String,
    /// The cells that drawings highlight for the rule.
    pub cells: Vec<usize>,
}

/// A fact about a solution that is true or false, such as "r3c4 is sea".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// The literal that is true if the fact is true.
    pub lit: Lit,
    /// The name of the place, such as `r3c4`.
    pub place: String,
    /// The words for a false and for a true fact, such as `island` and `sea`.
    pub words: [String; 2],
    /// The cells that drawings highlight for the fact.
    pub cells: Vec<usize>,
}

/// The [family](Rule::family) of the rules that state the clues of a board.
pub const CLUE: &str = "clue";

impl fmt::Debug for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plain")
            .field("model", &self.model)
            .field("rules", &self.rules)
            .finish_non_exhaustive()
    }
}

impl Plain {
    /// Creates a formulation without constraints.
    #[must_use]
    pub fn new() -> Self {
        Self {
            model: Model::new(),
            rules: Vec::new(),
            facts: Vec::new(),
            rule_of: Vec::new(),
            implied: Vec::new(),
            draw: None,
        }
    }

    /// Creates a plain formulation from the named constraints of a formulation for solving. Constraints with the same
    /// name form one rule, and constraints without a name always hold. The facts are the literals of the
    /// formulation's parts.
    #[must_use]
    pub fn of_named(formulation: Formulation, scene: &Scene) -> Self {
        let Formulation { model, parts, .. } = formulation;
        let mut plain = Self { model, ..Self::new() };
        let mut numbers = std::collections::HashMap::new();
        for posted in plain.model.constraints() {
            let rules = &mut plain.rules;
            let rule = (!posted.name.is_empty()).then(|| {
                *numbers.entry(posted.name.to_string()).or_insert_with(|| {
                    rules.push(Rule { family: "", name: posted.name.to_string(), cells: Vec::new() });
                    rules.len() - 1
                })
            });
            plain.rule_of.push(rule);
        }
        let columns = scene.columns();
        for part in parts {
            let place = part_name(&part.field, part.index, columns.filter(|_| part.field == GRID), false);
            for (number, (content, lits)) in part.values.iter().enumerate() {
                let &[lit] = &lits[..] else { continue };
                let complement = part.values.iter().find(|(_, other)| other[..] == [!lit]);
                let earlier = complement.is_some_and(|(other, _)| {
                    part.values[..number].iter().any(|(content, lits)| content == other && lits[..] == [!lit])
                });
                if constant(lit).is_some() || earlier {
                    continue;
                }
                let otherwise = complement.map_or(format!("not-{content}"), |(other, _)| other.to_string());
                let cells = columns.filter(|_| part.field == GRID).map(|_| part.index).into_iter().collect();
                let words = [otherwise, content.to_string()];
                plain.facts.push(Fact { lit, place: place.clone(), words, cells });
            }
        }
        plain
    }

    /// Adds an instance of a rule, and returns its index in [`Plain::rules`].
    pub fn rule(&mut self, family: &'static str, name: impl Into<String>, cells: Vec<usize>) -> usize {
        self.rules.push(Rule { family, name: name.into(), cells });
        self.rules.len() - 1
    }

    /// Posts a constraint that is part of a rule.
    pub fn post(&mut self, rule: usize, constraint: impl Constraint + 'static) {
        self.post_boxed(Some(rule), Box::new(constraint));
    }

    /// Posts a constraint that defines literals. The constraint always holds, even without any rule.
    pub fn define(&mut self, constraint: impl Constraint + 'static) {
        self.post_boxed(None, Box::new(constraint));
    }

    /// Posts a constraint that is part of a rule, or that defines literals.
    pub(super) fn post_boxed(&mut self, rule: Option<usize>, constraint: Box<dyn Constraint>) {
        let name = rule.map_or(String::new(), |rule| self.rules[rule].name.clone());
        self.model.post_boxed(name, constraint);
        self.rule_of.push(rule);
    }

    /// Adds a constraint that follows from some rules. It is not a part of the formulation, and arguments don't use it.
    /// It only helps a solver that fails to decide whether these rules are contradictory.
    pub fn imply(&mut self, rules: Vec<usize>, constraint: impl Constraint + 'static) {
        self.implied.push((rules, Box::new(constraint)));
    }

    /// Returns the constraints that follow from rules, each with the rules.
    #[must_use]
    pub fn implied(&self) -> &[(Vec<usize>, Box<dyn Constraint>)] {
        &self.implied
    }

    /// Adds a fact. The arguments are the fields of [`Fact`]. Constant literals are ignored.
    pub fn fact(&mut self, lit: Lit, place: String, words: [&str; 2], cells: Vec<usize>) {
        self.facts_of([Fact::new(lit, place, words, cells)]);
    }

    /// Adds facts, except facts with constant literals.
    pub fn facts_of(&mut self, facts: impl IntoIterator<Item = Fact>) {
        self.facts.extend(facts.into_iter().filter(|fact| constant(fact.lit).is_none()));
    }

    /// Adds a fact for each cell of a grid of literals.
    pub fn cell_facts<T>(&mut self, grid: &Grid<T>, lits: &[Lit], words: [&str; 2]) {
        for (cell, &lit) in lits.iter().enumerate() {
            self.fact(lit, grid.place(cell).to_string(), words, vec![cell]);
        }
    }

    /// Sets the function that draws the board, given the known values of literals.
    pub fn drawn_by(&mut self, draw: impl Fn(&dyn Fn(Lit) -> Option<bool>) -> Scene + Send + Sync + 'static) {
        self.draw = Some(Box::new(draw));
    }

    /// Returns the rules that state clues, as indices of [`Plain::rules`].
    #[must_use]
    pub fn clues(&self) -> Vec<usize> {
        (0..self.rules.len()).filter(|&rule| self.rules[rule].family == CLUE).collect()
    }

    /// Returns the rule of each constraint of the model, or `None` for a constraint that always holds.
    #[must_use]
    pub fn rule_of(&self) -> &[Option<usize>] {
        &self.rule_of
    }

    /// Draws the board from the known values of literals. Returns `None` if the puzzle type does not support such
    /// drawings.
    pub fn draw(&self, known: &dyn Fn(Lit) -> Option<bool>) -> Option<Scene> {
        self.draw.as_ref().map(|draw| draw(known))
    }

    /// Returns the fact about the variable of `lit`, and whether the fact is true if `lit` is true.
    #[must_use]
    pub fn fact_of(&self, lit: Lit) -> Option<(&Fact, bool)> {
        let fact = self.facts.iter().find(|fact| fact.lit.var() == lit.var())?;
        Some((fact, fact.lit == lit))
    }

    /// Returns the facts at a place, which may have any of the spellings of [`Place::parse`].
    #[cfg(feature = "tool")]
    pub(crate) fn facts_at(&self, place: &str) -> Vec<&Fact> {
        let place = known_name(place, &self.facts.iter().map(|fact| &*fact.place));
        self.facts.iter().filter(|fact| Some(&fact.place) == place.as_ref()).collect()
    }

    /// Parses a fact such as `r3c4=sea`, and returns its literal. A place may have any of the spellings of
    /// [`Place::parse`].
    ///
    /// # Errors
    /// If `text` is not a fact about the board, returns a description of the expected text.
    pub fn parse(&self, text: &str) -> Result<Lit, String> {
        let both = |fact: &'_ Fact| [(1, fact.lit), (0, !fact.lit)];
        let known = self
            .facts
            .iter()
            .flat_map(|fact| both(fact).map(|(word, lit)| (&*fact.place, &*fact.words[word], lit)));
        parse_fact(text, known, self.draw(&|_| None).and_then(|scene| scene.size()))
    }
}

/// Returns the fact in `known` that matches a text such as `r3c4=sea`. Each entry of `known` consists of a place, a
/// word, and the fact. `size` contains the numbers of rows and columns of a board of cells. If no entry matches, returns
/// a description of the expected text.
pub(super) fn parse_fact<'a, T>(
    text: &str,
    known: impl Iterator<Item = (&'a str, &'a str, T)> + Clone,
    size: Option<(usize, usize)>,
) -> Result<T, String> {
    let Some((example, word, _)) = known.clone().next() else {
        return Err("nothing, because the board has no facts".to_owned());
    };
    let example = format!("`{example}={word}`");
    let (given, word) = text.split_once('=').unwrap_or((text, ""));
    let Some(place) = known_name(given, &known.clone().map(|(place, ..)| place)) else {
        return Err(other_place(given, size, &example));
    };
    let mut words = Vec::new();
    for (_, known, fact) in known.filter(|(known, ..)| *known == place) {
        if known == word {
            return Ok(fact);
        }
        words.push(format!("`{place}={known}`"));
    }
    words.truncate(MOST_WORDS);
    Err(words.join(" or "))
}

/// Returns whether `text` is the name of the place of a fact. The cells of a side may be named in either order.
pub(crate) fn is_at(place: &str, text: &str) -> bool {
    place == text
        || place
            .split_once('-')
            .is_some_and(|(a, b)| text.strip_prefix(b).and_then(|rest| rest.strip_prefix('-')) == Some(a))
}

/// Returns the names that facts may have for the place that `text` names: `text` itself, then `text` with each cell as
/// `r2c5`, both also with the cells of a side in the other order.
pub(super) fn names(text: &str) -> Vec<String> {
    // The name of a field may precede the place.
    let (field, place) = text.split_at(text.rfind(' ').map_or(0, |blank| blank + 1));
    let cell = |cell| Place::parse(cell).map(|place| place.to_string());
    let cells: Option<Vec<String>> = place.split('-').map(cell).collect();
    let spelled = cells.map(|cells| format!("{field}{}", cells.join("-")));
    let reversed = |name: &String| name.split_once('-').map(|(a, b)| format!("{b}-{a}"));
    [Some(text.to_owned()), spelled]
        .into_iter()
        .flatten()
        .flat_map(|name| [reversed(&name), Some(name)])
        .flatten()
        .collect()
}

/// Returns the name among `known` of the place that `text` names.
fn known_name<'a>(text: &str, known: &(impl Iterator<Item = &'a str> + Clone)) -> Option<String> {
    names(text).into_iter().find(|name| known.clone().any(|known| known == name))
}

/// Returns a description of the expected text if a text names a place without facts. `example` is a fact.
fn other_place(place: &str, size: Option<(usize, usize)>, example: &str) -> String {
    let cells: Option<Vec<Place>> = place.split('-').map(Place::parse).collect();
    let of_sides = example.contains('-') && example.starts_with("`r");
    let (Some(cells), Some((rows, columns))) = (cells, size) else {
        return format!("a fact such as {example}");
    };
    if cells.iter().any(|cell| cell.row >= rows || cell.column >= columns) {
        return format!(
            "a cell of the board, which has {} and {}",
            counted(rows, "row"),
            counted(columns, "column")
        );
    }
    let place = cells[0];
    match (cells.len(), of_sides) {
        (1, false) => format!("a fact about another cell, because the board gives the value of {place}"),
        (_, false) => format!("a fact about one cell, such as {example}"),
        (2, true) => format!("two adjacent cells, as in {example}"),
        (_, true) => format!("a fact about the side between two cells, such as {example}"),
    }
}

/// Returns the name that facts and tables use for a part of a solution, such as `r2c5`. `columns` is the number of
/// columns of the field, if it is a grid; `is_single` is true if the field has only one part.
pub(crate) fn part_name(field: &str, index: usize, columns: Option<usize>, is_single: bool) -> String {
    match columns {
        Some(columns) => {
            let place = Place { row: index / columns, column: index % columns };
            if field == GRID { place.to_string() } else { format!("{field} {place}") }
        }
        None if is_single => field.to_owned(),
        None => format!("{field}[{}]", index + 1),
    }
}

impl Default for Plain {
    fn default() -> Self {
        Self::new()
    }
}

impl Fact {
    /// Creates a fact from the values of its fields.
    #[must_use]
    pub fn new(lit: Lit, place: String, words: [&str; 2], cells: Vec<usize>) -> Self {
        Self { lit, place, words: words.map(str::to_owned), cells }
    }

    /// Returns the fact as text, such as `r3c4=sea`, which [`Plain::parse`] reads.
    #[must_use]
    pub fn text(&self, holds: bool) -> String {
        format!("{}={}", self.place, self.words[usize::from(holds)])
    }
}
