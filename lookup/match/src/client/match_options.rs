//! The options of a match.

use std::time::Duration;

use bouton_shell::whole_of;
use bouton_tables::expanding::Expanding;

use super::kit::MatchKit;
use crate::Side;
use crate::protocol::usual_rules;
use crate::settings::default_options;

/// The protocol to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ProtocolChoice {
    /// Detect the protocol: by the address, and by whether the server speaks first.
    Auto,
    /// JSON over TCP: the servers of 2017, 2018, 2020 and 2025.
    #[value(alias = "tcp-2017", alias = "tcp-2018", alias = "tcp-2020", alias = "tcp-2025")]
    Tcp,
    /// Numbers over TCP: the server of 2016.
    #[value(name = "text-2016")]
    Text2016,
    /// JSON over HTTP: the web server of 2020.
    Rest,
}

/// The options of a match, as on the command line.
#[derive(Clone, Debug, clap::Args)]
pub struct MatchOptions {
    /// The server's protocol. With `auto`, http:// means `rest`, port 50008 means `text-2016`, and any other protocol is
    /// detected. For the server of 2016 on another port, give `text-2016`: that server may send nothing until the
    /// opponent has connected, and the detection then fails.
    #[arg(long, value_enum, default_value_t = ProtocolChoice::Auto)]
    pub protocol: ProtocolChoice,
    /// Your name [default: Bouton and a random number]
    #[arg(long, default_value_t = random_name(), hide_default_value = true)]
    pub name: String,
    /// The side that we ask for; the server decides.
    #[arg(skip = Side::First)]
    pub side: Side,
    /// The table and the policy to play with.
    #[arg(skip)]
    pub kit: MatchKit,
    /// With `rest`: the number of the session to join.
    #[arg(long, value_name = "ID", value_parser = parse_session)]
    pub session: Option<u64>,
    /// The expected rules. The server's announcements replace their stones, resets and limits.
    #[arg(skip = usual_rules())]
    pub rules: Expanding,
    /// True if the user names these rules by a ruleset or by settings, and not by a table.
    #[arg(skip)]
    pub are_rules_given: bool,
    /// The stones at the start of the game, if the user knows them.
    #[arg(skip)]
    pub stones: Option<u64>,
    /// The resets of the first player and the second, if the user knows them.
    #[arg(skip)]
    pub resets: Option<[u8; 2]>,
    /// Seconds to keep trying to connect if the server is not running yet, 0 to 1000000.
    #[arg(long, value_name = "SECONDS", default_value = "0",
          value_parser = |text: &str| whole_of("seconds", 0..=1_000_000)(text).map(Duration::from_secs))]
    pub wait: Duration,
    /// Seconds that we have for all our moves, 1 to 1000000. If they could run short, our moves wait less than --pause says.
    #[arg(long, value_name = "SECONDS", default_value = "120",
          allow_negative_numbers = true,
          value_parser = |text: &str| whole_of("seconds", 1..=1_000_000)(text).map(Duration::from_secs))]
    pub clock: Duration,
    /// Maximum seconds to wait for each message from the server, 1 to 1000000.
    #[arg(long, value_name = "SECONDS", default_value = "300",
          allow_negative_numbers = true,
          value_parser = |text: &str| whole_of("seconds", 1..=1_000_000)(text).map(Duration::from_secs))]
    pub patience: Duration,
    /// Milliseconds to wait before sending each move over TCP, 0 to 60000; 0 answers at once. Many clients crash when two
    /// messages arrive together, as they do after an instant answer. The wait counts on your clock; it is shortened so
    /// that the waits of the longest possible game take at most half of the time left.
    // Many clients treat the bytes of one read as one message. If our answer is instant, the server's echo of the
    // opponent's move and its message about ours reach the opponent joined; the client crashes, and the server with it.
    #[arg(long, value_name = "MS", default_value = "120",
          value_parser = |text: &str| whole_of("milliseconds", 0..=60_000)(text).map(Duration::from_millis))]
    pub pause: Duration,
}

impl Default for MatchOptions {
    /// The options of an empty command line.
    fn default() -> Self {
        default_options()
    }
}

fn parse_session(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| {
        "expected the number of a session; the player who creates the session sees it".to_owned()
    })
}

fn random_name() -> String {
    format!("Bouton-{:04}", fastrand::u32(..10_000))
}
