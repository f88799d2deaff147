curl --fail-with-body --silent --show-error --max-time 30 \
  --header "X-API-Key: $NOTIF_KEY" \
  --header 'Accept-Language: id' \
  --data-urlencode 'judul=Gaji November sudah masuk' \
  --data-urlencode 'isi=Slip gaji & rinciannya ada di portal.' \
  --data jenis=gaji \
  --data url=/portal/notifications \
  '{{base}}/api/v1/notif.php'
