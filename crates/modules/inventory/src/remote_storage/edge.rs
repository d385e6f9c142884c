//! edge-caiasoft 2.2.0 and edge-dematic 2.2.0: what storages call with an API key.

use octavo_engine::{
    Context, EdgeCall, EdgeModule, EdgeRequest, EdgeRouteRequest, EdgeRouteRequestFuture, Method, Response,
};
use octavo_kernel::{Fault, Outcome, Xml};
use serde_json::{Value, json};

use crate::xml::write_value;

pub(super) const CAIA_SOFT: EdgeModule = EdgeModule {
    name: "edge-caiasoft",
    calls: &[
        EdgeCall {
            method: Method::Get,
            path: "/caiasoftService/ItemBarcodes/{itemBarcode}/accessioned/{remoteStorageConfigurationId}",
            route: (Method::Post, "/remote-storage/accessions"),
            make_request: |_, request| {
                Box::pin(async {
                    let (barcode, storage) = (request.path_parameter(0), request.path_parameter(1));
                    Ok(edge_request(None, &json!({"itemBarcode": barcode, "remoteStorageId": storage})))
                })
            },
        },
        EdgeCall {
            method: Method::Post,
            path: "/caiasoftService/RequestBarcodes/{itemBarcode}/reshelved/{remoteStorageConfigurationId}",
            route: (Method::Post, "/remote-storage/return/{remoteStorageConfigurationId}"),
            make_request: |_, request| {
                Box::pin(async {
                    Ok(edge_request(
                        Some(request.path_parameter(1)),
                        &json!({"itemBarcode": request.path_parameter(0)}),
                    ))
                })
            },
        },
        EdgeCall {
            method: Method::Post,
            path: "/caiasoftService/Requests/{requestId}/route/{remoteStorageConfigurationId}",
            route: (
                Method::Post,
                "/remote-storage/retrieve/{remoteStorageConfigurationId}/checkInItemByHoldId",
            ),
            make_request: |_, request| {
                Box::pin(async {
                    Ok(edge_request(
                        Some(request.path_parameter(1)),
                        &json!({"holdId": request.path_parameter(0)}),
                    ))
                })
            },
        },
    ],
    render_response: |_, answered| match answered.status {
        // An accession, which CaiaSoft reports by a GET request.
        201 => Response { status: 200, ..answered },
        // A return. A check-in is answered with plain text instead.
        200 if answered.content_type == "application/json" => Response { status: 201, ..answered },
        _ => answered,
    },
};

pub(super) const DEMATIC: EdgeModule = EdgeModule {
    name: "edge-dematic",
    calls: &[
        EdgeCall {
            method: Method::Get,
            path: "/asrService/asr/lookupNewAsrItems/{remoteStorageConfigurationId}",
            route: (Method::Post, "/octavo/remote-storages/{id}/accessions/hand-over"),
            make_request: look_up,
        },
        EdgeCall {
            method: Method::Get,
            path: "/asrService/asr/lookupAsrRequests/{remoteStorageConfigurationId}",
            route: (Method::Post, "/octavo/remote-storages/{id}/retrievals/hand-over"),
            make_request: look_up,
        },
        EdgeCall {
            method: Method::Post,
            path: "/asrService/asr/updateASRItemStatusBeingRetrieved/{remoteStorageConfigurationId}",
            route: (Method::Post, "/remote-storage/retrieve/{remoteStorageConfigurationId}/checkInItem"),
            make_request: update,
        },
        EdgeCall {
            method: Method::Post,
            path: "/asrService/asr/updateASRItemStatusAvailable/{remoteStorageConfigurationId}",
            route: (Method::Post, "/remote-storage/return/{remoteStorageConfigurationId}"),
            make_request: update,
        },
    ],
    render_response: |_, answered| {
        if answered.status < 400 { queue_to_xml_response(answered) } else { answered }
    },
};

fn edge_request(storage: Option<&str>, body: &Value) -> EdgeRouteRequest {
    let parameters = storage.into_iter().map(str::to_owned).collect();
    EdgeRouteRequest { parameters, query: Vec::new(), body: body.to_string().into_bytes() }
}

fn look_up<'a>(_: &'a Context, request: &'a EdgeRequest) -> EdgeRouteRequestFuture<'a> {
    Box::pin(async { Ok(edge_request(Some(request.path_parameter(0)), &json!({}))) })
}

fn update<'a>(_: &'a Context, request: &'a EdgeRequest) -> EdgeRouteRequestFuture<'a> {
    Box::pin(async {
        let barcode = barcode(&request.body)?;
        Ok(edge_request(Some(request.path_parameter(0)), &json!({"itemBarcode": barcode})))
    })
}

