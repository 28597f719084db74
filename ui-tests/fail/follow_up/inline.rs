//! Written by `tests/follow_up.rs`.

mod modifier_misspelt {
dz::dz! {
persona agent "Agent"
persona lead "Lead"

entity Team "Team":
  id: uuid pk
  name: str(80) required
  tasks: has_many Task
  permit:
    list: true
    read: true

entity Task "Task":
  id: uuid pk
  title: str(120) requird
  status: enum[open, doing, done] = open
  due: date
  team: ref Team required
  owner: ref User
  transitions:
    open -> doing
    doing -> done: role(lead)
  permit:
    list: role(agent) or owner = current_user
    read: role(agent, lead)
    create: role(agent)
    update: role(lead)

surface task_list "Tasks":
  uses entity Task
  mode: list
  section main:
    field title
    field due
  ux:
    sort: title asc
}
include!("beside.txt");
}

mod type_misspelt {
dz::dz! {
persona agent "Agent"
persona lead "Lead"

entity Team "Team":
  id: uuid pk
  name: str(80) required
  tasks: has_many Task
  permit:
    list: true
    read: true

entity Task "Task":
  id: uuid pk
  title: str(120) required
  status: enum[open, doing, done] = open
  due: dat
  team: ref Team required
  owner: ref User
  transitions:
    open -> doing
    doing -> done: role(lead)
  permit:
    list: role(agent) or owner = current_user
    read: role(agent, lead)
    create: role(agent)
    update: role(lead)

surface task_list "Tasks":
  uses entity Task
  mode: list
  section main:
    field title
    field due
  ux:
    sort: title asc
}
include!("beside.txt");
}

mod type_of_elsewhere {
dz::dz! {
persona agent "Agent"
persona lead "Lead"

entity Team "Team":
  id: uuid pk
  name: str(80) required
  tasks: has_many Task
  permit:
    list: true
    read: true

entity Task "Task":
  id: uuid pk
  title: varchar(120) required
  status: enum[open, doing, done] = open
  due: date
  team: ref Team required
  owner: ref User
  transitions:
    open -> doing
    doing -> done: role(lead)
  permit:
    list: role(agent) or owner = current_user
    read: role(agent, lead)
    create: role(agent)
    update: role(lead)

surface task_list "Tasks":
  uses entity Task
  mode: list
  section main:
    field title
    field due
  ux:
    sort: title asc
}
include!("beside.txt");
}

mod type_unknown {
dz::dz! {
persona agent "Agent"
persona lead "Lead"

entity Team "Team":
  id: uuid pk
  name: str(80) required
  tasks: has_many Task
  permit:
    list: true
    read: true

entity Task "Task":
  id: uuid pk
  title: shortish required
  status: enum[open, doing, done] = open
  due: date
  team: ref Team required
  owner: ref User
  transitions:
    open -> doing
    doing -> done: role(lead)
  permit:
    list: role(agent) or owner = current_user
    read: role(agent, lead)
    create: role(agent)
    update: role(lead)

surface task_list "Tasks":
  uses entity Task
  mode: list
  section main:
    field title
    field due
  ux:
    sort: title asc
}
include!("beside.txt");
}

mod type_missing {
dz::dz! {
persona agent "Agent"
persona lead "Lead"

entity Team "Team":
  id: uuid pk
  name: str(80) required
  tasks: has_many Task
  permit:
    list: true
    read: true

entity Task "Task":
  id: uuid pk
  title: str(120) required
  status: enum[open, doing, done] = open
  due:
  team: ref Team required
  owner: ref User
  transitions:
    open -> doing
    doing -> done: role(lead)
  permit:
    list: role(agent) or owner = current_user
    read: role(agent, lead)
    create: role(agent)
    update: role(lead)

surface task_list "Tasks":
  uses entity Task
  mode: list
  section main:
    field title
    field due
  ux:
    sort: title asc
}
include!("beside.txt");
}

mod entity_misspelt {
dz::dz! {
persona agent "Agent"
persona lead "Lead"

entity Team "Team":
  id: uuid pk
  name: str(80) required
  tasks: has_many Task
  permit:
    list: true
    read: true

entity Task "Task":
  id: uuid pk
  title: str(120) required
  status: enum[open, doing, done] = open
  due: date
  team: ref Taem required
  owner: ref User
  transitions:
    open -> doing
    doing -> done: role(lead)
  permit:
    list: role(agent) or owner = current_user
    read: role(agent, lead)
    create: role(agent)
    update: role(lead)

surface task_list "Tasks":
  uses entity Task
  mode: list
  section main:
    field title
    field due
  ux:
    sort: title asc
}
include!("beside.txt");
}

