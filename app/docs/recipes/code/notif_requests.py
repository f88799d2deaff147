import os
import sys
import uuid

import requests
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

URL = "{{base}}/api/v1/notif.php"


def notify(judul, isi, user_id=None):
    fields = {"judul": judul, "isi": isi}
    if user_id is not None:
        fields["user_id"] = user_id
    retry = Retry(
        total=3,
        allowed_methods=["POST"],
        status_forcelist=[429, 502, 503, 504],
        backoff_factor=2,
        raise_on_status=False,
    )
    with requests.Session() as session:
        session.mount(URL, HTTPAdapter(max_retries=retry))
        response = session.post(
            URL,
            json=fields,
            headers={
                "X-API-Key": os.environ["NOTIF_KEY"],
                "Accept-Language": "id",
                "Idempotency-Key": str(uuid.uuid4()),
            },
            timeout=30,
        )
    answer = response.json()
    if response.status_code != 200:
        raise ValueError(f"HTTP {response.status_code}: {answer['error']}")
    return answer["terkirim"]


if __name__ == "__main__":
    try:
        print("terkirim:", notify(*sys.argv[1:]))
    except (requests.RequestException, ValueError) as problem:
        sys.exit(str(problem))
