//! An application in which most pages differ for some personas.

dz::dz! {
    app yard "Yard"

    persona lead "Lead"
    persona hand "Hand"
    persona viewer "Viewer"
    persona clerk "Clerk"

    entity User "Person":
      id: uuid pk
      name: str(60) required
      permit:
        list: true
        read: true

    entity Site "Site":
      id: uuid pk
      name: str(60) required
      city: str(40)
      jobs: has_many Job
      permit:
        list: true
        read: true
        create: role(lead)
        update: role(lead)

    entity Job "Job":
      id: uuid pk
      title: str(80) required
      memo: str(80)
      pay: decimal(8,2) = 0
      hours: decimal(6,2) = 0
      billed: bool = false
      owner: ref User
      site: belongs_to Site
      status: enum[open, doing, done] = open
      notes: has_many Note cascade
      doubled: computed hours * 2
      transitions:
        open -> doing
        doing -> done
      permit:
        list: true
        read: true
        create: true
        update: true
        delete: true

    entity Note "Note":
      id: uuid pk
      job: belongs_to Job required
      text: str(80) required
      permit:
        list: true
        read: true
        create: true
        update: true
        delete: true

    surface job_list "Jobs":
      uses entity Job
      mode: list
      section main:
        field title
        field memo
        field pay
        field hours
        field site.city "City"
        field owner "Who"
        field status
      ux:
        purpose: "Every job"
        sort: pay desc, title asc
        filter: pay, status, owner, hours
        search: title, memo
        empty: "No job anywhere."
        for hand:
          scope: owner = current_user
          hide: pay, memo, site.city
          purpose: "Your jobs"
          empty: "You have no job."
          action_primary: note_new
          show_aggregate: hours, billed, doubled
        for viewer:
          scope: status = done or (status = doing and owner = current_user)
          hide: pay
          read_only: true
        for clerk:
          show: status, billed, title
          action_primary: job_edit

    surface job_view "Job":
      uses entity Job
      mode: view
      section facts "Facts":
        field title
        field memo
        field pay
      section more "More":
        field hours
        field site
        field status
      section notes "Notes":
        uses entity Note
        field text
        field job.pay "Pay of the job"
      related others "Others":
        show: notes
        columns: text
      ux:
        for hand:
          scope: owner = current_user
          hide: pay, memo, title
          focus: more
        for viewer:
          read_only: true
          action_primary: job_list
        for clerk:
          hide: status, site.name

    surface job_new "New job":
      uses entity Job
      mode: create
      section main:
        field title
        field memo
        field pay
        field hours
        field site
      ux:
        for hand:
          hide: pay
          defaults:
            hours: 4
            owner: current_user
            pay: 12
        for viewer:
          read_only: true

    surface job_edit "Change job":
      uses entity Job
      mode: edit
      section main:
        field title
        field memo
        field pay
        field hours
      ux:
        for hand:
          scope: owner = current_user
          hide: pay
        for viewer:
          read_only: true

    surface note_new "New note":
      uses entity Note
      mode: create

    surface site_list "Sites":
      uses entity Site
      mode: list

    demo:
      User:
        - name: "Lea", email: "lea@yard.example", password: "lead the yard", roles: [lead]
        - name: "Hank", email: "hank@yard.example", password: "lend a hand here", roles: [hand]
        - name: "Hilda", email: "hilda@yard.example", password: "lend a hand there", roles: [hand]
        - name: "Vera", email: "vera@yard.example", password: "view the yard", roles: [viewer]
        - name: "Holly", email: "holly@yard.example", password: "hand and viewer", roles: [hand, viewer]
        - name: "Hugo", email: "hugo@yard.example", password: "hand and lead too", roles: [hand, lead]
        - name: "Clea", email: "clea@yard.example", password: "clerk of the yard", roles: [clerk]
        - name: "Nobody", email: "none@yard.example", password: "nobody at all here"
}
