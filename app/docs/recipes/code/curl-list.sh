curl --fail-with-body --silent --show-error --max-time 15 \
  --header "X-API-Key: $NOTIF_KEY" \
  '{{base}}/api/v1/notif.php?aksi=karyawan'
