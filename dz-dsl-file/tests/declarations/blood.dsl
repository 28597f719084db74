app blood_bank "Blood bank":
  timezone: "America/Montevideo"
  multi_tenant: true
  registration: false

persona nurse "Nurse":
  description: "Takes and labels donations"
persona lab "Laboratory"

enum BloodGroup "Blood group":
  a_pos "A+", a_neg "A-"
  b_pos "B+"
  b_neg "B-"
  o_pos "0+"
  o_neg "0-"

entity Hospital "Hospital":
  archetype: tenant
  id: uuid pk
  name: str(120) required
  zone: timezone = "America/Montevideo"

entity HospitalPolicy "Policy of a hospital":
  archetype: tenant_settings
  id: uuid pk
  min_days_between: int = 56
  contact: email

entity NationalPolicy:
  archetype: settings
  id: uuid pk
  max_age: int = 65
  max_units_per_day: int = 400

entity User "Account":
  archetype: user
  id: uuid pk
  email: email required unique
  name: str(100)
  badge: str(12) unique?

entity StaffMembership:
  archetype: user_membership
  id: uuid pk
  ward: str(40)

entity Donor "Donor":
  id: uuid pk
  full_name: str(120) required searchable
  national_id: str(20) required unique sensitive
  blood_group: BloodGroup required
  last_given: date
  may_give: computed last_given = null or days_since(last_given) >= 56
  units: has_many Unit
  permit:
    list: role(nurse, lab)
    read: role(nurse, lab)
    create: role(nurse)
    update: role(nurse)
  audit:
    read: role(lab)
    update

entity Unit "Unit of blood":
  id: uuid pk
  donor: belongs_to Donor required
  bag: str(16) required unique
  drawn_at: datetime auto_add
  volume_ml: int = 450
  hb: decimal(4,1)
  status: enum[drawn, tested, released, discarded, transfused] = drawn
  expires: date = today + 42 days
  transitions:
    drawn -> tested: role(lab) requires hb
    tested -> released: role(lab)
      guard: hb >= 12.5
    drawn, tested -> discarded "Discard": role(lab)
    released -> discarded: auto after 42 days or manual
    released -> transfused: role(nurse)
    final: transfused
    failed: discarded
  invariant: volume_ml > 0 and volume_ml <= 500
    message: "A bag holds up to 500 ml"
    code: BAG_VOLUME
  permit:
    list: role(nurse, lab)
    read: role(nurse, lab)
    create: role(nurse)
    update: role(lab)
    transition: role(nurse, lab)
    trace: role(lab)
  audit: all
  index status, expires
  no_index donor

surface unit_list "Units":
  uses entity Unit
  mode: list
  section main:
    field bag
    field donor.blood_group "Group"
    field status
    field expires format: short
  ux:
    sort: expires asc
    filter: status, expires
    search: bag
    attention warning:
      when: expires <= today + 3d and status = released
      message: "Expires soon"
    for nurse, lab:
      show: bag, status, expires

workspace cold_room "Cold room":
  stage: overview
  stock "Stock":
    source: Unit
    filter: status = released and expires >= today
    display: pivot
    group_by: [status, bucket(expires, week)]
  totals:
    aggregate:
      litres: round(sum(Unit.volume_ml where status = released) / 1000, 2)
      bags: count(Unit)
      share: round(count(Unit where status = discarded) * 100 / nullif(bags, 0), 1)
