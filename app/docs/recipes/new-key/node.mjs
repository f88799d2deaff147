fetch('{{url}}', {
  method: 'POST',
  headers: { 'X-API-Key': '{{key}}', 'Content-Type': 'application/json' },
  body: JSON.stringify({ judul: '{{title}}', isi: '{{body}}' }),
}).then(async (response) => console.log(await response.text()));
