import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.NotificationsApi;
import org.openapitools.client.model.Employee;
import org.openapitools.client.model.Failure;
import org.openapitools.client.model.Notification;
import org.openapitools.client.model.ReadAnswer;
import org.openapitools.client.model.SendAnswer;

public class Program {
    interface Call {
        void run() throws ApiException;
    }

    static NotificationsApi clientWith(String key) {
        ApiClient client = new ApiClient();
        client.setBasePath(System.getenv("NOTIF_URL"));
        client.setBearerToken(key);
        return new NotificationsApi(client);
    }

    static Notification notification() {
        return new Notification()
            .judul("Gaji November")
            .isi("Slip gaji sudah tersedia.")
            .userId(Integer.valueOf(System.getenv("NOTIF_EMPLOYEE")))
            .jenis("gaji")
            .url("/portal/notifications");
    }

    static boolean printFailure(Call call) throws Exception {
        try {
            call.run();
            return false;
        } catch (ApiException exception) {
            Failure failure = Failure.fromJson(exception.getResponseBody());
            if (failure.getOk()) throw exception;
            String field = failure.getField() == null ? "-" : failure.getField();
            System.out.println(exception.getCode() + " " + failure.getCode() + " " + field);
            return true;
        }
    }

    public static void main(String[] arguments) throws Exception {
        NotificationsApi api = clientWith(System.getenv("NOTIF_KEY"));
        ReadAnswer ping = api.read("ping", null);
        System.out.println("ping: " + ping.getPerusahaan() + ", " + ping.getKey());
        List<Employee> employees = api.read("karyawan", null).getKaryawan();
        for (Employee employee : employees)
            System.out.println("karyawan: " + employee.getUserId() + " " + employee.getNama());
        SendAnswer sent = api.send(notification(), "gaji-2026-11", null);
        System.out.println("terkirim: " + sent.getTerkirim());
        printFailure(() -> clientWith("jss_salah").read("ping", null));
        printFailure(() -> api.send(notification().judul("   "), null, null));
        printFailure(() -> api.send(notification().url("/.//evil.example"), null, null));
        printFailure(() -> api.send(notification().userId(2147483647), null, null));
        for (int attempt = 0; attempt < 130; attempt++)
            if (printFailure(() -> api.read("ping", null))) break;
    }
}
