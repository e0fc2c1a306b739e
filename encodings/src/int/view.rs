//! The sizes of views, alone and next to each other.

use super::Domain;
use super::log::has;
use crate::choice::Encodings;
use crate::constraint::{AtMostOne, Constraint};
use crate::encoding::Size;
use crate::int::{Domains, Integers, Value};
use crate::lit::Lit;

/// A set of literals that say the value of an integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// A literal for each `x <= v`: [`order`](super::order).
    Order,
    /// A literal for each `x = v`: [`direct`](super::direct).
    Direct,
    /// The bits of `x - min`: [`log`](super::log).
    Log,
}

impl View {
    /// All views.
    pub const ALL: [Self; 3] = [Self::Order, Self::Direct, Self::Log];

    /// The variables and clauses that the view has, or at most has, which is made next to another one, or alone, and
    /// before any single literal was asked for. Closed forms are in the files of the views.
    ///
    /// ```
    /// use gordian_encodings::int::View;
    /// use gordian_encodings::{Domain, Encodings, Size};
    ///
    /// let domain = Domain::interval(1, 9);
    /// let size = |view: View, beside| view.size(&domain, beside, &Encodings::auto());
    /// assert_eq!(size(View::Order, None), Size::exactly(8, 7));
    /// assert_eq!(size(View::Direct, Some(View::Order)), Size::exactly(7, 21));
    /// assert_eq!(size(View::Log, None), Size::exactly(4, 3));
    /// ```
    #[must_use]
    pub fn size(self, domain: &Domain, beside: Option<Self>, encodings: &Encodings) -> Size {
        let d = u64::try_from(domain.size()).unwrap_or(u64::MAX);
        let (ends, inner) = (d.min(2), d.saturating_sub(2));
        let span = domain.max().abs_diff(domain.min());
        let width = u64::from(u128::BITS - span.leading_zeros());
        match (self, beside) {
            (view, Some(beside)) if view == beside => Size::NONE,
            (Self::Order, None) => Size::exactly(d - 1, inner),
            (Self::Order, Some(Self::Direct)) => Size::exactly((d - 1).saturating_sub(ends), 4 * inner),
            (Self::Direct, None) if inner == 0 => Size::exactly(ends - 1, 0),
            (Self::Direct, None) => Size::exactly(d, 1) + at_most_one(d, encodings),
            (Self::Direct, Some(Self::Order)) => Size::exactly(inner, 3 * inner),
            (Self::Log, None) => {
                let zeros = width - u64::from(span.count_ones());
                let holes = domain.holes().count() as u64;
                Size { exact: holes == 0, ..Size::exactly(width + holes, zeros + holes * (2 * width + 2)) }
            }
            (Self::Log, Some(Self::Order)) => {
                let runs = (0..width.saturating_sub(1)).map(|k| runs(domain, k as usize)).sum();
                Size::exactly(width.saturating_sub(1), runs)
            }
            (Self::Log, Some(_)) => Size::at_most(width, width * d),
            // The bits tie the values; next to a direct view, the ends are linked as bounds.
            (Self::Order, Some(_)) => {
                let runs: u64 = (0..width).map(|k| runs(domain, k as usize)).sum();
                Size::at_most(d - 1, inner + runs)
            }
            (Self::Direct, Some(_)) => {
                Size::at_most(d, 5 + width * d)
                    + if inner == 0 { Size::NONE } else { at_most_one(d, encodings) }
            }
        }
    }
}

/// The size of what keeps two values apart.
fn at_most_one(values: u64, encodings: &Encodings) -> Size {
    let lits: Vec<Lit> = (0..values as u32).map(Lit::positive).collect();
    AtMostOne::new(lits).size(Domains(&Integers::default()), encodings)
}

/// The number of runs of values that have bit `k` of their distance from the least the same.
fn runs(domain: &Domain, k: usize) -> u64 {
    let bit = |value: Value| has(value.wrapping_sub(domain.min()) as u128, k);
    let bits: Vec<bool> = domain.values().map(bit).collect();
    1 + bits.windows(2).filter(|pair| pair[0] != pair[1]).count() as u64
}
