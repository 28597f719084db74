//! Files in the rows of a form: uploaded, kept, replaced, removed and refused together with their rows.

use dz::serde_json::{Value, json};

use crate::{
    client::{Answer, Client},
    files::{parts, send_form},
    form_rows::hidden,
};

dz::dz! {
    app strings "Strings"

    persona luthier "Luthier"
    persona player "Player"

    entity User "Person":
      id: uuid pk
      permit:
        list: true
        read: true

    entity Instrument "Instrument":
      id: uuid pk
      name: str(40) required
      label: file(2KB)
      pictures: has_many Picture
      permit:
        list: true
        read: true
        create: true
        update: true

    entity Picture "Picture":
      id: uuid pk
      instrument: ref Instrument required cascade
      view: str(20) required
      image: file(1KB) required
      note: file(1KB)
      permit:
        list: true
        read: true
        create: role(luthier)
        update: role(luthier)
        delete: role(luthier)

    surface instrument_new "New instrument":
      uses entity Instrument
      mode: create
      section main:
        field name
        field label
      section pictures "Pictures":
        uses entity Picture
        field view
        field image
        field note

    surface instrument_edit "Change an instrument":
      uses entity Instrument
      mode: edit
      section main:
        field name
      section pictures "Pictures":
        uses entity Picture
        field view
        field image
        field note

    demo:
      User:
        - email: "lena@strings.example", password: "spruce and maple", roles: [luthier]
        - email: "paul@strings.example", password: "plays the viola", roles: [player]
}

crate::served_on_both! {
    "form_files", app();
    files_are_saved_with_their_rows;
    files_of_rows_are_kept_replaced_and_removed;
    a_refused_file_keeps_everything_else;
    two_users_change_a_file_of_a_row;
    the_rules_of_rows_apply_to_their_files;
    a_session_that_has_ended_keeps_the_texts_around_a_file;
}

const LENA: (&str, &str) = ("lena@strings.example", "spruce and maple");
const PAUL: (&str, &str) = ("paul@strings.example", "plays the viola");
const NEW: &str = "/app/instrument_new";

/// A file of a form: its control, its name and its content.
type Sent<'s> = (&'s str, &'s str, &'s [u8]);

