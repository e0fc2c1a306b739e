//! The puzz.link addresses of a puzzle type: which data the parts of an address contain.
//!
//! The file has over 400 lines because it is one table.

use super::resolve::unknown;
use super::scheme::DataSort;
use super::sort::Sort;
use super::syntax::{AddressSyntax, Name};
use super::{Data, SheetError};

/// How a part of an address is written. The names are those of the program pzpr where it has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressScheme {
    /// Numbers from 0 to 4 in cells or at corners, with the gaps between them in the same character.
    FourCell,
    /// Numbers of any size in cells, hexadecimal, with letters for gaps.
    Number16,
    /// Three states in cells, three cells in a character.
    Circle,
    /// The borders between areas.
    Border,
    /// A number for each area, in the order of the areas.
    RoomNumber16,
    /// Numbers with directions.
    ArrowNumber16,
    /// A number in each cell, in one or more digits and letters.
    Number36,
    /// Numbers from 0 to 9 in cells, with letters for gaps.
    Number10,
    /// The same with cells that do not belong to the board.
    Number10Holes,
    /// Numbers from 1 to 4 in cells, with digits and letters for gaps.
    Toichika,
    /// The shapes of rectangles.
    Tatamibari,
    /// Pieces of a line.
    Pipelink,
    /// Numbers from 0 to 4 in cells, with letters and digits for gaps.
    Shugaku,
    /// Marks on the path of a maze.
    NuriMaze,
    /// The symbols that the data can have, by their position, and holes.
    Letters,
    /// Cells with crosses, and the numbers of the others.
    Bosanowa,
    /// Balls and holes.
    Herugolf,
    /// Mirrors with or without a number, and crossings.
    Reflect,
    /// Walls between neighbours.
    Walls,
    /// Black cells with numbers and directions, gates, and a start.
    Slalom,
    /// The place of a goal, and arrows.
    GuideArrow,
    /// Four numbers in a cell.
    Compass,
    /// Circles, with numbers or without.
    Balance,
    /// Numbers, and closed cells with directions.
    Makaro,
    /// Cells without an area, and gaps.
    Marks,
    /// A number for each column and row, after a board of empty cells.
    TileSums,
    /// The lengths of several runs in cells.
    Tapa,
    /// Numbers and signs between neighbours.
    Minarism,
    /// Numbers with directions and colours.
    Castle,
    /// Circles with or without a number, and directions.
    Sashigane,
    /// The places of a start and a goal.
    StartGoal,
    /// A slash between two parts.
    Slash,
    /// Cells with a symbol, and gaps.
    OneCell,
    /// Cells with a symbol or without an area, five cells in a character.
    Empty,
    /// Stars in the middle of a cell, on a side, or at a corner.
    Stars,
    /// A number before a slash.
    StarCount,
    /// Numbers outside of the board.
    Outside,
    /// The sums of a kakuro board.
    Kakuro,
}

/// Where data has values that a part of an address contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Places {
    /// In cells.
    Cells,
    /// In cells or at corners.
    CellsOrCorners,
    /// In cells or between neighbours.
    CellsOrLinks,
    /// Between neighbours.
    Links,
    /// Outside of the board, for rows, columns or views.
    Lines,
    /// The data are areas.
    Areas,
    /// In cells, or the data are areas.
    CellsOrAreas,
    /// The data is a number.
    Number,
}

impl Places {
    fn accepts(self, sort: &DataSort) -> bool {
        match sort {
            DataSort::Areas => matches!(self, Self::Areas | Self::CellsOrAreas),
            DataSort::Number => self == Self::Number,
            DataSort::Option | DataSort::Sets => false,
            DataSort::Map { key, .. } => match self {
                Self::Cells | Self::CellsOrAreas => *key == Sort::Cell,
                Self::CellsOrCorners => matches!(key, Sort::Cell | Sort::Corner),
                Self::CellsOrLinks => matches!(key, Sort::Cell | Sort::Link),
                Self::Links => *key == Sort::Link,
                Self::Lines => *key == Sort::Cell.set(),
                Self::Areas | Self::Number => false,
            },
        }
    }

