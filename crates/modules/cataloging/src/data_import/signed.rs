//! Signed addresses: whoever has one can use a part of an upload, or a file, for some hours. The signature covers the tenant, so that an
//! address of one library gives access to nothing of another.

use hmac::{Hmac, KeyInit, Mac};
use octavo_engine::{Context, Request};
use octavo_kernel::{Fault, Outcome, hex};
use sha2::Sha256;

pub(super) const PART: &str = "/octavo/uploads/part";
pub(super) const FILE: &str = "/octavo/uploads/file";

/// How many seconds an address is valid.
const LIFE_SECONDS: i64 = 6 * 60 * 60;

/// What an address gives access to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SignedTarget {
    Part { key: String, upload: String, number: i64 },
    File { key: String },
}

impl SignedTarget {
    fn path(&self) -> &'static str {
        match self {
            SignedTarget::Part { .. } => PART,
            SignedTarget::File { .. } => FILE,
        }
    }

    fn query(&self) -> Vec<(&'static str, String)> {
        match self {
            SignedTarget::Part { key, upload, number } => {
                vec![("key", key.clone()), ("uploadId", upload.clone()), ("partNumber", number.to_string())]
            }
            SignedTarget::File { key } => vec![("key", key.clone())],
        }
    }

    /// The part or the file that the query of a request names.
    fn from_query(path: &str, request: &Request) -> Option<SignedTarget> {
        let key = request.query("key")?.to_owned();
        Some(match path {
            PART => SignedTarget::Part {
                key,
                upload: request.query("uploadId")?.to_owned(),
                number: request.query("partNumber")?.parse().ok()?,
            },
            _ => SignedTarget::File { key },
        })
    }

    fn mac(&self, secret: &[u8], tenant: &str, until: i64) -> Hmac<Sha256> {
        let mut texts = vec![self.path().to_owned(), tenant.to_owned(), until.to_string()];
        texts.extend(self.query().into_iter().map(|(_, value)| value));
        signature(secret, &texts)
    }
}

/// Signs the texts. Each is preceded by its length, so that other texts with the same characters have another signature.
#[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
fn signature(secret: &[u8], texts: &[String]) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("HMAC takes keys of any length");
    for text in texts {
        mac.update(&(text.len() as u64).to_be_bytes());
        mac.update(text.as_bytes());
    }
    mac
}

/// The signed address of a part or a file, with the host by which the client of this request reaches the server.
pub(crate) async fn address(request: &Request, target: &SignedTarget) -> Outcome<String> {
    let (context, tenant) = (&request.context, request.context.tenant.id.as_str());
    let now = context.now.as_second();
    let keys = context.platform.token_keys.get().await?;
    let until = now + LIFE_SECONDS;
    let mac = target.mac(keys.signing_secret(now), tenant, until).finalize().into_bytes();
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(target.query());
    query.append_pair("expires", &until.to_string()).append_pair("signature", &hex(&mac));
    let query = query.finish();
    Ok(format!("{}/_/invoke/tenant/{tenant}{}?{query}", request.server_url(), target.path()))
}

/// Checks the signature and the time of the address. Returns what it gives access to, or the error 403.
pub(super) async fn verify(request: &Request, path: &'static str) -> Outcome<SignedTarget> {
    let refused = || Fault::text(403, "The address is not valid, or not any more");
    let target = SignedTarget::from_query(path, request).ok_or_else(refused)?;
    let until: i64 = request.query("expires").and_then(|text| text.parse().ok()).ok_or_else(refused)?;
    let signature = request.query("signature").and_then(bytes_from_hex).ok_or_else(refused)?;
    let context = &request.context;
    let keys = context.platform.token_keys.get().await?;
    let tenant = context.tenant.id.as_str();
    let is_ours = keys
        .accepted_secrets()
        .any(|secret| target.mac(secret, tenant, until).verify_slice(&signature).is_ok());
    if until < context.now.as_second() || !is_ours { Err(refused()) } else { Ok(target) }
}

/// A new id for an upload in parts. It contains a signature of the tenant and the key.
pub(super) async fn upload_id(context: &Context, key: &str) -> Outcome<String> {
    let keys = context.platform.token_keys.get().await?;
    let id = context.fresh_id().simple().to_string();
    let mac = upload_mac(keys.signing_secret(context.now.as_second()), context, key, &id);
    Ok(format!("{id}{}", hex(&mac.finalize().into_bytes())))
}

/// Whether the id of an upload was made for this tenant and key.
pub(super) async fn is_upload(context: &Context, key: &str, upload: &str) -> Outcome<bool> {
    let keys = context.platform.token_keys.get().await?;
    let Some((id, mac)) = upload.split_at_checked(32) else { return Ok(false) };
    let Some(mac) = bytes_from_hex(mac) else { return Ok(false) };
    let is_plain = id.bytes().all(|byte| byte.is_ascii_hexdigit());
    Ok(is_plain
        && keys
            .accepted_secrets()
            .any(|secret| upload_mac(secret, context, key, id).verify_slice(&mac).is_ok()))
}

fn upload_mac(secret: &[u8], context: &Context, key: &str, id: &str) -> Hmac<Sha256> {
    let texts = ["upload", context.tenant.id.as_str(), key, id].map(str::to_owned);
    signature(secret, &texts)
}

fn bytes_from_hex(hex: &str) -> Option<Vec<u8>> {
    let digits = hex.as_bytes().chunks(2);
    (hex.len().is_multiple_of(2) && hex.is_ascii()).then_some(())?;
    digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_of_one_thing_one_tenant_and_one_time() {
        let part = |key: &str, number| SignedTarget::Part { key: key.into(), upload: "u".into(), number };
        let mac = |target: &SignedTarget, tenant, until| {
            hex(&target.mac(b"secret", tenant, until).finalize().into_bytes())
        };
        let one = mac(&part("k", 1), "diku", 10);
        let file = SignedTarget::File { key: "k".into() };
        for (target, tenant, until) in [
            (&part("k", 2), "diku", 10),
            (&part("l", 1), "diku", 10),
            (&part("k", 1), "other", 10),
            (&part("k", 1), "diku", 11),
            (&file, "diku", 10),
        ] {
            assert_ne!(mac(target, tenant, until), one, "{target:?} {tenant} {until}");
        }
        assert_eq!(bytes_from_hex(&one).unwrap().len(), 32);
        assert_eq!(bytes_from_hex("0g"), None);
    }
}
