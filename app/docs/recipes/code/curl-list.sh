curl --fail-with-body --silent --show-error --max-time 30 \
  --header "X-API-Key: $NOTIF_KEY" \
  --header 'Accept-Language: id' \
  '{{base}}/api/v1/notif.php?aksi=karyawan'
