//! Property tests of access rules in graphs: every response must follow edges as an evaluation of the rules row by row does.

use dz::{Engine, testing::Proof};

mod tenants {
    //! A graph whose rows belong to tenants.

    dz::dz! {
        app harbours "Harbours":
          multi_tenant: true

        persona pilot "Pilot"
        persona clerk "Clerk"

        entity Harbour "Harbour":
          id: uuid pk
          name: str(40) required
          archetype: tenant
          permit:
            list: true
            read: true

        entity Person "Person":
          id: uuid pk
          archetype: user
          rank: int
          permit:
            list: true
            read: true

        entity Post "Post":
          id: uuid pk
          archetype: user_membership

        entity Berth "Berth":
          id: uuid pk
          name: str(20)
          depth: int
          owner: ref Person
          soft_delete
          graph_node:
            edges: Channel
            display: name
          permit:
            list: role(pilot) or owner = current_user
            read: role(pilot, clerk) or owner = current_user
            create: role(pilot)
            update: role(pilot) and depth > 2
            delete: role(pilot)
          forbid:
            read: depth > current_user.rank
          audit: [read]

        entity Channel "Channel":
          id: uuid pk
          inward: ref Berth required sensitive
          outward: ref Berth required
          width: decimal(6,2)
          closed: bool = false
          graph_edge:
            source: inward
            target: outward
            weight: width
          permit:
            list: true
            read: closed = false or outward.depth > 3
            create: role(pilot)
            update: role(pilot, clerk)
            delete: role(pilot)
          audit: [list]
    }
}

#[test]
fn the_rules_of_the_circle() {
    let report = dz::testing::prove_access!(crate::answers::app);
    assert!(report.channels.get("graph").is_some_and(|count| *count > 300), "{report:?}");
}

#[test]
fn the_rules_of_two_entities_and_other_keys() {
    dz::testing::prove_access!(crate::kinds::app);
}

#[test]
fn the_rules_of_tenants() {
    dz::testing::prove_access!(tenants::app);
}

/// Each condition in the statements of graphs is needed: without it, a response is wrong. It repeats the proof for each condition, which
/// takes minutes.
#[test]
#[ignore = "takes minutes"]
fn every_removed_condition_is_detected() {
    let mut undetected = Proof::new(crate::answers::app).engine(Engine::Sqlite).cases(2_000).undetected_removals();
    undetected.retain(|text| text.contains("graph/"));
    assert!(undetected.is_empty(), "{undetected:#?}");
}
