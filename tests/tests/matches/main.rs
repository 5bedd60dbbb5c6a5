//! Matches: players, models of opponents, and both sides of each protocol.

mod advise;
mod bots;
mod connect;
mod connect_pause;
mod connect_record;
mod connect_rest;
mod connect_rules;
mod connect_text;
mod games;
mod learning;
mod live;
mod loopback;
mod models;
mod players;
mod policies;
mod processes;
mod serve;
