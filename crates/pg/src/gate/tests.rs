use std::pin::Pin;

use futures_util::FutureExt;

use super::*;

/// Tenants in front of a gate, each named by one letter.
struct Queue {
    gate: Arc<Gate>,
    begun: Instant,
    waiting: Vec<(char, oneshot::Receiver<Place>)>,
    inside: Vec<(char, Place)>,
}

impl Queue {
    fn before(places: usize, crowd: usize) -> Queue {
        Queue { gate: Gate::with_crowd(places, crowd), begun: now(), waiting: Vec::new(), inside: Vec::new() }
    }

    fn ask(&mut self, tenants: &str) {
        for tenant in tenants.chars() {
            match self.gate.take(&tenant.to_string(), self.begun) {
                Some(place) => self.inside.push((tenant, place)),
                None => self.waiting.push((tenant, self.gate.ask(&tenant.to_string(), self.begun))),
            }
        }
        self.enter();
    }

    /// Those who were given a place go in; who they are, in the order in which they asked.
    fn enter(&mut self) -> String {
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

    /// The oldest place of a tenant is given back; who has it then.
    fn leave(&mut self, tenant: char) -> String {
        let at = self.inside.iter().position(|(one, _)| *one == tenant).expect("it is inside");
        drop(self.inside.remove(at));
        self.enter()
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
        let mut queue = Queue::before(4, usize::MAX);
        queue.ask(asked);
        assert_eq!(queue.count('a'), 4, "{asked}: alone it has all");
        for _ in 0..leave {
            queue.leave('a');
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
    let mut queue = Queue::before(1, usize::MAX);
    queue.ask("aaaabbbb");
    let mut entered = String::from("a");
    while let Some(inside) = entered.chars().last() {
        match queue.leave(inside).as_str() {
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
        let mut queue = Queue::before(places, crowd);
        queue.ask(asked);
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
    let mut queue = Queue::before(8, 2);
    queue.ask("baaa");
    assert_eq!(queue.count('a'), 1);
    queue.gate.settle(queue.begun + PATIENCE);
    assert_eq!(queue.enter(), "aa");
}

#[test]
fn a_tenant_has_all_again_when_the_others_have_gone() {
    let mut queue = Queue::before(8, 2);
    queue.ask("baaaaaa");
    assert_eq!((queue.count('a'), queue.count('b')), (1, 1));
    queue.leave('b');
    assert_eq!(queue.count('a'), 2, "the crowd is complete, and the other was there a moment ago");
    queue.gate.settle(queue.begun + THERE);
    assert_eq!(queue.enter(), "aaaa");
}

#[test]
fn who_gives_up_waiting_keeps_no_place() {
    let mut queue = Queue::before(1, usize::MAX);
    queue.ask("aaab");
    queue.waiting.retain(|(tenant, _)| *tenant == 'b');
    assert_eq!(queue.leave('a'), "b");
    assert_eq!(queue.leave('b'), "");
    assert_eq!((queue.gate.free(), queue.gate.state().waiting), (1, 0));
}

#[test]
fn a_place_that_is_given_up_comes_back_when_places_are_added() {
    let mut queue = Queue::before(2, usize::MAX);
    queue.ask("ab");
    let (_, place) = queue.inside.remove(0);
    place.forget();
    queue.ask("a");
    assert_eq!((queue.count('a'), queue.gate.free()), (0, 0));
    queue.gate.add_places(1);
    assert_eq!(queue.enter(), "a");
}

#[test]
fn tenants_that_have_gone_are_forgotten() {
    let gate = Gate::new(1);
    let begun = now();
    for number in 0..2_000_u32 {
        let later = begun + THERE * number;
        drop(gate.take(&number.to_string(), later));
    }
    assert!(gate.state().tenants.len() <= REMEMBERED + 1);
}

#[tokio::test]
async fn a_place_is_waited_for() {
    let gate = Gate::new(1);
    let held = gate.place("a").await;
    let waits = tokio::spawn({
        let gate = Arc::clone(&gate);
        async move { drop(gate.place("b").await) }
    });
    tokio::task::yield_now().await;
    drop(held);
    waits.await.unwrap();
    assert_eq!(gate.free(), 1);
}
