//! Every id once: set aside, sent out, ended, settled; and never more than was approved.

use serde_json::Value;

use super::book::{Book, iterations};
use super::ids::{self, Id, Task};

type Told = Result<(), String>;

fn id(payload: &Value) -> Result<Id, String> {
    let text = payload["dispatch_id"].as_str().unwrap_or_default();
    if !text.starts_with("c-0123456789ab.") {
        return Err("the id of another conference".to_owned());
    }
    ids::id(text).ok_or_else(|| format!("{text} is no id"))
}

pub(super) fn reserved(book: &mut Book<'_>, payload: &Value) -> Told {
    let id = id(payload)?;
    let (iterations, calls) = cost(payload);
    let allowance = allowance(book, id);
    book.hold((iterations, calls) == (allowance, 1), || {
        "it sets aside another amount".to_owned()
    })?;
    let new = !book.accounts.contains_key(&id);
    book.hold(new, || "it was set aside before".to_owned())?;
    may_go_out(book, id)?;
    book.accounts.entry(id).or_default().reserved = iterations;
    let spent = book.spent(u64::MAX);
    book.hold(spent <= book.on.ceiling, || {
        format!("{spent} iterations, more than the ceiling")
    })?;
    let calls = book.calls(id.task, u64::MAX);
    let approved = book.approved_calls(id.task);
    let role = id.task.role();
    book.hold(calls <= approved, || {
        format!("{calls} calls of {role}, approved {approved}")
    })
}

/// After these nothing may even be set aside.
fn may_go_out(book: &mut Book<'_>, id: Id) -> Told {
    book.hold(!book.cancelled, || "somebody asked to stop".to_owned())?;
    let in_time = !book.out_of_time || id.task == Task::Synthesis;
    book.hold(in_time, || "the wall clock ran out".to_owned())
}

pub(super) fn allowance(book: &Book<'_>, id: Id) -> u64 {
    match id.task {
        Task::Lane(..) => book.on.iterations,
        _ => 0,
    }
}

fn cost(payload: &Value) -> (u64, u64) {
    let number = |key: &str| payload[key].as_u64().unwrap_or(u64::MAX);
    (number("iterations"), number("calls"))
}

/// An id goes out: what concerns its account.
pub(super) fn issued(book: &mut Book<'_>, payload: &Value) -> Result<Id, String> {
    let id = id(payload)?;
    may_go_out(book, id)?;
    let account = book.accounts.get(&id);
    let ready = account.is_some_and(|account| !account.issued && account.settled.is_none());
    book.hold(ready, || {
        "nothing is set aside for it, or it went out before".to_owned()
    })?;
    if id.attempt > 1 {
        let before = Id {
            attempt: id.attempt - 1,
            ..id
        };
        let lost = book
            .accounts
            .get(&before)
            .and_then(|account| account.end.clone());
        let lost = lost == Some(("dispatch.failed".to_owned(), "lost".to_owned()));
        book.hold(lost && book.on.redispatch, || {
            "tried again, though nobody allowed it".to_owned()
        })?;
    }
    let out = book.open().len() as u64;
    book.hold(out < book.on.slots, || format!("{out} are out already"))?;
    if let Some(account) = book.accounts.get_mut(&id) {
        account.issued = true;
    }
    Ok(id)
}

pub(super) fn accepted(book: &mut Book<'_>, payload: &Value) -> Told {
    let id = id(payload)?;
    let digest = payload["digest"].as_str().unwrap_or_default().to_owned();
    let document = book.documents.get(&digest);
    let document = document.ok_or("its packet is not kept")?;
    let own =
        document["dispatch_id"] == payload["dispatch_id"] && document["role"] == id.task.role();
    book.hold(own, || "the packet of another".to_owned())?;
    let raw = payload["raw_digest"].as_str().unwrap_or_default();
    let sound = !book.refusable.contains(raw);
    book.hold(sound, || "what must be refused was taken".to_owned())?;
    let poison = book.poison;
    book.hold(!document.to_string().contains(poison), || {
        "poison was taken".to_owned()
    })?;
    let within = iterations(document) as u64 <= allowance(book, id);
    book.hold(within, || "more iterations than allowed".to_owned())?;
    let open = book
        .accounts
        .get(&id)
        .is_some_and(|account| account.issued && account.end.is_none() && account.packet.is_none());
    book.hold(open, || "its id is not open".to_owned())?;
    if let Some(account) = book.accounts.get_mut(&id) {
        account.packet = Some(digest);
    }
    Ok(())
}

