app clockmaker "Clockmaker":
    currency: GBP
    timezone: "Europe/London"
persona maker "Maker"
persona apprentice
llm_model helper:
    provider: openai
    model_id: gpt-4o-mini
    tier: balanced
    api_key_env: OPENAI_KEY
llm_config:
    default_model: helper
    budget_alert_usd: 15
    logging: true
entity Clock "Clock":
    id: uuid pk
    maker_name: str(80)
    movement: enum[pendulum, balance, quartz] required
    customer: str(80) required
    phone: str(20) sensitive
    brought: date = today
    estimate: money(GBP)
    diagnosis: text
    advice: text
    stage: enum[received, quoted, working, ready, collected, abandoned] = received
    age: computed days_since(brought)
    transitions:
        received -> quoted: role(maker) requires estimate
        quoted -> working: role(maker, apprentice)
        working -> ready "Wind up": requires diagnosis
        ready -> collected
        ready -> abandoned: auto after 1y or manual
        final: collected
        failed: abandoned
    permit:
        list: role(maker, apprentice)
        read: role(maker, apprentice)
        create: role(maker)
        update: role(maker, apprentice)
    index stage, brought
llm_intent advise "Advise":
    prompt: "Advise about {{ input.diagnosis }} of a {{ input.movement }} clock"
    retry:
        max_attempts: 3
        backoff: linear
        interval: 15s
    timeout: 60s
    pii: redact
    trigger:
        on_entity: Clock
        on_event: updated
        when: entity.diagnosis != null and entity.advice = null
        input_map:
            diagnosis: entity.diagnosis
            movement: entity.movement
        write_back:
            advice: output
service price_parts "Prices":
    kind: domain_logic
    input:
        movement: str(20) required
        parts: list[str]
    output:
        total: decimal(8,2) required
    guarantees:
        - "The total includes tax"
    stub: rust
process remind "Remind the customer":
    trigger: entity Clock stage working -> ready
    timeout: 60d
    overlap: skip
    steps:
        - step hold:
            wait: 14 days
        - step still:
            condition: trigger.entity.stage = ready
            on_true: call
            on_false: complete
        - step call "Call":
            human_task:
                surface: clock_view
                assignee_role: maker
                timeout: 3 days
                outcomes:
                    - reached "Reached":
                        goto: complete
                    - unknown:
                        goto: fail
                        confirm: true
schedule tidy:
    cron: "30 5 * * sun"
    process: sweep
process sweep:
    trigger: manual role(maker)
    steps:
        - step clear:
            effects:
                - update Clock:
                    where: stage = collected and days_since(brought) > 3650
                    phone: null
                - emit swept
surface clock_view "Clock":
    uses entity Clock
    mode: view
    section main:
        field customer
        field movement
        field stage
        field age
surface clock_list "Clocks":
    uses entity Clock
    mode: list
    section main:
        field customer
        field stage
        field brought format: short
    ux:
        sort: brought asc
        filter: stage, movement
        search: customer, maker_name
        attention warning:
            when: stage = ready and age > 30
            message: "Uncollected"
            action: clock_view
