//! Property tests of access rules: the SQL of the applications of these tests is compared with the oracle of `dz::testing`.

mod domains;
mod others;
mod paths;
mod tenants;

use dz::{Engine, testing::Proof};

dz::dz! {
    app press "Press"

    persona editor "Editor"
    persona writer "Writer"
    persona reader "Reader"

    entity User "Person":
      id: uuid pk
      name: str(60)
      desk: ref Desk
      city: str(40)
      rank: int
      permit:
        list: role(editor) or desk = current_user.desk
        read: role(editor) or id = current_user or city = "Blue"
        update: role(editor) or id = current_user
        create: role(editor)
      forbid:
        update: rank > current_user.rank

    entity Desk "Desk":
      id: uuid pk
      name: str(60) required unique
      city: str(40)
      budget: decimal(10,2) sensitive
      head: ref User
      drafts: has_many Draft
      open_drafts: computed count(drafts where status != printed)
      permit:
        list: role(editor, reader) or head = current_user
        read: role(editor) or (role(reader) and city = "Blue") or id = current_user.desk
        create: role(editor) and city = current_user.city
        update: role(editor) and (head = null or head = current_user)
        delete: role(editor, reader) and not any(drafts where status = printed)
        audit_now: role(editor) and head = current_user
      scope:
        list: city = current_user.desk.city
          for: reader
        list: all
          for: editor, writer
        update: city != "red"
          for: editor

    entity Draft "Draft":
      id: uuid pk
      title: str(80) required
      body: text
      desk: belongs_to Desk required
      author: ref User
      cover: ref Draft
      pages: int = 1
      due: date
      price: decimal(8,2) sensitive
      status: enum[idea, written, printed] = idea
      changed_at: datetime auto_update
      soft_delete
      transitions:
        idea -> written: requires author
        written -> printed: role(editor)
          guard: pages > 0 and author = current_user
        written -> idea
        printed -> written: requires author
      unique desk, author where status in [written, printed] and pages >= 3
      invariant: pages < 100
      permit:
        list: role(writer) or (anonymous and status = printed) or desk = current_user.desk or author = current_user
        read: role(editor) or author = current_user or status = printed or (anonymous and status = printed)
        create: role(writer) and (author = current_user or pages < 7)
        update: role(editor, reader) or (author = current_user and status != printed)
        delete: author = current_user or (role(editor) and due < today)
        transition: role(editor) or author = current_user
        restore: role(editor) and pages < 7
        approve: role(editor) and desk.head = current_user
      forbid:
        update: desk.city = "red" and pages >= 2
        delete: price > 1
        read: body = current_user.city

    entity Remark "Remark":
      id: int pk
      draft: belongs_to Draft required cascade
      by: ref User = current_user
      words: str(80) required
      fee: money
      permit:
        list: draft.author = current_user or by = current_user or role(editor) or fee_currency = "KWD"
        read: by = current_user or role(editor, reader) or (fee > 0 and fee_currency = "EUR")
        create: draft.status != printed and (by = current_user or role(reader))
        update: by = current_user and draft.author != current_user
        delete: role(editor)
      forbid:
        delete: words = "Blue"

    surface desk_list "Desks":
      uses entity Desk
      mode: list
      section main:
        field name
        field head "Head"
        field open_drafts
      ux:
        search: name, city, head.name

    surface draft_list "Drafts":
      uses entity Draft
      mode: list
      section main:
        field title
        field desk.name "Desk"
        field author "By"
        field cover "Cover"
      ux:
        sort: title asc
        filter: desk, author, status
        search: title, body, desk.name, author.name
        for reader:
          scope: status != idea or author = current_user
          hide: body, desk.name
        for writer:
          scope: desk = current_user.desk and pages < 8
          hide: body, status
          read_only: true

    surface desk_view "Desk":
      uses entity Desk
      mode: view
      section facts "Facts":
        field name
        field head
        field budget
      section drafts "Drafts":
        uses entity Draft
        filter: pages != 7
        field title
        field author

    surface draft_view "Draft":
      uses entity Draft
      mode: view
      ux:
        for reader:
          scope: pages < 7 and (author = current_user or desk = current_user.desk or due = null)
          hide: body
        for writer:
          scope: author = current_user or desk = current_user.desk
          hide: body, due

    surface draft_edit "Change draft":
      uses entity Draft
      mode: edit
      ux:
        for reader, editor:
          scope: author = current_user or pages < 7
          hide: body

    surface remark_view "Remark":
      uses entity Remark
      mode: view
      ux:
        for editor:
          hide: words
          read_only: true
        for reader:
          scope: all
          hide: words, draft

    surface person_list "People":
      uses entity User
      mode: list
}

#[test]
fn the_rules_of_the_press() {
    let report = dz::testing::prove_access!(app);
    // Visible with `--nocapture`.
    println!("{report:?}");
    assert!(report.cases >= 2_000, "{report:?}");
    assert!(5 * report.anonymous >= report.cases && 5 * report.with_null >= report.cases, "{report:?}");
    let channels = [
        "list",
        "filter",
        "sort",
        "search",
        "csv",
        "expand",
        "read",
        "picker",
        "page",
        "form",
        "create",
        "update",
        "delete",
        "transition",
        "action",
        "restore",
        "bulk",
        "typed",
    ];
    assert_eq!(channels.iter().find(|channel| report.channels.get(*channel).is_none_or(|cases| *cases < 30)), None, "{report:?}");
    assert!(report.written >= 100, "{report:?}");
}

/// Conditions that another one implies, so that their removal has no effect, and one whose effect random worlds rarely show. The number
/// is that of the places in the file.
const IMPLIED: &[(&str, usize)] = &[
    // The entities in a 409: `rows/tests/deletes.rs` of the runtime tests it.
    ("`read` of Draft at rows/delete.rs", 1),
    // No reference to a draft or of one cascades, so its rule for deletions is not used here.
    ("`delete` of Draft at rows/delete.rs", 1),
    // A caller who can delete a draft is its author or an editor, and can list its remarks.
    ("`list` of Remark at rows/delete.rs", 1),
    // Only a related list shows menus of remarks, and random responses compare the menus of lists: `nested_rows.rs` tests the others.
    ("`delete` of Remark at rows/list.rs", 1),
    // A caller who creates a remark is its `by` or a reader; editors create people. All of them can read it afterwards.
    ("`read` of Remark at rows/write/store.rs", 1),
    ("`read` of User at rows/write/store.rs", 1),
    // A caller who changed a remark is its `by`, and one who changed a person is that person or an editor.
    ("`read` of Remark at rows/read.rs", 1),
    ("`read` of User at rows/read.rs", 1),
    // A typed query for updates returns readable values: a caller who can update a desk, a person or a remark can read it.
    ("`read` of Desk at scoped/source.rs", 1),
    ("`read` of User at scoped/source.rs", 1),
    ("`read` of Remark at scoped/source.rs", 1),
    // The masks of rows that typed writes return to Rust: random responses do not contain these rows, `masked_rows.rs` tests them.
    ("`update` of Desk at rows/read.rs", 1),
    ("`update` of Draft at rows/read.rs", 1),
];

#[test]
fn every_removed_condition_is_detected() {
    let proof = Proof::new(app).engine(Engine::Sqlite).cases(2_500).implied(IMPLIED.iter().copied());
    let undetected = proof.undetected_removals();
    assert!(undetected.is_empty(), "{undetected:#?}");
}

#[test]
fn the_rules_of_the_example() {
    dz::testing::prove_access!(crate::fieldwork::fieldwork);
}
