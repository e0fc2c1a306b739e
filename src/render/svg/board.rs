//! Draws boards of cells as SVG.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::ADVANCE;
use super::canvas::{Anchor, Canvas, number};
use crate::render::around::Point;
use crate::render::scene::{Cell, Chain, DOWN, Ground, Highlight, LEFT, RIGHT, Scene, Sign, UP};
use crate::rules::{Grid, Place};

/// The side length of a cell in a picture.
pub(super) const CELL: f64 = 40.0;

/// The colour of the value 1000 in a heat map.
const HOTTEST: &str = "#f0781e";

/// The outline of a rook in a square with the side length 100.
const ROOK: &str =
    "M22 88 V76 H30 L34 46 H26 V18 H40 V28 H45 V18 H55 V28 H60 V18 H74 V46 H66 L70 76 H78 V88 Z";

/// Draws a board as SVG, and returns its size.
pub(super) fn draw(canvas: &mut Canvas, scene: &Scene, cells: &Grid<Cell>) -> (f64, f64) {
    let size = (cells.columns() as f64 * CELL, cells.rows() as f64 * CELL);
    let placed = || (0..cells.len()).map(|index| (corner(cells.place(index)), &cells[index]));
    for (at, cell) in placed() {
        let class = match cell.ground {
            Ground::Open => continue,
            Ground::Land => "land",
            Ground::Sea => "sea",
            Ground::Block => "block",
            Ground::Seen => "seen",
        };
        canvas.rect(at, (CELL, CELL), class);
    }
    for ((x, y), cell) in placed() {
        if let Some(heat) = cell.heat {
            let square = format!("M{x} {y}h{CELL}v{CELL}h-{CELL}z");
            let share = f64::from(heat.min(1000)) / 1000.0;
            canvas.path(&square, "heat", &format!(" fill=\"{HOTTEST}\" fill-opacity=\"{}\"", number(share)));
        }
    }
    for (at, _) in placed().filter(|(_, cell)| cell.highlight == Highlight::Open) {
        canvas.rect(at, (CELL, CELL), "open");
    }
    if scene.frameless {
        corner_dots(canvas, cells);
    } else {
        canvas.path(&grid_lines(cells, size), "grid", "");
    }
    for chain in &scene.chains {
        draw_chain(canvas, chain);
    }
    let mut inner = |at: (f64, f64), inset: f64, class: &str| {
        canvas.rect((at.0 + inset, at.1 + inset), (CELL - 2.0 * inset, CELL - 2.0 * inset), class);
    };
    for (at, cell) in placed() {
        if let Some(class) = cell.highlight.class().filter(|_| cell.highlight != Highlight::Open) {
            inner(at, 2.5, class);
        }
        if let Some(class) = Highlight::Rule.class().filter(|_| cell.is_of_rule) {
            // A circle would hide what is not along the border of the cell.
            let is_round = matches!(cell.sign, Sign::Circle { .. } | Sign::Island(_) | Sign::End(_));
            inner(at, if is_round { 1.0 } else { 7.0 }, class);
        }
    }
    for (at, cell) in placed() {
        if let Sign::Circle { filled } = cell.sign {
            let class = match (filled, cell.ground) {
                (false, _) => "ring",
                (true, Ground::Block) => "disc seam",
                (true, _) => "disc",
            };
            canvas.circle(centre(at), CELL * 0.34, class, None);
        }
    }
    // Lines without a colour are part of the solution or, on a rooks board, show what a rook attacks.
    let mut lines: BTreeMap<(Option<usize>, bool), String> = BTreeMap::new();
    for (at, cell) in placed().filter(|(_, cell)| cell.sides & !cell.doubled != 0) {
        let is_sight = cell.ground == Ground::Seen;
        add_lines(lines.entry((cell.hue, is_sight)).or_default(), at, cell);
    }
    for ((hue, is_sight), steps) in lines {
        match hue {
            None => canvas.path(&steps, if is_sight { "sight" } else { "line" }, ""),
            Some(hue) => {
                let look = format!(" stroke=\"{}\" stroke-width=\"{}\"", colour(hue), number(CELL * 0.26));
                canvas.path(&steps, "path", &look);
            }
        }
    }
    draw_cages(canvas, cells);
    draw_sides(canvas, cells);
    for (at, cell) in placed() {
        sides(canvas, at, cell, scene.frameless);
    }
    // If any cell has a number in its corner, all symbols are drawn smaller.
    let numbered = cells.cells().iter().any(|cell| cell.corner.is_some());
    for (at, cell) in placed() {
        sign(canvas, at, cell, numbered);
    }
    if !scene.frameless {
        canvas.rect((0.0, 0.0), size, "frame");
    }
    for point in &scene.points {
        draw_point(canvas, point);
    }
    size
}

