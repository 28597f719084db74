//! Leaked passwords: a file of their SHA-1 hashes, as "Have I Been Pwned" publishes it, ordered by hash.
//!
//! The file can be very large, so it is searched on the disk and never read as a whole.

use std::{
    fs::File,
    io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom},
    path::Path,
};

use sha1::{Digest as _, Sha1};

/// Digits of a hash.
const HASH_LENGTH: usize = 40;
/// The longest line: a hash, a colon, a count, and the end.
const MAX_LINE: u64 = 80;

/// Refuses a file that is not a list of hashes.
///
/// # Errors
/// The reason.
pub(crate) fn check(path: &Path) -> Result<(), String> {
    let file = File::open(path).map_err(|error| format!("the file cannot be read: {error}"))?;
    let mut line = String::new();
    BufReader::new(file).take(MAX_LINE).read_line(&mut line).map_err(|_| "the file is not a text".to_owned())?;
    match parse_hash(&line) {
        Some(_) => Ok(()),
        None => Err("each line must begin with a SHA-1 hash of 40 hexadecimal digits, and the lines must be ordered by hash".to_owned()),
    }
}

/// The hash at the beginning of a line, in capital letters.
fn parse_hash(line: &str) -> Option<String> {
    let hash = line.get(..HASH_LENGTH).filter(|hash| hash.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    let rest = line[HASH_LENGTH..].trim_end();
    (rest.is_empty() || rest.starts_with(':')).then(|| hash.to_ascii_uppercase())
}

/// True if a password is in a file.
///
/// # Errors
/// The file cannot be read, or changed after the start of the application.
pub(crate) fn contains_password(path: &Path, password: &str) -> std::io::Result<bool> {
    let wanted: String = Sha1::digest(password.as_bytes()).iter().map(|byte| format!("{byte:02X}")).collect();
    let mut file = File::open(path)?;
    // The line that holds the hash begins at `low` or later, and before `high`.
    let (mut low, mut high) = (0, file.metadata()?.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let Some((begin, line)) = line_after(&mut file, middle, high)? else {
            high = middle;
            continue;
        };
        let hash = parse_hash(&line).ok_or_else(|| std::io::Error::other("a line without a hash"))?;
        match hash.cmp(&wanted) {
            std::cmp::Ordering::Equal => return Ok(true),
            std::cmp::Ordering::Less => low = begin + line.len() as u64,
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    Ok(false)
}

/// The first line that begins at `from` or later and before `end`, and where.
fn line_after(file: &mut File, from: u64, end: u64) -> std::io::Result<Option<(u64, String)>> {
    let begin = match from {
        0 => 0,
        from => {
            // The byte before decides whether a line starts here.
            file.seek(SeekFrom::Start(from - 1))?;
            let mut rest = Vec::new();
            BufReader::new(file.take(MAX_LINE + 1)).read_until(b'\n', &mut rest)?;
            from - 1 + rest.len() as u64
        }
    };
    if begin >= end {
        return Ok(None);
    }
    file.seek(SeekFrom::Start(begin))?;
    let mut line = String::new();
    BufReader::new(file.take(MAX_LINE)).read_line(&mut line)?;
    Ok((!line.is_empty()).then_some((begin, line)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_passwords_of_the_file_are_found() {
        let path = std::env::temp_dir().join(format!("dz-breached-{}", std::process::id()));
        let hash = |text: &str| Sha1::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02X}")).collect::<String>();
        for ending in ["\n", "\r\n", ":12\n", ":7\r\n"] {
            for count in [1, 2, 3, 50, 257] {
                let mut hashes: Vec<String> = (0..count).map(|n| hash(&format!("known {n}"))).collect();
                hashes.sort();
                std::fs::write(&path, hashes.iter().map(|hash| format!("{hash}{ending}")).collect::<String>()).unwrap();
                check(&path).unwrap();
                for n in 0..count {
                    assert!(contains_password(&path, &format!("known {n}")).unwrap(), "{n} of {count}, {ending:?}");
                    assert!(!contains_password(&path, &format!("unknown {n}")).unwrap());
                }
            }
        }
        std::fs::write(&path, "password\n").unwrap();
        assert!(check(&path).unwrap_err().contains("40 hexadecimal digits"));
        assert!(contains_password(&path, "x").is_err());
        std::fs::remove_file(&path).unwrap();
        assert!(check(&path).unwrap_err().contains("cannot be read"));
    }
}
