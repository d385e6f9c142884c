//! Pictures of users: PNG and JPEG, encrypted with the tenant's key, so that a copy of the database shows no faces.
//!
//! Whether pictures are allowed comes first: where they are not, the answer is 400, so that nothing a client sends to a library
//! without pictures is a fault of the server. A picture of the wrong size or kind is 500, as in mod-users.

use aes_gcm::aead::{Aead, KeyInit};
use aes_gcm::aes::Aes192;
use aes_gcm::aes::cipher::consts::U12;
use aes_gcm::{Aes128Gcm, Aes256Gcm, AesGcm};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use jiff::{SignedDuration, Timestamp};
use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Kind, Outcome, folio_time};
use octavo_pg::{Session, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::picture_settings;

const MEGABYTE: f64 = 1024.0 * 1024.0;
/// The most bytes of a picture, whatever the configuration allows.
const MAX_PICTURE_BYTES: usize = 10 * 1024 * 1024;

/// How long a picture is kept that no user has: its user may not be saved yet.
const KEPT_UNLINKED: SignedDuration = SignedDuration::from_hours(24);

const TOO_LARGE: &str =
    "Requested file size should be within allowed size updated in profile_picture configuration";
const ENCRYPTING: &str = "Error encrypting profile picture data";
const WRONG_KEY: &str = "Data integrity check failed, POST and GET must use an identical key";

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let blob = encrypt_body(&request, &mut session).await?;
    let id = request.context.fresh_id();
    session.rows(Statement::new(STORE).uuid(id).text(blob)).await?;
    Ok(Response::json(201, &json!({"id": id})))
}

pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let blob = encrypt_body(&request, &mut session).await?;
    let missing = || Fault::not_found_with("Existing profile picture is not found");
    let id = Uuid::parse_str(request.path_parameter(0)).map_err(|_| missing())?;
    let rows = session.rows(Statement::new(REPLACE).uuid(id).text(blob)).await?;
    if rows.is_empty() {
        return Err(missing());
    }
    Ok(Response::json(200, &json!({"id": id})))
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let settings = settings_if_enabled(&request, &mut session).await?;
    let path = request.path_parameter(0);
    let missing = || Fault::not_found_with(format!("No profile picture found for id {path}"));
    let id = Uuid::parse_str(path).map_err(|_| missing())?;
    let blob: Option<Option<String>> = session.read(Statement::new(BLOB).uuid(id)).await?;
    let blob = blob.flatten().ok_or_else(missing)?;
    drop(session);
    let key = settings["encryptionKey"].as_str().unwrap_or_default().to_owned();
    let picture =
        run_blocking(move || Some(BASE64.encode(decrypt_picture(&key, &BASE64.decode(blob).ok()?)?))).await?;
    let picture = picture.ok_or_else(|| Fault::bad_request(WRONG_KEY))?;
    Ok(Response::json(200, &json!({"id": id, "profile_picture_blob": picture})))
}

pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    settings_if_enabled(&request, &mut session).await?;
    let missing = || Fault::not_found_with("Profile picture not found");
    let id = Uuid::parse_str(request.path_parameter(0)).map_err(|_| missing())?;
    let rows = session.rows(Statement::new(REMOVE).uuid(id)).await?;
    if rows.is_empty() { Err(missing()) } else { Ok(Response::no_content()) }
}

/// A timer's call: removes pictures that no user has.
pub(super) async fn clean_up(request: Request) -> Outcome<Response> {
    let before = request.context.now.checked_sub(KEPT_UNLINKED).unwrap_or(Timestamp::MIN);
    let mut session = request.context.session().await?;
    session.rows(Statement::new(REMOVE_UNLINKED).text(folio_time(before))).await?;
    Ok(Response { status: 200, ..Response::no_content() })
}

/// Checks the body and encrypts it.
async fn encrypt_body(request: &Request, session: &mut Session) -> Outcome<String> {
    let settings = settings_if_enabled(request, session).await?;
    let picture = &request.body;
    let too_large =
        settings["maxFileSize"].as_f64().is_some_and(|most| picture.len() as f64 > most * MEGABYTE);
    if picture.is_empty() || picture.len() >= MAX_PICTURE_BYTES || too_large {
        return Err(Fault::new(Kind::Failed, TOO_LARGE));
    }
    if picture.len() < 12 {
        let why = "failed to save profile picture Insufficient data provided to detect file type";
        return Err(Fault::new(Kind::Failed, why));
    }
    let (jpeg, png): (&[u8], &[u8]) = (&[0xFF, 0xD8, 0xFF, 0xE0], b"\x89PNG");
    if !picture.starts_with(jpeg) && !picture.starts_with(png) {
        return Err(Fault::new(Kind::Failed, "Requested image should be of supported type-[PNG,JPG,JPEG]"));
    }
    let Some(key) = settings["encryptionKey"].as_str().map(str::to_owned) else {
        return Err(Fault::new(Kind::Failed, "Encryption key is null"));
    };
    let picture = picture.to_vec();
    let secret = (request.context.platform.entropy.secret)();
    let sealed =
        run_blocking(move || Some(BASE64.encode(encrypt_picture(&key, &secret[..12], &picture)?))).await?;
    let sealed = sealed.ok_or_else(|| Fault::new(Kind::Failed, ENCRYPTING))?;
    Ok(json!({"blob": sealed, "uploadedDate": request.context.now_text()}).to_string())
}

