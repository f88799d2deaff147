package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"

	notif "notif.test/client"
)

func clientWith(key string) *notif.ClientWithResponses {
	authenticate := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	}
	made, err := notif.NewClientWithResponses(os.Getenv("NOTIF_URL"), notif.WithRequestEditorFn(authenticate))
	must(err)
	return made
}

func printFailure(status int, failures ...*notif.Failure) bool {
	for _, failure := range failures {
		if failure == nil {
			continue
		}
		field := "-"
		if failure.Field != nil {
			field = *failure.Field
		}
		if failure.Ok {
			panic("ok")
		}
		fmt.Println(status, failure.Code, field)
		return true
	}
	return false
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	ctx := context.Background()
	id, err := strconv.Atoi(os.Getenv("NOTIF_EMPLOYEE"))
	must(err)
	api := clientWith(os.Getenv("NOTIF_KEY"))
	ping, err := api.ReadWithResponse(ctx, &notif.ReadParams{Aksi: "ping"})
	must(err)
	fmt.Printf("ping: %s, %s\n", *ping.JSON200.Perusahaan, *ping.JSON200.Key)
	employees, err := api.ReadWithResponse(ctx, &notif.ReadParams{Aksi: "karyawan"})
	must(err)
	for _, employee := range *employees.JSON200.Karyawan {
		fmt.Println("karyawan:", employee.UserId, employee.Nama)
	}
	once, kind := "gaji-2026-11", "gaji"
	send := func(title string, id int, url string, once *string) *notif.SendResponse {
		body := notif.Notification{Judul: title, Isi: "Slip gaji sudah tersedia.", UserId: &id, Jenis: &kind, Url: &url}
		sent, err := api.SendWithResponse(ctx, &notif.SendParams{IdempotencyKey: once}, body)
		must(err)
		return sent
	}
	fmt.Println("terkirim:", send("Gaji November", id, "/portal/notifications", &once).JSON200.Terkirim)
	refused, err := clientWith("jss_salah").ReadWithResponse(ctx, &notif.ReadParams{Aksi: "ping"})
	must(err)
	printFailure(refused.StatusCode(), refused.JSON401)
	for _, sent := range []*notif.SendResponse{
		send("   ", id, "/portal", nil),
		send("Gaji November", id, "/.//evil.example", nil),
		send("Gaji November", 2147483647, "/portal", nil),
	} {
		printFailure(sent.StatusCode(), sent.JSON400, sent.JSON404)
	}
	for attempt := 0; attempt < 130; attempt++ {
		ping, err = api.ReadWithResponse(ctx, &notif.ReadParams{Aksi: "ping"})
		must(err)
		if printFailure(ping.StatusCode(), ping.JSON429) {
			break
		}
	}
}
