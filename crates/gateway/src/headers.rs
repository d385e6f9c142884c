//! Tenant and token as a client states them, by Okapi's rules.

use hyper::HeaderMap;
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::operator::SUPERTENANT;
use octavo_modules_base::tokens;

pub(crate) fn header_text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

#[derive(Debug, Default, PartialEq)]
pub(crate) struct Credentials {
    pub(crate) tenant: Option<String>,
    pub(crate) token: Option<String>,
}

impl Credentials {
    pub(crate) fn from_headers(headers: &HeaderMap) -> Outcome<Credentials> {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
        let bearer = text("authorization").map(|value| {
            let prefix = value.get(..7).filter(|prefix| prefix.eq_ignore_ascii_case("bearer "));
            prefix.map_or(value, |prefix| &value[prefix.len()..]).trim()
        });
        let cookies = cookies(headers, "folioAccessToken");
        let differing = || {
            Fault::bad_request("Different tokens in Authentication and X-Okapi-Token. Use only one of them")
        };
        if cookies.len() > 1 {
            return Err(differing());
        }
        let mut tokens = [text("x-okapi-token"), bearer, cookies.first().map(String::as_str)]
            .into_iter()
            .flatten()
            .filter(|token| !token.is_empty());
        let token = tokens.next().map(str::to_owned);
        if tokens.any(|other| Some(other) != token.as_deref()) {
            return Err(differing());
        }
        Ok(Credentials { tenant: text("x-okapi-tenant").map(str::to_owned), token })
    }

    /// The tenant: from the header, else from the token, else Okapi's own tenant (supertenant).
    pub(crate) fn tenant(&self) -> Outcome<String> {
        match (&self.tenant, &self.token) {
            (Some(tenant), _) => Ok(tenant.clone()),
            (None, Some(token)) => tokens::unverified_tenant(token)
                .ok_or_else(|| Fault::bad_request(format!("Invalid Token: {}", unreadable_reason(token)))),
            (None, None) => Ok(SUPERTENANT.to_owned()),
        }
    }
}

/// Why Okapi cannot read a token's payload. It decodes with the alphabet that has `+` and `/`.
fn unreadable_reason(token: &str) -> String {
    let mut parts = token.splitn(3, '.');
    let (Some(_), Some(payload), Some(_)) = (parts.next(), parts.next(), parts.next()) else {
        return "Missing . separator for token".to_owned();
    };
    if let Some(sign) = payload.bytes().find(|byte| !byte.is_ascii_alphanumeric() && !b"+/=".contains(byte)) {
        return format!("Illegal base64 character {sign:x}");
    }
    let text = tokens::payload(token).unwrap_or_default();
    let word: String = text.trim_start().chars().take_while(|letter| letter.is_alphanumeric()).collect();
    format!(
        "Failed to decode:Unrecognized token '{word}': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')"
    )
}

pub(crate) fn cookies(headers: &HeaderMap, name: &str) -> Vec<String> {
    headers
        .get_all("cookie")
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(|(key, _)| *key == name)
        .map(|(_, value)| value.trim_matches('"').to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&'static str, &str)]) -> Outcome<Credentials> {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, value.parse().unwrap());
        }
        Credentials::from_headers(&headers)
    }

    #[test]
    fn a_token_may_come_three_ways_but_not_as_two() {
        for pairs in [
            &[("x-okapi-token", "t")][..],
            &[("authorization", "Bearer t")],
            &[("authorization", "t")],
            &[("cookie", "a=b; folioAccessToken=t")],
            &[("x-okapi-token", "t"), ("authorization", "bearer t"), ("cookie", "folioAccessToken=t")],
        ] {
            assert_eq!(read(pairs).unwrap().token.as_deref(), Some("t"), "{pairs:?}");
        }
        for pairs in [
            &[("x-okapi-token", "t"), ("authorization", "Bearer u")][..],
            &[("x-okapi-token", "t"), ("cookie", "folioAccessToken=u")],
            &[("cookie", "folioAccessToken=t; folioAccessToken=t")],
        ] {
            assert_eq!(read(pairs).unwrap_err().status, 400, "{pairs:?}");
        }
    }

    #[test]
    fn without_a_word_the_tenant_is_okapis_own() {
        assert_eq!(read(&[]).unwrap().tenant().unwrap(), "supertenant");
        assert_eq!(read(&[("x-okapi-tenant", "diku")]).unwrap().tenant().unwrap(), "diku");
        for (token, why) in [
            ("rubbish", "Missing . separator for token"),
            ("a.b_c.d", "Illegal base64 character 5f"),
            ("a.bm9uZQ.c", "Failed to decode:Unrecognized token 'none': was expecting (JSON String, Number,"),
        ] {
            let fault = read(&[("x-okapi-token", token)]).unwrap().tenant().unwrap_err();
            let said = fault.body.render();
            assert!(fault.status == 400 && said.starts_with(&format!("Invalid Token: {why}")), "{said}");
        }
    }
}
