//! Nurikabe: islands of given sizes, surrounded by one connected sea.
//!
//! The model has a literal "sea" for each cell. For each clue of size s, the model has a literal "of this island" for
//! each cell that the island can reach: within s - 1 steps of the clue, along cells that are not next to a different
//! clue. Few islands can reach a given cell, so the number of these literals is far below the number of clues times
//! the number of cells. If only one island can reach a cell, its literal is the negation of "sea". If no island can
//! reach a cell, the cell is sea.
//!
//! Clauses with two or three literals separate the islands: every neighbour of an island cell belongs to the same
//! island or is sea. For the islands of unknown size, each cell has only one literal, which is true if the cell belongs
//! to any of these islands.

use std::num::NonZeroU32;
use std::sync::Arc;

use gordian_encodings::constraint::{AtMostOne, Cardinality, Clause, Connected};
use gordian_encodings::{Assignment, FALSE, Graph, Lit, Model, TRUE, tick};

use super::{
    ClueFormulation, Editor, FactWords, FieldRow, Formulation, Group, OptionRow, Options, Part, Plain,
    Puzzle, PuzzleType, Query, Read, Reader, Shape, Tokens, cell_name,
};
use crate::format::pzpr::{self, Address, NoAddress, Scheme, WrittenAddress};
use crate::format::text::TextDocument;
use crate::format::{InputError, Record, Source, Spanned, Syntax};
use crate::render::{Cell, Ground, Role, Scene, Sign};
use crate::rules::nurikabe::{Clue, Nurikabe};
use crate::rules::{Content, GRID, Grid, Solution};

mod plain;
mod solution;
mod sweep;
mod unsized_islands;

/// The puzzle type `nurikabe`.
pub static PUZZLE: PuzzleType = PuzzleType {
    name: "nurikabe",
    aliases: &[],
    rules: "Each cell is sea or island. An island is connected by sides and contains exactly one clue, its size \
            (`?`: any size). Different islands never share a side. The sea is connected by sides and contains no 2x2 \
            block.",
    options: &[OptionRow {
        name: "clues",
        values: &["size", "size-serial"],
        summary: "size-serial: a two-digit clue in dzn data is a size and a serial number, such as 31 and 32 for two \
            islands of size 3",
    }],
    objectives: &[],
    optimises: false,
    fields: &[
        FieldRow::new(GRID, Shape::Rows, "0 for sea, otherwise the size of the island").with_words(WORDS),
        FieldRow::in_backbone(GRID, Shape::Rows, "`+` for a cell of an island whose clue is `?`"),
    ],
    readers: &[
        Reader::Text { sample: "nurikabe\n1 . 1\n. . .\n? . 1\n", read: from_text },
        Reader::Record {
            syntax: Syntax::Dzn,
            names: &["length", "init"],
            sample: "length = 3;\ninit = [|1, 0, 1|0, 0, 0|1, 0, 1|];\n",
            read: |record, _, options| from_matrix(record, "length", "init", options),
        },
        Reader::Record {
            syntax: Syntax::Dzn,
            names: &["N", "input_grid"],
            sample: "N = 3;\ninput_grid = [|1, 0, 1|0, 0, 0|1, 0, 1|];\n",
            read: |record, _, options| from_matrix(record, "N", "input_grid", options),
        },
        Reader::Address {
            names: &["nurikabe"],
            sample: "https://puzz.link/p?nurikabe/3/3/1g1i1g1",
            read: from_address,
        },
    ],
    sheet: None,
    group: Group::Shading,
};

const SEA: &str = "sea";
const ISLAND: &str = "island";
const WORDS: FactWords = FactWords { zero: SEA, other: ISLAND };

const SIZE: &str = "the size of an island from 1 to 999999999";

/// Returns the clue for an island of the given size, or `None` if the size is out of range.
fn size(number: i128) -> Option<Clue> {
    let size = u32::try_from(number).ok().filter(|&size| size <= 999_999_999)?;
    NonZeroU32::new(size).map(Clue::Size)
}

fn from_text(document: &TextDocument, _: &'static PuzzleType, _: &Options) -> Read {
    document.record.only(&[])?;
    board(document.grid(|token| match token.value.as_str() {
        "." => Ok(None),
        "?" => Ok(Some(Clue::Unknown)),
        number => number.parse().ok().and_then(size).map(Some).ok_or(format!("`.`, `?` or {SIZE}")),
    })?)
}

