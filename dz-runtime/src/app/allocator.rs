//! The settings of the C library's allocator with which a server returns freed memory to the system.
//!
//! By default glibc keeps up to eight arenas for each processor, and raises the size from which a block is memory of its own each time such
//! a block is freed. After a flood of large requests the process then keeps hundreds of megabytes. glibc reads its settings once, when
//! the process starts (mallopt(3)), so the server replaces itself by the same program with the same arguments and these variables.

/// Starts this process again with the settings, unless one of them is set or the C library is another one. Returns if the process goes on
/// as it is.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(super) fn apply_settings() {
    use std::os::unix::process::CommandExt;

    use crate::output::log_event;

    /// Of the process that follows. glibc removes its own variables from a process with privileges of its file, which would then start
    /// again without end.
    const STARTED: &str = "DZ_ALLOCATOR_IS_SET";
    const ARENAS: &str = "MALLOC_ARENA_MAX";
    /// The size in bytes from which a block is memory of its own; a fixed value turns the automatic increase off.
    const LARGE_BLOCK: (&str, &str) = ("MALLOC_MMAP_THRESHOLD_", "131072");

    let is_set = |name| std::env::var_os(name).is_some();
    if is_set(STARTED) || is_set(ARENAS) || is_set(LARGE_BLOCK.0) || is_set("GLIBC_TUNABLES") {
        return;
    }
    let mut arguments = std::env::args_os();
    let (Some(name), Ok(program)) = (arguments.next(), std::env::current_exe()) else { return };
    let arenas = std::thread::available_parallelism().map_or(2, |count| count.get().max(2));
    // `exec` returns only if it fails, for example because the file has been replaced. The server then serves with the default settings.
    let failed = std::process::Command::new(program)
        .arg0(name)
        .args(arguments)
        .env(STARTED, "1")
        .env(ARENAS, arenas.to_string())
        .env(LARGE_BLOCK.0, LARGE_BLOCK.1)
        .exec();
    log_event!(debug, target: "dz", "the settings of the allocator were not changed: {failed}");
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(super) fn apply_settings() {}
