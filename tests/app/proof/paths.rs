//! Rules with paths to entities with more and with fewer fields than the entity of the rule.

use dz::serde_json::{Value, json};

use crate::client::Client;

dz::dz! {
    app archive "Archive"

    persona keeper "Keeper"

    entity User "Person":
      id: uuid pk
      name: str(60)
      room: ref Room
      permit:
        list: role(keeper) or id = current_user
        read: role(keeper) or room.building.open_to = name

    # The shortest entity: each rule on it leads to a longer one.
    entity Label "Label":
      id: uuid pk
      folder: ref Folder required
      about: computed folder.brief sensitive
      permit:
        list: authenticated
        read: folder.spine_colour = "red" or folder.room.building.open_to = null or role(keeper)
        create: folder.spine_colour != "blue" or folder.room.building.caretaker = current_user
        update: role(keeper) and folder.room.shelves > 1
        delete: folder.spine_colour = "red"

    # The longest entity: each rule on it leads to a shorter one.
    entity Folder "Folder":
      id: uuid pk
      title: str(40) required
      year: int
      pages: int = 1
      lent_on: date
      price: decimal(8,2) sensitive
      note: text sensitive
      brief: computed concat("about: ", note) sensitive
      worth: computed price * pages sensitive
      dear: computed worth > 10 sensitive
      lender: ref User sensitive
      spine_colour: str(10)
      room: ref Room
      labels: has_many Label
      red_labels: computed count(labels where folder.spine_colour = "red")
      shelf: computed concat(title, room.code)
      permit:
        list: authenticated
        read: room.code = "A" or room = null or room = current_user.room or role(keeper)
        create: room.shelves > 0 or role(keeper)
        update: room.building.caretaker = current_user or (role(keeper) and room.code != "B")
        delete: role(keeper) and red_labels = 0
      forbid:
        read: room.code = "C"

    entity Room "Room":
      id: uuid pk
      code: str(5) required unique
      building: ref Building
      shelves: int = 1
      folders: has_many Folder
      worth: computed sum(folders.price) sensitive
      permit:
        list: authenticated
        read: building.open_to != "nobody"
        create: role(keeper) and building.storeys > 0
        update: role(keeper) and any(folders where room.building.storeys > 0)

    entity Building "Building":
      id: uuid pk
      name: str(40) required
      storeys: int = 1
      street: str(40)
      town: str(40)
      opened: date
      caretaker: ref User
      open_to: str(60)
      rooms: has_many Room
      folders: computed sum(rooms.shelves)
      permit:
        list: authenticated
        read: caretaker.name != "Closed" or caretaker = null
        create: role(keeper)
        update: role(keeper) or caretaker.room.building = id

    surface folder_list "Folders":
      uses entity Folder
      mode: list
      section main:
        field title
        field room.building.caretaker.name "Caretaker"
        field brief
        field lender "Lent to"
        field lender.name "Name"
        field room.worth "Worth"
      ux:
        filter: room.building, room.code
        search: title, room.code, room.building.name

    surface folder_create "New folder":
      uses entity Folder
      mode: create
      section main:
        field title
        field spine_colour
        field room

    surface label_create "New label":
      uses entity Label
      mode: create

    demo:
      Building:
        - @hall name: "Hall", storeys: 2
      Room:
        - @a code: "A", building: @hall, shelves: 2
      User:
        - name: "Kim", email: "kim@archive.example", password: "keeps the papers", roles: [keeper], room: @a
      Folder:
        - @red title: "Maps", spine_colour: "red", room: @a
        - title: "Loose leaves"
      Label:
        - folder: @red
}

const KEEPER: (&str, &str) = ("kim@archive.example", "keeps the papers");

crate::served_on_both! {
    "archive", app();
    rows_are_created_by_json_by_form_and_as_demo_rows;
}

fn id_of(rows: &Value, member: &str, wanted: &str) -> Value {
    let rows = rows["items"].as_array().expect("items");
    rows.iter().find(|row| row[member] == wanted).map_or_else(|| panic!("no {wanted} in {rows:?}"), |row| row["id"].clone())
}

fn rows_are_created_by_json_by_form_and_as_demo_rows(base: &str) {
    let keeper = Client::signed_in(base, KEEPER);
    let folders = keeper.get("/api/folders").ok(200).json();
    let (red, room) = (id_of(&folders, "title", "Maps"), id_of(&keeper.get("/api/rooms").ok(200).json(), "code", "A"));
    assert_eq!(keeper.get("/api/labels").ok(200).json()["total"], 1);

    let label = keeper.send("POST", "/api/labels", &json!({ "folder": red })).ok(201).json();
    assert_eq!(label["folder"], red);
    let folder = keeper.send("POST", "/api/folders", &json!({ "title": "Deeds", "room": room })).ok(201).json();
    assert_eq!((&folder["shelf"], &folder["red_labels"]), (&json!("DeedsA"), &json!(0)));

    let red = red.as_str().expect("a key");
    assert_eq!(keeper.form("/app/label_create", &[("folder", red)]).status, 303);
    let room = room.as_str().expect("a key");
    assert_eq!(keeper.form("/app/folder_create", &[("title", "Letters"), ("spine_colour", "red"), ("room", room)]).status, 303);
    assert_eq!(keeper.get("/api/labels").ok(200).json()["total"], 3);
    assert_eq!(id_of(&keeper.get("/api/folders?title=Letters").ok(200).json(), "spine_colour", "red").as_str().map(str::len), Some(36));
}

#[test]
fn the_rules_of_the_archive() {
    let proved = dz::testing::prove_access!(app);
    assert!(proved.written >= 60, "{proved:?}");
}
