//! Every operator and function.
