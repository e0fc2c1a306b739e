//! Draws the backbone of a board, or heat maps that show how often each value occurs in the solutions.

use num_bigint::BigUint;

use crate::puzzle::Puzzle;
use crate::query::{FieldCounts, FieldValues, Outcome, PartValues};
use crate::render::{CellStatus, Heat, Line, Role, Scene, Text};
use crate::rules::{Content, Field};

/// The symbol for a cell that has different values in different solutions.
pub const SEVERAL: &str = "?";
/// The symbol for a cell if it is not known whether its value is the same in all solutions.
pub const UNKNOWN: &str = "*";

/// Draws the backbone of a board. A cell without a forced value is drawn as [`SEVERAL`] or [`UNKNOWN`].
#[must_use]
pub fn backbone(puzzle: &dyn Puzzle, outcome: &Outcome) -> Scene {
    let Some(solution) = &outcome.solution else { return puzzle.draw(None) };
    let drawn = puzzle.draw(Some(solution));
    if outcome.unique == Some(true) {
        return drawn;
    }
    let grid = fields(outcome).find_map(|(_, values)| match values {
        FieldValues::Parts { columns: Some(_), parts } => Some(parts),
        _ => None,
    });
    let scene = match grid {
        Some(parts) => puzzle.draw(None).backbone(&drawn, |cell| status(&parts[cell])),
        None => Scene::default(),
    };
    let lines = fields(outcome).filter_map(|(name, values)| match values {
        FieldValues::Parts { columns: Some(_), .. } => None,
        FieldValues::Parts { columns: None, parts } => {
            let token = |part: &PartValues| {
                part.forced().map_or(symbol(part.possible.len()).to_owned(), |value| value.to_string())
            };
            Some(format!("{name} = {}", parts.iter().map(token).collect::<Vec<_>>().join(" ")))
        }
        FieldValues::Whole { possible, complete } => Some(match &possible[..] {
            [Field::Number(value)] if *complete => format!("{name} = {value}"),
            _ => format!("{name} = {}", symbol(possible.len())),
        }),
    });
    scene.with_lines(lines.map(|line| Line::Solution(Text::new(line, Role::Plain))))
}

/// Returns the names and values of the fields of the backbone.
pub fn fields(outcome: &Outcome) -> impl Iterator<Item = (&str, &FieldValues)> {
    outcome.backbone.iter().flatten().map(|(name, values)| (name.as_str(), values))
}

/// Returns the status of a cell in the backbone.
fn status(part: &PartValues) -> CellStatus {
    match part.forced() {
        Some(Content::Number(_)) => CellStatus::Forced,
        Some(Content::Word(word)) => CellStatus::Partly(word.to_owned()),
        None => CellStatus::Open(symbol(part.possible.len())),
    }
}

/// Returns the symbol for a cell without a forced value. `possible` is the number of values found for the cell.
fn symbol(possible: usize) -> &'static str {
    if possible > 1 { SEVERAL } else { UNKNOWN }
}

/// Draws a heat map of the board for each field whose values were counted, and returns each map with its caption. A
/// field is skipped unless it has one value for each cell or node of the board.
#[must_use]
pub fn heat_maps(puzzle: &dyn Puzzle, outcome: &Outcome) -> Vec<(Scene, String)> {
    let total = outcome.count.clone().unwrap_or_default();
    let board = puzzle.draw(None);
    let mut scenes = Vec::new();
    for (name, counts) in outcome.values.iter().flatten() {
        let binary = is_binary(counts);
        let heat = |index: usize| counts.parts.get(index).and_then(|values| heat(values, &total, binary));
        if let Some(scene) = board.clone().heated(counts.parts.len(), heat) {
            let what = if binary { "not 0" } else { "the most frequent value" };
            scenes.push((scene, format!("{name}: share of solutions in which the value is {what}")));
        }
    }
    scenes
}

/// Returns the shares of the counts in `total`, in thousandths. If the counts add up to `total`, the shares add up to
/// 1000: they are rounded down, except those with the largest remainders.
#[must_use]
pub fn per_mille(counts: &[&BigUint], total: &BigUint) -> Vec<u16> {
    if *total == BigUint::ZERO {
        return vec![0; counts.len()];
    }
    let thousandfold: Vec<BigUint> = counts.iter().map(|&count| count * 1000_u16).collect();
    let mut shares: Vec<u16> =
        thousandfold.iter().map(|count| u16::try_from(count / total).unwrap_or(1000)).collect();
    let remainders: Vec<BigUint> = thousandfold.iter().map(|count| count % total).collect();
    let missing = usize::try_from(remainders.iter().sum::<BigUint>() / total).unwrap_or(0);
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by(|&a, &b| remainders[b].cmp(&remainders[a]));
    for &index in order.iter().take(missing) {
        shares[index] += 1;
    }
    shares
}

/// Returns whether at most one value other than 0 occurs in a field.
fn is_binary(counts: &FieldCounts) -> bool {
    let mut others = counts.parts.iter().flatten().map(|(value, _)| value).filter(|value| !is_zero(value));
    let first = others.next();
    others.all(|other| Some(other) == first)
}

fn is_zero(value: &Content) -> bool {
    *value == Content::Number(0)
}

/// Returns the heat of a part, given the number of solutions with each of its values. In a field whose only values are
/// 0 and v, the heat is the share of the solutions in which the part has the value v. In any other field, it is the
/// share of the solutions in which the part has its most frequent value, which becomes the label.
fn heat(values: &[(Content, BigUint)], total: &BigUint, binary: bool) -> Option<Heat> {
    let is_constant = values.len() == 1;
    let shares = per_mille(&values.iter().map(|(_, count)| count).collect::<Vec<_>>(), total);
    let mut values = values.iter().zip(shares);
    if binary {
        let other = values.find(|((value, _), _)| !is_zero(value));
        let share = other.map_or(0, |(_, share)| share);
        return Some(Heat { label: None, share, is_constant });
    }
    let ((value, _), share) = values.max_by(|((a, m), _), ((b, n), _)| m.cmp(n).then(b.cmp(a)))?;
    Some(Heat { label: Some(value.to_string()), share, is_constant })
}
