//! Writes SVG elements.

use std::fmt::Write as _;

/// The horizontal alignment of text: the point of the text that is placed at the given coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// The SVG elements written so far.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    body: String,
}

/// Escapes the special characters of XML and removes characters that XML does not allow.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c if (c.is_control() && !matches!(c, '\n' | '\t')) || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => escaped.push(c),
        }
    }
    escaped
}

/// Formats a coordinate, rounded to a hundredth.
pub(super) fn number(x: f64) -> f64 {
    // Adding 0 turns `-0` into `0`.
    (x * 100.0).round() / 100.0 + 0.0
}

impl Canvas {
    pub(super) fn rect(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), class: &str) {
        let (x, y, width, height) = (number(x), number(y), number(width), number(height));
        let _ = writeln!(
            self.body,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
        );
    }

    /// Adds a circle. The argument `fill`, if given, overrides the colour of the class.
    pub(super) fn circle(&mut self, (x, y): (f64, f64), radius: f64, class: &str, fill: Option<&str>) {
        let (x, y, radius) = (number(x), number(y), number(radius));
        let fill = fill.map(|fill| format!(" fill=\"{fill}\"")).unwrap_or_default();
        let _ = writeln!(self.body, "<circle class=\"{class}\"{fill} cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>");
    }

    pub(super) fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), class: &str) {
        let (x1, y1, x2, y2) = (number(x1), number(y1), number(x2), number(y2));
        let _ =
            writeln!(self.body, "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>");
    }

    /// Adds a path with the given commands and additional attributes.
    pub(super) fn path(&mut self, steps: &str, class: &str, attributes: &str) {
        let _ = writeln!(self.body, "<path class=\"{class}\"{attributes} d=\"{}\"/>", steps.trim());
    }

    /// Adds text whose baseline is at `y`.
    pub(super) fn text(&mut self, place: (f64, f64), size: f64, anchor: Anchor, class: &str, text: &str) {
        self.open_text(place, size, anchor, class);
        let _ = writeln!(self.body, "{}</text>", escaped(text));
    }

    /// Adds text that is centred horizontally at `x` and vertically at `y`.
    pub(super) fn centred(&mut self, (x, y): (f64, f64), size: f64, class: &str, text: &str) {
        // Digits are about 0.73 times as high as the font size.
        self.text((x, y + 0.365 * size), size, Anchor::Middle, class, text);
    }

    /// Adds a line of words, each with its class.
    pub(super) fn words(
        &mut self,
        place: (f64, f64),
        size: f64,
        anchor: Anchor,
        words: &[(&str, &'static str)],
    ) {
        if words.iter().all(|(word, _)| word.trim().is_empty()) {
            return;
        }
        self.open_text(place, size, anchor, "plain");
        // Adjacent words of the same class share one element.
        for same in words.chunk_by(|a, b| a.1 == b.1) {
            let piece: String = same.iter().map(|(word, _)| *word).collect();
            let _ = write!(self.body, "<tspan class=\"{}\">{}</tspan>", same[0].1, escaped(&piece));
        }
        self.body.push_str("</text>\n");
    }

    fn open_text(&mut self, (x, y): (f64, f64), size: f64, anchor: Anchor, class: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (x, y, size) = (number(x), number(y), number(size));
        let _ = write!(
            self.body,
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{anchor}\" \
             xml:space=\"preserve\">"
        );
    }

    /// Returns all SVG elements written so far.
    pub(super) fn finish(self) -> String {
        self.body
    }
}
