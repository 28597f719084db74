//! Relations over HTTP, on pages and in Rust, on both engines: junctions, related lists, expansion, and dependent deletions.

use std::sync::{Mutex, PoisonError};

use dz::serde_json::{Value, json};

use crate::{client::Client, timed_transitions::eventually};

dz::dz! {
    app school "School"

    persona teacher "Teacher"
    persona parent "Parent"

    entity User "Person":
      id: uuid pk
      name: str(60) required
      permit:
        list: true
        read: true

    entity Course "Course":
      id: uuid pk
      name: str(60) required
      room: has_one Room
      enrolments: has_many Enrolment
      students: has_many Student via Enrolment cascade
      next: has_many Course via Sequel.earlier cascade
      attended: computed count(students)
      adults: computed count(students where age >= 18)
      oldest: computed max(students.age)
      crowded: computed any(students where age < this.limit)
      limit: int = 6
      invariant: count(students) <= 4
        message: "The course is full"
        code: COURSE_FULL
      permit:
        list: role(teacher) or any(students where guardian = current_user)
        read: role(teacher) or any(students where guardian = current_user)
        create: role(teacher)
        update: role(teacher)
        delete: role(teacher)

    entity Room "Room":
      id: uuid pk
      course: belongs_to Course
      name: str(60) required
      access:
        read: true
        write: role(teacher)
      audit: [update]

    entity Student "Student":
      id: uuid pk
      name: str(60) required
      age: int
      guardian: ref User
      courses: has_many Course via Enrolment
      permit:
        list: role(teacher) or guardian = current_user
        read: role(teacher) or guardian = current_user
        create: role(teacher)
        update: role(teacher)
        delete: role(teacher)

    entity Enrolment "Enrolment":
      id: uuid pk
      course: ref Course required
      student: ref Student required
      secret: bool = false
      soft_delete
      permit:
        list: role(teacher) or secret = false
        read: role(teacher) or secret = false
        create: role(teacher)
        delete: role(teacher)
      forbid:
        delete: secret = true
      audit: [delete]

    entity Sequel "Sequel":
      id: uuid pk
      earlier: ref Course required
      later: ref Course required
      access:
        read: true
        write: role(teacher)

    surface student_list "Students":
      uses entity Student
      mode: list
      ux:
        sort: name asc

    surface course_view "Course":
      uses entity Course
      mode: view
      section main:
        field name
      section pupils "Pupils":
        uses entity Student
        filter: age > 3
        field name
        field age
      related people "People":
        show: students
        display: grid
        columns: name, age
        limit: 2
      related around "Around it":
        show: next, Room

    surface student_view "Student":
      uses entity Student
      mode: view
      section main:
        field name

    surface enrolment_create "New enrolment":
      uses entity Enrolment
      mode: create

    demo:
      User:
        - name: "Tess", email: "tess@school.example", password: "chalk and board", roles: [teacher]
        - name: "Pat", email: "pat@school.example", password: "packs the lunch", roles: [parent]
        - name: "Ada", email: "ada@school.example", password: "keeps the records", roles: [admin]
}

const TEACHER: (&str, &str) = ("tess@school.example", "chalk and board");
const ADMIN: (&str, &str) = ("ada@school.example", "keeps the records");
const PARENT: (&str, &str) = ("pat@school.example", "packs the lunch");

/// The application, with a route in Rust that follows relations.
fn school() -> dz::App {
    app()
        .mount("/typed", rocket::routes![follow_relations])
        .before_delete::<enrolment::Enrolment>(|_, row| record_call("before", row.id))
        .after_delete::<enrolment::Enrolment>(|_, row| record_call("after", row.id))
        .on::<enrolment::Enrolment>(dz::Event::Deleted, |_, happened| record_call("deleted", happened.row.id))
        .before_update::<room::Room>(|_, row, changes| match row.name.as_str() {
            "Bolted" if changes.course_id == dz::Change::Clear => Err(dz::Error::new(422, "BOLTED", "the room stays with its course")),
            _ => Ok(()),
        })
        .after_update::<room::Room>(|_, before, after| {
            record_call(if before.course_id.is_some() && after.course_id.is_none() { "let go" } else { "changed" }, after.id)
        })
        .on::<room::Room>(dz::Event::Updated, |_, happened| record_call("updated", happened.row.id))
}

