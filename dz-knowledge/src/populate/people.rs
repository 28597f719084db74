//! Personas, stories, experiences and scenarios.

use dz_dsl_file::model::{Proficiency, StepKind, Story, StoryStatus, StoryTrigger};
use serde_json::json;

use super::Populate;
use crate::Kind;

pub(super) fn add(it: &mut Populate<'_>) {
    let model = it.model;
    for persona in model.personas.iter().filter(|persona| persona.declared) {
        let Some(span) = persona.span else { continue };
        let start = persona.default_workspace.as_ref().map(|it| &model.workspaces[it.it.0]);
        let details = json!({
            "description": persona.description,
            "goals": persona.goals,
            "proficiency": persona.proficiency.map(proficiency),
            "default_workspace": start.map(|it| json!({ "name": it.name, "title": it.title, "purpose": it.purpose })),
        });
        it.node(Kind::Persona, &persona.name, &persona.title, span, details);
        if let Some(workspace) = persona.default_workspace {
            let target = Kind::Workspace.id(&model.workspaces[workspace.it.0].name);
            it.relate(&Kind::Persona.id(&persona.name), "default_workspace", target);
        }
    }
    model.stories.iter().for_each(|story| add_story(it, story));
    for experience in &model.experiences {
        let steps: Vec<&str> = experience.steps.iter().map(|step| step.name.as_str()).collect();
        it.node(Kind::Experience, &experience.name, &experience.title, experience.span, json!({ "steps": steps }));
        let id = Kind::Experience.id(&experience.name);
        for step in &experience.steps {
            if let StepKind::Surface(surface) = step.kind {
                let target = it.surface_id(surface.it);
                it.relate_by(&id, "navigates_to", target, "steps", &step.name);
            }
        }
    }
    for scenario in &model.scenarios {
        let personas: Vec<&str> = scenario.personas.iter().map(|it| model.personas[it.persona.it.0].name.as_str()).collect();
        let details = json!({ "description": scenario.description, "personas": personas, "rows": scenario.demo.len() });
        it.node(Kind::Scenario, &scenario.name, &scenario.title, scenario.span, details);
    }
}

fn add_story(it: &mut Populate<'_>, story: &Story) {
    let actor = story.actor.map(|actor| it.model.personas[actor.it.0].name.clone());
    let lines = |lines: &[dz_dsl_file::model::Sentence]| lines.iter().map(|line| line.text.clone()).collect::<Vec<_>>();
    let details = json!({
        "description": story.description,
        "actor": actor,
        "trigger": story.trigger.map(trigger),
        "status": status(story.status),
        "given": lines(&story.given),
        "when": lines(&story.when),
        "then": lines(&story.then),
    });
    it.node(Kind::Story, &story.name, &story.title, story.span, details);
    let id = Kind::Story.id(&story.name);
    if let Some(actor) = story.actor {
        let target = it.persona_id(actor.it);
        it.relate(&id, "acts_as", target);
    }
    for entity in &story.scope {
        let target = it.entity_id(entity.it);
        it.relate(&id, "scopes", target);
    }
}

fn proficiency(it: Proficiency) -> &'static str {
    match it {
        Proficiency::Novice => "novice",
        Proficiency::Intermediate => "intermediate",
        Proficiency::Expert => "expert",
    }
}

fn status(it: StoryStatus) -> &'static str {
    match it {
        StoryStatus::Draft => "draft",
        StoryStatus::Accepted => "accepted",
        StoryStatus::Rejected => "rejected",
    }
}

fn trigger(it: StoryTrigger) -> &'static str {
    match it {
        StoryTrigger::FormSubmitted => "form_submitted",
        StoryTrigger::StatusChanged => "status_changed",
        StoryTrigger::TimerElapsed => "timer_elapsed",
        StoryTrigger::ExternalEvent => "external_event",
        StoryTrigger::UserClick => "user_click",
        StoryTrigger::CronDaily => "cron_daily",
        StoryTrigger::CronHourly => "cron_hourly",
    }
}
