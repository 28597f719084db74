app chess 'Chess federation':
  default_locale: 'en'

persona arbiter 'Arbiter'
persona player

archetype Stamped:
  created_at: datetime auto_add
  updated_at: datetime auto_update

entity Player 'Player':
  extends: Stamped
  id: int pk
  account: ref User unique?
  full_name: str(120) required searchable
  rating: int = 1000
  title: enum[none, cm, fm, im, gm] = none
  born: date
  games_white: has_many Match via white
  games_black: has_many Match via black
  age: computed year(today) - year(born)
  wins: computed count(games_white where result == white_won) + count(games_black where result == black_won)
  permit:
    list: anonymous
    read: anonymous
    create: role(arbiter)
    update: role(arbiter) OR account == current_user
  forbid:
    update: rating > 2900 AND NOT role(arbiter)
  invariant: rating >= 100 AND rating <= 3500
    message: 'A rating is between 100 and 3500'
    code: RATING_RANGE
  display_field: full_name

entity Match 'Match':
  extends: Stamped
  id: uuid pk
  white: ref Player required restrict
  black: ref Player required restrict
  result: enum[pending, white_won, black_won, draw] = pending
  played_on: date = today
  moves: text
  opening: str(3)
  state: enum[announced, running, finished, forfeited] = announced
  transitions:
    announced -> running: role(arbiter)
    running -> finished: role(arbiter) requires moves
      guard: result != pending
      message: 'Enter the result'
    announced -> forfeited: auto after 3 days
    * -> forfeited: role(arbiter)
    final: finished
    failed: forfeited
  invariant: white != black
    message: 'Nobody plays alone'
    code: SELF_PLAY
  permit:
    list: true
    read: true
    create: role(arbiter)
    update: role(arbiter)
    delete: role(arbiter) and state == announced
  index played_on desc, opening
  graph_edge:
    source: white
    target: black
    directed: false
    type: result

surface match_list 'Matches':
  uses entity Match
  mode: list
  access: authenticated
  section main:
    field white.full_name 'White'
    field black.full_name 'Black'
    field result
    field played_on format: relative
  action new 'Announce':
    on click -> surface match_new
  ux:
    purpose: 'Who plays whom'
    sort: played_on desc
    filter: state, result, played_on
    search: opening, white.full_name
    as player:
      scope: white.account == current_user OR black.account == current_user
      empty: 'You have no match.'

surface match_new 'New match':
  uses entity Match
  mode: create
  section main:
    field white
    field black
    field played_on help: 'The day of the round'
  action save: on submit -> surface match_list

workspace hall 'Playing hall':
  purpose: 'Rounds of the day'
  access: persona(arbiter)
  today_games 'Today':
    source: Match
    filter: played_on == today AND state IN [announced, running]
    display: kanban
    action: match_list
  openings:
    source: Match
    display: bar_chart
    group_by: opening
    aggregate:
      games: count(*)
