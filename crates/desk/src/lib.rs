//! The desk, the staff interface of `ui/`, as it travels inside the program: a path goes in, a file comes out with what a
//! browser may do with it. Knows no connection, no tenant, and nothing of what the pages do.

use std::borrow::Cow;

use rust_embed::{EmbeddedFile, RustEmbed};

/// The path under which the gateway serves the desk.
pub const ROOT: &str = "/desk";

/// What `npm run build` has left. Text stands there twice, the second time compressed, under its name and `.br`.
#[derive(RustEmbed)]
#[folder = "../../ui/dist"]
#[allow_missing = true]
struct Built;

#[derive(Debug)]
pub struct File {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: Cow<'static, [u8]>,
}

/// Scripts, styles and data come from here alone; nothing is framed, and no form is sent past the scripts.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; \
    frame-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><title>The desk is not in this program</title>\
    <h1>The desk is not in this program</h1><p>It was built without it. <code>make run</code> builds both; so do \
    <code>npm ci</code> and <code>npm run build</code> in the folder <code>ui</code>, and then <code>cargo build</code>.";

/// What is at a path below [`ROOT`]. Paths that name no file are pages of the application, which reads them itself.
pub fn find_file(path: &str, accepts_brotli: bool, known: Option<&str>) -> File {
    let path = path.trim_start_matches('/');
    if let Some(file) = Built::get(path) {
        return file_response(path, file, accepts_brotli, known);
    }
    if path.starts_with("assets/") {
        let headers =
            vec![("content-type", "text/plain".to_owned()), ("cache-control", "no-store".to_owned())];
        return File { status: 404, headers, body: Cow::Borrowed(b"Not found") };
    }
    match Built::get(INDEX) {
        Some(index) => file_response(INDEX, index, accepts_brotli, known),
        None => {
            File { status: 503, headers: page_headers("no-store"), body: Cow::Borrowed(NOT_BUILT.as_bytes()) }
        }
    }
}

const INDEX: &str = "index.html";

fn file_response(path: &str, file: EmbeddedFile, accepts_brotli: bool, known: Option<&str>) -> File {
    let etag = etag(&file.metadata.sha256_hash());
    // Names of assets hold a hash of what is in them, so that they never change.
    let caching =
        if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let mut headers = match media_type(path) {
        HTML => page_headers(caching),
        other => vec![
            ("content-type", other.to_owned()),
            ("cache-control", caching.to_owned()),
            ("x-content-type-options", "nosniff".to_owned()),
        ],
    };
    headers.push(("vary", "accept-encoding".to_owned()));
    let unchanged = known.is_some_and(|known| known.split(',').any(|one| one.trim() == etag));
    headers.push(("etag", etag));
    if unchanged {
        return File { status: 304, headers, body: Cow::Borrowed(b"") };
    }
    let compressed = accepts_brotli.then(|| Built::get(&format!("{path}.br"))).flatten();
    if compressed.is_some() {
        headers.push(("content-encoding", "br".to_owned()));
    }
    File { status: 200, headers, body: compressed.unwrap_or(file).data }
}

fn page_headers(caching: &str) -> Vec<(&'static str, String)> {
    [
        ("content-type", HTML),
        ("cache-control", caching),
        ("content-security-policy", CONTENT_SECURITY_POLICY),
        ("cross-origin-opener-policy", "same-origin"),
        ("referrer-policy", "no-referrer"),
        ("x-content-type-options", "nosniff"),
        ("permissions-policy", "camera=(self), geolocation=(), microphone=()"),
    ]
    .map(|(name, value)| (name, value.to_owned()))
    .into()
}

/// Weak: the same file goes out compressed and as it is.
fn etag(hash: &[u8; 32]) -> String {
    let digits: String = hash.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    format!("W/\"{digits}\"")
}

const HTML: &str = "text/html; charset=utf-8";

fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => HTML,
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json" | "webmanifest") => "application/json",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header<'a>(file: &'a File, name: &str) -> Option<&'a str> {
        file.headers.iter().find(|(own, _)| *own == name).map(|(_, value)| value.as_str())
    }

    #[test]
    fn every_page_is_told_to_run_nothing_from_elsewhere() {
        for path in ["", "/", "/check-out", "/patrons/7b0389b3-c821-5e32-be86-c70c2dcbe6ce"] {
            let page = find_file(path, false, None);
            assert_eq!(header(&page, "content-type"), Some(HTML), "{path}");
            assert!(
                header(&page, "content-security-policy").unwrap().starts_with("default-src 'none'"),
                "{path}"
            );
        }
    }

    #[test]
    fn an_asset_of_another_build_is_missing_rather_than_a_page() {
        assert_eq!(find_file("/assets/index-of-yesterday.js", true, None).status, 404);
    }

    #[test]
    fn what_the_browser_has_is_not_sent_again() {
        let page = find_file("/", false, None);
        // Without a built desk there is no version to compare.
        let Some(etag) = header(&page, "etag") else { return assert_eq!(page.status, 503) };
        let again = find_file("/check-in", false, Some(&format!("\"other\", {etag}")));
        assert_eq!((again.status, again.body.len()), (304, 0));
    }
}
