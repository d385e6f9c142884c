//! A module outside of the process that answers at once, called directly and through the server.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::rc::Rc;

use anyhow::Result;
use octavo_lab::http::{Address, Authorities};
use octavo_lab::load::Session;
use octavo_lab::statistics::{Latencies, Spread};
use octavo_lab::table::Page;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{Size, change_modules};
use crate::bench::call::Call;
use crate::bench::library::TENANT;

const ID: &str = "mod-hello-1.0.0";
const PATH: &str = "/hello";
const CALLS: u32 = 1000;
const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 5\r\n\r\nhello";

pub(super) async fn measure(
    size: Size,
    operator: &mut Session,
    staff: &Session,
    page: &mut Page,
) -> Result<()> {
    let url = format!("http://{}", start_module()?);
    let handler = json!({"methods": ["GET"], "pathPattern": PATH, "permissionsRequired": []});
    let provided = json!({"id": "hello", "version": "1.0", "handlers": [handler]});
    let descriptor = json!({"id": ID, "name": "hello", "provides": [provided], "requires": []});
    let instance = json!({"srvcId": ID, "instId": "hello-1", "url": url});
    operator.ask("POST", "/_/proxy/modules", &descriptor.to_string(), 201).await?;
    operator.ask("POST", "/_/discovery/modules", &instance.to_string(), 201).await?;
    change_modules(operator, TENANT, "enable", &[ID]).await?;

    let address = Rc::new(Address::parse(&url, &Authorities::default())?);
    let mut users = [staff.at_address(&address), staff.with_new_connection()];
    let mut halves = [Vec::new(), Vec::new()];
    for _ in 0..=size.rounds {
        for (halves, user) in halves.iter_mut().zip(&mut users) {
            halves.push(measure_calls(user).await?.percentiles().p50 * 1000.0);
        }
    }
    let [direct, passed] = halves.map(|halves| halves[1..].to_vec());
    let added = Spread::from_rounds(passed.iter().zip(&direct).map(|(passed, direct)| passed - direct));
    page.add_text(format!(
        "A call of a module outside of the process, one after the other: p50 {} µs directly, {} µs through the server, which adds {} µs.",
        Spread::from_rounds(direct).with_range(0),
        Spread::from_rounds(passed).with_range(0),
        added.with_range(0),
    ));
    Ok(())
}

async fn measure_calls(user: &mut Session) -> Result<Latencies> {
    let mut times = Latencies::default();
    for _ in 0..CALLS {
        times.push(Call::get(PATH).send(user, 200).await?.time.as_micros());
    }
    Ok(times)
}

/// The module, on a thread of its own.
fn start_module() -> Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    std::thread::spawn(move || runtime.block_on(serve(listener)));
    Ok(address)
}

async fn serve(listener: TcpListener) -> Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    loop {
        let (stream, _) = listener.accept().await?;
        tokio::spawn(answer_requests(stream));
    }
}

/// Answers whatever ends with an empty line.
async fn answer_requests(mut stream: TcpStream) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut asked = Vec::with_capacity(4096);
    while stream.read_buf(&mut asked).await? > 0 {
        if asked.ends_with(b"\r\n\r\n") {
            asked.clear();
            stream.write_all(ANSWER).await?;
        }
    }
    Ok(())
}
