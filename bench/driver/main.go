// The load of the benchmarks, in a program of its own. It is in Go because it must take little of
// the processor that it shares with the service. A driver in Node.js takes as much as the service.
//
// It reads one command a line and writes one report a line, both as JSON (`driver.ts` has the
// types). Every report says how much CPU time the driver used meanwhile.
//
// One loop serves all connections with epoll (`poll`). A goroutine for each would be shorter, but
// takes twice as much CPU time for streams.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"runtime"
	"sort"
	"strconv"
	"syscall"
	"time"
)

// Command is one line of input. Do is load, burst, hold, broadcast or leave.
type Command struct {
	Do          string  `json:"do"`
	Address     string  `json:"address"` // host and port
	Callers     string  `json:"callers"` // a file with an array of callers
	From        int     `json:"from"`    // the first caller
	Operation   string  `json:"operation"`
	Connections int     `json:"connections"`
	Seconds     float64 `json:"seconds"`
	Count       int     `json:"count"`
	Group       string  `json:"group"`   // a name for streams
	Cookies     string  `json:"cookies"` // a file with an array of Cookie headers, one for each stream
	After       int     `json:"after"`   // the number of the newest notification that the portals have
	Text        string  `json:"text"`
}

// Report is one line of output. Times are in milliseconds.
type Report struct {
	Error   string  `json:"error,omitempty"`
	CpuMs   float64 `json:"cpuMs"`
	Count   int     `json:"count"`
	Seconds float64 `json:"seconds"`
	Next    int     `json:"next"` // the caller after the last one
	P50     float64 `json:"p50"`
	P99     float64 `json:"p99"`
	// Answers other than 200 and broken connections, by their first line or error.
	Others map[string]int `json:"others"`
	// Of a broadcast: from its request to its answer, and to the last byte on the last stream.
	AnsweredMs float64 `json:"answeredMs"`
	LastMs     float64 `json:"lastMs"`
}

// Caller is a key and an employee of its company. Employee 0 stands for all.
type Caller struct {
	Key    string `json:"key"`
	UserId int    `json:"userId"`
}

var actions = map[string]func(Command) (Report, error){
	"load": load, "burst": burst, "hold": hold, "broadcast": broadcast, "leave": leave,
}

func main() {
	// The service needs the other cores.
	runtime.GOMAXPROCS(1)
	input := bufio.NewReader(os.Stdin)
	output := json.NewEncoder(os.Stdout)
	for {
		line, err := input.ReadBytes('\n')
		if err != nil {
			return
		}
		output.Encode(obey(line))
	}
}

func obey(line []byte) Report {
	var command Command
	if err := json.Unmarshal(line, &command); err != nil {
		return Report{Error: err.Error()}
	}
	action := actions[command.Do]
	if action == nil {
		return Report{Error: "unknown command " + command.Do}
	}
	before := cpuMs()
	report, err := action(command)
	if err != nil {
		report.Error = err.Error()
	}
	report.CpuMs = cpuMs() - before
	return report
}

// ---- load: each connection sends its next request after the answer to its last ----

func load(command Command) (Report, error) {
	callers, err := readCallers(command.Callers)
	if err != nil {
		return Report{}, err
	}
	poller, err := newPoller()
	if err != nil {
		return Report{}, err
	}
	defer poller.close()
	result := Result{others: map[string]int{}}
	serial := command.From
	open := 0
	begun := time.Now()
	until := begun.Add(time.Duration(command.Seconds * float64(time.Second)))
	for at := 0; at < command.Connections; at++ {
		connection, err := poller.connect(command.Address, 0)
		if err != nil {
			return Report{}, err
		}
		var sent time.Time
		sendNext := func() bool {
			sent = time.Now()
			if sent.After(until) {
				return false
			}
			caller := callers[serial%len(callers)]
			switch command.Operation {
			case "send":
				connection.write(send(command.Address, caller, idempotencyKey(serial), text))
			case "plain send":
				connection.write(send(command.Address, caller, "", text))
			default:
				connection.write(ping(command.Address, caller))
			}
			serial++
			return true
		}
		connection.onAnswer = func(status string) {
			result.add(status, time.Since(sent))
			if status == broken || !sendNext() {
				connection.close()
				open--
			}
		}
		if sendNext() {
			open++
		}
	}
	for open > 0 {
		poller.poll(time.Minute)
	}
	return result.report(begun, serial), nil
}

