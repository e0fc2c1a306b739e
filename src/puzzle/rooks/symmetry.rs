//! Symmetries of a rooks board: detection, symmetry breaking, and counting of orbits.
//!
//! This file has over 400 lines because detection, breaking and counting share the detected group.
//!
//! A *symmetry* is a permutation of the squares that maps solutions to solutions. The module detects permutations that
//! map every segment to a segment, and the neighbours of every clue to the neighbours of an equal clue. The candidates
//! are the eight symmetries of a square (four for other rectangles) and interchanges of two rows or two columns. If all
//! rows of a board are equal, every interchange of two rows is a symmetry. If only some rows are equal, interchanging
//! two of them may not be a symmetry, because it need not map every column segment to a column segment.
//!
//! [`Symmetries::leaders`] breaks the symmetries with lexicographic constraints (Crawford, Ginsberg, Luks, Roy:
//! *Symmetry-breaking predicates for search problems*, KR 1996): no detected symmetry may map a solution to a
//! lexicographically smaller one. There are no constraints for compositions of detected symmetries, so several
//! solutions of an orbit can remain. [`Orbits`] keeps one solution of each orbit and computes the size of the orbit.
//!
//! The symmetry group is the product N D. The group N permutes rows and columns within classes of interchangeable rows
//! and columns. The group D consists of the rotations and reflections of a square that preserve the board. D maps
//! classes to classes, so N is a normal subgroup. A solution corresponds to a bipartite graph: its vertices are the
//! rows and columns, coloured by class, and each rook is an edge. The canonical form of a solution under N is the
//! sorted list of the canonical forms of the graph's components. The number of automorphisms of the graph is computed
//! from the numbers of automorphisms of its components. The size of the orbit under N is |N| divided by the number of
//! automorphisms. Let d be the number of distinct canonical forms of the solution's images under D. The size of the
//! orbit under N D is d times the size of the orbit under N.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use gordian_encodings::constraint::Lexicographic;
use gordian_encodings::{Lit, Model};

use super::segments;
use crate::puzzle::{Census, Kept, Symmetry};
use crate::rules::rooks::{Rooks, Square};
use crate::rules::{Grid, Solution};

/// Specifies which interchanges of rows and columns are detected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interchanges {
    /// Interchanges of rows are detected only if all rows of the board are interchangeable. The same applies to
    /// columns.
    All,
    /// All interchanges of two interchangeable rows or columns are detected.
    Any,
}

/// The symmetries detected on a board.
#[derive(Debug, Clone)]
pub struct Symmetries {
    rows: usize,
    columns: usize,
    /// The empty squares, in the order of the solution's "rook" literals.
    open: Vec<usize>,
    /// The rotations and reflections that preserve the board, except the identity. Each symmetry consists of a name
    /// and the image of each square.
    turns: Vec<(&'static str, Vec<usize>)>,
    /// The class of each row and of each column: the index of the first row or column with which it is interchangeable.
    classes: [Vec<usize>; 2],
}

impl Symmetries {
    /// Detects the symmetries of a board.
    #[must_use]
    pub fn of(board: &Rooks, interchanges: Interchanges) -> Self {
        let squares = &board.squares;
        let (rows, columns) = (squares.rows(), squares.columns());
        let structure = Structure::new(squares);
        let turns = turns(rows, columns).filter(|(_, map)| structure.is_kept_by(map)).collect();
        let classes = [(true, rows), (false, columns)].map(|(of_rows, lines)| {
            // Interchangeability is an equivalence relation, so it suffices to compare a row or column with the first
            // member of each class.
            let mut class: Vec<usize> = (0..lines).collect();
            for line in 1..lines {
                let mut firsts = (0..line).filter(|&first| class[first] == first);
                let swap = |first| swapped((rows, columns), of_rows, first, line);
                if let Some(first) = firsts.find(|&first| structure.is_kept_by(&swap(first))) {
                    class[line] = first;
                }
            }
            let all = class.iter().all(|&first| first == 0);
            if all || interchanges == Interchanges::Any { class } else { (0..lines).collect() }
        });
        let open = (0..squares.len()).filter(|&square| squares[square] == Square::Empty).collect();
        Self { rows, columns, open, turns, classes }
    }

