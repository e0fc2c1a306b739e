//! Compares the model and the formula of each sheet with the evaluator, on all assignments of small boards.

#[path = "../../../tests/support/drawn.rs"]
mod drawn;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use fastrand::Rng;
use gordian_encodings::constraint::Linear;
use gordian_encodings::{FALSE, Lit, Model, TRUE};

use super::model::{Builder, Var};
use super::{SHEETS, parts};
use crate::puzzle;
use crate::rules::opb::Literal;
use crate::rules::sheet::{
    Assignment, BoardFormula, Cell, DataSort, DataValues, FormulaVariable, PlaceMap, Scheme, Sheet,
    SheetBoard, Size, Spot, Value,
};
use crate::search::{Config, SolveError};

/// The number of boards of each sheet.
const BOARDS: usize = 60;
/// Boards with more assignments are not tried.
const MOST: usize = 1 << 14;
/// The number of conflicts after which the solutions of a formula are not enumerated. Formulas of connectivity can need many.
const CONFLICTS: u64 = 20_000;

/// The keys of data with a value for some places.
fn keys(scheme: Scheme, size: Size) -> Vec<Value> {
    let cell = |row, column| Value::from(Spot::Cell(Cell { row, column }));
    let row = |row| Value::set((0..size.columns).map(move |column| cell(row, column)));
    let column = |column| Value::set((0..size.rows).map(move |row| cell(row, column)));
    let reversed = |line: Value| Value::set(line.items().iter().rev().cloned().collect::<Vec<_>>());
    let rows = (0..size.rows).map(row);
    let columns = (0..size.columns).map(column);
    match scheme {
        Scheme::Corners => size.corners().map(|corner| Spot::Corner(corner).into()).collect(),
        Scheme::Links => size.links().map(Value::from).collect(),
        Scheme::Columns | Scheme::ColumnLists => columns.collect(),
        Scheme::Rows | Scheme::RowLists => rows.collect(),
        Scheme::Views => {
            let all: Vec<Value> = columns.chain(rows).collect();
            all.iter().cloned().chain(all.iter().cloned().map(reversed)).collect()
        }
        _ => size.cells().map(|cell| Spot::Cell(cell).into()).collect(),
    }
}

fn random_areas(size: Size, random: &mut Rng) -> DataValues {
    let mut areas: Vec<Vec<Cell>> = Vec::new();
    for cell in size.cells() {
        let near = |other: &Cell| cell.row.abs_diff(other.row) + cell.column.abs_diff(other.column) == 1;
        let beside: Vec<usize> = (0..areas.len()).filter(|&at| areas[at].iter().any(near)).collect();
        match random.choice(&beside) {
            Some(&at) if random.u8(..3) > 0 => areas[at].push(cell),
            _ => areas.push(vec![cell]),
        }
    }
    DataValues::areas(size, areas)
}

pub(super) fn random_board(sheet: &Arc<Sheet>, size: Size, random: &mut Rng) -> SheetBoard {
    let empty = sheet.data.iter().map(|data| DataValues::empty(&data.sort, size)).collect();
    let mut board = SheetBoard::new(Arc::clone(sheet), size, empty);
    let share = random.u8(1..6);
    for block in &sheet.blocks {
        if block.is_optional && random.bool() {
            continue;
        }
        for (number, &field) in block.fields.iter().enumerate() {
            let values = match &sheet.data[field].sort {
                DataSort::Areas => random_areas(size, random),
                DataSort::Number => DataValues::Plain(Value::Number(random.i64(0..3))),
                DataSort::Option => DataValues::Plain(Value::Bool(random.bool())),
                DataSort::Sets => continue,
                DataSort::Map { .. } => {
                    let DataValues::Map(mut map) = board.data()[field].clone() else { unreachable!("a map") };
                    let possible = board.possible(field).unwrap().map(|set| set.items().to_vec());
                    for key in keys(block.scheme, size) {
                        if random.u8(..8) >= share {
                            continue;
                        }
                        let value = match block.scheme {
                            Scheme::ColumnLists | Scheme::RowLists => Value::set(
                                (0..random.u8(..3))
                                    .map(|_| Value::Number(random.i64(1..3)))
                                    .collect::<Vec<_>>(),
                            ),
                            Scheme::Sums if number == 2 => Value::Bool(true),
                            _ => {
                                let small = Value::Number(random.i64(0..4));
                                possible
                                    .as_ref()
                                    .and_then(|values| random.choice(values).cloned())
                                    .unwrap_or(small)
                            }
                        };
                        map.insert(key, value);
                    }
                    DataValues::Map(map)
                }
            };
            board = board.with_data(field, values);
        }
    }
    board
}

