use crate::fields::{Fields, instance_name};
use crate::records::{authority_fields, contributor_fields, instance_fields, subject_fields};

fn field_names<'a>(fields: &'a Fields, numbers: &[usize]) -> Vec<&'a str> {
    numbers.iter().map(|&number| fields.list()[number].name).collect()
}

#[test]
fn an_alias_leads_to_all_fields_that_share_it_and_hides_the_field_of_its_name() {
    let fields = instance_fields();
    for (name, searched) in [
        ("title", &["title", "alternativeTitles.alternativeTitle", "indexTitle", "series.value"][..]),
        ("indexTitle", &["indexTitle"]),
        ("series", &["series.value"]),
        ("contributors", &["contributors.name"]),
        (
            "authorityId",
            &[
                "alternativeTitles.authorityId",
                "series.authorityId",
                "contributors.authorityId",
                "subjects.authorityId",
            ],
        ),
        ("items.notes.note", &["items.notes.note", "items.circulationNotes.note"]),
        ("items.circulationNotes.note", &["items.circulationNotes.note"]),
        ("items.effectiveCallNumberComponents", &["itemFullCallNumbers"]),
        ("items.effectiveShelvingOrder", &["itemEffectiveShelvingOrder"]),
        ("holdings.normalizedCallNumbers", &["holdingsNormalizedCallNumbers"]),
        ("cql.all", &["allInstances", "allItems", "allHoldings"]),
        ("cql.allItems", &["allItems"]),
        ("isbn", &["isbn"]),
        ("publication", &[]),
        ("item.notes.note", &[]),
    ] {
        assert_eq!(field_names(fields, &fields.fields_searched_by(name)), searched, "{name}");
    }
    assert_eq!(authority_fields().by_alias("keyword").len(), 31);
}

#[test]
fn a_name_of_an_item_may_begin_with_the_singular() {
    for (asked, declared) in [
        ("item.barcode", "items.barcode"),
        ("items.barcode", "items.barcode"),
        ("item.item.barcode", "items.items.barcode"),
        ("itemTags", "itemTags"),
        ("holdings.item.barcode", "holdings.item.barcode"),
    ] {
        assert_eq!(instance_name(asked), declared);
    }
}

#[test]
fn a_sort_goes_by_a_field_made_for_it_if_there_is_one() {
    for (fields, name, by) in [
        (instance_fields(), "title", &["sort_title"][..]),
        (instance_fields(), "contributors", &["sort_contributors"]),
        (instance_fields(), "sort_title", &["sort_title"]),
        (instance_fields(), "items.status.name", &["items.status.name", "sort_title"]),
        (authority_fields(), "headingRef", &["headingRef"]),
        (authority_fields(), "headingType", &["headingType", "headingRef"]),
        (authority_fields(), "authRefType", &["authRefType", "headingRef"]),
    ] {
        let sort = fields.sort_fields(name).unwrap_or_default();
        assert_eq!(field_names(fields, &sort), by, "{name}");
    }
    for name in ["indexTitle", "keyword", "languages", "unknown"] {
        assert_eq!(instance_fields().sort_fields(name), None, "{name}");
    }
}

#[test]
fn a_facet_counts_only_fields_that_are_declared_to_have_one() {
    let facet =
        |fields: &'static Fields, name| fields.facet_field(name).map(|number| fields.list()[number].name);
    assert_eq!(facet(instance_fields(), "items.status.name"), Some("items.status.name"));
    assert_eq!(facet(instance_fields(), "instanceTags"), Some("instanceTags"));
    assert_eq!(facet(instance_fields(), "title"), None);
    assert_eq!(facet(instance_fields(), "metadata.createdDate"), None);
    assert_eq!(facet(authority_fields(), "sourceFileId"), Some("sourceFileId"));
    assert_eq!(facet(contributor_fields(), "contributorNameTypeId"), Some("contributorNameTypeId"));
    assert_eq!(facet(subject_fields(), "instances.shared"), Some("instances.shared"));
    assert_eq!(instance_fields().list().iter().filter(|field| field.facet).count(), 30);
}
