//! The searches that clients make all day find an index: what the database would do, asked of it.

use octavo_pg::Sql;
use octavo_record::{Field, Index, Kind, Page, RecordType, search};
use octavo_testkit::{Library, encode, on_runtime};

const ID: &str = "11111111-1111-4111-8111-111111111111";

/// A path and queries over its collection; `{id}` is an id.
const SEARCHES: &[(&str, &[&str])] = &[
    (
        "/users",
        &[
            "id=={id}",
            "barcode==123",
            "username==jane",
            "externalSystemId==x1",
            "patronGroup=={id}",
            "personal.lastName==doe*",
            "personal.lastName=doe",
            "personal.email==jane@example.org",
            "username=\"jan*\" or personal.lastName=\"jan*\" or personal.firstName=\"jan*\" or barcode=\"jan*\"",
        ],
    ),
    ("/groups", &["group==staff"]),
    ("/perms/users", &["userId=={id}"]),
    ("/perms/permissions", &["permissionName==users.all"]),
    ("/configurations/entries", &["module==ORG and configName==localeSettings"]),
    (
        "/instance-storage/instances",
        &[
            "hrid==in1",
            "title=sea",
            "title==\"the old man*\"",
            "title==\"*sea*\"",
            // As searches at the desk are rewritten.
            "keyword all \"sea old\"",
            "keyword all \"mar*\" and contributorNames all \"mar*\"",
            "keyword all 0684801221 and identifierTokens all 0684801221",
            "isbn=0-684-80122-1",
            "isbn=05-5*",
            "invalidIsbn=12345",
            "keyword all sea or (id==({id} or {id}) and cql.allRecords=1)",
        ],
    ),
    ("/holdings-storage/holdings", &["instanceId=={id}", "permanentLocationId=={id}", "hrid==ho1"]),
    (
        "/item-storage/items",
        &[
            "barcode==123",
            "barcode==(123 or 456)",
            "hrid==it1",
            "holdingsRecordId=={id}",
            "holdingsRecordId=={id} and status.name==Available",
            "effectiveLocationId=={id}",
        ],
    ),
    (
        "/loan-storage/loans",
        &[
            // Not with the status: in an empty table the index over open loans is as good.
            "userId=={id}",
            "itemId=={id} and status.name==Open",
            "itemId==({id} or {id})",
            "dueDate<2026-11-21",
        ],
    ),
    (
        "/request-storage/requests",
        &["itemId=={id} and status=Open*", "requesterId=={id} and status==\"Open*\"", "instanceId=={id}"],
    ),
    ("/accounts", &["userId=={id} and status.name==Open", "loanId=={id}"]),
    ("/feefineactions", &["accountId=={id}"]),
    ("/manualblocks", &["userId=={id}"]),
];

#[tokio::test]
async fn frequent_searches_use_an_index() {
    let library = Library::open().await;
    let types: Vec<&'static RecordType> = library.octavo.platform.record_types().collect();
    let mut slow = Vec::new();
    for (path, queries) in SEARCHES {
        let record = types.iter().find(|record| record.path == *path).unwrap_or_else(|| panic!("no {path}"));
        for query in *queries {
            let plan = plan(&library, record, &query.replace("{id}", ID)).await;
            let searched = plan.contains("Index Cond") || plan.contains("Recheck Cond");
            if plan.contains("Seq Scan") || !searched {
                slow.push(format!("{path} {query}\n{plan}"));
            }
        }
    }
    assert!(slow.is_empty(), "{}", slow.join("\n\n"));
}

