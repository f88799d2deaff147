import json
import os
import sys
import time
import uuid
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

URL = "{{base}}/api/v1/notif.php"


def notify(judul, isi, user_id=None):
    fields = {"judul": judul, "isi": isi}
    if user_id is not None:
        fields["user_id"] = user_id
    request = Request(
        URL,
        data=json.dumps(fields).encode(),
        headers={
            "X-API-Key": os.environ["NOTIF_KEY"],
            "Content-Type": "application/json",
            "Accept-Language": "id",
            "Idempotency-Key": str(uuid.uuid4()),
        },
    )
    for pause in (5, 10, 20, None):
        try:
            with urlopen(request, timeout=30) as response:
                return json.load(response)["terkirim"]
        except HTTPError as refusal:
            error = f"HTTP {refusal.code}: {sentence_of(refusal.read())}"
            if refusal.code not in (429, 502, 503, 504) or pause is None:
                raise ValueError(error) from None
            time.sleep(int(refusal.headers.get("Retry-After", pause)))
        except (OSError, HTTPException):
            if pause is None:
                raise
            time.sleep(pause)


def sentence_of(body):
    try:
        return json.loads(body)["error"]
    except ValueError:
        return body[:200].decode(errors="replace")


if __name__ == "__main__":
    try:
        print("terkirim:", notify(*sys.argv[1:]))
    except (OSError, HTTPException, ValueError) as problem:
        sys.exit(str(problem))
