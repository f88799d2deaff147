import os

from client import AuthenticatedClient
from client.api.notifications import read, send
from client.models import Failure, Notification, ReadAksi, ReadAnswer, SendAnswer


def client_with(key):
    return AuthenticatedClient(base_url=os.environ["NOTIF_URL"], token=key)


def notification(**changes):
    fields = {
        "judul": "Gaji November",
        "isi": "Slip gaji sudah tersedia.",
        "user_id": int(os.environ["NOTIF_EMPLOYEE"]),
        "jenis": "gaji",
        "url": "/portal/notifications",
    }
    return Notification(**{**fields, **changes})


def print_failure(response):
    failure = response.parsed
    if not isinstance(failure, Failure):
        return False
    assert failure.ok is False
    print(response.status_code.value, failure.code, failure.field or "-")
    return True


api = client_with(os.environ["NOTIF_KEY"])
ping = read.sync(client=api, aksi=ReadAksi.PING)
assert isinstance(ping, ReadAnswer) and ping.ok is True
print(f"ping: {ping.perusahaan}, {ping.key}")
employees = read.sync(client=api, aksi=ReadAksi.KARYAWAN)
assert isinstance(employees, ReadAnswer)
for employee in employees.karyawan:
    print("karyawan:", employee.user_id, employee.nama)
sent = send.sync(client=api, body=notification())
assert isinstance(sent, SendAnswer) and sent.ok is True
print("terkirim:", sent.terkirim)
print_failure(read.sync_detailed(client=client_with("jss_salah"), aksi=ReadAksi.PING))
print_failure(send.sync_detailed(client=api, body=notification(judul="   ")))
print_failure(send.sync_detailed(client=api, body=notification(url="/.//evil.example")))
print_failure(send.sync_detailed(client=api, body=notification(user_id=2147483647)))
for _ in range(130):
    if print_failure(read.sync_detailed(client=api, aksi=ReadAksi.PING)):
        break
