//! The services, processes and language models of the workshop.

/// The application with everything that its processes call, and lines after it.
macro_rules! works {
    ($lines:literal) => {
        concat!(
            shop!("  transitions:\n    booked -> working\n    working -> ready\n    ready -> collected\n", ""),
            "surface repair_view:\n  uses entity Repair\n  mode: view\n",
            "service estimate:\n  input:\n    repair: ref Repair required\n  output:\n    fee: decimal(8, 2) required\n  stub: rust\n",
            "service refund:\n  input:\n    repair: ref Repair required\n  stub: rust\n",
            "llm_model small:\n  provider: anthropic\n  model_id: claude-3-haiku-20240307\n",
            "llm_intent thank:\n  model: small\n  input:\n    repair: ref Repair required\n  prompt: \"Thank for {{ input.repair.title }}\"\n",
            "process reminding:\n  trigger: manual\n  steps:\n    - step a_day:\n        wait: 1d\n",
            $lines
        )
    };
}

/// A construct beside all of it.
pub(crate) const BESIDE: &str = works!("…\n");

/// A line of a service.
pub(crate) const IN_SERVICE: &str = works!("service order_part:\n  stub: rust\n  …\n");

/// A line of a service of another system.
pub(crate) const IN_ADAPTER: &str = works!("service carrier:\n  kind: integration\n  …\n");

/// A service without a line about its stub.
pub(crate) const BARE_SERVICE: &str = works!("service order_part:\n  …\n");

/// A line of a process that a row starts.
pub(crate) const IN_PROCESS: &str = works!(
    "process finishing:\n  trigger: entity Repair status working -> ready\n  …\n  steps:\n    - step work:\n        service: estimate\n        inputs: trigger.entity -> repair\n"
);

/// A process that consists of a step.
pub(crate) const START: &str = works!("process finishing:\n  …\n  steps:\n    - step work:\n        wait: 1h\n");

/// The steps of a process.
pub(crate) const FLOW: &str = works!("process finishing:\n  trigger: entity Repair created\n  …\n");

/// A line of a step that calls a service.
pub(crate) const IN_CALL: &str = works!(
    "process finishing:\n  trigger: entity Repair created\n  steps:\n    - step choosing:\n        condition: trigger.entity.express\n        on_true: work\n        on_false: later\n    - step work:\n        service: estimate\n        inputs: trigger.entity -> repair\n        …\n    - step later:\n        wait: 1h\n  compensations:\n    - undo:\n        service: refund\n        inputs: trigger.entity -> repair\n"
);

/// A line of a step.
pub(crate) const IN_STEP: &str = works!(
    "process finishing:\n  trigger: entity Repair created\n  steps:\n    - step choosing:\n        condition: trigger.entity.express\n        on_true: work\n        on_false: later\n    - step work:\n        …\n    - step later:\n        wait: 1h\n"
);

/// The branches of a condition.
pub(crate) const IN_CONDITION: &str = works!(
    "process finishing:\n  trigger: entity Repair created\n  steps:\n    - step work:\n        condition: trigger.entity.express\n        …\n    - step later:\n        wait: 1h\n"
);

/// A line of a parallel.
pub(crate) const IN_PARALLEL: &str = works!(
    "process finishing:\n  trigger: entity Repair created\n  steps:\n    - step choosing:\n        condition: trigger.entity.express\n        on_true: both\n        on_false: later\n    - parallel both:\n        …\n        - step one:\n            service: estimate\n            inputs: trigger.entity -> repair\n        - step two:\n            wait: 2h\n    - step later:\n        wait: 1h\n  compensations:\n    - undo:\n        service: refund\n        inputs: trigger.entity -> repair\n"
);

/// A `parallel` without other lines.
pub(crate) const PARALLEL: &str =
    works!("process finishing:\n  trigger: entity Repair created\n  steps:\n    - parallel both:\n        …\n");

/// A line of a compensation.
pub(crate) const IN_COMPENSATION: &str = works!(
    "process finishing:\n  trigger: entity Repair created\n  steps:\n    - step work:\n        service: estimate\n        inputs: trigger.entity -> repair\n        compensate: undo\n  compensations:\n    - undo:\n        …\n"
);

