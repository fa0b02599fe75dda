// Package broker runs an embedded NATS server with JetStream. Every message that it acknowledges is
// on disk.
package broker

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Config configures a broker.
type Config struct {
	Dir                   string
	Addr                  string      // HOST:PORT; port 0 selects a free one
	Token, User, Password string      // required from clients; empty: no authentication
	TLS                   *tls.Config // nil: no TLS
	MaxStore              int64       // bytes on disk; 0: DefaultMaxStore
	Warn                  func(string)
}

// DefaultMaxStore is the default of Config.MaxStore, in bytes.
const DefaultMaxStore = 16 << 30

// Limits for clients.
const (
	maxPayload = 8 << 20
	maxClients = 10_000
)

// startTimeout is the timeout for the start, which includes reading the stored data.
const startTimeout = time.Minute

// tlsTimeout is the timeout of a handshake, in seconds.
const tlsTimeout = 5

// Broker is a running server.
type Broker struct {
	server *server.Server
	failed chan error
	tls    bool
	local  bool
}

// Start starts a broker.
func Start(c Config) (*Broker, error) {
	host, text, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return nil, err
	}
	port, err := strconv.Atoi(text)
	if err != nil || port < 0 || port > 65535 {
		return nil, fmt.Errorf("%s: %q is not a port", c.Addr, text)
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	if c.Token == "" && c.User == "" && !isLoopback(host) {
		return nil, fmt.Errorf("%s: others can reach it: set a token in $NATS_TOKEN, which workers then give", c.Addr)
	}
	opts := &server.Options{
		ServerName:         "evalctl",
		Host:               host,
		Port:               port,
		JetStream:          true,
		StoreDir:           c.Dir,
		SyncAlways:         true,
		JetStreamMaxStore:  cmp.Or(c.MaxStore, DefaultMaxStore),
		JetStreamMaxMemory: 64 << 20,
		MaxPayload:         maxPayload,
		MaxConn:            maxClients,
		Authorization:      c.Token,
		Username:           c.User,
		Password:           c.Password,
		NoSigs:             true,
	}
	if c.TLS != nil {
		opts.TLS = true
		opts.TLSConfig = c.TLS
		opts.TLSVerify = c.TLS.ClientAuth == tls.RequireAndVerifyClientCert
		opts.TLSTimeout = tlsTimeout
	}
	s, err := server.NewServer(opts)
	if err != nil {
		return nil, err
	}
	failed := make(chan error, 1)
	s.SetLoggerV2(log{c.Warn, failed}, false, false, false)
	s.Start()
	if !s.ReadyForConnections(startTimeout) {
		s.Shutdown()
		return nil, errors.New("the broker does not begin to listen: is the address free?")
	}
	return &Broker{
		server: s,
		failed: failed,
		tls:    c.TLS != nil,
		local:  isLoopback(host),
	}, nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// URL returns the broker's address without credentials.
func (b *Broker) URL() string {
	if b.tls {
		return "tls://" + b.server.Addr().String()
	}
	return "nats://" + b.server.Addr().String()
}

// IsLocal reports whether only this machine can reach the broker.
func (b *Broker) IsLocal() bool { return b.local }

// Failed receives an error when a disk failure stops the broker from accepting messages. Only a
// restart helps.
func (b *Broker) Failed() <-chan error { return b.failed }

// Close stops the broker; its data remain in its directory.
func (b *Broker) Close() {
	b.server.Shutdown()
	b.server.WaitForShutdown()
}

// log forwards the server's warnings and errors.
type log struct {
	warn   func(string)
	failed chan<- error
}

// fatal lists substrings of messages after which the server writes nothing more.
var fatal = []string{"Critical write error", "will be DISABLED", "disabling JetStream", "no space left on device"}

// forward forwards a message, and reports a failed server.
func (l log) forward(format string, args []any) {
	text := fmt.Sprintf(format, args...)
	l.warn(text)
	if !slices.ContainsFunc(fatal, func(part string) bool { return strings.Contains(text, part) }) {
		return
	}
	err := fmt.Errorf("its disk fails it: %s", text)
	if strings.Contains(text, "no space left") || strings.Contains(text, "out of") {
		err = errFull
	}
	select {
	case l.failed <- err:
	default: // only the first error is reported
	}
}

// errFull is returned if the broker's disk is full.
var errFull = errors.New("disk full: make room and begin it again")

func (log) Noticef(string, ...any) {}
func (log) Debugf(string, ...any)  {}
func (log) Tracef(string, ...any)  {}

func (l log) Warnf(format string, args ...any)  { l.forward(format, args) }
func (l log) Errorf(format string, args ...any) { l.forward(format, args) }
func (l log) Fatalf(format string, args ...any) { l.forward(format, args) }
