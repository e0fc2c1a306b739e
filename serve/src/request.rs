//! Reads a request and decides whether the server answers it.

use std::io::{self, Read};

/// The maximum number of bytes in the body of a request.
pub const LARGEST_BODY: usize = 1 << 20;
/// The maximum number of bytes in the head of a request.
const LARGEST_HEAD: usize = 16 << 10;
/// The maximum number of headers.
const MOST_HEADERS: usize = 64;
/// The name of the only resource that accepts data.
const ASK: &str = "ask";

/// A request that the server answers.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// A request for a file.
    Get {
        /// The name of the file.
        name: String,
        /// True if the client requests only the head of the response.
        head_only: bool,
    },
    /// A request in JSON.
    Post {
        /// The JSON text.
        body: String,
    },
}

/// The reason why the server does not answer a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    Malformed,
    WrongHost,
    WrongOrigin,
    NotFound,
    WrongMethod,
    NoLength,
    TooLong,
    NotJson,
    HeadTooLong,
}

impl Refused {
    /// Returns the status line of the response.
    pub(crate) fn status(self) -> &'static str {
        match self {
            Self::Malformed => "400 Bad Request",
            Self::WrongHost | Self::WrongOrigin => "403 Forbidden",
            Self::NotFound => "404 Not Found",
            Self::WrongMethod => "405 Method Not Allowed",
            Self::NoLength => "411 Length Required",
            Self::TooLong => "413 Content Too Large",
            Self::NotJson => "415 Unsupported Media Type",
            Self::HeadTooLong => "431 Request Header Fields Too Large",
        }
    }

    /// Returns the explanation for the user.
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Self::Malformed => "This is not an HTTP request that this server supports.\n",
            Self::WrongHost => "Use the address that `gordian web` has printed.\n",
            Self::WrongOrigin => "Only the page of this server may send requests.\n",
            Self::NotFound => {
                "There is nothing here. Use the complete address that `gordian web` has printed.\n"
            }
            Self::WrongMethod => "Use GET for files and POST for requests.\n",
            Self::NoLength => "The request needs a Content-Length.\n",
            Self::TooLong => "A request has at most 1 MiB.\n",
            Self::NotJson => "The content type of a request must be application/json.\n",
            Self::HeadTooLong => "The head of the request is too long.\n",
        }
    }
}

/// The reason why a request could not be read.
#[derive(Debug)]
pub(crate) enum Failure {
    Refused(Refused),
    Io(io::Error),
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// The checked head of a request.
struct Head {
    /// The length of the head in bytes.
    length: usize,
    request: HeadRequest,
}

enum HeadRequest {
    Get {
        name: String,
        head_only: bool,
    },
    /// A request with a body of the given length.
    Post {
        length: usize,
    },
}

/// Reads a request to the server with the given port and token.
pub(crate) fn read(stream: &mut impl Read, port: u16, token: &str) -> Result<Request, Failure> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    let head = loop {
        let count = stream.read(&mut buffer)?;
        if count == 0 {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        bytes.extend_from_slice(&buffer[..count]);
        if let Some(head) = check(&bytes, port, token)? {
            break head;
        }
        if bytes.len() > LARGEST_HEAD {
            return Err(Refused::HeadTooLong.into());
        }
    };
    let length = match head.request {
        HeadRequest::Get { name, head_only } => return Ok(Request::Get { name, head_only }),
        HeadRequest::Post { length } => length,
    };
    let mut body = bytes.split_off(head.length);
    body.truncate(length);
    let missing = length - body.len();
    stream.take(missing as u64).read_to_end(&mut body)?;
    if body.len() < length {
        return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
    }
    let body = String::from_utf8(body).map_err(|_| Refused::Malformed)?;
    Ok(Request::Post { body })
}

/// Parses and checks the head of a request. Returns `None` if the head is incomplete.
fn check(bytes: &[u8], port: u16, token: &str) -> Result<Option<Head>, Refused> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let length = match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => return Err(Refused::HeadTooLong),
        Err(_) => return Err(Refused::Malformed),
    };
    let (Some(method), Some(path)) = (parsed.method, parsed.path) else { return Err(Refused::Malformed) };
    let header = |name: &str| -> Result<Option<&str>, Refused> {
        let mut values = parsed.headers.iter().filter(|header| header.name.eq_ignore_ascii_case(name));
        let value = values.next().map(|header| std::str::from_utf8(header.value)).transpose();
        // Repeated headers are rejected, because the browser may use a different value than the server.
        if values.next().is_some() { Err(Refused::Malformed) } else { value.map_err(|_| Refused::Malformed) }
    };
    let host = header("host")?.unwrap_or_default();
    let is_own =
        ["127.0.0.1", "localhost"].iter().any(|name| host.eq_ignore_ascii_case(&format!("{name}:{port}")));
    if !is_own {
        return Err(Refused::WrongHost);
    }
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let Some((given, name)) = path.strip_prefix('/').and_then(|path| path.split_once('/')) else {
        return Err(Refused::NotFound);
    };
    if !equal(given.as_bytes(), token.as_bytes()) {
        return Err(Refused::NotFound);
    }
    let request = match method {
        "GET" | "HEAD" if name != ASK => {
            HeadRequest::Get { name: name.to_owned(), head_only: method == "HEAD" }
        }
        "POST" if name == ASK => {
            if !header("origin")?.is_some_and(|origin| origin.eq_ignore_ascii_case(&format!("http://{host}")))
            {
                return Err(Refused::WrongOrigin);
            }
            let content_type =
                header("content-type")?.unwrap_or_default().split(';').next().unwrap_or_default();
            if !content_type.trim().eq_ignore_ascii_case("application/json") {
                return Err(Refused::NotJson);
            }
            if header("transfer-encoding")?.is_some() {
                return Err(Refused::NoLength);
            }
            let length = header("content-length")?.ok_or(Refused::NoLength)?;
            let is_number = !length.is_empty() && length.bytes().all(|byte| byte.is_ascii_digit());
            if !is_number {
                return Err(Refused::Malformed);
            }
            // A number that exceeds `usize` also exceeds the limit.
            let length = length.parse().ok().filter(|&length: &usize| length <= LARGEST_BODY);
            HeadRequest::Post { length: length.ok_or(Refused::TooLong)? }
        }
        "POST" => return Err(Refused::NotFound),
        _ => return Err(Refused::WrongMethod),
    };
    Ok(Some(Head { length, request }))
}

