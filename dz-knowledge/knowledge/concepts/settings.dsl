# Settings entity
# category: language
# aliases: singleton; system settings; global configuration
# related: settings_page; tenant_settings
# `archetype: settings` makes an entity one row for the whole system, which administrators edit. Every required field needs a default.

entity SystemSettings "Settings":
  archetype: settings
  id: uuid pk
  support_mail: email
  days_to_pay: int = 14
