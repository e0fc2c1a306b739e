//! How the variables of a solution are drawn and written.

use super::sort::Sort;

/// A style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Boolean variables on cells: shaded cells.
    Shaded,
    /// Boolean variables on cells: a symbol in the cell.
    Mark,
    /// Numbers in cells.
    Numbers,
    /// Numbers in cells that name areas: cells with the same number form an area.
    Areas,
    /// Boolean variables on links: lines through cells.
    Path,
    /// Boolean variables on sides: lines along sides.
    Border,
    /// Boolean variables on cells: a diagonal from the top left, or from the top right.
    Slant,
    /// Boolean variables on sets of cells: the chosen sets are areas.
    Pieces,
    /// Numbers on pairs of cells: so many bridges.
    Bridges,
    /// Boolean variables on cells: sea. The other cells form islands.
    Islands,
}

impl Style {
    /// All styles, in the order of the specification page.
    pub const ALL: &[Self] = &[
        Self::Shaded,
        Self::Mark,
        Self::Numbers,
        Self::Areas,
        Self::Path,
        Self::Border,
        Self::Slant,
        Self::Pieces,
        Self::Bridges,
        Self::Islands,
    ];

    /// Returns the name in sheets.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Shaded => "shaded",
            Self::Mark => "mark",
            Self::Numbers => "numbers",
            Self::Areas => "areas",
            Self::Path => "path",
            Self::Border => "border",
            Self::Slant => "slant",
            Self::Pieces => "pieces",
            Self::Bridges => "bridges",
            Self::Islands => "islands",
        }
    }

    /// Describes what the style draws.
    #[must_use]
    pub fn summary(self) -> &'static str {
        match self {
            Self::Shaded => "Boolean variables on cells: shaded cells",
            Self::Mark => "Boolean variables on cells: a symbol, which can follow in double quotes",
            Self::Numbers => "numbers on cells: the number of each cell",
            Self::Areas => "numbers on cells: cells with the same number form an area",
            Self::Path => "Boolean variables on links: lines through the centres of cells",
            Self::Border => "Boolean variables on sides: lines along the sides of cells",
            Self::Slant => "Boolean variables on cells: a diagonal from the top left, or from the top right",
            Self::Pieces => "Boolean variables on sets of cells: the chosen sets are areas",
            Self::Bridges => "numbers on pairs of cells: as many bridges between them",
            Self::Islands => {
                "Boolean variables on cells: sea. The other cells form islands; the solution shows the size of the \
                 island in each cell, and 0 for sea"
            }
        }
    }

    /// Describes the variables that the style can draw.
    #[must_use]
    pub fn variables(self) -> &'static str {
        match self {
            Self::Shaded | Self::Mark | Self::Slant | Self::Islands => "Boolean variables on cells",
            Self::Numbers | Self::Areas => "numbers on cells",
            Self::Path => "Boolean variables on links",
            Self::Border => "Boolean variables on sides",
            Self::Pieces => "Boolean variables on sets of cells",
            Self::Bridges => "numbers on pairs of cells",
        }
    }

    pub(super) fn fits(self, place: &Sort, numbers: bool) -> bool {
        match self {
            Self::Shaded | Self::Mark | Self::Slant | Self::Islands => *place == Sort::Cell && !numbers,
            Self::Numbers | Self::Areas => *place == Sort::Cell && numbers,
            Self::Path => *place == Sort::Link && !numbers,
            Self::Border => *place == Sort::Side && !numbers,
            Self::Pieces => *place == Sort::Cell.set() && !numbers,
            Self::Bridges => *place == Sort::Cell.set() && numbers,
        }
    }
}
