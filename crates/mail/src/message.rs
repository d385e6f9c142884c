//! An e-mail in the form in which it is sent (RFC 5322, MIME). Text from records can never begin a header line of its own.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use lettre::Message;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Attachment as Part, Mailbox, MultiPart, SinglePart};
use serde_json::Value;

use crate::{MailServer, Refused};

/// The parts of an e-mail, as mod-email's records hold them.
#[derive(Debug, Clone)]
pub struct Mail<'a> {
    /// Stays the same over all attempts, so that a server that got it twice can tell.
    pub message_id: &'a str,
    pub from: Option<&'a str>,
    /// One address, or several with commas between.
    pub to: &'a str,
    pub subject: &'a str,
    pub body: &'a str,
    pub is_html: bool,
    pub attachments: Vec<Attachment<'a>>,
}

#[derive(Debug, Clone)]
pub struct Attachment<'a> {
    pub content_type: &'a str,
    pub name: &'a str,
    pub data: &'a str,
    /// The Content-ID of a picture in the text: `<name>`.
    pub content_id: Option<&'a str>,
}

impl<'a> Attachment<'a> {
    pub fn read(record: &'a Value) -> Option<Attachment<'a>> {
        let text = |name: &str| record[name].as_str();
        Some(Attachment {
            content_type: text("contentType").unwrap_or("application/octet-stream"),
            name: text("name").unwrap_or("attachment"),
            data: text("data")?,
            content_id: text("contentId").map(|id| id.trim_matches(['<', '>'])),
        })
    }

    fn part(&self) -> Result<SinglePart, Refused> {
        let kind = ContentType::parse(&one_line(self.content_type));
        let kind =
            kind.map_err(|_| Refused::for_good(format!("{} is no content type", self.content_type)))?;
        let data = STANDARD.decode(self.data.trim());
        let data =
            data.map_err(|_| Refused::for_good(format!("the attachment {} is not base64", self.name)))?;
        let name = one_line(self.name).into_owned();
        let part = match self.content_id {
            Some(id) => Part::new_inline_with_name(one_line(id).into_owned(), name),
            None => Part::new(name),
        };
        Ok(part.body(data, kind))
    }
}

impl Mail<'_> {
    pub(crate) fn compose(&self, server: &MailServer) -> Result<Message, Refused> {
        let from = self.from.filter(|from| !from.trim().is_empty()).or(server.from.as_deref());
        // No sender is a mistake of the settings, which somebody will mend.
        let from = from.ok_or_else(|| Refused::for_now("the SMTP configuration names no sender (from)"))?;
        let from = mailbox(from).map_err(|refused| Refused { for_good: false, ..refused })?;
        let mut builder = Message::builder()
            .from(from)
            .subject(one_line(self.subject))
            .message_id(Some(format!("<{}@octavo>", one_line(self.message_id))));
        let mut addresses = self.to.split(',').filter(|address| !address.trim().is_empty()).peekable();
        if addresses.peek().is_none() {
            return Err(Refused::for_good("no address to send it to"));
        }
        for address in addresses {
            builder = builder.to(mailbox(address)?);
        }
        for (name, value) in &server.headers {
            let name = HeaderName::new_from_ascii(name.clone());
            let name = name.map_err(|_| {
                Refused::for_now("the SMTP configuration has an e-mail header without a valid name")
            })?;
            builder = builder.raw_header(HeaderValue::new(name, one_line(value).into_owned()));
        }
        let text = match self.is_html {
            true => SinglePart::html(self.body.to_owned()),
            false => SinglePart::plain(self.body.to_owned()),
        };
        let message = if self.attachments.is_empty() {
            builder.singlepart(text)
        } else {
            let mut parts = MultiPart::related().singlepart(text);
            for attachment in &self.attachments {
                parts = parts.singlepart(attachment.part()?);
            }
            builder.multipart(parts)
        };
        message.map_err(|error| Refused::for_good(error.to_string()))
    }
}

/// A text without line breaks and other signs that nobody sees.
fn one_line(text: &str) -> Cow<'_, str> {
    match text.contains(char::is_control) {
        true => text.replace(char::is_control, " ").into(),
        false => text.into(),
    }
}

