//! mod-data-import 3.1.1: the upload of files for an import. An upload definition names files; each is sent in one request, or in parts to
//! signed addresses, and is kept in a folder for some days. `source_manager` imports the files.

mod cleaning;
mod definitions;
mod extensions;
pub(crate) mod jobs;
mod parts;
mod process;
mod sending;
pub(crate) mod signed;
pub(crate) mod space;
pub(crate) mod store;

use octavo_engine::migrations::Migration;
use octavo_engine::{Call, Module, ProcessSettings, calls};

use definitions::UPLOAD;
use extensions::EXTENSION;

pub static MODULE: Module = Module {
    name: "mod-data-import",
    records: &[&EXTENSION],
    hidden_records: &[&UPLOAD],
    calls: CALLS,
    script: include_str!("data_import/tenant.sql"),
    migrations: &[Migration {
        number: 43,
        name: "jobs of uploaded files",
        sql: include_str!("../../migrations/43_jobs_of_uploaded_files.sql"),
    }],
    // A signed address needs no token.
    allows_no_token: true,
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Get UPLOAD.path => definitions::list;
    Post UPLOAD.path => definitions::create;
    Get "/data-import/uploadDefinitions/{uploadDefinitionId}" => definitions::get;
    Put "/data-import/uploadDefinitions/{uploadDefinitionId}" => definitions::replace;
    Delete "/data-import/uploadDefinitions/{uploadDefinitionId}" => definitions::delete;
    Post "/data-import/uploadDefinitions/{uploadDefinitionId}/files" => definitions::add_file;
    Post "/data-import/uploadDefinitions/{uploadDefinitionId}/files/{fileId}" => sending::receive, streamed(max_upload_bytes), for_many_records;
    Delete "/data-import/uploadDefinitions/{uploadDefinitionId}/files/{fileId}" => definitions::remove_file;
    Post "/data-import/uploadDefinitions/{uploadDefinitionId}/files/{fileId}/assembleStorageFile" => parts::assemble, for_many_records;
    Post "/data-import/uploadDefinitions/{uploadDefinitionId}/processFiles" => process::begin;
    Get "/data-import/uploadUrl" => parts::first;
    Get "/data-import/uploadUrl/subsequent" => parts::subsequent;
    Put signed::PART => parts::receive, streamed(max_upload_bytes), for_many_records;
    Get signed::FILE => sending::send;
    Get "/data-import/jobExecutions/{id}/downloadUrl" => process::download;
    Delete "/data-import/jobExecutions/{jobExecutionId}/cancel" => process::cancel;
    Post EXTENSION.path => extensions::create;
    Get "/data-import/fileExtensions/{id}" => extensions::get;
    Put "/data-import/fileExtensions/{id}" => extensions::replace;
    Post "/data-import/fileExtensions/restore/default" => extensions::restore;
    Get "/data-import/dataTypes" => |_| extensions::data_types();
    Get "/data-import/splitStatus" => |_| process::split_status();
    Post "/octavo/uploads/timer" => cleaning::clean;
};

/// The most bytes of a file that is sent in one request, or of a part of a file.
fn max_upload_bytes(settings: &ProcessSettings) -> u64 {
    settings.uploads.file_bytes
}

octavo_pg::statements!(within = [definitions, extensions, jobs, process]);
