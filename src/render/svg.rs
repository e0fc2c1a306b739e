//! The SVG renderer. A picture contains one or more scenes in rows.
//!
//! The picture has a background, so it looks the same on every page. The style of an element depends on its `class`,
//! such as `sea`, `rook`, `path` or `taken`.

use std::fmt::Write as _;

use super::scene::{Figure, Highlight, Line, Role, Scene, Text};

mod around;
mod board;
mod canvas;
mod diagram;

use canvas::{Anchor, Canvas};

pub(crate) use canvas::escaped;

/// The style of pictures.
pub(crate) const STYLE: &str = "\
text{font-family:'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#24292f}
.paper{fill:#ffffff}
.frame{fill:none;stroke:#24292f;stroke-width:2}
.grid{fill:none;stroke:#c4c9d1;stroke-width:1}
.sea{fill:#2f6195}
.land{fill:#fdf8e7}
.block{fill:#30363d}
.seen{fill:#fff8d6}
.given{font-weight:bold}
.mark{fill:#116329;font-weight:bold}
.ground,.corner,.caption,.number{fill:#57606a}
.inverse{fill:#ffffff;font-weight:bold}
.sight{fill:none;stroke:#dfae2b;stroke-width:2}
.line{fill:none;stroke:#57606a;stroke-width:4}
.cross{fill:none;stroke:#8c959f;stroke-width:2}
.cross.conclusion,.cross.premise{stroke-width:4}
.path{fill:none;stroke-linecap:round;stroke-linejoin:round}
.rook{fill:#0b4a8f}
.dot{fill:#57606a}
.walls{fill:none;stroke:#24292f;stroke-width:3;stroke-linecap:square}
.fence{fill:none;stroke:#116329;stroke-width:5;stroke-linecap:round}
.bridge{fill:none;stroke:#57606a;stroke-width:3}
.slant{fill:none;stroke:#116329;stroke-width:3.5;stroke-linecap:round}
.ring{fill:#ffffff;stroke:#24292f;stroke-width:2.5}
.disc{fill:#24292f;stroke:#24292f;stroke-width:2.5}
.cage{fill:none;stroke:#57606a;stroke-width:1.5;stroke-dasharray:4 3}
.chain{fill:none;stroke:currentColor;stroke-width:11;stroke-linecap:round;stroke-linejoin:round;stroke-opacity:.4}
.bulb{stroke:none;fill:currentColor;fill-opacity:.4}
.kind0{color:#8c959f}
.kind1{color:#54aeff}
.kind2{color:#4ac26b}
.kind3{color:#bf8700}
.kind4{color:#c297ff}
.kind5{color:#ff80c8}
.seam{stroke:#c4c9d1;stroke-linecap:butt}
.split{stroke:#8c959f;stroke-width:1.5}
.star{fill:#b54708}
.outside{fill:#24292f}
.node{fill:#ffffff;stroke:#6e7781;stroke-width:1.5}
.node.given{fill:#24292f;stroke:#24292f}
.node.mark{fill:#d5f0dc;stroke:#1a7f37;stroke-width:2}
.connection{stroke:#aeb5bd;stroke-width:2}
.taken{stroke:#1a7f37;stroke-width:6}
.cost{paint-order:stroke;stroke:#ffffff;stroke-width:4px;stroke-linejoin:round}
.differs{fill:#ffb224;fill-opacity:.6;stroke:#b54708;stroke-width:2.5}
.wrong{fill:#ff6b5e;fill-opacity:.6;stroke:#a40e26;stroke-width:2.5}
.forced{fill:none;stroke:#1a7f37;stroke-width:2.5}
.open{fill:#e4e7ea}
.conclusion{fill:none;stroke:#2da44e;stroke-width:5}
.premise{fill:none;stroke:#54aeff;stroke-width:4}
.rule{fill:none;stroke:#e07b00;stroke-width:3}
.connection.differs{stroke:#e07b00;stroke-width:6}
.node.differs{fill:#ffd58a;fill-opacity:1}
tspan.differs{fill:#b54708;fill-opacity:1;stroke:none;font-weight:bold}
";

const MARGIN: f64 = 20.0;
/// The distance between scenes, and between the parts of a scene.
const GAP: f64 = 36.0;
/// The maximum number of scenes side by side.
const SCENES_PER_ROW: usize = 4;
const LINE_SIZE: f64 = 16.0;
const LINE_STEP: f64 = 24.0;
const TABLE_SIZE: f64 = 22.0;
const TABLE_STEP: f64 = 36.0;
/// The width of a character as a multiple of the font size.
const ADVANCE: f64 = 0.602;
/// The maximum number of characters of a word. Longer words are broken.
const LONGEST: usize = 48;

/// Returns an SVG picture of several scenes in rows, each below its caption. The title is for screen readers.
#[must_use]
pub fn picture(title: &str, scenes: &[(&Scene, &str)]) -> String {
    drawn(title, scenes, &format!("<style>\n{STYLE}</style>\n"))
}

/// Works like [`picture`], but without the style, for a page with several pictures. The page must contain [`STYLE`].
pub(crate) fn picture_without_style(title: &str, scene: &Scene) -> String {
    drawn(title, &[(scene, "")], "")
}

fn drawn(title: &str, scenes: &[(&Scene, &str)], style: &str) -> String {
    let captioned = scenes.iter().any(|(_, caption)| !caption.is_empty());
    let above = if captioned { LINE_STEP } else { 0.0 };
    let (mut width, mut bottom) = (0.0_f64, MARGIN - GAP);
    let mut body = String::new();
    for row in scenes.chunks(SCENES_PER_ROW) {
        let top = bottom + GAP + above;
        let mut left = MARGIN;
        for (scene, caption) in row {
            let (part, size) = panel(scene);
            let ((beside, over), (right, below)) = around::margins(scene);
            let mut canvas = Canvas::default();
            if !caption.is_empty() {
                let place = (-beside, LINE_SIZE - LINE_STEP - 2.0 - over);
                canvas.text(place, LINE_SIZE, Anchor::Start, "caption", caption);
            }
            let (x, y) = (left + beside, top + over);
            let _ = write!(body, "<g transform=\"translate({x} {y})\">\n{}{part}</g>\n", canvas.finish());
            let caption_width = caption.chars().count() as f64 * ADVANCE * LINE_SIZE;
            left += (size.0 + beside + right).max(caption_width).ceil() + GAP;
            bottom = bottom.max(y + size.1 + below);
        }
        width = width.max(left - GAP + MARGIN);
    }
    let height = (bottom + MARGIN).ceil();
    let title = escaped(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{title}</title>\n{style}\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n{body}</svg>\n"
    )
}

impl Role {
    fn class(self) -> &'static str {
        match self {
            Self::Plain | Self::Block => "plain",
            Self::Given => "given",
            Self::Ground => "ground",
            Self::Mark => "mark",
        }
    }
}

impl Highlight {
    fn class(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Differs => Some("differs"),
            Self::Wrong => Some("wrong"),
            Self::Forced => Some("forced"),
            Self::Open => Some("open"),
            Self::Conclusion => Some("conclusion"),
            Self::Premise => Some("premise"),
            Self::Rule => Some("rule"),
        }
    }

    /// Returns the SVG class of text with this highlight and the given role.
    fn over(self, role: Role) -> &'static str {
        if self == Self::Differs { "differs" } else { role.class() }
    }
}

/// Draws one scene. Returns the SVG elements and the size of the scene.
fn panel(scene: &Scene) -> (String, (f64, f64)) {
    let mut canvas = Canvas::default();
    let mut size: (f64, f64) = (0.0, 0.0);
    let lines: Vec<&Text> = match scene.figure {
        // A table replaces the lines of text that describe the solution.
        Figure::Table(_) => {
            scene.lines.iter().filter(|line| !matches!(line, Line::Solution(_))).map(Line::content).collect()
        }
        _ => scene.lines.iter().map(Line::content).collect(),
    };
    match &scene.figure {
        Figure::None => {}
        Figure::Board(cells) => {
            size = board::draw(&mut canvas, scene, cells);
            around::draw(&mut canvas, scene, cells);
        }
        Figure::Diagram(diagram) => size = diagram::draw(&mut canvas, diagram),
        Figure::Table(rows) => {
            // The data of the board precedes the solution.
            size = write_lines(&mut canvas, &lines, 0.0, 0.0);
            let below = if lines.is_empty() { 0.0 } else { size.1 + GAP / 2.0 };
            let table = write_table(&mut canvas, rows, below);
            return (canvas.finish(), (size.0.max(table.0), below + table.1));
        }
    }
    if !lines.is_empty() {
        let below = if size.1 > 0.0 { size.1 + GAP / 2.0 } else { 0.0 };
        let text = write_lines(&mut canvas, &lines, below, size.0);
        size = (size.0.max(text.0), below + text.1);
    }
    (canvas.finish(), size)
}

/// A word and its SVG class.
type Word<'a> = (&'a str, &'static str);

/// Draws lines of text from `top` downwards, wrapped to about the width of the figure above them. Returns the size of
/// the text.
fn write_lines(canvas: &mut Canvas, lines: &[&Text], top: f64, width: f64) -> (f64, f64) {
    const NARROWEST: f64 = 420.0;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a positive width")]
    let most = (width.max(NARROWEST) / (ADVANCE * LINE_SIZE)) as usize;
    let (mut broken, mut longest): (Vec<Vec<Word<'_>>>, usize) = (Vec::new(), 0);
    for text in lines {
        let pieces = text.pieces.iter().map(|(piece, role)| (piece, text.highlight.over(*role)));
        let words: Vec<Word<'_>> = pieces
            .flat_map(|(piece, class)| piece.split_inclusive(' ').map(move |word| (word, class)))
            .flat_map(|(word, class)| chunks(word, LONGEST).into_iter().map(move |chunk| (chunk, class)))
            .collect();
        let (mut line, mut length): (Vec<Word<'_>>, usize) = (Vec::new(), 0);
        // Adjacent words without a blank between them stay on the same line, unless they are too long.
        for unit in words.chunk_by(|a, _| !a.0.ends_with(' ') && a.0.chars().count() < LONGEST) {
            let characters: usize = unit.iter().map(|(word, _)| word.chars().count()).sum();
            let blank = usize::from(unit.last().is_some_and(|(word, _)| word.ends_with(' ')));
            if length + characters - blank > most && length > 0 {
                longest = longest.max(length);
                broken.push(std::mem::take(&mut line));
                length = 0;
            }
            line.extend_from_slice(unit);
            length += characters;
        }
        longest = longest.max(length);
        broken.push(line);
    }
    for (index, line) in broken.iter().enumerate() {
        let y = top + index as f64 * LINE_STEP + LINE_SIZE;
        canvas.words((0.0, y), LINE_SIZE, Anchor::Start, line);
    }
    (longest as f64 * ADVANCE * LINE_SIZE, broken.len() as f64 * LINE_STEP)
}

/// Splits a word into pieces of the given length in characters. Only the first piece may be shorter.
fn chunks(word: &str, most: usize) -> Vec<&str> {
    let starts: Vec<usize> = word.char_indices().map(|(at, _)| at).collect();
    if starts.len() <= most {
        return vec![word];
    }
    let first = starts.len() % most;
    let cuts: Vec<usize> = (first..starts.len()).step_by(most).map(|index| starts[index]).collect();
    let ends = cuts.iter().copied().chain([word.len()]);
    let starts = std::iter::once(0).chain(cuts.iter().copied());
    starts.zip(ends).filter(|(start, end)| start < end).map(|(start, end)| &word[start..end]).collect()
}

/// Draws the rows of a table from `top` downwards. The first column is aligned to the left, all others to the right.
/// Returns the size of the table.
fn write_table(canvas: &mut Canvas, rows: &[Vec<Text>], top: f64) -> (f64, f64) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let width = rows.iter().filter_map(|row| row.get(column)).map(Text::width).max().unwrap_or(0);
        width.min(LONGEST) as f64 * ADVANCE * TABLE_SIZE
    };
    let widths: Vec<f64> = (0..columns).map(width).collect();
    let all = widths.iter().sum::<f64>() + widths.len().saturating_sub(1) as f64 * TABLE_SIZE;
    let mut y = top;
    for row in rows {
        let mut height = 1;
        let mut left = 0.0;
        for (column, text) in row.iter().enumerate() {
            // Only numbers can be too long for a line, and the text of a number always consists of a single piece.
            let lines: Vec<Vec<Word<'_>>> = match &text.pieces[..] {
                [(piece, role)] => chunks(piece, LONGEST)
                    .into_iter()
                    .map(|line| vec![(line, text.highlight.over(*role))])
                    .collect(),
                pieces => vec![
                    pieces.iter().map(|(piece, role)| (piece.as_str(), text.highlight.over(*role))).collect(),
                ],
            };
            for (index, line) in lines.iter().enumerate() {
                let baseline = y + TABLE_SIZE + index as f64 * TABLE_SIZE * 1.2;
                if column == 0 {
                    canvas.words((left, baseline), TABLE_SIZE, Anchor::Start, line);
                } else {
                    canvas.words((left + widths[column], baseline), TABLE_SIZE, Anchor::End, line);
                }
            }
            height = height.max(lines.len());
            left += widths[column] + TABLE_SIZE;
        }
        y += TABLE_STEP + (height - 1) as f64 * TABLE_SIZE * 1.2;
    }
    (all, y - top)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_are_broken_into_equal_chunks_from_the_end() {
        assert_eq!(chunks("1234567", 3), ["1", "234", "567"]);
        assert_eq!(chunks("123456", 3), ["123", "456"]);
        assert_eq!(chunks("×××", 3), ["×××"]);
        assert_eq!(chunks("", 3), [""]);
    }

    #[test]
    fn a_picture_is_as_wide_as_its_captions_and_scenes() {
        let cell = crate::render::Cell::label("1", Role::Mark);
        let scene = Scene::board(crate::rules::Grid::new(1, 1, vec![cell]));
        let one = picture("t", &[(&scene, "")]);
        assert!(one.contains("width=\"80\" height=\"80\""), "{one}");
        let two = picture("t", &[(&scene, ""), (&scene, "")]);
        assert!(two.contains("width=\"156\" height=\"80\""), "{two}");
        let two_rows = picture("t", &[(&scene, ""); 5]);
        assert!(two_rows.contains("width=\"308\" height=\"156\""), "{two_rows}");
        let wide = picture("t", &[(&scene, "a caption wider than the cell")]);
        assert!(wide.contains("height=\"104\"") && !wide.contains("width=\"80\""), "{wide}");
    }

    #[test]
    fn a_rule_is_visible_on_a_cell_with_a_fact() {
        let cell = crate::render::Cell::label("1", Role::Mark);
        let scene = Scene::board(crate::rules::Grid::new(1, 1, vec![cell]));
        let scene = scene.highlighted(&[(0, Highlight::Premise), (0, Highlight::Rule)]);
        let picture = picture("t", &[(&scene, "")]);
        assert!(picture.contains("class=\"premise\"") && picture.contains("class=\"rule\""), "{picture}");
    }

    #[test]
    fn a_table_stands_for_the_lines_of_the_solution() {
        let solution = crate::rules::Solution::new().with("n", crate::rules::Field::Number(18));
        let rows = vec![vec![Text::new("n", Role::Plain), Text::new("18", Role::Mark)]];
        let scene = Scene::values([("base", "10".to_owned())], Some(&solution));
        let with_lines = picture("t", &[(&scene, "")]);
        assert!(with_lines.contains(">18</tspan>") && with_lines.contains(">10</tspan>"));
        let with_table = picture("t", &[(&scene.with_table(rows), "")]);
        assert_eq!(with_table.matches(">18</tspan>").count(), 1);
        assert!(with_table.contains(">10</tspan>"), "the data of the board is kept");
    }
}
