wget --no-verbose --output-document=- \
  --content-on-error --timeout=30 --tries=1 \
  --header="X-API-Key: $NOTIF_KEY" \
  --header='Accept-Language: id' \
  --header='Content-Type: application/json' \
  --post-data='{"judul":"Kasbon disetujui","isi":"Kasbon Anda dapat diambil di kasir.","user_id":"'"$USER_ID"'"}' \
  '{{base}}/api/v1/notif.php'
