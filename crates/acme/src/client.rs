//! How the ACME library calls the authority.

use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::{Request, Response};
use instant_acme::{BodyWrapper, BytesResponse, Error, HttpClient};
use octavo_remote::{Address, Progress, RemoteClient, full_body};

/// How long the authority may take.
const CALL_TIMEOUT: Duration = Duration::from_secs(30);
/// The most bytes of an answer.
const MAX_ANSWER_BYTES: usize = 256 << 10;

#[derive(Clone, Default)]
pub(crate) struct AcmeHttpClient {
    remote: RemoteClient,
}

impl HttpClient for AcmeHttpClient {
    fn request(
        &self,
        request: Request<BodyWrapper<Bytes>>,
    ) -> Pin<Box<dyn Future<Output = Result<BytesResponse, Error>> + Send>> {
        let calls = self.clone();
        Box::pin(async move { calls.call(request).await.map_err(|why| Error::Other(why.into())) })
    }
}

impl AcmeHttpClient {
    async fn call(&self, request: Request<BodyWrapper<Bytes>>) -> Result<BytesResponse, String> {
        let (mut head, body) = request.into_parts();
        let uri = head.uri.clone();
        let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return Err(format!("{uri} is no address"));
        };
        let address = Address::parse(&format!("{scheme}://{authority}"))?;
        let path = uri.path_and_query().map_or("/", |path| path.as_str());
        head.uri = path.parse().map_err(|_| format!("{uri} is no address"))?;
        let body = body.collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
        let request = Request::from_parts(head, full_body(body));
        let sent = self.remote.send(&[address], request, CALL_TIMEOUT, &Progress::default()).await;
        let (answer, _) = sent.map_err(|failure| failure.to_string())?;
        let answered = answer.read_to_end(MAX_ANSWER_BYTES).await.map_err(|failure| failure.to_string())?;
        let mut response = Response::new(Full::new(Bytes::from(answered.body)));
        *response.status_mut() = answered.status.try_into().map_err(|_| "the status is none".to_owned())?;
        *response.headers_mut() = answered.headers;
        Ok(BytesResponse::from(response))
    }
}
