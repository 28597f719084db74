//! Finds routes by the decoded segments of a path. A fixed word takes precedence over a value.

use std::collections::HashMap;

/// Routes by path segments; a route is its position in the table.
#[derive(Default)]
pub(crate) struct Tree {
    words: HashMap<String, Tree>,
    value: Option<Box<Tree>>,
    here: Vec<usize>,
}

impl Tree {
    /// Adds a route with a path such as `/api/tasks/{id}`.
    pub fn insert(&mut self, path: &str, route: usize) {
        let mut node = self;
        for segment in path.split('/').filter(|segment| !segment.is_empty()) {
            node = match is_value(segment) {
                true => node.value.get_or_insert_default(),
                false => node.words.entry(segment.to_owned()).or_default(),
            };
        }
        node.here.push(route);
    }

    /// All paths that match, each with its routes; paths with earlier words come first.
    pub fn find(&self, segments: &[String]) -> Vec<&[usize]> {
        let mut found = Vec::new();
        self.collect(segments, &mut found);
        found
    }

    fn collect<'t>(&'t self, segments: &[String], found: &mut Vec<&'t [usize]>) {
        let Some((first, rest)) = segments.split_first() else {
            found.extend((!self.here.is_empty()).then_some(&*self.here));
            return;
        };
        if let Some(word) = self.words.get(first) {
            word.collect(rest, found);
        }
        if let Some(value) = &self.value {
            value.collect(rest, found);
        }
    }
}

/// True for a segment in braces, which matches any text.
pub(crate) fn is_value(segment: &str) -> bool {
    segment.starts_with('{')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_takes_precedence_over_a_value() {
        let mut tree = Tree::default();
        for (at, path) in
            ["/", "/api/tasks", "/api/tasks/{id}", "/api/tasks/bulk", "/api/tasks/{id}", "/{any}/tasks/bulk"].iter().enumerate()
        {
            tree.insert(path, at);
        }
        let find = |path: &str| -> Vec<Vec<usize>> {
            let segments: Vec<String> = path.split('/').filter(|it| !it.is_empty()).map(str::to_owned).collect();
            tree.find(&segments).into_iter().map(<[usize]>::to_vec).collect()
        };
        assert_eq!(find("/"), [[0]]);
        assert_eq!(find("/api/tasks"), [[1]]);
        assert_eq!(find("/api/tasks/7"), [[2, 4]]);
        assert_eq!(find("/api/tasks/bulk"), [vec![3], vec![2, 4], vec![5]]);
        assert_eq!(find("/api/tasks/bulk/x"), Vec::<Vec<usize>>::new());
        assert_eq!(find("/api"), Vec::<Vec<usize>>::new());
        assert_eq!(tree.find(&["api".to_owned(), "tasks".to_owned(), "a/b".to_owned()]), [[2, 4]], "a value may hold a slash");
    }
}