/// The tenant's settings, if they allow pictures.
async fn settings_if_enabled(request: &Request, session: &mut Session) -> Outcome<Value> {
    let settings = picture_settings::entry(session).await?;
    match settings.filter(|settings| settings["enabled"] == true) {
        Some(settings) => Ok(settings),
        None => {
            let tenant = &request.context.tenant.id;
            Err(Fault::bad_request(format!("Profile picture feature is not enabled for tenant {tenant}")))
        }
    }
}

/// Runs long work on a thread that answers no requests.
async fn run_blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Outcome<T> {
    tokio::task::spawn_blocking(work).await.map_err(Fault::internal)
}

/// The nonce, then what was encrypted with its tag.
fn encrypt_picture(key: &str, nonce: &[u8], picture: &[u8]) -> Option<Vec<u8>> {
    let sealed = (Cipher::from_key(key)?.seal)(key.as_bytes(), nonce, picture)?;
    Some([nonce, sealed.as_slice()].concat())
}

fn decrypt_picture(key: &str, sealed: &[u8]) -> Option<Vec<u8>> {
    let (nonce, sealed) = sealed.split_at_checked(12)?;
    (Cipher::from_key(key)?.open)(key.as_bytes(), nonce, sealed)
}

/// Key, nonce, data.
type CipherFn = fn(&[u8], &[u8], &[u8]) -> Option<Vec<u8>>;

/// AES-GCM for the length of a key.
struct Cipher {
    seal: CipherFn,
    open: CipherFn,
}

impl Cipher {
    fn from_key(key: &str) -> Option<Cipher> {
        match key.len() {
            16 => Some(Cipher::new::<Aes128Gcm>()),
            24 => Some(Cipher::new::<AesGcm<Aes192, U12>>()),
            32 => Some(Cipher::new::<Aes256Gcm>()),
            _ => None,
        }
    }

    fn new<C: Aead + KeyInit>() -> Cipher {
        Cipher {
            seal: |key, nonce, data| C::new_from_slice(key).ok()?.encrypt(nonce.try_into().ok()?, data).ok(),
            open: |key, nonce, data| C::new_from_slice(key).ok()?.decrypt(nonce.try_into().ok()?, data).ok(),
        }
    }
}

const REPLACE: &str = "\
update profile_picture
set doc = $2::text::json
where id = $1
returning 1";
const BLOB: &str = "select doc ->> 'blob' from profile_picture where id = $1";

const STORE: &str = "insert into profile_picture (id, doc) values ($1, $2::text::json)";

const REMOVE: &str = "delete from profile_picture where id = $1 returning 1";

const REMOVE_UNLINKED: &str = "\
delete from profile_picture p
where coalesce(p.doc ->> 'uploadedDate', '') < $1
  and not exists (select from users u where lower(u.doc #>> '{personal,profilePictureLink}') = p.id::text)";

octavo_pg::statements!(other = [REPLACE, BLOB, STORE, REMOVE, REMOVE_UNLINKED]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_comes_back_with_its_key_only() {
        let nonce = [7; 12];
        for key in ["k".repeat(16), "k".repeat(24), "k".repeat(32)] {
            let secret = encrypt_picture(&key, &nonce, b"a face").unwrap();
            assert!(!secret.windows(6).any(|part| part == b"a face"));
            assert_eq!(decrypt_picture(&key, &secret).as_deref(), Some(b"a face".as_slice()));
            assert_eq!(decrypt_picture(&"l".repeat(key.len()), &secret), None);
            assert_eq!(decrypt_picture("123", &secret), None);
            let mut changed = secret.clone();
            changed[15] ^= 1;
            assert_eq!(decrypt_picture(&key, &changed), None);
        }
        assert_eq!(encrypt_picture("anotherKey", &nonce, b"a face"), None, "no key of AES");
    }
}