// ---- burst: sends at once, each on a connection of its own; times count from the first one ----

func burst(command Command) (Report, error) {
	callers, err := readCallers(command.Callers)
	if err != nil {
		return Report{}, err
	}
	poller, err := newPoller()
	if err != nil {
		return Report{}, err
	}
	defer poller.close()
	result := Result{others: map[string]int{}}
	var begun time.Time
	connections := make([]*Connection, command.Count)
	for at := range connections {
		connection, err := poller.connect(command.Address, 0)
		if err != nil {
			return Report{}, err
		}
		connection.onAnswer = func(status string) { result.add(status, time.Since(begun)) }
		connections[at] = connection
	}
	begun = time.Now()
	for at, connection := range connections {
		serial := command.From + at
		connection.write(send(command.Address, callers[serial%len(callers)], idempotencyKey(serial), text))
	}
	for len(result.latencies) < command.Count {
		poller.poll(time.Minute)
	}
	return result.report(begun, command.From+command.Count), nil
}

// ---- hold, broadcast, leave: open streams of portals, in named groups ----

// Streams is a group of open streams. Nobody reads them between broadcasts: what comes meanwhile is
// little, and the system keeps it.
type Streams struct {
	poller  *Poller
	count   int
	awaited []byte
	lacking int
	lastAt  time.Time
}

var groups = map[string]*Streams{}

// More would only wait in the service.
const mostOpening = 100

func hold(command Command) (Report, error) {
	var cookies []string
	if err := readJson(command.Cookies, &cookies); err != nil {
		return Report{}, err
	}
	poller, err := newPoller()
	if err != nil {
		return Report{}, err
	}
	streams := &Streams{poller: poller, count: len(cookies)}
	groups[command.Group] = streams
	others := map[string]int{}
	opening := 0
	for at := 0; at < len(cookies) || opening > 0; {
		if at == len(cookies) || opening == mostOpening {
			poller.poll(time.Minute)
			continue
		}
		// One address has too few ports for all portals.
		connection, err := poller.connect(command.Address, byte(2+at%8))
		if err != nil {
			return Report{}, err
		}
		connection.onStart = func(status string) {
			opening--
			if status != ok {
				others[status]++
			}
		}
		connection.onEvent = streams.noteEvent
		connection.write(openStream(command, cookies[at], at))
		opening++
		at++
	}
	return Report{Count: len(cookies), Others: others}, nil
}

func (streams *Streams) noteEvent(event []byte) {
	if streams.lacking == 0 || !bytes.Contains(event, streams.awaited) {
		return
	}
	streams.lacking--
	streams.lastAt = time.Now()
}

func broadcast(command Command) (Report, error) {
	callers, err := readCallers(command.Callers)
	if err != nil {
		return Report{}, err
	}
	streams := groups[command.Group]
	if streams == nil {
		return Report{}, errors.New("no streams are open in " + command.Group)
	}
	connection, err := streams.poller.connect(command.Address, 0)
	if err != nil {
		return Report{}, err
	}
	defer connection.close()
	answer := ""
	var answeredAt time.Time
	connection.onAnswer = func(status string) { answer, answeredAt = status, time.Now() }
	streams.awaited = []byte(command.Text)
	streams.lacking = streams.count
	begun := time.Now()
	connection.write(send(command.Address, callers[command.From%len(callers)], idempotencyKey(command.From), command.Text))
	for streams.lacking > 0 || answer == "" {
		streams.poller.poll(time.Second)
		if answer != "" && answer != ok {
			return Report{}, errors.New("a broadcast was answered " + answer)
		}
		if time.Since(begun) > 20*time.Second {
			return Report{}, fmt.Errorf("%d of %d streams lack a broadcast after 20 s", streams.lacking, streams.count)
		}
	}
	return Report{
		Count:      streams.count,
		Next:       command.From + 1,
		AnsweredMs: milliseconds(answeredAt.Sub(begun)),
		LastMs:     milliseconds(streams.lastAt.Sub(begun)),
	}, nil
}

func leave(command Command) (Report, error) {
	if streams := groups[command.Group]; streams != nil {
		streams.poller.close()
		delete(groups, command.Group)
	}
	return Report{}, nil
}

// ---- Requests ----

