//! The search fields of mod-search, and how each is searched here.

use super::copies::Copies;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Target {
    /// Words in an instance, or in one part of it.
    Words(Option<&'static str>),
    /// Identifiers without regard to hyphens; an ISBN is found by its other form, too.
    Identifier,
    Value(&'static str),
    Listed(&'static str),
    /// A field that is false where it is absent.
    Flag(&'static str),
    /// Instances by their holdings or items, which are looked up first.
    Copies(Copies),
}

pub(super) fn target(name: &str) -> Option<Target> {
    NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, target)| *target)
}

const NAMES: &[(&str, Target)] = &[
    ("keyword", Target::Words(None)),
    ("cql.all", Target::Words(None)),
    ("cql.allInstances", Target::Words(None)),
    ("cql.serverChoice", Target::Words(None)),
    ("title", Target::Words(Some("titles"))),
    ("alternativeTitles.alternativeTitle", Target::Words(Some("titles"))),
    ("indexTitle", Target::Words(Some("titles"))),
    ("series", Target::Words(Some("titles"))),
    ("contributors", Target::Words(Some("contributorNames"))),
    ("contributors.name", Target::Words(Some("contributorNames"))),
    ("subjects", Target::Words(Some("subjectHeadings"))),
    ("subjects.value", Target::Words(Some("subjectHeadings"))),
    ("isbn", Target::Identifier),
    ("issn", Target::Identifier),
    ("oclc", Target::Identifier),
    ("lccn", Target::Identifier),
    ("identifiers.value", Target::Identifier),
    ("id", Target::Value("id")),
    ("hrid", Target::Value("hrid")),
    ("source", Target::Value("source")),
    ("statusId", Target::Value("statusId")),
    ("instanceTypeId", Target::Value("instanceTypeId")),
    ("modeOfIssuanceId", Target::Value("modeOfIssuanceId")),
    ("metadata.createdDate", Target::Value("metadata.createdDate")),
    ("metadata.updatedDate", Target::Value("metadata.updatedDate")),
    ("items.effectiveLocationId", Target::Value("item.effectiveLocationId")),
    ("item.effectiveLocationId", Target::Value("item.effectiveLocationId")),
    ("items.materialTypeId", Target::Value("item.materialTypeId")),
    ("item.materialTypeId", Target::Value("item.materialTypeId")),
    ("items.status.name", Target::Value("item.status.name")),
    ("item.status.name", Target::Value("item.status.name")),
    ("holdings.permanentLocationId", Target::Value("holdingsRecords.permanentLocationId")),
    ("holdings.holdingsTypeId", Target::Value("holdingsRecords.holdingsTypeId")),
    ("holdings.sourceId", Target::Value("holdingsRecords.sourceId")),
    ("languages", Target::Listed("languages")),
    ("instanceFormatIds", Target::Listed("instanceFormatIds")),
    ("natureOfContentTermIds", Target::Listed("natureOfContentTermIds")),
    ("statisticalCodeIds", Target::Listed("statisticalCodeIds")),
    ("instanceTags", Target::Listed("tags.tagList")),
    ("staffSuppress", Target::Flag("staffSuppress")),
    ("discoverySuppress", Target::Flag("discoverySuppress")),
    ("barcode", Target::Copies(Copies::Barcode)),
    ("items.barcode", Target::Copies(Copies::Barcode)),
    ("item.barcode", Target::Copies(Copies::Barcode)),
    ("items.id", Target::Copies(Copies::ItemId)),
    ("item.id", Target::Copies(Copies::ItemId)),
    ("holdings.id", Target::Copies(Copies::HoldingsId)),
    ("items.hrid", Target::Copies(Copies::ItemHrid)),
    ("item.hrid", Target::Copies(Copies::ItemHrid)),
    ("holdings.hrid", Target::Copies(Copies::HoldingsHrid)),
    ("callNumber", Target::Copies(Copies::CallNumber)),
    ("itemFullCallNumbers", Target::Copies(Copies::CallNumber)),
    ("items.fullCallNumber", Target::Copies(Copies::CallNumber)),
    ("items.effectiveCallNumberComponents", Target::Copies(Copies::CallNumber)),
    ("items.effectiveCallNumberComponents.callNumber", Target::Copies(Copies::CallNumber)),
    ("holdingsFullCallNumbers", Target::Copies(Copies::CallNumber)),
    ("holdings.fullCallNumber", Target::Copies(Copies::CallNumber)),
    ("itemNormalizedCallNumbers", Target::Copies(Copies::BareCallNumber)),
    ("holdingsNormalizedCallNumbers", Target::Copies(Copies::BareCallNumber)),
];