pub(super) fn ended(book: &mut Book<'_>, name: &str, payload: &Value) -> Told {
    let id = id(payload)?;
    let account = book.accounts.get(&id);
    let open = account.is_some_and(|account| account.issued && account.end.is_none());
    book.hold(open, || {
        "a second end, or the end of what never went out".to_owned()
    })?;
    let packet = book
        .accounts
        .get(&id)
        .and_then(|account| account.packet.clone());
    let received = name == "dispatch.received";
    let named = payload["digest"].as_str().map(str::to_owned);
    book.hold(received == packet.is_some(), || {
        "its end and its packet disagree".to_owned()
    })?;
    book.hold(named == packet, || {
        "its end names another packet".to_owned()
    })?;
    let reason = payload["reason"].as_str().unwrap_or_default().to_owned();
    book.hold(received || !reason.is_empty(), || "no reason".to_owned())?;
    if name == "dispatch.cancelled" {
        let asked = book.cancelled;
        book.hold(asked, || "nobody asked to stop".to_owned())?;
    }
    if let Some(account) = book.accounts.get_mut(&id) {
        account.end = Some((name.to_owned(), reason));
    }
    Ok(())
}

pub(super) fn settled(book: &mut Book<'_>, payload: &Value) -> Told {
    let id = id(payload)?;
    let account = book.accounts.get(&id).ok_or("nothing was set aside")?;
    let once = account.settled.is_none();
    let expected = match (&account.end, &account.packet) {
        // It never went out: all of it is given back.
        (None, _) if !account.issued => (0, 0),
        (None, _) => return Err("it is open".to_owned()),
        (Some(_), Some(packet)) => (
            book.documents
                .get(packet)
                .map_or(0, |packet| iterations(packet) as u64),
            1,
        ),
        (Some(_), None) => (account.reserved, 1),
    };
    let found = cost(payload);
    let never = !account.issued;
    book.hold(once, || "settled twice".to_owned())?;
    book.hold(found == expected, || {
        format!("settled {found:?}, expected {expected:?}")
    })?;
    if never {
        let over = book.cancelled || book.out_of_time;
        book.hold(over, || "given back although it could go out".to_owned())?;
    }
    if let Some(account) = book.accounts.get_mut(&id) {
        account.settled = Some(found);
    }
    Ok(())
}

pub(super) fn measured(book: &mut Book<'_>, payload: &Value) -> Told {
    let id = id(payload)?;
    let index = payload["index"].as_u64().ok_or("no index")?;
    let numbers = payload["raw"].as_array().into_iter().flatten();
    let raw: Vec<f64> = numbers.filter_map(Value::as_f64).collect();
    let median = payload["median"].as_f64();
    let evaluator = book.on.evaluator;
    book.hold(evaluator, || "nobody measures here".to_owned())?;
    let within = median.is_none_or(|median| raw.contains(&median));
    book.hold(within, || "a median that nobody measured".to_owned())?;
    if id.task == Task::Probe {
        let new = book.baseline.replace(median).is_none() && book.rounds.is_empty();
        return book.hold(new, || "a second baseline, or too late".to_owned());
    }
    let packet = book.packet(id.task).filter(|(last, _)| *last == id);
    let offered = packet
        .and_then(|(_, packet)| packet["candidates"].as_array())
        .map_or(0, Vec::len);
    book.hold(index < offered as u64, || {
        "it measures what nobody offered".to_owned()
    })?;
    let new = book
        .evaluations
        .insert((id, index), (raw, median))
        .is_none();
    book.hold(new, || "measured twice".to_owned())
}
