curl --fail-with-body --silent --show-error --max-time 15 \
  --header "X-API-Key: $NOTIF_KEY" \
  --header 'Content-Type: application/json' \
  --data '{"judul":"Rapat pukul 10","isi":"Semua hadir di aula.","jenis":"info"}' \
  '{{base}}/api/v1/notif.php'
