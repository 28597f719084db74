//! Property tests of access rules of an application with tenants: accounts without a tenant, in one and in several, who switch between
//! them, and rows without a tenant.

use dz::{Engine, testing::Proof};

dz::dz! {
    app inns "Inns":
      multi_tenant: true

    persona host "Host"
    persona cook "Cook"
    persona guest "Guest"

    entity Inn "Inn":
      id: uuid pk
      name: str(60) required
      town: str(40)
      archetype: tenant
      rooms: has_many Room
      beds: computed sum(rooms.beds)
      permit:
        list: role(admin) or town = "Blue"
        read: role(admin) or id = current_user.tenant or any(rooms where beds > 2)
        update: role(admin) and id = current_user.tenant

    entity Person "Person":
      id: uuid pk
      archetype: user
      town: str(40)
      likes: ref Room
      stays: has_many Stay via guest
      busy: computed count(stays where state = here)
      permit:
        list: role(admin) or any(stays where state = here) or likes.beds > 1
        read: role(admin, host) or id = current_user or likes.name = current_user.likes.name
        update: role(admin) or id = current_user
        delete: role(admin) and busy = 0
      forbid:
        update: likes.beds > current_user.likes.beds

    entity Post "Post":
      id: uuid pk
      archetype: user_membership
      desk: str(20)
      permit:
        list: role(admin, tenant_admin, host)
        read: role(admin, tenant_admin) or user = current_user
        create: role(admin, tenant_admin)
        update: role(admin) or (role(tenant_admin) and desk != "red")
        delete: role(admin, tenant_admin)

    entity House "House rules":
      id: uuid pk
      archetype: settings
      calls: int = 100
      flagship: ref Room
      permit:
        list: true
        read: role(admin) or flagship.beds > 1
        update: role(admin)

    entity Kitchen "Kitchen":
      id: uuid pk
      archetype: tenant_settings
      opens: str(20) = "08:00"
      permit:
        list: role(cook, host)
        read: role(cook, host) or opens = current_user.town
        update: role(cook) or (role(admin) and opens != "red")
        create: role(host)

    entity Room "Room":
      id: uuid pk
      name: str(60) required unique
      beds: int = 1
      keeper: ref Person
      stays: has_many Stay
      taken: computed count(stays)
      soft_delete
      permit:
        list: true
        read: role(host, guest) or keeper = current_user or inn = current_user.likes.inn
        create: role(host) and beds < 7
        update: role(host) or keeper = current_user
        delete: role(host) and not any(stays where state = here)
        restore: role(host, cook)

    entity Stay "Stay":
      id: uuid pk
      title: str(80) required
      room: ref Room cascade
      next: ref Stay
      guest: ref Person
      price: decimal(8,2) sensitive
      state: enum[booked, here, gone] = booked
      transitions:
        booked -> here: role(host, cook)
        here -> gone
          guard: price > 0 or guest = current_user
        gone -> booked: requires room
      permit:
        list: role(host) or guest = current_user or room.keeper = current_user or next.guest = current_user
        read: role(host, cook) or guest = current_user
        create: role(host) or (guest = current_user and room.beds > 1)
        update: role(host) or (guest = current_user and state != gone)
        delete: role(host) or (role(cook) and inn.town = "Blue")
        transition: role(host, cook) or guest = current_user
      forbid:
        update: room.keeper = current_user and price > 1
        delete: state = here

    entity Notice "Notice":
      id: int pk
      words: str(80) required
      by: ref Person = current_user
      at: ref Inn = current_user.tenant
      permit:
        list: true
        read: at = null or at = current_user.tenant or role(guest)
        create: at = current_user.tenant or role(admin)
        update: by = current_user and at.town != "red"
        delete: at = current_user.tenant and role(host)

    surface stay_list "Stays":
      uses entity Stay
      mode: list
      section main:
        field title
        field room.name "Room"
        field guest
        field next "Next"
      ux:
        sort: title asc
        filter: state, room
        search: title, room.name, guest.name
        for cook:
          scope: state = here or inn.town = current_user.town
          hide: guest
        for guest:
          scope: guest = current_user and price < 5
          hide: title, room.name

    surface stay_view "Stay":
      uses entity Stay
      mode: view

    surface stay_edit "Change stay":
      uses entity Stay
      mode: edit

    surface room_view "Room":
      uses entity Room
      mode: view
      section main:
        field name
        field taken
      section stays "Stays":
        uses entity Stay
        filter: room = this
        field title

    surface person_view "Person":
      uses entity Person
      mode: view
      section main:
        field name
        field likes
      section stays "Stays":
        uses entity Stay
        filter: guest = this
        field title
      ux:
        for host:
          scope: town = "Blue" or id = current_user
          hide: likes.name
}

#[test]
fn the_rules_of_the_inns() {
    let report = dz::testing::prove_access!(app);
    assert!(report.cases >= 2_000, "{report:?}");
    assert!(4 * report.in_tenants >= report.cases && 10 * report.in_none >= report.cases, "{report:?}");
    assert!(report.written >= 100, "{report:?}");
    let channels = ["list", "filter", "sort", "search", "csv", "expand", "read", "picker", "page", "form", "create", "update"];
    let more = ["delete", "transition", "restore", "bulk"];
    let asked = |channel: &&&str| report.channels.get(**channel).is_none_or(|cases| *cases < 30);
    assert_eq!(channels.iter().chain(&more).find(asked), None, "{report:?}");
}

#[test]
fn every_removed_condition_of_a_page_is_detected() {
    let undetected = Proof::new(app).engine(Engine::Sqlite).cases(3_000).undetected_page_removals();
    assert!(undetected.is_empty(), "{undetected:#?}");
}

/// Places where the condition on the tenant is implied, so that its removal has no effect; with their number for each entity in a file.
const IMPLIED: &[(&str, usize)] = &[
    // The row was found with the condition before, by the same key and in the same transaction.
    ("rows/write/store.rs", 1),
    ("rows/transitions.rs", 1),
    ("rows/read.rs", 2),
    // A key of another tenant is not found: references between rows of tenants are composite keys.
    ("rows/delete.rs", 2),
    ("rows/write_condition.rs", 1),
    ("rows/joins.rs", 1),
    ("rows/read_many.rs", 1),
    ("db/emit/operand.rs", 1),
    // Every tenant of these worlds has one row; `tests/app/tenants/settings.rs` tests others.
    ("rows/singleton.rs", 1),
];

#[test]
fn every_removed_tenant_condition_is_detected() {
    let entities = ["Inn", "Person", "Post", "House", "Kitchen", "Room", "Stay", "Notice"];
    let implied =
        entities.iter().flat_map(|entity| IMPLIED.iter().map(move |(file, most)| (format!("the tenant of {entity} at {file}"), *most)));
    let undetected = Proof::new(app).engine(Engine::Sqlite).cases(1_800).implied(implied).undetected_tenant_removals();
    assert!(undetected.is_empty(), "{undetected:#?}");
}
