-- Positions in batches of 1,000, over those of a recorded mix that are of Expanding Nim.

local BATCH = 1000
local requests = {}

function init(args)
    local positions = {}
    for line in io.lines(args[1]) do
        positions[#positions + 1] = line:match("^expanding (%S+)")
    end
    local headers = { ["content-type"] = "application/json" }
    for first = 1, #positions - BATCH + 1, BATCH do
        local body = '["' .. table.concat(positions, '","', first, first + BATCH - 1) .. '"]'
        requests[#requests + 1] = wrk.format("POST", "/api/tables/expanding/lookup", headers, body)
    end
end

local next = 0

function request()
    next = next % #requests + 1
    return requests[next]
end

function done(summary, latency, requests)
    local failed = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.status
        + summary.errors.timeout
    print(string.format("%.0f positions a second; a batch: p50 %.2f ms, p99 %.2f ms; %d failed",
        summary.requests * BATCH / summary.duration * 1e6, latency:percentile(50) / 1000,
        latency:percentile(99) / 1000, failed))
end
