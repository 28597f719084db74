//! Constructs that dz accepts with the warning `construct-not-supported`: the names in them count as used.

use super::Lowering;
use crate::{
    layout::Line,
    model::Mentions,
    syntax::{File, Item},
};

pub(super) fn lower(it: &mut Lowering<'_>, files: &[File]) -> Mentions {
    let mut mentions = Mentions::default();
    let mut open: Vec<&Line> = files
        .iter()
        .flat_map(|file| &file.items)
        .filter_map(|item| match item {
            Item::Other(line) => Some(line),
            _ => None,
        })
        .collect();
    while let Some(line) = open.pop() {
        open.extend(&line.children);
        for (word, file) in line.tokens.iter().filter_map(|token| Some((token.word()?, token.span.file))) {
            if let Some(id) = it.entity_names.get(word).copied() {
                mentions.entities.insert(id);
                it.modules.mention(file, it.entities[id.0].span.file);
            }
            if let Some(id) = it.roles.get(word).copied() {
                mentions.roles.insert(id);
                if let Some(declared) = it.personas[id.0].span {
                    it.modules.mention(file, declared.file);
                }
            }
        }
    }
    mentions
}
