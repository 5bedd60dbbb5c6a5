//! `bouton generate --estimate`: predicts the time, memory and disk space of making a table.

use std::error::Error;
use std::io::Write;

use bouton_generator::{
    ClusterCost, ClusterTime, Estimate, GenerateOptions, LeastMemory, estimate, estimate_cluster,
    least_memory,
};
use bouton_memory::{about, bytes, bytes_enough};
use bouton_tables::Ruleset;
use bouton_tables::program::Output;
use serde_json::{Value, json};

use super::{grouped, print_json, roughly};

/// The estimate of a table.
pub(super) struct Estimated {
    needs: Estimate,
    /// Least memory that suffices, if less than `needs.memory`.
    least: Option<LeastMemory>,
    available: u64,
    /// Number of processes that make the table together.
    processes: Option<usize>,
    /// The estimate for each process; `None` if process 0 makes the table alone.
    together: Option<(ClusterCost, ClusterTime)>,
}

impl Estimated {
    pub(super) fn new(
        ruleset: &Ruleset,
        options: GenerateOptions,
        available: u64,
        processes: Option<usize>,
    ) -> Self {
        let needs = estimate(ruleset, options);
        let least = least_memory(ruleset, options).filter(|least| least.memory < needs.memory);
        let together = processes.and_then(|processes| {
            let together = estimate_cluster(ruleset, options, processes)?;
            let time = together.time(processes, &needs);
            Some((together, time))
        });
        Self { needs, least, available, processes, together }
    }

    pub(super) fn print(&self, json: bool) -> Result<(), Box<dyn Error>> {
        let mut out = Output::of(json);
        if json {
            print_json(&mut out, &self.to_json())?;
        } else {
            out.write_all(self.in_words().as_bytes())?;
        }
        Ok(())
    }

    fn to_json(&self) -> Value {
        let Self { needs, least, available, processes, together } = self;
        let mut object = json!({
            "positions": needs.positions,
            "memory": known(needs.memory),
            "available": known(*available),
            "file": known(needs.file),
            "seconds": needs.time.as_secs_f64(),
        });
        if let Some(least) = least {
            object["least"] = json!({ "memory": known(least.memory), "folder": known(least.folder) });
        }
        if let Some(processes) = processes {
            object["processes"] = json!(processes);
            object["together"] = together.map_or(Value::Null, |(needs, time)| {
                json!({
                    "memory": known(needs.memory),
                    "others": known(needs.others),
                    "messages": needs.messages,
                    "bytes": known(needs.bytes),
                    "busy": needs.busy,
                    "waited_for": known(needs.waited_for),
                    "seconds": time.sum().as_secs_f64(),
                    "seconds_solving": time.solving.as_secs_f64(),
                    "seconds_messages": time.messages.as_secs_f64(),
                    "seconds_packing": time.packing.as_secs_f64(),
                })
            });
        }
        object
    }

    fn in_words(&self) -> String {
        let Self { needs, least, available, .. } = self;
        let least = least.map_or(String::new(), |least| {
            let (memory, folder) = (bytes_enough(least.memory), bytes(least.folder));
            format!("at least   {memory}, with up to {folder} on disk beside the table (--memory)\n")
        });
        format!(
            "positions  {}\nmemory     {} ({} available)\n{least}file       {}\ntime       about {}\n{}",
            grouped(needs.positions),
            about(needs.memory),
            bytes(*available),
            about(needs.file),
            roughly(needs.time),
            self.together_in_words(),
        )
    }

    fn together_in_words(&self) -> String {
        let Some(processes) = self.processes else { return String::new() };
        let Some((needs, time)) = self.together else {
            return format!(
                "together   {processes} processes do not make this table together: one of them would make it alone\n"
            );
        };
        format!(
            "together   {} in the first of {processes} processes, {} in each other one\n           {} messages of {} in all, {:.2} bytes for a position\n           busy for {:.0} % of the solving; waits for {} of messages\n           about {}: {} to solve, {} for messages, {} to pack\n",
            bytes_enough(needs.memory),
            bytes_enough(needs.others),
            grouped(needs.messages),
            bytes(needs.bytes),
            needs.bytes as f64 / self.needs.positions as f64,
            100.0 * needs.busy,
            bytes(needs.waited_for),
            roughly(time.sum()),
            roughly(time.solving),
            roughly(time.messages),
            roughly(time.packing),
        )
    }
}

/// Returns the number of bytes, or `None` for a number too great to count.
fn known(bytes: u64) -> Option<u64> {
    (bytes < u64::MAX).then_some(bytes)
}
