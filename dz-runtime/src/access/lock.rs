//! The access matrix that people have agreed to, beside the declaration: `access.lock`.

/// Compares the lock with what is declared now; generated tests call it.
///
/// # Panics
/// When they differ, with the lines that do.
pub fn check(file: &str, lock: &str, now: &str) {
    let (lock, now) = (lock.replace("\r\n", "\n"), now.replace("\r\n", "\n"));
    if lock.trim_end() == now.trim_end() {
        return;
    }
    let differences = differences(&lines(&lock), &lines(&now));
    panic!(
        "who may do what is not what {file} says:\n\n{differences}\nread it, and when it is meant, keep it with \
         `dz access --write {file}`"
    );
}

/// Lines that stand for themselves: each says of which entity and action it is.
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

/// What only one side has: `-` what was agreed to, `+` what is declared.
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
    fn the_same_is_the_same_whatever_ends_its_lines() {
        check("access.lock", &OLD.replace('\n', "\r\n"), OLD);
    }

    #[test]
    fn what_differs_is_shown_with_its_rule() {
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
