using System;
using Newtonsoft.Json;
using Org.OpenAPITools.Api;
using Org.OpenAPITools.Client;
using Org.OpenAPITools.Model;

public class Program
{
    static readonly string Address = Environment.GetEnvironmentVariable("NOTIF_URL");

    static NotificationsApi ClientWith(string key)
    {
        var configuration = new Configuration { BasePath = Address };
        configuration.AddApiKey("X-API-Key", key);
        return new NotificationsApi(configuration);
    }

    static Notification Notification()
    {
        int id = int.Parse(Environment.GetEnvironmentVariable("NOTIF_EMPLOYEE"));
        return new Notification("Gaji November", "Slip gaji sudah tersedia.", id, "gaji", "/portal/notifications");
    }

    static Notification Changed(Action<Notification> change)
    {
        Notification changed = Notification();
        change(changed);
        return changed;
    }

    static bool PrintFailure(Action call)
    {
        try
        {
            call();
            return false;
        }
        catch (ApiException exception)
        {
            var failure = JsonConvert.DeserializeObject<Failure>((string)exception.ErrorContent);
            if (failure.Ok) throw;
            Console.WriteLine(exception.ErrorCode + " " + failure.Code + " " + (failure.Field ?? "-"));
            return true;
        }
    }

    public static void Main()
    {
        var api = ClientWith(Environment.GetEnvironmentVariable("NOTIF_KEY"));
        var ping = api.Read("ping");
        if (!ping.Ok) throw new Exception("ok");
        Console.WriteLine("ping: " + ping.Perusahaan + ", " + ping.Key);
        foreach (var employee in api.Read("karyawan").Karyawan)
            Console.WriteLine("karyawan: " + employee.UserId + " " + employee.Nama);
        Console.WriteLine("terkirim: " + api.Send(Notification(), "gaji-2026-11").Terkirim);
        PrintFailure(() => ClientWith("jss_salah").Read("ping"));
        PrintFailure(() => api.Send(Changed(one => one.Judul = "   ")));
        PrintFailure(() => api.Send(Changed(one => one.Url = "/.//evil.example")));
        PrintFailure(() => api.Send(Changed(one => one.UserId = 2147483647)));
        for (int attempt = 0; attempt < 130; attempt++)
            if (PrintFailure(() => api.Read("ping"))) break;
    }
}
