//! Tests of matches: players move as their policies say, chances agree with naive ones, and `bouton-match serve`,
//! `connect` and `advise` follow each protocol and record each game.

mod advise;
mod bot_processes;
mod bots;
mod connect_json;
mod connect_pause;
mod connect_record;
mod connect_rest;
mod connect_rules;
mod connect_text;
mod games;
mod learning;
mod models;
mod players;
mod policies;
mod serve;
mod serve_and_connect;
mod server_and_client;
