//! `gordian web`: serves a web page for boards on this computer.

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Args;
use gordian_serve::{File, Server};
use tempfile::NamedTempFile;

use super::config::{ConfigArgs, LimitArgs, stop_on_interrupt};
use super::exit::ExitStatus;
use super::report::Failure;
use crate::backend::Limits;
use crate::search::Config;
use crate::web::{FILES, Pages};

/// Open a page in the browser for drawing, solving and checking boards.
///
/// The page runs on this computer only: it loads nothing from the network, and other computers have no access to it.
/// Each edit of a board stops the last search and starts a new one. Ctrl-C ends the program.
///
/// Exit code 0: ended by Ctrl-C; 2: the port is not available.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gordian web
  gordian web --no-browser --timeout 10")]
pub(super) struct Web {
    /// The port of the address [default: any free port]
    #[arg(long, value_name = "NUMBER", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Only print the address, without opening it in the browser
    #[arg(long)]
    no_browser: bool,
    #[command(flatten)]
    config: ConfigArgs,
}

/// The time limit of a search if `--timeout` is not given.
const TIMEOUT: Duration = Duration::from_secs(60);

impl Web {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let cancel = stop_on_interrupt();
        let LimitArgs { timeout, memory } = self.config.limits;
        let mut config = self.config.chosen(&Limits { cancel, memory, ..Limits::default() })?;
        // Each request has its own time limit.
        config.timeout = Some(timeout.unwrap_or(TIMEOUT));
        let unavailable = |error| Failure::Usage(format!("--port {}: {error}; name another port", self.port));
        let files = FILES.iter().map(|file| File {
            name: if file.name == "index.html" { "" } else { file.name },
            content_type: file.content_type,
            content: file.content,
        });
        let server = Server::bind(self.port, files.collect()).map_err(unavailable)?;
        let address = server.address();
        let mut out = anstream::stdout();
        writeln!(out, "{address}")?;
        out.flush()?;
        eprintln!("the page is at this address; Ctrl-C ends the program");
        // The file must exist until the program ends, because the browser may read it after a delay.
        let _redirect = if self.no_browser { None } else { open(&address) };
        // Without a signal handler, Ctrl-C kills the process.
        let stop = config.cancel.clone().unwrap_or_else(|| Arc::new(AtomicBool::new(false)));
        let pages = Pages::default();
        server.run(&stop, |request, reply| {
            let config = Config { cancel: Some(reply.cancel()), ..config.clone() };
            pages.answer(request, &config, &mut |line| reply.line(line));
        })?;
        Ok(ExitStatus::Answered)
    }
}

/// Opens an address in the browser, if there is a desktop. Returns the file that redirects to the address.
///
/// The address contains a secret token. The browser is started with the name of the redirecting file, because other
/// users can see process arguments but can't read the file.
fn open(address: &str) -> Option<NamedTempFile> {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let has_desktop = cfg!(target_os = "macos")
        || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    if !has_desktop {
        return None;
    }
    let mut file = tempfile::Builder::new().prefix("gordian-").suffix(".html").tempfile().ok()?;
    writeln!(file, "<!doctype html><meta http-equiv=\"refresh\" content=\"0;url={address}\">").ok()?;
    let silent = || Stdio::null();
    // If there is no browser, the user can open the printed address.
    let child =
        Command::new(program).arg(file.path()).stdin(silent()).stdout(silent()).stderr(silent()).spawn();
    child.is_ok().then_some(file)
}
