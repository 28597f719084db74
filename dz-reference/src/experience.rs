//! The page of `experience`.

use super::{
    frames,
    page::{Entry, Page, entry, entry_in, further, sound, text, words, wrong},
};

pub(super) fn page() -> Page {
    Page {
        file: "experience.md",
        title: "experience",
        summary: "A guided sequence of screens.",
        constructs: &["experience"],
        pieces: vec![
            text(
                "`experience NAME \"Title\":` guides an account through screens, step by step, and stores the collected values until it ends. A step without a next step is an end. Every step must be reachable, and a step must save every value of the context.",
            ),
            sound(frames::BESIDE, WHOLE),
            text("## Keys"),
            words("experience", "Key", frames::IN_WAY, KEYS),
            text("## Steps\n\n`step NAME \"Title\":` shows a surface, or runs a process."),
            words("step of an experience", "Key", frames::IN_STEP, STEP),
            text("### Kinds of steps"),
            words("kind of step", "Kind", frames::IN_STEP, KINDS),
            text("### Events\n\nWhat can happen in a step, after `on`."),
            words("event of a step", "Event", frames::IN_STEP, EVENTS),
            text("### Context\n\n`context:` declares values, each with a type only. They are null until a step saves them."),
            further("Word", frames::IN_STEP, CONTEXT),
            wrong(
                "unknown-step",
                "entity Bike:\n  id: uuid pk\n  permit:\n    create: authenticated\nsurface bike_new:\n  uses entity Bike\n  mode: create\nexperience first_bike:\n  start at step add\n  step add:\n    surface bike_new\n    on success -> step shwo\n  step show:\n    surface bike_new\n",
            ),
        ],
    }
}

const WHOLE: &str = "surface bike_new:
  uses entity Bike
  mode: create

surface repair_new:
  uses entity Repair
  mode: create

experience walk_in \"A customer walks in\":
  start at step bike
  context:
    bike: ref Bike
  step bike \"The bike\":
    surface bike_new
    saves_to: context.bike
    on success -> step repair
  step repair \"What to do\":
    surface repair_new
    prefill:
      bike: context.bike
    on back -> step bike";

const KEYS: &[Entry] = &[
    entry_in(frames::WAY_WITHOUT_START, "start", "The first step; default: the first one in the file.", "start at step add"),
    entry_in(frames::WAY_WITH_STEP, "step", "A step. See [steps](#steps).", "step again:\n  surface bike_new\n  on back -> step add"),
    entry("access", "Who can use it: `public`, `authenticated` or `persona(…)`.", "access: persona(counter)"),
    entry_in(frames::WAY_WITH_SAVE, "context", "The values that it collects. See [context](#context).", "context:\n  bike: ref Bike"),
];

const STEP: &[Entry] = &[
    entry("kind", "The kind; it follows from the next two keys.", "kind: surface"),
    entry_in(frames::WAY_OF_STEPS, "surface", "The surface that it shows.", "step more:\n  surface bike_new"),
    entry_in(frames::WAY_WITH_PROCESS, "process", "The process that it runs.", "step more:\n  process ordering"),
    entry("on", "An event, and the next step.", "on success -> step done"),
    entry("when", "The step is skipped unless this condition is true; it can use `context`.", "when: context.bike != null"),
    entry("prefill", "The initial values of the form.", "prefill:\n  label: \"New bike\""),
    entry("saves_to", "The value of the context that stores the row.", "saves_to: context.bike"),
    entry("access", "Who can enter the step.", "access: persona(counter)"),
];

const KINDS: &[Entry] = &[
    entry("surface", "A screen.", "kind: surface"),
    entry_in(frames::WAY_WITH_PROCESS, "process", "A process.", "step more:\n  kind: process\n  process ordering"),
];

const EVENTS: &[Entry] = &[
    entry("success", "The step has succeeded.", "on success -> step done"),
    entry("failure", "The step has failed.", "on failure -> step done"),
    entry("continue", "The user continues.", "on continue -> step done"),
    entry("back", "The user goes back.", "on back -> step done"),
    entry("cancel", "The user cancels.", "on cancel -> step done"),
    entry("approve", "The user approves.", "on approve -> step done"),
    entry("reject", "The user rejects.", "on reject -> step done"),
    entry("skip", "The user skips the step.", "on skip -> step done"),
];

const CONTEXT: &[Entry] = &[entry("context", "Before a dot: a value that was collected.", "when: context.bike != null")];
