app tasks "Fieldwork"

# The three kinds of users. The name of a persona is the role in the rules below.
persona manager "Manager":
  description: "Plans projects and hands out work"

persona surveyor "Surveyor":
  description: "Does the field work and reports it"

persona client "Client":
  description: "Follows the projects of their own company"

archetype Dated:
  created_at: datetime auto_add
  updated_at: datetime auto_update

enum Priority ordered "Priority":
  low "Low"
  normal "Normal"
  high "High"
  urgent "Urgent"

entity User "Person":
  id: uuid pk
  name: str(120) required indexed
  company: ref Company
  permit:
    list: role(manager)
    read: role(manager) or id = current_user

entity Company "Company":
  intent: "A customer we work for"
  id: uuid pk
  name: str(120) required unique
  city: str(80)
  website: url
  projects: has_many Project
  permit:
    list: role(manager, surveyor) or id = current_user.company
    read: role(manager, surveyor) or id = current_user.company
    create: role(manager)
    update: role(manager)
    delete: role(manager)

entity Project "Project":
  intent: "One contract with a customer, with its tasks"
  extends: Dated
  id: uuid pk
  name: str(120) required indexed
  company: belongs_to Company required
  lead: ref User
  stage: enum[planned, active, "on hold", finished] = planned
  starts_on: date
  ends_on: date
  budget: decimal(10, 2)
  notes: text
  tasks: has_many Task cascade
  permit:
    list: role(manager, surveyor) or company = current_user.company
    read: role(manager, surveyor) or company = current_user.company
    create: role(manager)
    update: role(manager)
    delete: role(manager)
  forbid:
    delete: stage = active
  index stage, starts_on

entity Task "Task":
  intent: "A piece of work that one person can finish"
  extends: Dated
  id: uuid pk
  title: str(140) required searchable
  project: belongs_to Project required
  assigned_to: ref User
  status: enum[open, doing, blocked, done, dropped] = open
  priority: Priority = normal
  due: date = today + 7d
  hours: decimal(6, 2) = 0
  billable: bool = true
  details: text
  photo: file(5MB)
  rate: decimal(8, 2) sensitive
  permit:
    list: role(manager) or (role(surveyor) and (assigned_to = current_user or assigned_to = null)) or project.company = current_user.company
    read: role(manager) or (role(surveyor) and (assigned_to = current_user or assigned_to = null)) or project.company = current_user.company
    create: role(manager, surveyor)
    update: role(manager) or (role(surveyor) and (assigned_to = current_user or assigned_to = null))
    delete: role(manager)
  transitions:
    open -> doing "Start": requires assigned_to
    doing -> done "Finish"
    doing -> blocked "Block"
    blocked -> doing "Resume"
    done -> doing "Reopen": role(manager)
    * -> dropped "Drop": role(manager)
    dropped -> open "Take up again": role(manager)
    final: done
    failed: dropped
  invariant: hours >= 0
    message: "Hours cannot be negative"
    code: NEGATIVE_HOURS
  index due
  index status, due

surface task_list "Tasks":
  uses entity Task
  mode: list
  section main:
    field title
    field project.name "Project"
    field assigned_to "Assigned to"
    field priority
    field status
    field due
    field hours
  ux:
    purpose: "What has to be done, earliest first"
    sort: due asc, title asc
    filter: status, priority, assigned_to, due
    search: title, details, project.name
    empty: "No tasks yet. The first one appears here."
    for surveyor:
      purpose: "Your tasks, and tasks without an assignee"
      show_aggregate: hours
    # Customers pay a fixed price, so the hours are hidden although they are not confidential.
    for client:
      purpose: "What we do for your company"
      # dz: allow(hide-is-not-access) because a client may know the hours, also from the API
      hide: hours
      read_only: true
      empty: "Nothing is planned for your company at the moment."

surface task_view "Task":
  uses entity Task
  mode: view
  section what "What":
    field title
    field project
    field status
    field priority
    field details
    field photo
  section who "Who and when":
    field assigned_to "Assigned to"
    field due
    field hours
    field billable
    field rate "Hourly rate"
    field created_at "Added"
    field updated_at "Changed"
  ux:
    for client:
      # dz: allow(hide-is-not-access) because a client may know these values, also from the API
      hide: hours, billable, rate
      read_only: true

surface task_create "New task":
  uses entity Task
  mode: create
  section what "What":
    note: "One person can finish it in a few days."
    field title
    field project
    field details
    field photo help: "Of the place, at most 5 MB."
  section plan "Plan":
    field assigned_to "Assigned to"
    field priority
    field due
    field hours help: "Hours already spent, for example 1.50."
    field billable

surface task_edit "Edit task":
  uses entity Task
  mode: edit
  section what "What":
    field title
    field project
    field status
    field details
    field photo
  section plan "Plan":
    field assigned_to "Assigned to"
    field priority
    field due
    field hours
    field billable
    field rate "Hourly rate"

