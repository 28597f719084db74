app glacier "Glacier survey":
  timezone: "Atlantic/Reykjavik"
  theme: blue
persona surveyor
persona data_manager "Data manager"
entity Glacier:
  id: slug pk
  name: str(80) required
  area_km2: decimal(8,3)
  terminus: enum[land, lake, sea] = land
  stakes: has_many Stake
  neighbours: has_many Boundary via a
  graph_node:
    edges: Boundary
    display: name
  permit:
    list: anonymous
    read: anonymous
    create: role(data_manager)
    update: role(data_manager)
entity Boundary:
  id: uuid pk
  a: ref Glacier required
  b: ref Glacier required
  km: decimal(6,2) = 1
  graph_edge:
    source: a
    target: b
    weight: km
    directed: false
  permit:
    list: true
    read: true
    create: role(data_manager)
  invariant: a != b
    message: "Two glaciers"
    code: TWO
entity Stake:
  id: uuid pk
  glacier: belongs_to Glacier required
  code: str(10) required
  elevation: int required
  set_on: date required
  readings: has_many Reading cascade
  total_melt: computed sum(readings.melt_mm where kind = ablation)
  mean_melt: computed avg(readings.melt_mm)
  worst: computed max(readings.melt_mm) - min(readings.melt_mm)
  active: computed any(readings where at > today - 1y)
  unique glacier, code
  permit:
    list: role(surveyor, data_manager)
    read: role(surveyor, data_manager)
    create: role(surveyor)
    update: role(data_manager)
entity Reading "Reading":
  id: int(64) pk
  stake: ref Stake required
  at: date = today
  kind: enum[ablation, accumulation] required
  melt_mm: int required
  density: float
  flagged: bool
  observer: ref User = current_user
  checked: bool = false
  permit:
    list: role(data_manager) or observer = current_user
    read: role(data_manager) or observer = current_user
    create: role(surveyor)
    update: role(data_manager) or (observer = current_user and not checked)
    delete: role(data_manager) and flagged
  audit: [update, delete]
  invariant: kind != accumulation or melt_mm <= 0
    message: "Accumulation is negative melt"
    code: SIGN
  index stake, at desc
  index at desc where flagged

surface reading_edit:
  uses entity Reading
  mode: edit
  section main:
    field melt_mm
    field kind widget=radio
    field flagged widget=switch
    field density when: kind = accumulation
surface reading_list "Readings":
  uses entity Reading
  mode: list
  section main:
    field stake.glacier.name "Glacier"
    field stake.code "Stake"
    field at
    field melt_mm
  ux:
    sort: at desc
    filter: kind, flagged, at
    search: stake.code, stake.glacier.name
    attention warning:
      when: abs(melt_mm) > 5000
      message: "Implausible"
      action: reading_edit

story GL-1 "A reading is checked":
  persona: data_manager
  entities: [Reading, Stake]
  trigger: cron_daily
  status: draft
  when: the data manager opens the list
  then:
    - the reading is "ablation"

schedule morning "Morning check":
  cron: "0 7 * * mon-fri"
  implements: GL-1
  process: flag_outliers

process flag_outliers:
  implements: GL-1
  trigger: manual
  steps:
    - step flag:
        effects:
          - update Reading:
              where: melt_mm > 20000
              flagged: true