// Texts of usual length.
const title = "Gaji bulan November sudah masuk rekening"
const text = "Slip gaji dapat dilihat di portal. Hubungi bagian keuangan bila ada angka yang keliru."

// Makes the idempotency keys of this run differ from those of other runs.
var run = strconv.FormatInt(time.Now().UnixNano(), 36)

func ping(address string, caller Caller) string {
	return "GET /api/v1/notif.php?aksi=ping HTTP/1.1\r\n" + headers(address, caller) + "\r\n"
}

// A header with an idempotency key that was never used.
func idempotencyKey(serial int) string {
	return "Idempotency-Key: " + run + "-" + strconv.Itoa(serial) + "\r\n"
}

func send(address string, caller Caller, header string, text string) string {
	recipient := ""
	if caller.UserId != 0 {
		recipient = `"user_id":` + strconv.Itoa(caller.UserId) + ","
	}
	body := `{"judul":"` + title + `","isi":"` + text + `",` + recipient + `"jenis":"gaji","url":"/portal/notifications"}`
	return "POST /api/v1/notif.php HTTP/1.1\r\n" + headers(address, caller) +
		"Content-Type: application/json\r\n" + header + "Content-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body
}

func headers(address string, caller Caller) string {
	return "Host: " + address + "\r\nX-API-Key: " + caller.Key + "\r\nUser-Agent: bench\r\nAccept: */*\r\n"
}

// As Chromium sends it.
func openStream(command Command, cookie string, at int) string {
	const path = "/portal/stream?sound=on&browser=00000000-0000-4000-8000-"
	return fmt.Sprintf("GET %s%012x&after=%d HTTP/1.1\r\n", path, at, command.After) +
		"Host: " + command.Address + "\r\nConnection: keep-alive\r\n" +
		"User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36\r\n" +
		"Accept: */*\r\nSec-Fetch-Site: same-origin\r\nSec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty\r\n" +
		"Accept-Encoding: gzip, deflate, br, zstd\r\nAccept-Language: id-ID,id;q=0.9,en;q=0.8\r\nCookie: " + cookie + "\r\n\r\n"
}

var files = map[string][]Caller{}

func readCallers(file string) ([]Caller, error) {
	if callers := files[file]; callers != nil {
		return callers, nil
	}
	var callers []Caller
	err := readJson(file, &callers)
	if err == nil && len(callers) == 0 {
		err = errors.New("no callers in " + file)
	}
	files[file] = callers
	return callers, err
}

func readJson(file string, value interface{}) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return json.Unmarshal(content, value)
}

// ---- Connections ----

const ok = "200 OK"
const broken = "the connection was closed"

// Connection calls onAnswer for every whole response. A stream has onStart and onEvent instead, for
// the head of its response and for every event.
type Connection struct {
	fd       int
	poller   *Poller
	rest     []byte
	started  bool
	onAnswer func(status string)
	onStart  func(status string)
	onEvent  func(event []byte)
}

// Poller waits for data of its connections.
type Poller struct {
	fd          int
	connections map[int32]*Connection
	events      []syscall.EpollEvent
	buffer      []byte
}

func newPoller() (*Poller, error) {
	fd, err := syscall.EpollCreate1(0)
	return &Poller{fd, map[int32]*Connection{}, make([]syscall.EpollEvent, 1024), make([]byte, 64*1024)}, err
}

// Opens a connection to host and port, from 127.0.0.`local` unless that is 0.
func (poller *Poller) connect(address string, local byte) (*Connection, error) {
	target, err := net.ResolveTCPAddr("tcp4", address)
	if err != nil {
		return nil, err
	}
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	if local != 0 {
		err = syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, local}})
	}
	if err == nil {
		to := &syscall.SockaddrInet4{Port: target.Port}
		copy(to.Addr[:], target.IP.To4())
		err = syscall.Connect(fd, to)
	}
	if err == nil {
		err = syscall.SetsockoptInt(fd, syscall.IPPROTO_TCP, syscall.TCP_NODELAY, 1)
	}
	if err == nil {
		event := syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: int32(fd)}
		err = syscall.EpollCtl(poller.fd, syscall.EPOLL_CTL_ADD, fd, &event)
	}
	if err != nil {
		syscall.Close(fd)
		return nil, fmt.Errorf("%s: %v", address, err)
	}
	connection := &Connection{fd: fd, poller: poller}
	poller.connections[int32(fd)] = connection
	return connection, nil
}