fn centre((x, y): (f64, f64)) -> (f64, f64) {
    (x + CELL / 2.0, y + CELL / 2.0)
}

/// Draws double lines between cells, the sides that separate areas, and lines along sides.
fn draw_sides(canvas: &mut Canvas, cells: &Grid<Cell>) {
    let [mut walls, mut seams, mut fence, mut bridges, mut crosses] = [const { String::new() }; 5];
    let is_block = |row: usize, column: usize| {
        row < cells.rows()
            && column < cells.columns()
            && cells[cells.index(row, column)].ground == Ground::Block
    };
    for (index, cell) in cells.cells().iter().enumerate() {
        let Place { row, column } = cells.place(index);
        let (x, y) = corner(cells.place(index));
        for (side, x1, y1, right, down) in [
            (UP, x, y, CELL, 0.0),
            (RIGHT, x + CELL, y, 0.0, CELL),
            (DOWN, x, y + CELL, CELL, 0.0),
            (LEFT, x, y, 0.0, CELL),
        ] {
            let step = |sides: u8, steps: &mut String| {
                if sides & side != 0 {
                    let _ = write!(steps, "M{x1} {y1}l{right} {down}");
                }
            };
            step(cell.walls, &mut walls);
            // A wall between two blocks would not be visible.
            let beyond = if side == RIGHT { (row, column + 1) } else { (row + 1, column) };
            if side & (RIGHT | DOWN) != 0 && is_block(row, column) && is_block(beyond.0, beyond.1) {
                step(cell.walls, &mut seams);
            }
            step(cell.fence, &mut fence);
            if cell.open_fence & side != 0 {
                let (x, y, arm) = (x1 + right / 2.0, y1 + down / 2.0, CELL * 0.08);
                let [left, right, top, bottom] = [x - arm, x + arm, y - arm, y + arm].map(number);
                let _ = write!(crosses, "M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}");
            }
            if cell.doubled & side != 0 {
                let (x, y) = centre((x, y));
                let (end_x, end_y) = (x1 + right / 2.0 - x, y1 + down / 2.0 - y);
                for shift in [-CELL * 0.1, CELL * 0.1] {
                    let (x, y) = if end_x == 0.0 { (x + shift, y) } else { (x, y + shift) };
                    let _ = write!(bridges, "M{} {}l{end_x} {end_y}", number(x), number(y));
                }
            }
        }
    }
    for (steps, class) in
        [(walls, "walls"), (seams, "walls seam"), (fence, "fence"), (bridges, "bridge"), (crosses, "cross")]
    {
        if !steps.is_empty() {
            canvas.path(&steps, class, "");
        }
    }
}

/// The number of colours for lines that belong to the data.
const KINDS: usize = 6;

