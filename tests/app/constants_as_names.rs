//! Fields with the names of the constants of SQL: no condition mistakes one for the constant.

use dz::serde_json::json;

use crate::client::Client;

dz::dz! {
    app signals "Signals"

    persona keeper "Keeper"
    persona guest "Guest"

    entity User "Person":
      id: uuid pk
      name: str(60) required
      permit:
        read: true

    entity Signal "Signal":
      id: uuid pk
      name: str(40) required
      note: str(40)
      false: bool
      true: bool
      permit:
        list: role(keeper) or contains(note, "public")
        read: role(keeper) or contains(note, "public")
        create: role(keeper)
        update: role(keeper)

    demo:
      User:
        - email: "kim@signals.example", name: "Kim", password: "red over white over red", roles: [keeper]
        - email: "gus@signals.example", name: "Gus", password: "green over green", roles: [guest]
}

crate::served_on_both! {
    "signals", app();
    a_field_is_no_constant;
}

fn a_field_is_no_constant(base: &str) {
    let keeper = Client::signed_in(base, ("kim@signals.example", "red over white over red"));
    let guest = Client::signed_in(base, ("gus@signals.example", "green over green"));
    // The rule holds for every row of a keeper, also where the field `true` is false.
    let hidden = keeper.send("POST", "/api/signals", &json!({ "name": "Reef", "false": true, "true": false })).ok(201).json();
    assert_eq!(hidden["name"], "Reef");
    let address = format!("/api/signals/{}", hidden["id"].as_str().expect("a key"));
    assert_eq!(keeper.send("PATCH", &address, &json!({ "name": "Rock" })).ok(200).json()["name"], "Rock");
    for query in ["", "?true=false", "?false=true", "?sort=true,-false", "?name__contains=oc"] {
        assert_eq!(keeper.get(&format!("/api/signals{query}")).ok(200).json()["total"], 1, "{query}");
    }
    // It does not hold for a guest, also where the field `false` is true.
    guest.get(&address).problem(404, "NOT_FOUND");
    assert_eq!(guest.get("/api/signals").ok(200).json()["total"], 0);
    assert_eq!(guest.get("/api/signals?note__contains=p").ok(200).json()["total"], 0);
    keeper.send("PATCH", &address, &json!({ "note": "public", "false": false, "true": false })).ok(200);
    assert_eq!(guest.get(&address).ok(200).json()["name"], "Rock");
}
