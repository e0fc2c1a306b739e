//! Drawings of boards and solutions.

use std::collections::HashSet;

use super::block::{self, NOTHING, Rows};
use super::islands::LAND;
use super::place;
use super::solution::{self, BITS, cells};
use super::text;
use crate::render::{
    Block, Cell as Drawn, Chain, DOWN, Ground, LEFT, Line, Outside, Point, RIGHT, Role, Scene, Sign, Text, UP,
};
use crate::rules::sheet::{
    AddressScheme, Assignment, Axis, Cell, DataBlock, Direction, Geometry, PlaceMap, Quantifier, Scheme,
    Sheet, SheetBoard, Shown, Size, Spot, Style, Value, VariablePlaces,
};
use crate::rules::{Field, Grid};

/// Returns the drawing of a board, with the known values of variables.
pub(super) fn scene(board: &SheetBoard, assignment: Option<&Assignment>) -> Scene {
    let drawing = Drawing::new(board, assignment);
    let cells = drawing.size.cells().map(|cell| drawing.cell(cell)).collect();
    let (height, width) = (usize::from(drawing.size.rows), usize::from(drawing.size.columns));
    let mut grid = Grid::new(height, width, cells);
    let (labels, blocks): (Vec<_>, Vec<_>) = drawing.blocks().into_iter().unzip();
    let scene = match &blocks[..] {
        [only] if only.len() == height && only.iter().all(|row| row.len() == width) => {
            for (cell, (token, role)) in grid.cells_mut().iter_mut().zip(only.iter().flatten()) {
                // A clue keeps its look where the text of the solution has something else.
                let role = if cell.role() == Role::Ground { *role } else { cell.role() };
                cell.set_token(token, role);
            }
            Scene::board(grid)
        }
        _ => {
            // Editors show the tokens of cells.
            let shown = if assignment.is_some() {
                blocks.first()
            } else {
                blocks.last().filter(|_| text::edited(board.sheet()).is_some())
            };
            let rows_of_cells =
                shown.filter(|rows| rows.len() == height && rows.iter().all(|row| row.len() == width));
            for (cell, (token, _)) in
                grid.cells_mut().iter_mut().zip(rows_of_cells.into_iter().flatten().flatten())
            {
                cell.set_token(token, cell.role());
            }
            Scene::board(grid).with_blocks(blocks).with_labels(labels)
        }
    };
    // The text of a solution consists of its blocks only.
    let line = if assignment.is_some() { Line::Remark } else { Line::Data };
    let lines = text::numbers(board).into_iter().map(|(name, number)| {
        line(Text::new(name, Role::Plain).and(" = ", Role::Ground).and(number, Role::Given))
    });
    let scene = scene.with_outside(drawing.outside()).with_points(drawing.points()).with_lines(lines);
    let scene = scene.with_chains(drawing.chains());
    let scene = if drawing.has(Style::Border) { scene.without_frame() } else { scene };
    scene.with_numbered_sides()
}

/// A board with the known values of variables.
struct Drawing<'a> {
    board: &'a SheetBoard,
    sheet: &'a Sheet,
    size: Size,
    assignment: Option<&'a Assignment>,
    /// True if some values are not known, so that variables with the value 0 are marked.
    partial: bool,
    /// True if the numbers in cells are not those of the solution.
    totals: bool,
    /// True if cells with the same number form areas.
    sized: bool,
    /// The cells with variables of the solution.
    cells: HashSet<Value>,
    /// The number of the area of each cell for each block of areas, and for each variable that shows areas.
    areas: Vec<PlaceMap<usize>>,
    /// The same for areas in addition to the boxes.
    cages: Vec<PlaceMap<usize>>,
    /// The sizes of the islands, if the solution shows islands.
    islands: Option<Grid<i128>>,
    /// For each data, what its letters stand for.
    symbols: Vec<Symbols>,
}

