//! The web page for drawing, solving and checking boards: its files, and the answers to its requests.
//!
//! A request is a JSON object. Its answer is a stream of JSON objects, one per line. Each new result of a search is
//! sent at once, in an object of its own. The last object has the event `end`.
//!
//! The page works with and without a server. `gordian web` is a server that sends the files and answers the requests.
//! Without a server, the page runs this module as WebAssembly. Only the file `ask.js` differs between these two
//! variants.
//!
//! ```
//! use gordian::search::Config;
//! use gordian::web::Pages;
//!
//! let request = r#"{"ask": "solve", "board": {"text": "nurikabe\n1 . 1\n. . .\n1 . 1\n"}}"#;
//! let mut events = Vec::new();
//! Pages::default().answer(request, &Config::default(), &mut |event| Ok(events.push(event.to_owned())));
//! assert!(events.contains(&r#"{"event":"unique"}"#.to_owned()));
//! assert!(events.last().is_some_and(|event| event.starts_with(r#"{"event":"end","stopped":false"#)));
//! ```

mod answer;
mod check;
mod event;
mod explain;
mod make;
mod types;

pub use answer::Pages;

/// A file of the page.
#[derive(Debug, Clone, Copy)]
pub struct PageFile {
    /// The name of the file in the address of the page.
    pub name: &'static str,
    /// The content type in HTTP.
    pub content_type: &'static str,
    /// The content.
    pub content: &'static str,
}

macro_rules! file {
    ($name:literal, $content_type:literal) => {
        PageFile { name: $name, content_type: $content_type, content: include_str!(concat!("web/", $name)) }
    };
}

/// The files of the page.
pub static FILES: [PageFile; 20] = [
    file!("index.html", "text/html; charset=utf-8"),
    file!("icon.svg", "image/svg+xml"),
    file!("page.css", "text/css; charset=utf-8"),
    file!("picture.css", "text/css; charset=utf-8"),
    file!("page.js", "text/javascript; charset=utf-8"),
    file!("view.js", "text/javascript; charset=utf-8"),
    file!("queries.js", "text/javascript; charset=utf-8"),
    file!("state.js", "text/javascript; charset=utf-8"),
    file!("board.js", "text/javascript; charset=utf-8"),
    file!("marks.js", "text/javascript; charset=utf-8"),
    file!("play.js", "text/javascript; charset=utf-8"),
    file!("edit.js", "text/javascript; charset=utf-8"),
    file!("steps.js", "text/javascript; charset=utf-8"),
    file!("sheet.js", "text/javascript; charset=utf-8"),
    file!("gallery.js", "text/javascript; charset=utf-8"),
    file!("make.js", "text/javascript; charset=utf-8"),
    file!("share.js", "text/javascript; charset=utf-8"),
    file!("timer.js", "text/javascript; charset=utf-8"),
    file!("run.js", "text/javascript; charset=utf-8"),
    file!("ask.js", "text/javascript; charset=utf-8"),
];
