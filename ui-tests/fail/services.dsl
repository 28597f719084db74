persona desk "Desk"

entity Note "Note":
  id: uuid pk
  title: str(80) required
  permit:
    list: role(desk)

service mail "Mail":
  input:
    to: email required
    text: str(200) required
  output:
    number: str(40)

process answer "Answer":
  trigger:
    when: entity Note created
  steps:
    - step send:
        service: mial
    - step told:
        service: mail
        inputs:
          too -> to
    - step send:
        service: mail
