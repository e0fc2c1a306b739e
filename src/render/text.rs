//! The renderer for plain text: tokens in columns, optionally coloured.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Color, Style};

use super::scene::{Cell, Figure, Highlight, Line, Role, Scene, Text};

impl Role {
    pub(super) fn style(self) -> Style {
        match self {
            Self::Plain => Style::new(),
            Self::Given => Style::new().bold().fg_color(Some(AnsiColor::Yellow.into())),
            Self::Ground => Style::new().fg_color(Some(AnsiColor::Blue.into())),
            Self::Block => Style::new().dimmed(),
            Self::Mark => Style::new().bold().fg_color(Some(AnsiColor::Green.into())),
        }
    }
}

impl Highlight {
    /// Adds the colours of the highlight to a style.
    pub(super) fn on(self, style: Style) -> Style {
        let ground = |colour: AnsiColor| {
            style.fg_color(Some(AnsiColor::Black.into())).bg_color(Some(Color::from(colour)))
        };
        match self {
            Self::None | Self::Forced => style,
            Self::Open => style.dimmed(),
            Self::Differs | Self::Rule => ground(AnsiColor::Yellow),
            Self::Wrong => ground(AnsiColor::Red),
            Self::Conclusion => ground(AnsiColor::Green),
            Self::Premise => ground(AnsiColor::Blue),
        }
    }
}

/// Writes text in a style. The plain style needs no escape codes.
pub(super) fn paint(out: &mut String, style: Style, text: &str) {
    let _ = write!(out, "{style}{text}{style:#}");
}

impl Text {
    pub(super) fn paint(&self, out: &mut String, coloured: bool) {
        for (piece, role) in &self.pieces {
            let style = if coloured { self.highlight.on(role.style()) } else { Style::new() };
            paint(out, style, piece);
        }
    }
}

impl Scene {
    /// Renders the scene as rows of aligned tokens and lines of text. If `coloured` is true, the text contains escape
    /// codes for colours.
    #[must_use]
    pub fn text(&self, coloured: bool) -> String {
        let mut text = String::new();
        if let Some(blocks) = &self.blocks {
            for (index, block) in blocks.iter().enumerate() {
                if index > 0 {
                    text.push('\n');
                }
                if let Some(Some(label)) = self.labels.get(index) {
                    text.extend([label, "\n"]);
                }
                let token = |(token, role): &(String, Role)| (token.clone(), role.style());
                let rows: Vec<Vec<_>> = block.iter().map(|row| row.iter().map(token).collect()).collect();
                write_rows(&mut text, &rows, coloured);
            }
        } else if let Figure::Board(cells) = &self.figure {
            let token = |cell: &Cell| {
                // A cell has only one background. Facts take precedence over rules.
                let is_rule = cell.is_of_rule && cell.highlight == Highlight::None;
                let highlight = if is_rule { Highlight::Rule } else { cell.highlight };
                (cell.token.clone(), highlight.on(cell.role.style()))
            };
            let rows: Vec<Vec<_>> = cells.by_row().map(|row| row.iter().map(token).collect()).collect();
            write_rows(&mut text, &rows, coloured);
        }
        let token = |(token, role): &(String, Role)| (token.clone(), role.style());
        let rows: Vec<Vec<_>> = self.rows.iter().map(|row| row.iter().map(token).collect()).collect();
        write_rows(&mut text, &rows, coloured);
        let answered = self.lines.iter().any(|line| matches!(line, Line::Solution(_)));
        for line in &self.lines {
            match line {
                Line::Solution(content) => content.paint(&mut text, coloured),
                Line::Data(content) if !answered => content.paint(&mut text, coloured),
                Line::Data(_) | Line::Remark(_) => continue,
            }
            text.push('\n');
        }
        text
    }
}

fn write_rows(text: &mut String, rows: &[Vec<(String, Style)>], coloured: bool) {
    let width = rows.iter().flatten().map(|(token, _)| token.chars().count()).max().unwrap_or(0);
    for row in rows {
        for (column, (token, style)) in row.iter().enumerate() {
            if column > 0 {
                text.push(' ');
            }
            let _ = write!(text, "{:1$}", "", width - token.chars().count());
            paint(text, if coloured { *style } else { Style::new() }, token);
        }
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Field, Grid, Solution};

    #[test]
    fn columns_line_up_and_colour_takes_no_room() {
        let cells = vec![
            Cell::label("12", Role::Given),
            Cell::new("0", Role::Ground),
            Cell::label("3", Role::Plain),
            Cell::label("4", Role::Plain),
        ];
        let scene = Scene::board(Grid::new(2, 2, cells));
        assert_eq!(scene.text(false), "12  0\n 3  4\n");
        let coloured = scene.text(true);
        assert!(coloured.contains("\u{1b}[") && coloured.contains(" 3  4\n"), "{coloured:?}");
        assert_eq!(Scene::default().text(true), "");
        let lines = [Text::new("n = 3", Role::Plain), Text::new("m = 4", Role::Plain)];
        let [data, remark] = lines;
        let scene = scene.with_lines([Line::Data(data), Line::Remark(remark)]);
        assert_eq!(scene.text(false), "12  0\n 3  4\nn = 3\n");
    }

    #[test]
    fn a_solution_replaces_the_data() {
        let data = [("base", "10".to_owned())];
        assert_eq!(Scene::values(data.clone(), None).text(false), "base = 10\n");
        let solution = Solution::new().with("n", Field::Number(18));
        assert_eq!(Scene::values(data, Some(&solution)).text(false), "n = 18\n");
    }
}
