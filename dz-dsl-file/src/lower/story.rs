//! Stories: actor, entities, quoted states, and the processes that implement them.

mod states;

use std::collections::HashMap;

use states::States;

use super::{Lowering, collect};
use crate::{
    Diagnostic, Span,
    cursor::Name,
    model::{EntityId, Exception, Placed, Sentence, Story, StoryId, StoryStatus, StoryTrigger},
    syntax::{self, File, Item, story as written},
};

/// Collects the ids of stories, which processes name.
pub(super) fn collect(it: &mut Lowering<'_>, files: &[File]) {
    let mut seen = HashMap::new();
    for item in files.iter().flat_map(|file| &file.items) {
        let Item::Story(story) = item else { continue };
        if collect::first(it, &mut seen, "story", &story.name) {
            let id = StoryId(it.callable.stories.len());
            it.callable.stories.insert(story.name.text.clone(), id);
        }
    }
}

/// Lowers stories, in the order of their ids.
pub(super) fn lower(it: &mut Lowering<'_>, files: &[File]) -> Vec<Story> {
    let mut stories: Vec<Story> = Vec::new();
    let mut actors: HashMap<&str, Vec<Span>> = HashMap::new();
    let written = || files.iter().flat_map(|file| &file.items).filter_map(|item| if let Item::Story(it) = item { Some(it) } else { None });
    for actor in written().filter_map(|story| story.actor.as_ref()) {
        actors.entry(&actor.text).or_default().push(actor.span);
    }
    for story in written() {
        if it.callable.stories.get(&story.name.text) == Some(&StoryId(stories.len())) {
            let story = lower_story(it, story, &actors);
            stories.push(story);
        }
    }
    stories
}

fn lower_story(it: &mut Lowering<'_>, story: &written::Story, actors: &HashMap<&str, Vec<Span>>) -> Story {
    if story.title.is_none() {
        let id = &story.name;
        let after = Span { start: id.span.end, ..id.span };
        it.out.push(
            Diagnostic::error("missing-title", id.span, format!("story `{}` has no title", id.text))
                .help(format!("describe in a few words what happens: `story {} \"…\":`", id.text))
                .replace(after, format!(" \"{}\"", id.text)),
        );
    }
    let actor = story.actor.as_ref().and_then(|name| {
        let places = actors.get(name.text.as_str()).map_or(&[][..], Vec::as_slice);
        Some(Placed { it: it.actor(name, places)?, span: name.span })
    });
    let scope = scope(it, &story.scope);
    let states = States::collect(it, &scope);
    let mut sentences = |lines: &[Name]| -> Vec<Sentence> { lines.iter().map(|line| states.sentence(it, line)).collect() };
    Story {
        name: story.name.text.clone(),
        title: story.title.as_ref().unwrap_or(&story.name).text.clone(),
        description: story.description.as_ref().map(|it| it.text.clone()),
        actor,
        trigger: story.trigger.as_ref().and_then(|it| trigger(&it.text)),
        scope,
        status: match story.status.as_ref().map(|it| it.text.as_str()) {
            Some("accepted") => StoryStatus::Accepted,
            Some("rejected") => StoryStatus::Rejected,
            _ => StoryStatus::Draft,
        },
        given: sentences(&story.given),
        when: sentences(&story.when),
        then: sentences(&story.then),
        unless: story
            .unless
            .iter()
            .map(|line| Exception { text: sentences(std::slice::from_ref(&line.text)).remove(0), then: sentences(&line.then) })
            .collect(),
        span: story.name.span,
    }
}

fn scope(it: &mut Lowering<'_>, names: &[Name]) -> Vec<Placed<EntityId>> {
    let mut seen: HashMap<&str, Span> = HashMap::new();
    let mut scope = Vec::new();
    for name in names {
        if let Some(first) = seen.get(name.text.as_str()) {
            syntax::duplicate_key(name, *first, &mut it.out);
            continue;
        }
        seen.insert(&name.text, name.span);
        if let Some(entity) = it.entity(name) {
            scope.push(Placed { it: entity, span: name.span });
        }
    }
    scope
}

fn trigger(word: &str) -> Option<StoryTrigger> {
    match word {
        "form_submitted" => Some(StoryTrigger::FormSubmitted),
        "status_changed" => Some(StoryTrigger::StatusChanged),
        "timer_elapsed" => Some(StoryTrigger::TimerElapsed),
        "external_event" => Some(StoryTrigger::ExternalEvent),
        "user_click" => Some(StoryTrigger::UserClick),
        "cron_daily" => Some(StoryTrigger::CronDaily),
        "cron_hourly" => Some(StoryTrigger::CronHourly),
        _ => None,
    }
}
