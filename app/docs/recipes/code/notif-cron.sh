#!/bin/sh
: "${NOTIF_KEY:?NOTIF_KEY belum diisi / is not set}"

job=$1
shift
for field do
  shift
  set -- "$@" --data-urlencode "$field"
done

answer=$(mktemp) || exit 1
trap 'rm -f "$answer"' EXIT

status=$(printf 'header = "X-API-Key: %s"\n' "$NOTIF_KEY" |
  curl --config - --silent --show-error --max-time 30 \
    --retry 4 --retry-all-errors \
    --header 'Accept-Language: id' \
    --header "Idempotency-Key: $job-$(date +%F)" \
    "$@" \
    --output "$answer" --write-out '%{http_code}' \
    '{{base}}/api/v1/notif.php') || exit

[ "$status" = 200 ] || exec >&2
echo "$job: HTTP $status: $(cat "$answer")"
[ "$status" = 200 ]
