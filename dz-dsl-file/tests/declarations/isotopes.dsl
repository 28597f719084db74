app isotope "Isotope laboratory":
  timezone: "Asia/Tokyo"
persona analyst "Analyst"
persona client "Client"
entity Batch "Batch of samples":
  id: uuid pk
  number: int required unique
  client: ref User required
  received: datetime auto_add
  deadline: date = today + 21 days
  priority: enum[normal, rush] = normal
  samples: has_many Vial cascade
  done_share: computed round(count(samples where measured != null) * 100 / nullif(count(samples), 0))
  late: computed deadline < today and status != reported
  status: enum[received_in, measuring, reviewed, reported, rejected] = received_in
  transitions:
    received_in -> measuring: role(analyst)
    measuring -> reviewed: role(analyst)
      guard: all(samples where measured != null) and count(samples) > 0
      message: "Measure every vial"
    reviewed -> reported "Report": role(analyst)
    received_in -> rejected: role(analyst)
    final: reported
    failed: rejected
  permit:
    list: role(analyst) or client = current_user
    read: role(analyst) or client = current_user
    create: role(analyst)
    update: role(analyst)
  audit: [transition]
entity Vial:
  id: uuid pk
  batch: belongs_to Batch required
  tag: str(12) required
  mass_mg: decimal(7,3) required
  measured: datetime
  d13c: float
  d15n: float
  flag: enum[ok, repeat, lost] = ok
  unique batch, tag
  invariant: measured = null or d13c != null or flag != ok
    message: "A measured vial has a value"
    code: VALUE_MISSING
  permit:
    list: role(analyst) or batch.client = current_user
    read: role(analyst) or batch.client = current_user
    create: role(analyst)
    update: role(analyst) and batch.status = measuring
service calibrate:
  kind: domain_logic
  input:
    raw: float required
    standard: str(20) = "USGS40"
  output:
    delta: float required
  stub: python
process urge "Urge the laboratory":
  trigger: entity Batch created
  steps:
    - parallel both:
        on_any_failure: fail_fast
        - step soon:
            wait: 10 days
        - step signal_or_not:
            wait: signal batch_reported
            timeout: 20 days
    - step late:
        condition: trigger.entity.late
        on_true: ask
        on_false: complete
    - step ask:
        human_task:
          surface: batch_view
          assignee_role: analyst
          outcomes:
            - noted "Noted":
                goto: complete
                sets:
                  priority -> rush
surface batch_view:
  uses entity Batch
  mode: view
  section main:
    field number
    field done_share format: percent
    field status
  related vials "Vials":
    show: samples
    display: table
    columns: tag, mass_mg, flag
surface batch_list:
  uses entity Batch
  mode: list
  section main:
    field number
    field client.name
    field deadline
  ux:
    sort: deadline asc
    filter: status, priority, client
    attention critical:
      when: late
      message: "Late"
      action: batch_view
    for client:
      purpose: "Your batches"
      hide: priority
scenario rush_week "Rush":
  description: "Two batches"
  for persona analyst:
    start_route: "/app/batch_list"
  demo:
    User:
      - @kim email: "kim@example.org", name: "Kim", roles: [client]
    Batch:
      - @b number: 12, client: @kim, priority: rush
    Vial:
      - batch: @b, tag: "A1", mass_mg: 0.412
