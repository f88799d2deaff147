wget --no-verbose --output-document=- --content-on-error --timeout=15 --tries=1 \
  --header="X-API-Key: $NOTIF_KEY" \
  --header='Content-Type: application/json' \
  --post-data='{"judul":"Rapat pukul 10","isi":"Semua hadir di aula.","jenis":"info"}' \
  '{{base}}/api/v1/notif.php'
