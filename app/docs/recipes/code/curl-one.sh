curl --fail-with-body --silent --show-error --max-time 30 \
  --header "X-API-Key: $NOTIF_KEY" \
  --header 'Accept-Language: id' \
  --data-urlencode 'judul=Kasbon disetujui' \
  --data-urlencode 'isi=Kasbon Anda dapat diambil di kasir.' \
  --data jenis=kasbon \
  --data-urlencode "user_id=$USER_ID" \
  '{{base}}/api/v1/notif.php'