fn from_matrix(record: &Record, length: &str, matrix: &str, options: &Options) -> Read {
    record.only(&[length, matrix])?;
    let side = record.integer(length)?;
    let positive = usize::try_from(side.value).ok().filter(|&side| side > 0);
    let Some(side) = positive else {
        return Err(InputError::at(&record.source, &side, "a number of rows from 1"));
    };
    let serial = options.is("clues", "size-serial");
    let clue = |entry: &Spanned<i128>| match entry.value {
        0 => Ok(None),
        number => size(if serial && (10..100).contains(&number) { number / 10 } else { number })
            .map(Some)
            .ok_or_else(|| InputError::at(&record.source, entry, format!("0 or {SIZE}"))),
    };
    let rows = record.matrix_of(matrix, side, side)?;
    let cells = rows.iter().flatten().map(clue).collect::<Result<_, _>>()?;
    board(Grid::new(side, side, cells))
}

fn from_address(address: &Address, _: &'static PuzzleType, _: &Options) -> Read {
    let cells = address.number16()?;
    let clue = |cell: &Option<pzpr::AddressClue>| match cell {
        None => Ok(None),
        Some(pzpr::AddressClue::Unknown) => Ok(Some(Clue::Unknown)),
        Some(pzpr::AddressClue::Number(number)) => size((*number).into()).map(Some).ok_or_else(|| {
            InputError::new(&address.source, address.body.span, SIZE, format!("the clue {number}"))
        }),
    };
    let cells = cells.iter().flatten().map(clue).collect::<Result<_, _>>()?;
    board(Grid::new(address.rows.value, address.columns.value, cells))
}

#[expect(clippy::unnecessary_wraps, reason = "what readers return")]
fn board(clues: Grid<Option<Clue>>) -> Read {
    Ok(Box::new(Nurikabe { clues }))
}

impl Puzzle for Nurikabe {
    fn puzzle_type(&self) -> &'static PuzzleType {
        &PUZZLE
    }

    fn formulate(&self, _: &Query) -> Formulation {
        formulate(&self.clues)
    }

    fn formulate_for_sweep(&self, query: &Query) -> Option<Formulation> {
        Some(sweep::formulate(&self.clues, query))
    }

    fn plain(&self) -> Plain {
        plain::formulate(&self.clues)
    }

    fn clues(&self) -> Option<ClueFormulation<'_>> {
        let tokens = (1..=self.clues.len()).map(|size| size.to_string()).collect();
        Some(ClueFormulation::of_cells(self, plain::formulate_for_clues(&self.clues), "?", tokens))
    }

    fn address(&self) -> Result<WrittenAddress, NoAddress> {
        let clue = |clue: Clue| match clue {
            Clue::Size(size) => pzpr::AddressClue::Number(size.get()),
            Clue::Unknown => pzpr::AddressClue::Unknown,
        };
        pzpr::write("nurikabe", Scheme::Number16, &self.clues.map(|cell| cell.map(clue)))
    }

    fn editor(&self) -> Option<Editor> {
        let (clues, marks) = (Tokens::and_numbers(&[".", "?"]), Tokens::only(&[".", "0"]));
        Some(Editor { header: PUZZLE.name.to_owned(), clues, marks })
    }

    fn rules_formula(&self) -> Option<&dyn crate::rules::opb::RulesFormula> {
        Some(self)
    }

    fn draw(&self, solution: Option<&Solution>) -> Scene {
        let grid = solution.and_then(|solution| solution.grid(self.clues.rows(), self.clues.columns()).ok());
        Scene::board(self.clues.map_places(|place, clue| {
            let found = grid.map(|grid| grid[grid.index(place.row, place.column)]);
            let shown = match clue {
                Some(Clue::Size(size)) => Cell::label(size.to_string(), Role::Given),
                Some(Clue::Unknown) => Cell::label("?", Role::Given),
                None => Cell::new(".", Role::Ground),
            };
            match (clue, found) {
                (_, None) => shown,
                (None, Some(0)) => Cell::new("0", Role::Ground).on(Ground::Sea),
                (None, Some(size)) => Cell::new(size.to_string(), Role::Plain).on(Ground::Land),
                (Some(Clue::Size(size)), Some(found)) => Cell::new(found.to_string(), Role::Given)
                    .with(Sign::Label(size.to_string()))
                    .on(if found == 0 { Ground::Sea } else { Ground::Land }),
                (Some(Clue::Unknown), Some(found)) => Cell::new(found.to_string(), Role::Given)
                    .with(Sign::Label("?".to_owned()))
                    .numbered(found.to_string())
                    .on(if found == 0 { Ground::Sea } else { Ground::Land }),
            }
        }))
    }

    fn read_solution(&self, source: &Source) -> Result<Solution, InputError> {
        solution::read(source, self.clues.rows(), self.clues.columns())
    }

    fn read_partial(&self, source: &Source) -> Option<Result<Grid<Option<i128>>, InputError>> {
        Some(solution::read_partial(source, &self.clues))
    }
}

