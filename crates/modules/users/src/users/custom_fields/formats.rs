//! Formats of texts: e-mail addresses, numbers, addresses of web pages, dates. The shapes are those that commons-validator 1.7 takes, of
//! which folio-custom-fields 2.1.0 makes use, but for its list of top-level domains, which ages: any name can be one here.

use std::sync::LazyLock;

use fancy_regex::Regex;
use jiff::civil::Date;

fn matches(expression: &LazyLock<Option<Regex>>, text: &str) -> bool {
    expression.as_ref().is_some_and(|regex| regex.is_match(text).unwrap_or(false))
}

static NUMBER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let space = "[ \\t\\n\\x0B\\f\\r]";
    let whole = "-?[0-9]+";
    let broken = "-?[0-9]*[,|.][0-9]+";
    let spaced = format!("-?[0-9]{{1,3}}(?:{space}[0-9]{{3}})+(?:[,|.][0-9]+)?");
    let with_commas = "-?[0-9]{1,3}(?:,[0-9]{3})+(?:\\.[0-9]+)?";
    Regex::new(&format!("\\A(?:{whole}|{broken}|{spaced}|{with_commas})\\z")).ok()
});

/// `-1`, `0,5`, `1 000.5`, `1,000.5`.
pub(super) fn is_number(text: &str) -> bool {
    matches(&NUMBER, text)
}

/// A day of the calendar, `2026-02-28`.
pub(super) fn is_date(text: &str) -> bool {
    text.len() == 10 && text.parse::<Date>().is_ok_and(|date| date.to_string() == text)
}

const MAILBOX: usize = 64;
const DOMAIN: usize = 253;
const LABEL: usize = 63;

static MAILBOX_WORDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let word = r#"(?:[^\s\p{Cc}()<>@,;:\\".\[\]]+|"(?:\\"|[^"])*")"#;
    Regex::new(&format!(r"\A{word}(?:\.{word})*\z")).ok()
});

pub(super) fn is_email(text: &str) -> bool {
    let Some((mailbox, domain)) = text.trim().rsplit_once('@') else { return false };
    let literal = domain.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    mailbox.len() <= MAILBOX
        && matches(&MAILBOX_WORDS, mailbox)
        && !domain.ends_with('.')
        && match literal {
            Some(address) => is_address(address),
            None => is_domain(domain),
        }
}

fn is_address(text: &str) -> bool {
    text.parse::<std::net::IpAddr>().is_ok()
}

/// Two labels at least, the last of which begins with a letter.
fn is_domain(text: &str) -> bool {
    let labels: Vec<&str> = text.strip_suffix('.').unwrap_or(text).split('.').collect();
    let fits = |label: &&str| {
        let good = label.chars().all(|letter| letter.is_alphanumeric() || letter == '-');
        good && (1..=LABEL).contains(&label.len()) && !label.starts_with('-') && !label.ends_with('-')
    };
    let top = labels.last().filter(|label| label.len() > 1).and_then(|label| label.chars().next());
    text.len() <= DOMAIN
        && labels.len() > 1
        && labels.iter().all(fits)
        && top.is_some_and(char::is_alphabetic)
}

static PATH: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\A(?:/[-A-Za-z0-9_:@&?=+,.!/~*'%$;()]*)?\z").ok());

/// An address of the web, `https://example.org/path?query#part`, whose host is on the Internet.
pub(super) fn is_url(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else { return false };
    let known = ["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
    if !known || rest.chars().any(|letter| letter.is_whitespace() || "\"<>\\^`{|}".contains(letter)) {
        return false;
    }
    let rest = rest.split_once('#').map_or(rest, |(before, _)| before);
    let rest = rest.split_once('?').map_or(rest, |(before, _)| before);
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    is_host(host) && matches(&PATH, path) && !path.contains("//") && !climbs_out(path)
}

fn is_host(text: &str) -> bool {
    if let Some((address, port)) = text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return address.parse::<std::net::Ipv6Addr>().is_ok()
            && (port.is_empty() || port.strip_prefix(':').is_some_and(is_port));
    }
    let (host, port) = text.split_once(':').map_or((text, None), |(host, port)| (host, Some(port)));
    port.is_none_or(is_port) && (is_address(host) || is_domain(host))
}

fn is_port(text: &str) -> bool {
    text.bytes().all(|digit| digit.is_ascii_digit()) && text.parse::<u16>().is_ok()
}

/// Whether `..` leads above the first folder.
fn climbs_out(path: &str) -> bool {
    let mut depth = 0_i32;
    path.split('/').filter(|part| !part.is_empty() && *part != ".").any(|part| {
        depth += if part == ".." { -1 } else { 1 };
        depth < 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(test: fn(&str) -> bool, good: &[&str], bad: &[&str]) {
        for text in good {
            assert!(test(text), "{text} should be taken");
        }
        for text in bad {
            assert!(!test(text), "{text} should be refused");
        }
    }

    #[test]
    fn numbers_are_written_in_many_ways() {
        sorted(
            is_number,
            &["0", "-12", "0,5", ".5", "-1.25", "1 000", "12 000,5", "1,000", "1,000,000.25"],
            &["", "-", "1.", "a", "1 00", "1,00,000.5", "1e3", "+1", "1\n"],
        );
    }

    #[test]
    fn dates_are_days_of_the_calendar() {
        sorted(
            is_date,
            &["2024-02-29", "0001-01-01"],
            &["2023-02-29", "24-1-1", "2024-02-29T00:00", "", "20240229"],
        );
    }

    #[test]
    fn e_mail_addresses_have_a_mailbox_and_a_domain() {
        sorted(
            is_email,
            &[
                "jane@example.org",
                "jane.o'doe+x@mail.example.co",
                "\"jane doe\"@example.org",
                "jane@[127.0.0.1]",
                "jane@bücher.de",
            ],
            &[
                "",
                "jane",
                "jane@",
                "@example.org",
                "jane@localhost",
                "jane..doe@example.org",
                "jane doe@example.org",
                "jane@example.org.",
                "jane@-a.org",
                "jane@example.1",
            ],
        );
        assert!(!is_email(&format!("{}@example.org", "a".repeat(65))));
    }

    #[test]
    fn addresses_of_the_web_begin_with_http() {
        sorted(
            is_url,
            &[
                "http://example.org",
                "HTTPS://www.example.org:8080/a/b?c=d#e",
                "https://user@example.org/",
                "http://127.0.0.1/x",
                "http://[::1]:80/",
            ],
            &[
                "",
                "example.org",
                "ftp://example.org",
                "http://",
                "http://localhost",
                "http://example.org/a b",
                "http://example.org//a",
                "http://example.org/../..",
                "http://example.org:99999",
                "http://example.org/<x>",
            ],
        );
    }
}
