//! Connections to a mail server, kept between mails.
//!
//! The SMTP client could keep them itself, but it sends the line that ends a mail by itself, and the kernel keeps that line
//! back until the server has acknowledged the text before it (Nagle's algorithm against delayed acknowledgements): 40 ms for
//! each mail. Here a text and its end go out in one write, encrypted or not.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use lettre::Message;
use lettre::address::Envelope;
use lettre::transport::smtp::client::AsyncSmtpConnection;
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::{Extension, MailBodyParameter, MailParameter, ServerInfo};
use lettre::transport::smtp::{Error, response::Response};
use tokio::time::timeout;

use crate::entrance::{Connector, server_unusable};
use crate::{Refused, with_causes};

/// How long a server may take to accept a connection and a log-in.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);
/// How long a server may take to accept an e-mail, which it may check before it answers.
const SEND_TIMEOUT: Duration = Duration::from_secs(120);

pub(crate) struct Connections {
    connector: Connector,
    idle: Mutex<Vec<AsyncSmtpConnection>>,
}

impl Connections {
    pub(crate) fn new(entrance: Connector) -> Connections {
        Connections { connector: entrance, idle: Mutex::default() }
    }

    pub(crate) async fn send(&self, message: &Message) -> Result<(), Refused> {
        let late = |_| server_unusable("the mail server does not answer in time");
        let mut connection = match self.take_idle().await {
            Some(connection) => connection,
            None => {
                timeout(CONNECT_TIMEOUT, self.connector.connect(CONNECT_TIMEOUT)).await.map_err(late)??
            }
        };
        let sent = timeout(SEND_TIMEOUT, send_message(&mut connection, message)).await.map_err(late)?;
        match &sent {
            Ok(()) => self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection),
            // The connection may be in any state, so it is closed; the next e-mail opens another.
            Err(_) => drop(timeout(CONNECT_TIMEOUT, connection.abort()).await),
        }
        sent
    }

    /// Closes all idle connections with QUIT.
    pub(crate) async fn close_idle(&self) {
        let idle = std::mem::take(&mut *self.idle.lock().unwrap_or_else(PoisonError::into_inner));
        for mut connection in idle {
            drop(timeout(CONNECT_TIMEOUT, connection.abort()).await);
        }
    }

    /// Takes an idle connection that the server has not closed meanwhile.
    async fn take_idle(&self) -> Option<AsyncSmtpConnection> {
        loop {
            let mut connection = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()?;
            if timeout(CONNECT_TIMEOUT, connection.test_connected()).await.unwrap_or(false) {
                return Some(connection);
            }
        }
    }
}

async fn send_message(connection: &mut AsyncSmtpConnection, message: &Message) -> Result<(), Refused> {
    let text = String::from_utf8(message.formatted());
    let text = text.map_err(|_| Refused::for_good("the mail is not text as it travels"))?;
    let envelope = message.envelope();
    let parameters = parameters(connection.server_info(), envelope, &text)?;
    let taken = |answer: Result<Response, Error>| answer.map(drop).map_err(|error| refusal_of(&error));
    // A refusal before an address is named is a fault of the settings, which somebody will mend: the e-mail is tried again.
    let begun = taken(connection.command(Mail::new(envelope.from().cloned(), parameters)).await);
    begun.map_err(|refused| Refused { for_good: false, ..refused })?;
    for address in envelope.to() {
        taken(connection.command(Rcpt::new(address.clone(), Vec::new())).await)?;
    }
    taken(connection.command(Data).await)?;
    taken(connection.command(dot_stuffed(&text)).await)
}