/// The barcode in `<updateASRItem><itemBarcode>1</itemBarcode>...</updateASRItem>`.
fn barcode(body: &[u8]) -> Outcome<String> {
    let malformed = || Fault::bad_request("The body is no updateASRItem with an itemBarcode");
    let text = std::str::from_utf8(body).map_err(|_| malformed())?;
    let document = roxmltree::Document::parse(text).map_err(|_| malformed())?;
    let mut members = document.root_element().children();
    let barcode = members.find(|member| member.tag_name().name() == "itemBarcode");
    let text = barcode.and_then(|barcode| barcode.text()).map(str::trim).filter(|text| !text.is_empty());
    text.map(str::to_owned).ok_or_else(malformed)
}

/// Dematic's names for the members of queue entries, with FOLIO's names.
const ITEM_MEMBERS: &[(&str, &str)] = &[
    ("author", "instanceAuthor"),
    ("title", "instanceTitle"),
    ("itemNumber", "itemBarcode"),
    ("callNumber", "callNumber"),
];
const REQUEST_MEMBERS: &[(&str, &str)] = &[
    ("holdId", "holdId"),
    ("itemBarcode", "itemBarcode"),
    ("title", "instanceTitle"),
    ("author", "instanceAuthor"),
    ("callNumber", "callNumber"),
    ("patronBarcode", "patronBarcode"),
    ("patronName", "patronName"),
    ("requestDate", "createdDateTime"),
    ("pickupLocation", "pickupLocation"),
    ("requestStatus", "requestStatus"),
    ("requestNote", "requestNote"),
];

/// Entries of a queue as XML; nothing for a check-in.
fn queue_to_xml_response(answered: Response) -> Response {
    let told: Value = serde_json::from_slice(&answered.body).unwrap_or_default();
    let text = match (told["accessions"].as_array(), told["retrievals"].as_array()) {
        (Some(items), _) => entries_to_xml("asrItems", "asrItem", ITEM_MEMBERS, items),
        (_, Some(requests)) => entries_to_xml("asrRequests", "asrRequest", REQUEST_MEMBERS, requests),
        _ => return Response { status: 201, ..Response::no_content() },
    };
    Response { status: 200, content_type: "application/xml", body: text.into_bytes(), ..answered }
}

fn entries_to_xml(name: &str, each: &str, members: &[(&str, &str)], entries: &[Value]) -> String {
    let mut out = Xml::document();
    out.element(name, &[], |out| {
        for entry in entries {
            out.element(each, &[], |out| {
                for (name, member) in members {
                    match entry[*member].as_str() {
                        Some(time) if *member == "createdDateTime" => {
                            write_value(out, name, &json!(dematic_time(time)));
                        }
                        _ => write_value(out, name, &entry[*member]),
                    }
                }
            });
        }
    });
    out.into_text()
}

/// A time in Dematic's notation: `2026-03-01 18:00:00.1`.
fn dematic_time(time: &str) -> String {
    let tenth = time.get(..21).unwrap_or(time);
    tenth.replacen('T', " ", 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_barcode_is_read_and_nonsense_refused() {
        for (body, read) in [
            (
                "<updateASRItem><itemBarcode> 1&amp;2 </itemBarcode><itemStatus>X</itemStatus></updateASRItem>",
                Some("1&2"),
            ),
            (
                "<?xml version=\"1.0\"?>\n<u:updateAsrItem xmlns:u=\"x\"><itemBarcode>7</itemBarcode></u:updateAsrItem>",
                Some("7"),
            ),
            ("<updateASRItem><itemBarcode/></updateASRItem>", None),
            ("<!DOCTYPE a [<!ENTITY b \"c\">]><a><itemBarcode>&b;</itemBarcode></a>", None),
            ("<updateASRItem>", None),
            ("", None),
        ] {
            assert_eq!(barcode(body.as_bytes()).ok().as_deref(), read, "{body}");
        }
        assert!(barcode(&[0xff]).is_err());
    }

    #[test]
    fn entries_are_shown_as_dematic_knows_them() {
        let shown = |told: Value| {
            let shown = queue_to_xml_response(Response::json(200, &told));
            let text = String::from_utf8(shown.body).unwrap();
            (shown.status, text.replace(&Xml::document().into_text(), ""))
        };
        let item = json!({"itemBarcode": "1", "instanceTitle": "A & B", "volume": "2"});
        for (told, status, text) in [
            (
                json!({"accessions": [item]}),
                200,
                "<asrItems><asrItem><title>A &amp; B</title><itemNumber>1</itemNumber></asrItem></asrItems>",
            ),
            (json!({"accessions": []}), 200, "<asrItems/>"),
            (
                json!({"retrievals": [{"holdId": "h", "createdDateTime": "2026-03-01T18:00:00.123+00:00"}]}),
                200,
                "<asrRequests><asrRequest><holdId>h</holdId><requestDate>2026-03-01 18:00:00.1</requestDate></asrRequest></asrRequests>",
            ),
            (json!({"retrievals": []}), 200, "<asrRequests/>"),
            (json!({"isHoldRecallRequestExist": true}), 201, ""),
        ] {
            assert_eq!(shown(told), (status, text.to_owned()));
        }
    }
}