fn draw_chain(canvas: &mut Canvas, Chain { cells, kind }: &Chain) {
    let mut steps = String::new();
    for (number, &place) in cells.iter().enumerate() {
        let (x, y) = centre(corner(place));
        let _ = write!(steps, "{}{x} {y}", if number == 0 { 'M' } else { 'L' });
    }
    let kind = kind % KINDS;
    canvas.path(&steps, &format!("chain kind{kind}"), "");
    if let Some(&first) = cells.first() {
        canvas.circle(centre(corner(first)), CELL * 0.36, &format!("bulb kind{kind}"), None);
    }
}

/// Draws the borders of cages inside of their cells.
fn draw_cages(canvas: &mut Canvas, cells: &Grid<Cell>) {
    const INSET: f64 = 3.5;
    let mut steps = String::new();
    for (index, cell) in cells.cells().iter().enumerate() {
        let (x, y) = corner(cells.place(index));
        // A side ends before the corner only where the border of the cage turns.
        let inset = |side: u8| if cell.cage & side == 0 { 0.0 } else { INSET };
        let (left, right) = (number(x + inset(LEFT)), number(x + CELL - inset(RIGHT)));
        let (top, bottom) = (number(y + inset(UP)), number(y + CELL - inset(DOWN)));
        for (side, from, to) in [
            (UP, (&left, &top), (&right, &top)),
            (RIGHT, (&right, &top), (&right, &bottom)),
            (DOWN, (&left, &bottom), (&right, &bottom)),
            (LEFT, (&left, &top), (&left, &bottom)),
        ] {
            if cell.cage & side != 0 {
                let _ = write!(steps, "M{} {}L{} {}", from.0, from.1, to.0, to.1);
            }
        }
    }
    if !steps.is_empty() {
        canvas.path(&steps, "cage", "");
    }
}

fn draw_point(canvas: &mut Canvas, Point { row, column, label, role }: &Point) {
    let at = (*column as f64 * CELL / 2.0, *row as f64 * CELL / 2.0);
    let radius = if label.is_empty() { CELL * 0.15 } else { CELL * 0.24 };
    canvas.circle(at, radius, "node", None);
    if !label.is_empty() {
        let size = (1.6 * radius / (ADVANCE * label.chars().count() as f64)).min(CELL * 0.34);
        canvas.centred(at, size, role.class(), label);
    }
}

/// Returns the position of the upper left corner of a cell.
fn corner(place: Place) -> (f64, f64) {
    (place.column as f64 * CELL, place.row as f64 * CELL)
}

fn grid_lines(cells: &Grid<Cell>, (width, height): (f64, f64)) -> String {
    let mut steps = String::new();
    for row in 1..cells.rows() {
        let _ = write!(steps, "M0 {}H{width}", row as f64 * CELL);
    }
    for column in 1..cells.columns() {
        let _ = write!(steps, "M{} 0V{height}", column as f64 * CELL);
    }
    steps
}

fn corner_dots(canvas: &mut Canvas, cells: &Grid<Cell>) {
    for row in 0..=cells.rows() {
        for column in 0..=cells.columns() {
            canvas.circle((column as f64 * CELL, row as f64 * CELL), 2.5, "dot", None);
        }
    }
}

/// Draws the lines from the centre of a cell to its sides. Turns are drawn as arcs.
fn add_lines(steps: &mut String, (x, y): (f64, f64), cell: &Cell) {
    let half = CELL / 2.0;
    let (x, y) = (x + half, y + half);
    let single = cell.sides & !cell.doubled;
    let sides = [(UP, 0.0, -half), (RIGHT, half, 0.0), (DOWN, 0.0, half), (LEFT, -half, 0.0)];
    let ends: Vec<(f64, f64)> = sides
        .into_iter()
        .filter(|(side, ..)| single & side != 0)
        .map(|(_, right, down)| (x + right, y + down))
        .collect();
    match ends[..] {
        [(x1, y1), (x2, y2)] if cell.hue.is_some() => {
            let _ = write!(steps, "M{x1} {y1}Q{x} {y} {x2} {y2}");
        }
        _ => {
            for (x1, y1) in ends {
                let _ = write!(steps, "M{x} {y}L{x1} {y1}");
            }
        }
    }
}

