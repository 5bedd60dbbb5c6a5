//! `bouton-match serve`, tested with raw bytes, as clients of other authors see it.

mod clocks;
mod crowds;
mod host;
mod lobby;
mod misbehaviour;
mod rest;
mod tcp;
mod text;