    /// Returns a description of each symmetry. The list is empty if the board is not symmetric.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let turns = self.turns.iter().map(|&(name, _)| name.to_owned());
        let lines = ["rows", "columns"].into_iter().zip(&self.classes).flat_map(|(what, class)| {
            let members = |first: usize| {
                let members = (0..class.len()).filter(|&line| class[line] == first);
                members.map(|line| (line + 1).to_string()).collect::<Vec<_>>()
            };
            let larger = (0..class.len()).map(members).filter(|members| members.len() > 1);
            larger
                .map(|members| format!("interchange of the {what} {}", members.join(", ")))
                .collect::<Vec<_>>()
        });
        turns.chain(lines).collect()
    }

    /// Returns symmetry-breaking constraints on `rooks`, the literals of the empty squares in row-major order. The
    /// lexicographically first solution of each orbit satisfies all constraints.
    ///
    /// # Panics
    /// Panics if the number of literals differs from the number of empty squares.
    #[must_use]
    pub fn leaders(&self, rooks: &[Lit]) -> Vec<Lexicographic> {
        assert_eq!(rooks.len(), self.open.len(), "a literal for each empty square");
        let mut index = vec![None; self.rows * self.columns];
        for (at, &square) in self.open.iter().enumerate() {
            index[square] = Some(at);
        }
        let leader = |map: &Vec<usize>| {
            let moved = self.open.iter().enumerate().filter_map(|(at, &square)| {
                index[map[square]].filter(|&image| image != at).map(|image| (rooks[at], rooks[image]))
            });
            let (left, right): (Vec<Lit>, Vec<Lit>) = moved.unzip();
            Lexicographic::at_most(left, right)
        };
        let mut leaders: Vec<Lexicographic> = self.turns.iter().map(|(_, map)| leader(map)).collect();
        for (of_rows, class) in [true, false].into_iter().zip(&self.classes) {
            for b in 0..class.len() {
                for a in (0..b).filter(|&a| class[a] == class[b]) {
                    leaders.push(leader(&swapped((self.rows, self.columns), of_rows, a, b)));
                }
            }
        }
        leaders
    }

    /// Returns the elements of the symmetry group as permutations of the empty squares, or `None` if the number of
    /// elements exceeds `most`.
    fn group(&self, most: usize) -> Option<Vec<Vec<usize>>> {
        let mut index = vec![0; self.rows * self.columns];
        for (at, &square) in self.open.iter().enumerate() {
            index[square] = at;
        }
        let swaps = [true, false].into_iter().zip(&self.classes).flat_map(|(of_rows, class)| {
            let others = (0..class.len()).filter(|&line| class[line] != line);
            others.map(move |line| swapped((self.rows, self.columns), of_rows, class[line], line))
        });
        let maps = self.turns.iter().map(|(_, map)| map.clone()).chain(swaps);
        let of_open =
            |map: Vec<usize>| self.open.iter().map(|&square| index[map[square]]).collect::<Vec<_>>();
        let generators: Vec<Vec<usize>> = maps.map(of_open).collect();
        // Further elements are products of known elements and generators.
        let identity: Vec<usize> = (0..self.open.len()).collect();
        let mut known = HashSet::from([identity.clone()]);
        let mut elements = vec![identity];
        let mut next = 0;
        while let Some(element) = elements.get(next).cloned() {
            next += 1;
            for generator in &generators {
                let product: Vec<usize> = element.iter().map(|&square| generator[square]).collect();
                if known.insert(product.clone()) {
                    elements.push(product);
                }
            }
            if elements.len() > most {
                return None;
            }
        }
        Some(elements)
    }

