#!/bin/sh
# notif-check.sh USER_ID NAME COMMAND…: tells when the state of a check changes.
user_id=$1 name=$2
shift 2
text=$("$@")
case $? in
  0) state=OK ;;
  1) state=WARNING ;;
  2) state=CRITICAL ;;
  *) state=UNKNOWN ;;
esac
kept="$HOME/.notif-check-$(printf '%s' "$name" | tr -c 'A-Za-z0-9' _)"
[ "$state" = "$(cat "$kept" 2>/dev/null || echo OK)" ] && exit
/usr/local/bin/notif-alert.sh "$user_id" "$state: $name" "${text%%|*}" &&
  echo "$state" >"$kept"
