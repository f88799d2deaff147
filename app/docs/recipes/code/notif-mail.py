#!/usr/bin/env python3
"""notif-mail.py USER_ID: the mail on standard input becomes a notification."""
import os
import subprocess
import sys
from email import message_from_binary_file
from email.policy import default

mail = message_from_binary_file(sys.stdin.buffer, policy=default)
body = mail.get_body(("plain",))
text = " ".join(body.get_content().split()) if body else "-"
event = {"NOTIF_EVENT": mail["Message-ID"]} if mail["Message-ID"] else {}
code = subprocess.run(
    ["/usr/local/bin/notif-alert.sh", sys.argv[1], mail["Subject"] or "-", text],
    env={**os.environ, **event},
).returncode
# 75 asks a mail server to try again later; 1 is a refusal.
sys.exit(code if code in (0, 1) else 75)
