//! One machine's connection: its messages are answered one after the other, each before the next is read.
//!
//! What a machine can use of the server is bounded: the bytes of a message, the time in which a message arrives and an answer is taken, the
//! time until the machine logs in, and how often it may send invalid messages or wrong passwords.

use std::net::IpAddr;
use std::sync::Arc;

use octavo_engine::Tenant;
use octavo_gateway::{ConnectionState, Server};
use octavo_pg::Client;
use octavo_sip2::{ErrorDetection, Lines, Message, Sender, Wire};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::watch;
use tokio::time::{Instant, timeout, timeout_at};

use crate::answers::{answer, before_log_in, refusal, status, with_texts};
use crate::desk::{Desk, refused};
use crate::limits::Limits;
use crate::session::{Digest, SignedIn, Verified};
use crate::sign_in::{load_settings, sign_in};
use crate::terminals::Terminals;
use crate::{times, words};

/// The most bytes of a message. The longest of the standard, with every field at its longest, has some two thousand.
pub(crate) const MOST_BYTES: usize = 4096;
/// How many invalid messages in a row a machine may send, and how many refused log-ins it may have in all.
const MAX_BAD_MESSAGES: u32 = 10;
/// Characters of a printed line, where neither the machine nor the library says.
const PRINT_WIDTH: usize = 255;

/// What is known of a machine from its connection.
pub(crate) struct Terminal {
    pub(crate) server: Server,
    pub(crate) terminals: Arc<Terminals>,
    pub(crate) limits: Arc<Limits>,
    pub(crate) address: IpAddr,
    /// A number that tells this machine from others that work as the same user.
    pub(crate) number: u64,
    pub(crate) line: Arc<ConnectionState>,
}

/// The state of a conversation.
struct Conversation {
    terminal: Terminal,
    wire: Wire,
    signed_in: Option<SignedIn>,
    verified: Option<Verified>,
    print_width: usize,
    /// Whether the machine sends checksums.
    sends_checksums: bool,
    /// The last message since the log-in that changed something, with its answer: it is not done twice if it comes again.
    previous: Option<(Digest, Vec<u8>)>,
    last_answer: Option<Vec<u8>>,
    bad_messages: u32,
    refused_log_ins: u32,
}

/// Why a conversation ends.
enum ConversationEnd {
    Closed,
    /// The server ends the connection: the reason for its log, and the bytes that it sends before.
    Cut(&'static str, Vec<u8>),
}

/// Talks with a machine until it hangs up, takes too long, or the server stops.
pub(crate) async fn converse<S: AsyncRead + AsyncWrite + Unpin>(
    mut stream: S,
    terminal: Terminal,
    mut stopping: watch::Receiver<bool>,
) {
    let wire = terminal.terminals.wire(terminal.address).clone();
    let (limits, line) = (Arc::clone(&terminal.limits), Arc::clone(&terminal.line));
    let mut lines = Lines::new(wire.terminator.clone(), MOST_BYTES);
    let mut conversation = Conversation {
        terminal,
        sends_checksums: wire.error_detection == ErrorDetection::Required,
        wire,
        signed_in: None,
        verified: None,
        print_width: 0,
        previous: None,
        last_answer: None,
        bad_messages: 0,
        refused_log_ins: 0,
    };
    let until_log_in = Instant::now() + limits.login_time;
    loop {
        let reading = conversation.next_message(&mut stream, &mut lines, until_log_in);
        let read = tokio::select! {
            read = reading => read,
            _ = stopping.wait_for(|stopping| *stopping) => return,
        };
        let message = match read {
            Ok(message) => message,
            Err(ConversationEnd::Closed) => return,
            Err(ConversationEnd::Cut(why, farewell)) => {
                tracing::debug!(why, "a terminal's connection was ended");
                let _ = timeout(limits.stall_time, stream.write_all(&farewell)).await;
                return;
            }
        };
        let begun = line.begin_answer();
        let answered = conversation.answer(&message).await;
        let taken = timeout(limits.stall_time, async {
            stream.write_all(&answered).await?;
            stream.flush().await
        });
        let taken = taken.await;
        drop(begun);
        line.note_activity();
        if !matches!(taken, Ok(Ok(()))) || conversation.has_too_many_failures() {
            return;
        }
    }
}

impl Conversation {
    /// The next whole message.
    async fn next_message<S: AsyncRead + Unpin>(
        &self,
        stream: &mut S,
        lines: &mut Lines,
        until_log_in: Instant,
    ) -> Result<Vec<u8>, ConversationEnd> {
        let limits = &self.terminal.limits;
        let idle_until = match self.signed_in {
            Some(_) => Instant::now() + limits.idle_time,
            None => until_log_in,
        };
        let mut until = idle_until;
        let mut has_begun = false;
        let mut room = [0; 1024];
        loop {
            match lines.take_message() {
                Ok(Some(message)) => return Ok(message),
                Ok(None) => {}
                Err(_) => return Err(ConversationEnd::Cut("its message is too long", self.resend_request())),
            }
            if lines.has_begun() && !has_begun {
                has_begun = true;
                until = idle_until.min(Instant::now() + limits.message_time);
            }
            let most = lines.free_bytes().min(room.len());
            let count = match timeout_at(until, stream.read(&mut room[..most])).await {
                Ok(Ok(count)) if count > 0 => count,
                Ok(_) => return Err(ConversationEnd::Closed),
                Err(_) => return Err(ConversationEnd::Cut("it takes too long", Vec::new())),
            };
            self.terminal.line.note_activity();
            lines.add(&room[..count]);
        }
    }

