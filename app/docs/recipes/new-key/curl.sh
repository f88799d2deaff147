curl -X POST '{{url}}' \
  -H 'X-API-Key: {{key}}' \
  -H 'Content-Type: application/json' \
  -d '{"judul":"{{title}}","isi":"{{body}}"}'
