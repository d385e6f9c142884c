//! Several clients at once do whatever comes to their minds to a few items. Whatever they were told, the library is in order
//! afterwards, as the database sees it.

use octavo_pg::Statement;
use octavo_testkit::reference::{CIRC_DESK, LOST_ITEM_FEE, OVERDUE_FINE};
use octavo_testkit::{Octavo, Reply, fresh_id, on_runtime};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::timers::Branch;

const CLIENTS: u64 = 4;

/// A client with a memory for nothing but its next whim.
struct Client {
    desk: octavo_testkit::Desk,
    items: Vec<Value>,
    patrons: Vec<Value>,
    whim: u64,
}

impl Client {
    fn chance(&mut self, limit: usize) -> usize {
        self.whim = self.whim.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.whim >> 33).unwrap() % limit
    }

    async fn act(&mut self) -> Reply {
        let (item, patron) = (self.chance(self.items.len()), self.chance(self.patrons.len()));
        let (item, patron) = (self.items[item].clone(), self.patrons[patron].clone());
        let open = format!("itemId=={}", item["id"].as_str().unwrap());
        match self.chance(10) {
            0..3 => self.desk.check_out(&item, &patron).await,
            3 | 4 => self.return_late(&item).await,
            5 => self.desk.renew(&item, &patron).await,
            6 | 7 => {
                let loan = self.desk.open_loans(&open).await.pop().unwrap_or_else(|| fresh_id().to_string());
                let path = format!("/circulation/loans/{loan}/declare-item-lost");
                self.desk.post(&path, &json!({"servicePointId": CIRC_DESK})).await
            }
            8 => self.settle().await,
            _ => {
                let loans = self.desk.find("/loan-storage/loans", &open).await.expect(200).all("loans", "id");
                let at = self.chance(loans.len().max(1));
                let loan = loans.get(at).cloned().unwrap_or_else(|| fresh_id().to_string());
                self.desk.post(&format!("/octavo/loans/{loan}/undo"), &json!({})).await
            }
        }
    }

    async fn return_late(&self, item: &Value) -> Reply {
        let late = octavo_testkit::system_clock() + jiff::SignedDuration::from_hours(24 * 40);
        let body = json!({"itemBarcode": item["barcode"], "servicePointId": CIRC_DESK, "checkInDate": late.to_string(),
            "claimedReturnedResolution": "Returned by patron"});
        self.desk.post("/circulation/check-in-by-barcode", &body).await
    }

    async fn settle(&mut self) -> Reply {
        let found = self.desk.get("/accounts?limit=1000").await.expect(200).all("accounts", "id");
        let at = self.chance(found.len().max(1));
        let account = found.get(at).cloned().unwrap_or_else(|| fresh_id().to_string());
        let action = ["pay", "waive", "transfer", "refund", "cancel"][self.chance(5)];
        let body = match action {
            "cancel" => json!({"notifyPatron": false, "servicePointId": CIRC_DESK, "userName": "Clerk"}),
            _ => {
                json!({"amount": "1.50", "notifyPatron": false, "servicePointId": CIRC_DESK, "userName": "Clerk",
                "paymentMethod": "Cash"})
            }
        };
        self.desk.post(&format!("/accounts/{account}/{action}"), &body).await
    }
}

async fn branch() -> Branch {
    let branch = Branch::open().await;
    let path = format!("/lost-item-fees-policies/{LOST_ITEM_FEE}");
    let mut policy = branch.get(&path).await.expect(200).json();
    policy["chargeAmountItem"] = json!({"chargeType": "anotherCost", "amount": 10.0});
    policy["lostItemProcessingFee"] = json!(5.0);
    policy["chargeAmountItemPatron"] = json!(true);
    policy["returnedLostItemProcessingFee"] = json!(true);
    branch.put(&path, &policy).await.expect(204);
    let fines = json!({
        "id": OVERDUE_FINE, "name": "Strict", "overdueFine": {"quantity": 0.5, "intervalId": "day"},
        "countClosed": true, "maxOverdueFine": 50.0, "forgiveOverdueFine": false,
        "overdueRecallFine": {"quantity": 1.0, "intervalId": "minute"}, "gracePeriodRecall": false,
        "maxOverdueRecallFine": 50.0,
    });
    branch.put(&format!("/overdue-fines-policies/{OVERDUE_FINE}"), &fines).await.expect(204);
    let point = json!({"value": CIRC_DESK, "label": "Circ Desk 1"});
    let owner = json!({"id": fresh_id(), "owner": "Main Circ", "servicePointOwner": [point]});
    branch.post("/owners", &owner).await.expect(201);
    branch
}