    /// Returns what an error message expects.
    fn expected(self) -> &'static str {
        match self {
            Self::Cells | Self::CellsOrCorners | Self::CellsOrLinks | Self::CellsOrAreas => {
                "the name of data in cells"
            }
            Self::Links => "the name of data of links",
            Self::Lines => "the name of data of rows, columns or views",
            Self::Areas => "the name of areas",
            Self::Number => "the name of a number",
        }
    }
}

/// A row of the table of address schemes.
#[derive(Debug)]
pub struct AddressRow {
    /// The scheme.
    pub scheme: AddressScheme,
    /// The name in sheets.
    pub name: &'static str,
    /// The names of data after the scheme: where each of them has values.
    pub fields: &'static [Places],
    /// What the part contains.
    pub summary: &'static str,
}

/// The table of address schemes.
pub static ADDRESS_SCHEMES: &[AddressRow] = &[
    AddressRow {
        scheme: AddressScheme::FourCell,
        name: "four_cell",
        fields: &[Places::CellsOrCorners],
        summary: "numbers from 0 to 4 in cells or at corners; `?` is a clue without a number",
    },
    AddressRow {
        scheme: AddressScheme::Number16,
        name: "number16",
        fields: &[Places::CellsOrLinks],
        summary: "numbers in cells or between neighbours; `?` is a clue without a number",
    },
    AddressRow {
        scheme: AddressScheme::Circle,
        name: "circle",
        fields: &[Places::CellsOrLinks],
        summary: "the symbols `w` (white) and `b` (black) in cells or between neighbours",
    },
    AddressRow { scheme: AddressScheme::Border, name: "border", fields: &[Places::Areas], summary: "areas" },
    AddressRow {
        scheme: AddressScheme::RoomNumber16,
        name: "room_number16",
        fields: &[Places::Cells, Places::Areas],
        summary: "a number for each area, which belongs to its first cell: the names of the numbers and of the areas",
    },
    AddressRow {
        scheme: AddressScheme::ArrowNumber16,
        name: "arrow_number16",
        fields: &[Places::Cells, Places::Cells],
        summary: "numbers in cells with directions: the names of the numbers and of the directions",
    },
    AddressRow {
        scheme: AddressScheme::Number36,
        name: "number36",
        fields: &[Places::Cells],
        summary: "a number in each cell, as in addresses of hitori",
    },
    AddressRow {
        scheme: AddressScheme::Number10,
        name: "number10",
        fields: &[Places::Cells],
        summary: "numbers from 0 to 9 in cells; `?` is a clue without a number",
    },
    AddressRow {
        scheme: AddressScheme::Number10Holes,
        name: "number10_holes",
        fields: &[Places::Cells],
        summary: "the same, with `#` for cells that do not belong to the board instead of 7",
    },
    AddressRow {
        scheme: AddressScheme::Toichika,
        name: "toichika",
        fields: &[Places::Cells],
        summary: "numbers from 1 to 4 in cells, as in addresses of toichika; `?` is a clue without a number",
    },
    AddressRow {
        scheme: AddressScheme::Tatamibari,
        name: "tatamibari",
        fields: &[Places::Cells],
        summary: "the symbols `+`, `-`, `|` and `?` in cells",
    },
    AddressRow {
        scheme: AddressScheme::Pipelink,
        name: "pipelink",
        fields: &[Places::Cells],
        summary: "the symbols `┼`, `│`, `─`, `└`, `┘`, `┐` and `┌` in cells",
    },
    AddressRow {
        scheme: AddressScheme::Shugaku,
        name: "shugaku",
        fields: &[Places::Cells],
        summary: "numbers from 0 to 4 in cells, as in addresses of shugaku; `?` is a clue without a number",
    },
    AddressRow {
        scheme: AddressScheme::NuriMaze,
        name: "nurimaze",
        fields: &[Places::Cells],
        summary: "the symbols `S` (start), `G` (goal), `o` (circle) and `t` (triangle) in cells",
    },
    AddressRow {
        scheme: AddressScheme::Letters,
        name: "letters",
        fields: &[Places::Cells],
        summary: "the symbols that the data can have, in their order; `#` is a cell that does not belong to the board",
    },
    AddressRow {
        scheme: AddressScheme::Bosanowa,
        name: "bosanowa",
        fields: &[Places::Cells],
        summary: "`x` for cells without a number, and numbers in the others",
    },
    AddressRow {
        scheme: AddressScheme::Herugolf,
        name: "herugolf",
        fields: &[Places::Cells],
        summary: "numbers, and `H` for holes",
    },
    AddressRow {
        scheme: AddressScheme::Reflect,
        name: "reflect",
        fields: &[Places::Cells, Places::Cells],
        summary: "the symbols `└`, `┘`, `┐`, `┌` and `┼`, and numbers: the names of the numbers and of the symbols",
    },
    AddressRow {
        scheme: AddressScheme::Walls,
        name: "walls",
        fields: &[Places::Links],
        summary: "the only symbol that the data can have, between neighbours",
    },
    AddressRow {
        scheme: AddressScheme::Slalom,
        name: "slalom",
        fields: &[Places::Cells, Places::Cells, Places::Cells],
        summary: "the symbols `#` (black), `|` and `-` (gates) and `o` (start), and numbers with directions in black cells: the names of the symbols, of the numbers and of the directions",
    },
    AddressRow {
        scheme: AddressScheme::GuideArrow,
        name: "guidearrow",
        fields: &[Places::Cells],
        summary: "`x` for the goal, and directions; `?` is an arrow without a direction",
    },
    AddressRow {
        scheme: AddressScheme::Compass,
        name: "compass",
        fields: &[Places::Cells, Places::Cells, Places::Cells, Places::Cells],
        summary: "up to four numbers in a cell: the names of the numbers up, right, down and left. Instead of the first, `?` stands for a compass without it, and `#` for a cell that does not belong to the board",
    },
    AddressRow {
        scheme: AddressScheme::Balance,
        name: "balance",
        fields: &[Places::Cells, Places::Cells],
        summary: "circles that are white (`w`) or black (`b`), some of them with a number: the names of the numbers and of the circles",
    },
    AddressRow {
        scheme: AddressScheme::Makaro,
        name: "makaro",
        fields: &[Places::Cells, Places::Cells, Places::Areas],
        summary: "numbers, and closed cells, which belong to no area, with or without a direction: the names of the numbers, of the directions and of the areas",
    },
    AddressRow {
        scheme: AddressScheme::Marks,
        name: "marks",
        fields: &[Places::CellsOrAreas],
        summary: "the only symbol that the data can have, or the cells that belong to no area, often far apart; nothing for a board without them",
    },
    AddressRow {
        scheme: AddressScheme::TileSums,
        name: "tile_sums",
        fields: &[Places::Lines],
        summary: "numbers for columns and rows, as in addresses of tilepaint",
    },
    AddressRow {
        scheme: AddressScheme::Tapa,
        name: "tapa",
        fields: &[Places::Cells],
        summary: "up to four numbers in cells, as the digits of one number in ascending order; `?` is a clue without a number",
    },
    AddressRow {
        scheme: AddressScheme::Minarism,
        name: "minarism",
        fields: &[Places::Links],
        summary: "numbers and signs between neighbours: `<` and `^` for a smaller first number, `>` and `v` for a greater one; `?` is a clue without either",
    },
    AddressRow {
        scheme: AddressScheme::Castle,
        name: "castle",
        fields: &[Places::Cells, Places::Cells, Places::Cells],
        summary: "numbers in cells with directions, and the colours `w` (white) and `b` (black): the names of the numbers, of the directions and of the colours",
    },
    AddressRow {
        scheme: AddressScheme::Sashigane,
        name: "sashigane",
        fields: &[Places::Cells, Places::Cells],
        summary: "circles `o`, some of them with a number, and directions: the names of the numbers and of the marks",
    },
    AddressRow {
        scheme: AddressScheme::StartGoal,
        name: "start_goal",
        fields: &[Places::Cells],
        summary: "the cells with the symbols `S` (start) and `G` (goal)",
    },
    AddressRow {
        scheme: AddressScheme::Slash,
        name: "slash",
        fields: &[],
        summary: "a slash between two parts",
    },
    AddressRow {
        scheme: AddressScheme::OneCell,
        name: "one_cell",
        fields: &[Places::Cells],
        summary: "the only symbol that the data can have, in cells that are often far apart",
    },
    AddressRow {
        scheme: AddressScheme::Empty,
        name: "empty",
        fields: &[Places::CellsOrAreas],
        summary: "the only symbol that the data can have, or the cells that belong to no area; nothing for a board without them",
    },
    AddressRow {
        scheme: AddressScheme::Stars,
        name: "dot",
        fields: &[Places::Cells],
        summary: "the centres of areas: 1 for the middle of a cell, 2 for the middle of its lower side, 3 for that of its right side, 4 for the corner between them; and `#` for cells that do not belong to the board",
    },
    AddressRow {
        scheme: AddressScheme::StarCount,
        name: "star_count",
        fields: &[Places::Number],
        summary: "a number and a slash",
    },
    AddressRow {
        scheme: AddressScheme::Outside,
        name: "outside",
        fields: &[Places::Lines],
        summary: "numbers outside of the board, for each row or column, or for each view",
    },
    AddressRow {
        scheme: AddressScheme::Kakuro,
        name: "kakuro",
        fields: &[Places::Cells, Places::Cells, Places::Cells],
        summary: "sums; the address leaves out the first row and the first column, which are closed",
    },
];

