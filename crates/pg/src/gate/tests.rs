use std::pin::Pin;

use futures_util::FutureExt;

use super::*;

/// Tenants in front of a gate, each named by one letter.
struct Queue {
    gate: Arc<Gate>,
    begun: Instant,
    waiting: Vec<(char, oneshot::Receiver<GatePlace>)>,
    inside: Vec<(char, GatePlace)>,
}

impl Queue {
    fn new(places: usize, crowd: usize) -> Queue {
        Queue { gate: Gate::with_crowd(places, crowd), begun: now(), waiting: Vec::new(), inside: Vec::new() }
    }

    fn enqueue(&mut self, tenants: &str) {
        for tenant in tenants.chars() {
            match self.gate.try_acquire(&tenant.to_string(), self.begun) {
                Some(place) => self.inside.push((tenant, place)),
                None => self.waiting.push((tenant, self.gate.enqueue(&tenant.to_string(), self.begun))),
            }
        }
        self.admit_given();
    }

    /// Admits those who were given a place. Returns their letters, in the order in which they asked.
    fn admit_given(&mut self) -> String {
        let mut entered = String::new();
        let mut at = 0;
        while at < self.waiting.len() {
            match Pin::new(&mut self.waiting[at].1).now_or_never() {
                Some(given) => {
                    let (tenant, _) = self.waiting.remove(at);
                    self.inside.push((tenant, given.expect("a place")));
                    entered.push(tenant);
                }
                None => at += 1,
            }
        }
        entered
    }

    /// Gives the oldest place of a tenant back. Returns who has it then.
    fn give_back(&mut self, tenant: char) -> String {
        let at = self.inside.iter().position(|(one, _)| *one == tenant).expect("it is inside");
        drop(self.inside.remove(at));
        self.admit_given()
    }

    fn count(&self, tenant: char) -> usize {
        self.inside.iter().filter(|(one, _)| *one == tenant).count()
    }
}

#[test]
fn a_free_place_goes_to_the_tenant_with_the_fewest() {
    for (asked, leave, inside) in [
        // Alone: the places one after the other.
        ("aaaaaa", 2, [4, 0, 0]),
        // A flood of one, and another that comes later: the next place is the other's.
        ("aaaaaaaab", 1, [3, 1, 0]),
        ("aaaaaaaabbb", 2, [2, 2, 0]),
        ("aaaaaaaabbb", 3, [2, 2, 0]),
        // Three: whatever the order in which they came, the next places are of those that have none.
        ("aaaaaaaacb", 2, [2, 1, 1]),
        ("aaaaaaaabbbccc", 2, [2, 1, 1]),
    ] {
        let mut queue = Queue::new(4, usize::MAX);
        queue.enqueue(asked);
        assert_eq!(queue.count('a'), 4, "{asked}: alone it has all");
        for _ in 0..leave {
            queue.give_back('a');
        }
        assert_eq!(
            ['a', 'b', 'c'].map(|tenant| queue.count(tenant)),
            inside,
            "{asked}, after {leave} have left"
        );
    }
}

#[test]
fn tenants_with_equally_many_have_their_turns() {
    let mut queue = Queue::new(1, usize::MAX);
    queue.enqueue("aaaabbbb");
    let mut entered = String::from("a");
    while let Some(inside) = entered.chars().last() {
        match queue.give_back(inside).as_str() {
            "" => break,
            next => entered.push_str(next),
        }
    }
    assert_eq!(entered, "abababab");
}

#[test]
fn beside_others_a_tenant_has_its_share_of_a_crowd() {
    for (places, crowd, asked, inside) in [
        // Alone: every place.
        (16, 4, "aaaaaaaaaaaa", &[('a', 12)][..]),
        // The other is there before the flood: the flood fills the crowd, and goes no further.
        (16, 4, "baaaaaaaaaaaa", &[('a', 3), ('b', 1)]),
        // Beyond the crowd each may have its share of it.
        (16, 4, "bbbaaaaaaaaa", &[('a', 2), ('b', 3)]),
        (16, 4, "bbbbaaaaaaaaa", &[('a', 2), ('b', 4)]),
        // With more tenants than the crowd has places, one each.
        (16, 2, "abcdabcd", &[('a', 1), ('b', 1), ('c', 1), ('d', 1)]),
        (2, 4, "ababab", &[('a', 1), ('b', 1)]),
    ] {
        let mut queue = Queue::new(places, crowd);
        queue.enqueue(asked);
        for (tenant, count) in inside {
            assert_eq!(
                queue.count(*tenant),
                *count,
                "{tenant} of {asked}, {places} places and a crowd of {crowd}"
            );
        }
    }
}

#[test]
fn who_waits_for_long_beside_free_places_is_let_in() {
    let mut queue = Queue::new(8, 2);
    queue.enqueue("baaa");
    assert_eq!(queue.count('a'), 1);
    queue.gate.assign_places(queue.begun + PATIENCE);
    assert_eq!(queue.admit_given(), "aa");
}

#[test]
fn a_tenant_has_all_again_when_the_others_have_gone() {
    let mut queue = Queue::new(8, 2);
    queue.enqueue("baaaaaa");
    assert_eq!((queue.count('a'), queue.count('b')), (1, 1));
    queue.give_back('b');
    assert_eq!(queue.count('a'), 2, "the crowd is complete, and the other was there a moment ago");
    queue.gate.assign_places(queue.begun + PRESENCE_TIME);
    assert_eq!(queue.admit_given(), "aaaa");
}

#[test]
fn who_gives_up_waiting_keeps_no_place() {
    let mut queue = Queue::new(1, usize::MAX);
    queue.enqueue("aaab");
    queue.waiting.retain(|(tenant, _)| *tenant == 'b');
    assert_eq!(queue.give_back('a'), "b");
    assert_eq!(queue.give_back('b'), "");
    assert_eq!((queue.gate.free(), queue.gate.lock_state().waiting), (1, 0));
}

#[test]
fn a_place_that_is_given_up_comes_back_when_places_are_added() {
    let mut queue = Queue::new(2, usize::MAX);
    queue.enqueue("ab");
    let (_, place) = queue.inside.remove(0);
    place.withdraw();
    queue.enqueue("a");
    assert_eq!((queue.count('a'), queue.gate.free()), (0, 0));
    queue.gate.add_places(1);
    assert_eq!(queue.admit_given(), "a");
}

#[test]
fn tenants_that_have_gone_are_forgotten() {
    let gate = Gate::new(1);
    let begun = now();
    for number in 0..2_000_u32 {
        let later = begun + PRESENCE_TIME * number;
        drop(gate.try_acquire(&number.to_string(), later));
    }
    assert!(gate.lock_state().tenants.len() <= MAX_REMEMBERED + 1);
}

#[tokio::test]
async fn a_place_is_waited_for() {
    let gate = Gate::new(1);
    let held = gate.acquire("a").await;
    let waits = tokio::spawn({
        let gate = Arc::clone(&gate);
        async move { drop(gate.acquire("b").await) }
    });
    tokio::task::yield_now().await;
    drop(held);
    waits.await.unwrap();
    assert_eq!(gate.free(), 1);
}
