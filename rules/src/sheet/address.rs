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
    /// Two symbols in cells, three cells in a character.
    Three,
    /// The symbols that the data can have, as numbers from 1, with letters for gaps.
    Letters10,
    /// Symbols in cells, on sides and at corners, two positions in a number.
    Dots,
    /// Symbols on all sides of cells, also at the border of the board.
    OuterBorder,
    /// The sides of cells that are not borders between areas.
    Joined,
    /// Areas that are the maximal groups of marked cells.
    Ice,
    /// Cells without an area, or a slash.
    EmptyOrSlash,
    /// Cells without a symbol.
    Stones,
    /// Numbers and black cells, with a dot for a single gap.
    Kakuru,
    /// Numbers and black cells, hexadecimal.
    WallLogic,
    /// Numbers, and black cells with or without a number.
    Tateyoko,
    /// Numbers and pieces of a line.
    LoopSpecial,
    /// Numbers of pieces and of pots.
    Yosenabe,
    /// Boxes, numbers with directions, and walls.
    Yajisoko,
    /// Circles and numbers.
    Brownies,
    /// Sums, and the numbers of cells with a number.
    Slovak,
    /// Several lengths in cells, in decimal digits.
    Lohkous,
    /// Several lengths in cells, which can have several digits.
    RailPool,
    /// Two rows of numbers outside of the board.
    Magnets,
    /// The sums of rows and columns.
    Box,
    /// Paths of arrows between neighbours.
    Arrows,
    /// Shapes, one after the other.
    PieceBank,
    /// The lengths of ships.
    Fleet,
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
    /// At corners.
    Corners,
    /// Outside of the board, for rows, columns or views.
    Lines,
    /// The data are areas.
    Areas,
    /// In cells, or the data are areas.
    CellsOrAreas,
    /// The data is a number.
    Number,
    /// The data are chains of cells.
    Chains,
}

