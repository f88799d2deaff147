import os
import sys

sys.path.insert(0, "client")

from openapi_client import ApiClient, ApiException, Configuration, NotificationsApi
from openapi_client.models import Failure, Notification


def client_with(key):
    # Without it, urllib3 waits a minute after 429 and repeats a read by itself.
    configuration = Configuration(host=os.environ["NOTIF_URL"], access_token=key, retries=0)
    return NotificationsApi(ApiClient(configuration))


def notification(**changes):
    fields = {
        "judul": "Gaji November",
        "isi": "Slip gaji sudah tersedia.",
        "user_id": int(os.environ["NOTIF_EMPLOYEE"]),
        "jenis": "gaji",
        "url": "/portal/notifications",
    }
    return Notification(**{**fields, **changes})


def print_failure(call):
    try:
        call()
        return False
    except ApiException as exception:
        failure = exception.data
        assert isinstance(failure, Failure) and failure.ok is False
        print(exception.status, failure.code, failure.var_field or "-")
        return True


api = client_with(os.environ["NOTIF_KEY"])
ping = api.read("ping")
assert ping.ok is True
print(f"ping: {ping.perusahaan}, {ping.key}")
for employee in api.read("karyawan").karyawan:
    print("karyawan:", employee.user_id, employee.nama)
sent = api.send(notification(), idempotency_key="gaji-2026-11")
assert sent.ok is True
print("terkirim:", sent.terkirim)
print_failure(lambda: client_with("jss_salah").read("ping"))
print_failure(lambda: api.send(notification(judul="   ")))
print_failure(lambda: api.send(notification(url="/.//evil.example")))
print_failure(lambda: api.send(notification(user_id=2147483647)))
for _ in range(130):
    if print_failure(lambda: api.read("ping")):
        break