/// A line of a compensation that calls a service.
pub(crate) const IN_COMPENSATION_CALL: &str = works!(
    "process finishing:\n  trigger: entity Repair created\n  steps:\n    - step work:\n        service: estimate\n        inputs: trigger.entity -> repair\n        compensate: undo\n  compensations:\n    - undo:\n        service: refund\n        inputs: trigger.entity -> repair\n        …\n"
);

/// An effect.
pub(crate) const EFFECT: &str = works!(
    "process finishing:\n  trigger: entity Repair status working -> ready\n  steps:\n    - step work:\n        effects:\n          …\n"
);

/// A line of a human task.
pub(crate) const IN_TASK: &str = works!(
    "process finishing:\n  trigger: entity Repair created\n  steps:\n    - step work:\n        human_task:\n          entity: Repair\n          assignee_role: mechanic\n          …\n          outcomes:\n            - done:\n                goto: complete\n"
);

/// The assignee of a human task.
pub(crate) const ASSIGNEE: &str = works!(
    "process finishing:\n  trigger: entity Repair created\n  steps:\n    - step work:\n        human_task:\n          entity: Repair\n          …\n          outcomes:\n            - done:\n                goto: complete\n"
);

/// The row of a human task.
pub(crate) const TASK_OF: &str = works!(
    "process finishing:\n  trigger: entity Repair created\n  steps:\n    - step work:\n        human_task:\n          assignee_role: mechanic\n          …\n          outcomes:\n            - done:\n                goto: complete\n"
);

/// The outcomes of a human task.
pub(crate) const OUTCOMES: &str = works!(
    "process finishing:\n  trigger: entity Repair created\n  steps:\n    - step work:\n        human_task:\n          entity: Repair\n          assignee_role: mechanic\n          …\n"
);

/// A line of an outcome.
pub(crate) const IN_OUTCOME: &str = works!(
    "process finishing:\n  trigger: entity Repair created\n  steps:\n    - step work:\n        human_task:\n          entity: Repair\n          assignee_role: mechanic\n          outcomes:\n            - done:\n                …\n"
);

/// A line of `retry:`
pub(crate) const IN_RETRY: &str = works!(
    "process finishing:\n  trigger: entity Repair created\n  steps:\n    - step work:\n        service: estimate\n        inputs: trigger.entity -> repair\n        retry:\n          max_attempts: 3\n          …\n"
);

/// The number of attempts.
pub(crate) const ATTEMPTS: &str = works!(
    "process finishing:\n  trigger: entity Repair created\n  steps:\n    - step work:\n        service: estimate\n        inputs: trigger.entity -> repair\n        retry:\n          …\n"
);

/// A condition over the values of a process.
pub(crate) const KNOWN: &str = works!(
    "process finishing:\n  trigger: entity Repair created\n  input:\n    express: bool\n  steps:\n    - step work:\n        service: estimate\n        inputs: trigger.entity -> repair\n    - step asking:\n        human_task:\n          entity: Repair\n          assignee_role: mechanic\n          outcomes:\n            - done:\n                goto: thanks\n    - step thanks:\n        llm_intent: thank\n        inputs: trigger.entity -> repair\n    - step paid:\n        wait: signal payment\n    - step choosing:\n        condition: …\n        on_true: complete\n        on_false: fail\n"
);

/// A line of a schedule.
pub(crate) const IN_SCHEDULE: &str = works!("schedule nightly:\n  cron: \"0 3 * * *\"\n  process: reminding\n  …\n");

/// The times of a schedule.
pub(crate) const SCHEDULE_WHEN: &str = works!("schedule nightly:\n  process: reminding\n  …\n");

/// The work of a schedule.
pub(crate) const SCHEDULE_WHAT: &str = works!("schedule nightly:\n  cron: \"0 3 * * *\"\n  …\n");

/// A line of a language model.
pub(crate) const IN_MODEL: &str = works!("llm_model large:\n  provider: openai\n  model_id: gpt-4o\n  …\n");

/// The provider of a language model.
pub(crate) const MODEL_OF: &str = works!("llm_model large:\n  model_id: gpt-4o\n  base_url: \"https://llm.example.com/v1\"\n  …\n");

