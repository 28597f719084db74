//! Files are relocated between a folder and a bucket while the application runs.

use std::path::PathBuf;

use super::*;

fn new_folder(of: &str, engine: Engine) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("dz-{of}-{engine:?}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn count_files(folder: &std::path::Path) -> usize {
    let folders = std::fs::read_dir(folder).into_iter().flatten().flatten();
    folders.map(|it| std::fs::read_dir(it.path()).into_iter().flatten().count()).sum()
}

fn check_relocation(engine: Engine) {
    let Some(proxy) = Proxy::start() else { return };
    let (url, folder, prefix) =
        (server::new_url(engine, "observatory_moves"), new_folder("observatory-moves", engine), format!("moved-{engine:?}"));
    let (path, bucket) = (folder.to_str().expect("a path").to_owned(), address(&prefix));
    // An instance with the former configuration must not remove files.
    let before = Client::signed_in(&serve(engine, &url, &json!({ "files": path, "worker": false }), connection(&proxy)), VERA);
    let long = long_text(6 << 20);
    let texts = [("a.txt", "first"), ("b.txt", "second"), ("sky.txt", long.as_str())];
    let rows = texts.map(|(name, text)| (plate(&before, name, text.as_bytes()), text));
    let check = |client: &Client| {
        for (row, text) in &rows {
            assert!(client.get(&download_path(row)).ok(200).body == *text);
        }
    };
    let in_folder = format!("{{files={path:?},s3={{region=\"eu-central-1\"}}}}");
    let command = |settings: &str, words: &[&str], expected: &[&str]| {
        let (success, text) = run(&proxy, engine, &url, settings, words);
        assert!(success && expected.iter().all(|part| text.contains(part)), "{expected:?} are not in:\n{text}");
    };
    // The application uses the folder, so the copies do not replace the files.
    let next = format!("now set `dz.files` to `{bucket}` and `dz.files_before` to `{path}`");
    command(&in_folder, &["files", "move", "--to", &bucket], &["copied 3 files", "verified", &next]);
    assert_eq!((count_files(&folder), proxy.objects(&prefix).len()), (3, 3));
    check(&before);
    // The part of a copy, and a damaged copy, are replaced.
    let (name, _) = proxy.objects(&prefix)[0].clone();
    proxy.damage(&name, "part");
    // Until the restart, the application stores files in the folder.
    let late = (plate(&before, "late.txt", b"late"), "late");
    let after = Client::signed_in(&serve(engine, &url, &json!({ "files": bucket, "files_before": path }), connection(&proxy)), VERA);
    assert_eq!(after.get(&download_path(&late.0)).ok(200).body, "late");
    let early = plate(&after, "early.txt", b"early");
    let in_bucket = format!("{{files={bucket:?},files_before={path:?}}}");
    let facts = ["\"copied\":2", "\"present\":2", "\"removed\":true", "\"verified\":true"];
    command(&in_bucket, &["files", "move", "--to", &bucket, "--format", "json"], &facts);
    assert_eq!((count_files(&folder), proxy.objects(&prefix).len()), (0, 5));
    check(&after);
    assert_eq!(after.get(&download_path(&early)).ok(200).body, "early");
    command(&in_bucket, &["files", "move", "--to", &bucket], &["relocated 0 files"]);
    // Back to the folder; a row that is deleted in the meantime loses both copies.
    let back = format!("{{files={path:?},files_before={bucket:?}}}");
    let again = Client::signed_in(&serve(engine, &url, &json!({ "files": path, "files_before": bucket }), connection(&proxy)), VERA);
    check(&again);
    again.delete(&format!("/api/plates/{}", early["id"].as_str().expect("an id"))).ok(204);
    eventually_slowly(4, || proxy.objects(&prefix).len());
    command(&back, &["files", "move", "--to", &path], &["relocated 4 files", "`dz.files_before` can be removed"]);
    assert_eq!((count_files(&folder), proxy.objects(&prefix).len()), (4, 0));
    check(&again);
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn files_are_relocated_to_a_bucket_and_back_on_sqlite() {
    check_relocation(Engine::Sqlite);
}

#[test]
fn files_are_relocated_to_a_bucket_and_back_on_postgres() {
    check_relocation(Engine::Postgres);
}

#[test]
fn a_relocation_explains_what_it_needs() {
    let Some(proxy) = Proxy::start() else { return };
    let url = server::new_file("observatory_explains");
    let fails = |settings: &str, words: &[&str], expected: &str| {
        let (success, text) = run(&proxy, Engine::Sqlite, &url, settings, words);
        assert!(!success && text.contains(expected), "`{expected}` is not in:\n{text}");
    };
    fails("{}", &["files"], "`files move --to FOLDER|s3://… [--format json]`");
    fails("{}", &["files", "move", "--to", "gs://plates"], "`--to` is `gs://plates`; write the path of a folder");
    let own = address("own");
    fails(&format!("{{files={own:?}}}"), &["files", "move", "--to", &own], "set `dz.files_before`");
}

#[test]
fn an_application_with_a_bucket_is_moved_to_postgres() {
    let Some(proxy) = Proxy::start() else { return };
    let (source, target) = (server::new_file("observatory_grows"), server::new_database("observatory_grows"));
    let files = json!({ "files": address("grows"), "worker": false });
    let row = plate(&Client::signed_in(&serve(Engine::Sqlite, &source, &files, connection(&proxy)), VERA), "a.txt", b"before");
    let (success, text) = run(&proxy, Engine::Sqlite, &source, &format!("{{files={:?}}}", address("grows")), &["move", "--to", &target]);
    assert!(success && text.contains("the stored files stay in their folder or bucket"), "{text}");
    let vera = Client::signed_in(&serve(Engine::Postgres, &target, &files, connection(&proxy)), VERA);
    assert_eq!(vera.get(&download_path(&row)).ok(200).body, "before");
}