/// Compares two byte strings in time that depends only on their lengths.
fn equal(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOST: &str = "Host: 127.0.0.1:80\r\n";

    fn of(text: &str) -> Result<Request, Refused> {
        read(&mut text.as_bytes(), 80, "secret").map_err(|failure| match failure {
            Failure::Refused(refused) => refused,
            Failure::Io(error) => panic!("{text}: {error}"),
        })
    }

    fn post(headers: &str, body: &str) -> Result<Request, Refused> {
        let length = body.len();
        of(&format!("POST /secret/ask HTTP/1.1\r\n{HOST}{headers}Content-Length: {length}\r\n\r\n{body}"))
    }

    #[test]
    fn files_are_requested_with_the_token() {
        let get = |name: &str| Ok(Request::Get { name: name.into(), head_only: false });
        assert_eq!(of(&format!("GET /secret/ HTTP/1.1\r\n{HOST}\r\n")), get(""));
        assert_eq!(of(&format!("GET /secret/a.js?x HTTP/1.1\r\n{HOST}\r\n")), get("a.js"));
        for path in ["/", "/secret", "/secre/", "/secret2/", "//", "secret/", "/../secret/"] {
            assert_eq!(of(&format!("GET {path} HTTP/1.1\r\n{HOST}\r\n")), Err(Refused::NotFound), "{path}");
        }
        assert_eq!(of(&format!("GET /secret/ask HTTP/1.1\r\n{HOST}\r\n")), Err(Refused::WrongMethod));
        assert_eq!(of(&format!("OPTIONS /secret/ask HTTP/1.1\r\n{HOST}\r\n")), Err(Refused::WrongMethod));
    }

    #[test]
    fn other_hosts_are_refused() {
        for host in ["", "Host: evil.example:80\r\n", "Host: 127.0.0.1\r\n", "Host: 127.0.0.1:81\r\n"] {
            assert_eq!(
                of(&format!("GET /secret/ HTTP/1.1\r\n{host}\r\n")),
                Err(Refused::WrongHost),
                "{host}"
            );
        }
        let twice = format!("GET /secret/ HTTP/1.1\r\n{HOST}Host: evil.example\r\n\r\n");
        assert_eq!(of(&twice), Err(Refused::Malformed));
        assert!(of("GET /secret/ HTTP/1.1\r\nhost: LOCALHOST:80\r\n\r\n").is_ok());
    }

    #[test]
    fn requests_need_the_origin_and_json() {
        let origin = "Origin: http://127.0.0.1:80\r\n";
        let json = "Content-Type: application/json\r\n";
        assert_eq!(post(&format!("{origin}{json}"), "{}"), Ok(Request::Post { body: "{}".into() }));
        assert_eq!(post(json, "{}"), Err(Refused::WrongOrigin));
        for other in ["http://evil.example", "null", "http://localhost:80", "https://127.0.0.1:80"] {
            assert_eq!(
                post(&format!("Origin: {other}\r\n{json}"), "{}"),
                Err(Refused::WrongOrigin),
                "{other}"
            );
        }
        assert_eq!(post(origin, "{}"), Err(Refused::NotJson));
        assert_eq!(post(&format!("{origin}Content-Type: text/plain\r\n"), "{}"), Err(Refused::NotJson));
        let chunked = format!("{origin}{json}Transfer-Encoding: chunked\r\n");
        assert_eq!(post(&chunked, "{}"), Err(Refused::NoLength));
    }

    #[test]
    fn bodies_have_a_length_up_to_the_limit() {
        let with = |length: &str| {
            of(&format!(
                "POST /secret/ask HTTP/1.1\r\n{HOST}Origin: http://127.0.0.1:80\r\n\
                 Content-Type: application/json; charset=utf-8\r\n{length}\r\n{{}}"
            ))
        };
        assert_eq!(with("Content-Length: 1\r\n"), Ok(Request::Post { body: "{".into() }));
        assert_eq!(with(""), Err(Refused::NoLength));
        assert_eq!(with("Content-Length: -1\r\n"), Err(Refused::Malformed));
        assert_eq!(with("Content-Length: 1048577\r\n"), Err(Refused::TooLong));
        assert_eq!(with("Content-Length: 99999999999999999999999\r\n"), Err(Refused::TooLong));
    }

    #[test]
    fn malformed_and_long_heads_are_refused() {
        assert_eq!(of("\u{1}\u{2}\r\n\r\n"), Err(Refused::Malformed));
        let long = format!("GET /secret/ HTTP/1.1\r\n{HOST}X: {}\r\n", "x".repeat(20_000));
        assert_eq!(of(&long), Err(Refused::HeadTooLong));
        let many = format!("GET /secret/ HTTP/1.1\r\n{HOST}{}\r\n", "X: 1\r\n".repeat(100));
        assert_eq!(of(&many), Err(Refused::HeadTooLong));
    }
}
