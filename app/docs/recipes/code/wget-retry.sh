wget --no-verbose --output-document=- --timeout=30 \
  --tries=12 --waitretry=12 --retry-connrefused \
  --retry-on-http-error=429,502,503,504 \
  --header="X-API-Key: $NOTIF_KEY" \
  --header='Accept-Language: id' \
  --header="Idempotency-Key: rapat-$(date +%F)" \
  --header='Content-Type: application/json' \
  --post-data='{"judul":"Rapat pukul 10","isi":"Semua hadir di aula."}' \
  '{{base}}/api/v1/notif.php'
