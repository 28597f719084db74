//! Archetypes that are none, twice, and without what they need.

dz::dz! {
    archetype Kept:
      made_at: datetime auto_add

    archetype Kept:
      changed_at: datetime auto_update

    entity Note "Note":
      extends: Keptt
      id: uuid pk
      title: str(80) required
      permit:
        read: true

    entity Options "Options":
      archetype: settings
      id: uuid pk
      name: str(80) required

    entity Choices "Choices":
      archetype: tenant_settings
      id: uuid pk
      name: str(80)
}

fn main() {
    let _ = app();
}