/// Returns the values of the shown variables.
fn shown(board: &SheetBoard, assignment: &Assignment) -> Vec<i64> {
    let shown = board.sheet().shown.iter();
    shown.flat_map(|shown| assignment[shown.var].iter().map(|(_, &value)| value)).collect()
}

/// Returns the solutions that the evaluator accepts, or `None` if there are too many assignments.
fn by_evaluation(board: &SheetBoard) -> Option<BTreeSet<Vec<i64>>> {
    let variables = board.variables().unwrap();
    let open: Vec<(usize, Value, Vec<i64>)> = variables
        .iter()
        .enumerate()
        .flat_map(|(family, places)| {
            places.iter().map(move |(place, values)| (family, place.clone(), values.to_vec()))
        })
        .collect();
    let count = open.iter().try_fold(1usize, |product, (.., values)| {
        product.checked_mul(values.len()).filter(|&product| product <= MOST)
    })?;
    let mut solutions = BTreeSet::new();
    for number in 0..count {
        let mut rest = number;
        let mut assignment: Assignment = variables.iter().map(|_| PlaceMap::new(board.size())).collect();
        for (family, place, values) in &open {
            assignment[*family].insert(place.clone(), values[rest % values.len()]);
            rest /= values.len();
        }
        if board.check(&assignment).unwrap().is_none() {
            solutions.insert(shown(board, &assignment));
        }
    }
    Some(solutions)
}

fn by_model(sheet: &'static Sheet, board: &SheetBoard, implied: bool) -> BTreeSet<Vec<i64>> {
    let ground = Arc::new(board.ground(true, &|| false).unwrap());
    let mut builder = if implied {
        Builder::narrowed(board, sheet, &ground, false)
    } else {
        Builder::new(board, sheet, &ground)
    };
    builder.rules(implied);
    let lits = builder.projection();
    let vars = std::mem::take(&mut builder.vars);
    let model = &builder.plain.model;
    let config = Config::default();
    let session = config.session(model, config.limits()).unwrap();
    let mut solutions = BTreeSet::new();
    for found in session.into_assignments_of(lits) {
        let decoded = parts::decoded(&ground, &vars, board.size(), &found.unwrap());
        assert!(solutions.insert(shown(board, &decoded)), "each solution once");
        assert_eq!(board.check(&decoded).unwrap(), None);
    }
    solutions
}