mod entity_unknown {
dz::dz! {
persona agent "Agent"
persona lead "Lead"

entity Team "Team":
  id: uuid pk
  name: str(80) required
  tasks: has_many Task
  permit:
    list: true
    read: true

entity Task "Task":
  id: uuid pk
  title: str(120) required
  status: enum[open, doing, done] = open
  due: date
  team: ref Team required
  owner: ref Somebody
  transitions:
    open -> doing
    doing -> done: role(lead)
  permit:
    list: role(agent) or owner = current_user
    read: role(agent, lead)
    create: role(agent)
    update: role(lead)

surface task_list "Tasks":
  uses entity Task
  mode: list
  section main:
    field title
    field due
  ux:
    sort: title asc
}
include!("beside.txt");
}

mod role_misspelt {
dz::dz! {
persona agent "Agent"
persona lead "Lead"

entity Team "Team":
  id: uuid pk
  name: str(80) required
  tasks: has_many Task
  permit:
    list: true
    read: true

entity Task "Task":
  id: uuid pk
  title: str(120) required
  status: enum[open, doing, done] = open
  due: date
  team: ref Team required
  owner: ref User
  transitions:
    open -> doing
    doing -> done: role(lead)
  permit:
    list: role(agent) or owner = current_user
    read: role(agent, lead)
    create: role(agnet)
    update: role(lead)

surface task_list "Tasks":
  uses entity Task
  mode: list
  section main:
    field title
    field due
  ux:
    sort: title asc
}
include!("beside.txt");
}

mod field_unknown {
dz::dz! {
persona agent "Agent"
persona lead "Lead"

entity Team "Team":
  id: uuid pk
  name: str(80) required
  tasks: has_many Task
  permit:
    list: true
    read: true

entity Task "Task":
  id: uuid pk
  title: str(120) required
  status: enum[open, doing, done] = open
  due: date
  team: ref Team required
  owner: ref User
  transitions:
    open -> doing
    doing -> done: role(lead)
  permit:
    list: role(agent) or creator = current_user
    read: role(agent, lead)
    create: role(agent)
    update: role(lead)

surface task_list "Tasks":
  uses entity Task
  mode: list
  section main:
    field title
    field due
  ux:
    sort: title asc
}
include!("beside.txt");
}

mod value_misspelt {
dz::dz! {
persona agent "Agent"
persona lead "Lead"

entity Team "Team":
  id: uuid pk
  name: str(80) required
  tasks: has_many Task
  permit:
    list: true
    read: true

entity Task "Task":
  id: uuid pk
  title: str(120) required
  status: enum[open, doing, done] = opne
  due: date
  team: ref Team required
  owner: ref User
  transitions:
    open -> doing
    doing -> done: role(lead)
  permit:
    list: role(agent) or owner = current_user
    read: role(agent, lead)
    create: role(agent)
    update: role(lead)

surface task_list "Tasks":
  uses entity Task
  mode: list
  section main:
    field title
    field due
  ux:
    sort: title asc
}
include!("beside.txt");
}

mod state_unknown {
dz::dz! {
persona agent "Agent"
persona lead "Lead"

entity Team "Team":
  id: uuid pk
  name: str(80) required
  tasks: has_many Task
  permit:
    list: true
    read: true

entity Task "Task":
  id: uuid pk
  title: str(120) required
  status: enum[open, doing, done] = open
  due: date
  team: ref Team required
  owner: ref User
  transitions:
    open -> doing
    doing -> finished: role(lead)
  permit:
    list: role(agent) or owner = current_user
    read: role(agent, lead)
    create: role(agent)
    update: role(lead)

surface task_list "Tasks":
  uses entity Task
  mode: list
  section main:
    field title
    field due
  ux:
    sort: title asc
}
include!("beside.txt");
}

