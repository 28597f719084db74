# Settings page
# category: pattern
# aliases: configuration page; application settings; preferences
# related: settings; tenant_settings
# Administrators change values that apply to the whole application.
# `archetype: settings` adds the single row, its page and its access rules; each field has a default.

entity ShopSettings "Settings":
  patterns: settings_page
  archetype: settings
  id: uuid pk
  opening_hours: str(80) = "9 to 17"
  days_to_pay: int = 14
  orders_open: bool = true
