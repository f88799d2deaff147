#include <HTTPClient.h>
#include <WiFiClientSecure.h>

const char *root_ca = "-----BEGIN CERTIFICATE-----\n…";
const char *notif_key = "jss_…";

// The texts must not contain a quotation mark, a backslash or a line break.
bool notify(int user_id, const String &judul, const String &isi) {
  WiFiClientSecure client;
  client.setCACert(root_ca);
  // One key for all attempts, so that the service sends once.
  String once = String(esp_random(), HEX) + String(esp_random(), HEX);
  String body = "{\"user_id\":" + String(user_id) + ",\"judul\":\"" + judul +
                "\",\"isi\":\"" + isi + "\"}";
  for (int attempt = 0; attempt < 5; attempt++) {
    HTTPClient http;
    http.begin(client, "{{base}}/api/v1/notif.php");
    http.setTimeout(30000);
    http.addHeader("X-API-Key", notif_key);
    http.addHeader("Content-Type", "application/json");
    http.addHeader("Idempotency-Key", once);
    int status = http.POST(body);
    http.end();
    if (status == 200) return true;
    if (status >= 400 && status < 500 && status != 429) return false;
    delay(status == 429 ? 60000 : 5000);
  }
  return false;
}
