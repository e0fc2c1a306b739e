//! The plots of a group of benchmark results, as SVG.
//!
//! The crate plotters draws axes and lines. plotters supports only numeric colours, but the HTML page has a light and a
//! dark colour scheme. Therefore the drawings use placeholder colours, which [`with_classes`] replaces with CSS
//! classes. The data points are separate SVG elements at positions that plotters computes. They can therefore have
//! titles, and the page's script can move them.

use std::fmt::Write as _;
use std::ops::Range;

use plotters::coord::Shift;
use plotters::prelude::*;

use super::super::summary::Group;
use crate::render::escaped;

/// The width and height of a plot in pixels.
pub(super) type PlotSize = (u32, u32);

/// The placeholder colours of the text and axes, and of the grid lines.
const INK: RGBColor = RGBColor(0, 0, 1);
const GRID: RGBColor = RGBColor(0, 0, 2);
/// The placeholder colours of the time limit and of the virtual best solver.
const LIMIT: RGBColor = RGBColor(0, 0, 3);
const BEST: RGBColor = RGBColor(0, 0, 4);

/// Returns the placeholder colour of a configuration.
fn series(index: usize) -> RGBColor {
    RGBColor(0, 1, u8::try_from(index).unwrap_or(u8::MAX))
}

/// Replaces the placeholder colours in a drawing with classes.
fn with_classes(svg: &str) -> String {
    let mut text = String::with_capacity(svg.len());
    let mut rest = svg;
    while let Some(at) = rest.find("=\"#000") {
        let (before, found) = rest.split_at(at);
        let name = before.rsplit(' ').next().unwrap_or_default();
        let digits = &found[3..9];
        text.push_str(&before[..before.len() - name.len()]);
        let class = match (&digits[..4], u8::from_str_radix(&digits[4..], 16)) {
            ("0000", Ok(1)) => format!("{name}-ink"),
            ("0000", Ok(2)) => format!("{name}-grid"),
            ("0000", Ok(3)) => format!("{name}-limit"),
            ("0000", Ok(4)) => format!("{name}-best"),
            ("0001", Ok(index)) => format!("{name}-{index}"),
            _ => format!("{name}-none"),
        };
        let _ = write!(text, "class=\"{class}\"");
        rest = &found[10..];
    }
    text.push_str(rest);
    text
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// Draws a plot of the given size, with `label` as its alternative text.
fn svg(size: PlotSize, label: &str, draw: impl FnOnce(&Area<'_>) -> Drawn) -> String {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        // Drawing never fails, because the result is written to memory.
        let drawn = draw(&area).and_then(|()| area.present());
        debug_assert!(drawn.is_ok(), "{drawn:?}");
    }
    let text = with_classes(&text);
    text.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{}\" ", escaped(label)), 1)
}

/// Returns the range of the time axis in seconds. It starts at a power of ten, and ends at 1.5 times the time limit or
/// above.
fn times(group: &Group<'_>) -> Range<f64> {
    let answered = (0..group.configurations.len())
        .flat_map(|c| (0..group.boards.len()).filter_map(move |board| group.answered(c, board)));
    let (least, most) = answered.fold((f64::INFINITY, 0.0_f64), |(a, b), time| (a.min(time), b.max(time)));
    let limit = group.limit();
    let least = if least.is_finite() { least.max(1.0) } else { limit / 10.0 };
    let from = 10_f64.powf((least / 1e3).log10().floor());
    from..(limit.max(most) / 1e3 * 1.5).max(from * 20.0)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "plotters hands it so")]
fn label_of_time(seconds: &f64) -> String {
    format!("{seconds}")
}

/// Starts a chart with the margins that all plots have.
fn chart_on<'a, 'b>(area: &'b Area<'a>) -> ChartBuilder<'b, 'b, SVGBackend<'a>> {
    let mut chart = ChartBuilder::on(area);
    chart.margin(8).margin_right(16).x_label_area_size(44).y_label_area_size(64);
    chart
}

