; The line after a comment `words:` is made from the lists of the language: UPDATE_EXPECT=1 cargo test -p dz-reference editors

(comment) @comment
[(string) (long_string) (text)] @string
(number) @number
(operator) @operator
"->" @operator
[":" "," "." ";"] @punctuation.delimiter
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
(item "-" @punctuation.special)
["@" "?"] @punctuation.special

(call function: (word) @function)

(transition from: (name) @constant)
(transition to: (name) @constant)

(block (statement (pair key: (name) @property)))
(block (statement (item (pair key: (name) @property))))

((block (statement (pair key: (name . (word) @keyword .))))
  ; words: keys
  (#any-of? @keyword "access" "action" "action_primary" "actor" "acyclic" "aggregate" "api_key_env" "archetype" "as" "assignee" "assignee_role" "attention" "audit" "auth_profile" "backoff" "base_url" "budget_alert_usd" "catch_up" "code" "columns" "compensate" "compensations" "condition" "confirm" "context" "cost_per_1k_input" "cost_per_1k_output" "create" "cron" "currency" "date_field" "default_locale" "default_model" "default_route" "default_workspace" "defaults" "delete" "demo" "description" "directed" "display" "display_field" "domain" "edges" "effects" "emits" "empty" "end" "engine_hint" "entities" "entity" "examples" "extends" "failed" "field" "filter" "final" "focus" "for" "forbid" "given" "goals" "goto" "graph_edge" "graph_node" "group_by" "guarantees" "guard" "hide" "human_task" "implements" "index" "input" "input_map" "inputs" "intent" "interval" "invariant" "kind" "limit" "list" "llm_intent" "log_completions" "log_prompts" "logging" "max_attempts" "max_tokens" "message" "mode" "model" "model_id" "multi_tenant" "no_index" "note" "on" "on_any_failure" "on_complete" "on_entity" "on_event" "on_failure" "on_false" "on_start" "on_success" "on_true" "outcomes" "output" "output_schema" "overlap" "owner" "parallel" "patterns" "permit" "persona" "pii" "plural" "prefill" "priority" "process" "proficiency" "prompt" "provider" "purpose" "rate_limits" "read" "read_only" "redact_pii" "registration" "related" "retry" "saves_to" "scan" "scope" "search" "section" "service" "sets" "show" "show_aggregate" "soft_delete" "sort" "source" "spec" "stage" "start" "start_route" "status" "step" "steps" "stub" "subprocess" "surface" "target" "temporal" "theme" "then" "tier" "timeout" "timezone" "title" "transitions" "trigger" "type" "unique" "unless" "update" "uses" "ux" "value" "wait" "was" "weight" "when" "write" "write_back"))

((block (statement (declaration keyword: (word) @keyword)))
  ; words: keys
  (#any-of? @keyword "access" "action" "action_primary" "actor" "acyclic" "aggregate" "api_key_env" "archetype" "as" "assignee" "assignee_role" "attention" "audit" "auth_profile" "backoff" "base_url" "budget_alert_usd" "catch_up" "code" "columns" "compensate" "compensations" "condition" "confirm" "context" "cost_per_1k_input" "cost_per_1k_output" "create" "cron" "currency" "date_field" "default_locale" "default_model" "default_route" "default_workspace" "defaults" "delete" "demo" "description" "directed" "display" "display_field" "domain" "edges" "effects" "emits" "empty" "end" "engine_hint" "entities" "entity" "examples" "extends" "failed" "field" "filter" "final" "focus" "for" "forbid" "given" "goals" "goto" "graph_edge" "graph_node" "group_by" "guarantees" "guard" "hide" "human_task" "implements" "index" "input" "input_map" "inputs" "intent" "interval" "invariant" "kind" "limit" "list" "llm_intent" "log_completions" "log_prompts" "logging" "max_attempts" "max_tokens" "message" "mode" "model" "model_id" "multi_tenant" "no_index" "note" "on" "on_any_failure" "on_complete" "on_entity" "on_event" "on_failure" "on_false" "on_start" "on_success" "on_true" "outcomes" "output" "output_schema" "overlap" "owner" "parallel" "patterns" "permit" "persona" "pii" "plural" "prefill" "priority" "process" "proficiency" "prompt" "provider" "purpose" "rate_limits" "read" "read_only" "redact_pii" "registration" "related" "retry" "saves_to" "scan" "scope" "search" "section" "service" "sets" "show" "show_aggregate" "soft_delete" "sort" "source" "spec" "stage" "start" "start_route" "status" "step" "steps" "stub" "subprocess" "surface" "target" "temporal" "theme" "then" "tier" "timeout" "timezone" "title" "transitions" "trigger" "type" "unique" "unless" "update" "uses" "ux" "value" "wait" "was" "weight" "when" "write" "write_back"))

((block (statement (item (declaration keyword: (word) @keyword))))
  ; words: keys
  (#any-of? @keyword "access" "action" "action_primary" "actor" "acyclic" "aggregate" "api_key_env" "archetype" "as" "assignee" "assignee_role" "attention" "audit" "auth_profile" "backoff" "base_url" "budget_alert_usd" "catch_up" "code" "columns" "compensate" "compensations" "condition" "confirm" "context" "cost_per_1k_input" "cost_per_1k_output" "create" "cron" "currency" "date_field" "default_locale" "default_model" "default_route" "default_workspace" "defaults" "delete" "demo" "description" "directed" "display" "display_field" "domain" "edges" "effects" "emits" "empty" "end" "engine_hint" "entities" "entity" "examples" "extends" "failed" "field" "filter" "final" "focus" "for" "forbid" "given" "goals" "goto" "graph_edge" "graph_node" "group_by" "guarantees" "guard" "hide" "human_task" "implements" "index" "input" "input_map" "inputs" "intent" "interval" "invariant" "kind" "limit" "list" "llm_intent" "log_completions" "log_prompts" "logging" "max_attempts" "max_tokens" "message" "mode" "model" "model_id" "multi_tenant" "no_index" "note" "on" "on_any_failure" "on_complete" "on_entity" "on_event" "on_failure" "on_false" "on_start" "on_success" "on_true" "outcomes" "output" "output_schema" "overlap" "owner" "parallel" "patterns" "permit" "persona" "pii" "plural" "prefill" "priority" "process" "proficiency" "prompt" "provider" "purpose" "rate_limits" "read" "read_only" "redact_pii" "registration" "related" "retry" "saves_to" "scan" "scope" "search" "section" "service" "sets" "show" "show_aggregate" "soft_delete" "sort" "source" "spec" "stage" "start" "start_route" "status" "step" "steps" "stub" "subprocess" "surface" "target" "temporal" "theme" "then" "tier" "timeout" "timezone" "title" "transitions" "trigger" "type" "unique" "unless" "update" "uses" "ux" "value" "wait" "was" "weight" "when" "write" "write_back"))

((source_file (statement (declaration keyword: (word) @keyword)))
  ; words: constructs
  (#any-of? @keyword "app" "archetype" "demo" "entity" "enum" "experience" "llm_config" "llm_intent" "llm_model" "module" "persona" "process" "scenario" "schedule" "service" "story" "surface" "use" "workspace"))

((source_file (statement (pair key: (name . (word) @keyword .))))
  ; words: constructs
  (#any-of? @keyword "app" "archetype" "demo" "entity" "enum" "experience" "llm_config" "llm_intent" "llm_model" "module" "persona" "process" "scenario" "schedule" "service" "story" "surface" "use" "workspace"))

(story keyword: (word) @keyword)
(condition key: (word) @keyword)
(source_file (statement (declaration name: (name) @type)))
(story name: (name) @type)

; A field, whatever its name is.
((pair key: (name) @property value: (value . (word) @type.builtin))
  ; words: types
  (#any-of? @type.builtin "belongs_to" "bool" "computed" "date" "datetime" "decimal" "email" "enum" "file" "float" "has_many" "has_one" "int" "json" "money" "ref" "slug" "str" "text" "timezone" "url" "uuid"))

((pair key: (name) @property value: (value . (call function: (word) @type.builtin)))
  ; words: types
  (#any-of? @type.builtin "belongs_to" "bool" "computed" "date" "datetime" "decimal" "email" "enum" "file" "float" "has_many" "has_one" "int" "json" "money" "ref" "slug" "str" "text" "timezone" "url" "uuid"))

((value (word) @attribute)
  ; words: modifiers
  (#any-of? @attribute "auto_add" "auto_update" "cascade" "indexed" "nullify" "optional" "pk" "required" "restrict" "searchable" "sensitive" "unique" "via" "was"))

((word) @constant.builtin
  ; words: constants
  (#any-of? @constant.builtin "anonymous" "authenticated" "current_user" "false" "now" "null" "today" "true"))
