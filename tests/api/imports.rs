//! mod-source-record-manager 3.8.5: import jobs, the records that they work on, and what their logs tell.

mod compared;
mod damaged;
mod fuzz;
mod jobs;
mod log;
mod marc;
mod profiles;
mod refused;
mod rules;
mod running;
mod stopping;
mod undone;

use octavo_engine::Context;
use octavo_import::{Action, Entity, JournalEntry};
use octavo_modules::import::{ChunkResult, Incoming};
use octavo_modules::source_manager::runner::Decide;
use octavo_pg::Statement;
use octavo_testkit::{Library, Reply, fresh_id};
use serde_json::{Value, json};

const JOBS: &str = "/change-manager/jobExecutions";

/// A library with a user who imports.
struct Importing {
    library: Library,
    user: String,
}

impl std::ops::Deref for Importing {
    type Target = Library;

    fn deref(&self) -> &Library {
        &self.library
    }
}

impl Importing {
    /// Opens a library with the table `made`, into which [`INSERT_NUMBERS`] writes.
    async fn open() -> Importing {
        let importing = Importing::from_library(Library::open().await).await;
        importing.script("create table made (id uuid primary key, number text unique)").await;
        importing
    }

    async fn from_library(library: Library) -> Importing {
        let user = json!({"username": "cataloger", "active": true, "personal": {"firstName": "Ada", "lastName": "Byron"}});
        let user = library.post("/users", &user).await.expect(201).json();
        Importing { library, user: user["id"].as_str().unwrap().to_owned() }
    }

    /// Changes the rows of this library's queued jobs. Those of others are left alone: while a row is being changed, nobody claims its job.
    async fn alter_jobs(&self, set: &str) {
        self.script(format!("update octavo.import_jobs set {set} where tenant = '{}'", self.tenant)).await;
    }

    async fn create_jobs(&self, files: &[&str], more: Value) -> Value {
        let files: Vec<Value> = files.iter().map(|name| json!({"name": name})).collect();
        let mut body = json!({"files": files, "sourceType": "FILES", "userId": self.user});
        body.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
        self.post(JOBS, &body).await.expect(201).json()
    }

    /// A job for one file, with a profile that creates instances.
    async fn job(&self) -> String {
        let mut job = self.create_jobs(&["books.mrc"], json!({})).await["jobExecutions"][0].clone();
        job["jobProfileInfo"] =
            json!({"id": fresh_id(), "name": "Books", "dataType": "MARC", "hidden": false});
        job["jobProfileSnapshotWrapper"] = job_profile();
        let id = job["id"].as_str().unwrap().to_owned();
        self.put(&format!("{JOBS}/{id}"), &job).await.expect(200);
        id
    }

    async fn read_job(&self, job: &str) -> Value {
        self.get(&format!("{JOBS}/{job}")).await.expect(200).json()
    }

    async fn send_chunk(&self, job: &str, chunk: &Value) -> Reply {
        self.post(&format!("{JOBS}/{job}/records"), chunk).await
    }

    async fn journal_records(&self, job: &str) -> Vec<Value> {
        let path = format!("/metadata-provider/journalRecords/{job}?sortBy=source_record_order");
        self.get(&path).await.expect(200).json()["journalRecords"].as_array().unwrap().clone()
    }

    async fn log_entries(&self, job: &str, query: &str) -> Vec<Value> {
        let path = format!("/metadata-provider/jobLogEntries/{job}?{query}");
        self.get(&path).await.expect(200).json()["entries"].as_array().unwrap().clone()
    }

