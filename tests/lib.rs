//! The tests are the targets of this package; the library is empty.
