//! The primary button of a page.

use super::{Icon, Link};

/// A button that stands out.
#[derive(Debug, Clone, PartialEq)]
pub struct PrimaryButton {
    /// Its picture.
    pub icon: Icon,
    /// Where it leads, and what it says.
    pub link: Link,
}
