wget --no-verbose --output-document=- \
  --content-on-error --timeout=30 --tries=1 \
  --header="X-API-Key: $NOTIF_KEY" \
  --header='Accept-Language: id' \
  '{{base}}/api/v1/notif.php?aksi=ping'