/// Returns the solutions of the pseudo-Boolean formula: a model whose constraints are its rows and nothing else. Returns
/// `None` if they need too many conflicts.
fn by_formula(board: &SheetBoard) -> Option<BTreeSet<Vec<i64>>> {
    let ground = board.ground(true, &|| false).unwrap();
    let BoardFormula { opb: formula, variables, .. } = board.formula(&ground).unwrap();
    let mut model = Model::new();
    let lits: Vec<Lit> = (0..formula.variables()).map(|_| model.boolean()).collect();
    let lit = |of: Literal| if of.negated { !lits[of.variable] } else { lits[of.variable] };
    for row in formula.rows() {
        let terms = row.terms.iter().map(|&(weight, literal)| (weight, lit(literal).into()));
        model.post(Linear::at_least(terms, row.bound));
    }
    let shown =
        |index: usize| board.sheet().shown.iter().any(|shown| shown.var == ground.variables[index].family);
    let of_variables = variables.iter().enumerate().filter(|&(index, _)| shown(index));
    let projected = of_variables.flat_map(|(_, variable)| match variable {
        FormulaVariable::Boolean(literal) => vec![lit(*literal)],
        FormulaVariable::Number(number) => number.at_most_literals().iter().copied().map(lit).collect(),
    });
    let config = Config { conflicts: Some(CONFLICTS), ..Config::default() };
    let session = config.session(&model, config.limits()).unwrap();
    let mut solutions = BTreeSet::new();
    for found in session.into_assignments_of(projected.collect()) {
        let found = match found {
            Err(SolveError::LimitReached) => return None,
            found => found.unwrap(),
        };
        let mut assignment: Assignment =
            ground.families.iter().map(|_| PlaceMap::new(board.size())).collect();
        for (variable, of) in ground.variables.iter().zip(&variables) {
            let value = match of {
                FormulaVariable::Boolean(literal) => i64::from(found.lit(lit(*literal))),
                FormulaVariable::Number(number) => {
                    let above = number.at_most_literals().iter().filter(|&&of| !found.lit(lit(of))).count();
                    variable.values[above]
                }
            };
            assignment[variable.family].insert(variable.place.clone(), value);
        }
        assert_eq!(board.check(&assignment).unwrap(), None);
        assert!(solutions.insert(self::shown(board, &assignment)), "each solution once");
    }
    Some(solutions)
}

/// Sheets with relations, and uses of relations, that no built-in sheet has.
const FURTHER: [&str; 4] = [
    "puzzle pairs\ndata grid end: 1..2\nvar line on links\nsolution line path\n\
     rule \"paths\": paths(c in end: end(c), l in links: line(l))",
    "puzzle islands\ndata grid root: 1..3\nvar land on cells\nsolution land shaded\n\
     rule \"islands\": components(c in cells: land(c), c in root: root(c))",
    "puzzle chosen\ndata grid given: 0..1\nvar inside on cells\nvar number: 1..2 on given\nsolution inside shaded, number numbers\n\
     rule \"connected\" for c in given where given(c) = 1: inside(c) => connected(d in cells: not inside(d))\n\
     rule \"different\" for c in given: not inside(c) => different(d in given: number(d))",
    "puzzle product\ndata grid factor: 1..3\ndata number total\nvar number: 0..2 on factor\nsolution number numbers\n\
     rule \"runs\" for c in columns where #c > 1: runs(d in c: number(d) = 2) = {1}\n\
     rule \"product\": product(c in factor: factor(c) * number(c) - 1) <= total",
];

/// Names are looked up before the sheets are parsed.
#[test]
fn variables_that_a_rule_fixes_are_constants() {
    let text = "puzzle p
data grid mark: {'b', 'w'}
var shaded on cells
solution shaded shaded
rule \"marks\" for c in mark: shaded(c) <=> mark(c) = 'b'";
    let sheet: &'static Arc<Sheet> = Box::leak(Box::new(Arc::new(Sheet::parse(text).unwrap())));
    let size = Size { rows: 1, columns: 3 };
    let mut marks = PlaceMap::new(size);
    for (column, mark) in [(0, "b"), (1, "w")] {
        marks.insert(Spot::Cell(Cell { row: 0, column }).into(), Value::symbol(mark));
    }
    let board = SheetBoard::new(Arc::clone(sheet), size, vec![DataValues::Map(marks)]);
    let ground = Arc::new(board.ground(true, &|| false).unwrap());
    let builder = Builder::narrowed(&board, sheet, &ground, false);
    let lits = builder.vars.iter().map(|var| match var {
        Var::Boolean(lit) => *lit,
        Var::Number(_) => panic!("a Boolean variable"),
    });
    let lits: Vec<Lit> = lits.collect();
    assert_eq!(lits[..2], [TRUE, FALSE]);
    assert!(![TRUE, FALSE].contains(&lits[2]));
}

