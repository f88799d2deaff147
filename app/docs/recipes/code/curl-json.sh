curl --fail-with-body --silent --show-error --max-time 30 \
  --header "X-API-Key: $NOTIF_KEY" \
  --header 'Accept-Language: id' \
  --header 'Content-Type: application/json' \
  --data '{"judul":"Rapat pukul 10","isi":"Semua hadir di aula."}' \
  '{{base}}/api/v1/notif.php'
