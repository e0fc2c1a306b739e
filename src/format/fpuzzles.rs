//! Links of f-puzzles.com and SudokuPad that contain a board: JSON, compressed by lz-string in Base64.
//!
//! Such links are `https://f-puzzles.com/?load=DATA`, and `https://sudokupad.app/fpuzDATA` or `.../fpuzzlesDATA`, also after
//! `puzzleid=`. Other links of SudokuPad are keys of boards on its server, or have its own format.

use super::{InputError, Source, Span};

/// The greatest length of the data of a link. Compressed data can expand quadratically; boards have some thousand
/// characters.
const LONGEST: usize = 30_000;

/// The hosts of such links.
const HOSTS: [&str; 4] =
    ["f-puzzles.com", "sudokupad.app", "sudokupad.svencodes.com", "crackingthecryptic.com"];

/// Returns the host if a line is a link to a Sudoku editor.
fn host(line: &str) -> Option<&'static str> {
    let rest = line.split_once("://").map_or(line, |(_, rest)| rest);
    let name = rest.split(['/', '?']).next()?;
    let is_host =
        |host: &&&str| name == **host || name.strip_suffix(**host).is_some_and(|sub| sub.ends_with('.'));
    HOSTS.iter().find(is_host).copied()
}

/// Returns the JSON in the link of a source, or `None` if the source is no link to a Sudoku editor.
///
/// # Errors
/// Returns an error if the link contains no board, or a damaged one.
pub(crate) fn json(source: &Source) -> Option<Result<Source, InputError>> {
    let text = source.text();
    let line = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('%'))?;
    host(line)?;
    let start = line.as_ptr() as usize - text.as_ptr() as usize;
    let error = |at: usize, expected: &str, found: &str| {
        Err(InputError::new(source, Span::new(start + at, start + line.len()), expected, found))
    };
    let starts = ["?load=", "&load=", "fpuzzles", "fpuz"];
    let from = line.find('/').unwrap_or(0);
    let data = starts.iter().find_map(|mark| Some(from + line[from..].find(mark)? + mark.len()));
    let Some(at) = data else {
        let expected = "a link that contains a board: `?load=` or `fpuzzles`, and its data";
        return Some(error(0, expected, "another link"));
    };
    let data = line[at..].split(['&', '#']).next().unwrap_or_default();
    if data.len() > LONGEST {
        return Some(error(at, &format!("at most {LONGEST} characters"), &data.len().to_string()));
    }
    let data = ["%2B", "%2b", " "].iter().fold(data.to_owned(), |data, plus| data.replace(plus, "+"));
    let data = ["%2F", "%2f"].iter().fold(data, |data, slash| data.replace(slash, "/"));
    let data = ["%3D", "%3d"].iter().fold(data, |data, equals| data.replace(equals, "="));
    let json = lz_str::decompress_from_base64(&data).and_then(|units| String::from_utf16(&units).ok());
    Some(match json.filter(|json| json.starts_with('{')) {
        Some(json) => Ok(Source::new(format!("the board in {}", source.name()), json)),
        None => error(at, "compressed JSON", "damaged data"),
    })
}

/// Returns whether a line is a link to a Sudoku editor.
pub(crate) fn is_link(line: &str) -> bool {
    host(line).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_contain_compressed_json() {
        let text = "{\"size\": 4}";
        let data = lz_str::compress_to_base64(text);
        for link in [
            format!("https://f-puzzles.com/?load={data}"),
            format!("https://www.f-puzzles.com/?load={}", data.replace('=', "%3D").replace('+', "%2B")),
            format!("https://sudokupad.app/fpuzzles{data}"),
            format!("% a comment\n  https://app.crackingthecryptic.com/sudoku/?puzzleid=fpuz{data}\n"),
        ] {
            let found = json(&Source::new("link", link.as_str())).expect("a link").expect("a board");
            assert_eq!(found.text(), text, "{link}");
        }
    }

    #[test]
    fn other_links_are_errors() {
        let read = |text: &str| json(&Source::new("link", text)).map(|read| read.unwrap_err().to_string());
        assert_eq!(read("https://puzz.link/p?nurikabe/1/1/g"), None);
        assert!(read("https://sudokupad.app/abc123").unwrap().contains("a link that contains a board"));
        assert!(read("https://f-puzzles.com/?load=N4Ig!!").unwrap().contains("damaged data"));
        let long = "A".repeat(LONGEST + 1);
        assert!(read(&format!("https://f-puzzles.com/?load={long}")).unwrap().contains("at most 30000"));
    }
}
