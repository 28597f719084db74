app tower "Bell tower":
    description: "Who rings when"

entity Bell:
    id: int pk
    name: str(40) required
    tonne: decimal(6,3) required
    cast_in: int
    inscriptions: text
    permit:
        list: true
        read: true
        create: role(captain)
        update: role(captain)

entity Ringer:
    id: uuid pk
    name: str(60) required
    phone: str(30) sensitive
    since: date = today
    peals: has_many Peal via Part
    permit:
        list: role(captain, ringer)
        read: role(captain, ringer)
        create: role(captain)
        update: role(captain)
        delete: role(captain)

entity Peal:
    id: uuid pk
    method: str(60) required
    rung_at: datetime required
    changes: int = 5040
    minutes: int
    per_minute: computed round(changes / minutes, 1)
    pace: computed if per_minute > 30: "fast" elif per_minute > 25: "steady" else: "slow"
    ringers: has_many Ringer via Part
    permit:
        list: anonymous
        read: anonymous
        create: role(captain)
    index rung_at desc

entity Part:
    id: uuid pk
    peal: ref Peal required cascade
    ringer: ref Ringer required cascade
    bell: ref Bell required
    conductor: bool
    unique peal, bell
    permit:
        list: true
        read: true
        create: role(captain)
        delete: role(captain)

surface peal_list "Peals":
    uses entity Peal
    mode: list
    section main:
        field method
        field rung_at format: date
        field pace
    ux:
        sort: rung_at desc
        search: method
        filter: rung_at

surface peal_view "Peal":
    uses entity Peal
    mode: view
    section main:
        field method
        field changes format: compact
    section parts "Parts":
        uses entity Part
        field bell.name
        field ringer.name

workspace ringing_room "Ringing room":
    purpose: "Past and next peals"
    calendar "Calendar":
        source: Peal
        display: calendar
        date_field: rung_at
        action: peal_view
    years "By year":
        source: Peal
        display: line_chart
        group_by: bucket(rung_at, year)
        value: changes

demo:
    Bell:
        - @tenor id: 1, name: "Tenor", tonne: 1.350, cast_in: 1742
        - @treble id: 2, name: "Treble", tonne: 0.31
    Ringer:
        - @ada name: "Ada"
    Peal:
        - @first method: "Grandsire Triples", rung_at: "2026-02-01T10:00:00Z", minutes: 175
    Part:
        - peal: @first, ringer: @ada, bell: @tenor, conductor: true
