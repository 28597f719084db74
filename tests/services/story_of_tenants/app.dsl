app aviaries "Aviaries"

persona warden "Warden"

entity Aviary "Aviary":
  id: uuid pk
  name: str(60) required
  archetype: tenant

entity Person "Person":
  id: uuid pk
  archetype: user

entity Keeper "Keeper":
  id: uuid pk
  desk: str(20) required
  archetype: user_membership

entity Bird "Bird":
  id: uuid pk
  species: str(60) required
  permit:
    list: role(warden)
    read: role(warden)
    create: role(warden)

surface bird_list "Birds":
  uses entity Bird
  mode: list

surface bird_create "A new bird":
  uses entity Bird
  mode: create

story ST-002 "A warden registers a bird of the aviary":
  actor: warden
  scope: [Bird]
  status: accepted
  given:
    - a warden is signed in
  when:
    - the warden enters the species
  then:
    - the list shows the bird
