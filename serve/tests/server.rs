//! Tests of the server over real connections: limits, floods, cancellation, and the termination of all threads.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use gordian_serve::{File, Reply, Server};

/// The only file that the server under test sends.
const PAGE: File = File { name: "", content_type: "text/html; charset=utf-8", content: "<p>page</p>" };

/// The time after which a hanging test fails.
const TOO_LONG: Duration = Duration::from_secs(60);

/// Runs a server while `client` runs. The argument of `client` is the address of the page.
fn serve(answer: impl Fn(&str, &mut Reply<'_>) + Send + Sync, client: impl FnOnce(&str)) {
    let server = Server::bind(0, vec![PAGE]).unwrap();
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let running = scope.spawn(|| server.run(&stop, answer));
        client(&server.address());
        stop.store(true, Ordering::Relaxed);
        running.join().unwrap().unwrap();
    });
}

/// Splits the address of a page into the host with its port, and the path.
fn split(address: &str) -> (&str, &str) {
    let rest = address.strip_prefix("http://").unwrap();
    rest.split_at(rest.find('/').unwrap())
}

fn connect(address: &str, request: &str) -> TcpStream {
    let mut stream = TcpStream::connect(split(address).0).unwrap();
    stream.set_read_timeout(Some(TOO_LONG)).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    stream
}

fn response(mut stream: TcpStream) -> String {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

fn ask(address: &str, body: &str) -> TcpStream {
    let (host, path) = split(address);
    let length = body.len();
    connect(
        address,
        &format!(
            "POST {path}ask HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        ),
    )
}

fn wait_until(mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < TOO_LONG, "it takes too long");
        thread::sleep(Duration::from_millis(5));
    }
}

fn never(_: &str, _: &mut Reply<'_>) {
    panic!("no request may be answered");
}

#[test]
fn the_page_is_sent_with_its_policy() {
    serve(never, |address| {
        let (host, path) = split(address);
        assert!(host.starts_with("127.0.0.1:"), "{host}");
        let page = response(connect(address, &format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n")));
        assert!(page.starts_with("HTTP/1.1 200 OK\r\n") && page.ends_with("\r\n\r\n<p>page</p>"), "{page}");
        assert!(page.contains("Content-Security-Policy: default-src 'self';"), "{page}");
        assert!(!page.to_ascii_lowercase().contains("access-control"), "{page}");
        let other = format!("GET {path}../etc/passwd HTTP/1.1\r\nHost: {host}\r\n\r\n");
        assert!(response(connect(address, &other)).starts_with("HTTP/1.1 404 "));
        let rebound = format!("GET {path} HTTP/1.1\r\nHost: evil.example\r\n\r\n");
        assert!(response(connect(address, &rebound)).starts_with("HTTP/1.1 403 "));
    });
}

#[test]
fn tokens_differ() {
    let address = || Server::bind(0, vec![PAGE]).unwrap().address();
    assert_ne!(split(&address()).1, split(&address()).1);
    assert_eq!(split(&address()).1.len(), 34, "two slashes and 32 digits");
}

#[test]
fn a_long_body_is_refused() {
    serve(never, |address| {
        let text = response(ask(address, &"x".repeat(2 << 20)));
        assert!(text.starts_with("HTTP/1.1 413 "), "{text}");
    });
}

#[test]
fn lines_arrive_one_by_one() {
    let echo = |body: &str, reply: &mut Reply<'_>| {
        reply.line(body).unwrap();
        thread::sleep(Duration::from_millis(200));
        reply.line("end").unwrap();
    };
    serve(echo, |address| {
        let mut stream = ask(address, "{\"a\": 1}");
        let mut text = String::new();
        let mut buffer = [0; 1024];
        while !text.ends_with("{\"a\": 1}\n") {
            let count = stream.read(&mut buffer).unwrap();
            assert!(count > 0, "{text}");
            text.push_str(std::str::from_utf8(&buffer[..count]).unwrap());
        }
        assert_eq!(response(stream), "end\n");
    });
}

#[test]
fn a_hundred_requests_at_once_are_answered() {
    let answered = AtomicUsize::new(0);
    let answer = |body: &str, reply: &mut Reply<'_>| {
        thread::sleep(Duration::from_millis(10));
        answered.fetch_add(1, Ordering::Relaxed);
        reply.line(body).unwrap();
    };
    serve(answer, |address| {
        thread::scope(|scope| {
            for number in 0..100 {
                let number = number.to_string();
                scope.spawn(move || {
                    assert!(response(ask(address, &number)).ends_with(&format!("\n{number}\n")));
                });
            }
        });
        assert_eq!(answered.load(Ordering::Relaxed), 100);
    });
}

#[test]
fn a_closed_connection_cancels_its_request() {
    let (started, cancelled) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let answer = |_: &str, reply: &mut Reply<'_>| {
        started.fetch_add(1, Ordering::Relaxed);
        let cancel = reply.cancel();
        wait_until(|| cancel.load(Ordering::Relaxed));
        cancelled.fetch_add(1, Ordering::Relaxed);
    };
    serve(answer, |address| {
        let stream = ask(address, "{}");
        wait_until(|| started.load(Ordering::Relaxed) == 1);
        drop(stream);
        wait_until(|| cancelled.load(Ordering::Relaxed) == 1);
        // Stopping the server cancels the requests that are still open.
        let _open = ask(address, "{}");
        wait_until(|| started.load(Ordering::Relaxed) == 2);
    });
    assert_eq!(cancelled.load(Ordering::Relaxed), 2);
}

/// The server closes idle connections in order, so each of the first clients sees the end of its connection at once. If
/// the server waited for silent clients instead, it would close the connections of all of them after the same time.
#[test]
fn many_silent_clients_do_not_delay_the_page() {
    serve(never, |address| {
        let silent: Vec<TcpStream> = (0..200).map(|_| connect(address, "GET / HT")).collect();
        let (host, path) = split(address);
        let page = response(connect(address, &format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n")));
        assert!(page.starts_with("HTTP/1.1 200 OK\r\n"), "{page}");
        // The last of the silent clients is still connected: its request is answered.
        let mut last = &silent[silent.len() - 1];
        let rest = format!("TP/1.1\r\nHost: {host}\r\n\r\n");
        last.write_all(rest.as_bytes()).unwrap();
        let mut text = String::new();
        last.read_to_string(&mut text).unwrap();
        assert!(text.starts_with("HTTP/1.1 4"), "{text}");
    });
}

/// A client that keeps its connection open after the response is idle, too.
#[test]
fn clients_that_do_not_close_their_connections_do_not_delay_the_page() {
    serve(never, |address| {
        let (host, path) = split(address);
        let get = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n");
        let open: Vec<TcpStream> = (0..200).map(|_| connect(address, &get)).collect();
        for stream in open {
            let page = response(stream);
            assert!(page.starts_with("HTTP/1.1 200 OK\r\n"), "{page}");
        }
    });
}

#[test]
fn silent_clients_do_not_keep_the_server() {
    serve(never, |address| {
        let silent: Vec<TcpStream> = (0..20).map(|_| connect(address, "GET / HT")).collect();
        silent[0].shutdown(Shutdown::Write).unwrap();
        let (host, path) = split(address);
        let page = response(connect(address, &format!("HEAD {path} HTTP/1.1\r\nHost: {host}\r\n\r\n")));
        assert!(page.starts_with("HTTP/1.1 200 OK\r\n") && page.ends_with("\r\n\r\n"), "{page}");
    });
}
