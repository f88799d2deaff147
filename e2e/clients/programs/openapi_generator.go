package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"

	notif "notif.test/client"
)

func clientWith(key string) (*notif.NotificationsAPIService, context.Context) {
	configuration := notif.NewConfiguration()
	configuration.Servers = notif.ServerConfigurations{{URL: os.Getenv("NOTIF_URL")}}
	keys := map[string]notif.APIKey{"X-API-Key": {Key: key}}
	ctx := context.WithValue(context.Background(), notif.ContextAPIKeys, keys)
	return notif.NewAPIClient(configuration).NotificationsAPI, ctx
}

func notification(title string, id int32, url string) notif.Notification {
	made := notif.NewNotification(title, "Slip gaji sudah tersedia.")
	made.SetUserId(id)
	made.SetJenis("gaji")
	made.SetUrl(url)
	return *made
}

func printFailure(response *http.Response, err error) bool {
	if err == nil {
		return false
	}
	var failed *notif.GenericOpenAPIError
	if !errors.As(err, &failed) {
		panic(err)
	}
	failure, isFailure := failed.Model().(notif.Failure)
	if !isFailure || failure.GetOk() {
		panic(err)
	}
	field := "-"
	if failure.HasField() {
		field = failure.GetField()
	}
	fmt.Println(response.StatusCode, failure.GetCode(), field)
	return true
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	number, err := strconv.Atoi(os.Getenv("NOTIF_EMPLOYEE"))
	must(err)
	id := int32(number)
	api, ctx := clientWith(os.Getenv("NOTIF_KEY"))
	ping, _, err := api.Read(ctx).Aksi("ping").Execute()
	must(err)
	fmt.Printf("ping: %s, %s\n", ping.GetPerusahaan(), ping.GetKey())
	employees, _, err := api.Read(ctx).Aksi("karyawan").Execute()
	must(err)
	for _, employee := range employees.GetKaryawan() {
		fmt.Println("karyawan:", employee.GetUserId(), employee.GetNama())
	}
	send := func(title string, id int32, url string) (*notif.SendAnswer, *http.Response, error) {
		return api.Send(ctx).Notification(notification(title, id, url)).Execute()
	}
	sent, _, err := send("Gaji November", id, "/portal/notifications")
	must(err)
	fmt.Println("terkirim:", sent.GetTerkirim())
	stranger, strange := clientWith("jss_salah")
	_, response, err := stranger.Read(strange).Aksi("ping").Execute()
	printFailure(response, err)
	_, response, err = send("   ", id, "/portal")
	printFailure(response, err)
	_, response, err = send("Gaji November", id, "/.//evil.example")
	printFailure(response, err)
	_, response, err = send("Gaji November", 2147483647, "/portal")
	printFailure(response, err)
	for attempt := 0; attempt < 130; attempt++ {
		_, response, err = api.Read(ctx).Aksi("ping").Execute()
		if printFailure(response, err) {
			break
		}
	}
}
