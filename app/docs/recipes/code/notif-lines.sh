#!/bin/sh
# notif-lines.sh USER_ID: every line of standard input becomes a notification.
while IFS= read -r line; do
  /usr/local/bin/notif-alert.sh "$1" "Log $(uname -n)" "$line"
done
