//! The four kinds of profiles and their differences: their records, FOLIO's words for them, and FOLIO's own profiles, which users may not
//! change.

use octavo_record::{Field, Index, Member, PersonalData, Persons, RecordType};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Job,
    Match,
    Action,
    Mapping,
}

/// The properties of a kind of profile.
pub(super) struct KindProperties {
    pub(super) record: &'static RecordType,
    /// The name of the kind in associations and snapshots.
    pub(super) name: &'static str,
    /// The label in errors about a name or an id that another profile has.
    pub(super) conflict_label: &'static str,
    /// The label in the error 404 of a read.
    pub(super) label: &'static str,
    /// The name in the error 404 of a change or deletion.
    pub(super) class_name: &'static str,
    /// The schema of the request that creates or changes a profile with its relations.
    pub(super) update_schema: &'static str,
    /// The error for the deletion of one of FOLIO's own profiles.
    pub(super) undeletable_message: &'static str,
    /// Ids of FOLIO's own profiles, of which only the tags may be changed.
    pub(super) folio_ids: &'static [&'static str],
    /// Ids of FOLIO's own profiles that may be changed but not deleted.
    pub(super) undeletable_ids: &'static [&'static str],
}

impl Kind {
    /// All kinds, in FOLIO's order.
    pub(super) const ALL: [Kind; 4] = [Kind::Job, Kind::Action, Kind::Match, Kind::Mapping];

    pub(super) fn properties(self) -> &'static KindProperties {
        match self {
            Kind::Job => &JOB_PROPERTIES,
            Kind::Match => &MATCH_PROPERTIES,
            Kind::Action => &ACTION_PROPERTIES,
            Kind::Mapping => &MAPPING_PROPERTIES,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        self.properties().name
    }

