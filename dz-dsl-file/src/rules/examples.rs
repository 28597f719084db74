//! Templates of the examples that rules of several areas share.

/// An entity with some fields and a rule for reading.
macro_rules! entity {
    ($fields:literal, $rule:literal) => {
        concat!("entity Task:\n  id: uuid pk\n", $fields, "  permit:\n    read: ", $rule, "\n")
    };
}

/// An entity with further lines, which accounts can list, read and update.
macro_rules! task {
    ($($line:literal),*) => {
        concat!("entity Task:\n  id: uuid pk\n", $($line,)* "  permit:\n    list: true\n    read: true\n    update: true\n")
    };
}

/// A list with a variant for one persona.
macro_rules! variant {
    ($pay:literal, $ux:literal) => {
        concat!(
            "persona clerk\nentity Task:\n  id: uuid pk\n  name: str(80)\n  pay: ",
            $pay,
            "\n  permit:\n    list: role(clerk)\n    read: role(clerk)\nsurface tasks:\n  uses entity Task\n  mode: list\n",
            "  section main:\n    field name\n    field pay\n  ux:\n    sort: id asc\n    for clerk:\n",
            $ux
        )
    };
}

/// A list of tasks with `ux:` lines.
macro_rules! list {
    ($ux:literal) => {
        concat!(
            "persona clerk\nentity Task:\n  id: uuid pk\n  name: str(80)\n  due: date\n  permit:\n    list: role(clerk)\n    read: role(clerk)\n",
            "surface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    sort: id asc\n",
            $ux
        )
    };
}

/// A workspace over tasks and people.
macro_rules! board {
    ($lines:literal) => {
        concat!(
            "entity Task:\n  id: uuid pk\n  name: str(80)\n  due: date\n  permit:\n    list: true\n    read: true\n",
            "entity Note:\n  id: uuid pk\n  text: str(80)\n  permit:\n    list: true\n    read: true\n",
            "surface task_view:\n  uses entity Task\n  mode: view\nworkspace home:\n  board:\n",
            $lines
        )
    };
}

/// An entity with its access rules, and pages of it.
macro_rules! pages {
    ($rules:literal, $pages:literal) => {
        concat!("entity Task:\n  id: uuid pk\n  permit:\n", $rules, "surface tasks:\n  uses entity Task\n  mode: list\n", $pages)
    };
}

/// An entity, a service and a process with one step, to which the examples add their lines.
macro_rules! process {
    ($head:literal, $step:literal) => {
        concat!(
            "entity Order:\n  id: uuid pk\n  total: decimal(8,2) = 0\n  status: enum[open, done] = open\n  permit:\n    read: true\n",
            "service price:\n  input:\n    total: decimal(8,2)\n  output:\n    sum: decimal(8,2)\n  stub: rust\n",
            "process bill:\n  trigger: entity Order created\n",
            $head,
            "  steps:\n    - step work:\n",
            $step
        )
    };
}
