//! Number crosswords: each white cell contains a number. The product of the numbers in each entry must be one of the
//! given products, which are called definitions.
//!
//! The model has a variable for each white cell and a variable for the product of each entry. Each cell value divides a
//! definition, and each product is a definition. All products are different. Since the number of entries equals the
//! number of definitions, each definition is used exactly once.

use std::collections::{BTreeSet, HashMap};

use gordian_encodings::constraint::{AllDifferent, Clause, Linear, Product, Term};
use gordian_encodings::{Domain, IntVar, Model, Value};

use super::numeral::digit_lits;
use super::{
    Editor, FieldRow, Formulation, Group, Part, Plain, Puzzle, PuzzleType, Query, Reader, Sample, Shape,
    Tokens, cell_name,
};
use crate::format::{InputError, Source, Syntax};
use crate::render::{Cell, Ground, Line, Role, Scene, Text};
use crate::rules::numcross::{DIRECTIONS, Numcross};
use crate::rules::opb::RulesFormula;
use crate::rules::{Field, GRID, Grid, Solution};
use crate::solution;

mod plain;
mod read;

/// The puzzle type `numcross`.
pub static PUZZLE: PuzzleType = PuzzleType {
    name: "numcross",
    aliases: &[],
    rules: "Each white cell contains a number from r to s. An entry is a maximal run of two or more white cells \
            across or down. The product of its cells is one of the definitions S. Each definition is used exactly \
            once.",
    options: &[],
    objectives: &[],
    optimises: false,
    fields: &[
        FieldRow::new(GRID, Shape::Rows, "the number of each cell, 0 for a black cell"),
        FieldRow::new("across", Shape::Rows, "`[number, product]` of each entry across"),
        FieldRow::new("down", Shape::Rows, "`[number, product]` of each entry down"),
    ],
    readers: &[
        Reader::Text {
            sample: Sample::Text("numcross\nr = 1\ns = 9\nS = {6, 12}\n. .\n. #\n"),
            read: read::from_text,
        },
        Reader::Record {
            syntax: Syntax::Dzn,
            names: &["r", "s", "schema", "S"],
            sample: Sample::Text("r = 1;\ns = 9;\nschema = [|0, 0|0, 1|];\nS = {6, 12};\n"),
            read: read::from_record,
        },
    ],
    sheet: None,
    group: Group::Numbers,
};

/// An entry: a maximal run of two or more white cells in a row or column.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    /// Entries are numbered by their first cells, row by row. An entry across and an entry down can share a number.
    number: i128,
    cells: Vec<usize>,
}

/// Returns the entries across and the entries down.
fn entries(white: &Grid<bool>) -> [Vec<Entry>; 2] {
    let (rows, columns) = (white.rows(), white.columns());
    let mut entries = [Vec::new(), Vec::new()];
    let mut number = 0;
    for cell in 0..white.len() {
        let place = white.place(cell);
        // The array has one item for the row and one for the column of the current cell. Each item consists of the
        // difference between the indices of consecutive cells, the number of cells before the current cell, and the
        // number of cells from the current cell to the end.
        let lines = [(1, place.column, columns - place.column), (columns, place.row, rows - place.row)];
        let mut numbered = false;
        for (entries, (step, before, rest)) in entries.iter_mut().zip(lines) {
            if before > 0 && white[cell - step] {
                continue;
            }
            let cells: Vec<usize> =
                (0..rest).map(|index| cell + index * step).take_while(|&cell| white[cell]).collect();
            if cells.len() > 1 {
                if !numbered {
                    number += 1;
                    numbered = true;
                }
                entries.push(Entry { number, cells });
            }
        }
    }
    entries
}

/// Returns the values that a cell can have. The values of a cell in an entry are divisors of definitions.
fn values(puzzle: &Numcross, entries: &[Vec<Entry>; 2], cell: usize) -> Domain {
    if !puzzle.white()[cell] {
        return Domain::interval(0, 0);
    }
    if !entries.iter().flatten().any(|entry| entry.cells.contains(&cell)) {
        return Domain::interval(*puzzle.numbers().start(), *puzzle.numbers().end());
    }
    let divides = |value: &i128| puzzle.definitions().iter().any(|definition| definition % value == 0);
    Domain::from_values(puzzle.numbers().filter(divides))
}

/// Explanations use the formulation of the module [`plain`] only if cells have at most this many possible values.
/// Otherwise, explanations use the formulation for solving, with its named constraints as rules.
const MOST_FACTS: i128 = 100;

/// Returns the constraints that define `product` as the product of the cells: first the constraints for partial
/// products, then the constraint for the whole product.
fn entry_products(
    puzzle: &Numcross,
    model: &mut Model,
    cells: &[IntVar],
    product: IntVar,
) -> (Vec<Product>, Product) {
    // Long entries are split into partial products, because the product of the largest possible factors could
    // overflow.
    const WITHIN: i128 = i128::MAX / 64;
    let mut factors: Vec<IntVar> = Vec::new();
    let mut partial = Vec::new();
    let mut greatest = 1_i128;
    for &cell in cells {
        let value = model.domain(cell).max();
        greatest = greatest.checked_mul(value).unwrap_or(i128::MAX);
        if greatest > WITHIN {
            let so_far = model.integer(partial_products(puzzle, model, &factors));
            greatest = model.domain(so_far).max() * value;
            partial.push(Product::new(std::mem::take(&mut factors), so_far));
            factors.push(so_far);
        }
        factors.push(cell);
    }
    (partial, Product::new(factors, product))
}