/// The provider's name of a language model.
pub(crate) const MODEL_ID: &str = works!("llm_model large:\n  provider: openai\n  …\n");

/// A line of `llm_config:`
pub(crate) const IN_CONFIG: &str = works!("llm_config:\n  …\n");

/// A line of `logging:`
pub(crate) const IN_LOGGING: &str = works!("llm_config:\n  logging:\n    …\n");

/// A line of an intent.
pub(crate) const IN_INTENT: &str =
    works!("llm_intent judge:\n  model: small\n  prompt: \"How long will this take: {{ input.title }}\"\n  …\n");

/// The model of an intent.
pub(crate) const INTENT_MODEL: &str = works!("llm_intent judge:\n  prompt: \"How long will this take: {{ input.title }}\"\n  …\n");

/// The prompt of an intent.
pub(crate) const INTENT_PROMPT: &str = works!("llm_intent judge:\n  model: small\n  …\n");

/// A line of `pii:`
pub(crate) const IN_PII: &str =
    works!("llm_intent judge:\n  model: small\n  prompt: \"How long will this take: {{ input.title }}\"\n  pii:\n    …\n");

/// The lines of the trigger of an intent.
pub(crate) const INTENT_TRIGGER: &str =
    works!("llm_intent judge:\n  model: small\n  prompt: \"How long will this take: {{ input.title }}\"\n  trigger:\n    …\n");

/// A line of the trigger of an intent.
pub(crate) const IN_INTENT_TRIGGER: &str = works!(
    "llm_intent judge:\n  model: small\n  prompt: \"How long will this take: {{ input.title }}\"\n  trigger:\n    on_entity: Repair\n    on_event: created\n    …\n"
);

/// A line of the trigger of an intent whose inputs are mapped.
pub(crate) const INTENT_TRIGGER_MAPPED: &str = works!(
    "llm_intent judge:\n  model: small\n  prompt: \"How long will this take: {{ input.title }}\"\n  trigger:\n    on_entity: Repair\n    on_event: created\n    input_map:\n      title: entity.title\n    …\n"
);

/// A line of a schedule beside a story.
pub(crate) const WITH_STORY: &str =
    works!("story ST-001 \"A repair\":\n  actor: mechanic\nschedule nightly:\n  cron: \"0 3 * * *\"\n  process: reminding\n  …\n");

/// A line of a process beside a story.
pub(crate) const PROCESS_WITH_STORY: &str = works!(
    "story ST-001 \"A repair\":\n  actor: mechanic\nprocess finishing:\n  trigger: manual\n  …\n  steps:\n    - step work:\n        wait: 1h\n"
);

/// An input of a process.
pub(crate) const WITH_INPUT: &str = works!(
    "process finishing:\n  trigger: entity Repair created\n  …\n  steps:\n    - step work:\n        condition: contains(input.title, \"urgent\")\n        on_true: complete\n        on_false: pause\n    - step pause:\n        wait: 1h\n"
);

/// An output of a process.
pub(crate) const WITH_OUTPUT: &str = works!(
    "process finishing:\n  trigger: entity Repair created\n  …\n  steps:\n    - step work:\n        service: estimate\n        inputs: trigger.entity -> repair\n"
);

/// A process that a signal starts.
pub(crate) const SIGNALLED: &str = works!(
    "process pricing:\n  trigger: manual\n  emits: repair_done\n  steps:\n    - step work:\n        wait: 1h\nprocess finishing:\n  …\n  steps:\n    - step work:\n        wait: 1h\n"
);

/// A line of `emits:`
pub(crate) const IN_EMITS: &str =
    works!("process finishing:\n  trigger: manual\n  emits:\n    …\n  steps:\n    - step work:\n        wait: 1h\n");

/// The condition of the trigger of an intent.
pub(crate) const INTENT_WHEN: &str = works!(
    "llm_intent judge:\n  model: small\n  prompt: \"How long will this take: {{ input.title }}\"\n  trigger:\n    on_entity: Repair\n    on_event: created\n    when: …\n    input_map:\n      title: entity.title\n"
);
