//! Fits a function that shows how the running time grows with the board size.

/// The type of function that fits the times best.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Law {
    /// A power of the size. The rate is the exponent.
    Power,
    /// An exponential function of the size. The rate is the factor by which the time grows for every 100 additional
    /// cells.
    Exponential,
}

/// A function from size to time, fitted to measured times by least squares on the logarithm of the time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    /// The type of the function.
    pub law: Law,
    /// The rate of growth, as defined at [`Law`].
    pub rate: f64,
    /// The coefficient of determination (R²) for the logarithm of the time.
    pub explained: f64,
    /// The intercept and slope of the line that is fitted to the natural logarithm of the time. The intercept is the
    /// value of the line at size 1 for [`Law::Power`], and at size 0 for [`Law::Exponential`].
    line: [f64; 2],
}

/// The minimum number of points, and of distinct sizes, for a fit.
const POINTS: usize = 5;
const SIZES: usize = 3;
/// The rate of an exponential function is the factor by which the time grows for every `CELLS` additional cells.
const CELLS: f64 = 100.0;

impl Growth {
    /// Fits a function to pairs `(size, time)`, ignoring pairs with a value <= 0. Returns `None` if too few pairs
    /// remain.
    #[must_use]
    pub fn fit(points: &[(f64, f64)]) -> Option<Self> {
        let points: Vec<(f64, f64)> = points.iter().copied().filter(|&(x, y)| x > 0.0 && y > 0.0).collect();
        let mut sizes: Vec<f64> = points.iter().map(|point| point.0).collect();
        sizes.sort_by(f64::total_cmp);
        sizes.dedup();
        if points.len() < POINTS || sizes.len() < SIZES {
            return None;
        }
        let power = Self::line(Law::Power, &points);
        let exponential = Self::line(Law::Exponential, &points);
        Some(if power.explained >= exponential.explained { power } else { exponential })
    }

    fn line(law: Law, points: &[(f64, f64)]) -> Self {
        let n = points.len() as f64;
        let points = || points.iter().map(|&(x, y)| (law.abscissa(x), y.ln()));
        let [x_mean, y_mean] =
            [points().map(|(x, _)| x).sum::<f64>() / n, points().map(|(_, y)| y).sum::<f64>() / n];
        let xx: f64 = points().map(|(x, _)| (x - x_mean).powi(2)).sum();
        let yy: f64 = points().map(|(_, y)| (y - y_mean).powi(2)).sum();
        let xy: f64 = points().map(|(x, y)| (x - x_mean) * (y - y_mean)).sum();
        let slope = xy / xx;
        let explained = if yy > 0.0 { xy * xy / (xx * yy) } else { 1.0 };
        let rate = match law {
            Law::Power => slope,
            Law::Exponential => (slope * CELLS).exp(),
        };
        Self { law, rate, explained, line: [y_mean - slope * x_mean, slope] }
    }

    /// Returns the fitted time for a size.
    #[must_use]
    pub fn at(&self, size: f64) -> f64 {
        (self.line[0] + self.line[1] * self.law.abscissa(size)).exp()
    }
}

impl Law {
    fn abscissa(self, size: f64) -> f64 {
        match self {
            Self::Power => size.ln(),
            Self::Exponential => size,
        }
    }
}

impl std::fmt::Display for Growth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.law {
            Law::Power => write!(f, "cells^{:.2}", self.rate),
            Law::Exponential => write!(f, "×{:.2} per {CELLS} cells", self.rate),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fits_recover_the_law() {
        let sizes = [25.0, 49.0, 100.0, 225.0, 400.0, 720.0];
        let power = Growth::fit(&sizes.map(|n: f64| (n, 0.3 * n.powf(1.7)))).unwrap();
        assert_eq!(power.law, Law::Power);
        assert!((power.rate - 1.7).abs() < 1e-9 && (power.explained - 1.0).abs() < 1e-9);
        assert!((power.at(64.0) - 0.3 * 64_f64.powf(1.7)).abs() < 1e-6);
        let exponential = Growth::fit(&sizes.map(|n| (n, 2.0 * (n / 100.0).exp2()))).unwrap();
        assert_eq!(exponential.law, Law::Exponential);
        assert!((exponential.rate - 2.0).abs() < 1e-9, "{exponential:?}");
        assert!((exponential.at(300.0) - 16.0).abs() < 1e-6);
        assert_eq!(Growth::fit(&[(4.0, 1.0), (4.0, 2.0), (9.0, 2.0), (9.0, 3.0), (4.0, 3.0)]), None);
    }
}