/// The addresses of a puzzle type with certain letters.
#[derive(Debug, Clone)]
pub struct SheetAddress {
    /// The names of the puzzle type in addresses. The first name is written.
    pub names: Vec<String>,
    /// The letters between the name and the size, in alphabetical order.
    pub letters: String,
    /// The options that its letters stand for, as indices of [`Sheet::data`](super::Sheet::data) in ascending order.
    pub options: Vec<usize>,
    /// The parts of the body.
    pub parts: Vec<AddressPart>,
}

/// A part of an address.
#[derive(Debug, Clone)]
pub struct AddressPart {
    /// How the part is written.
    pub scheme: AddressScheme,
    /// The data that the part contains, as indices of [`Sheet::data`](super::Sheet::data).
    pub data: Vec<usize>,
}

/// Resolves an address of a sheet: a row for each choice of its options, beginning with none.
pub(super) fn resolve(address: &AddressSyntax, data: &[Data]) -> Result<Vec<SheetAddress>, SheetError> {
    let names = address.names.iter().map(|name| name.text.clone()).collect();
    let mut parts = Vec::new();
    for (scheme, fields) in &address.parts {
        let known: Vec<&str> = ADDRESS_SCHEMES.iter().map(|row| row.name).collect();
        let Some(row) = ADDRESS_SCHEMES.iter().find(|row| row.name == scheme.text) else {
            return Err(unknown(scheme, format!("a scheme of addresses: {}", known.join(", ")), &known));
        };
        if fields.len() != row.fields.len() {
            let expected = format!("{} names of data after `{}`", row.fields.len(), row.name);
            return Err(SheetError::new(scheme.span.clone(), expected, fields.len().to_string()));
        }
        let mut part = AddressPart { scheme: row.scheme, data: Vec::new() };
        for (name, places) in fields.iter().zip(row.fields) {
            let at = data_named(name, data)?;
            if !places.accepts(&data[at].sort) {
                let found = format!("`{}`", name.text);
                return Err(SheetError::new(name.span.clone(), places.expected(), found));
            }
            part.data.push(at);
        }
        parts.push(part);
    }
    let mut rows = vec![SheetAddress { names, letters: address.letters.clone(), options: Vec::new(), parts }];
    for (name, letter) in &address.options {
        let option = data_named(name, data)?;
        if data[option].sort != DataSort::Option {
            let found = format!("`{}`", name.text);
            return Err(SheetError::new(name.span.clone(), "the name of an option", found));
        }
        for at in 0..rows.len() {
            let mut row = rows[at].clone();
            row.letters.push_str(&letter.text);
            row.options.push(option);
            rows.push(row);
        }
    }
    for row in &mut rows {
        let mut letters: Vec<char> = row.letters.chars().collect();
        letters.sort_unstable();
        row.letters = letters.into_iter().collect();
        row.options.sort_unstable();
    }
    Ok(rows)
}

/// Returns the index of the data with a name.
fn data_named(name: &Name, data: &[Data]) -> Result<usize, SheetError> {
    let known: Vec<&str> = data.iter().map(|data| data.name.as_str()).collect();
    let at = known.iter().position(|known| *known == name.text);
    at.ok_or_else(|| unknown(name, format!("the name of data: {}", known.join(", ")), &known))
}