    /// Whether the machine has sent too many bad messages or refused log-ins, so that its connection is ended.
    fn has_too_many_failures(&self) -> bool {
        self.bad_messages >= MAX_BAD_MESSAGES || self.refused_log_ins >= MAX_BAD_MESSAGES
    }

    /// Asks to send the message once more.
    fn resend_request(&self) -> Vec<u8> {
        Message::new("96", &[]).write(&self.wire, self.sends_checksums)
    }

    async fn answer(&mut self, bytes: &[u8]) -> Vec<u8> {
        let asked = match Message::read(bytes, &self.wire) {
            Ok(asked) if asked.kind.sender == Sender::Terminal => asked,
            Ok(_) => return self.note_bad_message("it is a message of a library's system"),
            Err(why) => return self.note_bad_message(&why.to_string()),
        };
        self.bad_messages = 0;
        let code = asked.kind.code;
        if code == "97" {
            return self.last_answer.clone().unwrap_or_else(|| self.resend_request());
        }
        self.sends_checksums =
            asked.sequence.is_some() || self.wire.error_detection == ErrorDetection::Required;
        if asked.sequence.is_some()
            && let Some((before, answered)) = &self.previous
            && before.is_of(bytes)
        {
            return answered.clone();
        }
        let mut answered = self.respond(&asked).await;
        answered.sequence = asked.sequence;
        let written = answered.write(&self.wire, self.sends_checksums);
        tracing::debug!(message = code, answer = answered.kind.code, "a terminal was answered");
        if changes_records(code) {
            self.previous = Digest::of(bytes).map(|digest| (digest, written.clone()));
        }
        self.last_answer = Some(written.clone());
        written
    }

    fn note_bad_message(&mut self, why: &str) -> Vec<u8> {
        self.bad_messages += 1;
        tracing::debug!(why, "what a terminal sent is no message");
        self.resend_request()
    }

