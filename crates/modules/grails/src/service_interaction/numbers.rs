//! Gives out the next number of a sequence. The sequence's row is locked until the number is stored as used, so that no number is given out
//! twice.

use octavo_engine::{Request, Response, statements};
use octavo_kernel::Outcome;
use octavo_pg::{DbError, Session, Statement};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::kinds::{SEQUENCE, compute_maximum_check};
use super::tables;
use super::template::{NumberParts, ean13_check_digit, format_number};

/// The format of a sequence that is created because a client asks for its next number.
const DEFAULT_FORMAT: &str = "000000000";
/// The most characters of a code.
const MAX_CODE_CHARACTERS: usize = 36;
/// How often a sequence is searched and created, if other requests create or delete it at the same time.
const ATTEMPTS: usize = 3;

pub(super) async fn next(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let code = |name| {
        request.query(name).filter(|code| !code.is_empty() && code.chars().count() <= MAX_CODE_CHARACTERS)
    };
    let named = [code("generator"), code("sequence")];
    let mut answer = match named {
        [Some(generator), Some(sequence)] => {
            take_next_number(&request, &mut session, generator, sequence).await?
        }
        _ => None,
    };
    let answer = answer.take().unwrap_or_else(|| {
        let [generator, sequence] = [request.query("generator"), request.query("sequence")];
        let [generator, sequence] = [generator, sequence].map(Option::unwrap_or_default);
        let message =
            format!("Unable to locate or create NumberGeneratorSequence for {generator}.{sequence}");
        error_json("NoSequence", &message)
    });
    let mut body = json!({"generator": request.query("generator"), "sequence": request.query("sequence")});
    if let (Value::Object(body), Value::Object(answer)) = (&mut body, answer) {
        body.extend(answer);
    }
    Ok(Response::json(200, &body))
}

fn error_json(code: &str, message: &str) -> Value {
    json!({"status": "ERROR", "errorCode": code, "message": message})
}

/// Takes the next number of a sequence, and creates the sequence if it does not exist. `None` if it cannot be created.
async fn take_next_number(
    request: &Request,
    session: &mut Session,
    generator: &str,
    sequence: &str,
) -> Outcome<Option<Value>> {
    for _ in 0..ATTEMPTS {
        let find = Statement::new(FIND).text(generator).text(sequence);
        session.begin(Vec::new()).await?;
        let found: Option<(Uuid, Value, Option<String>)> = session.read(find).await?;
        let Some((id, Value::Object(stored), algorithm)) = found else {
            session.rollback().await?;
            create_sequence(request, session, generator, sequence).await?;
            continue;
        };
        let (answer, used) = answer_and_next_state(stored, algorithm.as_deref());
        match used {
            Some(used) => {
                session.commit(vec![statements::overwrite(&tables::SEQUENCES, id, &used)]).await?;
            }
            None => session.rollback().await?,
        }
        return Ok(Some(answer));
    }
    Ok(None)
}

/// The answer, and the sequence with the next number; `None` in its place if no number is used.
fn answer_and_next_state(
    mut sequence: Map<String, Value>,
    algorithm: Option<&str>,
) -> (Value, Option<Value>) {
    let number = |name: &str| sequence.get(name).and_then(Value::as_i64);
    let next = number("nextValue").unwrap_or(1);
    let Some(after) = next.checked_add(1) else {
        return (error_json("NoNextValue", "Unable to determine next value in the sequence"), None);
    };
    let (most, threshold) = (number("maximumNumber"), number("maximumNumberThreshold"));
    if most.is_some_and(|most| next > most) {
        return (error_json("MaxReached", "Number generator sequence has reached its maximum number"), None);
    }
    let is_near = most.is_some() && threshold.is_some_and(|threshold| next >= threshold);
    let mut answer = match (is_near, most == Some(next)) {
        (false, _) => json!({"status": "OK"}),
        (true, true) => json!({
            "status": "WARNING", "warningCode": "HitMaximum",
            "warning": "Number generator sequence has hit its maximum number",
        }),
        (true, false) => json!({
            "status": "WARNING", "warningCode": "OverThreshold",
            "warning": "Number generator sequence is approaching its maximum number",
        }),
    };
    let text = |name: &str| sequence.get(name).and_then(Value::as_str);
    let digits = text("format").map_or_else(|| next.to_string(), |format| format_number(next, format));
    let checksum =
        algorithm.filter(|algorithm| *algorithm == "ean13").and_then(|_| ean13_check_digit(&digits));
    let parts = NumberParts {
        prefix: text("prefix"),
        number: &digits,
        postfix: text("postfix"),
        checksum: checksum.as_deref(),
    };
    let made = text("outputTemplate")
        .map_or_else(|| Some(parts.join_with_hyphens()), |template| parts.fill_template(template));
    let Some(made) = made else {
        return (error_json("BadTemplate", "The sequence's output template cannot be read"), None);
    };
    answer["nextValue"] = json!(made);
    sequence.insert("nextValue".to_owned(), json!(after));
    compute_maximum_check(&SEQUENCE, &mut sequence);
    (answer, Some(Value::Object(sequence)))
}

