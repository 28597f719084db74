app puppets "Puppet theatre"
persona puppeteer
persona carver "Carver"
entity Puppet "Puppet":
  id: uuid pk
  name: str(40) required
  height_cm: int required
  strings: int = 9
  wood: enum[lime, pine, maple] = lime
  carver: ref User = current_user
  roles: has_many Casting via puppet
  retired: bool
  story: text
  age: computed year(today) - carved
  carved: int required
  permit:
    list: authenticated
    read: authenticated
    create: role(carver)
    update: carver = current_user or role(puppeteer)
  forbid:
    update: retired and not role(carver)
entity Play:
  id: uuid pk
  title: str(80) required unique
  opens: date
  castings: has_many Casting
  ready: computed count(castings) >= 3
  permit:
    list: authenticated
    read: authenticated
    create: role(puppeteer)
    update: role(puppeteer)
entity Casting:
  id: uuid pk
  play: ref Play required
  puppet: ref Puppet required
  part: str(60) required
  understudy: ref Puppet
  state: enum[planned, rehearsed, dropped] = planned
  transitions:
    planned -> rehearsed: role(puppeteer)
    * -> dropped: role(puppeteer)
    rehearsed -> planned
    final: rehearsed
    failed: dropped
  unique play, part where state != dropped
  invariant: understudy = null or understudy != puppet
    message: "Another puppet"
    code: UNDERSTUDY
  permit:
    list: role(puppeteer, carver)
    read: role(puppeteer, carver)
    create: role(puppeteer)
    update: role(puppeteer)
surface cast_list "Castings":
  uses entity Casting
  mode: list
  section main:
    field play.title
    field puppet.name
    field part
    field state
  ux:
    sort: part asc
    filter: state, play
    search: part, puppet.name
surface puppet_new "Carve a puppet":
  uses entity Puppet
  mode: create
  section main:
    field name
    field height_cm
    field wood widget=select
    field carved help: "The year"
workspace stage "Stage":
  ux:
    for puppeteer:
      focus: parts
  parts:
    source: Casting
    filter: state = planned
    sort: part asc
    action: cast_list
  woods:
    source: Puppet
    display: bar_chart
    group_by: wood
    aggregate:
      n: count(*)
      tallest: max(Puppet.height_cm)