/// Returns the possible values of the product of the factors. Only divisors of definitions are possible. If there are
/// none, returns the domain {0}.
fn partial_products(puzzle: &Numcross, model: &Model, factors: &[IntVar]) -> Domain {
    let divides = |value: &i128| puzzle.definitions().iter().any(|definition| definition % value == 0);
    let mut products = vec![1];
    for &factor in factors {
        let times = |product: &i128| {
            let values: Vec<i128> = model.domain(factor).values().map(|value| product * value).collect();
            values.into_iter().filter(divides)
        };
        products = products.iter().flat_map(times).collect();
        products.sort_unstable();
        products.dedup();
    }
    if products.is_empty() { Domain::interval(0, 0) } else { Domain::from_values(products) }
}

/// Posts the constraint that each prime has the same exponent in the product of the cells and in `product`. Each of the
/// constraints is a linear equation over literals of the integers, so a proof can state it.
fn post_exponents(model: &mut Model, name: &str, cells: &[IntVar], product: IntVar) {
    let values = |model: &Model, x| model.domain(x).values().collect::<Vec<Value>>();
    let primes = primes(cells.iter().flat_map(|&cell| values(model, cell)));
    for &prime in &primes {
        let mut terms: Vec<(Value, Term)> = Vec::new();
        for (sign, x) in cells.iter().map(|&cell| (1, cell)).chain([(-1, product)]) {
            for value in values(model, x).into_iter().filter(|value| value % prime == 0) {
                let exponent = Value::from(exponent(prime, value));
                terms.push((sign * exponent, model.equals(x, value).into()));
            }
        }
        model.post_as(name.to_owned(), Linear::equal(terms, 0));
    }
    // The product can't have other prime factors.
    for value in values(model, product) {
        let rest = primes.iter().fold(value, |rest, &prime| rest / prime.pow(exponent(prime, rest)));
        if rest > 1 {
            let equal = model.equals(product, value);
            model.post_as(name.to_owned(), Clause::new([!equal]));
        }
    }
}

/// Returns the prime factors of the numbers, which must be positive.
fn primes(numbers: impl Iterator<Item = Value>) -> BTreeSet<Value> {
    let mut primes = BTreeSet::new();
    for mut number in numbers {
        let mut divisor = 2;
        while divisor * divisor <= number {
            if number % divisor == 0 {
                primes.insert(divisor);
                number /= divisor;
            } else {
                divisor += 1;
            }
        }
        primes.extend(Some(number).filter(|&number| number > 1));
    }
    primes
}

/// Returns the exponent of a prime in a positive number.
fn exponent(prime: Value, mut number: Value) -> u32 {
    let mut exponent = 0;
    while number % prime == 0 {
        number /= prime;
        exponent += 1;
    }
    exponent
}

/// Returns the formulation of a board. In a proof, products are stated by the exponents of their prime factors.
fn formulate(puzzle: &Numcross, for_proof: bool) -> Formulation {
    let entries = entries(puzzle.white());
    let mut model = Model::new();
    let mut cells = Vec::with_capacity(puzzle.white().len());
    let mut parts = Vec::with_capacity(puzzle.white().len());
    for cell in 0..puzzle.white().len() {
        let values = values(puzzle, &entries, cell);
        let place = puzzle.white().place(cell);
        if values.is_empty() {
            let name = format!("no value for {place}");
            model.post_as(name, Clause::new([]));
        }
        let values = if values.is_empty() { Domain::interval(1, 1) } else { values };
        let cell = model.integer(values);
        model.name_integer(cell, cell_name("cell", place));
        let lits = digit_lits(&mut model, cell);
        model.project(lits);
        let part = if for_proof { Part::integer_for_proof } else { Part::integer };
        parts.push(part(GRID, cells.len(), cell, &mut model));
        cells.push(cell);
    }
    let mut products = Vec::new();
    for (direction, entries) in DIRECTIONS.into_iter().zip(&entries) {
        for entry in entries {
            let product = model.integer(Domain::from_values(puzzle.definitions().iter().copied()));
            let of: Vec<IntVar> = entry.cells.iter().map(|&cell| cells[cell]).collect();
            let name = format!("{} {direction}", entry.number);
            if for_proof {
                model.name_integer(product, format!("{direction}_{}", entry.number));
                post_exponents(&mut model, &name, &of, product);
            } else {
                let (partial, last) = entry_products(puzzle, &mut model, &of, product);
                for constraint in partial {
                    model.post(constraint);
                }
                model.post_as(name, last);
            }
            products.push(product);
        }
    }
    model.post_as("each definition once", AllDifferent::new(products));
    let puzzle = puzzle.clone();
    Formulation {
        model,
        parts,
        facts: Vec::new(),
        decode: Box::new(move |assignment| {
            solution(&puzzle, cells.iter().map(|&cell| assignment.int(cell)).collect())
        }),
    }
}