/// Submits the form of a page with further texts and with files, as a browser does.
fn submit(client: &Client, path: &str, page: &Answer, texts: &[(&str, &str)], files: &[Sent<'_>]) -> Answer {
    let hidden = hidden(page);
    let own = hidden.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let own = own.filter(|(name, _)| !texts.iter().any(|(given, _)| given == name));
    let all: Vec<(&str, &str)> = own.chain(texts.iter().copied()).collect();
    let files: Vec<_> = files.iter().map(|(control, name, bytes)| (*control, *name, "application/octet-stream", *bytes)).collect();
    send_form(client, path, &parts(&all, &files))
}

/// The pictures of an instrument by their views.
fn pictures(client: &Client, instrument: &str) -> Vec<Value> {
    let all = client.get(&format!("/api/pictures?instrument={instrument}&sort=view")).ok(200).json();
    all["items"].as_array().expect("rows").clone()
}

/// The content of a file of a row.
fn content(client: &Client, row: &Value, field: &str) -> String {
    client.get(row[field]["url"].as_str().expect("an address")).ok(200).body
}

/// The id of the only instrument with this name.
fn instrument(client: &Client, name: &str) -> String {
    let found = client.get(&format!("/api/instruments?name={}", crate::client::encode(name))).ok(200).json();
    assert_eq!(found["total"], 1, "{found}");
    found["items"][0]["id"].as_str().expect("an id").to_owned()
}

/// Saves an instrument with two pictures by its form; returns its id.
fn saved(client: &Client, name: &str) -> String {
    let page = client.get(NEW).ok(200);
    let texts = [("name", name), ("rows-pictures-0-view", "back"), ("rows-pictures-1", "+"), ("rows-pictures-1-view", "front")];
    let files: [Sent<'_>; 2] = [("rows-pictures-0-image", "back.txt", b"a back"), ("rows-pictures-1-image", "front.txt", b"a front")];
    submit(client, NEW, &page, &texts, &files).ok(303);
    instrument(client, name)
}

fn files_are_saved_with_their_rows(base: &str) {
    let lena = Client::signed_in(base, LENA);
    let page = lena.get(NEW).ok(200);
    page.shows(&["enctype=\"multipart/form-data\"", "id=\"rows-pictures-0-image\"", "type=\"file\"", "data-dz-limit=\"1000\""]);
    // The button that adds a row keeps the files.
    let texts = [("name", "Viola"), ("rows-pictures-0-view", "scroll"), ("dz.find", "rows-pictures")];
    let files: [Sent<'_>; 2] = [("label", "label.txt", b"1721"), ("rows-pictures-0-image", "scroll.txt", b"a scroll")];
    let page = submit(&lena, NEW, &page, &texts, &files).ok(200);
    page.shows(&["label.txt", "scroll.txt", "value=\"scroll\"", "id=\"rows-pictures-1-image\""]);
    let texts = [("name", "Viola"), ("rows-pictures-0-view", "scroll"), ("rows-pictures-1-view", "bridge")];
    let files: [Sent<'_>; 2] = [("rows-pictures-1-image", "bridge.txt", b"a bridge"), ("rows-pictures-1-note", "note.txt", b"maple")];
    submit(&lena, NEW, &page, &texts, &files).ok(303);
    let id = instrument(&lena, "Viola");
    let saved = pictures(&lena, &id);
    let views: Vec<&str> = saved.iter().filter_map(|row| row["view"].as_str()).collect();
    assert_eq!(views, ["bridge", "scroll"]);
    assert_eq!((content(&lena, &saved[0], "image"), content(&lena, &saved[1], "image")), ("a bridge".to_owned(), "a scroll".to_owned()));
    assert_eq!((content(&lena, &saved[0], "note"), &saved[1]["note"]), ("maple".to_owned(), &Value::Null));
    assert_eq!(lena.get(&format!("/api/instruments/{id}")).json()["label"]["name"], "label.txt");
    // A row with a file only is a row.
    let page = lena.get(NEW).ok(200);
    let files: [Sent<'_>; 1] = [("rows-pictures-0-image", "alone.txt", b"alone")];
    let refused = submit(&lena, NEW, &page, &[("name", "Alone")], &files).ok(422);
    refused.shows(&["id=\"rows-pictures-0-view-error\"", "alone.txt"]);
    // A refused form has the file, which the next submission saves.
    submit(&lena, NEW, &refused, &[("name", "Alone"), ("rows-pictures-0-view", "only")], &[]).ok(303);
    assert_eq!(content(&lena, &pictures(&lena, &instrument(&lena, "Alone"))[0], "image"), "alone");
}

fn files_of_rows_are_kept_replaced_and_removed(base: &str) {
    let lena = Client::signed_in(base, LENA);
    let id = saved(&lena, "Cello");
    let path = format!("/app/instrument_edit/{id}");
    let page = lena.get(&path).ok(200);
    page.shows(&["enctype=\"multipart/form-data\"", "back.txt", "front.txt", "rows-pictures-0-note"]);
    // A required file has no box that removes it.
    page.lacks(&["rows-pictures-0-image.remove"]);
    let before = pictures(&lena, &id);
    let texts = [("name", "Cello"), ("rows-pictures-0-view", "back"), ("rows-pictures-1-view", "front")];
    // Without a change nothing is written.
    submit(&lena, &path, &page, &texts, &[("rows-pictures-0-image", "", b"")]).ok(303);
    assert_eq!(pictures(&lena, &id), before);
    // One file is replaced, one is added, the other row is unchanged.
    let files: [Sent<'_>; 2] = [("rows-pictures-0-image", "new.txt", b"a new back"), ("rows-pictures-0-note", "note.txt", b"varnish")];
    submit(&lena, &path, &page, &texts, &files).ok(303);
    let after = pictures(&lena, &id);
    assert_eq!((content(&lena, &after[0], "image"), content(&lena, &after[0], "note")), ("a new back".to_owned(), "varnish".to_owned()));
    assert_eq!(after[1], before[1]);
    // The optional file is removed, and a row is removed with its file.
    let page = lena.get(&path).ok(200);
    page.shows(&["new.txt", "note.txt", "name=\"rows-pictures-0-note.remove\""]);
    let gone = after[1]["image"]["url"].as_str().expect("an address").to_owned();
    let texts = [
        ("name", "Cello"),
        ("rows-pictures-0-view", "back"),
        ("rows-pictures-0-note.remove", "true"),
        ("rows-pictures-1-view", "front"),
        ("rows-pictures-1.gone", "1"),
    ];
    submit(&lena, &path, &page, &texts, &[]).ok(303);
    let last = pictures(&lena, &id);
    assert_eq!((last.len(), &last[0]["note"], content(&lena, &last[0], "image")), (1, &Value::Null, "a new back".to_owned()));
    assert_eq!(lena.get(&gone).status, 404);
}

fn a_refused_file_keeps_everything_else(base: &str) {
    let lena = Client::signed_in(base, LENA);
    let page = lena.get(NEW).ok(200);
    let large = [b'x'; 1_001];
    let texts = [("name", "Bass"), ("rows-pictures-0-view", "neck"), ("rows-pictures-1", "+"), ("rows-pictures-1-view", "pegs")];
    let files: [Sent<'_>; 2] = [("rows-pictures-0-image", "large.txt", &large), ("rows-pictures-1-image", "pegs.txt", b"four pegs")];
    let refused = submit(&lena, NEW, &page, &texts, &files).ok(413);
    refused.shows(&["id=\"rows-pictures-0-image-error\"", "May have at most 1 KB", "value=\"neck\"", "value=\"pegs\"", "pegs.txt"]);
    refused.lacks(&["rows-pictures-1-image-error", "large.txt"]);
    assert_eq!(lena.get("/api/instruments?name=Bass").json()["total"], 0);
    // A new row with nothing but a file that is too large is not dropped.
    let alone: [Sent<'_>; 1] = [("rows-pictures-0-image", "large.txt", &large)];
    submit(&lena, NEW, &page, &[("name", "Bass")], &alone).ok(413).shows(&["id=\"rows-pictures-0-image-error\""]);
    assert_eq!(lena.get("/api/instruments?name=Bass").json()["total"], 0);
    // The kept file is saved by the next submission.
    let files: [Sent<'_>; 1] = [("rows-pictures-0-image", "small.txt", b"a neck")];
    let texts = [("name", "Bass"), ("rows-pictures-0-view", "neck"), ("rows-pictures-1-view", "pegs")];
    submit(&lena, NEW, &refused, &texts, &files).ok(303);
    let saved = pictures(&lena, &instrument(&lena, "Bass"));
    assert_eq!((content(&lena, &saved[0], "image"), content(&lena, &saved[1], "image")), ("a neck".to_owned(), "four pegs".to_owned()));
    // Files for controls that are no files, for rows that the form does not have, and more files than a form can have.
    for control in ["rows-pictures-0-view", "rows-pictures-0-instrument", "rows-others-0-image", "rows-pictures-x-image", "name"] {
        let refused = submit(&lena, NEW, &page, &[("name", "Bass")], &[(control, "a.txt", b"a")]);
        assert_eq!(refused.status, 400, "{control}");
    }
    let names: Vec<String> = (0..21).map(|at| format!("rows-pictures-{at}-image")).collect();
    let many: Vec<Sent<'_>> = names.iter().map(|name| (name.as_str(), "a.txt", b"a".as_slice())).collect();
    submit(&lena, NEW, &page, &[("name", "Bass")], &many).ok(413).shows(&["at most 20 files"]);
    // An upload is for one field, and a file of another row cannot be taken.
    let taken = saved[0]["image"]["id"].as_str().expect("an id");
    let texts = [("name", "Thief"), ("rows-pictures-0-view", "mine"), ("rows-pictures-0-image", taken)];
    submit(&lena, NEW, &page, &texts, &[]).ok(422).shows(&["id=\"rows-pictures-0-image-error\""]);
}

fn two_users_change_a_file_of_a_row(base: &str) {
    let lena = Client::signed_in(base, LENA);
    let id = saved(&lena, "Lute");
    let path = format!("/app/instrument_edit/{id}");
    let page = lena.get(&path).ok(200);
    let texts = [("name", "Lute"), ("rows-pictures-0-view", "back"), ("rows-pictures-1-view", "front")];
    submit(&lena, &path, &page, &texts, &[("rows-pictures-0-image", "first.txt", b"the first")]).ok(303);
    // The page of the other user still has the old file.
    let conflict = submit(&lena, &path, &page, &texts, &[("rows-pictures-0-image", "second.txt", b"the second")]).ok(412);
    conflict.shows(&["Another user saved &#34;first.txt&#34; here", "second.txt"]);
    assert_eq!(content(&lena, &pictures(&lena, &id)[0], "image"), "the first");
    submit(&lena, &path, &conflict, &texts, &[]).ok(303);
    assert_eq!(content(&lena, &pictures(&lena, &id)[0], "image"), "the second");
}

fn the_rules_of_rows_apply_to_their_files(base: &str) {
    let (lena, paul) = (Client::signed_in(base, LENA), Client::signed_in(base, PAUL));
    let id = saved(&lena, "Fiddle");
    let page = paul.get(NEW).ok(200);
    page.lacks(&["rows-pictures"]);
    let files: [Sent<'_>; 1] = [("rows-pictures-0-image", "x.txt", b"x")];
    let texts = [("name", "Fake"), ("rows-pictures-0", "+"), ("rows-pictures-0-view", "x")];
    submit(&paul, NEW, &page, &texts, &files).ok(403);
    // The right for files of the row of the form is no right for those of its rows.
    let both: [Sent<'_>; 2] = [("label", "label.txt", b"1721"), ("rows-pictures-0-image", "x.txt", b"x")];
    submit(&paul, NEW, &page, &texts, &both).ok(403);
    assert_eq!(paul.get("/api/instruments?name=Fake").json()["total"], 0);
    // Rows that the user cannot change have their files without controls.
    let page = paul.get(&format!("/app/instrument_edit/{id}")).ok(200);
    page.shows(&["back.txt", "front.txt"]);
    page.lacks(&["type=\"file\""]);
    let csrf = hidden(&page).into_iter().find(|(name, _)| name == "csrf").expect("a token").1;
    let body = parts(&[("csrf", &csrf), ("name", "x")], &[("rows-pictures-0-image", "x.txt", "x", b"x")]);
    let headers = [("Content-Type", "multipart/form-data; boundary=edge"), ("Sec-Fetch-Site", "cross-site")];
    lena.request("POST", NEW, &headers, &body).ok(403);
}

/// A browser sends a form in the order of its controls, so that texts follow a file.
fn a_session_that_has_ended_keeps_the_texts_around_a_file(base: &str) {
    let lena = Client::signed_in(base, LENA);
    let page = lena.get(NEW).ok(200);
    let token = hidden(&page).into_iter().find(|(name, _)| name == "csrf").expect("a token").1;
    lena.send("POST", "/auth/logout", &json!({})).ok(204);
    let mut body = parts(&[("csrf", &token), ("name", "Harp")], &[("label", "label.txt", "text/plain", b"1721")]);
    body.truncate(body.len() - b"--edge--\r\n".len());
    body.extend(parts(&[("rows-pictures-0", "+"), ("rows-pictures-0-view", "the pillar")], &[]));
    let kept = send_form(&lena, NEW, &body).ok(401);
    kept.shows(&["Your session has ended", "value=\"Harp\"", "value=\"the pillar\""]);
}
