//! Names that mean something to Rust.

dz::dz! {
    entity Option "Option":
      id: uuid pk
      type: str(20) required
      match: int
      self: bool
      index: int
      state: enum["in progress", "2fa", type, Some] = type
      permit:
        read: state != "in progress"

    entity Vec "Vec":
      id: str(40) pk
      result: ref Result
      permit:
        read: true

    entity Result "Result":
      id: int pk
      strings: has_many Vec
      permit:
        read: any(strings where id = "a")

    entity Box "Box":
      id: uuid pk
      vec: json = []
      permit:
        read: true
}

fn main() {
    let _ = app();
    assert_eq!(option::OptionState::V2fa.as_str(), "2fa");
    assert_eq!(option::OptionState::parse("in progress"), Some(option::OptionState::InProgress));
}
