-- Single lookups, over a recorded mix of positions of several games.

local requests = {}

function init(args)
    for line in io.lines(args[1]) do
        local name, position = line:match("(%S+) (%S+)")
        local path = "/api/tables/" .. name .. "/lookup?position=" .. position
        requests[#requests + 1] = wrk.format("GET", path)
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
    print(string.format("%.0f lookups a second; p50 %.2f ms, p99 %.2f ms, longest %.2f ms; %d failed",
        summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
        latency.max / 1000, failed))
end