#[test]
fn every_name_finds_its_sheet() {
    for sheet in SHEETS.iter() {
        let puzzle_type = sheet.puzzle_type();
        for name in puzzle_type.names() {
            assert_eq!(puzzle::find(name).map(|found| found.name), Some(puzzle_type.name), "{name}");
        }
        for address in &puzzle_type.sheet.as_ref().unwrap().addresses {
            for name in &address.names {
                let mut found = puzzle::with_address(name);
                assert!(found.any(|found| found.name == puzzle_type.name), "{name}");
                assert!(puzzle::find(name).is_some(), "{name}");
            }
        }
    }
}

/// How many boards of a sheet were compared.
#[derive(Debug, Default)]
struct Compared {
    boards: usize,
    /// The boards whose formula needed too many conflicts.
    undecided: usize,
    solvable: usize,
}

/// Compares the solutions of the model, the formula and the evaluator on random boards.
fn compare(sheet: &'static Arc<Sheet>, seed: u64) -> Compared {
    let mut random = Rng::with_seed(seed);
    let mut compared = Compared::default();
    for _ in 0..BOARDS {
        let size = *random.choice(&[(1, 1), (1, 3), (2, 2), (2, 3), (3, 3), (3, 2)]).unwrap();
        let size = Size { rows: size.0, columns: size.1 };
        let board = random_board(sheet, size, &mut random);
        let Some(expected) = by_evaluation(&board) else { continue };
        for implied in [false, true] {
            let found = by_model(sheet, &board, implied);
            assert_eq!(found, expected, "{} {size:?} {:?}", sheet.name(), board.data());
        }
        compared.boards += 1;
        compared.solvable += usize::from(!expected.is_empty());
        match by_formula(&board) {
            Some(found) => assert_eq!(found, expected, "{} {size:?} {:?}", sheet.name(), board.data()),
            None => compared.undecided += 1,
        }
    }
    compared
}

#[test]
fn the_model_the_formula_and_the_evaluator_have_the_same_solutions() {
    let seed = std::env::var("GORDIAN_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(7);
    let mut random = Rng::with_seed(seed);
    let further = FURTHER.map(|text| &*Box::leak(Box::new(Arc::new(Sheet::parse(text).unwrap()))));
    let sheets = SHEETS.iter().map(|sheet| sheet.puzzle_type().sheet.as_ref().unwrap()).chain(further);
    let sheets: Vec<_> = drawn::drawn(sheets.map(|sheet| (sheet, random.u64(..)))).collect();
    let next = AtomicUsize::new(0);
    let compared: Vec<_> = thread::scope(|scope| {
        let work = || {
            let next = || sheets.get(next.fetch_add(1, Ordering::Relaxed));
            std::iter::from_fn(next)
                .map(|&(sheet, seed)| (sheet.name(), compare(sheet, seed)))
                .collect::<Vec<_>>()
        };
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    for (name, Compared { boards, undecided, .. }) in &compared {
        assert!(boards - undecided > 5, "{name}: {undecided} of {boards} boards are undecided");
    }
    let undecided: usize = compared.iter().map(|(_, compared)| compared.undecided).sum();
    let boards: usize = compared.iter().map(|(_, compared)| compared.boards).sum();
    assert!(undecided <= boards / 100, "{undecided} of {boards} boards are undecided");
    // Random boards of some types rarely have a solution.
    let never: Vec<_> =
        compared.iter().filter(|(_, compared)| compared.solvable == 0).map(|(name, _)| name).collect();
    assert!(never.len() <= compared.len() / 5, "no board with a solution: {never:?}");
}