mod colon_missing {
dz::dz! {
persona agent "Agent"
persona lead "Lead"

entity Team "Team":
  id: uuid pk
  name: str(80) required
  tasks: has_many Task
  permit:
    list: true
    read: true

entity Task "Task"
  id: uuid pk
  title: str(120) required
  status: enum[open, doing, done] = open
  due: date
  team: ref Team required
  owner: ref User
  transitions:
    open -> doing
    doing -> done: role(lead)
  permit:
    list: role(agent) or owner = current_user
    read: role(agent, lead)
    create: role(agent)
    update: role(lead)

surface task_list "Tasks":
  uses entity Task
  mode: list
  section main:
    field title
    field due
  ux:
    sort: title asc
}
include!("beside.txt");
}

mod key_missing {
dz::dz! {
persona agent "Agent"
persona lead "Lead"

entity Team "Team":
  id: uuid pk
  name: str(80) required
  tasks: has_many Task
  permit:
    list: true
    read: true

entity Task "Task":
  title: str(120) required
  status: enum[open, doing, done] = open
  due: date
  team: ref Team required
  owner: ref User
  transitions:
    open -> doing
    doing -> done: role(lead)
  permit:
    list: role(agent) or owner = current_user
    read: role(agent, lead)
    create: role(agent)
    update: role(lead)

surface task_list "Tasks":
  uses entity Task
  mode: list
  section main:
    field title
    field due
  ux:
    sort: title asc
}
include!("beside.txt");
}

mod construct_misspelt {
dz::dz! {
persona agent "Agent"
persona lead "Lead"

entiy Team "Team":
  id: uuid pk
  name: str(80) required
  tasks: has_many Task
  permit:
    list: true
    read: true

entity Task "Task":
  id: uuid pk
  title: str(120) required
  status: enum[open, doing, done] = open
  due: date
  team: ref Team required
  owner: ref User
  transitions:
    open -> doing
    doing -> done: role(lead)
  permit:
    list: role(agent) or owner = current_user
    read: role(agent, lead)
    create: role(agent)
    update: role(lead)

surface task_list "Tasks":
  uses entity Task
  mode: list
  section main:
    field title
    field due
  ux:
    sort: title asc
}
include!("beside.txt");
}

mod block_misspelt {
dz::dz! {
persona agent "Agent"
persona lead "Lead"

entity Team "Team":
  id: uuid pk
  name: str(80) required
  tasks: has_many Task
  permit:
    list: true
    read: true

entity Task "Task":
  id: uuid pk
  title: str(120) required
  status: enum[open, doing, done] = open
  due: date
  team: ref Team required
  owner: ref User
  trasitions:
    open -> doing
    doing -> done: role(lead)
  permit:
    list: role(agent) or owner = current_user
    read: role(agent, lead)
    create: role(agent)
    update: role(lead)

surface task_list "Tasks":
  uses entity Task
  mode: list
  section main:
    field title
    field due
  ux:
    sort: title asc
}
include!("beside.txt");
}

mod word_missing {
dz::dz! {
persona agent "Agent"
persona lead "Lead"

entity Team "Team":
  id: uuid pk
  name: str(80) required
  tasks: has_many Task
  permit:
    list: true
    read: true

entity Task "Task":
  id: uuid pk
  title: str(120) required
  status: enum[open, doing, done] = open
  due: date
  team: ref Team required
  owner: ref User
  transitions:
    open -> doing
    doing -> done: role(lead)
  permit:
    list: role(agent) or owner = current_user
    read: role(agent, lead)
    create: role(agent)
    update: role(lead)

surface task_list "Tasks":
  uses entity Task
  list
  section main:
    field title
    field due
  ux:
    sort: title asc
}
include!("beside.txt");
}

mod field_of_a_page_unknown {
dz::dz! {
persona agent "Agent"
persona lead "Lead"

entity Team "Team":
  id: uuid pk
  name: str(80) required
  tasks: has_many Task
  permit:
    list: true
    read: true

entity Task "Task":
  id: uuid pk
  title: str(120) required
  status: enum[open, doing, done] = open
  due: date
  team: ref Team required
  owner: ref User
  transitions:
    open -> doing
    doing -> done: role(lead)
  permit:
    list: role(agent) or owner = current_user
    read: role(agent, lead)
    create: role(agent)
    update: role(lead)

surface task_list "Tasks":
  uses entity Task
  mode: list
  section main:
    field title
    field deadline
  ux:
    sort: title asc
}
include!("beside.txt");
}