/// What letters in cells stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Symbols {
    /// `n`, `e`, `s` and `w` are directions.
    Directions,
    /// `w` is a white circle, and `b` a black one.
    Circles,
    /// `b` is a black cell.
    Blocks,
    Letters,
}

impl Symbols {
    fn of(board: &SheetBoard, data: usize) -> Self {
        let possible = board.possible(data).ok().flatten();
        let values = possible.as_ref().map_or(&[][..], |possible| possible.items());
        let has = |letter| values.contains(&Value::symbol(letter));
        if has("n") {
            Self::Directions
        } else if has("w") {
            Self::Circles
        } else if has("b") && values.len() == 1 {
            Self::Blocks
        } else {
            Self::Letters
        }
    }
}

impl<'a> Drawing<'a> {
    fn new(board: &'a SheetBoard, assignment: Option<&'a Assignment>) -> Self {
        let sheet = board.sheet();
        let variables = board.variables().unwrap_or_default();
        let partial = assignment.is_some_and(|assignment| {
            let shown = sheet.shown.iter().map(|shown| shown.var);
            shown.into_iter().any(|var| {
                variables.get(var).is_some_and(|places| places.keys().len() > assignment[var].keys().len())
            })
        });
        let mut drawing = Self {
            board,
            sheet,
            size: board.size(),
            assignment,
            partial,
            totals: false,
            sized: false,
            cells: HashSet::new(),
            areas: Vec::new(),
            cages: Vec::new(),
            islands: None,
            symbols: Vec::new(),
        };
        drawing.symbols = (0..sheet.data.len()).map(|data| Symbols::of(board, data)).collect();
        drawing.sized = sheet.quantifies(Quantifier::Sized);
        let shown = sheet.shown.iter().filter_map(|shown| variables.get(shown.var));
        drawing.cells = shown.flat_map(|places| places.keys().iter().cloned()).collect();
        drawing.totals = drawing.has_totals(&variables);
        (drawing.areas, drawing.cages) = drawing.all_areas();
        let islands = drawing.known().find(|(shown, _)| shown.style == Style::Islands);
        drawing.islands =
            islands.and_then(|(shown, values)| match solution::field(drawing.size, shown.style, values) {
                Field::Grid(sizes) => Some(sizes),
                _ => None,
            });
        drawing
    }

    fn has(&self, style: Style) -> bool {
        self.sheet.shown.iter().any(|shown| shown.style == style)
    }

    /// Iterates over the values that are known, with how they are shown.
    fn known(&self) -> impl Iterator<Item = (&'a Shown, &'a PlaceMap<i64>)> {
        let assignment = self.assignment;
        self.sheet.shown.iter().filter_map(move |shown| Some((shown, &assignment?[shown.var])))
    }

