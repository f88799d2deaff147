#!/bin/sh
# notif-alert.sh USER_ID TITLE [TEXT]: without TEXT it reads standard input.
set -u
. /etc/notif.env

cut_text() {
  iconv -c -f UTF-8 -t UTF-32LE | head -c "$((4 * $1))" | iconv -f UTF-32LE -t UTF-8
}
title=$(printf '%s' "$2" | cut_text 120)
text=$(if [ $# -gt 2 ]; then printf '%s' "$3"; else cat; fi | cut_text 255)
event=${NOTIF_EVENT:-$(date +%F-%H)}
once=$(printf '%s\n' "$event" "$1" "$title" "$text" | sha256sum | cut -c 1-64)

answer=$(mktemp) || exit 1
trap 'rm -f "$answer"' EXIT
status=$(printf 'header = "X-API-Key: %s"\n' "$NOTIF_KEY" |
  curl --config - --silent --show-error --max-time 30 \
    --retry 4 --retry-all-errors \
    --header 'Accept-Language: id' \
    --header "Idempotency-Key: $once" \
    --data-urlencode "user_id=$1" \
    --data-urlencode "judul=$title" \
    --data-urlencode "isi=${text:--}" \
    --output "$answer" --write-out '%{http_code}' \
    '{{base}}/api/v1/notif.php') || exit

[ "$status" = 200 ] && exit
echo "$title: HTTP $status: $(cat "$answer")" >&2
exit 1