    /// Uploads a file and has it imported by a job profile; the id of the job.
    async fn upload_and_import(&self, name: &str, file: &[u8], profile: &str) -> String {
        const UPLOADS: &str = "/data-import/uploadDefinitions";
        let wanted = json!({"fileDefinitions": [{"name": name, "size": file.len() / 1024}]});
        let client = self.acting_as(self.user.parse().unwrap());
        let made = client.post(UPLOADS, &wanted).await.expect(201).json();
        let path = format!("{UPLOADS}/{}", made["id"].as_str().unwrap());
        let place = format!("{path}/files/{}", made["fileDefinitions"][0]["id"].as_str().unwrap());
        let sender = client.with("content-type", "application/octet-stream");
        let definition = sender.send("POST", &place, file.to_vec()).await.expect(200).json();
        let info = json!({"id": profile, "name": "Test", "dataType": "MARC"});
        let body = json!({"uploadDefinition": definition, "jobProfileInfo": info});
        client.post(&format!("{path}/processFiles"), &body).await.expect(204);
        self.run_imports().await;
        let folder = self.octavo.platform.settings.uploads.tenant_folder(&self.tenant).join("files");
        for kept in std::fs::read_dir(folder).unwrap() {
            std::fs::remove_file(kept.unwrap().path()).unwrap();
        }
        definition["fileDefinitions"][0]["jobExecutionId"].as_str().unwrap().to_owned()
    }

    /// All pages of a list.
    async fn all_pages(&self, path: &str, collection: &str) -> Vec<Value> {
        const PAGE: usize = 1000;
        let mut all = Vec::new();
        loop {
            let page =
                self.get(&format!("{path}&limit={PAGE}&offset={}", all.len())).await.expect(200).json();
            let page = page[collection].as_array().unwrap();
            all.extend(page.iter().cloned());
            if page.len() < PAGE {
                return all;
            }
        }
    }

    /// The numbers that [`INSERT_NUMBERS`] has inserted, in order.
    async fn made_numbers(&self) -> Vec<String> {
        let context = self.context().await;
        let mut session = context.session().await.unwrap();
        session.read(Statement::new("select number from made order by length(number), number")).await.unwrap()
    }
}

fn job_profile() -> Value {
    let mapping =
        json!({"contentType": "MAPPING_PROFILE", "content": {"incomingRecordType": "MARC_BIBLIOGRAPHIC"}});
    let action = json!({
        "contentType": "ACTION_PROFILE",
        "content": {"action": "CREATE", "folioRecord": "INSTANCE"},
        "childSnapshotWrappers": [mapping],
    });
    json!({"id": fresh_id(), "contentType": "JOB_PROFILE", "content": {"name": "Books"}, "childSnapshotWrappers": [action]})
}

fn record(number: &str) -> String {
    json!({"leader": "00000nam a2200000   4500", "fields": [
        {"001": number},
        {"245": {"ind1": "0", "ind2": "0", "subfields": [{"a": format!("Title {number}")}]}},
    ]})
    .to_string()
}

/// A chunk of MARC-in-JSON.
fn chunk(records: &[String], counter: usize, total: usize, last: bool) -> Value {
    let records: Vec<Value> = records.iter().map(|record| json!({"record": record})).collect();
    json!({
        "id": fresh_id(),
        "initialRecords": records,
        "recordsMetadata": {"last": last, "counter": counter, "total": total, "contentType": "MARC_JSON"},
    })
}

/// Inserts each record's number into the table `made`, whose numbers are unique, and panics at the number `panic`.
const INSERT_NUMBERS: Decide =
    |context, _, _, records| Box::pin(async move { Ok(insert_numbers(context, records)) });

fn insert_numbers(context: &Context, records: &[Incoming]) -> ChunkResult {
    let mut written = ChunkResult::default();
    for record in records {
        let read = record.parsed.as_ref().expect("a record that was read");
        let number = read.control_field("001").unwrap_or_default().to_owned();
        assert!(number != "panic", "a mistake in the mapping");
        let id = context.fresh_id();
        let insert = Statement::new("insert into made (id, number) values ($1, $2)").uuid(id).text(number);
        written.statements.push(insert);
        let title = read.values("245", 'a').next().map(str::to_owned);
        for (entity, entity_id) in [(Entity::Instance, id), (Entity::MarcBibliographic, record.id)] {
            written.journal.push(JournalEntry {
                entity_id: Some(entity_id),
                entity_hrid: (entity == Entity::Instance).then(|| "in1".to_owned()),
                title: title.clone(),
                ..JournalEntry::new(record.id, record.order, entity, Action::Create)
            });
        }
    }
    written
}
