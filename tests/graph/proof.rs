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

/// Conditions that another one implies, so that their removal has no effect.
const IMPLIED: &[&str] = &[
    // The row was read by the same rule and in the same tenant before the walk begins.
    "`read` of Berth at graph/neighbourhood.rs",
    "the tenant of Berth at graph/neighbourhood.rs",
    // References between rows of tenants are composite keys, so an edge is in the tenant of its ends, and a node in that of its edges.
    "the tenant of Channel at graph/neighbourhood.rs",
    "the tenant of Channel at graph/algorithms/topology.rs",
    "the tenant of Berth at graph/visible.rs",
];

/// Each other condition in the statements of graphs is needed: without it, a response is wrong.
#[test]
fn every_removed_condition_of_a_graph_is_detected() {
    let implied = IMPLIED.iter().map(|known| (*known, usize::MAX));
    let undetected = Proof::new(tenants::app).engine(Engine::Sqlite).cases(4_000).implied(implied).undetected_graph_removals();
    assert!(undetected.is_empty(), "{undetected:#?}");
}
