//! What a server says to a client (RFC 5321, 3207, 4954).

use std::io;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use super::{Encryption, Login, Mail, MailSink, encryption};

const GREETING: &str = "220 sink";

pub(super) async fn serve(sink: &MailSink, stream: TcpStream) -> io::Result<()> {
    let certificate = sink.options.certificate;
    if sink.options.encryption == Encryption::FromTheStart {
        let mut line = SmtpConnection::new(encryption::accept(stream, certificate).await?);
        line.send(GREETING).await?;
        return SmtpDialogue::new(sink, true).run(&mut line).await.map(drop);
    }
    let mut line = SmtpConnection::new(stream);
    line.send(GREETING).await?;
    if SmtpDialogue::new(sink, false).run(&mut line).await? == DialogueEnd::ToBeEncrypted {
        let mut line = SmtpConnection::new(encryption::accept(line.0.into_inner(), certificate).await?);
        // Nothing that was said before counts.
        SmtpDialogue::new(sink, true).run(&mut line).await?;
    }
    Ok(())
}

struct SmtpConnection<S>(BufReader<S>);

impl<S: AsyncRead + AsyncWrite + Unpin> SmtpConnection<S> {
    fn new(stream: S) -> SmtpConnection<S> {
        SmtpConnection(BufReader::new(stream))
    }

    async fn send(&mut self, answer: &str) -> io::Result<()> {
        self.0.write_all(format!("{answer}\r\n").as_bytes()).await?;
        self.0.flush().await
    }

    /// None when the client has gone.
    async fn receive(&mut self) -> io::Result<Option<String>> {
        let mut line = String::new();
        let read = self.0.read_line(&mut line).await?;
        Ok((read > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned()))
    }
}

#[derive(PartialEq, Eq)]
enum DialogueEnd {
    Over,
    ToBeEncrypted,
}

struct SmtpDialogue<'a> {
    sink: &'a MailSink,
    encrypted: bool,
    user: Option<&'static str>,
    mail: Mail,
}

impl SmtpDialogue<'_> {
    fn new(sink: &MailSink, encrypted: bool) -> SmtpDialogue<'_> {
        SmtpDialogue { sink, encrypted, user: None, mail: Mail::default() }
    }

    async fn run(
        mut self,
        line: &mut SmtpConnection<impl AsyncRead + AsyncWrite + Unpin>,
    ) -> io::Result<DialogueEnd> {
        while let Some(said) = line.receive().await? {
            let word = said.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
            if self.breaks_off_at(&word) {
                return Ok(DialogueEnd::Over);
            }
            let answer = match word.as_str() {
                "EHLO" | "HELO" => self.ehlo_reply(),
                "STARTTLS" if self.offers_encryption() => {
                    line.send("220 go on").await?;
                    return Ok(DialogueEnd::ToBeEncrypted);
                }
                "AUTH" => self.authenticate(&said, line).await?,
                "MAIL" => self.start_mail(&said),
                "RCPT" => self.add_recipient(&said),
                "DATA" => {
                    line.send("354 go on").await?;
                    match self.read_data(line).await? {
                        true => self.store_mail(),
                        false => return Ok(DialogueEnd::Over),
                    }
                }
                "QUIT" => "221 bye".to_owned(),
                _ => "250 ok".to_owned(),
            };
            line.send(&answer).await?;
        }
        Ok(DialogueEnd::Over)
    }

    fn breaks_off_at(&self, word: &str) -> bool {
        self.sink.with_state(|state| state.breaks_off_at == Some(word))
    }

    fn offers_encryption(&self) -> bool {
        self.sink.options.encryption == Encryption::Offered && !self.encrypted
    }

    fn ehlo_reply(&self) -> String {
        let mut lines = vec!["sink".to_owned()];
        if self.offers_encryption() {
            lines.push("STARTTLS".to_owned());
        } else if let Some(login) = self.sink.options.login {
            lines.push(format!("AUTH {}", login.mechanisms));
        }
        let last = lines.len() - 1;
        let one = |(at, line): (usize, &String)| format!("250{}{line}", if at == last { ' ' } else { '-' });
        lines.iter().enumerate().map(one).collect::<Vec<String>>().join("\r\n")
    }

    /// A server without tact: it repeats what it does not take.
    async fn authenticate(
        &mut self,
        said: &str,
        line: &mut SmtpConnection<impl AsyncRead + AsyncWrite + Unpin>,
    ) -> io::Result<String> {
        let Some(Login { user, password, mechanisms: ways }) = self.sink.options.login else {
            return Ok("502 everybody may send".to_owned());
        };
        let mut words = said.split_whitespace().skip(1);
        let way = words.next().unwrap_or_default();
        let (given, proof) = match way {
            _ if !ways.split(' ').any(|known| known == way) => return Ok("504 not in this way".to_owned()),
            "PLAIN" => (words.next().unwrap_or_default().to_owned(), format!("\0{user}\0{password}")),
            _ => {
                let mut given = Vec::new();
                for question in ["Username:", "Password:"] {
                    line.send(&format!("334 {}", STANDARD.encode(question))).await?;
                    given.push(line.receive().await?.unwrap_or_default());
                }
                let proof = format!("{} {}", STANDARD.encode(user), STANDARD.encode(password));
                return Ok(self.check_login(&given.join(" "), &proof, user));
            }
        };
        Ok(self.check_login(&given, &STANDARD.encode(proof), user))
    }

    fn check_login(&mut self, given: &str, proof: &str, user: &'static str) -> String {
        if given != proof {
            return format!("535 5.7.8 not with {given}");
        }
        self.user = Some(user);
        "235 2.7.0 welcome".to_owned()
    }

    fn start_mail(&mut self, said: &str) -> String {
        if self.sink.with_state(|state| state.busy) {
            return "451 try again later".to_owned();
        }
        if self.sink.options.login.is_some() && self.user.is_none() {
            return "530 5.7.0 log in first".to_owned();
        }
        let (encrypted, user) = (self.encrypted, self.user);
        self.mail = Mail { from: parse_address(said), encrypted, user, ..Mail::default() };
        "250 ok".to_owned()
    }

    fn add_recipient(&mut self, said: &str) -> String {
        let address = parse_address(said);
        if self.sink.with_state(|state| state.bouncing.contains(&address)) {
            return "550 no such mailbox".to_owned();
        }
        self.mail.to.push(address);
        "250 ok".to_owned()
    }

    /// The text of a mail; whether it came to its end.
    async fn read_data(
        &mut self,
        line: &mut SmtpConnection<impl AsyncRead + AsyncWrite + Unpin>,
    ) -> io::Result<bool> {
        while let Some(said) = line.receive().await? {
            if said == "." {
                return Ok(!self.breaks_off_at("."));
            }
            self.mail.data.push_str(&said);
            self.mail.data.push('\n');
        }
        Ok(false)
    }

    fn store_mail(&mut self) -> String {
        let taken = std::mem::take(&mut self.mail);
        self.sink.with_state(|state| state.mails.push(taken));
        "250 taken".to_owned()
    }
}

fn parse_address(said: &str) -> String {
    said.split(['<', '>']).nth(1).unwrap_or_default().to_owned()
}
