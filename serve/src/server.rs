//! The server: connections, responses and cancellation.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::request::{self, Refused, Request};

/// The maximum number of simultaneous connections. A further connection closes the oldest one without a request. If
/// there is none, it waits.
const MOST_CONNECTIONS: usize = 32;
/// The time limit for receiving a request from a client, and for each write to a client.
const CLIENT_TIME: Duration = Duration::from_secs(10);
/// The interval at which the server checks whether it should stop.
const POLL: Duration = Duration::from_millis(50);

/// A file that the server sends.
#[derive(Debug, Clone, Copy)]
pub struct File {
    /// The part of the file's address after the token. It is empty for the page itself.
    pub name: &'static str,
    /// The content type.
    pub content_type: &'static str,
    /// The content.
    pub content: &'static str,
}

/// A server that is bound to a port of 127.0.0.1.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    token: String,
    files: Vec<File>,
}

/// A response that consists of lines, which the client receives one by one.
#[derive(Debug)]
pub struct Reply<'a> {
    stream: &'a TcpStream,
    cancel: Arc<AtomicBool>,
}

impl Reply<'_> {
    /// Sends a line, which must not contain line breaks.
    ///
    /// # Errors
    /// Returns an error if the client has closed the connection.
    pub fn line(&mut self, line: &str) -> io::Result<()> {
        debug_assert!(!line.contains('\n'), "a line without line breaks");
        let sent = self.stream.write_all(format!("{line}\n").as_bytes());
        if sent.is_err() {
            self.cancel.store(true, Ordering::Relaxed);
        }
        sent
    }

    /// Returns the flag that the server sets when the client closes the connection or the server stops.
    #[must_use]
    pub fn cancel(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancel)
    }
}

impl Server {
    /// Binds a server to a port of 127.0.0.1, or to a free port if `port` is 0, and creates its token.
    ///
    /// # Errors
    /// Returns an error if the port is not available, or if the system provides no random numbers.
    pub fn bind(port: u16, files: Vec<File>) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = listener.local_addr()?;
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(io::Error::other)?;
        let token = format!("{:032x}", u128::from_be_bytes(random));
        Ok(Self { listener, address, token, files })
    }

    /// Returns the address of the page, which contains the token.
    #[must_use]
    pub fn address(&self) -> String {
        format!("http://{}/{}/", self.address, self.token)
    }

    /// Serves requests until `stop` is set. For each request in JSON, calls `answer` on a separate thread. Returns
    /// after all these calls have returned.
    ///
    /// # Errors
    /// Returns an error if no connection can be accepted.
    pub fn run(&self, stop: &AtomicBool, answer: impl Fn(&str, &mut Reply<'_>) + Sync) -> io::Result<()> {
        let connections = Connections::default();
        let ended = AtomicBool::new(false);
        thread::scope(|scope| {
            // `accept` has no timeout. When the server must stop, this thread opens a connection, which ends the
            // pending call of `accept`.
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) && !ended.load(Ordering::Relaxed) {
                    thread::sleep(POLL);
                }
                let _ = TcpStream::connect_timeout(&self.address, CLIENT_TIME);
            });
            let result = loop {
                let accepted = self.listener.accept();
                if stop.load(Ordering::Relaxed) {
                    break Ok(());
                }
                match accepted {
                    Ok((stream, _)) => {
                        let connection = connections.open(stream, stop);
                        let answer = &answer;
                        let spawned = thread::Builder::new().spawn_scoped(scope, move || {
                            // If a client closes the connection early, this is not a server error.
                            let _ = self.serve(&connection, stop, answer);
                        });
                        // If no thread could be started, `spawn_scoped` has dropped `connection`, which closes it.
                        drop(spawned);
                    }
                    // The client closed the connection before it was accepted, or the process has too many open
                    // files.
                    Err(error) if is_temporary(&error) => thread::sleep(POLL),
                    Err(error) => break Err(error),
                }
            };
            ended.store(true, Ordering::Relaxed);
            result
        })
    }

    /// Reads one request from a connection and sends the response.
    fn serve(
        &self,
        connection: &Connection<'_>,
        stop: &AtomicBool,
        answer: &(impl Fn(&str, &mut Reply<'_>) + Sync),
    ) -> io::Result<()> {
        let mut stream: &TcpStream = &connection.stream;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(CLIENT_TIME))?;
        let deadline = Instant::now() + CLIENT_TIME;
        let request =
            request::read(&mut Timed { connection, deadline, stop }, self.address.port(), &self.token);
        match request {
            Ok(Request::Get { name, head_only }) => match self.files.iter().find(|file| file.name == name) {
                Some(file) => {
                    let length = format!("Content-Length: {}\r\n", file.content.len());
                    stream.write_all(head("200 OK", file.content_type, &length).as_bytes())?;
                    stream.write_all(if head_only { "" } else { file.content }.as_bytes())?;
                }
                None => refuse(stream, Refused::NotFound)?,
            },
            Ok(Request::Post { body }) => {
                stream.write_all(head("200 OK", "application/x-ndjson", "").as_bytes())?;
                let cancel = Arc::new(AtomicBool::new(false));
                let done = AtomicBool::new(false);
                thread::scope(|scope| {
                    let watched = scope.spawn(|| watch(stream, stop, &done, &cancel));
                    answer(&body, &mut Reply { stream, cancel: Arc::clone(&cancel) });
                    done.store(true, Ordering::Relaxed);
                    // The shutdown ends the pending read in `watch`.
                    let _ = stream.shutdown(Shutdown::Both);
                    let _ = watched.join();
                });
                return Ok(());
            }
            Err(request::Failure::Refused(refused)) => refuse(stream, refused)?,
            Err(request::Failure::Io(error)) => return Err(error),
        }
        // The remaining data is read before the connection is closed. Otherwise, the client could lose the response.
        stream.shutdown(Shutdown::Write)?;
        let mut rest = Timed { connection, deadline: Instant::now() + Duration::from_secs(1), stop };
        io::copy(&mut rest, &mut io::sink()).map(drop)
    }
}

