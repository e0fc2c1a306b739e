//! A web server that serves the page of a program to a browser on the same computer.
//!
//! The server sends a fixed set of files, and passes JSON requests to a function, which answers with a stream of lines.
//! Other web pages in the browser and other users of the computer can also send requests to the server. Therefore, the
//! server checks each request:
//!
//! * The server listens on 127.0.0.1 only. It rejects requests whose `Host` header is not `127.0.0.1` or `localhost`
//!   with the port of the server. Otherwise, a page from another site could use DNS rebinding: the host name of that
//!   site would resolve to 127.0.0.1.
//! * Every path begins with a random token.
//! * A request with a body needs the content type `application/json` and the `Origin` of the server. No response has
//!   CORS headers.
//! * A body has at most [`LARGEST_BODY`] bytes, and a client must send its request within a few seconds. The
//!   number of simultaneous connections is limited. If there are too many, the server closes the oldest ones that have
//!   sent no request.
//! * The content security policy of the page allows no content from other origins and no inline scripts or styles.
//!
//! The server closes each connection after one response. If the client closes the connection first, the server
//! cancels the request.

mod request;
mod server;

pub use request::LARGEST_BODY;
pub use server::{File, Reply, Server};
