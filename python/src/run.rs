//! Runs queries in threads of their own, while the calling thread listens to signals and runs callbacks.
//!
//! The thread of a query never touches Python. It sends reports and its result to the thread that called, which waits
//! without holding the interpreter's lock, and asks Python for signals between two messages. So Ctrl-C stops a search, and
//! a panic ends only the thread.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;

use crate::InternalError;

/// The time between two questions to Python whether a signal has arrived.
const SIGNALS: Duration = Duration::from_millis(50);
/// The stack of a query, in bytes: as large as that of the command line, because some readers and encoders are recursive.
const STACK: usize = 8 << 20;
/// The number of reports that the thread of a query may send before the caller has read the first.
const AHEAD: usize = 16;

thread_local! {
    /// The message of the last panic of this thread, with its place.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps the message of a panic for [`caught`], instead of printing it.
pub(crate) fn install_panic_hook() {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let kept = PANIC.try_with(|panic| {
            panic.try_borrow_mut().is_ok_and(|mut panic| {
                *panic = Some(info.to_string());
                true
            })
        });
        if kept != Ok(true) {
            default(info);
        }
    }));
}

/// A panic, which is a bug in gordian.
#[derive(Debug)]
pub(crate) struct Panicked(String);

impl From<Panicked> for PyErr {
    fn from(Panicked(message): Panicked) -> Self {
        InternalError::new_err(format!(
            "this is a bug in gordian; please report it with the model: {message}"
        ))
    }
}

/// Calls a function. A panic becomes an error.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let known = PANIC.with(|panic| panic.borrow_mut().take());
        Panicked(known.unwrap_or_else(|| text(&*payload)))
    })
}

fn text(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or(payload.downcast_ref::<&str>().copied()).unwrap_or("a panic without a message").to_owned()
}

/// What the thread of a query sends.
pub(crate) enum Message<R, T> {
    Report(R),
    Done(Result<T, Panicked>),
}

/// A running query.
pub(crate) struct Job<R, T> {
    messages: Mutex<Receiver<Message<R, T>>>,
    cancel: Arc<AtomicBool>,
}

/// What a query has sent.
pub(crate) enum Event<R, T> {
    Report(R),
    Done(T),
}

impl<R: Send + 'static, T: Send + 'static> Job<R, T> {
    /// Starts a thread. When `cancel` is set, the thread ends soon. It may send reports to the sender that it receives;
    /// sending fails after the job has been dropped.
    pub(crate) fn start(
        cancel: Arc<AtomicBool>,
        work: impl FnOnce(&SyncSender<Message<R, T>>) -> T + Send + 'static,
    ) -> PyResult<Self> {
        let (sender, messages) = sync_channel(AHEAD);
        let body = move || {
            let result = caught(|| work(&sender));
            // Nobody waits for the result of a job that has been dropped.
            let _ = sender.send(Message::Done(result));
        };
        std::thread::Builder::new().name("gordian".to_owned()).stack_size(STACK).spawn(body)?;
        Ok(Self { messages: Mutex::new(messages), cancel })
    }

    /// Stops the thread soon.
    pub(crate) fn cancel(&self) {
        self.cancel.store(true, Ordering::Relaxed);
    }

    /// Waits for a message.
    ///
    /// # Errors
    /// Returns the exception of a signal handler, such as `KeyboardInterrupt`, and an exception if the thread panicked.
    pub(crate) fn next(&self, py: Python<'_>) -> PyResult<Event<R, T>> {
        loop {
            // The interpreter's lock is free while the thread works.
            let wait = || self.messages.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(SIGNALS);
            match py.detach(wait) {
                Ok(Message::Report(report)) => return Ok(Event::Report(report)),
                Ok(Message::Done(result)) => return Ok(Event::Done(result?)),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(InternalError::new_err("the thread of the query ended without a result"));
                }
            }
        }
    }

    /// Waits for the result, and calls a function for each report. If a signal handler or the function fails, stops the
    /// thread, and returns the error beside the result that the thread had so far.
    pub(crate) fn finish(
        &self,
        py: Python<'_>,
        mut report: impl FnMut(R) -> PyResult<()>,
    ) -> PyResult<(T, Option<PyErr>)> {
        let mut failed = None;
        loop {
            match self.next(py) {
                Ok(Event::Done(result)) => return Ok((result, failed)),
                Ok(Event::Report(value)) if failed.is_none() => {
                    failed = report(value).err();
                    if failed.is_some() {
                        self.cancel();
                    }
                }
                Ok(Event::Report(_)) => {}
                // A second interrupt does not wait for the thread.
                Err(error) if failed.is_none() && !error.is_instance_of::<InternalError>(py) => {
                    failed = Some(error);
                    self.cancel();
                }
                Err(error) => {
                    self.cancel();
                    return Err(error);
                }
            }
        }
    }
}

/// The reports of a job, one after the other, for iterators of Python.
pub(crate) struct Reports<R, T>(Mutex<Option<Job<R, T>>>);

impl<R: Send + 'static, T: Send + 'static> Reports<R, T> {
    pub(crate) fn new(job: Job<R, T>) -> Self {
        Self(Mutex::new(Some(job)))
    }

    /// Waits for a message. Returns `None` after the result, after an error, and while another thread waits.
    ///
    /// # Errors
    /// As [`Job::next`].
    pub(crate) fn next(&self, py: Python<'_>) -> PyResult<Option<Event<R, T>>> {
        let job = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // The job is taken out, so that the lock is not held while other threads run Python.
        let Some(taken) = job().take() else { return Ok(None) };
        let event = taken.next(py)?;
        if matches!(event, Event::Report(_)) {
            *job() = Some(taken);
        }
        Ok(Some(event))
    }
}

impl<R, T> Drop for Job<R, T> {
    fn drop(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
    }
}

/// Panics in the thread of a query or, if `inside` is false, in a direct call. For the tests of the package.
#[pyfunction]
pub(crate) fn provoke_panic(py: Python<'_>, inside: bool) -> PyResult<()> {
    if !inside {
        return Ok(caught(|| panic!("provoked in a call"))?);
    }
    let job: Job<(), ()> = Job::start(Arc::new(AtomicBool::new(false)), |_| panic!("provoked in a thread"))?;
    job.finish(py, |()| Ok(())).map(drop)
}
