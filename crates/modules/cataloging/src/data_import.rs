//! mod-data-import 3.1.1: files on their way to an import. An upload definition names files; each is sent in one request, or in parts to
//! signed addresses, and is kept in a folder until the import is over. The import itself is `source_manager`'s.

mod cleaning;
mod definitions;
mod extensions;
pub(crate) mod jobs;
mod parts;
mod process;
mod sending;
pub(crate) mod signed;
pub(crate) mod store;

use octavo_engine::{Call, Module, Started, calls};

use definitions::UPLOAD;
use extensions::EXTENSION;

pub static MODULE: Module = Module {
    name: "mod-data-import",
    records: &[&EXTENSION],
    hidden: &[&UPLOAD],
    calls: CALLS,
    // Whoever has a signed address needs no token.
    for_strangers: true,
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Get UPLOAD.path => definitions::list;
    Post UPLOAD.path => definitions::create;
    Get "/data-import/uploadDefinitions/{uploadDefinitionId}" => definitions::get;
    Put "/data-import/uploadDefinitions/{uploadDefinitionId}" => definitions::replace;
    Delete "/data-import/uploadDefinitions/{uploadDefinitionId}" => definitions::delete;
    Post "/data-import/uploadDefinitions/{uploadDefinitionId}/files" => definitions::add_file;
    Post "/data-import/uploadDefinitions/{uploadDefinitionId}/files/{fileId}" => sending::receive, streamed(most), many;
    Delete "/data-import/uploadDefinitions/{uploadDefinitionId}/files/{fileId}" => definitions::remove_file;
    Post "/data-import/uploadDefinitions/{uploadDefinitionId}/files/{fileId}/assembleStorageFile" => parts::assemble, many;
    Post "/data-import/uploadDefinitions/{uploadDefinitionId}/processFiles" => process::begin;
    Get "/data-import/uploadUrl" => parts::first;
    Get "/data-import/uploadUrl/subsequent" => parts::subsequent;
    Put signed::PART => parts::receive, streamed(most), many;
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

/// The most bytes of a file that is sent in one request, or of a part.
fn most(settings: &Started) -> u64 {
    settings.uploads.file_bytes
}

octavo_pg::statements!(within = [definitions, extensions, jobs, process]);
