-- What wrk sends (bench/load.ts). Arguments: the operation, a file with a key and a recipient in each line, the number
-- of the first request, and a text that makes the Idempotency-Keys of this run unique. Recipient 0 means everyone.

local title = "Gaji bulan November sudah masuk rekening"
local body = "Slip gaji dapat dilihat di portal. Hubungi bagian keuangan bila ada angka yang keliru."

local thread
function setup(started)
  thread = started
end

function init(args)
  operation, serial, run = args[1], tonumber(args[3]), args[4]
  callers = {}
  for line in io.lines(args[2]) do
    local key, recipient = line:match("(%S+) (%d+)")
    callers[#callers + 1] = { key = key, recipient = recipient }
  end
end

function request()
  local caller = callers[serial % #callers + 1]
  serial = serial + 1
  local headers = { ["X-API-Key"] = caller.key, ["User-Agent"] = "bench" }
  if operation == "ping" then
    return wrk.format("GET", "/api/v1/notif.php?aksi=ping", headers)
  end
  headers["Content-Type"] = "application/json"
  headers["Idempotency-Key"] = run .. "-" .. serial
  local to = caller.recipient == "0" and "" or '"user_id":' .. caller.recipient .. ","
  local json = '{"judul":"' .. title .. '","isi":"' .. body .. '",' .. to .. '"jenis":"gaji","url":"/portal/notifications"}'
  return wrk.format("POST", "/api/v1/notif.php", headers, json)
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  print(string.format(
    '{"count":%d,"seconds":%f,"next":%d,"p50":%f,"p99":%f,"failed":%d}',
    summary.requests, summary.duration / 1e6, thread:get("serial"),
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, failed
  ))
end