/// Calls of hooks and subscribers, with the row.
static NOTED: Mutex<Vec<(&'static str, String)>> = Mutex::new(Vec::new());

fn record_call(what: &'static str, row: dz::Uuid) -> dz::Result<()> {
    NOTED.lock().unwrap_or_else(PoisonError::into_inner).push((what, row.to_string()));
    Ok(())
}

fn notes(of: &str) -> Vec<&'static str> {
    let all = NOTED.lock().unwrap_or_else(PoisonError::into_inner);
    all.iter().filter(|(_, row)| row == of).map(|(what, _)| *what).collect()
}

#[rocket::get("/<name>")]
async fn follow_relations(cx: dz::Cx, name: String) -> dz::Result<String> {
    cx.run(move |tx| {
        let found: Vec<course::Course> = tx.load(course::scoped(tx, dz::access::List)?.filter(schema::courses::name.eq(name.clone())))?;
        let course = found.into_iter().next().ok_or_else(dz::Error::not_found)?;
        let mut names: Vec<String> = course.students(tx)?.into_iter().map(|it| it.name).collect();
        names.sort();
        let room = course.room(tx)?.map(|room| room.name);
        Ok(format!("{names:?} {room:?} {}", course.next(tx)?.len()))
    })
    .await
}

crate::served_on_both! {
    "school", school();
    rows_are_connected_under_both_rules;
    conditions_and_figures_follow_a_junction;
    pages_list_what_belongs_to_a_row;
    a_junction_row_is_deleted_with_its_row;
    one_row_and_rows_of_the_same_entity;
    dependent_deletes_are_announced_and_recorded;
}

#[track_caller]
fn create_row(client: &Client, path: &str, row: Value) -> String {
    client.send("POST", path, &row).ok(201).json()["id"].as_str().expect("an id").to_owned()
}

fn student(teacher: &Client, name: &str, age: i64) -> String {
    create_row(teacher, "/api/students", json!({ "name": name, "age": age }))
}

fn enrol(teacher: &Client, course: &str, student: &str) -> String {
    create_row(teacher, "/api/enrolments", json!({ "course": course, "student": student }))
}

fn names(rows: &Value) -> Vec<&str> {
    rows.as_array().expect("rows").iter().map(|row| row["name"].as_str().expect("a name")).collect()
}