/// Draws what belongs to the right and the lower side of a cell: a cross if no path crosses the side, or a highlight. The
/// highlight is on the side itself if `along` is true, and otherwise on the line through the side.
fn sides(canvas: &mut Canvas, (x, y): (f64, f64), cell: &Cell, along: bool) {
    let middle = (x + CELL / 2.0, y + CELL / 2.0);
    let arm = CELL * 0.1;
    for (side, (right, down), highlight) in [
        (RIGHT, (CELL / 2.0, 0.0), cell.side_highlights[0]),
        (DOWN, (0.0, CELL / 2.0), cell.side_highlights[1]),
    ] {
        let class = highlight.class();
        if cell.closed & side != 0 {
            let (x, y) = (middle.0 + right, middle.1 + down);
            let [left, right, top, bottom] = [x - arm, x + arm, y - arm, y + arm].map(number);
            let cross = format!("M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}");
            canvas.path(&cross, &format!("cross {}", class.unwrap_or_default()), "");
        } else if let Some(class) = class.filter(|_| along) {
            let to = (x + CELL, y + CELL);
            canvas.line((to.0 - 2.0 * down, to.1 - 2.0 * right), to, class);
        } else if let Some(class) = class {
            canvas.line(middle, (middle.0 + 2.0 * right, middle.1 + 2.0 * down), class);
        }
    }
}

fn sign(canvas: &mut Canvas, (x, y): (f64, f64), cell: &Cell, numbered: bool) {
    let middle = centre((x, y));
    let dark = matches!(cell.ground, Ground::Block | Ground::Sea) && !is_bright(cell.highlight);
    // Returns the largest font size at which the label fits into the cell.
    let size = |label: &str, most: f64, width: f64| {
        (CELL * width / (ADVANCE * label.chars().count().max(1) as f64)).min(CELL * most)
    };
    match &cell.sign {
        Sign::Circle { filled } => {
            if let Some(clue) = &cell.corner {
                let class = if *filled { "inverse" } else { "given on-ring" };
                canvas.centred(middle, size(clue, 0.4, 0.56), class, clue);
            }
            return;
        }
        Sign::Dot => canvas.circle(middle, CELL * 0.07, "dot", None),
        Sign::Star => canvas.path(&star(middle), "star", ""),
        Sign::Island(label) => {
            canvas.circle(middle, CELL * 0.42, "ring", None);
            canvas.centred(middle, size(label, 0.5, 0.64), &format!("{} on-ring", cell.role.class()), label);
        }
        Sign::Diagonal { falls } => {
            let (from, to) = if *falls { (y, y + CELL) } else { (y + CELL, y) };
            canvas.line((x, from), (x + CELL, to), "slant");
        }
        Sign::Sums(down, across) => {
            canvas.line((x, y), (x + CELL, y + CELL), "split");
            let size = |label: &str| size(label, 0.34, 0.5);
            let class = if dark { "inverse" } else { cell.role.class() };
            canvas.centred((x + CELL * 0.28, y + CELL * 0.75), size(down), class, down);
            canvas.centred((x + CELL * 0.72, y + CELL * 0.26), size(across), class, across);
        }
        Sign::Nothing => {
            if cell.highlight == Highlight::Forced && cell.ground == Ground::Open {
                canvas.circle(middle, CELL * 0.08, "dot", None);
            }
        }
        Sign::Label(label) => {
            let class = if dark { "inverse" } else { cell.role.class() };
            let (most, lower) = if numbered { (0.5, CELL * 0.07) } else { (0.54, 0.0) };
            canvas.centred((middle.0, middle.1 + lower), size(label, most, 0.86), class, label);
        }
        Sign::End(label) => {
            let fill = colour(cell.hue.unwrap_or_default());
            canvas.circle(middle, CELL * 0.38, "end", Some(&fill));
            canvas.centred(middle, size(label, 0.46, 0.64), "inverse", label);
        }
        Sign::Rook => {
            let look = format!(
                " transform=\"translate({} {}) scale({})\"",
                number(x + CELL * 0.08),
                number(y + CELL * 0.06),
                CELL * 0.84 / 100.0
            );
            canvas.path(ROOK, "rook", &look);
        }
    }
    if let Some(corner) = &cell.corner {
        let class = if dark { "inverse" } else { "corner" };
        // The border of a cage is above and to the left of the number.
        let inset = if cell.cage & (UP | LEFT) == 0 { 0.0 } else { CELL * 0.06 };
        let at = (x + CELL * 0.07 + inset, y + CELL * 0.28 + inset);
        canvas.text(at, CELL * 0.25, Anchor::Start, class, corner);
    }
}

