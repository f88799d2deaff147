curl --silent --show-error --max-time 30 \
  --retry 3 --retry-all-errors \
  --header "X-API-Key: $NOTIF_KEY" \
  --header 'Accept-Language: id' \
  --header "Idempotency-Key: rapat-$(date +%F)" \
  --data-urlencode 'judul=Rapat pukul 10' \
  --data-urlencode 'isi=Semua hadir di aula.' \
  --output answer.json \
  '{{base}}/api/v1/notif.php' &&
  cat answer.json && grep --quiet '"ok":true' answer.json
