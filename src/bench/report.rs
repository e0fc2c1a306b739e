//! Reports of benchmark statistics, as tables and as an HTML page.

use super::summary::{Figures, Group};

mod page;
mod plot;
mod table;

pub use page::page;
pub use table::{ReportTable, TableFormat};

/// Formats a time in seconds with three significant digits.
#[must_use]
pub fn seconds(milliseconds: f64) -> String {
    let seconds = milliseconds / 1e3;
    let below = [0.1, 1.0, 10.0, 100.0].into_iter().filter(|&limit| seconds < limit);
    let digits = if seconds > 0.0 { below.count() } else { 0 };
    format!("{seconds:.digits$}")
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / f64::from(1 << 20))
}

/// Returns the table for a group of results. The table has a row for each configuration, starting with the best, and
/// a row for the virtual best solver.
///
/// Columns without any values are omitted.
#[must_use]
pub fn configurations(group: &Group<'_>) -> ReportTable {
    let ranking = group.ranking();
    let all = |holds: &dyn Fn(&Figures) -> bool| ranking.iter().all(|(_, figures)| holds(figures));
    let seeds = ranking.iter().any(|(_, figures)| figures.runs > figures.boards);
    let mut table = ReportTable::new(&["configuration"], &["instances"]);
    if seeds {
        table.column("runs");
    }
    table.column("answered");
    let endings = ["out of time", "out of memory", "failed"];
    let shown: Vec<usize> =
        (0..endings.len()).filter(|&i| !all(&|figures| figures.endings[i] == 0)).collect();
    for &ending in &shown {
        table.column(endings[ending]);
    }
    for name in ["PAR2, s", "median, s", "total, s", "best on"] {
        table.column(name);
    }
    let integral = !all(&|figures| figures.primal_integral.is_none());
    if integral {
        table.column("primal integral, s");
    }
    let borda = !all(&|figures| figures.borda.is_none());
    if borda {
        table.column("Borda");
    }
    let growth = !all(&|figures| figures.growth.is_none());
    if growth {
        table.column("time grows as");
        table.column("R²");
    }
    for name in ["variables", "clauses", "conflicts", "memory, MB"] {
        table.column(name);
    }
    let count = |count: Option<u64>| count.map(|count| count.to_string()).unwrap_or_default();
    for (index, figures) in &ranking {
        let mut row = vec![group.configurations[*index].label.clone(), figures.boards.to_string()];
        if seeds {
            row.push(figures.runs.to_string());
        }
        row.push(figures.answered.to_string());
        row.extend(shown.iter().map(|&i| figures.endings[i].to_string()));
        row.push(seconds(figures.par2));
        row.push(figures.median.map_or("–".to_owned(), seconds));
        row.push(seconds(figures.total));
        row.push(figures.best_on.to_string());
        if integral {
            row.push(figures.primal_integral.map(seconds).unwrap_or_default());
        }
        if borda {
            row.push(figures.borda.map(|score| format!("{score:.2}")).unwrap_or_default());
        }
        if growth {
            row.push(figures.growth.map(|growth| growth.to_string()).unwrap_or_default());
            row.push(figures.growth.map(|growth| format!("{:.2}", growth.explained)).unwrap_or_default());
        }
        row.extend(figures.sizes[..3].iter().map(|&size| count(size)));
        row.push(figures.sizes[3].map(megabytes).unwrap_or_default());
        table.row(row);
    }
    if ranking.len() > 1 {
        let (answered, par2) = group.virtual_best();
        let mut row = vec!["virtual best".to_owned(), group.boards.len().to_string()];
        if seeds {
            row.push(String::new());
        }
        row.push(answered.to_string());
        row.extend(shown.iter().map(|_| String::new()));
        row.push(seconds(par2));
        table.row(row);
    }
    table
}

/// Returns a table that compares, for each group, the best configuration, the virtual best solver and the
/// configuration `auto`.
#[must_use]
pub fn best(groups: &[Group<'_>]) -> ReportTable {
    let mut table = ReportTable::new(
        &["puzzle", "best configuration"],
        &["instances", "its PAR2, s", "auto's PAR2, s", "virtual best, s", "auto / best"],
    );
    for group in groups.iter().filter(|group| group.configurations.len() > 1) {
        let ranking = group.ranking();
        let Some((best, figures)) = ranking.first() else { continue };
        let auto = group.auto().and_then(|auto| ranking.iter().find(|(index, _)| *index == auto));
        let auto = auto.map(|(_, figures)| figures.par2);
        let (_, virtual_best) = group.virtual_best();
        table.row(vec![
            group.title(),
            group.configurations[*best].label.clone(),
            figures.boards.to_string(),
            seconds(figures.par2),
            auto.map_or("–".to_owned(), seconds),
            seconds(virtual_best),
            // A processor time below 10 ms may be measured as 0.
            auto.filter(|_| figures.par2 > 0.0)
                .map_or("–".to_owned(), |auto| format!("{:.2}", auto / figures.par2)),
        ]);
    }
    table
}

/// Returns a table of all runs, for spreadsheets.
#[must_use]
pub fn runs(groups: &[Group<'_>]) -> ReportTable {
    let mut table = ReportTable::new(
        &["puzzle", "query", "configuration", "instance", "ending", "status"],
        &[
            "cells",
            "seed",
            "wall, ms",
            "cpu, ms",
            "penalised, ms",
            "variables",
            "clauses",
            "conflicts",
            "propagations",
            "memory, bytes",
            "objective",
        ],
    );
    let number = |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
    for group in groups.iter().filter(|group| group.puzzle.is_some()) {
        for (configuration, of_boards) in group.configurations.iter().zip(&group.runs) {
            for record in of_boards.iter().flatten() {
                let ms = |name: &str| record.ms.get(name).map(ToString::to_string).unwrap_or_default();
                table.row(vec![
                    record.puzzle.clone(),
                    group.query.clone(),
                    configuration.label.clone(),
                    record.instance.clone(),
                    format!("{:?}", record.ending).to_lowercase(),
                    record.status.clone().unwrap_or_default(),
                    number(record.cells),
                    record.settings.seed.to_string(),
                    ms("wall"),
                    ms("cpu"),
                    group.measure.penalised(record).to_string(),
                    number(record.variables),
                    number(record.clauses),
                    number(record.conflicts),
                    number(record.propagations),
                    number(record.memory),
                    record.objective.as_ref().map(ToString::to_string).unwrap_or_default(),
                ]);
            }
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_have_three_significant_digits() {
        let shown = [0.0, 0.123_456, 1.234_56, 12.3456, 123.456, 1234.56, 12_345.6, 123_456.7].map(seconds);
        assert_eq!(shown, ["0", "0.0001", "0.0012", "0.0123", "0.123", "1.23", "12.3", "123"]);
    }
}
