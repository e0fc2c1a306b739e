//! Tables, and their output formats.

use std::fmt::Write as _;

use crate::render::escaped;

/// The output format of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableFormat {
    /// Aligned columns, for terminals.
    Text,
    /// A GitHub Markdown table.
    Markdown,
    /// Comma-separated values (RFC 4180).
    Csv,
}

/// A table with text columns on the left and number columns on the right.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReportTable {
    head: Vec<String>,
    /// The number of text columns.
    words: usize,
    rows: Vec<Vec<String>>,
}

impl ReportTable {
    /// Creates a table with the given text columns and no rows.
    #[must_use]
    pub fn new(words: &[&str], numbers: &[&str]) -> Self {
        let head = words.iter().chain(numbers).map(|&name| name.to_owned()).collect();
        Self { head, words: words.len(), rows: Vec::new() }
    }

    /// Adds a column of numbers.
    pub fn column(&mut self, name: &str) {
        self.head.push(name.to_owned());
    }

    /// Adds a row to the table. Missing cells are empty.
    pub fn row(&mut self, mut row: Vec<String>) {
        row.resize(self.head.len(), String::new());
        self.rows.push(row);
    }

    /// Returns whether the table has no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Renders the table as text in the given format.
    #[must_use]
    pub fn write(&self, format: TableFormat) -> String {
        match format {
            TableFormat::Text => self.text(),
            TableFormat::Markdown => self.markdown(),
            TableFormat::Csv => self.csv(),
        }
    }

    fn lines(&self) -> impl Iterator<Item = &Vec<String>> {
        std::iter::once(&self.head).chain(&self.rows)
    }

    fn text(&self) -> String {
        let width = |column: usize| self.lines().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        let mut text = String::new();
        for row in self.lines() {
            let mut line = String::new();
            for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                let _ = if column < self.words {
                    write!(line, "{cell:width$}  ")
                } else {
                    write!(line, "{cell:>width$}  ")
                };
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    fn markdown(&self) -> String {
        let line = |row: &[String]| {
            let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let mut text = line(&self.head);
        for column in 0..self.head.len() {
            text.push_str(if column < self.words { "| --- " } else { "| --: " });
        }
        text.push_str("|\n");
        text.extend(self.rows.iter().map(|row| line(row)));
        text
    }

    fn csv(&self) -> String {
        let cell = |cell: &String| {
            if cell.contains(['"', ',', '\n', '\r']) {
                format!("\"{}\"", cell.replace('"', "\"\""))
            } else {
                cell.clone()
            }
        };
        self.lines().map(|row| row.iter().map(cell).collect::<Vec<_>>().join(",") + "\r\n").collect()
    }

    /// Renders the table as HTML.
    #[must_use]
    pub fn html(&self) -> String {
        let mut text = String::from("<div class=\"wide\"><table>\n<thead><tr>");
        let class = |column: usize| if column < self.words { "" } else { " class=\"number\"" };
        for (column, name) in self.head.iter().enumerate() {
            let _ = write!(text, "<th scope=\"col\"{}>{}</th>", class(column), escaped(name));
        }
        text.push_str("</tr></thead>\n<tbody>\n");
        for row in &self.rows {
            text.push_str("<tr>");
            for (column, cell) in row.iter().enumerate() {
                let cell = escaped(cell);
                let _ = if column == 0 {
                    // Line breaks in long names are allowed after `=` and `:`.
                    let cell = cell.replace('=', "=<wbr>").replace(':', ":<wbr>");
                    write!(text, "<th scope=\"row\">{cell}</th>")
                } else {
                    write!(text, "<td{}>{cell}</td>", class(column))
                };
            }
            text.push_str("</tr>\n");
        }
        text.push_str("</tbody></table></div>\n");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_written() {
        let mut table = ReportTable::new(&["name"], &["n"]);
        table.row(vec!["a|b, \"c\" <d>".into(), "1".into()]);
        table.row(vec!["é".into()]);
        assert_eq!(table.write(TableFormat::Text), "name          n\na|b, \"c\" <d>  1\né\n");
        assert_eq!(
            table.write(TableFormat::Markdown),
            "| name | n |\n| --- | --: |\n| a\\|b, \"c\" <d> | 1 |\n| é |  |\n"
        );
        assert_eq!(table.write(TableFormat::Csv), "name,n\r\n\"a|b, \"\"c\"\" <d>\",1\r\né,\r\n");
        assert!(
            table
                .html()
                .contains("<th scope=\"row\">a|b, &quot;c&quot; &lt;d&gt;</th><td class=\"number\">1</td>")
        );
    }
}
