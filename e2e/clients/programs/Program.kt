import org.openapitools.client.apis.NotificationsApi
import org.openapitools.client.infrastructure.ApiClient
import org.openapitools.client.infrastructure.ClientError
import org.openapitools.client.infrastructure.ClientException
import org.openapitools.client.infrastructure.Serializer
import org.openapitools.client.models.Failure
import org.openapitools.client.models.Notification

val api = NotificationsApi(System.getenv("NOTIF_URL"))

val notification = Notification(
    judul = "Gaji November",
    isi = "Slip gaji sudah tersedia.",
    userId = System.getenv("NOTIF_EMPLOYEE").toInt(),
    jenis = "gaji",
    url = "/portal/notifications",
)

fun printFailure(call: () -> Unit): Boolean {
    try {
        call()
        return false
    } catch (exception: ClientException) {
        val body = (exception.response as ClientError<*>).body as String
        val failure = Serializer.moshi.adapter(Failure::class.java).fromJson(body)!!
        if (failure.ok) throw exception
        println("${exception.statusCode} ${failure.code} ${failure.field ?: "-"}")
        return true
    }
}

fun main() {
    val key = System.getenv("NOTIF_KEY")
    ApiClient.accessToken = key
    val ping = api.read(NotificationsApi.AksiRead.ping)
    println("ping: ${ping.perusahaan}, ${ping.key}")
    for (employee in api.read(NotificationsApi.AksiRead.karyawan).karyawan!!)
        println("karyawan: ${employee.userId} ${employee.nama}")
    println("terkirim: ${api.send(notification, "gaji-2026-11").terkirim}")
    ApiClient.accessToken = "jss_salah"
    printFailure { api.read(NotificationsApi.AksiRead.ping) }
    ApiClient.accessToken = key
    printFailure { api.send(notification.copy(judul = "   ")) }
    printFailure { api.send(notification.copy(url = "/.//evil.example")) }
    printFailure { api.send(notification.copy(userId = 2147483647)) }
    for (attempt in 1..130) if (printFailure { api.read(NotificationsApi.AksiRead.ping) }) break
}