/// Creates a sequence, and its number generator if that does not exist.
async fn create_sequence(
    request: &Request,
    session: &mut Session,
    generator: &str,
    sequence: &str,
) -> Outcome<()> {
    let id = request.context.fresh_id();
    let new = json!({"id": id, "code": generator, "name": generator});
    session.rows(statements::insert_if_new(&tables::GENERATORS, id, &new)).await?;
    let owner: Option<Uuid> = session.read(Statement::new(GENERATOR).text(generator)).await?;
    let Some(owner) = owner else { return Ok(()) };
    let id = request.context.fresh_id();
    let new = json!({
        "id": id, "owner": owner, "code": sequence, "name": sequence, "format": DEFAULT_FORMAT, "nextValue": 1, "enabled": true,
    });
    match session.rows(statements::insert_if_new(&tables::SEQUENCES, id, &new)).await {
        // The generator was removed meanwhile.
        Err(error) if error.has_code(DbError::FOREIGN_KEY) => Ok(()),
        made => Ok(made.map(drop)?),
    }
}

const FIND: &str = "\
select s.id, s.doc::text, v.doc ->> 'value'
from servint_number_generator g
join servint_number_generator_sequence s on s.owner = g.id
left join servint_refdata_value v on v.id = s.\"checkDigitAlgo\"
where g.code = $1 and s.code = $2
for update of s";
const GENERATOR: &str = "select id from servint_number_generator where code = $1";

octavo_pg::statements!(other = [FIND, GENERATOR]);

#[cfg(test)]
mod tests {
    use super::*;

    fn decide_for_json(sequence: Value) -> (Value, Option<Value>) {
        let Value::Object(sequence) = sequence else { panic!("an object") };
        answer_and_next_state(sequence, Some("ean13"))
    }

    #[test]
    fn numbers_come_one_after_the_other_until_the_greatest() {
        for (sequence, status, code, text, next) in [
            (json!({}), "OK", "", "1-7", 2),
            (json!({"nextValue": 7, "format": "000"}), "OK", "", "007-9", 8),
            (json!({"nextValue": 4, "maximumNumber": 9, "maximumNumberThreshold": 5}), "OK", "", "4-8", 5),
            (
                json!({"nextValue": 5, "maximumNumber": 9, "maximumNumberThreshold": 5}),
                "WARNING",
                "OverThreshold",
                "5-5",
                6,
            ),
            (
                json!({"nextValue": 9, "maximumNumber": 9, "maximumNumberThreshold": 5}),
                "WARNING",
                "HitMaximum",
                "9-3",
                10,
            ),
        ] {
            let (answer, used) = decide_for_json(sequence.clone());
            assert_eq!(answer["status"], status, "{sequence}");
            assert_eq!(answer["warningCode"].as_str().unwrap_or_default(), code, "{sequence}");
            assert_eq!(answer["nextValue"], text, "{sequence}");
            assert_eq!(used.unwrap()["nextValue"], next, "{sequence}");
        }
    }

    #[test]
    fn what_cannot_be_numbered_uses_nothing_up() {
        for (sequence, code) in [
            (json!({"nextValue": 10, "maximumNumber": 9}), "MaxReached"),
            (json!({"nextValue": i64::MAX}), "NoNextValue"),
            (json!({"outputTemplate": "${System.exit(1)}"}), "BadTemplate"),
        ] {
            let (answer, used) = decide_for_json(sequence);
            assert_eq!(
                (answer["status"].as_str(), answer["errorCode"].as_str()),
                (Some("ERROR"), Some(code))
            );
            assert_eq!(used, None);
        }
    }
}
