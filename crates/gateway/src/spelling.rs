//! Spells the header `ETag` as S3 does; hyper would write `Etag`. Programs that upload parts of files read this header, and some compare its
//! name with upper and lower case.

use std::convert::Infallible;
use std::sync::OnceLock;

use hyper::body::Incoming;
use hyper::http::Extensions;
use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncWriteExt, duplex};

static ETAG_SPELLING: OnceLock<Extensions> = OnceLock::new();

/// Learns the spelling. hyper keeps the spelling of names of a request that it has read, and has no other way to set it: so it reads one here.
pub(crate) async fn learn_spelling() {
    let (mut client, server) = duplex(1024);
    let keep = service_fn(async |request: Request<Incoming>| {
        ETAG_SPELLING.get_or_init(|| request.extensions().clone());
        Ok::<_, Infallible>(Response::new(String::new()))
    });
    let served = Builder::new().preserve_header_case(true).serve_connection(TokioIo::new(server), keep);
    let sent = client.write_all(b"GET / HTTP/1.0\r\nETag: 1\r\n\r\n");
    let (sent, served) = tokio::join!(sent, served);
    if sent.is_err() || served.is_err() {
        tracing::warn!("the header ETag is written as Etag");
    }
}

/// Lets the names of an answer be written as clients know them.
pub(crate) fn spell_etag<B>(reply: &mut Response<B>) {
    if reply.headers().contains_key("etag")
        && let Some(spelled) = ETAG_SPELLING.get()
    {
        reply.extensions_mut().extend(spelled.clone());
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;

    #[tokio::test]
    async fn an_answer_has_the_header_as_s3_writes_it() {
        learn_spelling().await;
        let (mut client, server) = duplex(1024);
        let answer = service_fn(async |_: Request<Incoming>| {
            let mut reply = Response::new(String::new());
            reply.headers_mut().insert("etag", "1".parse().unwrap());
            reply.headers_mut().insert("x-other", "2".parse().unwrap());
            spell_etag(&mut reply);
            Ok::<_, Infallible>(reply)
        });
        client.write_all(b"GET / HTTP/1.0\r\n\r\n").await.unwrap();
        let mut http = Builder::new();
        http.title_case_headers(true);
        http.serve_connection(TokioIo::new(server), answer).await.unwrap();
        let mut told = String::new();
        client.read_to_string(&mut told).await.unwrap();
        assert!(told.contains("\r\nETag: 1\r\n") && told.contains("\r\nX-Other: 2\r\n"), "{told}");
    }
}