surface project_list "Projects":
  uses entity Project
  mode: list
  section main:
    field name
    field company.name "Company"
    field lead "Led by"
    field stage
    field starts_on "Starts"
    field budget
  ux:
    purpose: "Every contract, by name"
    sort: name asc
    filter: stage, company
    search: name, company.name, notes
    empty: "No projects yet."

surface project_view "Project":
  uses entity Project
  mode: view
  section facts "Contract":
    field name
    field company
    field lead "Led by"
    field stage
    field starts_on "Starts"
    field ends_on "Ends"
    field budget
    field notes
  section tasks "Tasks":
    uses entity Task
    filter: project = this
    field title
    field assigned_to "Assigned to"
    field status
    field due

surface project_create "New project":
  uses entity Project
  mode: create

surface project_edit "Edit project":
  uses entity Project
  mode: edit

surface company_list "Companies":
  uses entity Company
  mode: list
  section main:
    field name
    field city
    field website
  ux:
    purpose: "Our customers"
    sort: name asc
    search: name, city
    empty: "No companies yet."

surface company_view "Company":
  uses entity Company
  mode: view
  section facts "Company":
    field name
    field city
    field website
  section projects "Projects":
    uses entity Project
    field name
    field stage
    field starts_on "Starts"

surface company_create "New company":
  uses entity Company
  mode: create

surface company_edit "Edit company":
  uses entity Company
  mode: edit

surface person_list "People":
  uses entity User
  mode: list
  section main:
    field name
    field email
    field company.name "Company"
  ux:
    purpose: "Everybody who can sign in"
    sort: name asc
    search: name, email

workspace field "Field work":
  purpose: "What needs attention, and how the contracts go"
  access: persona(manager, surveyor)
  figures "Figures":
    display: metrics
    aggregate:
      open_tasks: count(Task where status in [open, doing, blocked])
      overdue: count(Task where status in [open, doing, blocked] and due < today)
      hours_spent: sum(Task.hours)
      done_share: round(count(Task where status = done) * 100 / nullif(count(Task), 0), 1)
  next "Next":
    source: Task
    filter: status in [open, doing, blocked]
    sort: due asc
    limit: 6
    display: queue
    action: task_view
    empty: "Nothing is open."
  states "By state":
    source: Task
    display: bar_chart
    group_by: status
  board "Board":
    source: Task
    display: kanban
    sort: due asc
    limit: 8
    action: task_view
  weeks "Due":
    source: Task
    display: area_chart
    group_by: bucket(due, week)
  hours "Hours by project":
    source: Task
    display: bar_chart
    group_by: project
    value: hours
  plan "Plan":
    source: Task
    display: calendar
    date_field: due
    action: task_view
  projects "Projects":
    source: Project
    display: timeline
    date_field: starts_on
    action: project_view
    limit: 6
  stages "Stages":
    source: Project
    display: progress
    group_by: stage
  crossed "Tasks by project and state":
    source: Task
    display: heatmap
    group_by: [project, status]
  ux:
    for surveyor:
      purpose: "Your work"
      hide: hours, stages

