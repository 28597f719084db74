//! Which files the worker removes, and which it keeps.

use dz::Clock;

use super::*;

/// The files in a folder.
pub(super) fn list_files(folder: &std::path::Path) -> Vec<PathBuf> {
    let folders = std::fs::read_dir(folder).into_iter().flatten().flatten();
    folders.flat_map(|it| std::fs::read_dir(it.path()).into_iter().flatten().flatten()).map(|it| it.path()).collect()
}

fn lying(folder: &std::path::Path) -> usize {
    list_files(folder).len()
}

#[test]
fn only_files_without_a_row_are_removed() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let folder = std::env::temp_dir().join(format!("dz-swept-{engine:?}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let clock = Clock::stopped(dz::Utc::now());
        let settings = json!({ "files": folder.to_str().expect("a path") });
        let base = crate::server::serve_with(binder().clock(clock.clone()), engine, crate::server::new_url(engine, "swept"), settings);
        let cleo = Client::signed_in(&base, CLEO);
        let swept = |wanted: usize| {
            let begun = std::time::Instant::now();
            while lying(&folder) != wanted {
                assert!(begun.elapsed().as_secs() < 30, "{:?} lie there, and not {wanted} files", list_files(&folder));
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
        };
        let group = cleo.send("POST", "/api/folders", &json!({ "name": "F" })).ok(201).json();
        let row = sheet(&cleo, json!({ "title": "A", "scan": upload_file(&cleo, "a", b"a"), "folder": group["id"] }));
        assert_eq!(lying(&folder), 1);
        // Replaced, deleted with the row, and deleted with the parent of the row.
        cleo.send("PATCH", &path(&row), &json!({ "scan": upload_file(&cleo, "b", b"b") })).ok(200);
        swept(1);
        cleo.delete(&format!("/api/folders/{}", group["id"].as_str().expect("an id"))).ok(204);
        swept(0);
        // A soft-deleted row keeps its file, which is restored with it.
        let front = upload(&cleo, "/files/cards/front", "f", b"front").ok(201).json();
        let card = cleo.send("POST", "/api/cards", &json!({ "front": front })).ok(201).json();
        let at = format!("/api/cards/{}", card["id"].as_str().expect("an id"));
        cleo.delete(&at).ok(204);
        assert_eq!(cleo.get(card["front"]["url"].as_str().expect("an address")).status, 404);
        // An unused upload is removed after a day, and so are bytes without metadata after a crash.
        let waits = upload_file(&cleo, "waits", b"waits");
        let stray = folder.join("ab");
        std::fs::create_dir_all(&stray).expect("a folder");
        std::fs::write(stray.join(format!("ab{}", "0".repeat(30))), b"left").expect("a file");
        std::fs::write(stray.join("somebody else's.txt"), b"not ours").expect("a file");
        assert_eq!(lying(&folder), 4);
        clock.advance(chrono::TimeDelta::hours(23));
        std::thread::sleep(std::time::Duration::from_millis(300));
        assert_eq!(lying(&folder), 4);
        clock.advance(chrono::TimeDelta::hours(2));
        swept(2);
        let cleo = Client::signed_in(&base, CLEO);
        cleo.send("POST", "/api/sheets", &json!({ "title": "Late", "scan": waits })).problem(422, "VALIDATION");
        cleo.send("POST", &format!("{at}/actions/restore"), &json!({})).ok(200);
        assert_eq!(cleo.get(card["front"]["url"].as_str().expect("an address")).ok(200).body, "front");
        let _ = std::fs::remove_dir_all(&folder);
    }
}