/// Declared fields that no index serves, with the reason: (table, fields, reason).
const WITHOUT_INDEX: &[(&str, &[&str], &str)] = &[
    ("custom_fields", &["name", "entityType", "order"], "a library has some dozens"),
    (
        "users",
        &["type", "active", "expirationDate"],
        "few values; a job that asks for dates reads everybody once a day",
    ),
    ("user_tenant", &["tenantId"], "a record or two"),
    ("copycat_profile", &["name"], "a library has a few"),
    ("profile_associations", &["masterProfileType", "detailProfileType"], "a library has some hundreds"),
    ("profile_wrappers", &["profileType"], "a library has some hundreds"),
    ("audit_data", &["target_id"], "other programs may write some; Octavo writes none"),
    (
        "refused_event",
        &["consumer", "type"],
        "few, looked at in the order of their dates, and gone after some days",
    ),
    (
        "security_event",
        &["event", "address", "description", "username"],
        "looked at in the order of their dates, and gone after a year",
    ),
    ("feefineactions", &["source"], "looked at in the index of when payments were made"),
    ("auth_credentials_history", &["date"], OF_ONE_USER),
    ("auth_attempts", &["lastAttempt", "attemptCount"], OF_ONE_USER),
    ("auth_password_action", &["expirationTime"], "looked at in the record that its id finds"),
    ("event_logs", &["eventType"], "six values, asked for beside the user or the time"),
    ("refresh_tokens", &["expires", "used"], "looked at in the record that its id finds"),
    (
        "permissions",
        &["mutable", "visible", "dummy", "deprecated", "childOf", "grantedTo"],
        "three thousand records, of which these keep most",
    ),
    ("config_data", &["configName", "code", "userId"], "asked for beside the module"),
    ("accession_queue", &["remoteStorageId", "accessionedDateTime"], OF_WAITING),
    ("retrieval_queue", &["remoteStorageId", "retrievedDateTime"], OF_WAITING),
    ("settings", &["key", "userId", "owner"], "asked for beside the scope"),
    ("locinstitution", &["code"], FEW),
    ("loccampus", &["code"], FEW),
    ("loclibrary", &["code"], FEW),
    ("location", &["primaryServicePoint"], FEW),
    ("service_point", &["pickupLocation"], FEW),
    ("service_point_user", &["servicePointsIds"], "a record for each member of staff"),
    ("statistical_code_type", &["name"], FEW),
    ("loan_policy", &["name"], FEW),
    ("patron_block_conditions", &["name"], FEW),
    ("patron_block_limits", &["patronGroupId"], FEW),
    ("calendars", &["startDate", "endDate"], FEW),
    ("instance", &["staffSuppress", "discoverySuppress", "statusId"], NARROW),
    (
        "instance",
        &["identifiers", "contributors", "titles", "contributorNames", "subjectHeadings", "identifierTokens"],
        "parts of `keyword`, whose index finds them first",
    ),
    (
        "instance",
        &["isbn", "invalidIsbn"],
        "a search for a number is narrowed by the index of `keyword`, see [`SEARCHES`]",
    ),
    ("instance", &["itemStatus"], "what a search has found is sorted by it"),
    ("holdings_record", &["discoverySuppress"], NARROW),
    ("holdings_record", &["callNumberAndSuffix", "fullCallNumber"], "the call number alone has an index"),
    ("item", &["status.name"], "changes with every loan, and the row shall be rewritten in place"),
    ("item", &["callNumberAndSuffix", "fullCallNumber"], "the call number alone has an index"),
    ("records_lb", &["generation", "state"], "looked at among the generations of one record"),
    (
        "records_lb",
        &["recordType", "leaderRecordStatus", "additionalInfo.suppressDiscovery", "order", "marcLeader"],
        "of millions of records; most have the same values",
    ),
    ("records_lb", &["metadata.updatedDate"], "one more index for each record of an import to write"),
    ("records_lb", &["marcTerms"], "its index stands in the script of the module"),
    ("loan", &["status.name", "action", "itemStatus", "loanDate", "returnDate"], NARROW),
    ("loan", &["proxyUserId"], "a few loans in a thousand; one more index for each check-out to write"),
    ("request", &["requestType", "requestLevel", "requestDate", "position", "fullCallNumberIndex"], NARROW),
    ("request", &["requestExpirationDate", "holdShelfExpirationDate"], NARROW),
    ("request", &["itemIsbn"], "of the title, which its own id finds"),
    ("notify_data", &["seen"], NARROW),
    ("dcb_transaction", &["role", "status"], "looked at in the transactions of one item or request"),
    ("tlr_feature_toggle_job", &["status"], FEW),
    ("actual_cost_record", &["lossType", "lossDate", "expirationDate"], NARROW),
    ("scheduled_notice", &["triggeringEvent", "noticeConfig.sendInRealTime"], NARROW),
    ("notice", &["status", "event"], NARROW),
    (
        "notice",
        &["templateId", "policyId"],
        "few templates and policies: their notices are a good part of all",
    ),
    ("email_statistics", &["status", "shouldRetry"], NARROW),
    ("authority", OF_AUTHORITIES, "asked for by reports, beside the source file, whose index is used"),
    ("authority_archive", OF_AUTHORITIES, "few, and gone after some days"),
    (
        "print_entry",
        &["type", "created", "sortingField"],
        "the notices of a day, and files until they are printed",
    ),
    ("accounts", &["ownerId", "status.name"], NARROW),
    ("feefineactions", &["typeAction"], NARROW),
    ("servint_refdata_value", &["value"], "for its unique key, and looked for among those of one vocabulary"),
    ("oa_refdata_value", &["value"], "for its unique key, and looked for among those of one vocabulary"),
    ("servint_widget_type", &["typeVersion"], FEW),
    ("servint_widget_definition", &["definitionVersion"], FEW),
    (
        "servint_number_generator_sequence",
        &["code"],
        "for its unique key, and looked for among those of one generator",
    ),
];

