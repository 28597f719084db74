//! An application with a region of every display.

dz::dz! {
    app workshop "Workshop"

    persona chief "Chief":
      default_workspace: overview
    persona worker "Worker":
      default_workspace: bench
    persona guest "Guest"

    entity User "Person":
      id: uuid pk
      name: str(60) required
      permit:
        list: role(chief)
        read: role(chief)

    entity Area "Area":
      id: uuid pk
      name: str(60) required
      inside: ref Area
      permit:
        list: true
        read: true
        create: role(chief)

    entity Repair "Repair":
      id: uuid pk
      title: str(80) required
      owner: ref User
      area: ref Area
      status: enum[open, doing, done, dropped] = open
      level: enum[low, high] = low
      fee: decimal(8,2) = 0
      share: int = 0
      rate: decimal(8,2) sensitive
      due: date
      started_at: datetime
      transitions:
        open -> doing "Start"
        doing -> done "Finish": requires due
        doing -> open "Put back": role(chief)
        * -> dropped "Drop": role(chief)
        final: done
        failed: dropped
      permit:
        list: role(chief) or owner = current_user
        read: role(chief) or owner = current_user
        create: role(chief, worker)
        update: role(chief) or owner = current_user
        delete: role(chief)

    surface repair_list "Repairs":
      uses entity Repair
      mode: list
      section main:
        field title
        field area
        field status
        field level
        field fee
        field due
      ux:
        sort: due asc
        empty: "No repair."

    surface repair_view "Repair":
      uses entity Repair
      mode: view

    surface repair_new "New repair":
      uses entity Repair
      mode: create

    workspace overview "Overview":
      purpose: "The work of everybody"
      access: persona(chief)
      figures "Figures":
        display: metrics
        aggregate:
          open_repairs: count(Repair where status in [open, doing])
          earned: sum(Repair.fee where status = done)
          done_share: round(count(Repair where status = done) * 100 / nullif(count(Repair), 0), 1)
          people: count(User)
      total "Totals":
        display: summary
        aggregate:
          all_repairs: count(Repair)
          latest: max(Repair.due)
          doubled: all_repairs * 2
      board "Board":
        source: Repair
        display: kanban
        sort: title asc
        action: repair_view
      plan "Plan":
        source: Repair
        display: calendar
        date_field: due
      by_state "By state":
        source: Repair
        display: bar_chart
        group_by: status
      by_area "By area":
        source: Repair
        display: pie_chart
        group_by: area
        value: fee
      by_month "By month":
        source: Repair
        display: line_chart
        group_by: bucket(due, month)
        aggregate:
          repairs: count(Repair)
          mean_fee: avg(Repair.fee)
      by_week "By week":
        source: Repair
        display: area_chart
        group_by: bucket(started_at, week)
      path "Path":
        source: Repair
        display: funnel
      heat "Heat":
        source: Repair
        display: heatmap
        group_by: [status, level]
      cross "Fees":
        source: Repair
        display: pivot
        group_by: [area, status]
        value: fee

    workspace bench "Bench":
      purpose: "What to do next"
      next "Next":
        source: Repair
        filter: status != done
        sort: title asc
        display: queue
        limit: 3
        action: repair_view
        empty: "Nothing to repair."
      all "All repairs":
        source: Repair
        display: table
        sort: title asc
        action: repair_new
      cards "Cards":
        source: Repair
        display: grid
        sort: title asc
      times "Times":
        source: Repair
        display: timeline
      feed "Feed":
        source: Repair
        display: activity_feed
        date_field: started_at
      one "First":
        source: Repair
        display: detail
        sort: title asc
      areas "Areas":
        source: Area
        display: tree
        sort: name asc
      shares "Shares":
        source: Repair
        display: progress
        value: share
        sort: title asc
      states "States":
        source: Repair
        display: progress
      mixed "Both":
        source: Repair, Area
        display: list
        sort: id asc
      mine "Mine":
        display: metrics
        aggregate:
          own: count(Repair)
          fees: sum(Repair.fee)
          rates: count(User)
      ux:
        for worker:
          purpose: "Your own work"
          hide: cards
          focus: one
          show_aggregate: own
          action_primary: repair_new
        for guest:
          show: next
          read_only: true

    demo:
      User:
        - @cara name: "Cara", email: "cara@shop.example", password: "chief of the shop", roles: [chief]
        - @walt name: "Walt", email: "walt@shop.example", password: "work of the shop", roles: [worker]
        - name: "Gus", email: "gus@shop.example", password: "guest of the shop", roles: [guest]
        - name: "Nora", email: "nora@shop.example", password: "nobody of the shop"
}
