//! The pages of personas, stories and experiences.

use super::{
    Docs, Draft,
    escape::{anchor, code, markdown},
    heading, link, paragraph,
};
use crate::model::{Placed, RoleId, Sentence, StepKind, Story, StoryStatus};

/// A link to a story.
pub(super) fn story_link(story: &Story, from: &str) -> String {
    link(&format!("{} {}", story.name, story.title), &format!("stories.md#{}", anchor(&story.name)), from)
}

impl Docs<'_> {
    /// A link to a persona.
    pub(super) fn role(&self, role: RoleId, from: &str) -> String {
        let name = &self.model.personas[role.0].name;
        link(name, &format!("personas.md#{}", anchor(name)), from)
    }

    pub(super) fn roles(&self, roles: &[Placed<RoleId>], from: &str) -> String {
        roles.iter().map(|role| self.role(role.it, from)).collect::<Vec<_>>().join(", ")
    }

    pub(super) fn personas_page(&self) -> Draft {
        let path = "personas.md".to_owned();
        let mut text = heading("Personas");
        for (at, persona) in self.model.personas.iter().enumerate() {
            text.push_str(&format!("## {}\n\n", markdown(&persona.name)));
            paragraph(&mut text, Some(&persona.title));
            paragraph(&mut text, persona.description.as_deref());
            for goal in &persona.goals {
                text.push_str(&format!("- Goal: {}\n", markdown(goal)));
            }
            if let Some(workspace) = persona.default_workspace {
                text.push_str(&format!("- Start page: {}\n", self.workspace_link(workspace.it, &path)));
            }
            if let Some(route) = &persona.default_route {
                text.push_str(&format!("- Start page: {}\n", code(&route.it)));
            }
            for story in self.model.stories.iter().filter(|story| story.actor.is_some_and(|actor| actor.it == RoleId(at))) {
                text.push_str(&format!("- Story {}\n", story_link(story, &path)));
            }
            text.push('\n');
        }
        Draft { title: "Personas".to_owned(), path, text }
    }

    pub(super) fn stories_page(&self) -> Draft {
        let path = "stories.md".to_owned();
        let mut text = heading("Stories");
        if self.model.stories.is_empty() {
            text.push_str("The declaration has no stories.\n");
        }
        for story in &self.model.stories {
            text.push_str(&format!("## {}\n\n", markdown(&story.name)));
            paragraph(&mut text, Some(&story.title));
            paragraph(&mut text, story.description.as_deref());
            let status = match story.status {
                StoryStatus::Draft => "draft",
                StoryStatus::Accepted => "accepted",
                StoryStatus::Rejected => "rejected",
            };
            text.push_str(&format!("- Status: {status}\n"));
            if let Some(actor) = story.actor {
                text.push_str(&format!("- Actor: {}\n", self.role(actor.it, &path)));
            }
            for entity in &story.scope {
                text.push_str(&format!("- Entity: {}\n", self.entity_link(entity.it, &path)));
            }
            for (at, process) in self.model.processes.iter().enumerate() {
                if process.implements.iter().any(|it| self.model.stories[it.it.0].name == story.name) {
                    text.push_str(&format!("- Process: {}\n", self.process_link(crate::model::ProcessId(at), &path)));
                }
            }
            text.push('\n');
            sentences(&mut text, "Given", &story.given);
            sentences(&mut text, "When", &story.when);
            sentences(&mut text, "Then", &story.then);
            for exception in &story.unless {
                sentences(&mut text, "Unless", std::slice::from_ref(&exception.text));
                sentences(&mut text, "Then", &exception.then);
            }
        }
        Draft { title: "Stories".to_owned(), path, text }
    }

    /// A page with every experience; none without experiences.
    pub(super) fn experiences_page(&self) -> Option<Draft> {
        let path = "experiences.md".to_owned();
        let mut text = heading("Experiences");
        for experience in &self.model.experiences {
            text.push_str(&format!("## {}\n\n", markdown(&experience.title)));
            for (at, step) in experience.steps.iter().enumerate() {
                let what = match step.kind {
                    StepKind::Surface(surface) => self.surface_link(surface.it, &path),
                    StepKind::Process(process) => self.process_link(process.it, &path),
                };
                let start = if experience.start.0 == at { " (start)" } else { "" };
                text.push_str(&format!("- {}{start}: {what}\n", markdown(&step.title)));
                for transition in &step.transitions {
                    let event = crate::names::humanise(&format!("{:?}", transition.event)).to_lowercase();
                    let target = &experience.steps[transition.target.0].title;
                    text.push_str(&format!("  - on {event}: {}\n", markdown(target)));
                }
            }
            text.push('\n');
        }
        (!self.model.experiences.is_empty()).then(|| Draft { title: "Experiences".to_owned(), path, text })
    }
}

fn sentences(text: &mut String, word: &str, sentences: &[Sentence]) {
    if !sentences.is_empty() {
        text.push_str(&format!("{word}:\n\n"));
        sentences.iter().for_each(|sentence| text.push_str(&format!("- {}\n", markdown(&sentence.text))));
        text.push('\n');
    }
}