const OF_AUTHORITIES: &[&str] = &[
    "authoritySourceFile",
    "authoritySourceFile.id",
    "authoritySourceFile.name",
    "createdDate",
    "updatedDate",
    "headingType",
];
const OF_ONE_USER: &str = "looked at among the records of one user";
const FEW: &str = "few records, which are in memory or fit into a page or two";
const OF_WAITING: &str =
    "an index of the module's script has the entries that wait, by storage; the others are looked at by time";
const NARROW: &str = "few values, or an order: they narrow and sort what another field finds";

fn is_without_index(record: &RecordType, field: &Field) -> bool {
    WITHOUT_INDEX.iter().any(|(table, fields, _)| *table == record.table && fields.contains(&field.path))
}

/// A search for one value of a field, as each of its indexes serves it.
fn searches(record: &RecordType, field: &Field) -> Vec<String> {
    let value = match field.kind {
        Kind::Uuid => ID,
        Kind::Number => "7",
        Kind::Time | Kind::Instant => "2026-11-21T12:00:00.000+00:00",
        Kind::Text => "abc",
        // CQL does not reach it.
        Kind::Numbers => return Vec::new(),
    };
    let path = field.path;
    let leads = record.unique.iter().any(|unique| unique.condition.is_none() && unique.fields[0] == path);
    let refers = record.references.iter().any(|reference| reference.field == path);
    let mut searches: Vec<String> = field
        .indexes
        .iter()
        .map(|index| match index {
            Index::Order | Index::OrderWithin(_) => format!("{path}=={value}"),
            Index::Words => format!("{path}={value}"),
            Index::Anywhere => format!("{path}==\"*{value}*\""),
        })
        .collect();
    if leads || refers {
        searches.push(format!("{path}=={value}"));
    }
    searches
}

#[tokio::test]
async fn every_declared_field_has_an_index_or_a_reason() {
    let library = Library::open().await;
    let types: Vec<&'static RecordType> = library.octavo.platform.record_types().collect();
    let mut wrong = Vec::new();
    for record in &types {
        for field in record.fields {
            let name = format!("{}.{}", record.table, field.path);
            let searches = searches(record, field);
            match (searches.is_empty(), is_without_index(record, field)) {
                (true, false) => wrong.push(format!("{name} has no index, and no reason why")),
                (false, true) => wrong.push(format!("{name} has an index, and a reason why not")),
                _ => {}
            }
            for query in searches {
                let plan = plan(&library, record, &query).await;
                let searched = plan.contains("Index Cond") || plan.contains("Recheck Cond");
                if plan.contains("Seq Scan") || !searched {
                    wrong.push(format!("{name}: {query} finds no index"));
                }
            }
        }
    }
    for (table, fields, _) in WITHOUT_INDEX {
        let record = types.iter().find(|record| record.table == *table);
        let gone = |path: &&&str| record.is_none_or(|record| record.field(path).is_none());
        wrong.extend(fields.iter().filter(gone).map(|path| format!("{table}.{path} is no field any more")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn searches_without_an_index_are_counted() {
    let library = Library::open().await.with("x-octavo-trace", "1");
    for (query, count) in [
        ("barcode==1", 0),
        ("status.name==Available", 1),
        ("barcode==1 and chronology==x and volume==y", 2),
        ("id==(11111111-1111-4111-8111-111111111111 or 22222222-2222-4222-8222-222222222222)", 0),
    ] {
        let reply = library.get(&format!("/item-storage/items?query={}", encode(query))).await.expect(200);
        let trace = reply.header("x-octavo-trace").unwrap_or_default();
        assert!(trace.contains(&format!("unindexed={count},")), "{query}: {trace}");
    }
}

/// The plan where a whole table is read only if there is no other way.
async fn plan(library: &Library, record: &'static RecordType, query: &str) -> String {
    let query = octavo_cql::parse(query).unwrap_or_else(|error| panic!("{query}: {error}"));
    let found = search(record, Some(&query), Page { offset: 0, limit: 10 }).unwrap();
    let context = library.context().await;
    on_runtime(async move {
        let mut session = context.session().await.expect("a connection");
        session.script("begin; set local enable_seqscan = off").await.expect("a transaction");
        let explain =
            Sql { text: format!("explain (format json) {}", found.page.text), params: found.page.params };
        let rows = session.rows_once(&explain).await.expect("a plan");
        session.script("rollback").await.expect("the end of it");
        let plan = rows.first().and_then(|row| row.json(0)).expect("a plan");
        format!("{}\n{plan:#}", explain.text)
    })
    .await
}