impl Places {
    fn accepts(self, sort: &DataSort) -> bool {
        match sort {
            DataSort::Areas => matches!(self, Self::Areas | Self::CellsOrAreas),
            DataSort::Number => self == Self::Number,
            DataSort::Sets => self == Self::Chains,
            DataSort::Option => false,
            DataSort::Map { key, .. } => match self {
                Self::Cells | Self::CellsOrAreas => *key == Sort::Cell,
                Self::CellsOrCorners => matches!(key, Sort::Cell | Sort::Corner),
                Self::CellsOrLinks => matches!(key, Sort::Cell | Sort::Link),
                Self::Links => *key == Sort::Link,
                Self::Corners => *key == Sort::Corner,
                Self::Lines => *key == Sort::Cell.set(),
                Self::Areas | Self::Number | Self::Chains => false,
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
            Self::Corners => "the name of data of corners",
            Self::Lines => "the name of data of rows, columns or views",
            Self::Areas => "the name of areas",
            Self::Number => "the name of a number",
            Self::Chains => "the name of chains",
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
    AddressRow {
        scheme: AddressScheme::Three,
        name: "three",
        fields: &[Places::Cells],
        summary: "the two symbols that the data can have, in their order",
    },
    AddressRow {
        scheme: AddressScheme::Letters10,
        name: "letters10",
        fields: &[Places::Cells],
        summary: "the symbols that the data can have, as the numbers 1, 2 and so on",
    },
    AddressRow {
        scheme: AddressScheme::Dots,
        name: "dots",
        fields: &[Places::Cells, Places::Links, Places::Corners],
        summary: "the symbols `b` (black), `g` (grey) and `w` (white), or the only symbol that the data of cells can have: the names of those in cells, between neighbours and at corners",
    },
    AddressRow {
        scheme: AddressScheme::OuterBorder,
        name: "outer_border",
        fields: &[Places::Links, Places::Lines],
        summary: "the only symbol that the data can have, between neighbours and at the border of the board: the names of the data of links and of views",
    },
    AddressRow {
        scheme: AddressScheme::Joined,
        name: "joined",
        fields: &[Places::Areas],
        summary: "areas, as in addresses of mejilink",
    },
    AddressRow {
        scheme: AddressScheme::Ice,
        name: "ice",
        fields: &[Places::Areas],
        summary: "areas that do not touch each other; the other cells belong to no area",
    },
    AddressRow {
        scheme: AddressScheme::EmptyOrSlash,
        name: "empty_or_slash",
        fields: &[Places::Areas],
        summary: "the cells that belong to no area, or a slash for a board without them",
    },
    AddressRow {
        scheme: AddressScheme::Stones,
        name: "stones",
        fields: &[Places::Cells],
        summary: "the only symbol that the data can have, as in addresses of goishi",
    },
    AddressRow {
        scheme: AddressScheme::Kakuru,
        name: "kakuru",
        fields: &[Places::Cells],
        summary: "numbers up to 45; `?` is a clue without a number, and `#` a black cell",
    },
    AddressRow {
        scheme: AddressScheme::WallLogic,
        name: "walllogic",
        fields: &[Places::Cells],
        summary: "numbers up to 255; `?` is a clue without a number, and `#` a black cell",
    },
    AddressRow {
        scheme: AddressScheme::Tateyoko,
        name: "tateyoko",
        fields: &[Places::Cells, Places::Cells],
        summary: "numbers up to 255, and black cells with the only symbol that they can have, with or without a number up to 4: the names of the numbers and of the black cells",
    },
    AddressRow {
        scheme: AddressScheme::LoopSpecial,
        name: "loopsp",
        fields: &[Places::Cells, Places::Cells],
        summary: "numbers, and the symbols of `pipelink`: the names of the numbers and of the symbols",
    },
    AddressRow {
        scheme: AddressScheme::Yosenabe,
        name: "yosenabe",
        fields: &[Places::Cells, Places::Cells],
        summary: "numbers in circles, and other numbers; `?` is a number that is not known: the names of both",
    },
    AddressRow {
        scheme: AddressScheme::Yajisoko,
        name: "yajisoko",
        fields: &[Places::Cells, Places::Cells, Places::Cells],
        summary: "boxes `o`, walls `#`, and numbers with directions; `∞` is a number that is never right: the names of the boxes and walls, of the numbers and of the directions",
    },
    AddressRow {
        scheme: AddressScheme::Brownies,
        name: "brownies",
        fields: &[Places::Cells],
        summary: "circles `o`, and numbers up to 8; `?` is a clue without a number",
    },
    AddressRow {
        scheme: AddressScheme::Slovak,
        name: "slovak",
        fields: &[Places::Cells, Places::Cells],
        summary: "sums, and the letters `a` to `d` for the number of cells with a number; `x` is a clue with neither: the names of the sums and of the letters",
    },
    AddressRow {
        scheme: AddressScheme::Lohkous,
        name: "lohkous",
        fields: &[Places::Cells, Places::Cells, Places::Cells, Places::Cells],
        summary: "up to four numbers from 1 to 9 in a cell; `?` is a number that is not known: the names of the first to the fourth number",
    },
    AddressRow {
        scheme: AddressScheme::RailPool,
        name: "railpool",
        fields: &[Places::Cells, Places::Cells, Places::Cells, Places::Cells],
        summary: "the same with numbers of any size",
    },
    AddressRow {
        scheme: AddressScheme::Magnets,
        name: "magnets",
        fields: &[Places::Lines, Places::Lines],
        summary: "two numbers for each row and column: the names of the outer and of the inner numbers",
    },
    AddressRow {
        scheme: AddressScheme::Box,
        name: "box",
        fields: &[Places::Lines],
        summary: "a number for each column and row",
    },
    AddressRow {
        scheme: AddressScheme::Arrows,
        name: "arrows",
        fields: &[Places::Chains],
        summary: "chains of neighbours without common cells",
    },
    AddressRow {
        scheme: AddressScheme::PieceBank,
        name: "piece_bank",
        fields: &[Places::Areas],
        summary: "shapes, as areas of a board on which their places have no meaning",
    },
    AddressRow {
        scheme: AddressScheme::Fleet,
        name: "fleet",
        fields: &[Places::Number],
        summary: "a fleet of ships, as the length of the longest: there is one of it, two ships are one cell shorter, and so on",
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
