use super::*;

/// A writer that shares its text.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn watch() -> Watch {
    Watch::new(Limits::default(), || SoFar::out("nothing\n"))
}

#[test]
fn messages_are_passed_on_as_a_whole() {
    let (watch, shared) = (watch(), Shared::default());
    let mut out = watch.messages(Box::new(shared.clone()));
    write!(out, "a board\nof two").unwrap();
    assert_eq!(shared.text(), "");
    writeln!(out, " lines").unwrap();
    out.flush().unwrap();
    assert_eq!(shared.text(), "a board\nof two lines\n");
    write!(out, "the end").unwrap();
    drop(out);
    assert!(shared.text().ends_with("the end"));
}

#[test]
fn long_messages_are_passed_on_up_to_a_line_break() {
    let (watch, shared) = (watch(), Shared::default());
    let mut out = watch.messages(Box::new(shared.clone()));
    let line = "v 1 -2 3\n".repeat(LONGEST / 9);
    write!(out, "{line}v 4").unwrap();
    assert_eq!(shared.text(), "");
    write!(out, " 5 6").unwrap();
    assert_eq!(shared.text(), line);
    let (watch, shared) = (self::watch(), Shared::default());
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let mut out = watch.messages(Box::new(shared.clone()));
        write!(out, "half a li").unwrap();
        std::panic::resume_unwind(Box::new(()));
    }));
    assert!(panicked.is_err());
    assert_eq!(shared.text(), "", "a message that is unwound is not passed on");
}

#[test]
fn a_function_is_called_once_the_message_is_printed() {
    let (watch, shared) = (watch(), Shared::default());
    let mut out = watch.messages(Box::new(shared.clone()));
    let (seen, then) = (shared.clone(), Arc::new(Mutex::new(String::new())));
    let called = Arc::clone(&then);
    watch.once_printed(move || *called.lock().unwrap() = seen.text());
    write!(out, "solution").unwrap();
    assert_eq!(*then.lock().unwrap(), "");
    out.flush().unwrap();
    assert_eq!(*then.lock().unwrap(), "solution");
}

#[test]
fn a_stopped_command_has_the_status_of_its_last_result() {
    let watch = watch();
    let found = SoFar { status: ExitStatus::Satisfiable, ..SoFar::out("") };
    watch.keep(move || found.clone());
    assert_eq!(watch.state().stop(), ExitStatus::Satisfiable);
    let watch = self::watch();
    watch.keep(|| panic!("nothing is printed after the result"));
    watch.result(|| assert!(matches!(watch.state().progress, Progress::Printing)));
    assert_eq!(watch.state().stop(), ExitStatus::Stopped);
    assert_eq!(watch.ended(ExitStatus::NoSolution), ExitStatus::NoSolution);
    assert_eq!(watch.state().stop(), ExitStatus::NoSolution);
}

/// A command that works until a limit is reached.
struct Endless;

impl Limited for Endless {
    fn limits(&self) -> LimitArgs {
        LimitArgs { timeout: None, memory: None }
    }

    fn nothing(&self) -> SoFar {
        SoFar::out("")
    }

    fn run(&self, watch: &Watch) -> Result<ExitStatus, Failure> {
        watch.keep(|| SoFar { status: ExitStatus::Optimum, ..SoFar::out("") });
        loop {
            gordian_encodings::tick(1000);
        }
    }
}

#[test]
fn polling_unwinds_a_command() {
    let limits = Limits { deadline: Some(Instant::now()), ..Limits::default() };
    let watch = Watch::new(limits, || SoFar::out(""));
    assert_eq!(polling(&Endless, &watch).expect("a status"), ExitStatus::Optimum);
    assert!(matches!(watch.state().progress, Progress::Ended(ExitStatus::Optimum)));
}