fn mailbox(address: &str) -> Result<Mailbox, Refused> {
    let address = one_line(address.trim());
    address.parse().map_err(|_| Refused::for_good(format!("{address} is no e-mail address")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn server() -> MailServer {
        let record = json!({"host": "mail.library", "port": 25, "from": "Library <desk@library.example>",
            "emailHeaders": [{"name": "Reply-To", "value": "noreply@library.example"}]});
        MailServer::read(&record).unwrap()
    }

    fn mail<'a>(to: &'a str, body: &'a str) -> Mail<'a> {
        Mail {
            message_id: "1",
            from: None,
            to,
            subject: "Fällig",
            body,
            is_html: true,
            attachments: Vec::new(),
        }
    }

    #[test]
    fn a_mail_has_what_the_settings_add() {
        let text =
            String::from_utf8(mail("ada@example.com", "<p>Ä</p>").compose(&server()).unwrap().formatted())
                .unwrap();
        for line in [
            "From: Library <desk@library.example>\r\n",
            "To: ada@example.com\r\n",
            "Subject: =?utf-8?b?RsOkbGxpZw==?=\r\n",
            "Reply-To: noreply@library.example\r\n",
            "Message-ID: <1@octavo>\r\n",
            "Content-Type: text/html; charset=utf-8\r\n",
        ] {
            assert!(text.contains(line), "{line} is not in {text}");
        }
    }

    #[test]
    fn pictures_travel_with_the_text_that_shows_them() {
        let picture = json!({"contentType": "image/png", "name": "barcode_1", "data": "iVBO", "contentId": "<barcode_1>"});
        let mut mail = mail("ada@example.com", "<img src='cid:barcode_1'>");
        mail.attachments = vec![Attachment::read(&picture).unwrap()];
        let text = String::from_utf8(mail.compose(&server()).unwrap().formatted()).unwrap();
        assert!(text.contains("multipart/related"), "{text}");
        assert!(text.contains("Content-ID: <barcode_1>"), "{text}");
    }

    #[test]
    fn no_data_begins_a_line_of_the_head() {
        let evil = |text: &str| format!("{text}\r\nBcc: everybody@example.com\r\n\r\n<p>and a body</p>");
        let (subject, id, name) = (evil("Due"), evil("1"), evil("logo"));
        let from = evil("Library <desk@library.example>");
        let attachment = json!({"contentType": "image/png", "name": name, "data": "iVBO", "contentId": name});
        let bare = json!({"name": name, "data": "iVBO"});
        let mut server = server();
        server.headers = vec![("X-Library".to_owned(), evil("Main"))];
        let mail = Mail {
            message_id: &id,
            subject: &subject,
            attachments: [&attachment, &bare].into_iter().filter_map(Attachment::read).collect(),
            ..mail("ada@example.com", "x")
        };
        let text = String::from_utf8(mail.compose(&server).unwrap().formatted()).unwrap();
        let begins = |start: &str| text.lines().filter(|line| line.starts_with(start)).count();
        assert_eq!((begins("Bcc"), begins("<p>and"), begins("Subject")), (0, 0, 1), "{text}");
        for refused in [
            Mail { to: &evil("ada@example.com"), ..mail.clone() },
            Mail { from: Some(&from), ..mail.clone() },
            Mail {
                attachments: vec![Attachment {
                    content_type: &evil("image/png"),
                    ..mail.attachments[0].clone()
                }],
                ..mail.clone()
            },
        ] {
            match refused.compose(&server) {
                Err(_) => {}
                Ok(message) => {
                    let text = String::from_utf8(message.formatted()).unwrap();
                    assert!(!text.contains("\nBcc") && !text.contains("\n<p>"), "{text}");
                }
            }
        }
    }

    #[test]
    fn what_cannot_be_sent_is_refused_for_good_and_what_settings_lack_for_now() {
        for (to, why) in [("", "no address to send it to"), ("nobody", "nobody is no e-mail address")] {
            assert_eq!(mail(to, "x").compose(&server()).unwrap_err(), Refused::for_good(why));
        }
        let silent = MailServer { from: None, ..server() };
        assert!(!mail("ada@example.com", "x").compose(&silent).unwrap_err().for_good);
    }
}
