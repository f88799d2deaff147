wget --no-verbose --output-document=- \
  --content-on-error --timeout=30 --tries=1 \
  --header="X-API-Key: $NOTIF_KEY" \
  --header='Accept-Language: id' \
  --header='Content-Type: application/json' \
  --post-data='{"judul":"Rapat pukul 10","isi":"Semua hadir di aula."}' \
  '{{base}}/api/v1/notif.php'
