app works "Works"

entity Note "Note":
  id: uuid pk
  title: str(60) required
  permit:
    list: true
    read: true

service add "Add one":
  input:
    n: int required
  output:
    n: int required
  stub: rust

process chain "Ten calls":
  trigger: manual
  overlap: allow
  input:
    n: int required
  steps:
    - step s1:
        service: add
        inputs: input.n -> n
    - step s2:
        service: add
        inputs: s1.n -> n
    - step s3:
        service: add
        inputs: s2.n -> n
    - step s4:
        service: add
        inputs: s3.n -> n
    - step s5:
        service: add
        inputs: s4.n -> n
    - step s6:
        service: add
        inputs: s5.n -> n
    - step s7:
        service: add
        inputs: s6.n -> n
    - step s8:
        service: add
        inputs: s7.n -> n
    - step s9:
        service: add
        inputs: s8.n -> n
    - step s10:
        service: add
        inputs: s9.n -> n

process single "One call":
  trigger: manual
  overlap: allow
  input:
    n: int required
  steps:
    - step s1:
        service: add
        inputs: input.n -> n

process effects "Ten effects":
  trigger: manual
  overlap: allow
  input:
    n: int required
  steps:
    - step e1:
        effects:
          - create Note:
              title: "first"
    - step e2:
        effects:
          - create Note:
              title: "second"
    - step e3:
        effects:
          - create Note:
              title: "third"
    - step e4:
        effects:
          - create Note:
              title: "fourth"
    - step e5:
        effects:
          - create Note:
              title: "fifth"
    - step e6:
        effects:
          - create Note:
              title: "sixth"
    - step e7:
        effects:
          - create Note:
              title: "seventh"
    - step e8:
        effects:
          - create Note:
              title: "eighth"
    - step e9:
        effects:
          - create Note:
              title: "ninth"
    - step e10:
        effects:
          - create Note:
              title: "tenth"

process sleeper "A long wait":
  trigger: manual
  overlap: allow
  input:
    n: int required
  steps:
    - step pause:
        wait: 30d
    - step last:
        service: add
        inputs: input.n -> n