    /// The answer as a message. If anything fails, it is one that refuses.
    async fn respond(&mut self, asked: &Message) -> Message {
        let now = self.terminal.server.now();
        match asked.kind.code {
            "93" => return self.log_in(asked).await,
            "99" => {
                self.print_width = asked.fixed("max_print_width").trim().parse().unwrap_or(0);
                self.read_settings_anew().await;
            }
            _ => {}
        }
        let as_whom = self.client_identity();
        let Some(signed_in) = &self.signed_in else {
            return refusal_or_status(asked, &utc(now), &["The terminal has not logged in".to_owned()]);
        };
        let date = times::format_time(now, &signed_in.settings.zone);
        let desk = Desk::open(&self.terminal.server, as_whom, signed_in, &mut self.verified).await;
        let mut desk = match desk {
            Ok(Some(desk)) => desk,
            Ok(None) => {
                // The machine's user was made inactive, or has got another password: the machine has to log in again.
                self.signed_in = None;
                return refusal_or_status(asked, &date, &["The terminal has to log in again".to_owned()]);
            }
            Err(fault) => return refusal_or_status(asked, &date, &words::fault_messages(&fault)),
        };
        let answered = match asked.kind.code {
            "99" => Ok(status(&desk)),
            _ => answer(&mut desk, asked).await,
        };
        let width = [self.print_width, signed_in.settings.terminal.max_print_width, PRINT_WIDTH];
        let width = width.into_iter().find(|width| *width > 0).unwrap_or(PRINT_WIDTH);
        match answered {
            Ok(answered) if says_no(&answered) => answered,
            Ok(answered) => with_texts(answered, &signed_in.settings, width),
            Err(fault) => refusal_or_status(asked, &date, &words::fault_messages(&fault)),
        }
    }

    async fn log_in(&mut self, asked: &Message) -> Message {
        (self.signed_in, self.verified, self.previous) = (None, None, None);
        let Terminal { server, terminals, address, .. } = &self.terminal;
        let tenant = terminals.tenant(*address, asked.text("CP"));
        let signed_in = match tenant {
            Some(tenant) => sign_in(server, tenant, self.client_identity(), asked).await,
            None => Err(refused("Nothing says which tenant the terminal belongs to")),
        };
        match signed_in {
            Ok(signed_in) => {
                tracing::info!(user = %signed_in.user, tenant = signed_in.tenant, "a terminal has logged in");
                self.signed_in = Some(signed_in);
                self.refused_log_ins = 0;
                Message::new("94", &["1"])
            }
            Err(fault) => {
                self.refused_log_ins += 1;
                let (address, why) = (self.terminal.address, words::cause(&fault));
                tracing::warn!(%address, status = fault.status, why, "a terminal was not logged in");
                Message::new("94", &["0"])
            }
        }
    }

    /// A machine asks for the status when it starts its day; changed settings hold from then on.
    async fn read_settings_anew(&mut self) {
        let as_whom = self.client_identity();
        let Some(signed_in) = &mut self.signed_in else { return };
        let server = &self.terminal.server;
        let read = async {
            let (server, tenant): (_, Arc<Tenant>) = server.server_of_tenant(&signed_in.tenant).await?;
            load_settings(&server, &tenant, as_whom, signed_in.service_point.as_deref()).await
        };
        match read.await {
            Ok(settings) => signed_in.settings = settings,
            Err(fault) => {
                tracing::warn!(status = fault.status, "a terminal's settings could not be read anew");
            }
        }
    }

    /// Each machine has its own share of the database's connections, also where many work as one user.
    fn client_identity(&self) -> (IpAddr, Client) {
        let user = self.signed_in.as_ref().map_or(0, |signed_in| signed_in.user.as_u128());
        (self.terminal.address, Client(user ^ u128::from(self.terminal.number)))
    }
}

/// Messages that must not be carried out twice.
fn changes_records(code: &str) -> bool {
    matches!(code, "01" | "09" | "11" | "15" | "29" | "37" | "65")
}

fn says_no(answer: &Message) -> bool {
    ["ok", "accepted", "ended"].iter().any(|name| matches!(answer.fixed(name), "0" | "N"))
        || answer.text("BL") == "N"
}

fn utc(now: jiff::Timestamp) -> String {
    times::format_time(now, &jiff::tz::TimeZone::UTC)
}

fn refusal_or_status(asked: &Message, date: &str, words: &[String]) -> Message {
    // There is no refusal for a request of the status: a machine that has not logged in gets the status for that case.
    refusal(asked, date, words).unwrap_or_else(|| before_log_in(date))
}
