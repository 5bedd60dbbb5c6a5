//! `bouton generate --estimate`: predicts the time, memory and disk space of making a table.

use bouton_generator::{
    ClusterCost, ClusterTime, Estimate, GenerateOptions, MemoryWithFolder, estimate, estimate_cluster,
    memory_with_folder,
};
use bouton_memory::{about_bytes, bytes, bytes_rounded_up};
use bouton_tables::Ruleset;
use serde_json::{Value, json};

use super::{ExitResult, grouped, print, rounded_time};

pub(super) struct EstimateReport {
    needs: Estimate,
    /// Minimum memory with a work folder, if less than `needs.memory`.
    least: Option<MemoryWithFolder>,
    available: u64,
    /// Number of processes that make the table together.
    processes: Option<usize>,
    /// Cost and time with several processes; `None` if process 0 makes the table alone.
    cluster: Option<(ClusterCost, ClusterTime)>,
}

impl EstimateReport {
    pub(super) fn new(
        ruleset: &Ruleset,
        options: GenerateOptions,
        available: u64,
        processes: Option<usize>,
    ) -> Self {
        let needs = estimate(ruleset, options);
        let least =
            memory_with_folder(ruleset, options, u64::MAX).filter(|least| least.memory < needs.memory);
        let cluster = processes.and_then(|processes| {
            let cluster = estimate_cluster(ruleset, options, processes)?;
            let time = cluster.time(processes, &needs);
            Some((cluster, time))
        });
        Self { needs, least, available, processes, cluster }
    }

    pub(super) fn print(&self, json: bool) -> ExitResult {
        print(&self.to_json(), json, false, |_| self.in_words())
    }

    fn to_json(&self) -> Value {
        let Self { needs, least, available, processes, cluster } = self;
        let mut object = json!({
            "positions": needs.positions,
            "memory": countable(needs.memory),
            "available": countable(*available),
            "file": countable(needs.file),
            "seconds": needs.time.as_secs_f64(),
        });
        if let Some(least) = least {
            object["least"] = json!({ "memory": countable(least.memory), "folder": countable(least.folder) });
        }
        if let Some(processes) = processes {
            object["processes"] = json!(processes);
            object["together"] = cluster.map_or(Value::Null, |(needs, time)| {
                json!({
                    "memory": countable(needs.memory),
                    "others": countable(needs.memory_of_others),
                    "messages": needs.messages,
                    "bytes": countable(needs.bytes),
                    "busy": needs.efficiency,
                    "waited_for": countable(needs.critical_path_bytes),
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
            let (memory, folder) = (bytes_rounded_up(least.memory), bytes(least.folder));
            format!("at least   {memory}, with up to {folder} on disk beside the table (--memory)\n")
        });
        format!(
            "positions  {}\nmemory     {} ({} available)\n{least}file       {}\ntime       about {}\n{}",
            grouped(needs.positions),
            about_bytes(needs.memory),
            bytes(*available),
            about_bytes(needs.file),
            rounded_time(needs.time),
            self.cluster_in_words(),
        )
    }

    fn cluster_in_words(&self) -> String {
        let Some(processes) = self.processes else { return String::new() };
        let Some((needs, time)) = self.cluster else {
            return format!(
                "together   {processes} processes do not make this table together: one of them would make it alone\n"
            );
        };
        format!(
            "together   {} in the first of {processes} processes, {} in each other one\n           {} messages, with {} in all: {:.2} bytes for a position\n           busy for {:.0} % of the solving; waits for {} of messages\n           about {}: {} to solve, {} for messages, {} to pack\n",
            bytes_rounded_up(needs.memory),
            bytes_rounded_up(needs.memory_of_others),
            grouped(needs.messages),
            bytes(needs.bytes),
            needs.bytes as f64 / self.needs.positions as f64,
            100.0 * needs.efficiency,
            bytes(needs.critical_path_bytes),
            rounded_time(time.sum()),
            rounded_time(time.solving),
            rounded_time(time.messages),
            rounded_time(time.packing),
        )
    }
}

/// Returns the number of bytes, or `None` for a number too great to count.
fn countable(bytes: u64) -> Option<u64> {
    (bytes < u64::MAX).then_some(bytes)
}
