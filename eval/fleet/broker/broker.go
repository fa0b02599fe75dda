// Package broker runs a NATS server with JetStream in the process, for those who have
// none: what it has said yes to is on its disk.
package broker

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Config says where a broker listens, and where it keeps what it holds.
type Config struct {
	Dir                   string
	Addr                  string // HOST:PORT; port 0 takes a free one
	Token, User, Password string // that clients must know; none: anybody may come
	MaxStore              int64  // bytes on the disk; 0: DefaultMaxStore
	Warn                  func(string)
}

// DefaultMaxStore is how many bytes a broker keeps at most.
const DefaultMaxStore = 16 << 30

// Bounds of what clients send.
const (
	maxPayload = 8 << 20
	maxClients = 10_000
)

// ready is how long it may take to read what an earlier one has left.
const ready = time.Minute

// Broker is a server that listens.
type Broker struct{ server *server.Server }

// Start begins to listen.
func Start(c Config) (*Broker, error) {
	host, text, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return nil, err
	}
	port, err := strconv.Atoi(text)
	if err != nil || port < 0 || port > 65535 {
		return nil, fmt.Errorf("%s: %q is no port", c.Addr, text)
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	if c.Token == "" && c.User == "" && !isLoopback(host) {
		return nil, fmt.Errorf("%s: others can reach it: set a token in $NATS_TOKEN, which workers then give", c.Addr)
	}
	s, err := server.NewServer(&server.Options{ServerName: "evalctl", Host: host, Port: port, JetStream: true, StoreDir: c.Dir, SyncAlways: true,
		JetStreamMaxStore: cmp.Or(c.MaxStore, DefaultMaxStore), JetStreamMaxMemory: 64 << 20, MaxPayload: maxPayload, MaxConn: maxClients,
		Authorization: c.Token, Username: c.User, Password: c.Password, NoSigs: true})
	if err != nil {
		return nil, err
	}
	s.SetLoggerV2(log{c.Warn}, false, false, false)
	s.Start()
	if !s.ReadyForConnections(ready) {
		s.Shutdown()
		return nil, errors.New("the broker does not begin to listen: is the address free?")
	}
	return &Broker{server: s}, nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// URL is where clients find it, without what they must know.
func (b *Broker) URL() string { return "nats://" + b.server.Addr().String() }

// Close ends the broker; what it holds stays in its folder.
func (b *Broker) Close() {
	b.server.Shutdown()
	b.server.WaitForShutdown()
}

// log hands on what is wrong.
type log struct{ warn func(string) }

func (log) Noticef(string, ...any) {}
func (log) Debugf(string, ...any)  {}
func (log) Tracef(string, ...any)  {}

func (l log) Warnf(format string, args ...any)  { l.warn(fmt.Sprintf(format, args...)) }
func (l log) Errorf(format string, args ...any) { l.warn(fmt.Sprintf(format, args...)) }
func (l log) Fatalf(format string, args ...any) { l.warn(fmt.Sprintf(format, args...)) }