/// The SMTP parameters for an e-mail that is not all ASCII; refused if the server cannot take such an e-mail.
fn parameters(server: &ServerInfo, envelope: &Envelope, text: &str) -> Result<Vec<MailParameter>, Refused> {
    let mut parameters = Vec::new();
    let mut addresses = envelope.from().into_iter().chain(envelope.to());
    if addresses.any(|address| !AsRef::<str>::as_ref(address).is_ascii()) {
        if !server.supports_feature(Extension::SmtpUtfEight) {
            return Err(Refused::for_good("the mail server takes no addresses with letters beyond ASCII"));
        }
        parameters.push(MailParameter::SmtpUtfEight);
    }
    if !text.is_ascii() {
        if !server.supports_feature(Extension::EightBitMime) {
            return Err(Refused::for_good("the mail server takes no mails with letters beyond ASCII"));
        }
        parameters.push(MailParameter::Body(MailBodyParameter::EightBitMime));
    }
    Ok(parameters)
}

/// A text with the line that ends it, and with one more dot where a line begins with one (RFC 5321, 4.5.2).
fn dot_stuffed(text: &str) -> String {
    let mut ended = String::with_capacity(text.len() + 8);
    if text.starts_with('.') {
        ended.push('.');
    }
    ended.push_str(&text.replace("\r\n.", "\r\n.."));
    if !ended.ends_with("\r\n") {
        ended.push_str("\r\n");
    }
    ended.push_str(".\r\n");
    ended
}

fn refusal_of(error: &Error) -> Refused {
    if error.is_permanent() {
        return Refused::for_good(with_causes(error));
    }
    if error.is_transient() {
        return Refused::for_now(with_causes(error));
    }
    server_unusable(format!("the connection to the mail server broke off: {}", with_causes(error)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::dot_stuffed;
    use crate::{Mail, MailServer, Mailer};

    /// The lines that a server reads until the client says QUIT.
    async fn received_lines(listener: TcpListener) -> Vec<String> {
        let mut stream = listener.accept().await.unwrap().0;
        stream.write_all(b"220 here\r\n").await.unwrap();
        let (mut heard, mut buffer) = (Vec::new(), [0; 4096]);
        loop {
            let read = stream.read(&mut buffer).await.unwrap();
            if read == 0 {
                return heard;
            }
            let text = String::from_utf8_lossy(&buffer[..read]).into_owned();
            let answer: &[u8] = if text == "DATA\r\n" { b"354 go on\r\n" } else { b"250 ok\r\n" };
            stream.write_all(answer).await.unwrap();
            heard.push(text);
        }
    }

    #[tokio::test]
    async fn a_text_and_its_end_are_one_write_and_a_connection_serves_many_mails() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let record = json!({"host": "127.0.0.1", "port": listener.local_addr().unwrap().port(),
            "from": "desk@library.example", "loginOption": "DISABLED", "startTlsOptions": "DISABLED"});
        let server = tokio::spawn(received_lines(listener));
        let mailer = Mailer::new(MailServer::read(&record).unwrap()).unwrap();
        for message_id in ["1", "2"] {
            let mail = Mail {
                message_id,
                from: None,
                to: "ada@example.com",
                subject: "Due",
                body: "Hello",
                is_html: false,
                attachments: Vec::new(),
            };
            mailer.send(&mail).await.unwrap();
        }
        mailer.close_idle_connections().await;
        let heard = server.await.unwrap();
        let texts: Vec<&String> = heard.iter().filter(|text| text.contains("Subject: Due")).collect();
        assert_eq!(texts.len(), 2, "{heard:?}");
        assert!(texts.iter().all(|text| text.ends_with("Hello\r\n.\r\n")), "{texts:?}");
        assert_eq!(heard.iter().filter(|text| text.starts_with("EHLO")).count(), 1, "{heard:?}");
        assert_eq!(heard.last().unwrap(), "QUIT\r\n");
    }

    #[test]
    fn a_text_cannot_end_itself() {
        for (text, travels) in [
            ("a\r\n", "a\r\n.\r\n"),
            ("a", "a\r\n.\r\n"),
            ("a\r\n.\r\nMAIL FROM:<b@c>\r\n", "a\r\n..\r\nMAIL FROM:<b@c>\r\n.\r\n"),
            (".\r\n.\r\n..b", "..\r\n..\r\n...b\r\n.\r\n"),
            ("", "\r\n.\r\n"),
        ] {
            assert_eq!(dot_stuffed(text), travels, "{text:?}");
        }
    }
}
