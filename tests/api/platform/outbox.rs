//! The outbox while several relays work on it.

use octavo_engine::outbox::{self, Task, TaskFilter};
use octavo_pg::Statement;
use octavo_testkit::{Library, fresh_id, on_runtime};

/// No relay works on tasks of this kind.
const KIND: &str = "nothing";
const WAITING: &str = "select count(*) from outbox where kind = $1";

#[tokio::test]
async fn a_task_that_is_added_again_is_not_that_of_the_relay_that_began_it_before() {
    let library = Library::furnished().await;
    let context = library.context().await;
    on_runtime(async move {
        let mut session = context.session().await.expect("a connection");
        let subject = fresh_id();
        let add = || outbox::add_tasks(KIND, vec![subject]);
        let claim = || outbox::claim(KIND, TaskFilter::Any, 1, 60);
        session.rows(add()).await.expect("a task");
        let first: Vec<Task> = session.read(claim()).await.expect("a claim");
        assert_eq!((first.len(), first[0].attempts), (1, 1));

        session.rows(add()).await.expect("the task again");
        // The first relay fails, and does not keep the second one from beginning at once.
        session.rows(outbox::postpone(KIND, &first[0], "a failure")).await.expect("a statement");
        let second: Vec<Task> = session.read(claim()).await.expect("another claim");
        assert_eq!(second.len(), 1);
        for (tasks, kept) in [(&first, 0), (&second, 1)] {
            let locked = session.rows(outbox::lock_claimed(KIND, tasks)).await.expect("a statement");
            assert_eq!(locked.len(), kept, "{tasks:?}");
        }
        // The first relay ends its work, which does not end that of the second.
        for (tasks, left) in [(&first, 1), (&second, 0)] {
            session.rows(outbox::delete_claimed(KIND, tasks)).await.expect("a statement");
            let waiting: Option<i64> =
                session.read(Statement::new(WAITING).text(KIND)).await.expect("a count");
            assert_eq!(waiting, Some(left), "{tasks:?}");
        }

        // A task that nobody works on begins anew.
        session.rows(add()).await.expect("a task");
        let claimed: Vec<Task> = session.read(claim()).await.expect("a claim");
        session.rows(outbox::postpone(KIND, &claimed[0], "a failure")).await.expect("a statement");
        session.rows(add()).await.expect("the task again");
        let claimed: Vec<Task> = session.read(claim()).await.expect("a claim");
        assert_eq!(claimed[0].attempts, 1);
    })
    .await;
}
