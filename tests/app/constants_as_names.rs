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

mod reefs {
    //! Names that an engine refuses for a column, or loses in a subquery: with tenants and soft deletion, all rows are subqueries.

    use dz::serde_json::{Value, json};

    use crate::client::Client;

    dz::dz! {
        app reefs "Reefs":
          multi_tenant: true

        persona keeper "Keeper"

        entity Coast "Coast":
          id: uuid pk
          name: str(40) required
          archetype: tenant
          permit:
            list: true
            read: true

        entity Warden "Warden":
          id: uuid pk
          archetype: user

        entity Post "Post":
          id: uuid pk
          archetype: user_membership

        entity Buoy "Buoy":
          id: uuid pk
          true: str(10) required unique
          false: bool = false
          null: int
          ctid: int unique?
          xmin: decimal(6,2)
          xmax: date
          cmin: str(8) sensitive
          cmax: enum[low, high] = low
          tableoid: ref Buoy
          rowid: int
          current_date: date
          both: computed ctid != null and rowid > 0
          soft_delete
          invariant: xmin = null or xmin >= 0
            message: "No buoy is below the sea"
          index ctid, true
          permit:
            list: role(keeper) or xmin != null
            read: role(keeper) or xmin != null
            create: role(keeper)
            update: role(keeper)
            delete: role(keeper)
            restore: role(keeper)

        demo:
          Coast:
            - @west name: "West"
          Warden:
            - @kim name: "Kim", email: "kim@reefs.example", password: "red over white over red"
          Post:
            - user: @kim, coast: @west, personas: ["keeper"], is_primary: true, accepted_at: now
    }

    crate::served_on_both! {
        "reefs", app();
        a_column_has_a_name_that_the_engine_accepts;
    }

    const ROW: &str = r#"{"true":"one","false":true,"null":3,"ctid":4,"xmin":"5.50","xmax":"2026-01-02","cmin":"six","cmax":"high",
        "tableoid":null,"rowid":7,"current_date":"2026-01-03"}"#;

    fn a_column_has_a_name_that_the_engine_accepts(base: &str) {
        let kim = Client::signed_in(base, ("kim@reefs.example", "red over white over red"));
        let row: Value = dz::serde_json::from_str(ROW).expect("JSON");
        let stored = kim.send("POST", "/api/buoys", &row).ok(201).json();
        for (name, value) in row.as_object().expect("an object") {
            assert_eq!(&stored[name], value, "{name}");
        }
        assert_eq!(stored["both"], true);
        for query in ["true=one", "ctid=4", "xmin__gt=5", "xmax=2026-01-02", "cmax=high", "rowid=7", "null=3"] {
            assert_eq!(kim.get(&format!("/api/buoys?{query}&sort=-true,xmax,tableoid.true,ctid")).ok(200).json()["total"], 1, "{query}");
        }
        let wrong = json!({ "true": "two", "xmin": "-1", "ctid": 4 });
        assert_eq!(kim.send("POST", "/api/buoys", &wrong).problem(422, "INVARIANT")["detail"], "No buoy is below the sea");
        let taken = kim.send("POST", "/api/buoys", &json!({ "true": "two", "ctid": 4 })).problem(409, "UNIQUE");
        assert!(taken["field_errors"]["ctid"].is_array(), "{taken}");
        let taken = kim.send("POST", "/api/buoys", &json!({ "true": "one", "ctid": 5 })).problem(409, "UNIQUE");
        assert!(taken["field_errors"]["true"].is_array(), "{taken}");
        let one = stored["id"].as_str().expect("a key");
        let two = kim.send("POST", "/api/buoys", &json!({ "true": "two", "tableoid": one })).ok(201).json()["id"].clone();
        let two = two.as_str().expect("a key");
        assert_eq!(kim.get("/api/buoys?tableoid.xmin=5.50").ok(200).json()["items"][0]["true"], "two");
        assert_eq!(
            kim.send("PATCH", &format!("/api/buoys/{one}"), &json!({ "false": false, "rowid": null, "xmin": null })).ok(200).json()["both"],
            false
        );
        let bulk = json!({ "action": "update", "query": "true=one", "set": { "cmax": "low", "ctid": 9 } });
        assert_eq!(kim.send("POST", "/api/buoys/bulk", &bulk).ok(200).json()["results"][0]["status"], 200);
        let found = json!({ "query": "{ buoys(filter: { ctid: { eq: 9 } }, sort: \"true\") { true false ctid xmin tableoid { true } } }" });
        let found = kim.send("POST", "/graphql", &found).ok(200).json();
        assert_eq!(
            found["data"]["buoys"][0],
            json!({ "true": "one", "false": false, "ctid": 9, "xmin": null, "tableoid": null }),
            "{found}"
        );
        kim.get("/api/buoys?format=csv").ok(200).shows(&["true,false", "one,false"]);
        kim.delete(&format!("/api/buoys/{one}")).ok(204);
        kim.send("POST", &format!("/api/buoys/{one}/actions/restore"), &json!({})).ok(200);
        assert_eq!(kim.get(&format!("/api/buoys/{two}")).ok(200).json()["tableoid"], Value::Null, "deletion cleared the reference");
    }

    #[test]
    fn the_rules_hold_for_every_name() {
        dz::testing::prove_access!(app);
    }
}
