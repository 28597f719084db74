# Application
# category: construct
# aliases: app block
# related: entity; module; settings
# `app` names the application and contains its settings: description, time zone, locale, currency, theme, tenants and registration.
# It can be written once.

app shop "Shop":
  description: "Sells bicycles"
  timezone: "Europe/Lisbon"
  currency: EUR
  theme: teal

entity Bike "Bike":
  id: uuid pk
  name: str(80) required
  price: money required
  permit:
    list: authenticated
    read: authenticated
