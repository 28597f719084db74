//! The lock file of the access matrix, `access.lock`, beside the declaration.

/// Compares the lock file with the declared access matrix; generated tests call it.
///
/// # Panics
/// If they differ, with the different lines.
pub fn check(file: &str, lock: &str, now: &str) {
    let (lock, now) = (lock.replace("\r\n", "\n"), now.replace("\r\n", "\n"));
    if lock.trim_end() == now.trim_end() {
        return;
    }
    let differences = differences(&lines(&lock), &lines(&now));
    panic!(
        "the access rules differ from {file}:\n\n{differences}\nreview the differences; if they are intended, run \
         `dz access --write {file}`"
    );
}

/// The lines, each prefixed with its entity and action, so that they can be compared one by one.
fn lines(text: &str) -> Vec<String> {
    let mut about = String::new();
    let mut line_of = |line: &str| {
        let words = line.trim().trim_end_matches(',');
        if words.starts_with("\"entity\"") {
            about = words.split('"').skip(3).step_by(4).collect::<Vec<_>>().join(" ");
        }
        format!("{about}: {words}")
    };
    text.lines().map(&mut line_of).collect()
}

/// The lines that only one side contains: `-` for the lock file, `+` for the declaration.
fn differences(old: &[String], new: &[String]) -> String {
    let only = |of: &[String], other: &[String], sign: char| -> Vec<String> {
        let mut rest: Vec<&String> = other.iter().collect();
        let mut only = Vec::new();
        for line in of {
            match rest.iter().position(|other| *other == line) {
                Some(at) => drop(rest.remove(at)),
                None => only.push(format!("{sign} {line}\n")),
            }
        }
        only
    };
    only(old, new, '-').into_iter().chain(only(new, old, '+')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "{\n  \"rules\": [\n    {\n      \"entity\": \"Task\", \"action\": \"list\",\n      \"permit\": [\"true\"], \"forbid\": []\n    }\n  ]\n}\n";

    #[test]
    fn line_ends_do_not_matter() {
        check("access.lock", &OLD.replace('\n', "\r\n"), OLD);
    }

    #[test]
    fn differences_are_reported_with_their_rule() {
        let new = OLD.replace("\"true\"", "\"role(manager)\"");
        let told = std::panic::catch_unwind(|| check("access.lock", OLD, &new)).unwrap_err();
        let told = told.downcast_ref::<String>().unwrap();
        assert!(
            told.contains("- Task list: \"permit\": [\"true\"], \"forbid\": []\n+ Task list: \"permit\": [\"role(manager)\"], "),
            "{told}"
        );
        assert!(told.contains("dz access --write access.lock"), "{told}");
    }
}