/// Configures the axes, which look the same in all plots.
macro_rules! axes {
    ($chart:expr, $x:expr, $y:expr, $x_label:expr, $y_label:expr, $size:expr) => {
        $chart
            .configure_mesh()
            .axis_style(INK)
            .bold_line_style(GRID)
            .light_line_style(TRANSPARENT)
            .label_style(("sans-serif", TEXT).into_font().color(&INK))
            .axis_desc_style(("sans-serif", TEXT).into_font().color(&INK))
            .x_desc($x)
            .y_desc($y)
            .x_labels(if $size.0 < NARROW { 4 } else { 8 })
            .y_labels(8)
            .x_label_formatter(&$x_label)
            .y_label_formatter(&$y_label)
            .draw()
    };
}

const TEXT: u32 = 15;
const NARROW: u32 = 500;

/// Plots how many boards each configuration solves within a given time. The curve of the virtual best solver is
/// dashed.
pub(super) fn cactus(group: &Group<'_>, size: PlotSize) -> String {
    let range = times(group);
    let boards = group.boards.len();
    let sorted = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times
            .into_iter()
            .enumerate()
            .map(|(i, time)| ((i + 1) as f64, (time / 1e3).max(range.start)))
            .collect()
    };
    let curves: Vec<Vec<(f64, f64)>> = (0..group.configurations.len())
        .map(|c| sorted((0..boards).filter_map(|board| group.answered(c, board)).collect()))
        .collect();
    let best: Vec<(f64, f64)> = sorted((0..boards).filter_map(|b| Some(group.fastest(b)?.1)).collect());
    let limit = group.limit() / 1e3;
    svg(size, "Number of instances answered within a time limit", |area| {
        let mut chart =
            chart_on(area).build_cartesian_2d(0.0..boards as f64 + 0.5, range.clone().log_scale())?;
        axes!(
            chart,
            "instances answered",
            "seconds",
            |count: &f64| if count.fract() == 0.0 { format!("{count:.0}") } else { String::new() },
            label_of_time,
            size
        )?;
        let end = boards as f64 + 0.5;
        chart.draw_series(LineSeries::new([(0.0, limit), (end, limit)], LIMIT))?;
        for (index, curve) in curves.iter().enumerate() {
            chart.draw_series(LineSeries::new(curve.clone(), series(index).stroke_width(2)))?;
        }
        chart.draw_series(LineSeries::new(best, BEST.stroke_width(2)))?;
        Ok(())
    })
}

/// Plots the mean primal gap of each configuration over time. Returns `None` if no solution of an optimisation problem
/// is known.
pub(super) fn anytime(group: &Group<'_>, size: PlotSize) -> Option<String> {
    let curves: Vec<_> = (0..group.configurations.len()).map(|c| group.gaps(c)).collect();
    let changes = curves.iter().flatten().flatten().map(|&(time, _)| time).filter(|&time| time > 0.0);
    let first = changes.fold(f64::INFINITY, f64::min);
    if first.is_infinite() {
        return None;
    }
    let limit = group.limit() / 1e3;
    let from = 10_f64.powf((first.max(1.0) / 1e3).log10().floor()).min(limit / 10.0);
    Some(svg(size, "Mean primal gap over time", |area| {
        let mut chart = chart_on(area).build_cartesian_2d((from..limit).log_scale(), 0.0..1.0)?;
        axes!(chart, "seconds", "mean primal gap", label_of_time, |gap: &f64| format!("{gap:.1}"), size)?;
        for (index, steps) in curves.iter().enumerate() {
            let Some(steps) = steps else { continue };
            // Each step is drawn as a horizontal and a vertical line.
            let (mut points, mut before) = (vec![(from, 1.0)], 1.0);
            for &(time, gap) in steps {
                let time = (time / 1e3).clamp(from, limit);
                points.extend([(time, before), (time, gap)]);
                before = gap;
            }
            points.push((limit, before));
            chart.draw_series(LineSeries::new(points, series(index).stroke_width(2)))?;
        }
        Ok(())
    }))
}

/// A scatter plot without its points. For each configuration and each board, `places` contains the position of the time
/// in pixels, both on the x axis and on the y axis. A run without a definite result in time is plotted at the time
/// limit.
pub(super) struct Scatter {
    pub(super) svg: String,
    pub(super) places: Vec<Vec<Option<(i32, i32)>>>,
}

