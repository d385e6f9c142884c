//! mod-oai-pmh 3.13.2: the library's records for harvesters, by the Open Archives Initiative's protocol 2.0.
//!
//! A table of one narrow row for each instance (`tenant.sql`) says when anything that is shown of it changed last; triggers keep it. A
//! page is read from there in the order of time and id, so every page costs the same, and a token needs to hold no more than the last
//! place. Facts: mod-oai-pmh 3.13.2 and edge-oai-pmh 2.9.2.

mod arguments;
mod copies;
mod dates;
mod dublin_core;
mod edge;
mod envelope;
mod errors;
mod fields;
mod generate;
mod harvest;
mod harvests;
mod names;
mod page;
mod published;
mod record;
mod repository;
mod sets;
mod settings;
mod token;

use octavo_engine::migrations::Migration;
use octavo_engine::{Call, Module, Request, Response, calls};
use octavo_kernel::Outcome;

pub use published::{Published, published};

use arguments::Verb;
use envelope::Envelope;
use errors::Code;
use settings::Settings;

pub static MODULE: Module = Module {
    name: "mod-oai-pmh",
    records: &[&sets::SET],
    calls: CALLS,
    script: include_str!("oai_pmh/tenant.sql"),
    migrations: &[
        Migration {
            number: 26,
            name: "harvests",
            sql: concat!(
                include_str!("../../migrations/26_harvests.sql"),
                include_str!("oai_pmh/tenant.sql"),
                ";\n",
                include_str!("oai_pmh/earlier.sql")
            ),
        },
        Migration {
            number: 42,
            name: "harvests without loans",
            sql: include_str!("../../migrations/42_harvests_without_loans.sql"),
        },
    ],
    edges: &[edge::EDGE],
    enabled: Some(|context| Box::pin(settings::install(context))),
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Get "/oai/records" => answer, late;
    Post "/oai-pmh/sets" => sets::create;
    Put "/oai-pmh/sets/{id}" => sets::replace;
    Get "/oai-pmh/filtering-conditions" => sets::conditions;
    Get "/oai/request-metadata" => harvests::list, late;
    Get "/oai/request-metadata/{requestId}/failed-to-save-instances" => harvests::none;
    Get "/oai/request-metadata/{requestId}/failed-instances" => harvests::failed;
    Get "/oai/request-metadata/{requestId}/skipped-instances" => harvests::none;
    Get "/oai/request-metadata/{requestId}/suppressed-from-discovery-instances" => harvests::none;
    Post "/oai-pmh/clean-up-instances" => harvests::clean_instances;
    Post "/oai-pmh/clean-up-error-logs" => harvests::clean;
};

async fn answer(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let settings = Settings::of(&*context.snapshot().await?);
    let (verb, arguments, mut errors) = arguments::read(&request.query);
    let envelope = Envelope {
        settings: &settings,
        verb,
        arguments: &arguments,
        now: context.now,
        answered: context.now,
    };
    if !settings.enabled {
        return Ok(envelope.refuse(&[Code::ServiceUnavailable.says("OAI-PMH service is disabled")]));
    }
    let resumed = match harvest::resumed(&request, &envelope) {
        Ok(resumed) => resumed,
        Err(wrong) => {
            errors.push(wrong);
            None
        }
    };
    let (Some(verb), true) = (verb, errors.is_empty()) else { return Ok(envelope.refuse(&errors)) };
    match verb {
        Verb::Identify => Ok(repository::identify(&envelope, context.tenant.id.as_str())),
        Verb::ListSets if resumed.is_some() => {
            let message = "The value of the resumptionToken argument is invalid";
            Ok(envelope.refuse(&[Code::BadResumptionToken.says(message)]))
        }
        Verb::ListSets => Ok(repository::sets(&envelope)),
        Verb::ListMetadataFormats => match arguments.get("identifier") {
            None => Ok(repository::formats(&envelope)),
            Some(identifier) => Ok(match harvest::one(&request, &envelope, identifier).await? {
                Ok(_) => repository::formats(&envelope),
                Err(wrong) => envelope.refuse(&[wrong]),
            }),
        },
        Verb::GetRecord => harvest::get(&request, &envelope).await,
        Verb::ListIdentifiers | Verb::ListRecords => match harvest::asked(&request, &envelope, resumed) {
            Ok(asked) => harvest::list(&request, &envelope, asked).await,
            Err(errors) => Ok(envelope.refuse(&errors)),
        },
    }
}

octavo_pg::statements!(within = [harvests, page, published, settings]);
