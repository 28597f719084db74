# Settings of the application
# triggers: configuration by administrators; system settings; change a default without a release; opening hours
# suggests_for: settings_page; settings
# Declare an entity with `archetype: settings`; each field has a default or is optional.

entity LibrarySettings "Settings":
  archetype: settings
  id: uuid pk
  days_per_loan: int = 21
