wget --no-verbose --output-document=- --content-on-error --timeout=15 --tries=1 \
  --header="X-API-Key: $NOTIF_KEY" \
  '{{base}}/api/v1/notif.php?aksi=ping'