impl Puzzle for Numcross {
    fn puzzle_type(&self) -> &'static PuzzleType {
        &PUZZLE
    }

    fn formulate(&self, _: &Query) -> Formulation {
        formulate(self, false)
    }

    fn formulate_for_proof(&self, _: &Query) -> Result<Option<Formulation>, String> {
        Ok(Some(formulate(self, true)))
    }

    fn rules_formula(&self) -> Option<&dyn RulesFormula> {
        Some(self)
    }

    fn plain(&self) -> Plain {
        if self.numbers().end() - self.numbers().start() < MOST_FACTS {
            plain::formulate(self)
        } else {
            Plain::of_named(self.formulate(&Query::Backbone), &self.draw(None))
        }
    }

    fn editor(&self) -> Option<Editor> {
        let numbers = self.numbers();
        let (low, high) = (numbers.start(), numbers.end());
        let definitions: Vec<_> = self.definitions().iter().map(ToString::to_string).collect();
        let header = format!("{}\nr = {low}\ns = {high}\nS = {{{}}}", PUZZLE.name, definitions.join(", "));
        Some(Editor { header, clues: Tokens::only(&[".", "#"]), marks: Tokens::and_numbers(&["."]) })
    }

    fn draw(&self, solution: Option<&Solution>) -> Scene {
        let grid =
            solution.and_then(|solution| solution.grid(self.white().rows(), self.white().columns()).ok());
        let numbers: HashMap<usize, i128> =
            entries(self.white()).iter().flatten().map(|entry| (entry.cells[0], entry.number)).collect();
        let cells = self.white().map_places(|place, &white| {
            let cell = self.white().index(place.row, place.column);
            let drawn = match grid {
                _ if !white => return Cell::new("#", Role::Block).on(Ground::Block),
                Some(grid) => Cell::label(grid[cell].to_string(), Role::Mark),
                None => Cell::new(".", Role::Ground),
            };
            match numbers.get(&cell) {
                Some(number) => drawn.numbered(number.to_string()),
                None => drawn,
            }
        });
        let words = |numbers: &[i128]| numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let definitions = Text::new("definitions ", Role::Plain).and(words(self.definitions()), Role::Given);
        let line = |name: &str| {
            let pairs = solution?.pairs(name).ok()??;
            let mut text = Text::new(name, Role::Plain);
            for (number, product) in pairs {
                text = text.and(format!(" {number}:"), Role::Ground).and(product.to_string(), Role::Mark);
            }
            Some(Line::Solution(text))
        };
        let lines = DIRECTIONS.into_iter().filter_map(line);
        Scene::board(cells).with_lines([Line::Data(definitions)]).with_lines(lines)
    }

    fn read_solution(&self, source: &Source) -> Result<Solution, InputError> {
        let (rows, columns) = (self.white().rows(), self.white().columns());
        solution::grid_from_text(&without_products(source), rows, columns, |cell, token| match token {
            "#" if !self.white()[cell] => Ok(0),
            token => token.parse().map_err(|_| "a number, or `#` for a black cell".to_owned()),
        })
    }

    fn read_partial(&self, source: &Source) -> Option<Result<Grid<Option<i128>>, InputError>> {
        let (rows, columns, numbers) = (self.white().rows(), self.white().columns(), self.numbers());
        let value = |cell, token: &str| match token {
            "#" if !self.white()[cell] => Ok(Some(0)),
            _ if !self.white()[cell] => Err("`#`".to_owned()),
            "." => Ok(None),
            token => token
                .parse()
                .ok()
                .filter(|number| numbers.contains(number))
                .map(Some)
                .ok_or_else(|| format!("a number from {} to {}", numbers.start(), numbers.end())),
        };
        Some(solution::partial_grid_from_text(&without_products(source), rows, columns, value))
    }
}

/// Removes the lines with the products from the text of a solution, because the grid determines the products.
fn without_products(source: &Source) -> Source {
    let is_product = |line: &str| DIRECTIONS.iter().any(|name| line.trim_start().starts_with(name));
    let lines = source.text().split_inclusive('\n');
    let end = lines.take_while(|&line| !is_product(line)).map(str::len).sum();
    Source::new(source.name(), &source.text()[..end])
}

/// Creates the solution from the values of the cells.
fn solution(puzzle: &Numcross, values: Vec<i128>) -> Solution {
    let [across, down] = entries(puzzle.white());
    let products = |entries: &[Entry]| {
        let product = |entry: &Entry| entry.cells.iter().map(|&cell| values[cell]).product();
        entries.iter().map(|entry| (entry.number, product(entry))).collect()
    };
    let (across, down) = (products(&across), products(&down));
    Solution::from_grid(Grid::new(puzzle.white().rows(), puzzle.white().columns(), values))
        .with(DIRECTIONS[0], Field::Pairs(across))
        .with(DIRECTIONS[1], Field::Pairs(down))
}
