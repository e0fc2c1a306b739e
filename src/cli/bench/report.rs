//! `gordian bench report`: tables and a page of what was measured.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::super::exit::ExitStatus;
use super::super::report::Failure;
use super::Files;
use crate::bench::report::{Table, TableFormat, best, configurations, page, runs};
use crate::bench::summary::{Group, Measure, groups};
use crate::file;

/// Tables of results, and a page with plots.
///
/// The tables go to standard output: as text, or as Markdown or CSV. With `-o` a page is written instead, or as well.
#[derive(Debug, Args)]
pub(super) struct Report {
    #[command(flatten)]
    files: Files,
    /// Write a page in HTML that needs nothing else
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print the tables in Markdown
    #[arg(long, conflicts_with = "csv")]
    markdown: bool,
    /// Print the tables as values between commas
    #[arg(long)]
    csv: bool,
    /// Print a row for each run instead
    #[arg(long)]
    runs: bool,
    /// Which time to compare: by the clock or of the processor
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = Time::Wall)]
    time: Time,
    /// The heading of the page
    #[arg(long, value_name = "TEXT", default_value = "Gordian bench")]
    title: String,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Time {
    /// From the start of the process to its end.
    Wall,
    /// Of the processor; nearly the same on a machine that does other things too.
    Cpu,
}

impl Report {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let records = self.files.read()?;
        let measure = match self.time {
            Time::Wall => Measure::Wall,
            Time::Cpu => Measure::Cpu,
        };
        let groups = groups(&records, measure);
        if groups.is_empty() {
            return Err(Failure::Usage("there are no results".into()));
        }
        if let Some(path) = &self.output {
            let page = page(&self.title, &records, &groups);
            file::write(path, |out| out.write_all(page.as_bytes()))
                .map_err(|error| Failure::File { path: path.display().to_string(), error })?;
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
        let mut tables: Vec<(String, Table)> = Vec::new();
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
                // One table needs no heading, and is read by programs.
                TableFormat::Csv if tables.len() > 1 => writeln!(out, "{blank}{title}\r")?,
                TableFormat::Csv => {}
            }
            write!(out, "{}", table.write(format))?;
        }
        Ok(())
    }
}
