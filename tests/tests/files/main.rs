//! Tests of files: the format as a second reader (the *twin*) understands it, damaged files, and *hostile* ones, whose
//! contents are arbitrary and whose checksums are correct.

mod damage;
mod damage_chances;
mod flights;
mod flights_example;
mod format_twin;
mod format_twin_chances;
mod format_twin_heaps;
mod format_twin_layouts;
mod format_twin_layouts_broken;
mod hostile;
mod hostile_heaps;
mod in_batches;
mod marks;
mod often_asked;