/// Every query finds what must not be.
const DISORDER: [(&str, &str); 4] = [
    (
        "an item is lent twice",
        "select 1 from loan where \"status.name\" = 'open' group by \"itemId\" having count(*) > 1",
    ),
    (
        "the status of an item and its loans do not agree",
        "select 1 from item i \
         left join loan l on l.\"itemId\" = i.id and l.\"status.name\" = 'open' \
         where (i.doc #>> '{status,name}' in ('Checked out', 'Declared lost', 'Claimed returned', 'Aged to lost')) \
         is distinct from (l.id is not null) \
         or l.id is not null and l.doc ->> 'itemStatus' is distinct from i.doc #>> '{status,name}'",
    ),
    (
        "the actions on a fee do not add up to its balance",
        "select 1 from accounts a cross join lateral ( \
           select sum(case \
             when f.doc ->> 'typeAction' ~ '^(Paid|Waived|Transferred)' then - (f.doc ->> 'amountAction')::numeric \
             when f.doc ->> 'typeAction' ~ '^Refunded' then (f.doc ->> 'amountAction')::numeric \
             when f.doc ->> 'typeAction' ~ '^(Cancelled|Credited)' then 0 \
             else (f.doc ->> 'amountAction')::numeric end) as balance, \
           bool_or(f.doc ->> 'typeAction' ~ '^Cancelled') as cancelled \
           from feefineactions f where f.\"accountId\" = a.id) s \
         where (a.doc ->> 'remaining')::numeric <> s.balance and not s.cancelled",
    ),
    (
        "a fee is closed while something of it is owed, or open while nothing is",
        "select 1 from accounts \
         where (doc #>> '{status,name}' = 'Closed') is distinct from ((doc ->> 'remaining')::numeric = 0)",
    ),
];

async fn walk(commands: usize) {
    let branch = branch().await;
    let (items, mut patrons) = (branch.items(5).await, Vec::new());
    for _ in 0..3 {
        patrons.push(branch.patron().await);
    }
    let other = Octavo::another().await;
    let mut clients = JoinSet::new();
    for whim in 0..CLIENTS {
        let desk = if whim % 2 == 0 { (*branch).clone() } else { branch.through(&other) };
        let mut client = Client { desk, items: items.clone(), patrons: patrons.clone(), whim };
        clients.spawn(async move {
            let mut done = 0;
            for _ in 0..commands {
                let reply = client.act().await;
                assert!(reply.status < 500, "{reply}");
                done += usize::from(reply.status < 300);
            }
            done
        });
    }
    let done: usize = clients.join_all().await.into_iter().sum();
    assert!(done > commands / 2, "only {done} commands were carried out");
    for (told, query) in DISORDER {
        let context = branch.library.context().await;
        let found = on_runtime(async move {
            let mut session = context.session().await.unwrap();
            session.rows(Statement::new(query)).await.unwrap()
        })
        .await;
        assert_eq!(found.len(), 0, "{told}");
    }
}

#[tokio::test]
async fn whatever_several_clients_do_the_library_is_in_order() {
    walk(15).await;
}

/// `cargo test --package octavo-tests --test api -- --ignored walk`
#[tokio::test]
#[ignore = "100,000 commands take long"]
async fn whatever_several_clients_do_for_long_the_library_is_in_order() {
    walk(25_000).await;
}
