//! From an input that goes wrong to a small one that does.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// The message of a panic.
pub(crate) fn catch_panic(attempt: impl FnOnce() -> String) -> Result<String, String> {
    catch_unwind(AssertUnwindSafe(attempt)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
    })
}

/// Takes pieces out, half of it first, then ever smaller ones, while it still goes wrong, and tells why it does. Tries
/// two hundred times, in silence.
pub(crate) fn shrink_input(input: &[u8], goes_wrong: impl Fn(&[u8]) -> Option<String>) -> (Vec<u8>, String) {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let (mut smallest, mut why) = (input.to_vec(), goes_wrong(input).unwrap_or_default());
    let (mut size, mut tries) = (input.len().div_ceil(2), 0);
    while size > 0 && tries < 200 {
        let mut at = 0;
        while at < smallest.len() && tries < 200 {
            tries += 1;
            let mut less = smallest.clone();
            less.drain(at..(at + size).min(smallest.len()));
            match goes_wrong(&less) {
                Some(reason) => (smallest, why) = (less, reason),
                None => at += size,
            }
        }
        size /= 2;
    }
    std::panic::set_hook(hook);
    (smallest, why)
}

#[cfg(test)]
mod tests {
    use super::{catch_panic, shrink_input};

    #[test]
    fn what_has_no_part_in_it_goes() {
        let goes_wrong = |bytes: &[u8]| {
            let wrong = bytes.contains(&b'!') && bytes.contains(&b'?');
            wrong.then(|| "marks".to_owned())
        };
        let (smallest, why) = shrink_input(b"a long text! with marks? in it", goes_wrong);
        assert_eq!((smallest.as_slice(), why.as_str()), (b"!?".as_slice(), "marks"));
    }

    #[test]
    fn a_panic_tells_why() {
        assert_eq!(catch_panic(|| panic!("{} bytes", 3)), Err("3 bytes".to_owned()));
        assert_eq!(catch_panic(|| "fine".to_owned()), Ok("fine".to_owned()));
    }
}