/// Returns the outline of a star with five points.
fn star((x, y): (f64, f64)) -> String {
    let mut steps = String::new();
    for point in 0..10 {
        let radius = CELL * if point % 2 == 0 { 0.36 } else { 0.15 };
        let (sine, cosine) = (f64::from(point) * std::f64::consts::PI / 5.0).sin_cos();
        let step = if point == 0 { 'M' } else { 'L' };
        let _ = write!(steps, "{step}{} {}", number(x + radius * sine), number(y - radius * cosine));
    }
    steps + "Z"
}

/// Returns the colour of a value in a heat map, from white for 0 to orange for 1000.
pub(super) fn heat_colour(heat: u16) -> String {
    let channel = |end: u32| 255 - (255 - end) * u32::from(heat.min(1000)) / 1000;
    format!("#{:02x}{:02x}{:02x}", channel(240), channel(120), channel(30))
}

/// Returns whether a highlighted cell has a bright background.
fn is_bright(highlight: Highlight) -> bool {
    matches!(highlight, Highlight::Differs | Highlight::Wrong)
}

/// Returns the colour for the index `hue`. White text is readable on every colour.
fn colour(hue: usize) -> String {
    const FIRST: [&str; 12] = [
        "#1f5fbf", "#b3341f", "#1f7a3d", "#7b3fa8", "#a85a00", "#00727f", "#b5297a", "#5b6b12", "#3e4fc4",
        "#7a4a2b", "#4f5b66", "#8f1d45",
    ];
    if let Some(first) = FIRST.get(hue) {
        return (*first).to_owned();
    }
    // Consecutive hues differ by the golden angle, so even many hues stay distinct. Colours with an odd index are
    // darker than colours with an even index.
    let degrees = (hue as f64 * 137.508) % 360.0;
    let lightness = if hue.is_multiple_of(2) { 0.35 } else { 0.28 };
    let saturation = 0.62;
    let channel = |shift: f64| {
        let k = (shift + degrees / 30.0) % 12.0;
        let bow = (k - 3.0).min(9.0 - k).clamp(-1.0, 1.0);
        let value = ((lightness - saturation * lightness * bow) * 255.0).round();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a colour channel")]
        let value = value as u8;
        value
    };
    format!("#{:02x}{:02x}{:02x}", channel(0.0), channel(8.0), channel(4.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_can_be_read_on_every_colour() {
        // The contrast ratio is defined in the Web Content Accessibility Guidelines 2.1, which require 4.5 for text
        // and 3 for large text.
        let linear = |channel: u8| {
            let c = f64::from(channel) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        for hue in 0..500 {
            let colour = colour(hue);
            let channel = |at: usize| linear(u8::from_str_radix(&colour[at..at + 2], 16).unwrap());
            let luminance = 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
            let contrast = 1.05 / (luminance + 0.05);
            assert!(contrast > 3.0, "{hue}: {colour} has {contrast}");
        }
    }

    #[test]
    fn neighbouring_hues_differ() {
        for hue in 0..200 {
            assert_ne!(colour(hue), colour(hue + 1));
        }
    }
}