// Waits for data, and gives it to its connections.
func (poller *Poller) poll(timeout time.Duration) {
	count, _ := syscall.EpollWait(poller.fd, poller.events, int(timeout/time.Millisecond))
	for at := 0; at < count; at++ {
		connection := poller.connections[poller.events[at].Fd]
		if connection == nil {
			continue
		}
		length, err := syscall.Read(connection.fd, poller.buffer)
		if err != nil || length == 0 {
			connection.end()
		} else {
			connection.take(poller.buffer[:length])
		}
	}
}

func (poller *Poller) close() {
	for _, connection := range poller.connections {
		connection.close()
	}
	syscall.Close(poller.fd)
}

// A request of 1 kB always fits into the buffer of an idle connection.
func (connection *Connection) write(request string) {
	syscall.Write(connection.fd, []byte(request))
}

func (connection *Connection) close() {
	if connection.poller.connections[int32(connection.fd)] == connection {
		delete(connection.poller.connections, int32(connection.fd))
		syscall.Close(connection.fd)
	}
}

func (connection *Connection) end() {
	connection.close()
	if connection.onAnswer != nil {
		connection.onAnswer(broken)
	} else if !connection.started {
		connection.onStart(broken)
	}
}

func (connection *Connection) take(data []byte) {
	if len(connection.rest) > 0 {
		data = append(connection.rest, data...)
	}
	used := 0
	if connection.onAnswer != nil {
		status, isWhole := readAnswer(data)
		if isWhole {
			used = len(data)
			connection.onAnswer(status)
		}
	} else {
		used = connection.takeEvents(data)
	}
	connection.rest = append([]byte(nil), data[used:]...)
}

// Returns how many bytes belong to whole events.
func (connection *Connection) takeEvents(data []byte) int {
	used := 0
	if !connection.started {
		end := bytes.Index(data, []byte("\r\n\r\n"))
		if end == -1 {
			return 0
		}
		connection.started = true
		connection.onStart(statusOf(data))
		used = end + 4
	}
	for {
		length := bytes.Index(data[used:], []byte("\n\n"))
		if length == -1 {
			return used
		}
		connection.onEvent(data[used : used+length])
		used += length + 2
	}
}

// The first line of a response without the protocol, and whether the response is whole.
func readAnswer(data []byte) (string, bool) {
	end := bytes.Index(data, []byte("\r\n\r\n"))
	if end == -1 {
		return "", false
	}
	head := data[:end+2]
	name := []byte("\r\nContent-Length: ")
	at := bytes.Index(head, name)
	if at == -1 {
		// Next.js sends parts, of which the last is empty.
		return statusOf(data), bytes.HasSuffix(data, []byte("\r\n0\r\n\r\n"))
	}
	value := head[at+len(name):]
	length, err := strconv.Atoi(string(value[:bytes.IndexByte(value, '\r')]))
	return statusOf(data), err == nil && len(data) >= end+4+length
}

func statusOf(data []byte) string {
	const protocol = len("HTTP/1.1 ")
	end := bytes.Index(data, []byte("\r\n"))
	if end < protocol {
		return "no HTTP"
	}
	return string(data[protocol:end])
}

// ---- Figures ----

// Result collects latencies in milliseconds, and what was not answered 200.
type Result struct {
	latencies []float64
	others    map[string]int
}

func (result *Result) add(status string, took time.Duration) {
	result.latencies = append(result.latencies, milliseconds(took))
	if status != ok {
		result.others[status]++
	}
}

func (result *Result) report(begun time.Time, next int) Report {
	sorted := result.latencies
	sort.Float64s(sorted)
	// The nearest rank, as in `e2e/support/figures.ts`.
	percentile := func(share float64) float64 {
		if len(sorted) == 0 {
			return 0
		}
		return sorted[int(math.Ceil(share*float64(len(sorted))))-1]
	}
	return Report{
		Count:   len(sorted),
		Seconds: time.Since(begun).Seconds(),
		Next:    next,
		P50:     percentile(0.5),
		P99:     percentile(0.99),
		Others:  result.others,
	}
}

func milliseconds(duration time.Duration) float64 {
	return float64(duration) / float64(time.Millisecond)
}

func cpuMs() float64 {
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return float64(used.Utime.Nano()+used.Stime.Nano()) / 1e6
}
