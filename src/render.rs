//! Boards as text: tokens in columns, coloured where the output is a terminal.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};

/// What a cell is, for its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Nothing to stress.
    Plain,
    /// Given by the puzzle.
    Given,
    /// Background: sea, empty squares, whatever is beside the answer.
    Ground,
    /// A block that is no place for an answer.
    Block,
    /// Part of the answer.
    Mark,
}

impl Role {
    fn style(self) -> Style {
        match self {
            Self::Plain => Style::new(),
            Self::Given => Style::new().bold().fg_color(Some(AnsiColor::Yellow.into())),
            Self::Ground => Style::new().fg_color(Some(AnsiColor::Blue.into())),
            Self::Block => Style::new().dimmed(),
            Self::Mark => Style::new().bold().fg_color(Some(AnsiColor::Green.into())),
        }
    }
}

/// A board as rows of tokens without blanks in them, and lines of text below.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Drawing {
    rows: Vec<Vec<(String, Role)>>,
    lines: Vec<String>,
}

impl Drawing {
    /// A drawing of these rows.
    #[must_use]
    pub fn new(rows: Vec<Vec<(String, Role)>>) -> Self {
        Self { rows, lines: Vec::new() }
    }

    /// With lines of text below the rows; a drawing may be lines alone.
    #[must_use]
    pub fn with_lines(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.lines.extend(lines);
        self
    }

    /// The tokens of the rows.
    pub fn rows_mut(&mut self) -> impl Iterator<Item = &mut Vec<(String, Role)>> {
        self.rows.iter_mut()
    }

    /// The drawing without its lines of text.
    #[must_use]
    pub fn without_lines(self) -> Self {
        Self { lines: Vec::new(), ..self }
    }

    /// The rows with the tokens of each column under one another, with escape codes for colour if `coloured`.
    #[must_use]
    pub fn text(&self, coloured: bool) -> String {
        let width = self.rows.iter().flatten().map(|(token, _)| token.chars().count()).max().unwrap_or(0);
        let mut text = String::new();
        for row in &self.rows {
            for (column, (token, role)) in row.iter().enumerate() {
                if column > 0 {
                    text.push(' ');
                }
                let style = if coloured { role.style() } else { Style::new() };
                let _ = write!(
                    text,
                    "{:width$}{style}{token}{style:#}",
                    "",
                    width = width - token.chars().count()
                );
            }
            text.push('\n');
        }
        for line in &self.lines {
            text.push_str(line);
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_colour_takes_no_room() {
        let drawing = Drawing::new(vec![
            vec![("12".into(), Role::Given), ("0".into(), Role::Ground)],
            vec![("3".into(), Role::Plain), ("4".into(), Role::Plain)],
        ]);
        assert_eq!(drawing.text(false), "12  0\n 3  4\n");
        let coloured = drawing.text(true);
        assert!(coloured.contains("\u{1b}[") && coloured.contains(" 3  4\n"), "{coloured:?}");
        assert_eq!(Drawing::default().text(true), "");
        assert_eq!(drawing.with_lines(["n = 3".into()]).text(false), "12  0\n 3  4\nn = 3\n");
    }
}
