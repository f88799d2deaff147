#!/bin/sh
# notif-monit.sh USER_ID: Monit gives its event in these variables.
NOTIF_EVENT=$MONIT_DATE exec /usr/local/bin/notif-alert.sh "$1" \
  "$MONIT_HOST: $MONIT_SERVICE" "$MONIT_DESCRIPTION"
