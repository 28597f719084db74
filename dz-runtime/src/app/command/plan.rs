//! `plan`: prints the statements that read many more rows than they return, and the purposes of indexes.

use super::{Outcome, prepare};
use crate::{
    App, Error, Result,
    output::{Progress, print_line, show_step},
    plan,
};

pub(super) fn run(app: App, words: &[&str]) -> Result<Outcome> {
    let check = match words {
        [] => false,
        ["--check"] => true,
        _ => return Ok(Outcome::Usage("`plan` takes `--check`, or nothing".to_owned())),
    };
    let progress = Progress::start();
    let prepared = prepare(app)?;
    show_step!("executing the statements of each role");
    let plan = plan::plan(&prepared.state)?;
    drop(progress);
    print_line!("{plan}")?;
    match plan.findings().count() {
        found if check && found > 0 => {
            Err(Error::bad_request("some statements read more rows than they need; declare an `index`, or narrow the list"))
        }
        _ => Ok(Outcome::Done),
    }
}