    /// The block whose clues are in the middle of cells: the one that editors show, or the first one.
    fn clue_block(&self) -> Option<&'a DataBlock> {
        let in_cells = |block: &&DataBlock| matches!(block.scheme, Scheme::Grid | Scheme::Sums);
        text::edited(self.sheet).or_else(|| self.sheet.blocks.iter().find(in_cells))
    }

    /// Returns the clues of a cell that are in its corner, because others are in the middle.
    fn corner_clues(&self, cell: Cell) -> String {
        let shown = self.clue_block().map(|block| &block.fields);
        let blocks = self.sheet.blocks.iter();
        let others = blocks.filter(|block| block.scheme == Scheme::Grid && Some(&block.fields) != shown);
        let word =
            |block: &DataBlock| (0..block.fields.len()).map(|field| self.text(block, field, cell)).collect();
        let words: Vec<String> = others.map(word).filter(|word: &String| !word.is_empty()).collect();
        words.join(" ")
    }

    /// Returns the text of a value in a cell: empty without a value, and an arrow for a direction.
    fn text(&self, block: &DataBlock, field: usize, cell: Cell) -> String {
        match self.clue(block, field, cell) {
            Value::None => String::new(),
            value if self.symbols[block.fields[field]] == Symbols::Directions => {
                arrow(&value.to_string()).to_owned()
            }
            value => value.to_string(),
        }
    }

    /// Returns the value of a name of a block in a cell.
    fn clue(&self, block: &DataBlock, field: usize, cell: Cell) -> Value {
        self.board.lookup(block.fields[field], &Spot::Cell(cell).into())
    }

    /// Returns whether a number in a cell is no value that the cell can have.
    fn has_totals(&self, variables: &[VariablePlaces]) -> bool {
        let Some(block) = self.clue_block().filter(|block| block.fields.len() == 1) else { return false };
        let Some(shown) = self.sheet.shown.iter().find(|shown| shown.style == Style::Numbers) else {
            return false;
        };
        let Some(places) = variables.get(shown.var) else { return false };
        self.size.cells().any(|cell| {
            let (Some(number), Some(values)) =
                (self.clue(block, 0, cell).number(), places.get(&Spot::Cell(cell).into()))
            else {
                return false;
            };
            let found =
                self.assignment.and_then(|assignment| assignment[shown.var].get(&Spot::Cell(cell).into()));
            values.binary_search(&number).is_err() || found.is_some_and(|found| *found != number)
        })
    }

    /// Returns the areas that walls separate, and the cages. On a board with boxes, areas are cages unless they stand for
    /// the boxes: they have as many cells each, and contain all cells.
    fn all_areas(&self) -> (Vec<PlaceMap<usize>>, Vec<PlaceMap<usize>>) {
        let boxes = if self.sheet.calls("boxes") { Geometry::new(self.size).boxes() } else { Value::set([]) };
        let has_boxes = !boxes.items().is_empty();
        let (mut all, mut cages) = (Vec::new(), Vec::new());
        for block in self.sheet.blocks.iter().filter(|block| block.scheme == Scheme::Areas) {
            let keys = self.board.keys(block.fields[0]);
            let areas: Vec<Vec<Cell>> = keys.items().iter().map(cells).collect();
            let are_boxes = areas.len() == boxes.items().len()
                && areas.iter().all(|area| area.len() == usize::from(self.size.columns));
            let numbered = self.numbered(areas.into_iter());
            if has_boxes && !are_boxes { cages.push(numbered) } else { all.push(numbered) }
        }
        if all.is_empty() && has_boxes {
            all.push(self.numbered(boxes.items().iter().map(cells)));
        }
        for (shown, values) in self.known() {
            if shown.style == Style::Pieces {
                let chosen = values.iter().filter(|(_, value)| **value != 0);
                all.push(self.numbered(chosen.map(|(key, _)| cells(key))));
            }
        }
        (all, cages)
    }

    fn numbered(&self, areas: impl Iterator<Item = Vec<Cell>>) -> PlaceMap<usize> {
        let mut numbers = PlaceMap::new(self.size);
        for (number, area) in areas.enumerate() {
            for cell in area {
                numbers.insert(Spot::Cell(cell).into(), number);
            }
        }
        numbers
    }

    /// Returns whether a cell does not belong to the board: it is in no area, and has no variable.
    fn is_missing(&self, cell: &Value) -> bool {
        let mut areas = self.sheet.blocks.iter().filter(|block| block.scheme == Scheme::Areas);
        areas.any(|block| self.board.lookup(block.fields[0], cell) == Value::None)
            && !self.cells.contains(cell)
    }

    /// Returns the sides of a cell that separate areas.
    fn walls(&self, cell: Cell) -> u8 {
        let here = Value::from(Spot::Cell(cell));
        let of_direction = |&(direction, bit): &(Direction, u8)| {
            let there = Value::from(Spot::Cell(self.size.step(cell, direction)?));
            let by_area = self.areas.iter().any(|areas| areas.get(&here) != areas.get(&there));
            let by_number = self.known().any(|(shown, values)| {
                (shown.style == Style::Areas || shown.style == Style::Numbers && self.sized)
                    && matches!((values.get(&here), values.get(&there)), (Some(a), Some(b)) if a != b)
            });
            (by_area || by_number).then_some(bit)
        };
        BITS.iter().filter_map(of_direction).sum()
    }

    /// Returns the sides of a cell at the border of its cage.
    fn cage(&self, cell: Cell) -> u8 {
        let here = Value::from(Spot::Cell(cell));
        let is_border = |&&(direction, _): &&(Direction, u8)| {
            let there = self.size.step(cell, direction).map(|cell| Value::from(Spot::Cell(cell)));
            self.cages.iter().any(|cages| {
                let cage = cages.get(&here);
                cage.is_some() && cage != there.as_ref().and_then(|there| cages.get(there))
            })
        };
        BITS.iter().filter(is_border).map(|(_, bit)| bit).sum()
    }

    /// Returns the chains of cells.
    fn chains(&self) -> Vec<Chain> {
        let blocks = self.sheet.blocks.iter().filter(|block| block.scheme == Scheme::Chains);
        let of_block = |(kind, block): (usize, &DataBlock)| {
            let chains = self.board.keys(block.fields[0]);
            let cell = |spot| if let Spot::Cell(cell) = spot { Some(place(cell)) } else { None };
            let chain =
                |chain: &Value| Chain { cells: chain.places().into_iter().filter_map(cell).collect(), kind };
            chains.items().iter().map(chain).collect::<Vec<_>>()
        };
        blocks.enumerate().flat_map(of_block).collect()
    }

    /// Returns the drawing of a cell, without its token.
    fn cell(&self, cell: Cell) -> Drawn {
        let mut drawn = self.clue_cell(cell).walled(self.walls(cell)).caged(self.cage(cell));
        let corner = self.corner_clues(cell);
        if !corner.is_empty() {
            drawn = drawn.numbered(corner);
        }
        let key = Value::from(Spot::Cell(cell));
        if self.is_missing(&key) {
            drawn = drawn.on(Ground::Block);
        }
        let shown_numbers = self.known().filter(|(shown, _)| shown.style == Style::Numbers);
        let numbers: Vec<String> =
            shown_numbers.filter_map(|(_, values)| values.get(&key)).map(i64::to_string).collect();
        for (shown, values) in self.known() {
            let value = values.get(&key).copied();
            drawn = match (shown.style, value) {
                (Style::Shaded, Some(1)) => drawn.on(Ground::Block),
                (Style::Shaded | Style::Mark, Some(0)) if self.partial => drawn.signed(Sign::Dot),
                (Style::Mark, Some(1)) => drawn.with(self.mark(shown)),
                (Style::Islands, Some(1)) => drawn.on(Ground::Sea),
                (Style::Islands, Some(_)) => self.island(drawn, cell).on(Ground::Land),
                (Style::Slant, Some(value)) => drawn.with(Sign::Diagonal { falls: value != 0 }),
                (Style::Numbers, Some(_)) if numbers.len() > 1 => {
                    drawn.with(Sign::Label(numbers.join(" "))).in_role(Role::Mark)
                }
                (Style::Numbers, Some(number)) => self.number(drawn, cell, number),
                (Style::Path, _) => {
                    let (lines, open) = self.edges(values, |direction| self.size.link(cell, direction));
                    drawn.lines_to(lines).closed_to(open & (RIGHT | DOWN))
                }
                (Style::Border, _) => {
                    let (lines, open) = self.edges(values, |direction| Some(self.size.side(cell, direction)));
                    drawn.fenced(lines, open)
                }
                (Style::Bridges, _) => {
                    let (lines, doubled) = Self::bridges(cell, values);
                    drawn.lines_to(lines).doubled_to(doubled)
                }
                _ => drawn,
            };
        }
        drawn
    }

    /// Returns the drawing of a cell of an island. Its size is shown where the board has a clue without a number.
    fn island(&self, drawn: Drawn, cell: Cell) -> Drawn {
        let given = self.clue_block().map_or(Value::None, |block| self.clue(block, 0, cell));
        match (given, &self.islands) {
            (Value::None, _) if self.partial => drawn.with(Sign::Label(LAND.to_owned())).in_role(Role::Plain),
            (Value::Symbol(_), Some(sizes)) if !self.partial => {
                drawn.numbered(sizes[sizes.index(cell.row.into(), cell.column.into())].to_string())
            }
            _ => drawn,
        }
    }

    fn mark(&self, shown: &Shown) -> Sign {
        match shown.symbol.as_deref() {
            Some("*" | "★") => Sign::Star,
            Some(symbol) => Sign::Label(symbol.to_owned()),
            None => Sign::Label(solution::mark(self.sheet, shown)),
        }
    }

    /// Returns the directions in which a line leaves a cell, and those in which no line does.
    fn edges(&self, values: &PlaceMap<i64>, edge: impl Fn(Direction) -> Option<Spot>) -> (u8, u8) {
        let (mut lines, mut open) = (0, 0);
        for (direction, bit) in BITS {
            match edge(direction).and_then(|edge| values.get(&edge.into())) {
                Some(0) if self.partial => open |= bit,
                Some(0) | None => {}
                Some(_) => lines |= bit,
            }
        }
        (lines, open)
    }

    /// Returns the directions in which bridges leave a cell, and those with two or more of them.
    fn bridges(cell: Cell, values: &PlaceMap<i64>) -> (u8, u8) {
        let (mut lines, mut doubled) = (0, 0);
        for (key, &value) in values.iter().filter(|(_, value)| **value != 0) {
            let [a, b] = cells(key)[..] else { continue };
            let sides =
                if a.row == cell.row && b.row == cell.row && (a.column..=b.column).contains(&cell.column) {
                    [(cell != a, LEFT), (cell != b, RIGHT)]
                } else if a.column == cell.column
                    && b.column == cell.column
                    && (a.row..=b.row).contains(&cell.row)
                {
                    [(cell != a, UP), (cell != b, DOWN)]
                } else {
                    continue;
                };
            let bits: u8 = sides.iter().filter(|(leads, _)| *leads).map(|(_, bit)| bit).sum();
            lines |= bits;
            doubled |= if value > 1 { bits } else { 0 };
        }
        (lines, doubled)
    }

    /// Adds the number of the solution. A given number keeps its role, and a total moves to the corner.
    fn number(&self, drawn: Drawn, cell: Cell, number: i64) -> Drawn {
        let given =
            self.clue_block().filter(|block| block.fields.len() == 1).map(|block| self.clue(block, 0, cell));
        match given {
            Some(Value::Number(given)) if !self.totals && given == number => drawn,
            _ => drawn.with(Sign::Label(number.to_string())).in_role(Role::Mark),
        }
    }

    /// Returns the drawing of a cell with its clue.
    fn clue_cell(&self, cell: Cell) -> Drawn {
        let empty = || Drawn::new(NOTHING, Role::Ground);
        let Some(block) = self.clue_block() else { return empty() };
        let values: Vec<Value> = (0..block.fields.len()).map(|field| self.clue(block, field, cell)).collect();
        let text = |value: &Value| if *value == Value::None { String::new() } else { value.to_string() };
        match (block.scheme, &values[..]) {
            (Scheme::Sums, [down, across, Value::Bool(true)]) => {
                let drawn = Drawn::new(NOTHING, Role::Given).on(Ground::Block);
                let is_blank = (down, across) == (&Value::None, &Value::None);
                if is_blank { drawn } else { drawn.with(Sign::Sums(text(down), text(across))) }
            }
            (Scheme::Sums, _) | (_, [Value::None]) => empty(),
            (_, [Value::Number(number)]) if self.totals => empty().numbered(number.to_string()),
            // The path of the solution runs through the middle.
            (_, [value]) if self.has(Style::Path) && !self.areas.is_empty() => empty().numbered(text(value)),
            (_, [Value::Number(_)]) if self.is_star(block) => empty(),
            (_, [_]) => self.symbol(block, 0, cell),
            (_, values) => {
                // A number with a colour is in a circle, or in a black cell.
                let (mut label, mut colour) = (String::new(), None);
                for field in 0..values.len() {
                    match self.colour(block, field, cell) {
                        Some(drawn) => colour = Some((self.symbols[block.fields[field]], drawn)),
                        None => label += &self.text(block, field, cell),
                    }
                }
                match colour {
                    Some((_, drawn)) if label.is_empty() => drawn,
                    Some((Symbols::Blocks, drawn)) => drawn.with(Sign::Label(label)),
                    Some((_, drawn)) => drawn.numbered(label),
                    None if label.is_empty() => empty(),
                    None => Drawn::label(label, Role::Given),
                }
            }
        }
    }

    /// Returns the drawing of a colour: pearls as circles, and black cells.
    fn colour(&self, block: &DataBlock, field: usize, cell: Cell) -> Option<Drawn> {
        let token = self.text(block, field, cell);
        let drawn = Drawn::new(token.clone(), Role::Given);
        match (self.symbols[block.fields[field]], &*token) {
            (Symbols::Circles, "w" | "b") => Some(drawn.with(Sign::Circle { filled: token == "b" })),
            (Symbols::Blocks, "b") => Some(drawn.on(Ground::Block)),
            _ => None,
        }
    }

    /// Returns the drawing of a clue: colours, walls as blocks, and texts.
    fn symbol(&self, block: &DataBlock, field: usize, cell: Cell) -> Drawn {
        let token = self.text(block, field, cell);
        if let Some(drawn) = self.colour(block, field, cell) {
            drawn
        } else if token == "#" {
            Drawn::new(token, Role::Given).on(Ground::Block)
        } else if self.has(Style::Bridges) {
            Drawn::new(token.clone(), Role::Given).with(Sign::Island(token))
        } else {
            Drawn::label(token, Role::Given)
        }
    }

    /// Returns whether the numbers of a block are positions of stars: in the middle of a cell, or on its right or lower side, or
    /// at the corner between them.
    fn is_star(&self, block: &DataBlock) -> bool {
        let parts = self.sheet.addresses.iter().flat_map(|address| &address.parts);
        parts.into_iter().any(|part| part.scheme == AddressScheme::Stars && part.data == block.fields)
    }

    /// Returns the marks between cells.
    fn points(&self) -> Vec<Point> {
        let mut points = Vec::new();
        for block in &self.sheet.blocks {
            let is_star = block.scheme == Scheme::Grid && self.is_star(block);
            if block.scheme == Scheme::Links {
                points.extend(self.marks_of_links(block));
                continue;
            }
            if block.scheme != Scheme::Corners && !is_star {
                continue;
            }
            for (row, values) in block::rows(self.board, block, 0).iter().enumerate() {
                for (column, value) in values.iter().enumerate().filter(|(_, value)| **value != Value::None) {
                    let (row, column) = (2 * row, 2 * column);
                    if !is_star {
                        // Another block can have a value at the same corner, such as the sign of a number.
                        let at = |point: &&mut Point| (point.row, point.column) == (row, column);
                        match points.iter_mut().find(at) {
                            Some(point) => point.label += &value.to_string(),
                            None => {
                                points.push(Point {
                                    row,
                                    column,
                                    label: value.to_string(),
                                    role: Role::Given,
                                });
                            }
                        }
                    } else if let Some(at) = value.number() {
                        points.push(Point {
                            row: row + 1 + usize::from(matches!(at, 2 | 4)),
                            column: column + 1 + usize::from(matches!(at, 3 | 4)),
                            label: String::new(),
                            role: Role::Given,
                        });
                    }
                }
            }
        }
        points
    }

    /// Returns the marks between neighbours: dots, and numbers or signs.
    fn marks_of_links(&self, block: &DataBlock) -> Vec<Point> {
        let mut points = Vec::new();
        for link in self.size.links() {
            let (value, Spot::Link(cell, axis)) = (self.board.lookup(block.fields[0], &link.into()), link)
            else {
                continue;
            };
            let label = match value.to_string().as_str() {
                _ if value == Value::None => continue,
                "w" => String::new(),
                "b" => "●".to_owned(),
                other => other.to_owned(),
            };
            let (row, column) = (2 * usize::from(cell.row), 2 * usize::from(cell.column));
            let (row, column) =
                if axis == Axis::Across { (row + 1, column + 2) } else { (row + 2, column + 1) };
            points.push(Point { row, column, label, role: Role::Given });
        }
        points
    }

    /// Returns the clues outside of the board.
    fn outside(&self) -> Outside {
        let mut outside = Outside::default();
        for block in &self.sheet.blocks {
            let single = |row: &[Value]| -> Vec<Vec<String>> {
                row.iter()
                    .map(|value| if *value == Value::None { Vec::new() } else { vec![value.to_string()] })
                    .collect()
            };
            let lists = |rows: &Rows<Value>| -> Vec<Vec<String>> {
                rows.iter().map(|row| row.iter().map(Value::to_string).collect()).collect()
            };
            if !matches!(
                block.scheme,
                Scheme::Columns | Scheme::Rows | Scheme::ColumnLists | Scheme::RowLists | Scheme::Views
            ) {
                continue;
            }
            let rows = block::rows(self.board, block, 0);
            match block.scheme {
                Scheme::Columns => add(&mut outside.top, single(&rows[0])),
                Scheme::Rows => add(&mut outside.left, single(&rows[0])),
                Scheme::ColumnLists => add(&mut outside.top, lists(&rows)),
                Scheme::RowLists => add(&mut outside.left, lists(&rows)),
                _ => {
                    let sides =
                        [&mut outside.top, &mut outside.bottom, &mut outside.left, &mut outside.right];
                    for (side, row) in sides.into_iter().zip(&rows) {
                        add(side, single(row));
                    }
                }
            }
        }
        outside
    }

    /// Returns the blocks of plain text, with their labels: those of the solution, or those of the board.
    fn blocks(&self) -> Vec<(Option<String>, Block)> {
        if let Some(assignment) = self.assignment.filter(|_| !self.partial) {
            let blocks = solution::write(self.board, &solution::solution(self.board, assignment));
            return blocks.into_iter().map(|block| (None, block)).collect();
        }
        let role = |token: String| {
            let role = if token == NOTHING { Role::Ground } else { Role::Given };
            (token, role)
        };
        let block = |(label, rows): (Option<String>, Rows<String>)| {
            let rows = rows.into_iter().map(|row| row.into_iter().map(role).collect());
            (label, rows.collect())
        };
        text::blocks(self.board).into_iter().map(block).collect()
    }
}

/// Adds clues outside of the lines on one side of the board.
fn add(side: &mut Vec<Vec<String>>, clues: Vec<Vec<String>>) {
    if clues.iter().any(|line| !line.is_empty()) {
        side.resize(side.len().max(clues.len()), Vec::new());
        side.iter_mut().zip(clues).for_each(|(line, clues)| line.extend(clues));
    }
}

/// Returns the arrow for a direction, and every other text as it is.
fn arrow(text: &str) -> &str {
    match text {
        "n" => "↑",
        "e" => "→",
        "s" => "↓",
        "w" => "←",
        other => other,
    }
}