    pub(super) fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

static JOB_PROPERTIES: KindProperties = KindProperties {
    record: &JOB,
    name: "JOB_PROFILE",
    conflict_label: "Job profile",
    label: "Job Profile",
    class_name: "JobProfile",
    update_schema: include_str!("../../../folio/records/mod-di-converter-storage/jobProfileUpdateDto.tsv"),
    undeletable_message: "Can`t delete default OCLC Job Profile with",
    folio_ids: &[
        "d0ebb7b0-2f0f-11eb-adc1-0242ac120002",
        "91f9b8d6-d80e-4727-9783-73fb53e3c786",
        "fa0262c7-5816-48d0-b9b3-7b7a862a5bc7",
        "6409dcff-71fa-433a-bc6a-e70ad38a9604",
        "80898dee-449f-44dd-9c8e-37d5eb469b1d",
        "1a338fcd-3efc-4a03-b007-394eeb0d5fb9",
        "cf6f2718-5aa5-482a-bba5-5bc9b75614da",
        "6cb347c6-c0b0-4363-89fc-32cedede87ba",
        "c7fcbc40-c4c0-411d-b569-1fc6bc142a92",
        "6eefa4c6-bbf7-4845-ad82-de7fc4abd0e3",
    ],
    undeletable_ids: &["6eefa4c6-bbf7-4845-ad82-de7fc5abd0e3"],
};

static MATCH_PROPERTIES: KindProperties = KindProperties {
    record: &MATCH,
    name: "MATCH_PROFILE",
    conflict_label: "Match profile",
    label: "Match Profile",
    class_name: "MatchProfile",
    update_schema: include_str!("../../../folio/records/mod-di-converter-storage/matchProfileUpdateDto.tsv"),
    undeletable_message: "Can`t delete default OCLC Match Profile",
    folio_ids: &[
        "d27d71ce-8a1e-44c6-acea-96961b5592c6",
        "31dbb554-0826-48ec-a0a4-3c55293d4dee",
        "4be5d1d2-1f5a-42ff-a9bd-fc90609d94b6",
        "91cec42a-260d-4a8c-a9fb-90d9435ca2f4",
        "2a599369-817f-4fe8-bae2-f3e3987990fe",
        "aff72eae-847c-4a97-b7b9-c1ddb8cdcbbf",
    ],
    undeletable_ids: &[],
};

static ACTION_PROPERTIES: KindProperties = KindProperties {
    record: &ACTION,
    name: "ACTION_PROFILE",
    conflict_label: "Action profile",
    label: "Action Profile",
    class_name: "ActionProfile",
    update_schema: include_str!("../../../folio/records/mod-di-converter-storage/actionProfileUpdateDto.tsv"),
    undeletable_message: "Can`t delete default OCLC Action Profile",
    folio_ids: &[
        "d0ebba8a-2f0f-11eb-adc1-0242ac120002",
        "cddff0e1-233c-47ba-8be5-553c632709d9",
        "6aa8e98b-0d9f-41dd-b26f-15658d07eb52",
        "f8e58651-f651-485d-aead-d2fa8700e2d1",
        "f5feddba-f892-4fad-b702-e4e77f04f9a3",
        "8aa0b850-9182-4005-8435-340b704b2a19",
        "7915c72e-c6af-4962-969d-403c7238b051",
        "7915c72e-c7af-4962-969d-403c7238b051",
        "fabd9a3e-33c3-49b7-864d-c5af830d9990",
        "c2e2d482-9486-476e-a28c-8f1e303cbe1a",
        "7e24a466-349b-451d-a18e-38fb21d71b38",
        "f0f788c8-2e65-4e3a-9247-e9444eeb7d70",
    ],
    undeletable_ids: &[],
};

static MAPPING_PROPERTIES: KindProperties = KindProperties {
    record: &MAPPING,
    name: "MAPPING_PROFILE",
    conflict_label: "The field mapping profile",
    label: "Mapping Profile",
    class_name: "MappingProfile",
    update_schema: include_str!(
        "../../../folio/records/mod-di-converter-storage/mappingProfileUpdateDto.tsv"
    ),
    undeletable_message: "Can`t delete default OCLC Mapping Profile",
    folio_ids: &[
        "d0ebbc2e-2f0f-11eb-adc1-0242ac120002",
        "862000b9-84ea-4cae-a223-5fc0552f2b42",
        "f90864ef-8030-480f-a43f-8cdd21233252",
        "991c0300-44a6-47e3-8ea2-b01bb56a38cc",
        "e0fbaad5-10c0-40d5-9228-498b351dbbaa",
        "13cf7adf-c7a7-4c2e-838f-14d0ac36ec0a",
        "6a0ec1de-68eb-4833-bdbf-0741db25c314",
        "6a0ec1de-68eb-4833-bdbf-0741db85c314",
        "39b265e1-c963-4e5f-859d-6e8c327a265c",
        "b8a9ca7d-4a33-44d3-86e1-f7c6cb7b265f",
        "041f8ff9-9d17-4436-b305-1033e0879501",
    ],
    undeletable_ids: &[],
};

pub(crate) static JOB: RecordType = RecordType {
    name: "job profile",
    table: "job_profiles",
    path: "/data-import-profiles/jobProfiles",
    collection: "jobProfiles",
    schema: include_str!("../../../folio/records/mod-di-converter-storage/jobProfile.tsv"),
    ..PROFILE
};

pub(crate) static MATCH: RecordType = RecordType {
    name: "match profile",
    table: "match_profiles",
    path: "/data-import-profiles/matchProfiles",
    collection: "matchProfiles",
    schema: include_str!("../../../folio/records/mod-di-converter-storage/matchProfile.tsv"),
    persons: Some(&Persons {
        not_persons: &["matchDetails"],
        ..Persons::naming_staff(&[Member::staff("userInfo", PersonalData::All)])
    }),
    ..PROFILE
};

pub(crate) static ACTION: RecordType = RecordType {
    name: "action profile",
    table: "action_profiles",
    path: "/data-import-profiles/actionProfiles",
    collection: "actionProfiles",
    schema: include_str!("../../../folio/records/mod-di-converter-storage/actionProfile.tsv"),
    ..PROFILE
};

pub(crate) static MAPPING: RecordType = RecordType {
    name: "mapping profile",
    table: "mapping_profiles",
    path: "/data-import-profiles/mappingProfiles",
    collection: "mappingProfiles",
    schema: include_str!("../../../folio/records/mod-di-converter-storage/mappingProfile.tsv"),
    ..PROFILE
};

const PROFILE: RecordType = RecordType {
    fields: &[Field::text("name").indexed(&[Index::Order])],
    persons: Some(&Persons::naming_staff(&[Member::staff("userInfo", PersonalData::All)])),
    ..RecordType::BASE
};

/// Puts a profile below another. The same profile may be in several places: each place is a wrapper.
pub(crate) static ASSOCIATION: RecordType = RecordType {
    name: "profile association",
    table: "profile_associations",
    path: "/octavo/profile-associations",
    collection: "profileAssociations",
    schema: include_str!("../../../folio/records/mod-di-converter-storage/profileAssociation.tsv"),
    fields: &[
        Field::uuid("masterProfileId").indexed(&[Index::Order]),
        Field::uuid("detailProfileId").indexed(&[Index::Order]),
        Field::uuid("masterWrapperId").indexed(&[Index::Order]),
        Field::uuid("detailWrapperId").indexed(&[Index::Order]),
        Field::uuid("jobProfileId").indexed(&[Index::Order]),
        Field::exact("masterProfileType"),
        Field::exact("detailProfileType"),
    ],
    ..RecordType::BASE
};

/// A place of a profile in the tree of a job.
pub(crate) static WRAPPER: RecordType = RecordType {
    name: "profile wrapper",
    table: "profile_wrappers",
    path: "/octavo/profile-wrappers",
    collection: "profileWrappers",
    schema: include_str!("../../../folio/records/mod-di-converter-storage/profileWrapper.tsv"),
    fields: &[Field::uuid("profileId").indexed(&[Index::Order]), Field::exact("profileType")],
    ..RecordType::BASE
};

/// The tree of a job's profiles, as it was when the job began.
pub(crate) static SNAPSHOT: RecordType = RecordType {
    name: "profile snapshot",
    table: "profile_snapshots",
    path: "/octavo/profile-snapshots",
    collection: "profileSnapshots",
    schema: include_str!("../../../folio/records/mod-di-converter-storage/profileSnapshotWrapper.tsv"),
    persons: Some(&Persons::naming_staff(&[Member::staff("content", PersonalData::All)])),
    ..RecordType::BASE
};
