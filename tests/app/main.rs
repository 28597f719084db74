//! The example application over real HTTP, on SQLite and on PostgreSQL from one source.

mod access;
mod accounts;
mod address_changes;
mod api;
mod attention;
mod audit;
mod auth;
mod background;
mod backup;
mod bulk;
mod choices;
mod client;
mod clinic;
mod clock;
mod clocks;
mod computed;
mod conditional_unique;
mod constants_as_names;
mod crossing_writes;
mod csv;
mod currencies;
mod depot;
mod experiences;
mod extensions;
mod failover;
mod field_names;
mod files;
mod form_files;
mod form_rows;
mod form_rules;
mod graphql;
mod history;
mod hostile_requests;
mod idempotency;
mod import_command;
mod instances;
mod jobs;
mod joins;
mod labels;
mod languages;
mod library;
mod masked_rows;
mod metrics;
mod middle;
mod money;
mod nested_rows;
#[cfg(feature = "s3")]
mod object_storage;
#[cfg(feature = "oidc")]
mod oidc;
mod openapi;
mod outages;
mod output;
mod own_hooks;
mod own_pages;
mod pages;
mod partitions;
mod personal_data;
mod plan;
mod process_references;
mod processes;
mod proof;
mod proxy;
mod reference_totals;
mod region_columns;
mod relations;
mod relocation;
mod replaced_templates;
mod replicas;
mod retention;
mod routes;
mod scheduled_backup;
mod scoped;
mod search;
mod second_factor;
mod server;
mod sessions;
mod soft_delete;
mod start;
mod surface_options;
mod system;
mod tenants;
mod test_app;
mod timed_transitions;
mod totals;
mod traces;
mod transitions;
mod typed_actions;
mod typed_keys;
mod typed_rows;
mod units_of_work;
mod upgrade;
mod values;
mod variants;
mod wind_farm;
mod workspaces;

#[path = "../../examples/tasks/fieldwork.rs"]
mod fieldwork;
#[path = "../../examples/shop/shop.rs"]
mod shop;
#[path = "../../examples/shop/tests.rs"]
mod shop_tests;
#[path = "../../examples/clinic/clinic.rs"]
mod vets;

pub(crate) use server::{on_both_engines, served_on_both};