/// Returns whether `accept` may succeed when it is called again after this error.
fn is_temporary(error: &io::Error) -> bool {
    /// The errors for too many open files, in the process or in the system.
    const TOO_MANY_FILES: [i32; 2] = [24, 23];
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset | io::ErrorKind::Interrupted
    ) || error.raw_os_error().is_some_and(|code| TOO_MANY_FILES.contains(&code))
}

/// Returns the head of a response. Its headers tell the browser to isolate the page from other origins.
fn head(status: &str, content_type: &str, length: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\n\
         Content-Type: {content_type}\r\n\
         {length}\
         Connection: close\r\n\
         Cache-Control: no-store\r\n\
         Content-Security-Policy: default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
         object-src 'none'\r\n\
         Cross-Origin-Opener-Policy: same-origin\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\n\
         Referrer-Policy: no-referrer\r\n\
         X-Content-Type-Options: nosniff\r\n\r\n"
    )
}

fn refuse(mut stream: &TcpStream, refused: Refused) -> io::Result<()> {
    let body = refused.reason();
    let length = format!("Content-Length: {}\r\n", body.len());
    stream.write_all(head(refused.status(), "text/plain; charset=utf-8", &length).as_bytes())?;
    stream.write_all(body.as_bytes())
}

/// Sets `cancel` when the client closes the connection or the server stops. Returns when `done` is set.
fn watch(mut stream: &TcpStream, stop: &AtomicBool, done: &AtomicBool, cancel: &AtomicBool) {
    let mut rest = [0; 64];
    let closed = loop {
        if done.load(Ordering::Relaxed) {
            return;
        }
        if stop.load(Ordering::Relaxed) || stream.set_read_timeout(Some(POLL)).is_err() {
            break true;
        }
        match stream.read(&mut rest) {
            Ok(0) => break true,
            // The server ignores data after the request.
            Ok(_) => thread::sleep(POLL),
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {}
            Err(_) => break true,
        }
    };
    cancel.store(closed, Ordering::Relaxed);
}

/// A reader that fails when a deadline has passed or the server stops.
struct Timed<'a> {
    connection: &'a Connection<'a>,
    deadline: Instant,
    stop: &'a AtomicBool,
}

impl Read for Timed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let left = self.deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || self.stop.load(Ordering::Relaxed) {
                return Err(io::ErrorKind::TimedOut.into());
            }
            let mut stream: &TcpStream = &self.connection.stream;
            stream.set_read_timeout(Some(left.min(POLL)))?;
            match stream.read(buffer) {
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    self.connection.set_idle(true);
                }
                result => {
                    self.connection.set_idle(false);
                    return result;
                }
            }
        }
    }
}

/// The open connections.
#[derive(Debug, Default)]
struct Connections {
    open: Mutex<Open>,
    closed: Condvar,
}

#[derive(Debug, Default)]
struct Open {
    /// The number of open connections.
    count: usize,
    /// The number of connections so far.
    last: u64,
    /// The connections that wait for the client, by number: the client has not sent a complete request or, after the
    /// response, has not closed the connection.
    idle: BTreeMap<u64, Arc<TcpStream>>,
}

/// An open connection, which is counted until it is dropped.
struct Connection<'a> {
    all: &'a Connections,
    number: u64,
    stream: Arc<TcpStream>,
}

impl Connections {
    fn state(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a connection. If too many connections are open, first closes the oldest idle one. If none is idle, waits
    /// until one is closed or `stop` is set.
    fn open(&self, stream: TcpStream, stop: &AtomicBool) -> Connection<'_> {
        let mut open = self.state();
        while open.count >= MOST_CONNECTIONS && !stop.load(Ordering::Relaxed) {
            if let Some((_, idle)) = open.idle.pop_first() {
                // The thread of the connection then reads the end of the stream, and ends. An error means that the
                // client has closed the connection.
                let _ = idle.shutdown(Shutdown::Both);
            }
            open = self.closed.wait_timeout(open, POLL).unwrap_or_else(PoisonError::into_inner).0;
        }
        open.count += 1;
        open.last += 1;
        Connection { all: self, number: open.last, stream: Arc::new(stream) }
    }
}

impl Connection<'_> {
    /// Sets whether the connection waits for the client. A connection is idle only after a read has timed out, so a
    /// request that has arrived is never lost.
    fn set_idle(&self, idle: bool) {
        let mut open = self.all.state();
        if idle {
            open.idle.insert(self.number, Arc::clone(&self.stream));
        } else {
            open.idle.remove(&self.number);
        }
    }
}

impl Drop for Connection<'_> {
    fn drop(&mut self) {
        let mut open = self.all.state();
        open.idle.remove(&self.number);
        open.count -= 1;
        self.all.closed.notify_one();
    }
}