fn rows_are_connected_under_both_rules(base: &str) {
    let [teacher, parent] = [TEACHER, PARENT].map(|who| Client::signed_in(base, who));
    let pat = parent.get("/auth/me").json()["id"].clone();
    let course = create_row(&teacher, "/api/courses", json!({ "name": "Chemistry" }));
    let [ben, ada, cid] = [("Ben", 9), ("Ada", 20), ("Cid", 8)].map(|(name, age)| student(&teacher, name, age));
    for id in [&ben, &cid] {
        teacher.send("PATCH", &format!("/api/students/{id}"), &json!({ "guardian": pat })).ok(200);
    }
    enrol(&teacher, &course, &ben);
    enrol(&teacher, &course, &ada);
    // A pair with two junction rows counts once.
    enrol(&teacher, &course, &ben);
    create_row(&teacher, "/api/enrolments", json!({ "course": course, "student": cid, "secret": true }));
    let at = format!("/api/courses/{course}?expand=students");
    assert_eq!(names(&teacher.get(&at).ok(200).json()["students"]), ["Ada", "Ben", "Cid"], "in the order of their list");
    assert_eq!(names(&parent.get(&at).ok(200).json()["students"]), ["Ben"], "neither another's child nor a secret enrolment");
    let list = teacher.get("/api/students?expand=courses&sort=name&name__in=Ada,Ben").ok(200).json();
    for row in list["items"].as_array().expect("items") {
        assert_eq!(names(&row["courses"]), ["Chemistry"], "{row}");
    }
    assert_eq!(teacher.get(&format!("/api/courses/{course}")).json().get("students"), None, "only when it is expanded");
    assert_eq!(teacher.get("/typed/Chemistry").ok(200).body, r#"["Ada", "Ben", "Cid"] None 0"#);
    assert_eq!(parent.get("/typed/Chemistry").ok(200).body, r#"["Ben"] None 0"#);
    teacher.send("PATCH", &format!("/api/courses/{course}"), &json!({ "students": [ada] })).problem(422, "VALIDATION");
    teacher.get("/api/courses?expand=studnets").problem(400, "BAD_REQUEST");
}

fn conditions_and_figures_follow_a_junction(base: &str) {
    let [teacher, parent] = [TEACHER, PARENT].map(|who| Client::signed_in(base, who));
    let pat = parent.get("/auth/me").json()["id"].clone();
    let course = create_row(&teacher, "/api/courses", json!({ "name": "Drawing" }));
    let at = format!("/api/courses/{course}");
    let row = teacher.get(&at).json();
    assert_eq!((&row["attended"], &row["oldest"], &row["crowded"]), (&json!(0), &Value::Null, &json!(false)));
    parent.get(&at).problem(404, "NOT_FOUND");
    let pupils = [("Dan", 5), ("Eve", 30), ("Fay", 40)].map(|(name, age)| student(&teacher, name, age));
    let links: Vec<String> = pupils.iter().map(|pupil| enrol(&teacher, &course, pupil)).collect();
    let row = teacher.get(&at).json();
    assert_eq!((&row["attended"], &row["adults"], &row["oldest"]), (&json!(3), &json!(2), &json!(40)));
    assert_eq!(row["crowded"], true);
    assert_eq!(teacher.get("/api/courses?attended__gte=3&name=Drawing").json()["total"], 1);
    teacher.send("PATCH", &format!("/api/students/{}", pupils[1]), &json!({ "guardian": pat })).ok(200);
    parent.get(&at).ok(200);
    // A soft-deleted junction row connects nothing.
    teacher.delete(&format!("/api/enrolments/{}", links[1])).ok(204);
    assert_eq!(teacher.get(&at).json()["attended"], 2);
    parent.get(&at).problem(404, "NOT_FOUND");
    for at in 0..3 {
        enrol(&teacher, &course, &student(&teacher, &format!("Guest {at}"), 50));
    }
    teacher.send("PATCH", &at, &json!({ "limit": 7 })).problem(422, "COURSE_FULL");
}

fn pages_list_what_belongs_to_a_row(base: &str) {
    let [teacher, parent] = [TEACHER, PARENT].map(|who| Client::signed_in(base, who));
    let course = create_row(&teacher, "/api/courses", json!({ "name": "Pottery" }));
    let sequel = create_row(&teacher, "/api/courses", json!({ "name": "Glazing <2>" }));
    create_row(&teacher, "/api/sequels", json!({ "earlier": course, "later": sequel }));
    create_row(&teacher, "/api/rooms", json!({ "course": course, "name": "Cellar" }));
    for name in ["Gil", "Hal", "Ida"] {
        enrol(&teacher, &course, &student(&teacher, name, 12));
    }
    enrol(&teacher, &course, &student(&teacher, "Baby", 1));
    let page = teacher.get(&format!("/app/course_view/{course}")).ok(200);
    page.shows(&[
        "data-dz-region=\"course_view-pupils\"",
        "data-dz-region=\"course_view-related-people\"",
        "data-dz-region=\"course_view-related-around-1\"",
        "data-dz-region=\"course_view-related-around-2\"",
        "<h2 id=\"s-related-people-title\">People</h2>",
        "<h2 id=\"s-related-around-title\">Around it</h2>",
        "class=\"dz-grid",
        "class=\"dz-items\"",
        "Glazing &#60;2&#62;",
        ">Cellar<",
        // The related list creates junction rows.
        &format!("/app/enrolment_create?course={course}"),
    ]);
    let pupils = teacher.exchange(&format!("/app/course_view/{course}?section=pupils")).ok(200);
    assert!(pupils.body.contains("Ida") && !pupils.body.contains("Baby"), "{}", pupils.body);
    // Two of four rows are on the first page, the others on the second.
    let of = |page: u64| teacher.exchange(&format!("/app/course_view/{course}?section=related-people&page={page}")).ok(200);
    let (first, second) = (of(1), of(2));
    for answer in [&first, &second] {
        assert_eq!(answer.body.matches("<li id=\"course_view-related-people-").count(), 2, "{}", answer.body);
        assert!(!answer.body.contains("id=\"course_view-related-people-body\""), "{}", answer.body);
    }
    assert_ne!(first.body.split("<li ").nth(1), second.body.split("<li ").nth(1));
    assert_eq!(teacher.exchange(&format!("/app/course_view/{course}?section=people")).status, 404);
    assert_eq!(teacher.exchange(&format!("/app/course_view/{course}?section=related-around-3")).status, 404);
    assert_eq!(parent.get(&format!("/app/course_view/{course}")).status, 404);
}

fn a_junction_row_is_deleted_with_its_row(base: &str) {
    let teacher = Client::signed_in(base, TEACHER);
    let course = create_row(&teacher, "/api/courses", json!({ "name": "Weaving" }));
    let pupil = student(&teacher, "Joe", 11);
    let link = enrol(&teacher, &course, &pupil);
    // The other reference declares nothing, so it restricts.
    let refused = teacher.delete(&format!("/api/students/{pupil}")).problem(409, "REFERENCED");
    assert!(refused["detail"].as_str().is_some_and(|it| it.contains("enrolments")), "{refused}");
    let secret = create_row(&teacher, "/api/enrolments", json!({ "course": course, "student": pupil, "secret": true }));
    teacher.delete(&format!("/api/courses/{course}")).problem(409, "REFERENCED");
    assert_eq!(teacher.get(&format!("/api/enrolments/{link}")).status, 200, "all or nothing");
    let other = create_row(&teacher, "/api/courses", json!({ "name": "Sewing" }));
    let second = enrol(&teacher, &other, &pupil);
    teacher.delete(&format!("/api/courses/{other}")).ok(204);
    assert_eq!(teacher.get(&format!("/api/enrolments/{second}")).status, 404);
    assert_eq!(teacher.get(&format!("/api/students/{pupil}")).status, 200, "the other end stays");
    assert_eq!(teacher.get(&format!("/api/enrolments/{secret}")).status, 200);
}

fn one_row_and_rows_of_the_same_entity(base: &str) {
    let teacher = Client::signed_in(base, TEACHER);
    let [one, two, three] =
        ["Algebra 1", "Algebra 2", "Algebra 3"].map(|name| create_row(&teacher, "/api/courses", json!({ "name": name })));
    for later in [&two, &three] {
        create_row(&teacher, "/api/sequels", json!({ "earlier": one, "later": later }));
    }
    create_row(&teacher, "/api/rooms", json!({ "course": two, "name": "Attic" }));
    let list = teacher.get("/api/courses?expand=next,room&sort=name&name__startswith=Algebra").ok(200).json();
    let items = list["items"].as_array().expect("items");
    let next: Vec<Vec<&str>> = items.iter().map(|it| names(&it["next"])).collect();
    assert_eq!(next, [vec!["Algebra 2", "Algebra 3"], vec![], vec![]]);
    assert_eq!((&items[0]["room"], &items[1]["room"]["name"]), (&Value::Null, &json!("Attic")));
    assert_eq!(teacher.get("/typed/Algebra%202").ok(200).body, r#"[] Some("Attic") 0"#);
}

/// A dependent deletion or change is a write like any other: hooks, events, audit; and a refused one changes nothing.
fn dependent_deletes_are_announced_and_recorded(base: &str) {
    let [teacher, admin] = [TEACHER, ADMIN].map(|who| Client::signed_in(base, who));
    let course = create_row(&teacher, "/api/courses", json!({ "name": "Fencing" }));
    let link = enrol(&teacher, &course, &student(&teacher, "Kim", 14));
    let room = create_row(&teacher, "/api/rooms", json!({ "course": course, "name": "Hall" }));
    let bolted = create_row(&teacher, "/api/rooms", json!({ "course": course, "name": "Bolted" }));
    let at = format!("/api/courses/{course}");
    teacher.delete(&at).problem(422, "BOLTED");
    for kept in [&at, &format!("/api/enrolments/{link}")] {
        teacher.get(kept).ok(200);
    }
    assert_eq!(teacher.get(&format!("/api/rooms/{room}")).json()["course"], course.as_str());
    teacher.send("PATCH", &format!("/api/rooms/{bolted}"), &json!({ "name": "Free" })).ok(200);
    teacher.delete(&at).ok(204);
    assert_eq!(teacher.get(&format!("/api/rooms/{room}")).json()["course"], Value::Null);
    eventually(true, || notes(&link).contains(&"deleted") && notes(&room).contains(&"updated"));
    // The deletion that was refused later had also run hooks, but its events are not delivered.
    assert_eq!(notes(&link), ["before", "before", "after", "deleted"]);
    assert_eq!(notes(&room), ["let go", "let go", "updated"]);
    let records = |entity: &str, action: &str, row: &str| {
        let path = format!("/admin/audit?entity={entity}&action={action}&row_id={row}&decision=allowed");
        admin.request("GET", &path, &[("Accept", "application/json")], b"").ok(200).json()["items"].as_array().expect("records").clone()
    };
    let gone = records("Enrolment", "delete", &link);
    assert_eq!((gone.len(), &gone[0]["email"]), (1, &json!(TEACHER.0)));
    let freed = records("Room", "update", &room);
    assert_eq!((freed.len(), &freed[0]["changes"]["course"]["from"]), (1, &json!(course)));
}
