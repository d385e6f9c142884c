//! The settings of a mail server, from mod-email's `smtp-configuration` record.

use serde_json::Value;

#[derive(Clone, PartialEq, Eq)]
pub struct MailServer {
    pub host: String,
    pub port: u16,
    pub encryption: Encryption,
    /// `trustAll`: neither certificate nor host name is checked; for the library's own servers with self-signed certificates.
    pub trusts_any_certificate: bool,
    pub login: Login,
    /// `authMethods`: names of mechanisms (PLAIN, LOGIN); none means any.
    pub ways_to_log_in: Vec<String>,
    pub username: String,
    pub password: String,
    pub from: Option<String>,
    /// Names and values that every mail gets.
    pub headers: Vec<(String, String)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encryption {
    Nothing,
    /// STARTTLS if the server offers it, else no encryption.
    StartTlsIfOffered,
    /// STARTTLS; if the server does not offer it, no e-mail is sent.
    StartTlsRequired,
    /// TLS from the beginning of the connection.
    ImplicitTls,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Login {
    Never,
    /// Log in if the settings have a user name and the server offers it.
    Optional,
    /// A log-in is necessary; if the server does not offer it, no e-mail is sent.
    Required,
    OAuth,
}

/// Whether a header's name has only letters, digits and hyphens, which all servers accept.
pub fn is_header_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

impl MailServer {
    /// `None` where the record names no server that could be reached.
    pub fn read(record: &Value) -> Option<MailServer> {
        let text = |name: &str| record[name].as_str().map(str::trim).filter(|text| !text.is_empty());
        let encryption = match (record["ssl"] == true, text("startTlsOptions")) {
            (true, _) => Encryption::ImplicitTls,
            (false, Some("DISABLED")) => Encryption::Nothing,
            (false, Some("REQUIRED")) => Encryption::StartTlsRequired,
            (false, _) => Encryption::StartTlsIfOffered,
        };
        let login = match text("loginOption") {
            Some("DISABLED") => Login::Never,
            Some("REQUIRED") => Login::Required,
            Some("XOAUTH2") => Login::OAuth,
            _ => Login::Optional,
        };
        let ways = text("authMethods").unwrap_or_default().split([' ', ',', ';']);
        // Records of the first release may hold what is refused now.
        let headers = record["emailHeaders"].as_array().into_iter().flatten();
        let header = |header: &Value| {
            let part =
                |name: &str| header[name].as_str().map(str::to_owned).filter(|text| !text.trim().is_empty());
            let name = part("name").filter(|name| is_header_name(name))?;
            Some((name, part("value").filter(|value| !value.contains(char::is_control))?))
        };
        Some(MailServer {
            host: text("host")?.to_owned(),
            port: u16::try_from(record["port"].as_i64()?).ok()?,
            encryption,
            trusts_any_certificate: record["trustAll"] == true,
            login,
            ways_to_log_in: ways.filter(|way| !way.is_empty()).map(str::to_owned).collect(),
            username: text("username").unwrap_or_default().to_owned(),
            password: record["password"].as_str().unwrap_or_default().to_owned(),
            from: text("from").map(str::to_owned),
            headers: headers.filter_map(header).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_record_says_how_the_server_is_reached() {
        let read = |more: Value| {
            let mut record = json!({"host": "mail.library", "port": 587, "username": "u", "password": "p"});
            if let (Some(record), Some(more)) = (record.as_object_mut(), more.as_object()) {
                record.extend(more.clone());
            }
            MailServer::read(&record).map(|server| (server.encryption, server.login))
        };
        for (more, expected) in [
            (json!({}), Some((Encryption::StartTlsIfOffered, Login::Optional))),
            (json!({"ssl": true}), Some((Encryption::ImplicitTls, Login::Optional))),
            (
                json!({"startTlsOptions": "REQUIRED", "loginOption": "XOAUTH2"}),
                Some((Encryption::StartTlsRequired, Login::OAuth)),
            ),
            (
                json!({"startTlsOptions": "DISABLED", "loginOption": "DISABLED"}),
                Some((Encryption::Nothing, Login::Never)),
            ),
            (json!({"port": 70000}), None),
            (json!({"host": " "}), None),
        ] {
            assert_eq!(read(more.clone()), expected, "{more}");
        }
    }
}
