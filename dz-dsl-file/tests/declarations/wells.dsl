entity Well "Well":
  id: uuid pk
  village: str(60) required
  depth: decimal(6,2)
  dug: date
  pump: enum[none, hand, solar] = none
  samples: has_many WaterSample
  worst: computed max(samples.arsenic)
  safe: computed coalesce(worst, 0) < 10
  upstream: ref Well
  feeds: has_many Well via upstream
  permit:
    list: authenticated
    read: authenticated
    create: role(engineer)
    update: role(engineer) or role(caretaker) and pump != none
entity WaterSample:
  id: uuid pk
  well: ref Well required
  taken: date = today
  arsenic: float required
  ph: decimal(4,2)
  lab: str(60)
  verdict: enum[pending, good, bad] = pending
  transitions:
    pending -> good: role(engineer)
      guard: arsenic < 10 and (ph = null or ph > 6.5)
    pending -> bad: role(engineer)
    final: good
    failed: bad
  permit:
    list: role(engineer, caretaker)
    read: role(engineer, caretaker)
    create: role(engineer, caretaker)
    update: role(engineer)
  index well, taken desc
  invariant: ph is null or ph <= 14
    message: "pH ends at 14"
    code: PH
surface wells:
  uses entity Well
  mode: list
  section main:
    field village
    field depth
    field safe format: yes_no
    field upstream.village "Fed by"
  ux:
    sort: village
    filter: pump, dug
    search: village
    attention critical:
      when: not safe
      message: "Do not drink"
      action: well
surface well:
  uses entity Well
  mode: view
  section a:
    field village
    field worst
  section b "Samples":
    uses entity WaterSample
    filter: well = this
    field taken
    field arsenic
    field verdict
workspace field_office "Field office":
  bad "Bad water":
    source: WaterSample
    filter: verdict = bad
    sort: taken desc
    limit: 30
    display: table
    action: wells
  trend:
    source: WaterSample
    display: line_chart
    group_by: bucket(taken, quarter)
    value: arsenic