mod field_twice {
dz::dz! {
persona agent "Agent"
persona lead "Lead"

entity Team "Team":
  id: uuid pk
  name: str(80) required
  tasks: has_many Task
  permit:
    list: true
    read: true

entity Task "Task":
  id: uuid pk
  title: str(120) required
  status: enum[open, doing, done] = open
  due: date
  title: str(80)
  team: ref Team required
  owner: ref User
  transitions:
    open -> doing
    doing -> done: role(lead)
  permit:
    list: role(agent) or owner = current_user
    read: role(agent, lead)
    create: role(agent)
    update: role(lead)

surface task_list "Tasks":
  uses entity Task
  mode: list
  section main:
    field title
    field due
  ux:
    sort: title asc
}
include!("beside.txt");
}

mod entity_twice {
dz::dz! {
persona agent "Agent"
persona lead "Lead"

entity Team "Team":
  id: uuid pk
  name: str(80) required
  tasks: has_many Task
  permit:
    list: true
    read: true

entity Task "Task":
  id: uuid pk
  title: str(120) required
  status: enum[open, doing, done] = open
  due: date
  team: ref Team required
  owner: ref User
  transitions:
    open -> doing
    doing -> done: role(lead)
  permit:
    list: role(agent) or owner = current_user
    read: role(agent, lead)
    create: role(agent)
    update: role(lead)

entity Team "Group":
  id: uuid pk

surface task_list "Tasks":
  uses entity Task
  mode: list
  section main:
    field title
    field due
  ux:
    sort: title asc
}
include!("beside.txt");
}

mod no_way_back {
dz::dz! {
persona agent "Agent"
persona lead "Lead"

entity Team "Team":
  id: uuid pk
  name: str(80) required
  tasks: has_many Task
  permit:
    list: true
    read: true

entity Task "Task":
  id: uuid pk
  title: str(120) required
  status: enum[open, doing, done] = open
  due: date
  team: ref User required
  owner: ref User
  transitions:
    open -> doing
    doing -> done: role(lead)
  permit:
    list: role(agent) or owner = current_user
    read: role(agent, lead)
    create: role(agent)
    update: role(lead)

surface task_list "Tasks":
  uses entity Task
  mode: list
  section main:
    field title
    field due
  ux:
    sort: title asc
}
include!("beside.txt");
}

mod sign_of_elsewhere {
dz::dz! {
persona agent "Agent"
persona lead "Lead"

entity Team "Team":
  id: uuid pk
  name: str(80) required
  tasks: has_many Task
  permit:
    list: true
    read: true

entity Task "Task":
  id: uuid pk
  title: str(120) required
  status: enum[open, doing, done] = open
  due: date
  team: ref Team required
  owner: ref User
  transitions:
    open -> doing
    doing -> done: role(lead)
  permit:
    list: role(agent) || owner = current_user
    read: role(agent, lead)
    create: role(agent)
    update: role(lead)

surface task_list "Tasks":
  uses entity Task
  mode: list
  section main:
    field title
    field due
  ux:
    sort: title asc
}
include!("beside.txt");
}

mod line_too_far_left {
dz::dz! {
persona agent "Agent"
persona lead "Lead"

entity Team "Team":
  id: uuid pk
  name: str(80) required
  tasks: has_many Task
  permit:
    list: true
    read: true

entity Task "Task":
  id: uuid pk
  title: str(120) required
  status: enum[open, doing, done] = open
  due: date
  team: ref Team required
  owner: ref User
  transitions:
    open -> doing
    doing -> done: role(lead)
  permit:
    list: role(agent) or owner = current_user
    read: role(agent, lead)
    create: role(agent)
    update: role(lead)

surface task_list "Tasks":
uses entity Task
  mode: list
  section main:
    field title
    field due
  ux:
    sort: title asc
}
include!("beside.txt");
}

mod block_empty {
dz::dz! {
persona agent "Agent"
persona lead "Lead"

entity Team "Team":
  id: uuid pk
  name: str(80) required
  tasks: has_many Task
  permit:
    list: true
    read: true

entity Task "Task":
  id: uuid pk
  title: str(120) required
  status: enum[open, doing, done] = open
  due: date
  team: ref Team required
  owner: ref User
  transitions:
    open -> doing
    doing -> done: role(lead)
  permit:
    list: role(agent) or owner = current_user
    read: role(agent, lead)
    create: role(agent)
    update: role(lead)

surface task_list "Tasks":
  uses entity Task
  mode: list
  section main:
    field title
    field due
  ux:
}
include!("beside.txt");
}

fn main() {}