    /// Returns the canonical form of a solution under the whole symmetry group, and the size of its orbit. The size
    /// is `None` if it does not fit in 128 bits.
    fn orbit(&self, grid: &Grid<i128>) -> (Vec<Code>, Option<u128>) {
        let rooks: Vec<usize> = (0..grid.len()).filter(|&square| grid[square] == 1).collect();
        let (own, automorphisms) = self.up_to_interchanges(&rooks);
        let mut forms = BTreeSet::from([own]);
        for (_, map) in &self.turns {
            let turned: Vec<usize> = rooks.iter().map(|&square| map[square]).collect();
            forms.insert(self.up_to_interchanges(&turned).0);
        }
        let mut size = automorphisms.map(|exponent| -exponent);
        for class in &self.classes {
            for first in 0..class.len() {
                size.times_factorial(class.iter().filter(|&&line| line == first).count());
            }
        }
        size.times(forms.len());
        let first = forms.into_iter().next().unwrap_or_default();
        (first, size.value())
    }

    /// Returns the canonical form of a set of rooks under the group N of interchanges. Also returns the number of
    /// elements of N that map the set to itself.
    fn up_to_interchanges(&self, rooks: &[usize]) -> (Vec<Code>, Factors) {
        let [row_class, column_class] = &self.classes;
        let mut graph = Bipartite {
            colours: row_class
                .iter()
                .copied()
                .chain(column_class.iter().map(|&class| self.rows + class))
                .collect(),
            edges: vec![Vec::new(); self.rows + self.columns],
        };
        for &square in rooks {
            let (row, column) = (square / self.columns, self.rows + square % self.columns);
            graph.edges[row].push(column);
            graph.edges[column].push(row);
        }
        let mut automorphisms = Factors::default();
        let mut alike: BTreeMap<Code, usize> = BTreeMap::new();
        for component in graph.components() {
            let (code, own) = graph.canonical(&component);
            automorphisms.times(own);
            *alike.entry(code).or_default() += 1;
        }
        for &count in alike.values() {
            automorphisms.times_factorial(count);
        }
        let codes = alike.into_iter().flat_map(|(code, count)| std::iter::repeat_n(code, count)).collect();
        (codes, automorphisms)
    }
}

/// A filter that keeps one solution of each orbit.
#[derive(Debug)]
pub struct Orbits<'a> {
    symmetries: &'a Symmetries,
    seen: HashSet<Vec<Code>>,
}

impl<'a> Orbits<'a> {
    /// Creates a filter that contains no orbits yet.
    #[must_use]
    pub fn new(symmetries: &'a Symmetries) -> Self {
        Self { symmetries, seen: HashSet::new() }
    }

    /// Returns the size of the solution's orbit, or `None` if the filter already contains a solution of this orbit. The
    /// number in `grid` is 1 for a square with a rook.
    pub fn keep(&mut self, grid: &Grid<i128>) -> Option<Kept> {
        let (form, orbit) = self.symmetries.orbit(grid);
        self.seen.insert(form).then_some(Kept { orbit })
    }
}

impl Symmetry for Symmetries {
    fn names(&self) -> Vec<String> {
        self.names()
    }

    fn break_in(&self, model: &mut Model) {
        for leader in self.leaders(model.projection()) {
            model.post_as("first of its orbit", leader);
        }
    }

    fn census(&self) -> Box<dyn Census + '_> {
        Box::new(Orbits::new(self))
    }

    fn elements(&self, most: usize) -> Option<Vec<Vec<usize>>> {
        self.group(most)
    }
}

impl Census for Orbits<'_> {
    fn keep(&mut self, solution: &Solution) -> Option<Kept> {
        let grid = solution.grid(self.symmetries.rows, self.symmetries.columns).ok()?;
        self.keep(grid)
    }
}

/// Returns the image of each square when two rows or two columns of a rectangle are interchanged.
fn swapped((rows, columns): (usize, usize), of_rows: bool, a: usize, b: usize) -> Vec<usize> {
    let other = |line: usize| match line {
        _ if line == a => b,
        _ if line == b => a,
        _ => line,
    };
    let image = |square: usize| {
        let (row, column) = (square / columns, square % columns);
        if of_rows { other(row) * columns + column } else { row * columns + other(column) }
    };
    (0..rows * columns).map(image).collect()
}

