import json
import urllib.request

request = urllib.request.Request(
    "{{url}}",
    data=json.dumps({"judul": "{{title}}", "isi": "{{body}}"}).encode(),
    headers={"X-API-Key": "{{key}}", "Content-Type": "application/json"},
)
print(urllib.request.urlopen(request).read().decode())