/// The value of a cell on an island of unknown size.
const LAND: &str = "+";

/// The literals and clues of one island of known size, or of all islands of unknown size together.
struct Island {
    /// The literal "of this island" of each cell, or `FALSE` if the island can't reach the cell.
    cells: Vec<Lit>,
    /// The cells of the clues. An island of known size has exactly one clue.
    clues: Vec<usize>,
    size: Option<usize>,
}

fn formulate(clues: &Grid<Option<Clue>>) -> Formulation {
    let graph = Arc::new(Graph::new(clues.len(), clues.edges()));
    let mut model = Model::new();
    let (sea, islands) = variables(clues, &graph, &mut model);

    for (cell, &lit) in sea.iter().enumerate() {
        model.name(lit, cell_name("sea", clues.place(cell)));
    }
    for (number, island) in (1..).zip(&islands) {
        for (cell, &lit) in island.cells.iter().enumerate().filter(|&(cell, &lit)| lit != !sea[cell]) {
            let place = clues.place(cell);
            model.name(lit, ("island", number, place.row + 1, place.column + 1));
        }
    }
    for (block, corner) in clues.blocks().map(|block| (block, clues.place(block[0]))) {
        model.post_as(format!("no block of sea at {corner}"), Clause::new(block.map(|cell| !sea[cell])));
    }
    for (cell, &is_sea) in sea.iter().enumerate() {
        tick(islands.len() as u64);
        let of: Vec<Lit> =
            islands.iter().map(|island| island.cells[cell]).filter(|&lit| lit != FALSE).collect();
        if of.len() > 1 || is_sea == FALSE {
            model.post(Clause::new([&[is_sea], &of[..]].concat()));
            for &lit in &of {
                model.post(Clause::new([!lit, !is_sea]));
            }
            model.post(AtMostOne::new(of));
        }
    }
    for island in &islands {
        for (cell, &lit) in island.cells.iter().enumerate().filter(|&(_, &lit)| lit != FALSE) {
            for near in clues.neighbours(cell) {
                model.post(Clause::new([!lit, sea[near], island.cells[near]]));
            }
        }
        match island.size {
            Some(size) => post_sized(clues, &graph, island, size, &mut model),
            None => unsized_islands::post(clues, &graph, island, &mut model),
        }
    }
    let land: Option<usize> = islands.iter().map(|island| island.size).sum();
    if let Some(land) = land {
        // The lower bound on the number of island cells is redundant, but unit propagation does not derive it while
        // the islands of some cells are undecided. An upper bound would not make solving faster (see
        // docs/connectivity.md).
        let all: Vec<Lit> = sea.iter().map(|&lit| !lit).collect();
        model.post_as("cells of islands", Cardinality::at_least(all, land));
    }
    let most_sea = most_without_block(clues).min(clues.len().saturating_sub(land.unwrap_or(0)));
    let connected = Connected::new(Arc::clone(&graph), sea.clone()).within(most_sea.saturating_sub(1));
    model.post_as("one sea", connected);
    model.project(sea.iter().copied());

    let parts = (0..clues.len()).map(|cell| part(cell, sea[cell], &islands)).collect();
    Formulation { model, parts, facts: Vec::new(), decode: decode(clues, graph, sea) }
}

/// Returns the function that decodes an assignment into a solution. `sea` contains the literal "sea" of each cell.
fn decode(
    clues: &Grid<Option<Clue>>,
    graph: Arc<Graph>,
    sea: Vec<Lit>,
) -> Box<dyn Fn(&Assignment) -> Solution + Send + Sync> {
    let clues = clues.clone();
    Box::new(move |assignment| {
        let land = |cell: usize| !assignment.lit(sea[cell]);
        let mut grid = vec![0; clues.len()];
        for start in (0..clues.len()).filter(|&cell| land(cell)) {
            if grid[start] == 0 {
                let steps = graph.distances([start], land);
                let region: Vec<usize> = (0..clues.len()).filter(|&cell| steps[cell].is_some()).collect();
                for &cell in &region {
                    grid[cell] = region.len() as i128;
                }
            }
        }
        Solution::from_grid(Grid::new(clues.rows(), clues.columns(), grid))
    })
}

