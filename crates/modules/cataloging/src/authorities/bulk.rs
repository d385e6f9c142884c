//! `POST /authority-storage/authorities/bulk`: creates or replaces the authorities of a file, which has one on each line. The file was
//! uploaded for data import; FOLIO reads it from an S3 bucket.

use octavo_engine::{IfStored, Request, Response, create_many};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Session;
use serde_json::{Value, json};
use tokio::fs::File;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, BufReader};

use super::{AUTHORITY, notify_outbox};
use crate::data_import::signed::{self, SignedTarget};
use crate::data_import::space::ReservedFile;
use crate::data_import::store::Store;
use crate::parts::Parts;
use crate::words::fault_message;

const REQUEST: &str = include_str!("../../../folio/records/mod-entities-links/authorityBulkRequest.tsv");

/// The most authorities of one transaction, and the number of bytes after which no more are added to it.
const BATCH_RECORDS: usize = 500;
const BATCH_BYTES: usize = 4 << 20;
/// The most bytes of a line.
const MAX_LINE_BYTES: u64 = 4 << 20;

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let body = request.checked_json(REQUEST)?;
    let key = body["recordsFileName"].as_str().unwrap_or_default().trim_start_matches('/');
    let context = &request.context;
    let store = Store::from_context(context);
    let unknown = |_| Fault::bad_request(format!("There is no uploaded file '{key}'"));
    let file = File::open(store.file(key)).await.map_err(unknown)?;
    let mut errors = Errors { store: &store, key, count: 0, files: None };
    let written = write_lines(&request, file, &mut errors).await;
    notify_outbox(context);
    let count = errors.count;
    let finished = match written {
        Ok(()) => errors.finish().await,
        Err(fault) => Err(fault),
    };
    if let Err(fault) = finished {
        if count > 0 {
            for suffix in [FAILED_RECORDS_SUFFIX, REASONS_SUFFIX] {
                store.remove(&format!("{key}{suffix}")).await?;
            }
        }
        return Err(fault);
    }
    let mut told = json!({"errorsNumber": count});
    if count > 0 {
        for (name, address, suffix) in [
            ("errorRecordsFileName", "errorRecordsUrl", FAILED_RECORDS_SUFFIX),
            ("errorsFileName", "errorsUrl", REASONS_SUFFIX),
        ] {
            let key = format!("{key}{suffix}");
            told[address] = json!(signed::address(&request, &SignedTarget::File { key: key.clone() }).await?);
            told[name] = json!(key);
        }
    }
    Ok(Response::json(200, &told))
}

/// Creates or replaces the authorities of all lines.
async fn write_lines(request: &Request, file: File, errors: &mut Errors<'_>) -> Outcome<()> {
    let mut lines = BufReader::new(file);
    let mut session = request.context.session().await?;
    loop {
        let batch = read_batch(&mut lines).await?;
        if batch.is_empty() {
            return Ok(());
        }
        write_batch(request, &mut session, batch, errors).await?;
    }
}

/// The next lines that are not empty.
async fn read_batch(lines: &mut (impl AsyncBufRead + Unpin)) -> Outcome<Vec<String>> {
    let (mut all, mut bytes) = (Vec::new(), 0);
    while all.len() < BATCH_RECORDS && bytes < BATCH_BYTES {
        let mut line = Vec::new();
        let read =
            (&mut *lines).take(MAX_LINE_BYTES).read_until(b'\n', &mut line).await.map_err(Fault::internal)?;
        if read == 0 {
            break;
        }
        if line.len() as u64 == MAX_LINE_BYTES && line.last() != Some(&b'\n') {
            let message = format!(
                "The file has a line of more than {MAX_LINE_BYTES} bytes; it is to have an authority on each line"
            );
            return Err(Fault::bad_request(message));
        }
        let line = String::from_utf8_lossy(&line).trim().to_owned();
        if !line.is_empty() {
            bytes += line.len();
            all.push(line);
        }
    }
    Ok(all)
}

/// Writes the authorities of the lines. If the database refuses them together, each half is tried by itself.
async fn write_batch(
    request: &Request,
    session: &mut Session,
    lines: Vec<String>,
    errors: &mut Errors<'_>,
) -> Outcome<()> {
    let mut authorities = Vec::with_capacity(lines.len());
    for line in lines {
        match serde_json::from_str::<Value>(&line) {
            Ok(authority) if authority.is_object() => authorities.push((line, authority)),
            Ok(_) => errors.add(&line, &Value::Null, "The line is no JSON object").await?,
            Err(error) => errors.add(&line, &Value::Null, &format!("The line is no JSON: {error}")).await?,
        }
    }
    let mut parts = Parts::from_count(authorities.len());
    while let Some(part) = parts.next() {
        let bodies = authorities[part.clone()].iter().map(|(_, authority)| authority.clone()).collect();
        let written = create_many(&request.context, session, &AUTHORITY, bodies, IfStored::Replace).await;
        let Err(fault) = written else { continue };
        session.rollback().await?;
        if fault.status >= 500 {
            return Err(fault);
        }
        if !parts.split_refused(part.clone()) {
            for (line, authority) in &authorities[part] {
                errors.add(line, authority, &fault_message(&fault.body)).await?;
            }
        }
    }
    Ok(())
}

const FAILED_RECORDS_SUFFIX: &str = "_failedEntities";
const REASONS_SUFFIX: &str = "_errors";

/// The result files for authorities that could not be written: the lines in one file, ids and reasons in another.
struct Errors<'a> {
    store: &'a Store,
    key: &'a str,
    count: u64,
    files: Option<[ReservedFile; 2]>,
}

impl Errors<'_> {
    async fn add(&mut self, line: &str, authority: &Value, reason: &str) -> Outcome<()> {
        self.count += 1;
        let id = authority["id"].as_str().unwrap_or("null");
        let reason = format!("{id},{}\n", reason.replace(['\n', '\r'], " "));
        let line = format!("{line}\n");
        let mut files = match self.files.take() {
            Some(files) => files,
            None => [self.create_file(FAILED_RECORDS_SUFFIX).await?, self.create_file(REASONS_SUFFIX).await?],
        };
        for (file, text) in files.iter_mut().zip([line, reason]) {
            file.write(text.as_bytes()).await?;
        }
        self.files = Some(files);
        Ok(())
    }

    async fn create_file(&self, suffix: &str) -> Outcome<ReservedFile> {
        self.store.create(&format!("{}{suffix}", self.key)).await
    }

    async fn finish(self) -> Outcome<()> {
        for file in self.files.into_iter().flatten() {
            file.finish().await?;
        }
        Ok(())
    }
}