demo:
  Company:
    - @harbour name: "Harbour Works", city: "Porto", website: "https://harbour.example"
    - @north name: "Northline Rail", city: "Leeds", website: "https://northline.example"
    - @vale name: "Vale Orchards", city: "Kent"
    - @orchard name: "Featherstonehaugh & Okonkwo Estates", city: "Bath", website: "https://fo-estates.example"
  User:
    - @mira email: "mira@fieldwork.example", name: "Mira Lindqvist", password: "manage the field", roles: [manager]
    - @tomas email: "tomas@fieldwork.example", name: "Tomas Vrba", password: "walk the line", roles: [surveyor]
    - @elin email: "elin@fieldwork.example", name: "Elin Dahl", roles: [surveyor]
    - @priya email: "priya@fieldwork.example", name: "Priya Raman", roles: [surveyor]
    - @sam email: "sam@harbour.example", name: "Sam Whitfield", company: @harbour, password: "watch the harbour", roles: [client]
  Project:
    - @quay name: "Quay wall renewal", company: @harbour, lead: @mira, stage: active, starts_on: today - 40d, ends_on: today + 80d, budget: 184000.00, notes: "Divers are on site on Tuesdays."
    - @basin name: "East basin soundings", company: @harbour, lead: @elin, stage: planned, starts_on: today + 21d, budget: 42500.00
    - @cutting name: "Cutting 14 stability", company: @north, lead: @tomas, stage: active, starts_on: today - 12d, ends_on: today + 30d, budget: 61250.50
    - @bridge name: "Viaduct scan", company: @north, lead: @mira, stage: "on hold", starts_on: today - 90d, budget: 98000.00, notes: "Waiting for the possession in spring."
    - @rows name: "Drainage rows", company: @vale, lead: @priya, stage: active, starts_on: today - 5d, budget: 8400.00
    - @manor name: "Manor boundary", company: @orchard, lead: @elin, stage: finished, starts_on: today - 200d, ends_on: today - 20d, budget: 15300.00
  Task:
    - title: "Set out control points along the quay", project: @quay, assigned_to: @tomas, status: done, priority: high, due: today - 30d, hours: 14.50, rate: 85.00
    - title: "Scan the wall from the water side", project: @quay, assigned_to: @elin, status: doing, priority: high, due: today + 2d, hours: 9, rate: 90.00, details: "Low water at 06:40.\nTake the small boat."
    - title: "Compare the scan with the 2019 drawings", project: @quay, assigned_to: @elin, due: today + 6d
    - title: "Monitor prisms, week 4", project: @quay, assigned_to: @tomas, status: done, due: today - 9d, hours: 3.25
    - title: "Monitor prisms, week 5", project: @quay, assigned_to: @tomas, status: doing, due: today - 1d, hours: 1.5
    - title: "Monitor prisms, week 6", project: @quay, due: today + 6d
    - title: "Report settlement to the harbour master", project: @quay, assigned_to: @mira, priority: urgent, due: today + 1d
    - title: "Replace the damaged prism at chainage 120", project: @quay, assigned_to: @priya, status: blocked, priority: high, due: today + 3d, details: "The spare is in customs."
    - title: "Photograph ladders and fenders", project: @quay, assigned_to: @priya, priority: low, due: today + 12d
    - title: "Book the survey vessel", project: @basin, assigned_to: @mira, status: done, due: today - 3d, hours: 0.75, billable: false
    - title: "Calibrate the echo sounder", project: @basin, assigned_to: @elin, due: today + 18d
    - title: "Plan the sounding lines", project: @basin, assigned_to: @elin, due: today + 14d
    - title: "Agree the tide datum with the port", project: @basin, due: today + 10d, priority: high
    - title: "Notify moored vessels", project: @basin, due: today + 17d, priority: low, billable: false
    - title: "Walk the cutting with the geologist", project: @cutting, assigned_to: @tomas, status: done, due: today - 10d, hours: 6
    - title: "Install the tilt sensors", project: @cutting, assigned_to: @tomas, status: done, due: today - 6d, hours: 11.25, rate: 85.00
    - title: "Connect the sensors to the logger", project: @cutting, assigned_to: @priya, status: doing, priority: high, due: today, hours: 4
    - title: "Fly the cutting at dawn", project: @cutting, assigned_to: @elin, status: blocked, due: today + 1d, details: "No flight permit for the line side yet."
    - title: "Draw cross sections every 20 m", project: @cutting, assigned_to: @priya, due: today + 9d
    - title: "Weekly stability note", project: @cutting, assigned_to: @tomas, due: today + 4d
    - title: "Check the crack gauges", project: @cutting, due: today + 2d
    - title: "Answer the insurer's questions", project: @cutting, assigned_to: @mira, priority: urgent, due: today - 2d, status: doing, billable: false
    - title: "Archive the raw point clouds", project: @cutting, priority: low, due: today + 28d, billable: false
    - title: "Scan spans 1 to 6", project: @bridge, assigned_to: @elin, status: done, due: today - 70d, hours: 22
    - title: "Scan spans 7 to 12", project: @bridge, assigned_to: @elin, status: blocked, due: today + 60d
    - title: "Register the scans", project: @bridge, assigned_to: @priya, status: done, due: today - 55d, hours: 17.75
    - title: "Model the bearings", project: @bridge, assigned_to: @priya, status: dropped, due: today - 40d, hours: 5
    - title: "Renew the track access permits", project: @bridge, assigned_to: @mira, due: today + 20d, billable: false
    - title: "Level the old drains", project: @rows, assigned_to: @priya, status: done, due: today - 4d, hours: 7.5
    - title: "Stake the new rows 1 to 40", project: @rows, assigned_to: @priya, status: doing, due: today + 1d, hours: 3
    - title: "Stake the new rows 41 to 80", project: @rows, due: today + 3d
    - title: "Talk to the neighbour about the ditch", project: @rows, assigned_to: @mira, due: today + 2d, billable: false
    - title: "Soil probes in the lower field", project: @rows, assigned_to: @tomas, due: today + 5d
    - title: "Invoice the first half", project: @rows, assigned_to: @mira, due: today + 8d, billable: false
    - title: "Find the boundary stones", project: @manor, assigned_to: @elin, status: done, due: today - 190d, hours: 12
    - title: "Search the estate archive", project: @manor, assigned_to: @elin, status: done, due: today - 180d, hours: 8.5
    - title: "Measure the yew hedge line", project: @manor, assigned_to: @tomas, status: done, due: today - 150d, hours: 6.25
    - title: "Hear both neighbours", project: @manor, assigned_to: @mira, status: done, due: today - 120d, hours: 4
    - title: "Draw the boundary plan", project: @manor, assigned_to: @priya, status: done, due: today - 60d, hours: 16
    - title: "Deposit the plan with the registry", project: @manor, assigned_to: @mira, status: done, due: today - 25d, hours: 1, billable: false
    - title: "Send the final account", project: @manor, assigned_to: @mira, status: dropped, due: today - 20d, billable: false
    - title: "Order spare batteries", project: @quay, due: today + 4d, priority: low, billable: false
    - title: "Clean and dry the total station", project: @rows, assigned_to: @tomas, due: today, billable: false