/// Returns the symmetries of a rectangle other than the identity, each with the image of each square.
fn turns(rows: usize, columns: usize) -> impl Iterator<Item = (&'static str, Vec<usize>)> {
    type Image = fn(usize, usize, usize, usize) -> (usize, usize);
    // Each function returns the image of a square, given its row, its column, the last row and the last column. The
    // flag is true for symmetries that exist only on square boards.
    const TURNS: [(&str, bool, Image); 7] = [
        ("mirror left to right", false, |r, c, _, w| (r, w - c)),
        ("mirror top to bottom", false, |r, c, h, _| (h - r, c)),
        ("half turn", false, |r, c, h, w| (h - r, w - c)),
        ("mirror at the falling diagonal", true, |r, c, _, _| (c, r)),
        ("mirror at the rising diagonal", true, |r, c, h, w| (w - c, h - r)),
        ("quarter turn clockwise", true, |r, c, h, _| (c, h - r)),
        ("quarter turn counterclockwise", true, |r, c, _, w| (w - c, r)),
    ];
    TURNS.into_iter().filter(move |&(_, square, _)| !square || rows == columns).map(move |(name, _, turn)| {
        let image = |square: usize| {
            let (row, column) = turn(square / columns, square % columns, rows - 1, columns - 1);
            row * columns + column
        };
        (name, (0..rows * columns).map(image).collect())
    })
}

/// The properties of a board that determine its solutions. Every permutation of the squares that preserves them is a
/// symmetry.
struct Structure {
    empty: Vec<bool>,
    segments: HashSet<Vec<usize>>,
    clues: Vec<(u8, Vec<usize>)>,
}

impl Structure {
    fn new(squares: &Grid<Square>) -> Self {
        let beside = |square: usize| {
            let mut beside: Vec<usize> =
                squares.neighbours(square).filter(|&near| squares[near] == Square::Empty).collect();
            beside.sort_unstable();
            beside
        };
        let clue = |square: usize| match squares[square] {
            Square::Clue(clue) => Some((clue, beside(square))),
            Square::Empty | Square::Block => None,
        };
        let mut clues: Vec<(u8, Vec<usize>)> = (0..squares.len()).filter_map(clue).collect();
        clues.sort_unstable();
        let empty = squares.cells().iter().map(|&square| square == Square::Empty).collect();
        Self { empty, segments: segments(squares).into_iter().flatten().collect(), clues }
    }

    fn is_kept_by(&self, map: &[usize]) -> bool {
        let image = |squares: &Vec<usize>| {
            let mut image: Vec<usize> = squares.iter().map(|&square| map[square]).collect();
            image.sort_unstable();
            image
        };
        let mut clues: Vec<(u8, Vec<usize>)> =
            self.clues.iter().map(|(clue, beside)| (*clue, image(beside))).collect();
        clues.sort_unstable();
        (0..map.len()).all(|square| self.empty[map[square]] == self.empty[square])
            && self.segments.iter().all(|segment| self.segments.contains(&image(segment)))
            && clues == self.clues
    }
}

/// The canonical form of a component: the colours of its vertices in canonical order, and its edges as pairs of
/// positions in this order.
type Code = (Vec<usize>, Vec<(usize, usize)>);

/// The bipartite graph of rows and columns, with an edge for each rook.
struct Bipartite {
    colours: Vec<usize>,
    edges: Vec<Vec<usize>>,
}

impl Bipartite {
    fn components(&self) -> Vec<Vec<usize>> {
        let mut seen = vec![false; self.edges.len()];
        let mut components = Vec::new();
        for start in 0..self.edges.len() {
            if std::mem::replace(&mut seen[start], true) {
                continue;
            }
            let mut component = vec![start];
            let mut next = 0;
            while let Some(&vertex) = component.get(next) {
                next += 1;
                for &near in &self.edges[vertex] {
                    if !std::mem::replace(&mut seen[near], true) {
                        component.push(near);
                    }
                }
            }
            components.push(component);
        }
        components
    }

