//! The HTML page of a benchmark report. The page is a single self-contained file.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::super::record::RunRecord;
use super::super::summary::{Group, Measure};
use super::plot::{self, PlotSize};
use super::{best, configurations, seconds};
use crate::format::counted;
use crate::render::escaped;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The sizes in which each plot is drawn: one for wide screens and one for narrow screens.
const SIZES: [(&str, PlotSize); 2] = [("on-wide", (560, 440)), ("on-narrow", (358, 340))];

/// The maximum number of configurations with distinct line styles.
pub(super) const LOOKS: usize = 24;
const COLOURS: usize = 8;

/// Returns the page with all tables and plots of the groups.
#[must_use]
pub fn page(title: &str, records: &[RunRecord], groups: &[Group<'_>]) -> String {
    let mut html = String::new();
    let title = escaped(title);
    let _ = write!(
        html,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>\n{STYLE}{}</style>\n\
         </head>\n<body>\n<main>\n<h1>{title}</h1>\n",
        looks()
    );
    html.push_str(&about(records, groups.first().map_or(Measure::Wall, |group| group.measure)));
    let summary = best(groups);
    if !summary.is_empty() {
        html.push_str("<section>\n<h2>Best per puzzle</h2>\n");
        html.push_str(&summary.html());
        html.push_str("</section>\n");
    }
    if groups.len() > 1 {
        html.push_str("<nav><h2>Contents</h2><ul>\n");
        for (number, group) in groups.iter().enumerate() {
            let _ = writeln!(html, "<li><a href=\"#group-{number}\">{}</a></li>", escaped(&group.title()));
        }
        html.push_str("</ul></nav>\n");
    }
    for (number, group) in groups.iter().enumerate() {
        section(&mut html, number, group);
    }
    html.push_str("</main>\n<script>\n");
    html.push_str(SCRIPT);
    html.push_str("</script>\n</body>\n</html>\n");
    html
}

/// Returns the styles for the lines and the points of each configuration.
fn looks() -> String {
    const DASHES: [&str; 3] = ["none", "7 4", "2 3"];
    let mut style = String::new();
    for index in 0..=usize::from(u8::MAX) {
        let (colour, dash) = (index % COLOURS, DASHES[index % LOOKS / COLOURS]);
        let _ = writeln!(
            style,
            ".stroke-{index}{{stroke:var(--c{colour});stroke-dasharray:{dash}}}.fill-{index}{{fill:var(--c{colour})}}"
        );
    }
    style
}

/// Returns a description of the measurements, the machines, and the terms used on the page.
fn about(records: &[RunRecord], measure: Measure) -> String {
    let machines: BTreeSet<&str> = records.iter().map(|record| &record.machine[..]).collect();
    let versions: BTreeSet<&str> = records.iter().map(|record| &record.version[..]).collect();
    let boards: BTreeSet<&str> = records.iter().map(|record| &record.content[..]).collect();
    let list = |words: BTreeSet<&str>| escaped(&words.into_iter().collect::<Vec<_>>().join("; "));
    let time = match measure {
        Measure::Wall => "wall-clock times from the start of the process to its end",
        Measure::Cpu => "processor times of the whole process",
    };
    format!(
        "<p>{} on {}. gordian {}. {}.</p>\n<details><summary>How to read this</summary>\n\
         <p>Times are {time}. PAR2 is the mean time over the seeds and then over the instances, where a run that exceeds its \
         limit counts as twice the limit. In the total it counts as the limit. With several seeds, the time on an \
         instance is their median. The virtual best solver uses the fastest configuration on each instance. Sizes, conflicts and \
         memory are medians. The growth of the time is fitted to the answered runs, by least squares on logarithms; R² \
         is the share of the variance that the fit explains. <code>auto</code> is the configuration without a chosen \
         encoding or strategy.</p>\n\
         <p>The primal gap of a solution with the value v is |best − v| / max(|best|, |v|), where best is the best value \
         that any run has found. It is 0 if v = best, and 1 if the two values have opposite signs or the run has found \
         no solution yet. The primal integral is the integral of the mean primal gap up to the time limit. Borda is \
         the score of the MiniZinc Challenge: on each instance, a configuration gets 1 point for each other configuration \
         with a worse result. If neither result is better, the two share one point according to their times in whole \
         seconds. A configuration without a result gets no points.</p></details>\n",
        counted(records.len(), "run"),
        counted(boards.len(), "instance"),
        list(versions),
        list(machines),
    )
}

fn section(html: &mut String, number: usize, group: &Group<'_>) {
    let _ = write!(
        html,
        "<section id=\"group-{number}\">\n<h2>{}</h2>\n<p>{}, limit {} s.</p>\n",
        escaped(&group.title()),
        counted(group.boards.len(), "instance"),
        seconds(group.limit())
    );
    html.push_str(&configurations(group).html());
    // Plots are drawn with placeholder colours, which store the index of a configuration in one byte. A plot therefore
    // has at most 255 configurations.
    if group.configurations.len() > usize::from(u8::MAX) {
        html.push_str("<p>Too many configurations for a plot.</p>\n</section>\n");
        return;
    }
    html.push_str("<div class=\"plots\">\n<figure>\n<figcaption>Number of instances answered within a time limit. Lower and further right is better.</figcaption>\n");
    for (class, size) in SIZES {
        let _ = writeln!(html, "<div class=\"{class}\">{}</div>", plot::cactus(group, size));
    }
    html.push_str(&legend(group, group.configurations.len() > 1));
    html.push_str("</figure>\n");
    let known = counted(group.boards_with_value(), "instance");
    let caption = format!("Mean primal gap over time, on {known} with a known solution. Lower is better.");
    figure(html, group, &caption, plot::anytime);
    if group.configurations.len() > 1 {
        scatter(html, number, group);
    }
    let caption = "Time against size of the answered instances, with fitted curves";
    figure(html, group, caption, plot::growth);
    html.push_str("</div>\n</section>\n");
}

/// Adds a plot with a legend, unless the function `plot` returns `None`.
fn figure(
    html: &mut String,
    group: &Group<'_>,
    caption: &str,
    plot: fn(&Group<'_>, PlotSize) -> Option<String>,
) {
    let drawn =
        SIZES.map(|(class, size)| Some(format!("<div class=\"{class}\">{}</div>\n", plot(group, size)?)));
    let [Some(wide), Some(narrow)] = drawn else { return };
    let legend = legend(group, false);
    let _ = writeln!(html, "<figure>\n<figcaption>{caption}</figcaption>\n{wide}{narrow}{legend}</figure>");
}

/// Returns the legend of the line styles.
fn legend(group: &Group<'_>, virtual_best: bool) -> String {
    let mut html = String::from("<ul class=\"legend\">\n");
    let mut item = |class: &str, label: &str| {
        let _ = writeln!(
            html,
            "<li><svg width=\"28\" height=\"8\" aria-hidden=\"true\"><line {class} x1=\"0\" y1=\"4\" x2=\"28\" y2=\"4\" \
             stroke-width=\"3\"/></svg> {}</li>",
            escaped(label)
        );
    };
    for (index, _) in group.ranking() {
        item(&format!("class=\"stroke-{index}\""), &group.configurations[index].label);
    }
    if virtual_best {
        item("class=\"stroke-best\"", "virtual best");
    }
    html.push_str("</ul>\n");
    html
}

/// Returns the scatter plot of two configurations. Initially, the plot compares the best configuration with `auto`,
/// or the best two configurations.
fn scatter(html: &mut String, number: usize, group: &Group<'_>) {
    let ranking = group.ranking();
    let up = ranking[0].0;
    let across = group.auto().filter(|&auto| auto != up).unwrap_or(ranking[1].0);
    let _ = write!(
        html,
        "<figure class=\"scatter\" data-group=\"{number}\">\n<figcaption>One against another: a point for each instance; below \
         the diagonal, the one up is faster; what was not answered is on the dashed line</figcaption>\n<p class=\"choice\">"
    );
    for (axis, chosen) in [("across", across), ("up", up)] {
        let _ = write!(html, "<label>{axis} <select data-axis=\"{axis}\">");
        for (index, configuration) in group.configurations.iter().enumerate() {
            let selected = if index == chosen { " selected" } else { "" };
            let _ = write!(
                html,
                "<option value=\"{index}\"{selected}>{}</option>",
                escaped(&configuration.label)
            );
        }
        html.push_str("</select></label> ");
    }
    html.push_str("</p>\n");
    let name = |board: usize, c: usize| {
        group.answered(c, board).map_or("not answered".to_owned(), |t| seconds(t) + " s")
    };
    for (class, size) in SIZES {
        let drawn = plot::scatter(group, size);
        let mut points = String::new();
        for (board, about) in group.boards.iter().enumerate() {
            let place = drawn.places[across][board].zip(drawn.places[up][board]);
            let (x, y) = place.map_or((0, 0), |(across, up)| (across.0, up.1));
            let hidden = if place.is_none() { " visibility=\"hidden\"" } else { "" };
            let title = format!("{}: across {}, up {}", about.name, name(board, across), name(board, up));
            let _ = write!(
                points,
                "<circle class=\"fill-0\" cx=\"{x}\" cy=\"{y}\" r=\"4\"{hidden}><title>{}</title></circle>",
                escaped(&title)
            );
        }
        let places: Vec<Vec<Option<[i32; 2]>>> = drawn
            .places
            .iter()
            .map(|boards| boards.iter().map(|place| place.map(|(x, y)| [x, y])).collect())
            .collect();
        let places = serde_json::json!(places).to_string();
        let attributes = format!(" data-places=\"{}\"", escaped(&places));
        let _ = writeln!(
            html,
            "<div class=\"{class}\">{}</div>",
            plot::with_points(&drawn.svg, &attributes, &points)
        );
    }
    let names: Vec<&str> = group.boards.iter().map(|board| &board.name[..]).collect();
    let times: Vec<Vec<Option<String>>> = (0..group.configurations.len())
        .map(|c| (0..names.len()).map(|board| group.answered(c, board).map(seconds)).collect())
        .collect();
    // The character `<` is escaped, because `</script>` would end the element.
    let data = serde_json::json!({ "names": names, "times": times }).to_string().replace('<', "\\u003c");
    let _ = write!(html, "<script type=\"application/json\">{data}</script>\n</figure>\n");
}
