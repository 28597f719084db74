//! The application of `scripts/soak.py`: parcels that are written through every interface, with a job, a subscriber and a process for
//! each of them, so that the script can account for every write that was acknowledged.

use std::process::ExitCode;

use dz::{
    Engine, Event, Happened, Job, JobCx, Result, SystemCx,
    serde::{Deserialize, Serialize},
};

dz::dz! {
    app soak "Parcels"

    persona clerk "Clerk"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Depot "Depot":
      id: uuid pk
      name: str(60) required unique
      graph_node:
        edges: Road
        display: name
      permit:
        list: role(clerk)
        read: role(clerk)
        create: role(clerk)

    entity Road "Road":
      id: uuid pk
      start: ref Depot required
      goal: ref Depot required
      hours: int
      graph_edge:
        source: start
        target: goal
        weight: hours
      permit:
        list: role(clerk)
        read: role(clerk)
        create: role(clerk)

    entity Parcel "Parcel":
      id: uuid pk
      code: str(40) required unique
      weight: int required = 0
      depot: ref Depot
      note: text
      state: enum[posted, sorted, delivered] = posted
      transitions:
        posted -> sorted
        sorted -> delivered
        final: delivered
      permit:
        list: role(clerk)
        read: role(clerk)
        create: role(clerk)
        update: role(clerk)
        delete: role(clerk)
      audit: [create, update, delete, transition]
      index code

    # The job of a parcel.
    entity Slip "Slip":
      id: uuid pk
      parcel: str(40) required unique
      permit:
        list: role(clerk)
        read: role(clerk)

    # The events of a parcel.
    entity Heard "Heard":
      id: uuid pk
      parcel: str(40) required indexed
      weight: int required
      permit:
        list: role(clerk)
        read: role(clerk)

    # The process of a parcel.
    entity Stamp "Stamp":
      id: uuid pk
      parcel: str(40) required indexed
      place: enum[first, second] required
      permit:
        list: role(clerk)
        read: role(clerk)

    process sorting "Sorting a parcel":
      trigger: entity Parcel created
      steps:
        - step first:
          effects:
            - create Stamp:
              parcel: trigger.entity.code
              place: first
        - step rest:
          wait: 1s
        - step second:
          effects:
            - create Stamp:
              parcel: trigger.entity.code
              place: second

    surface parcel_list "Parcels":
      uses entity Parcel
      mode: list
      section main:
        field code
        field weight
        field depot
        field state
      ux:
        sort: code desc
        filter: state, depot
        search: code

    surface parcel_view "Parcel":
      uses entity Parcel
      mode: view

    surface parcel_create "New parcel":
      uses entity Parcel
      mode: create

    surface parcel_edit "Edit parcel":
      uses entity Parcel
      mode: edit

    workspace office "Office":
      states "By state":
        source: Parcel
        display: bar_chart
        group_by: state
      latest "Latest":
        source: Parcel
        display: list
        limit: 10

    demo:
      User:
        - name: "Olga", email: "olga@parcels.example", password: "counts every parcel", roles: [clerk, admin]
}

/// The job of a parcel, whose row it writes once.
#[derive(Serialize, Deserialize)]
#[serde(crate = "dz::serde")]
struct WriteSlip {
    parcel: String,
}

impl Job for WriteSlip {
    const NAME: &'static str = "write_slip";
}

fn write_slip(cx: &JobCx, job: WriteSlip) -> Result<()> {
    // An attempt that was interrupted after its commit has written it.
    cx.run(|tx| slip::NewSlip { id: None, parcel: job.parcel.clone() }.upsert(tx, schema::slips::parcel)).map(drop)
}

fn hear(cx: &SystemCx, event: &Happened<parcel::Parcel>) -> Result<()> {
    let (parcel, weight) = (&event.row.code, event.row.weight);
    cx.run(|tx| heard::NewHeard { id: None, parcel: parcel.clone(), weight }.create(tx)).map(drop)
}

fn main() -> ExitCode {
    app()
        .engine(Engine::Postgres)
        .job(write_slip)
        .after_create::<parcel::Parcel>(|tx, row| tx.spawn_job(&WriteSlip { parcel: row.code.clone() }).map(drop))
        .on::<parcel::Parcel>(Event::Created, hear)
        .on::<parcel::Parcel>(Event::Updated, hear)
        .main()
}
