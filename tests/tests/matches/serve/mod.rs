//! `bouton-match serve`, as other people's clients see it.

mod clocks;
mod crowds;
mod host;
mod lobby;
mod misbehaviour;
mod rest;
mod tcp;
mod text;
