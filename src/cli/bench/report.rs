//! `gordian bench report`: prints tables of results and writes an HTML report.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::super::exit::ExitStatus;
use super::super::report::Failure;
use super::Files;
use crate::bench::report::{ReportTable, TableFormat, best, configurations, page, runs};
use crate::bench::summary::{Group, Measure, groups};
use crate::file;

/// Print tables of results, or write an HTML report with plots.
///
/// Prints the tables to standard output as text, Markdown or CSV. With `-o`, writes an HTML report, and prints tables
/// only with `--markdown`, `--csv` or `--runs`.
#[derive(Debug, Args)]
pub(super) struct Report {
    #[command(flatten)]
    files: Files,
    /// Write a self-contained HTML report
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print the tables in Markdown
    #[arg(long, conflicts_with = "csv")]
    markdown: bool,
    /// Print the tables as CSV
    #[arg(long)]
    csv: bool,
    /// Print a table with one row for each run instead
    #[arg(long)]
    runs: bool,
    /// The time to compare: wall-clock or processor time
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = Measure::Wall)]
    time: Measure,
    /// The title of the HTML report
    #[arg(long, value_name = "TEXT", default_value = "Gordian bench")]
    title: String,
}

impl Report {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let records = self.files.read()?;
        let groups = groups(&records, self.time);
        if groups.is_empty() {
            return Err(Failure::Usage("the files contain no results".into()));
        }
        if let Some(path) = &self.output {
            let page = page(&self.title, &records, &groups);
            file::write(path, |out| out.write_all(page.as_bytes())).map_err(Failure::file(path))?;
        }
        let format = match (self.markdown, self.csv) {
            (true, _) => TableFormat::Markdown,
            (_, true) => TableFormat::Csv,
            _ => TableFormat::Text,
        };
        if self.output.is_none() || self.markdown || self.csv || self.runs {
            self.print(&groups, format)?;
        }
        Ok(ExitStatus::Answered)
    }

    fn print(&self, groups: &[Group<'_>], format: TableFormat) -> Result<(), Failure> {
        let mut tables: Vec<(String, ReportTable)> = Vec::new();
        if self.runs {
            tables.push(("Runs".into(), runs(groups)));
        } else {
            tables.push(("Best per puzzle".into(), best(groups)));
            tables.extend(groups.iter().map(|group| (group.title(), configurations(group))));
        }
        tables.retain(|(_, table)| !table.is_empty());
        let mut out = anstream::stdout().lock();
        for (number, (title, table)) in tables.iter().enumerate() {
            let blank = if number > 0 { "\n" } else { "" };
            match format {
                TableFormat::Markdown => writeln!(out, "{blank}## {title}\n")?,
                TableFormat::Text => writeln!(out, "{blank}{title}\n")?,
                // If there is a single table, it is printed without a title, because programs that read CSV expect
                // none.
                TableFormat::Csv if tables.len() > 1 => writeln!(out, "{blank}{title}\r")?,
                TableFormat::Csv => {}
            }
            write!(out, "{}", table.write(format))?;
        }
        Ok(())
    }
}
