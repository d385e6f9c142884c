//! Hides passwords in what is shown. Where in doubt it hides more.

const MASK: &str = "***";

/// A connection's address without its passwords: `user:password@` of a URL, `password=` of either form. What has
/// neither form is hidden whole.
pub(crate) fn mask_passwords(raw: &str) -> String {
    if !raw.contains("://") && !raw.contains('=') {
        return MASK.into();
    }
    without_parameters(&without_user_part(raw))
}

/// A URL without the text from the first colon after the scheme to the last `@`, where a password may stand.
fn without_user_part(raw: &str) -> String {
    let user = raw.find("://").map_or(raw.len(), |at| at + 3);
    let colon = raw[user..].find(':').map(|at| user + at);
    match (colon, raw.rfind('@')) {
        (Some(colon), Some(at)) if colon < at => format!("{}:{MASK}{}", &raw[..colon], &raw[at..]),
        _ => raw.into(),
    }
}

/// Values of `password=`, `sslpassword=` and of `password = '...'`.
fn without_parameters(raw: &str) -> String {
    const KEY: &str = "password";
    let mut shown = String::new();
    let mut rest = raw;
    while let Some(at) = rest.to_ascii_lowercase().find(KEY) {
        let (before, after) = rest.split_at(at + KEY.len());
        shown.push_str(before);
        rest = after;
        let Some(value) = after.trim_start().strip_prefix('=') else { continue };
        shown.push('=');
        shown.push_str(MASK);
        rest = &value[value_end(value)..];
    }
    shown.push_str(rest);
    shown
}

fn value_end(value: &str) -> usize {
    let spaces = value.len() - value.trim_start().len();
    let value = &value[spaces..];
    let quoted = value.starts_with('\'');
    let mut escaped = false;
    let end = value.char_indices().skip(usize::from(quoted)).find(|(_, c)| {
        let over = !escaped && if quoted { *c == '\'' } else { c.is_whitespace() || *c == '&' };
        escaped = !escaped && *c == '\\';
        over
    });
    spaces + end.map_or(value.len(), |(at, _)| at + usize::from(quoted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_hidden_and_the_rest_is_shown() {
        for (raw, shown) in [
            ("postgresql://octavo@db/octavo", "postgresql://octavo@db/octavo"),
            ("postgresql://db:5432/octavo", "postgresql://db:5432/octavo"),
            ("postgresql://octavo:s3cret@db:5432/octavo", "postgresql://octavo:***@db:5432/octavo"),
            ("postgresql://octavo:s3/c@r?et@db/octavo", "postgresql://octavo:***@db/octavo"),
            (
                "postgres://db/o?user=u&password=s3cret&sslmode=require",
                "postgres://db/o?user=u&password=***&sslmode=require",
            ),
            ("host=db password=s3cret user=u", "host=db password=*** user=u"),
            ("host=db PassWord = 's3 \\' cret' user=u", "host=db PassWord=*** user=u"),
            ("host=db sslpassword=s3cret", "host=db sslpassword=***"),
            ("host=db user=password", "host=db user=password"),
            ("s3cret", "***"),
        ] {
            assert_eq!(mask_passwords(raw), shown);
        }
    }
}