    /// Returns the canonical form of a component and its number of automorphisms.
    ///
    /// The algorithm is individualisation-refinement. Each leaf of the search tree has a code. The canonical form is
    /// the smallest code, and the number of leaves with this code is the number of automorphisms.
    fn canonical(&self, component: &[usize]) -> (Code, usize) {
        let mut best: Option<Code> = None;
        let mut count = 0;
        let start: Vec<usize> = component.iter().map(|&vertex| 2 * self.colours[vertex]).collect();
        let mut open = vec![start];
        while let Some(colours) = open.pop() {
            let colours = self.refined(component, colours);
            let mut sizes = vec![0; component.len()];
            for &colour in &colours {
                sizes[colour] += 1;
            }
            if let Some(class) = sizes.iter().position(|&size| size > 1) {
                for index in (0..colours.len()).filter(|&index| colours[index] == class) {
                    let mut apart: Vec<usize> = colours.iter().map(|colour| 2 * colour + 1).collect();
                    apart[index] -= 1;
                    open.push(apart);
                }
                continue;
            }
            let code = self.code(component, &colours);
            match best.as_ref().map_or(Ordering::Less, |best| code.cmp(best)) {
                Ordering::Greater => {}
                Ordering::Equal => count += 1,
                Ordering::Less => {
                    best = Some(code);
                    count = 1;
                }
            }
        }
        (best.unwrap_or_default(), count)
    }

    /// Refines a colouring until vertices of the same colour have neighbours of the same colours (colour refinement).
    /// The new colours are numbered from 0.
    fn refined(&self, component: &[usize], mut colours: Vec<usize>) -> Vec<usize> {
        let index: BTreeMap<usize, usize> =
            component.iter().enumerate().map(|(i, &vertex)| (vertex, i)).collect();
        let mut known = 0;
        loop {
            let signature = |at: usize| {
                let mut near: Vec<usize> =
                    self.edges[component[at]].iter().map(|near| colours[index[near]]).collect();
                near.sort_unstable();
                (colours[at], near)
            };
            let signatures: Vec<_> = (0..component.len()).map(signature).collect();
            let distinct: BTreeSet<_> = signatures.iter().collect();
            let ranks: BTreeMap<_, usize> = distinct.into_iter().zip(0..).collect();
            let count = ranks.len();
            colours = signatures.iter().map(|signature| ranks[signature]).collect();
            if count == known {
                return colours;
            }
            known = count;
        }
    }

    /// Returns the code of a component for an order of its vertices. `order` assigns a different position to each
    /// vertex.
    fn code(&self, component: &[usize], order: &[usize]) -> Code {
        let place: BTreeMap<usize, usize> = component.iter().copied().zip(order.iter().copied()).collect();
        let mut colours = vec![0; component.len()];
        let mut edges = Vec::new();
        for (&vertex, &at) in &place {
            colours[at] = self.colours[vertex];
            edges.extend(self.edges[vertex].iter().map(|near| (at, place[near])).filter(|(a, b)| a < b));
        }
        edges.sort_unstable();
        (colours, edges)
    }
}

/// A product in factorised form: a map from primes to exponents. In factorised form, quotients of factorials do not
/// overflow.
#[derive(Debug, Default)]
struct Factors {
    exponents: BTreeMap<usize, i64>,
}

impl Factors {
    fn times(&mut self, mut number: usize) {
        let mut prime = 2;
        while number > 1 {
            while number.is_multiple_of(prime) {
                *self.exponents.entry(prime).or_default() += 1;
                number /= prime;
            }
            prime += 1;
        }
    }

    fn times_factorial(&mut self, number: usize) {
        (2..=number).for_each(|factor| self.times(factor));
    }

    fn map(self, exponent: impl Fn(i64) -> i64) -> Self {
        Self { exponents: self.exponents.into_iter().map(|(prime, own)| (prime, exponent(own))).collect() }
    }

    /// Returns the product, or `None` if it does not fit in 128 bits. The product must be an integer.
    fn value(&self) -> Option<u128> {
        self.exponents.iter().try_fold(1_u128, |product, (&prime, &exponent)| {
            let power = (prime as u128).checked_pow(u32::try_from(exponent).ok()?)?;
            product.checked_mul(power)
        })
    }
}

#[cfg(test)]
mod tests;
