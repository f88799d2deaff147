package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"time"
)

const url = "{{base}}/api/v1/notif.php"

var client = http.Client{Timeout: 30 * time.Second}

type answer struct {
	Terkirim int
	Error    string
}

func ask(body []byte, once string) (status, wait int, a answer) {
	request, err := http.NewRequest("POST", url, bytes.NewReader(body))
	if err != nil {
		return 0, 5, answer{Error: err.Error()}
	}
	request.Header.Set("X-API-Key", os.Getenv("NOTIF_KEY"))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept-Language", "id")
	request.Header.Set("Idempotency-Key", once)
	response, err := client.Do(request)
	if err != nil {
		return 0, 5, answer{Error: err.Error()}
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&a); err != nil {
		return 0, 5, answer{Error: err.Error()}
	}
	wait, err = strconv.Atoi(response.Header.Get("Retry-After"))
	if err != nil {
		wait = 5
	}
	a.Error = fmt.Sprintf("HTTP %d: %s", response.StatusCode, a.Error)
	return response.StatusCode, wait, a
}

func notify(fields map[string]string) (int, error) {
	body, err := json.Marshal(fields)
	if err != nil {
		return 0, err
	}
	random := make([]byte, 16)
	rand.Read(random)
	once := fmt.Sprintf("%x", random)
	for attempt := 1; ; attempt++ {
		status, wait, a := ask(body, once)
		if status == 200 {
			return a.Terkirim, nil
		}
		switch status {
		case 0, 429, 502, 503, 504:
			if attempt < 4 {
				time.Sleep(time.Duration(wait) * time.Second)
				continue
			}
		}
		return 0, errors.New(a.Error)
	}
}

func main() {
	fields := map[string]string{}
	for at, name := range []string{"judul", "isi", "user_id"} {
		if at+1 < len(os.Args) {
			fields[name] = os.Args[at+1]
		}
	}
	sent, err := notify(fields)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("terkirim:", sent)
}
