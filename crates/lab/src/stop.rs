//! Ends a run before its time: at Ctrl-C or, for a run that another program started (`--attended`), at the end of the standard input. The
//! password of such a run comes by the standard input, and the run has the lowest priority on the machine.

use std::io::{BufRead, BufReader, Read, stdin};

use anyhow::{Context, Result};
use clap::{Arg, ArgMatches};
use serde::Deserialize;
use tokio::sync::watch;

use crate::flags::switch;
use crate::load::Login;

/// The longest line of input, in bytes.
const LONGEST_LINE: u64 = 16 * 1024;

pub(crate) fn attended_arg() -> Arg {
    let help = "For programs that begin a run: who logs in is read from the first line of the input, as {\"username\", \"password\"}; the end of the input ends the run as Ctrl-C does; it runs at the lowest priority, and only against a marked tenant";
    switch("attended", help).conflicts_with_all(["username", "logins"])
}

#[derive(Clone, Default)]
pub(crate) struct StopSignal {
    input: Option<watch::Receiver<bool>>,
}

#[derive(Deserialize)]
struct LoginLine {
    username: String,
    password: String,
}

impl StopSignal {
    /// Returns the signal that ends the run, and for an attended run the log-in from its first line of input.
    pub(crate) fn from_flags(flags: &ArgMatches) -> Result<(StopSignal, Option<Login>)> {
        // Not every command that measures can be attended.
        if !matches!(flags.try_get_one::<bool>("attended"), Ok(Some(true))) {
            return Ok((StopSignal::default(), None));
        }
        rustix::process::nice(19).context("the priority can't be lowered")?;
        let mut input = BufReader::new(stdin());
        let mut line = String::new();
        (&mut input).take(LONGEST_LINE).read_line(&mut line).context("the input can't be read")?;
        // The message does not repeat the line: it may hold the password.
        let Ok(LoginLine { username, password }) = serde_json::from_str(&line) else {
            anyhow::bail!("the first line of the input is not {{\"username\", \"password\"}}");
        };
        let (ended, input_ended) = watch::channel(false);
        // A thread of its own: one of the runtime would have to be waited for at the end.
        std::thread::spawn(move || {
            let _ = std::io::copy(&mut input, &mut std::io::sink());
            let _ = ended.send(true);
        });
        Ok((StopSignal { input: Some(input_ended) }, Some(Login { username, password })))
    }

    pub(crate) fn is_attended(&self) -> bool {
        self.input.is_some()
    }

    /// Whether the end of the run has been asked for.
    pub(crate) fn is_requested(&self) -> bool {
        self.input.as_ref().is_some_and(|ended| *ended.borrow())
    }

    pub(crate) async fn wait(&self) {
        tokio::select! {
            () = wait_for_ctrl_c() => {}
            () = wait_for_input_end(self.input.clone()) => {}
        }
    }
}

async fn wait_for_ctrl_c() {
    // Without signals there is nothing to wait for.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

async fn wait_for_input_end(input: Option<watch::Receiver<bool>>) {
    let Some(mut input) = input else { return std::future::pending().await };
    // An error means that nobody can say so any more, which is an end, too.
    let _ = input.wait_for(|ended| *ended).await;
}