/// Returns the displayed value of a cell on an island of the given size. `None` stands for an unknown size.
fn content(size: Option<usize>) -> Content {
    size.map_or(Content::Word(LAND), |size| Content::Number(size as i128))
}

/// Returns the part of the backbone for one cell. The value of the part is 0 for sea, `+` for an island with the clue
/// `?`, and the size of the island for any other island cell.
fn part(cell: usize, sea: Lit, islands: &[Island]) -> Part {
    tick(islands.len() as u64);
    let of = islands.iter().filter(|island| island.cells[cell] != FALSE);
    let of = of.map(|island| (content(island.size), vec![island.cells[cell]]));
    let sea = (sea != FALSE).then(|| (Content::Number(0), vec![sea]));
    Part { field: GRID.into(), index: cell, values: of.chain(sea).collect() }
}

/// Posts the constraints of an island of known size: it has the given number of cells, and they are connected with the
/// clue.
fn post_sized(
    clues: &Grid<Option<Clue>>,
    graph: &Arc<Graph>,
    island: &Island,
    size: usize,
    model: &mut Model,
) {
    let place = clues.place(island.clues[0]);
    let members: Vec<Lit> = island.cells.iter().copied().filter(|&lit| lit != FALSE).collect();
    model.post_as(format!("clue {size} at {place}"), Cardinality::exactly(members, size));
    let connected = Connected::new(Arc::clone(graph), island.cells.clone());
    model.post_as(format!("island at {place}"), connected.within(size - 1).of_size(size, size));
}

/// Creates the "sea" literals, and the islands in the order of their clues. The last entry stands for all islands of
/// unknown size together.
fn variables(clues: &Grid<Option<Clue>>, graph: &Graph, model: &mut Model) -> (Vec<Lit>, Vec<Island>) {
    // Returns whether the cell or one of its neighbours has a clue other than `clue`.
    let beside = |cell: usize, clue: usize| {
        let other = |near: usize| near != clue && clues[near].is_some();
        other(cell) || graph.neighbours(cell).iter().any(|&near| other(near))
    };
    let reach = |clue: usize, most: usize| -> Vec<bool> {
        tick(clues.len() as u64);
        let steps = graph.distances([clue], |cell| cell == clue || !beside(cell, clue));
        steps.iter().map(|steps| steps.is_some_and(|steps| steps <= most)).collect()
    };
    let mut near: Vec<(Vec<bool>, Vec<usize>, Option<usize>)> = Vec::new();
    let mut unknown = (vec![false; clues.len()], Vec::new(), None);
    for cell in 0..clues.len() {
        match clues[cell] {
            Some(Clue::Size(size)) => {
                near.push((reach(cell, size.get() as usize - 1), vec![cell], Some(size.get() as usize)));
            }
            Some(Clue::Unknown) => {
                unknown.1.push(cell);
                for (all, one) in unknown.0.iter_mut().zip(reach(cell, clues.len())) {
                    *all |= one;
                }
            }
            None => {}
        }
    }
    if !unknown.1.is_empty() {
        near.push(unknown);
    }
    let reached: Vec<usize> =
        (0..clues.len()).map(|cell| near.iter().filter(|(near, ..)| near[cell]).count()).collect();
    let sea: Vec<Lit> = (0..clues.len())
        .map(|cell| match (clues[cell], reached[cell]) {
            (Some(_), _) => FALSE,
            (None, 0) => TRUE,
            (None, _) => model.boolean(),
        })
        .collect();
    let islands = near
        .into_iter()
        .map(|(near, of, size)| {
            tick(clues.len() as u64);
            let cells = (0..clues.len())
                .map(|cell| match () {
                    () if of.contains(&cell) => TRUE,
                    () if !near[cell] => FALSE,
                    () if reached[cell] == 1 => !sea[cell],
                    () => model.boolean(),
                })
                .collect();
            Island { cells, clues: of, size }
        })
        .collect();
    (sea, islands)
}

/// Returns an upper bound on the number of sea cells on a board without a 2x2 block of sea. If the board is divided
/// into disjoint 2x2 blocks, each block has at most three sea cells. All cells in a row or column outside these blocks
/// may be sea.
fn most_without_block(clues: &Grid<Option<Clue>>) -> usize {
    let (rows, columns) = (clues.rows(), clues.columns());
    clues.len() - (rows / 2) * (columns / 2)
}
