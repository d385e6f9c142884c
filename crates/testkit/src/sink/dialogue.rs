//! What a server says to a client (RFC 5321, 3207, 4954).

use std::io;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use super::{Encryption, Login, Mail, MailSink, encryption};

const GREETING: &str = "220 sink";

pub(super) async fn serve(sink: &MailSink, stream: TcpStream) -> io::Result<()> {
    let certificate = sink.manners.certificate;
    if sink.manners.encryption == Encryption::FromTheStart {
        let mut line = Line::new(encryption::accept(stream, certificate).await?);
        line.say(GREETING).await?;
        return Talk::new(sink, true).talk(&mut line).await.map(drop);
    }
    let mut line = Line::new(stream);
    line.say(GREETING).await?;
    if Talk::new(sink, false).talk(&mut line).await? == End::ToBeEncrypted {
        let mut line = Line::new(encryption::accept(line.0.into_inner(), certificate).await?);
        // Nothing that was said before counts.
        Talk::new(sink, true).talk(&mut line).await?;
    }
    Ok(())
}

struct Line<S>(BufReader<S>);

impl<S: AsyncRead + AsyncWrite + Unpin> Line<S> {
    fn new(stream: S) -> Line<S> {
        Line(BufReader::new(stream))
    }

    async fn say(&mut self, answer: &str) -> io::Result<()> {
        self.0.write_all(format!("{answer}\r\n").as_bytes()).await?;
        self.0.flush().await
    }

    /// None when the client has gone.
    async fn hear(&mut self) -> io::Result<Option<String>> {
        let mut line = String::new();
        let read = self.0.read_line(&mut line).await?;
        Ok((read > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned()))
    }
}

#[derive(PartialEq, Eq)]
enum End {
    Over,
    ToBeEncrypted,
}

struct Talk<'a> {
    sink: &'a MailSink,
    encrypted: bool,
    user: Option<&'static str>,
    mail: Mail,
}

impl Talk<'_> {
    fn new(sink: &MailSink, encrypted: bool) -> Talk<'_> {
        Talk { sink, encrypted, user: None, mail: Mail::default() }
    }

    async fn talk(mut self, line: &mut Line<impl AsyncRead + AsyncWrite + Unpin>) -> io::Result<End> {
        while let Some(said) = line.hear().await? {
            let word = said.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
            if self.breaks_off_at(&word) {
                return Ok(End::Over);
            }
            let answer = match word.as_str() {
                "EHLO" | "HELO" => self.welcome(),
                "STARTTLS" if self.offers_encryption() => {
                    line.say("220 go on").await?;
                    return Ok(End::ToBeEncrypted);
                }
                "AUTH" => self.let_in(&said, line).await?,
                "MAIL" => self.begin(&said),
                "RCPT" => self.address(&said),
                "DATA" => {
                    line.say("354 go on").await?;
                    match self.read(line).await? {
                        true => self.take(),
                        false => return Ok(End::Over),
                    }
                }
                "QUIT" => "221 bye".to_owned(),
                _ => "250 ok".to_owned(),
            };
            line.say(&answer).await?;
        }
        Ok(End::Over)
    }

    fn breaks_off_at(&self, word: &str) -> bool {
        self.sink.state(|state| state.breaks_off_at == Some(word))
    }

    fn offers_encryption(&self) -> bool {
        self.sink.manners.encryption == Encryption::Offered && !self.encrypted
    }

    fn welcome(&self) -> String {
        let mut lines = vec!["sink".to_owned()];
        if self.offers_encryption() {
            lines.push("STARTTLS".to_owned());
        } else if let Some(login) = self.sink.manners.login {
            lines.push(format!("AUTH {}", login.ways));
        }
        let last = lines.len() - 1;
        let one = |(at, line): (usize, &String)| format!("250{}{line}", if at == last { ' ' } else { '-' });
        lines.iter().enumerate().map(one).collect::<Vec<String>>().join("\r\n")
    }

    /// A server without tact: it repeats what it does not take.
    async fn let_in(
        &mut self,
        said: &str,
        line: &mut Line<impl AsyncRead + AsyncWrite + Unpin>,
    ) -> io::Result<String> {
        let Some(Login { user, password, ways }) = self.sink.manners.login else {
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
                    line.say(&format!("334 {}", STANDARD.encode(question))).await?;
                    given.push(line.hear().await?.unwrap_or_default());
                }
                let proof = format!("{} {}", STANDARD.encode(user), STANDARD.encode(password));
                return Ok(self.judge(&given.join(" "), &proof, user));
            }
        };
        Ok(self.judge(&given, &STANDARD.encode(proof), user))
    }

    fn judge(&mut self, given: &str, proof: &str, user: &'static str) -> String {
        if given != proof {
            return format!("535 5.7.8 not with {given}");
        }
        self.user = Some(user);
        "235 2.7.0 welcome".to_owned()
    }

    fn begin(&mut self, said: &str) -> String {
        if self.sink.state(|state| state.busy) {
            return "451 try again later".to_owned();
        }
        if self.sink.manners.login.is_some() && self.user.is_none() {
            return "530 5.7.0 log in first".to_owned();
        }
        let (encrypted, user) = (self.encrypted, self.user);
        self.mail = Mail { from: address(said), encrypted, user, ..Mail::default() };
        "250 ok".to_owned()
    }

    fn address(&mut self, said: &str) -> String {
        let address = address(said);
        if self.sink.state(|state| state.unknown.contains(&address)) {
            return "550 no such mailbox".to_owned();
        }
        self.mail.to.push(address);
        "250 ok".to_owned()
    }

    /// The text of a mail; whether it came to its end.
    async fn read(&mut self, line: &mut Line<impl AsyncRead + AsyncWrite + Unpin>) -> io::Result<bool> {
        while let Some(said) = line.hear().await? {
            if said == "." {
                return Ok(!self.breaks_off_at("."));
            }
            self.mail.data.push_str(&said);
            self.mail.data.push('\n');
        }
        Ok(false)
    }

    fn take(&mut self) -> String {
        let taken = std::mem::take(&mut self.mail);
        self.sink.state(|state| state.mails.push(taken));
        "250 taken".to_owned()
    }
}

fn address(said: &str) -> String {
    said.split(['<', '>']).nth(1).unwrap_or_default().to_owned()
}