pub(super) fn scatter(group: &Group<'_>, size: PlotSize) -> Scatter {
    let range = times(group);
    let limit = group.limit() / 1e3;
    let mut places = Vec::new();
    let svg = svg(size, "Scatter plot of the times of two configurations, one point per instance", |area| {
        let mut chart =
            chart_on(area).build_cartesian_2d(range.clone().log_scale(), range.clone().log_scale())?;
        axes!(chart, "seconds, the one across", "seconds, the one up", label_of_time, label_of_time, size)?;
        let (low, high) = (range.start, range.end);
        chart.draw_series(LineSeries::new([(low, low), (high, high)], GRID.stroke_width(2)))?;
        for line in [[(low, limit), (high, limit)], [(limit, low), (limit, high)]] {
            chart.draw_series(LineSeries::new(line, LIMIT))?;
        }
        let plane = chart.plotting_area();
        let place = |configuration: usize, board: usize| {
            let time = match group.answered(configuration, board) {
                Some(time) => (time / 1e3).clamp(low, high),
                None if group.runs[configuration][board].is_empty() => return None,
                None => limit,
            };
            Some(plane.map_coordinate(&(time, time)))
        };
        places = (0..group.configurations.len())
            .map(|c| (0..group.boards.len()).map(|board| place(c, board)).collect())
            .collect();
        Ok(())
    });
    Scatter { svg, places }
}

/// Plots time against size: one point for each configuration and board, and the fitted curve of each configuration.
pub(super) fn growth(group: &Group<'_>, size: PlotSize) -> Option<String> {
    let sizes: Vec<f64> = group.boards.iter().filter_map(|board| Some(board.cells? as f64)).collect();
    let (least, most) =
        sizes.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), &size| (a.min(size), b.max(size)));
    let fits: Vec<_> = (0..group.configurations.len()).map(|c| group.figures(c).growth).collect();
    if fits.iter().all(Option::is_none) || least <= 0.0 {
        return None;
    }
    let range = times(group);
    let mut points = String::new();
    let drawn = svg(size, "Time against the size of the instance", |area| {
        let mut chart = chart_on(area)
            .build_cartesian_2d((least / 1.2..most * 1.2).log_scale(), range.clone().log_scale())?;
        axes!(chart, "cells", "seconds", |cells: &f64| format!("{cells:.0}"), label_of_time, size)?;
        for (index, fit) in fits.iter().enumerate() {
            const STEPS: i32 = 40;
            let Some(fit) = fit else { continue };
            // The curve is drawn only over the range of sizes that were measured.
            let answered = (0..group.boards.len()).filter(|&board| group.answered(index, board).is_some());
            let sizes = answered.filter_map(|board| Some(group.boards[board].cells? as f64));
            let (from, to) = sizes.fold((f64::INFINITY, 0.0_f64), |(a, b), size| (a.min(size), b.max(size)));
            let cells = (0..=STEPS).map(|i| from * (to / from).powf(f64::from(i) / f64::from(STEPS)));
            let line = cells.map(|cells| (cells, fit.at(cells) / 1e3));
            let inside = line.filter(|(_, seconds)| range.contains(seconds));
            chart.draw_series(LineSeries::new(inside, series(index).stroke_width(2)))?;
        }
        let plane = chart.plotting_area();
        for (index, configuration) in group.configurations.iter().enumerate() {
            for (number, board) in group.boards.iter().enumerate() {
                let Some((cells, time)) = board.cells.zip(group.answered(index, number)) else { continue };
                let seconds = (time / 1e3).max(range.start);
                let (x, y) = plane.map_coordinate(&(cells as f64, seconds));
                let name =
                    escaped(&format!("{}: {}, {} s", board.name, configuration.label, super::seconds(time)));
                let _ = write!(
                    points,
                    "<circle class=\"fill-{index}\" cx=\"{x}\" cy=\"{y}\" r=\"3\"><title>{name}</title></circle>"
                );
            }
        }
        Ok(())
    });
    Some(with_points(&drawn, "", &points))
}

/// Inserts points into the SVG text of a drawing.
pub(super) fn with_points(svg: &str, attributes: &str, points: &str) -> String {
    svg.replacen("</svg>", &format!("<g class=\"points\"{attributes}>{points}</g></svg>"), 1)
}
