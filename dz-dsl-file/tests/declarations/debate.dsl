app debating "Debating league":
  description: "Motions, rounds and speakers"
persona chair "Chair":
  default_workspace: floor
persona speaker "Speaker"
persona judge "Judge":
  proficiency: expert
entity Club:
  id: uuid pk
  name: str(60) required unique
  members: has_many Speaker
  graph_node:
    edges: Round
    display: name
  permit:
    list: true
    read: true
    create: role(chair)
entity Speaker "Speaker":
  id: uuid pk
  account: ref User required
  club: belongs_to Club required
  points: int = 0
  speeches: has_many Speech
  average: computed round(avg(speeches.score), 1)
  display_field: account
  permit:
    list: authenticated
    read: authenticated
    create: role(chair)
    update: role(chair)
entity Round "Round":
  id: uuid pk
  motion: str(200) required
  proposing: ref Club required
  opposing: ref Club required
  held: datetime
  status: enum[set, running, judged, void] = set
  winner: ref Club
  transitions:
    set -> running: role(chair) requires held
    running -> judged: role(judge) and requires winner
      guard: winner = proposing or winner = opposing
      message: "One of the two clubs wins"
    set, running -> void: role(chair)
    final: judged
    failed: void
  invariant: proposing != opposing
    message: "A club does not oppose itself"
    code: SAME_CLUB
  graph_edge:
    source: proposing
    target: opposing
    type: status
  permit:
    list: true
    read: true
    create: role(chair)
    update: role(chair, judge)
entity Speech:
  id: uuid pk
  round: ref Round required cascade
  speaker: ref Speaker required
  score: decimal(4,1)
  judge: ref User = current_user
  remarks: text
  permit:
    list: role(judge, chair) or speaker.account = current_user
    read: role(judge, chair) or speaker.account = current_user
    create: role(judge)
    update: judge = current_user and round.status = running
  unique round, speaker
surface rounds "Rounds":
  uses entity Round
  mode: list
  section main:
    field motion
    field proposing.name
    field opposing.name
    field status
  ux:
    sort: held desc
    filter: status, proposing
    search: motion
    for speaker:
      hide: status
surface score "Score a speech":
  uses entity Speech
  mode: create
  section main:
    field round
    field speaker
    field score
    field remarks
  ux:
    for judge:
      defaults:
        score: 70
workspace floor "The floor":
  running:
    source: Round
    filter: status = running
    action: rounds
  league:
    source: Round
    display: graph
  points:
    source: Speaker
    display: bar_chart
    group_by: club
    value: points
story DB-3 "A round is judged":
  actor: judge
  trigger: form_submitted
  scope: [Round, Speech]
  status: accepted
  given:
    - the round is "running"
  when:
    - the judge names the winner
  then:
    - the round is "judged"
experience first_round "First round":
  start at step look
  step look:
    surface rounds
    on continue -> step mark
  step mark:
    surface score
